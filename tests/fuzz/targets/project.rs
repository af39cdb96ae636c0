//! The file of a project, of its entries in any order, cut and damaged anywhere.

#![no_main]

use onnxray_analyzer::profiles::{PROJECT_FILE, Project};
use std::fs;

const WHOLE: &str = include_str!("../../../fixtures/recordings/project/onnxray.project.json");
const BETWEEN: [&str; 6] = [
    "{\"format\": \"onnxray project\", \"version\": 1,\n\"models\": [\n",
    "\n],\n\"profiles\": [\n",
    "\n]}\n",
    ",\n",
    "\"gpu\": {\"cores\": [1, 2]}, ",
    "-4.8e300",
];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let entry = |line: &&str| line.starts_with("{\"name\"");
    let entries = WHOLE.lines().filter(entry).map(|line| line.trim_end_matches(','));
    let pieces: Vec<&[u8]> = BETWEEN.into_iter().chain(entries).map(str::as_bytes).collect();
    let text = onnxray_fuzz::pieced(bytes, &pieces);
    let folder = onnxray_fuzz::folder(PROJECT_FILE, &text);
    let Ok(project) = Project::open(&folder) else { return };
    let changed = Project::change(&folder, |_| Ok(()));
    if !project.problems.is_empty() {
        assert!(changed.is_err(), "what was not understood is replaced");
        assert_eq!(fs::read(folder.join(PROJECT_FILE)).ok(), Some(text));
        return;
    }
    changed.expect("what was read is written");
    let again = Project::open(&folder).expect("what was written is read");
    assert!(again.problems.is_empty(), "{:?}", again.problems);
    assert_eq!(again.models, project.models);
    assert_eq!(again.profiles, project.profiles);
    assert_eq!(again.unknown_members, project.unknown_members);
});
