//! What a file, a folder, a pattern or a list stands for, in every command alike.

use crate::program::{Place, fixture_file, json};
use crate::recordings::recorded;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// Profiles of one model as `record` with five launches would leave them.
fn launches(place: &Place, folder: &str, count: usize, fixture: &str) {
    fs::create_dir_all(place.path(folder)).unwrap();
    for launch in 0..count {
        let to = place.path(&format!("{folder}/run_{launch}.json"));
        fs::copy(fixture_file(fixture), to).unwrap();
    }
}

fn model_figures(place: &Place, words: &[&str]) -> serde_json::Value {
    let all = [&["summary"][..], words, &["--level", "model", "--format", "json"]].concat();
    json(&place.succeed(&all))["model"].clone()
}

const LOOP: &str = "onnxruntime/1.31.1/loop.json";

#[test]
fn a_folder_of_profiles_is_launches_of_one_recording() {
    let place = Place::new();
    launches(&place, "a", 5, LOOP);
    let of_folder = model_figures(&place, &["a"]);
    assert_eq!(of_folder["launches"], 5);
    let list = (0..5).map(|launch| format!("a/run_{launch}.json")).collect::<Vec<_>>();
    let commas = list.join(",");
    let separate: Vec<&str> = list.iter().map(String::as_str).collect();
    for words in [&["a/*.json"][..], &["a/run_[0-4].json"], &[&commas], &separate, &["a/"]] {
        assert_eq!(model_figures(&place, words), of_folder, "{words:?}");
    }
    // The same words for every command.
    launches(&place, "b", 5, LOOP);
    for words in ["a", "a/*.json", &commas] {
        let compared = json(&place.succeed(&["compare", words, "b", "--format", "json"]));
        assert_eq!(compared["inference"][0]["launches"], serde_json::Value::Null);
        assert!(compared["headline"].is_array());
        let checked = place.succeed(&["check", words, "--format", "csv"]);
        assert!(checked.contains(",launches,doubtful,5 launches: too few"), "{checked}");
        let found = json(&place.succeed(&["inspect", words, "--format", "json"]));
        assert_eq!(found["inputs"].as_array().unwrap().len(), 5);
        place.succeed(&["project", words, "--format", "json"]);
        place.succeed(&["report", words, "-o", "r.xlsx", "--force"]);
        let made = place.succeed(&["convert", words, "-o", "c.json", "--force"]);
        assert_eq!(made.lines().count(), 5);
    }
}

#[test]
fn files_of_one_engine_belong_together() {
    let place = Place::new();
    fs::create_dir(place.path("engine")).unwrap();
    for part in ["times", "profile", "layers"] {
        let from = fixture_file(&format!("tensorrt/8.6/{part}.json"));
        fs::copy(from, place.path(&format!("engine/resnet.{part}.json"))).unwrap();
    }
    assert_eq!(model_figures(&place, &["engine"])["launches"], 1);
    // Of OpenVINO, what fits to nothing is left out and named.
    let openvino = fixture_file("openvino/2026.4.1").display().to_string();
    let each = place.run(&["summary", &openvino, "--per-recording", "--level", "model"]);
    assert_eq!(each.code, Some(0), "{}", each.err);
    assert!(each.out.contains("recording 1 of "), "{}", each.out);
}

#[test]
fn a_recording_whose_traces_are_compressed_is_one_for_every_command() {
    let place = Place::new();
    recorded(&place, "cnn", "cnn");
    let packed = fixture_file("recordings").join("cnn");
    let traces = packed.join("profiling_trace");
    let names = fs::read_dir(&traces).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(names.into_iter().all(|name| name.to_str().unwrap().ends_with(".json.gz")));
    let packed = packed.to_str().unwrap();
    let traces = traces.to_str().unwrap();
    for words in [packed, traces] {
        assert_eq!(model_figures(&place, &[words]), model_figures(&place, &["cnn"]));
        place.succeed(&["compare", words, "cnn"]);
        place.succeed(&["check", words]);
        place.succeed(&["inspect", words]);
        place.succeed(&["project", words]);
        place.succeed(&["report", words, "-o", "r.xlsx", "--force"]);
        place.succeed(&["convert", words, "-o", "c.json", "--force"]);
    }
    // Beside the trace that somebody unpacked, it is no second launch.
    let trace = place.traces("cnn").remove(0);
    let beside = format!("{}.gz", trace.display());
    let name = trace.file_name().unwrap().to_str().unwrap();
    fs::copy(Path::new(traces).join(format!("{name}.gz")), beside).unwrap();
    assert_eq!(model_figures(&place, &["cnn"])["launches"], 1);
}

/// A second input that is a pipe keeps the program waiting after it opened the first.
#[test]
fn an_input_that_changes_is_noticed() {
    for strict in [false, true] {
        let place = Place::new();
        fs::copy(fixture_file(LOOP), place.path("a.json")).unwrap();
        let pipe = place.path("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let mut command = place.command(&["summary", "a.json", "pipe", "--level", "model"]);
        command.args(strict.then_some("--strict"));
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Returns when the program opens it, too.
        let mut writer = fs::OpenOptions::new().write(true).open(&pipe).unwrap();
        let mut first = fs::OpenOptions::new().append(true).open(place.path("a.json")).unwrap();
        first.write_all(b"\n").unwrap();
        writer.write_all(&fs::read(fixture_file(LOOP)).unwrap()).unwrap();
        drop(writer);
        let finished = crate::program::finished(child.wait_with_output().unwrap());
        assert_eq!(finished.code, Some(i32::from(strict)), "{}", finished.err);
        assert!(finished.err.contains("a.json: changed while it was read"), "{}", finished.err);
    }
}
