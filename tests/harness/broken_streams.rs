//! Standard output and standard error that cannot be written to: a command ends as it is
//! documented to, and what it was asked to write is there.

use crate::program::{Finished, Place, finished, program, without_terminal};
use std::fs;
use std::process::Command;

/// A stream, and what becomes of it.
const BROKEN: [(&str, &str); 3] = [
    ("closed", "STREAM>&-"),
    ("full", "STREAM>/dev/full"),
    // The reader is gone before anything is written.
    ("a closed pipe", "STREAM> >(exec true)"),
];

/// A command, its exit code where both streams work, and the files that it writes.
pub(crate) struct Case {
    pub line: String,
    pub code: i32,
    pub files: &'static [&'static str],
    /// Whether anything is written to standard output.
    pub prints: bool,
}

/// A command that prints something to standard output.
pub(crate) fn case(line: &str, code: i32, files: &'static [&'static str]) -> Case {
    Case { line: line.to_string(), code, files, prints: true }
}

/// Runs a line of a shell in which `PROGRAM` is the program.
fn shell(place: &Place, script: &str) -> Finished {
    let mut bash = Command::new("bash");
    bash.args(["-c", script]).env("LC_ALL", "C").current_dir(place.path(""));
    without_terminal(&mut bash);
    finished(bash.output().unwrap())
}

fn sizes(place: &Place, out: &str, files: &[&str]) -> Vec<u64> {
    let size = |file: &&str| fs::metadata(place.path(out).join(file)).map_or(0, |m| m.len());
    files.iter().map(size).collect()
}

/// Runs the commands with each stream broken in each way.
pub(crate) fn lose_no_result(place: &Place, cases: &[Case]) {
    let program = program();
    for (number, case) in cases.iter().enumerate() {
        let out = |part: &str| {
            let out = format!("out-{number}-{part}").replace(' ', "-");
            fs::create_dir(place.path(&out)).unwrap();
            out
        };
        let line = |out: &str| format!("{program} {}", case.line.replace("OUT", out));
        let whole = out("whole");
        let expected = shell(place, &line(&whole));
        assert_eq!(expected.code, Some(case.code), "{}: {expected:?}", case.line);
        let written = sizes(place, &whole, case.files);
        assert!(!written.contains(&0), "{}: {:?}", case.line, case.files);
        for (stream, name) in [("1", "standard output"), ("2", "standard error")] {
            for (how, redirection) in BROKEN {
                let what = format!("{} with {name} {how}", case.line);
                let out = out(&format!("{stream}-{how}"));
                let redirection = redirection.replace("STREAM", stream);
                // Gives the reader of a pipe the time to end.
                let script = format!("exec {redirection}; wait $! 2>/dev/null; {}", line(&out));
                let found = shell(place, &script);
                let is_lost = stream == "1" && how == "full" && case.prints;
                let code = match expected.code {
                    // Not all that was asked for could be done.
                    Some(0) if is_lost => Some(1),
                    code => code,
                };
                assert_eq!(found.code, code, "{what}: {found:?}");
                if is_lost {
                    let why = "error: cannot write to standard output: No space left";
                    assert!(found.err.contains(why), "{what}: {}", found.err);
                }
                assert!(!found.err.contains("panicked"), "{what}: {}", found.err);
                // What `record` writes has the time of day in its name.
                if stream == "2" && !case.line.starts_with("record") {
                    assert_eq!(
                        found.out.replace(&out, ""),
                        expected.out.replace(&whole, ""),
                        "{what}"
                    );
                }
                let sizes = sizes(place, &out, case.files);
                assert!(!sizes.contains(&0), "{what}: {:?}: {sizes:?}", case.files);
            }
        }
    }
}
