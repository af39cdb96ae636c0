//! `record --no-vzeroupper`: what becomes of the vector registers stands in the recording.

use crate::hardware::{has_avx, lacks};
use crate::program::{Place, json};
use crate::recorder::{model, record};

const CLEARED: &str = "cleared after each operator";
const AS_IS: &str = "as the engine leaves them";

/// By default; where a processor has nothing to clear, the engine is left alone.
fn default() -> &'static str {
    if has_avx() {
        return CLEARED;
    }
    lacks("AVX", "that vector registers are cleared");
    AS_IS
}

#[test]
fn a_recording_says_whether_registers_were_cleared() {
    let place = Place::new();
    record(&place, "cnn", "default", &[]);
    record(&place, "cnn", "as-is", &["--no-vzeroupper", "--launches", "2"]);
    assert_eq!(place.figures("default")["model"]["vector_registers"], default());
    assert_eq!(place.figures("as-is")["model"]["vector_registers"], AS_IS);
    for trace in place.traces("as-is") {
        let trace = json(&std::fs::read_to_string(trace).unwrap());
        assert_eq!(trace["otherData"]["vector_registers"], "as_is");
    }
    // Two recordings in turns.
    let models = ["encoder", "encoder-pruned-4x1"].map(model);
    let turns = ["--dim", "sequence=4", "--iterations", "2", "--no-vzeroupper", "--out", "turns"];
    place.succeed(&[&["record", &models[0], "--against", &models[1]], &turns[..]].concat());
    for folder in ["turns/encoder", "turns/encoder-pruned-4x1"] {
        assert_eq!(place.figures(folder)["model"]["vector_registers"], AS_IS);
    }
}

#[test]
fn one_model_takes_turns_with_and_without_clearing() {
    let place = Place::new();
    let cnn = model("cnn");
    let done =
        place.run(&["record", &cnn, "--against-options=--no-vzeroupper", "--iterations", "20"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let folders = ["engine_profiling/cnn-a", "engine_profiling/cnn-b"];
    for (folder, expected) in folders.into_iter().zip([default(), AS_IS]) {
        assert_eq!(place.figures(folder)["model"]["vector_registers"], expected);
    }
    if !has_avx() {
        return lacks("AVX", "that recordings differ in vector registers alone");
    }
    // As the hint says, the two can be compared.
    let hint = done.err.lines().last().unwrap_or_default();
    let words: Vec<&str> = hint.split(' ').collect();
    let [_, _, compare @ ..] = words.as_slice() else { panic!("{hint}") };
    assert_eq!(compare[3..], ["--expect-different", "registers"], "{hint}");
    let table = place.succeed(compare);
    assert!(!table.contains("Not comparable"), "{table}");
}
