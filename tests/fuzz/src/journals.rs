//! Journals of searches, put together from their lines.

#[path = "../../../crates/onnxray-recorder/tests/journals/lines.rs"]
mod lines;
#[path = "../../../crates/onnxray-recorder/tests/journals/resumed.rs"]
mod resumed;

use lines::{Lines, MIX, TUNING};
use onnxray_format::{MixRun, TuneRun};
use onnxray_recorder::study::Plan;
use std::fmt::Debug;
use std::fs;

/// The journal of a tuning.
pub fn tuning(bytes: &[u8]) {
    search::<TuneRun>(&TUNING, bytes);
}

/// The journal of a mix.
pub fn mix(bytes: &[u8]) {
    search::<MixRun>(&MIX, bytes);
}

/// Takes up a journal in which these lines stand in any order, cut and damaged.
fn search<P: Plan>(lines: &Lines, bytes: &[u8])
where
    P::Entry: Clone + PartialEq + Debug,
{
    let head = resumed::head::<P>(lines.run);
    let other = head.replace("\"threads\":1", "\"threads\":2");
    let entries = lines.entries.iter().map(|line| format!("{line}\n"));
    let pieces: Vec<String> = [head, other, "\n".to_string()].into_iter().chain(entries).collect();
    let pieces: Vec<&[u8]> = pieces.iter().map(String::as_bytes).collect();
    let folder = crate::folder("journal", &crate::pieced(bytes, &pieces));
    fs::rename(folder.join("journal"), P::journal(&folder)).expect("the same folder");
    resumed::check::<P>(&folder, lines);
}
