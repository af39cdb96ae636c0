//! What the program says to inputs that are empty or end early. Other ones are in `cases/mistakes`.

use crate::program::{Place, json};
use crate::recordings::recorded;
use std::fs;

#[test]
fn an_empty_folder_says_what_it_should_hold() {
    let place = Place::new();
    fs::create_dir(place.path("empty")).unwrap();
    place.run(&["summary", "empty"]).failed(
        "error: empty: no recordings in this folder; it is empty\n\
         hint: it should hold profiling_trace/profiling_*.json, as `onnxray record` writes them, or \
         profiles of another runtime (`onnxray inspect --list`)\n",
    );
}

#[test]
fn a_recording_cut_at_any_byte_gives_its_prefix_and_a_warning() {
    let place = Place::new();
    recorded(&place, "cnn-no-plain", "out");
    let whole = fs::read(&place.traces("out")[0]).unwrap();
    let head = whole.iter().position(|&byte| byte == b'\n').unwrap();
    for at in [head + 2, whole.len() / 2, whole.len() * 3 / 4, whole.len() - 40, whole.len() - 2] {
        place.write("cut.json", &whole[..at]);
        let finished = place.run(&["summary", "cut.json", "--level", "model", "--format", "json"]);
        if finished.code == Some(1) {
            assert!(finished.err.starts_with("warning: cut.json: line "), "{}", finished.err);
            assert!(
                finished
                    .err
                    .ends_with("error: cut.json: no measured iteration was recorded (0 warm-up)\n"),
                "{}",
                finished.err
            );
            continue;
        }
        let iterations = json(&finished.out)["model"]["iterations"].as_u64().unwrap();
        assert!(finished.err.contains("the recording ends early: "), "{at}: {}", finished.err);
        assert!(
            finished.err.contains(&format!("{} whole iterations were read", iterations + 2)),
            "{}",
            finished.err
        );
    }
    place.write("cut.json", &whole[..head / 2]);
    place.run(&["summary", "cut.json", "--from", "onnxray"]).failed(&format!(
            "error: cut.json: line 1, byte {}: expected an array of events, found the end of the file\n",
            head / 2
        ));
}
