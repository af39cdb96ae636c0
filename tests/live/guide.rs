//! The README and the guide show what the program says: their console blocks are run, in order,
//! in a fresh folder. Of the guide, all other commands are, too, those for a CI among them, and so
//! are those of the page on CI, of what assistants read, and of the predecessors' walks.
//!
//! A console block holds commands, each behind `$ `, and below each what it prints. A line `…`
//! stands for lines that are not shown, and `…` at the end of a line for its rest.
//! Models take the times of a script, so that nobody waits for what is measured; only a decoder that
//! generates really runs. Where figures of `onnxray record` are shown, bundled recordings take the
//! place of what was recorded.

use crate::onnxruntime_package::library;
use crate::program::{Place, fixture_file, program, without_terminal};
use crate::script::{Script, scripted};
use serde_json::{Map, json};
use std::collections::BTreeSet;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What stands for lines or letters that are not shown.
const ELLIPSIS: char = '…';
/// Files of the models that the documents record, without `.onnx`.
const MODELS: [&str; 11] = [
    "base",
    "branch",
    "cnn",
    "cnn-int8",
    "encoder",
    "encoder-int8",
    "head",
    "main",
    "mixed",
    "model",
    "model-int8",
];
/// Recordings of this model are bundled.
const BUNDLED: &str = "onnxray record fixtures/models/encoder.onnx";

#[test]
fn the_readme_shows_what_the_program_says() {
    let place = place();
    take_bundled(&place, &["engine_profiling", "engine_profiling/encoder"]);
    let commands = blocks("README.md").into_iter().filter(|(kind, _)| kind == "console");
    assert_ne!(commands.map(|(_, block)| check(&place, &block)).count(), 0);
}

#[test]
fn the_guide_runs_as_it_stands_there() {
    let place = place();
    copy_models(&place, &[("main", "cnn"), ("branch", "cnn")]);
    for (kind, block) in blocks("docs/guide.md") {
        match kind.as_str() {
            "console" => check(&place, &block),
            "sh" => block.lines().for_each(|command| {
                let (_, code) = run(&place, command);
                assert_eq!(code, Some(0), "$ {command}");
                if command.starts_with(BUNDLED) {
                    let folders =
                        ["", "encoder"].map(|side| Path::new("engine_profiling").join(side));
                    let is_there = |folder: &&Path| {
                        place.path("").join(folder).join("profiling_trace").exists()
                    };
                    let folders: Vec<&Path> =
                        folders.iter().map(AsRef::as_ref).filter(is_there).collect();
                    take_bundled(&place, &folders);
                }
            }),
            "yaml" => in_ci(&place, &block),
            _ => {}
        }
    }
}

#[test]
fn the_page_on_ci_runs_as_it_stands_there() {
    let place = place();
    copy_models(&place, &[("base", "cnn"), ("head", "cnn")]);
    for (kind, block) in blocks("docs/ci.md") {
        match kind.as_str() {
            "yaml" if block.contains("/action@") => gives_inputs_of_the_action(&block),
            "yaml" => in_ci(&place, &block),
            _ => {
                let (printed, code) = run(&place, &format!("set -e\n{block}"));
                let ends = if block.contains("--fail") { &[0, 3][..] } else { &[0] };
                assert!(ends.contains(&code.unwrap()), "{block}\n{printed}");
            }
        }
    }
}

/// What the program says of some of the steps, by a part of their command.
const SAID: [(&str, &str); 10] = [
    ("--level iteration", "Iterations"),
    ("--ratio 256x256@0.9=4", "4.50"),
    ("--target-type", "With 70 to 80 % sparsity"),
    ("--ratios projection.xlsx", "Projected"),
    ("onnxray profiles project", "FLOPS"),
    ("--run", "measured perf ratios"),
    ("--max-loss 50%", "Estimated speedup with limited effect on the loss: "),
    ("--ratios loss.json", "by measured perf ratios"),
    ("--sort execution", "Conv"),
    ("sweep", "sweet spot"),
];

#[test]
fn the_predecessors_walks_run_as_they_stand_there() {
    let place = Place::new();
    symlink(fixture_file(""), place.path("fixtures")).unwrap();
    let mut said = BTreeSet::new();
    for (kind, block) in blocks("docs/studies/walk-through.md") {
        assert_eq!(kind, "sh");
        for command in block.lines() {
            // What is measured is measured: no script.
            let (printed, code) = run_in(&place, &measuring(), command);
            assert_eq!(code, Some(0), "$ {command}\n{printed}");
            if let Some((part, expected)) = SAID.iter().find(|(part, _)| command.contains(part)) {
                assert!(printed.contains(expected), "$ {command}\n{printed}\nlacks {expected}");
                said.insert(*part);
            }
        }
    }
    assert_eq!(said.len(), SAID.len(), "{said:?}");
}

#[test]
fn what_assistants_read_runs_as_it_stands_there() {
    let place = place();
    copy_models(&place, &[("model", "cnn"), ("model-int8", "cnn-int8")]);
    for (kind, block) in blocks("docs/skill/SKILL.md") {
        assert_eq!(kind, "sh");
        for command in block.lines() {
            let (printed, code) = run(&place, &format!("{command} 2>messages"));
            assert_eq!(code, Some(0), "$ {command}\n{printed}");
            if command.contains("--format json") {
                let printed: serde_json::Value = serde_json::from_str(&printed).unwrap();
                assert_eq!(printed["schema_version"], 1, "$ {command}");
            }
        }
    }
}

#[test]
fn assistants_find_the_skill_by_its_description() {
    let text = std::fs::read_to_string(fixture_file("../docs/skill/SKILL.md")).unwrap();
    let head = text.strip_prefix("---\n").and_then(|text| text.split_once("\n---\n")).unwrap().0;
    let (name, description) = head.split_once('\n').unwrap();
    assert_eq!(name, "name: onnxray");
    let description = description.strip_prefix("description: ").unwrap();
    // YAML reads it as it stands: it is one line, and no key.
    assert!((100..1024).contains(&description.len()) && !description.contains(['\n', ':', '#']));
}

/// Bundled models under other names.
fn copy_models(place: &Place, names: &[(&str, &str)]) {
    for (name, model) in names {
        let model = fixture_file(&format!("models/{model}.onnx"));
        std::fs::copy(model, place.path(&format!("{name}.onnx"))).unwrap();
    }
}

/// What a workflow gives to the action is what it takes.
fn gives_inputs_of_the_action(block: &str) {
    let action = std::fs::read_to_string(fixture_file("../action/action.yml")).unwrap();
    let (_, given) = block.rsplit_once(" with:\n").unwrap();
    for line in given.lines() {
        let (name, _) = line.trim().split_once(": ").unwrap();
        assert!(action.contains(&format!("\n  {name}:\n    description:")), "{name}");
    }
}

/// Blocks of code of a document, each with its language.
fn blocks(document: &str) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(fixture_file("..").join(document)).unwrap();
    let blocks = text.split("\n```").skip(1).step_by(2);
    let blocks = blocks.filter_map(|block| block.split_once('\n'));
    blocks.map(|(kind, block)| (kind.to_string(), block.to_string())).collect()
}

/// Runs the commands of a console block, one after the other.
fn check(place: &Place, block: &str) {
    for part in format!("\n{block}").split("\n$ ").skip(1) {
        let (command, shown) = part.split_once('\n').unwrap_or((part, ""));
        let (printed, _) = run(place, command);
        assert!(
            matches(&lines(shown), &lines(&printed)),
            "shown of\n$ {command}\n{shown}\nwhich prints\n{printed}"
        );
    }
}

/// Runs what a job of a CI would run. What it measures may end it as `compare` says.
fn in_ci(place: &Place, block: &str) {
    let commands = block.lines().map(|line| line.trim_start_matches([' ', '-']));
    let commands: Vec<&str> = commands.filter(|line| line.starts_with("onnxray ")).collect();
    assert_eq!(commands.len(), 2, "{block}");
    for command in commands {
        let (printed, code) = run(place, &command.replace("$GITHUB_STEP_SUMMARY", "summary.md"));
        let ends = if command.contains("--fail") { &[0, 3][..] } else { &[0] };
        assert!(ends.contains(&code.unwrap()), "$ {command}\n{printed}");
    }
}

/// A fresh folder with the fixtures, in whose folder `bin` is the program that follows a script: runs
/// of any model take 5 ms, by which what has a time limit is soon over.
fn place() -> Place {
    let place = Place::new();
    symlink(fixture_file(""), place.path("fixtures")).unwrap();
    std::fs::create_dir(place.path("bin")).unwrap();
    symlink(scripted(), place.path("bin/onnxray")).unwrap();
    let own = json!({"operator_ns": 10_000, "overhead_ns": 5_000_000, "noise": 0.01});
    let times: Map<_, _> =
        MODELS.iter().map(|name| (format!("{name}.onnx"), own.clone())).collect();
    Script::new(&place, times.into(), &[]);
    place
}

/// The bundled recordings in place of what was recorded in these folders; a folder `encoder` has
/// the other model beside it.
fn take_bundled(place: &Place, folders: &[impl AsRef<Path>]) {
    for folder in folders {
        let folder = place.path("").join(folder);
        put(&folder, "encoder");
        if folder.ends_with("encoder") {
            put(&folder.with_file_name("encoder-int8"), "encoder-int8");
        }
    }
}

fn put(folder: &Path, bundled: &str) {
    for part in ["profiling_trace", "profiling_csv"] {
        let _ = std::fs::remove_dir_all(folder.join(part));
    }
    let folder = folder.join("profiling_trace");
    std::fs::create_dir_all(&folder).unwrap();
    for trace in crate::program::files(&fixture_file("guide").join(bundled)) {
        let unpacked = std::fs::File::create(folder.join(trace.file_stem().unwrap())).unwrap();
        let gzip = Command::new("gzip").arg("-dc").arg(&trace).stdout(unpacked).status();
        assert!(gzip.unwrap().success(), "{}", trace.display());
    }
}

/// What a command of a shell prints on both streams, and its exit code.
fn run(place: &Place, command: &str) -> (String, Option<i32>) {
    match command.contains("--generate") {
        true => run_in(place, &measuring(), command),
        false => run_in(place, &place.path("bin"), command),
    }
}

/// The folder of the program that follows no script.
fn measuring() -> PathBuf {
    Path::new(program()).parent().unwrap().to_path_buf()
}

/// The same with the program that is in this folder.
fn run_in(place: &Place, folder: &Path, command: &str) -> (String, Option<i32>) {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut shell = Command::new("sh");
    without_terminal(&mut shell);
    let output = shell
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        // A shell complains of a locale that is not there.
        .env("LC_ALL", "C")
        .env("ONNXRAY_SCRIPT", place.path("script.json"))
        .env("ORT_DYLIB_PATH", library())
        .env("PATH", format!("{}:{path}", folder.display()))
        .current_dir(place.path(""))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect()
}

/// Whether printed lines are those shown, with others where an ellipsis stands.
fn matches(shown: &[&str], printed: &[&str]) -> bool {
    match shown {
        [] => printed.is_empty(),
        [first, rest @ ..] if is_ellipsis(first) => {
            (1..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]))
        }
        [first, rest @ ..] => {
            printed.first().is_some_and(|line| is_same(first, line)) && matches(rest, &printed[1..])
        }
    }
}

fn is_ellipsis(line: &str) -> bool {
    line.chars().eq([ELLIPSIS])
}

fn is_same(shown: &str, printed: &str) -> bool {
    let beginning = shown.strip_suffix(ELLIPSIS);
    shown == printed || beginning.is_some_and(|beginning| printed.starts_with(beginning))
}

#[test]
fn an_ellipsis_stands_for_lines_and_nothing_else_does() {
    let check = |shown: &str, printed: &str| matches(&lines(shown), &lines(printed));
    assert!(check("a\n…\nd", "a\nb\nc\nd"));
    assert!(check("a b…", "a b c"));
    assert!(!check("a\n…", "a"), "nothing is left out");
    assert!(!check("a\nd", "a\nb\nd"));
    assert!(!check("a\n…\nd", "a\nb\nc"));
    assert!(!check("… and 3 more", "… and 4 more"));
}
