//! What reads recordings can be built for other systems: what only Unix has stays in few files.

use crate::{files, read};
use std::collections::BTreeSet;

/// What only Unix has.
const UNIX: [&str; 5] = ["std::os::unix", "std::os::linux", "rustix::", "signal_hook::", "libc::"];

/// Files that use it, outside of their tests. Formats, importers, the analyzer and reports have
/// none; the recorder is written for Linux.
const USES: [&str; 10] = [
    "crates/onnxray-failsafe/src/private_folder.rs",
    "crates/onnxray-failsafe/src/regular_file.rs",
    "crates/onnxray-failsafe/src/whole_file.rs",
    "crates/onnxray-recorder/src/cores.rs",
    "crates/onnxray-recorder/src/engine/onnxruntime/package.rs",
    "crates/onnxray-recorder/src/study/costs/cold.rs",
    "crates/onnxray-recorder/src/study/file.rs",
    "crates/onnxray/src/commands/signals.rs",
    "crates/onnxray/src/engine_process.rs",
    "crates/onnxray/src/output_files.rs",
];

#[test]
fn what_only_unix_has_stays_in_few_files() {
    let sources = files("crates", "rs").into_iter();
    let sources = sources.filter(|path| path.iter().nth(2).is_some_and(|part| part == "src"));
    let found: BTreeSet<String> = sources
        .map(|path| path.to_str().unwrap().to_string())
        .filter(|path| {
            let text = read(path);
            let program = text.split("#[cfg(test)]").next().unwrap();
            UNIX.iter().any(|unix| program.contains(unix))
        })
        .collect();
    assert_eq!(found, USES.map(str::to_string).into(), "see the comment above the list");
}
