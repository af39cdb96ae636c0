//! What commands write: never over what they read, and over what exists only with
//! `--force`.

use crate::program::{Finished, Place, fixture_file, model, record};
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

/// A foreign profile, as `name` in the place.
fn profile(place: &Place, name: &str) -> Vec<u8> {
    let bytes = fs::read(fixture_file("onnxruntime/1.31.1/loop.json")).unwrap();
    place.write(name, &bytes);
    bytes
}

fn refused(finished: &Finished, message: &str) {
    assert_eq!((finished.code, finished.out.as_str()), (Some(1), ""), "{}", finished.err);
    assert!(finished.err.contains(message), "{message:?} in {}", finished.err);
}

/// What writes to `OUT`, by its ending, and reads `x.json` or `model.onnx`.
const COMMANDS: [(&str, &str); 13] = [
    ("xlsx", "report x.json -o OUT"),
    ("html", "report x.json -o OUT"),
    ("html", "project x.json -o OUT"),
    ("html", "compare x.json y.json -o OUT"),
    ("xlsx", "project x.json -o OUT"),
    ("json", "project x.json --save-settings OUT"),
    ("xlsx", "compare x.json y.json -o OUT"),
    ("json", "convert x.json -o OUT"),
    ("csv", "convert x.json -o OUT"),
    ("parquet", "convert x.json -o OUT"),
    ("arrow", "convert x.json -o OUT"),
    ("xlsx", "record model.onnx --batch-size 1 --iterations 2 --report OUT"),
    ("html", "record model.onnx --batch-size 1 --iterations 2 --report OUT"),
];

fn run(place: &Place, command: &str, out: &str, force: bool) -> Finished {
    let command = command.replace("OUT", out);
    let mut arguments: Vec<&str> = command.split(' ').collect();
    arguments.extend(force.then_some("--force"));
    place.run(&arguments)
}

fn place_with_inputs() -> Place {
    let place = Place::new();
    profile(&place, "x.json");
    profile(&place, "y.json");
    fs::copy(model("cnn"), place.path("model.onnx")).unwrap();
    place
}

#[test]
fn what_exists_is_replaced_by_force_only() {
    for (ending, command) in COMMANDS {
        let place = place_with_inputs();
        let out = format!("out.{ending}");
        for before in ["what I wrote", ""] {
            place.write(&out, before.as_bytes());
            refused(
                &run(&place, command, &out, false),
                "already exists; use --force to replace it",
            );
            assert_eq!(fs::read_to_string(place.path(&out)).unwrap(), before, "{command}");
        }
        // Before anything else is made.
        assert!(!place.path("engine_profiling").exists(), "{command}");
        let forced = run(&place, command, &out, true);
        assert_eq!(forced.code, Some(0), "{command}: {}", forced.err);
        let made = fs::read(place.path(&out)).unwrap();
        assert!(made.len() > 20, "{command}");
        // Our own file of before is no exception.
        refused(&run(&place, command, &out, false), "already exists; use --force to replace it");
        assert_eq!(fs::read(place.path(&out)).unwrap(), made, "{command}");
    }
}

#[test]
fn a_link_to_nothing_exists_and_a_folder_is_no_file() {
    for (ending, command) in COMMANDS {
        let place = place_with_inputs();
        let (link, folder) = (format!("link.{ending}"), format!("folder.{ending}"));
        symlink("nowhere", place.path(&link)).unwrap();
        refused(&run(&place, command, &link, false), "already exists; use --force to replace it");
        fs::create_dir(place.path(&folder)).unwrap();
        refused(&run(&place, command, &folder, true), "is a folder");
        place.write("file", b"");
        let below = format!("file/out.{ending}");
        refused(&run(&place, command, &below, true), "file: cannot write there: Not a directory");
    }
}

#[test]
fn an_input_is_never_an_output() {
    for (ending, command) in COMMANDS {
        let place = place_with_inputs();
        let inputs: &[&str] = match command {
            _ if command.starts_with("record") => &["model.onnx"],
            _ if command.starts_with("compare") => &["x.json", "y.json"],
            _ => &["x.json"],
        };
        for input in inputs {
            let before = fs::read(place.path(input)).unwrap();
            let (hard, soft) = (format!("hard.{ending}"), format!("soft.{ending}"));
            fs::hard_link(place.path(input), place.path(&hard)).unwrap();
            symlink(place.path(input), place.path(&soft)).unwrap();
            let mut outs = vec![hard.clone(), soft.clone(), format!("./{hard}")];
            if Path::new(input).extension().unwrap().to_str() == Some(ending) {
                outs.extend([
                    input.to_string(),
                    format!("../{}/{input}", {
                        let place = place.path("").canonicalize().unwrap();
                        place.file_name().unwrap().to_str().unwrap().to_string()
                    }),
                ]);
            }
            for (out, force) in outs.iter().flat_map(|out| [(out, false), (out, true)]) {
                refused(&run(&place, command, out, force), "an input of this command");
            }
            for out in [&hard, &soft] {
                assert_eq!(fs::read(place.path(out)).unwrap(), before, "{command}");
                fs::remove_file(place.path(out)).unwrap();
            }
            assert_eq!(fs::read(place.path(input)).unwrap(), before, "{command}");
        }
    }
}

#[test]
fn other_files_that_a_command_reads_are_inputs_too() {
    let place = place_with_inputs();
    record(&place, "cnn", "out", &[]);
    place.succeed(&["project", "out", "-o", "edited.xlsx"]);
    let before = fs::read(place.path("edited.xlsx")).unwrap();
    let again = ["project", "out", "--ratios", "edited.xlsx", "-o", "edited.xlsx", "--force"];
    refused(&place.run(&again), "edited.xlsx: is an input of this command");
    assert_eq!(fs::read(place.path("edited.xlsx")).unwrap(), before);
    fs::hard_link(place.path("model.onnx"), place.path("model.json")).unwrap();
    let joined = ["convert", "x.json", "--model", "model.onnx", "-o", "model.json", "--force"];
    refused(&place.run(&joined), "is the same file as model.onnx, an input of this command");
    let trace = place.traces("out")[0].display().to_string();
    refused(&place.run(&["convert", "out", "-o", &trace, "--force"]), "an input of this command");
    // A pair of numbers for an input of the model.
    let values = place.write("values.npy", &crate::program::two_numbers(1, 2));
    fs::hard_link(&values, place.path("values.xlsx")).unwrap();
    let input =
        ["record", "model.onnx", "--input", "x=values.npy", "--report", "values.xlsx", "--force"];
    refused(&place.run(&input), "is the same file as values.npy, an input of this command");
}

#[test]
fn standard_input_is_an_input() {
    let place = Place::new();
    let before = profile(&place, "x.json");
    let file = fs::File::open(place.path("x.json")).unwrap();
    let mut command = place.command(&["convert", "-", "-o", "x.json", "--force"]);
    let finished = crate::program::finished(command.stdin(file).output().unwrap());
    refused(&finished, "x.json: is standard input, an input of this command");
    assert_eq!(fs::read(place.path("x.json")).unwrap(), before);
}

#[test]
fn files_beside_the_one_that_is_named_are_kept_too() {
    let place = place_with_inputs();
    for beside in ["out.operators.csv", "out.iterations.csv"] {
        place.write(beside, b"mine");
        let refusal = place.run(&["convert", "x.json", "-o", "out.csv"]);
        refused(&refusal, &format!("{beside}: already exists; use --force"));
        assert!(!place.path("out.csv").exists(), "nothing is written before all is checked");
        assert_eq!(fs::read(place.path(beside)).unwrap(), b"mine");
        fs::remove_file(place.path(beside)).unwrap();
    }
    // Several launches take a file each.
    place.write("z_1.json", b"mine");
    let two = ["convert", "x.json", "y.json", "-o", "z.json"];
    refused(&place.run(&two), "z_1.json: already exists; use --force");
    assert!(!place.path("z_0.json").exists());
    let renamed = ["x.json", "y_1.json"];
    fs::rename(place.path("y.json"), place.path("y_1.json")).unwrap();
    let over = [&["convert"][..], &renamed, &["-o", "y.json", "--force"]].concat();
    refused(&place.run(&over), "y_1.json: is an input of this command");
    assert!(!place.path("y_0.json").exists());
}

#[test]
fn what_is_refused_is_refused_before_a_model_is_run() {
    let place = place_with_inputs();
    place.write("report.xlsx", b"mine");
    refused(
        &place.run(&["record", "gone.onnx", "--report", "report.xlsx"]),
        "report.xlsx: already exists; use --force to replace it",
    );
    refused(&place.run(&["report", "gone.json", "-o", "report.xlsx"]), "already exists");
    refused(&place.run(&["compare", "gone", "gone", "-o", "report.xlsx"]), "already exists");
}

/// Reads a profile from standard input, which comes only after the output was checked.
fn run_late(place: &Place, arguments: &[&str], meanwhile: impl FnOnce()) -> Finished {
    let profile = fs::read(fixture_file("onnxruntime/1.31.1/loop.json")).unwrap();
    let mut command = place.command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let (start, rest) = profile.split_at(profile.len() / 2);
    // More than a pipe holds is written once the program reads.
    input.write_all(start).unwrap();
    while profile.len() / 2 < 64 << 10 && is_unread(&child) {
        std::thread::sleep(Duration::from_millis(5));
    }
    meanwhile();
    input.write_all(rest).unwrap();
    drop(input);
    crate::program::finished(child.wait_with_output().unwrap())
}

/// Whether a process has not begun to read its standard input.
fn is_unread(child: &Child) -> bool {
    let io = fs::read_to_string(format!("/proc/{}/wchan", child.id())).unwrap_or_default();
    !io.contains("pipe")
}

#[test]
fn what_appears_while_a_command_runs_is_kept() {
    for (out, command) in [
        ("out.xlsx", "report - -o out.xlsx"),
        ("out.html", "report - -o out.html"),
        ("out.xlsx", "project - -o out.xlsx"),
        ("out.json", "project - --save-settings out.json"),
        ("out.json", "convert - -o out.json"),
        ("out.csv", "convert - -o out.csv"),
        ("out.operators.csv", "convert - -o out.csv"),
        ("operators.csv", "summary - --format csv -o ."),
    ] {
        let place = Place::new();
        let arguments: Vec<&str> = command.split(' ').collect();
        let finished = run_late(&place, &arguments, || drop(place.write(out, b"another's")));
        assert_eq!(finished.code, Some(1), "{command}: {}", finished.err);
        let said = ["appeared in the meantime; it is kept", "already exists"];
        assert!(said.iter().any(|said| finished.err.contains(said)), "{}", finished.err);
        assert_eq!(fs::read(place.path(out)).unwrap(), b"another's", "{command}");
        let force = [&arguments[..], &["--force"]].concat();
        let forced = run_late(&place, &force, || {});
        assert_eq!(forced.code, Some(0), "{command}: {}", forced.err);
        assert_ne!(fs::read(place.path(out)).unwrap(), b"another's", "{command}");
    }
}

#[test]
fn no_file_is_written_twice() {
    let place = place_with_inputs();
    for settings in
        ["out/projected_types.csv", "./out/Projected_Types.CSV", "out/../out/projected_types.csv"]
    {
        for exists in [false, true] {
            if exists {
                fs::create_dir_all(place.path("out")).unwrap();
            } else if settings.contains("..") {
                continue; // leads nowhere
            }
            let command = ["project", "x.json", "--format", "csv", "-o", "out", "--force"];
            let finished = place.run(&[&command[..], &["--save-settings", settings]].concat());
            // Where the folder is still to be made, nothing can be saved into it.
            let said = if exists { "would be written twice" } else { "cannot write there" };
            refused(&finished, said);
            assert!(!exists || crate::program::files(&place.path("out")).is_empty());
        }
        fs::remove_dir_all(place.path("out")).unwrap();
    }
}

#[test]
fn links_are_replaced_and_not_followed() {
    for (ending, command) in COMMANDS {
        let place = place_with_inputs();
        let victim = place.write("victim", b"mine");
        let out = format!("out.{ending}");
        symlink(&victim, place.path(&out)).unwrap();
        refused(&run(&place, command, &out, false), "already exists");
        let forced = run(&place, command, &out, true);
        assert_eq!(forced.code, Some(0), "{command}: {}", forced.err);
        assert_eq!(fs::read(&victim).unwrap(), b"mine", "{command}");
        assert!(!place.path(&out).is_symlink(), "{command}");
    }
}

/// Whether a folder can be written to is tried without a name that can be foreseen.
#[test]
fn trying_a_folder_touches_no_file() {
    let place = place_with_inputs();
    place.write("precious", b"mine");
    let program = crate::program::program();
    for (folder, command) in [
        ("out", "convert x.json -o out/x.parquet"),
        ("made/profiling_trace", "record model.onnx --batch-size 1 --iterations 2 --out made"),
    ] {
        fs::create_dir_all(place.path(folder)).unwrap();
        // The program has the number of the shell that becomes it.
        let script =
            format!("ln -s \"$PWD/precious\" {folder}/.onnxray-$$; exec {program} {command}");
        let mut shell = std::process::Command::new("sh");
        let output = shell.args(["-c", &script]).current_dir(place.path("")).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(fs::read(place.path("precious")).unwrap(), b"mine");
        let links = crate::program::files(&place.path(folder));
        assert_eq!(links.iter().filter(|path| path.is_symlink()).count(), 1, "{links:?}");
    }
}
