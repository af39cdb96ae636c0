//! The README and the guide show what the program says: their console blocks are run.
//!
//! A block holds commands, each behind `$ `, and below each what it prints. A line `…`
//! stands for lines that are not shown, and `…` at the end of a line for its rest.
//! What `onnxray record` measures differs from run to run: of it, standard output is
//! compared, and digits are not.

use crate::program::{Place, fixture_file, program, without_terminal};
use std::path::Path;
use std::process::{Command, Stdio};

/// What stands for lines or letters that are not shown.
const ELLIPSIS: char = '…';

#[test]
fn the_readme_shows_what_the_program_says() {
    check("README.md");
}

#[test]
fn the_guide_shows_what_the_program_says() {
    check("docs/guide.md");
}

/// Runs the commands of a document, one after the other, in one folder.
fn check(document: &str) {
    let place = Place::new();
    prepare(&place);
    let text = std::fs::read_to_string(fixture_file("..").join(document)).unwrap();
    let mut commands = 0;
    for block in text.split("```console\n").skip(1) {
        let block = block.split("\n```").next().unwrap();
        for part in format!("\n{block}").split("\n$ ").skip(1) {
            let (command, shown) = part.split_once('\n').unwrap_or((part, ""));
            let recorded = command.starts_with("onnxray record ");
            let printed = run(&place, command, recorded);
            let (printed, expected) = match recorded {
                true => (without_digits(&printed), without_digits(shown)),
                false => (printed, shown.to_string()),
            };
            assert!(
                matches(&lines(&expected), &lines(&printed)),
                "{document} shows of\n$ {command}\n{expected}\nwhich prints\n{printed}"
            );
            commands += 1;
        }
    }
    assert!(commands > 0, "{document} has no commands");
}

/// The fixtures, and the recordings that the documents show, as if just recorded.
fn prepare(place: &Place) {
    std::os::unix::fs::symlink(fixture_file(""), place.path("fixtures")).unwrap();
    for side in ["encoder", "encoder-int8"] {
        let folder = place.path("engine_profiling").join(side).join("profiling_trace");
        std::fs::create_dir_all(&folder).unwrap();
        for trace in crate::program::files(&fixture_file("guide").join(side)) {
            let name = trace.file_stem().unwrap();
            let unpacked = std::fs::File::create(folder.join(name)).unwrap();
            let gzip = Command::new("gzip").arg("-dc").arg(&trace).stdout(unpacked).status();
            assert!(gzip.unwrap().success(), "{}", trace.display());
        }
    }
}

/// What a command of a shell prints on both streams, or on standard output alone.
fn run(place: &Place, command: &str, output_only: bool) -> String {
    let folder = Path::new(program()).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let streams = if output_only { "2>/dev/null" } else { "2>&1" };
    let mut shell = Command::new("sh");
    without_terminal(&mut shell);
    let output = shell
        .args(["-c", &format!("{{ {command}\n}} {streams}")])
        // A shell complains of a locale that is not there.
        .env("LC_ALL", "C")
        .env("PATH", format!("{}:{path}", folder.display()))
        .current_dir(place.path(""))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect()
}

fn without_digits(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_ascii_digit()).collect()
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
