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
const CNN: &str = "onnxruntime/1.31.1/cnn.json";

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
        assert!(checked.contains(",launches,doubtful,\"5 launches; "), "{checked}");
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
    // Two engines in a folder are two recordings.
    for part in ["times", "profile"] {
        let from = fixture_file(&format!("tensorrt/10.0/{part}.json"));
        fs::copy(from, place.path(&format!("engine/bert.{part}.json"))).unwrap();
    }
    let shown = place.succeed(&["summary", "engine", "--per-recording", "--level", "model"]);
    assert_eq!(shown.matches("\nModel\n").count(), 2, "{shown}");
    assert!(shown.contains("recording 2 of 2: engine/resnet."), "{shown}");
    // Of OpenVINO, what fits to nothing is left out and named.
    let openvino = fixture_file("openvino/2026.4.1").display().to_string();
    let each = place.run(&["summary", &openvino, "--per-recording", "--level", "model"]);
    assert_eq!(each.code, Some(0), "{}", each.err);
    assert!(each.out.contains("recording 1 of "), "{}", each.out);
}

#[test]
fn a_folder_of_several_models_is_refused_by_name_and_taken_apart() {
    let place = Place::new();
    launches(&place, "mixed", 2, LOOP);
    fs::copy(fixture_file(CNN), place.path("mixed/other.json")).unwrap();
    fs::copy(fixture_file("tract/0.23.9/cnn.json"), place.path("mixed/t.json")).unwrap();
    place.write("mixed/notes.txt", b"hello");
    for words in ["mixed", "mixed/*.json"] {
        let refused = place.run(&["summary", words]);
        assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""), "{}", refused.err);
        for expected in [
            "error: the files are of 3 different runtimes or models:\n",
            "\n  ONNX Runtime, a model of 5 operators that begins with ",
            ": run_0.json, run_1.json\n",
            "\n  ONNX Runtime, a model of 30 operators that begins with ",
            ": mixed/other.json\n",
            "\n  tract, ",
            "`onnxray summary --per-recording` shows each on its own\n",
        ] {
            assert!(refused.err.contains(expected), "{expected:?} in {}", refused.err);
        }
    }
    let each = place.run(&[
        "summary",
        "mixed",
        "--per-recording",
        "--level",
        "operator",
        "--format",
        "json",
    ]);
    assert_eq!(each.code, Some(0), "{}", each.err);
    assert!(each.err.contains("these are not traces: notes.txt\n"), "{}", each.err);
    let reports = serde_json::Deserializer::from_str(&each.out).into_iter::<serde_json::Value>();
    let reports: Vec<serde_json::Value> = reports.map(Result::unwrap).collect();
    let titles: Vec<&str> = reports.iter().map(|r| r["headline"][0].as_str().unwrap()).collect();
    assert_eq!(
        titles,
        [
            "recording 1 of 3: mixed/other.json",
            "recording 2 of 3: mixed/run_0.json, mixed/run_1.json",
            "recording 3 of 3: mixed/t.json"
        ]
    );
    let checked = json(&place.succeed(&["check", "mixed", "--per-recording", "--format", "json"]));
    let mut names: Vec<&str> = checked["checks"].as_array().map_or(Vec::new(), |rows| {
        rows.iter().map(|row| row["recording"].as_str().unwrap()).collect()
    });
    names.dedup();
    assert_eq!(names, ["other", "run_0", "t"], "{checked}");
}

#[test]
fn a_folder_gives_the_newest_of_all_its_recordings() {
    let place = Place::new();
    recorded(&place, "lstm", "engine_profiling");
    let oldest = place.traces("engine_profiling").remove(0);
    fs::rename(&oldest, oldest.with_file_name("profiling_2001-01-01_00-00-00_0.json")).unwrap();
    recorded(&place, "cnns-in-turns", "engine_profiling");
    let summary =
        place.run(&["summary", "engine_profiling", "--level", "model", "--format", "json"]);
    assert_eq!(json(&summary.out)["model"]["model"], "cnn-int8.onnx", "{}", summary.err);
    let note = &summary.err;
    assert!(note.starts_with("note: engine_profiling holds 3 recordings; "), "{note}");
    assert!(note.contains("the newest is read, cnn-int8 20"), "{note}");
    assert!(note.contains("the others are cnn 20"), "{note}");
    // Each of them, the newest first.
    let each =
        ["summary", "engine_profiling", "--per-recording", "--level", "model", "--format", "json"];
    let each = place.succeed(&each);
    let reports = serde_json::Deserializer::from_str(&each).into_iter::<serde_json::Value>();
    let models: Vec<String> =
        reports.map(|report| report.unwrap()["model"]["model"].as_str().unwrap().into()).collect();
    assert_eq!(models, ["cnn-int8.onnx", "cnn.onnx", "lstm.onnx"]);
}

#[test]
fn a_recording_that_cannot_be_read_gives_way_to_the_next() {
    let place = Place::new();
    recorded(&place, "cnn", "out");
    let good = place.traces("out")[0].clone();
    let traces = good.parent().unwrap();
    fs::write(traces.join("profiling_2999-01-01_00-00-00_0.json"), "").unwrap();
    fs::write(traces.join("profiling_2998-01-01_00-00-00_0.json"), "hello").unwrap();
    let summary = place.run(&["summary", "out", "--level", "model", "--format", "json"]);
    assert_eq!(summary.code, Some(0), "{}", summary.err);
    assert_eq!(json(&summary.out)["model"]["profiled_iterations"], 6);
    for expected in [
        "profiling_2999-01-01_00-00-00_0.json: left out: the file is empty",
        "profiling_2998-01-01_00-00-00_0.json: left out: no format that onnxray knows",
    ] {
        assert!(summary.err.contains(expected), "{expected:?} in {}", summary.err);
    }
    let strict = place.run(&["summary", "out", "--strict"]);
    assert_eq!(strict.code, Some(1));
    // Where nothing can be read, the newest one says why.
    fs::write(good, "").unwrap();
    let nothing = place.run(&["summary", "out"]);
    assert_eq!(nothing.code, Some(1));
    assert!(nothing.err.contains("error: out/profiling_trace/profiling_2999"), "{}", nothing.err);
}

#[test]
fn a_pattern_without_a_match_says_what_there_is() {
    let place = Place::new();
    launches(&place, "runs", 7, LOOP);
    for command in ["summary", "check", "inspect"] {
        let none = place.run(&[command, "runs/*.jsn"]);
        assert_eq!((none.code, none.out.as_str()), (Some(1), ""));
        assert_eq!(
            none.err,
            "error: runs/*.jsn: nothing matches this pattern in runs; it holds run_0.json, \
             run_1.json, run_2.json, run_3.json, run_4.json and 2 more\n"
        );
    }
    let none = place.run(&["compare", "runs/run_0.json", "gone/*"]);
    assert_eq!(
        none.err,
        "error: gone/*: nothing matches this pattern in gone; it cannot be read\n"
    );
}

#[test]
fn names_in_reports_are_the_users() {
    let place = Place::new();
    launches(&place, "a", 3, LOOP);
    launches(&place, "b", 3, LOOP);
    launches(&place, "c", 3, LOOP);
    let report = |more: &[&str]| {
        let all =
            [&["compare", "a/*.json", "b/*.json", "c", "--format", "json"][..], more].concat();
        place.succeed(&all)
    };
    let named = report(&["--name-a", "before", "--name-b", "after", "--name-b", "later"]);
    for name in ["before", "after", "later"] {
        assert!(named.contains(&format!("\"{name}\"")) || named.contains(name), "{name}");
    }
    let versions: Vec<&str> = vec!["after", "later"];
    let rows = json(&named);
    let mut found: Vec<&str> = rows["inference"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["version"].as_str().unwrap())
        .collect();
    found.dedup();
    assert_eq!(found, versions);
    let many = ["compare", "a", "b", "--name-b", "x", "--name-b", "y"];
    assert_eq!(place.run(&many).code, Some(2));
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
