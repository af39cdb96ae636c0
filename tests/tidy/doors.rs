//! One door to write files, and one to open what a folder holds: `onnxray_failsafe`, which knows of
//! links, pipes, devices and halves of files. What goes another way is listed, with its reason.

use crate::{files, read};
use std::collections::BTreeMap;

/// Ways to make, replace and change files.
const WRITING: [&str; 8] = [
    "File::create(",
    "File::create_new(",
    "File::options(",
    "OpenOptions::new(",
    "fs::write(",
    "fs::copy(",
    "fs::rename(",
    "fs::hard_link(",
];

/// What does not write by `WholeFile`.
const WRITES: [(&str, &str); 9] = [
    (
        "crates/onnxray/src/commands/studies/judge/bundled.rs",
        "unpacks by new names, in a folder of its own",
    ),
    ("crates/onnxray-failsafe", "the door"),
    ("crates/onnxray-format/src/layout/mod.rs", "claims names of recordings, which must be new"),
    ("crates/onnxray-recorder/src/engine/onnxruntime/profile.rs", "keeps profiles by new names"),
    ("crates/onnxray-recorder/src/memory.rs", "the system's"),
    ("crates/onnxray-recorder/src/workload/stored.rs", "in a folder of its own"),
    ("crates/onnxray-recorder/src/study/file.rs", "adds lines to journals"),
    ("crates/onnxray-recorder/src/launch/table.rs", "a draft beside a recording, by a new name"),
    ("crates/onnxray-report/src/content/documentation.rs", "a test"),
];

/// Ways to open files.
const READING: [&str; 4] = ["File::open(", "fs::read(", "fs::read_to_string(", "File::options("];

/// What does not open by `open_regular`.
const READS: [(&str, &str); 18] = [
    ("crates/onnxray-analyzer/src/profiles/project.rs", "a folder, to lock it"),
    (
        "crates/onnxray-analyzer/src/settings/sensitivity.rs",
        "named by the user: a pipe may be meant",
    ),
    ("crates/onnxray-analyzer/src/settings/bytes.rs", "named by the user: a pipe may be meant"),
    ("crates/onnxray-analyzer/src/settings/file.rs", "named by the user: a pipe may be meant"),
    ("crates/onnxray-failsafe", "the door"),
    ("crates/onnxray-format/src/layout/mod.rs", "a folder, to lock it"),
    ("crates/onnxray-import/src/source", "named by the user: a pipe may be meant"),
    ("crates/onnxray-recorder/src/control_groups.rs", "the system's"),
    ("crates/onnxray-recorder/src/cores.rs", "the system's"),
    ("crates/onnxray-recorder/src/engine/onnxruntime/executed.rs", "from a folder of its own"),
    ("crates/onnxray-recorder/src/engine/onnxruntime/profile.rs", "from a folder of its own"),
    ("crates/onnxray-recorder/src/launch/conditions", "the system's"),
    ("crates/onnxray-recorder/src/launch/machine.rs", "the system's"),
    ("crates/onnxray-recorder/src/memory.rs", "the system's"),
    ("crates/onnxray-recorder/src/roofs", "the system's"),
    ("crates/onnxray-recorder/src/study/costs/cold.rs", "the system's"),
    ("crates/onnxray-recorder/src/workload/stored.rs", "from a folder of its own"),
    ("crates/onnxray-report/src/content/documentation.rs", "a test"),
];

/// Files below a folder or of a path, by the ways of `ways` that their programs go.
fn that_go(ways: &[&str]) -> BTreeMap<String, Vec<String>> {
    let sources = files("crates", "rs").into_iter();
    let sources = sources.filter(|path| path.iter().nth(2).is_some_and(|part| part == "src"));
    let go = sources.map(|path| {
        let text = read(&path);
        let program = text.split("#[cfg(test)]").next().unwrap();
        let own = ways.iter().filter(|way| {
            program.match_indices(**way).any(|(at, _)| {
                // `WholeFile::create` is none.
                !program[..at].ends_with(char::is_alphanumeric)
            })
        });
        (path.to_str().unwrap().to_string(), own.map(ToString::to_string).collect())
    });
    go.filter(|(_, ways): &(String, Vec<String>)| !ways.is_empty()).collect()
}

fn check(ways: &[&str], listed: &[(&str, &str)], door: &str) {
    let found = that_go(ways);
    let is_of = |path: &str, (place, _): &(&str, &str)| path.starts_with(place);
    let others: Vec<_> =
        found.iter().filter(|(path, _)| !listed.iter().any(|place| is_of(path, place))).collect();
    assert!(others.is_empty(), "go through {door}, or are listed with a reason: {others:#?}");
    let idle: Vec<_> =
        listed.iter().filter(|place| !found.keys().any(|path| is_of(path, place))).collect();
    assert!(idle.is_empty(), "no longer go another way: {idle:?}");
}

#[test]
fn files_are_written_through_one_door() {
    check(&WRITING, &WRITES, "onnxray_failsafe::WholeFile");
}

#[test]
fn files_of_a_folder_are_opened_through_one_door() {
    check(&READING, &READS, "onnxray_failsafe::open_regular");
}
