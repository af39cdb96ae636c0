//! The journal of a sweep: records of all kinds in any order, cut and damaged anywhere.

#![no_main]

use onnxray_recorder::study::{Sweep, SweepJournal};
use std::fs;

const FILE: &str = "onnxray.sweep.jsonl";
const WHOLE: &str = include_str!("../../../fixtures/recordings/sweep/onnxray.sweep.jsonl");
const OTHERS: [&str; 5] = [
    "{\"point\":1,\"failed\":\"there is no memory\"}\n",
    "{\"point\":0,\"round\":4294967295}\n",
    "{\"point\":18446744073709551615,\"round\":0}\n",
    "\n",
    "{\"format\":\"onnxray sweep\",\"version\":1,\"plan\":",
];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let lines = WHOLE.split_inclusive('\n');
    let pieces: Vec<&[u8]> = lines.chain(OTHERS).map(str::as_bytes).collect();
    let text = onnxray_fuzz::pieced(bytes, &pieces);
    let folder = onnxray_fuzz::folder(FILE, &text);
    let looked = SweepJournal::look(&folder);
    let Ok(opened) = SweepJournal::open(&folder) else {
        assert!(looked.is_err(), "it is read, and not gone on with");
        assert_eq!(fs::read(folder.join(FILE)).ok(), Some(text), "what is none stays");
        return;
    };
    let looked = looked.expect("it is gone on with").expect("it is there");
    assert_eq!(looked.plan(), opened.plan());
    assert_eq!(looked.damaged(), opened.damaged());
    drop(opened);
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
    let left = fs::read(folder.join(FILE)).unwrap_or_default();
    assert_eq!(left, &text[..whole], "its lines stay, but for one that is cut");
    let Some(sweep) = Sweep::look(looked) else { return };
    for point in 0..sweep.plan().points.len() {
        let traces = sweep.traces(point).concat();
        assert!(traces.is_empty(), "none is there: {traces:?}");
        assert!(sweep.failure(point).is_none_or(|reason| !reason.is_empty() || whole > 0));
    }
});
