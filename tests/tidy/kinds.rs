//! Two kinds of end-to-end tests, apart: those that start an engine, and those that do not. And
//! no test of either kind that depends on how fast a machine is.

use crate::{files, read};
use std::path::PathBuf;

/// Where tests start from what was recorded, and start no engine.
const OFFLINE: [(&str, &str); 2] = [("tests/offline", "rs"), ("tests/page", "mjs")];
/// Commands that run a model.
const RUNNING: [&str; 4] = ["record", "sensitivity", "launch", "work"];
/// What a test waits with, or measures time with.
const TIMED: [&str; 5] = ["sleep(", "try_wait(", "Instant::now", ".elapsed()", "recv_timeout("];
/// Options that end a run by time.
const BY_TIME: [&str; 3] = ["\"--time-limit\"", "\"--duration\"", "\"--until\""];

/// Files of end-to-end tests that may wait, each for a reason.
const MAY_WAIT: [&str; 4] = [
    // Waits for a process that waits in turn: what it looks for stays.
    "tests/live/script.rs",
    // Is the load itself.
    "tests/live/load.rs",
    // Kill at random moments, and assert what holds at any of them.
    "tests/live/killed_recordings.rs",
    "tests/offline/killed_outputs.rs",
];

fn offline() -> Vec<PathBuf> {
    OFFLINE.iter().flat_map(|(folder, extension)| files(folder, extension)).collect()
}

/// How often a word is a command: the first of a list of arguments, or of a line of them.
fn commands(text: &str, word: &str) -> usize {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ").replace("[ ", "[");
    let starts = [format!("[\"{word}\""), format!("['{word}'"), format!("[\"{word} ")];
    // What has a list behind it is a row of a table.
    let is_command = |(at, start): &(usize, &str)| !line[at + start.len()..].starts_with(", [");
    starts.iter().map(|start| line.match_indices(start).filter(is_command).count()).sum()
}

#[test]
fn offline_tests_start_no_engine() {
    for file in offline() {
        let text = read(&file);
        for word in RUNNING {
            let found = commands(&text, word);
            assert_eq!(
                found,
                0,
                "{}: `{word}` runs a model: use a recording of fixtures/recordings, or tests/live",
                file.display()
            );
        }
        // A sweep is shown, and not measured.
        let shown = ["[\"sweep\", \"--profiles\"", "['sweep', '--profiles'"];
        let shown: usize = shown.iter().map(|words| text.matches(words).count()).sum();
        assert_eq!(
            commands(&text, "sweep"),
            shown,
            "{}: a sweep of models is live",
            file.display()
        );
        for engine in ["onnxray_recorder", "crate::script", "crate::recorder", "CARGO_BIN_EXE"] {
            assert!(!text.contains(engine), "{}: {engine}", file.display());
        }
    }
    for case in files("tests/offline", "args") {
        let text = read(&case);
        let mut words = text.lines().filter_map(|line| line.split(' ').nth(1));
        assert!(!words.any(|word| RUNNING.contains(&word)), "{} runs a model", case.display());
    }
    assert!(commands("place.run(&[\"record\", model])", "record") == 1, "it is recognized");
    assert!(
        commands("program.json(['sensitivity', model])", "sensitivity") == 1,
        "it is recognized"
    );
}

#[test]
fn no_test_depends_on_how_fast_a_machine_is() {
    let live = files("tests/live", "rs");
    let of_crates =
        files("crates", "rs").into_iter().filter(|file| file.iter().nth(2).unwrap() == "tests");
    for file in live.iter().cloned().chain(files("tests/offline", "rs")).chain(of_crates) {
        let text = read(&file);
        if !MAY_WAIT.iter().any(|known| file.ends_with(known)) {
            for word in TIMED {
                assert!(
                    !text.contains(word),
                    "{}: `{word}` is a race: a script decides on times and moments (tests/live/script.rs)",
                    file.display()
                );
            }
        }
    }
    for file in live {
        for test in read(&file).split("\n#[test]").skip(1) {
            let is_controlled = test.contains("Script::new(") || test.contains("script");
            // What is refused does not run.
            let is_refused = test.contains("refused");
            for option in BY_TIME.iter().filter(|_| !is_controlled && !is_refused) {
                assert!(
                    !test.contains(option),
                    "{}: {option} without a script: {test}",
                    file.display()
                );
            }
        }
    }
}
