//! Sweeps that are interrupted, that fail in part, or whose folder is not as they left it.

use crate::listed_profiles::listed;
use crate::program::{Finished, Place, finished, json, model};
use crate::script::{Script, Started, Waiting};
use crate::sweep::{SMALL, done, points, rows, sweep, swept, trace};
use serde_json::{Value, json as object};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

const JOURNAL: &str = "s/onnxray.sweep.jsonl";
const PROJECT: &str = "s/onnxray.project.json";
const POINTS: [&str; 2] = ["scan-frames=4-t1-i1", "scan-frames=8-t1-i1"];

/// The traces of both points, with what is in them.
fn contents(place: &Place) -> BTreeMap<PathBuf, Vec<u8>> {
    let folders = POINTS.iter().filter(|point| place.path(&format!("s/{point}")).is_dir());
    let traces = folders.flat_map(|point| place.traces(&format!("s/{point}")));
    traces.map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

fn each(rounds: u64) -> Vec<(String, u64)> {
    POINTS.iter().map(|name| (name.to_string(), rounds)).collect()
}

/// Refused before anything is measured.
fn refused(place: &Place, finished: &Finished, said: &str, before: &BTreeMap<PathBuf, Vec<u8>>) {
    assert_eq!((finished.code, finished.out.as_str()), (Some(1), ""), "{}", finished.err);
    assert!(finished.err.contains(said), "{}", finished.err);
    assert!(contents(place) == *before, "nothing is measured or removed: {}", finished.err);
}

/// A sweep that goes on until it is interrupted, while its fourth launch loads the model.
fn endless<'a>(place: &'a Place, model: &str) -> (Script<'a>, Started, Waiting) {
    // Both sizes are tried out first.
    let script = Script::new(place, object!({}), &[("load", "scan.onnx", 2 + 4, "wait")]);
    let more = ["--rounds", "100000", "--precision", "0.0001%"];
    let mut program = script.start(&[&["sweep", model], &SMALL[..], &more].concat());
    let waiting = script.reached(&mut program, "load scan.onnx 6");
    assert_eq!(done(place).len(), 3);
    (script, program, waiting)
}

#[test]
fn what_is_not_asked_for_anew_is_not_mixed_with_what_is_there() {
    let place = Place::new();
    let scan = model("scan");
    swept(&place, &["--rounds", "1"]);
    let before = contents(&place);
    let journal = fs::read(place.path(JOURNAL)).unwrap();
    let other = ["sweep", &scan, "--dim", "frames=4,16", "--iterations", "20", "--profiles", "s"];
    let more = ["--rounds", "1", "--format", "json"];
    let run = |last: &[&str]| place.run(&[&other[..], &more, last].concat());
    refused(&place, &run(&[]), "s holds a sweep of other configurations", &before);
    for changed in [["--seed", "2"], ["--threads", "1,2"], ["--instances", "1,2"]] {
        let said = "s holds a sweep of other configurations";
        refused(&place, &sweep(&place, &scan, &changed), said, &before);
    }
    assert_eq!(fs::read(place.path(JOURNAL)).unwrap(), journal);
    // Begun anew, what was recorded stays, apart.
    let anew = run(&["--restart"]);
    assert_eq!(anew.code, Some(0), "{}", anew.err);
    let names = ["scan-frames=4-t1-i1", "scan-frames=16-t1-i1"].map(|name| (name.to_string(), 1));
    assert_eq!(points(&json(&anew.out)), names);
    let after = contents(&place);
    assert!(before.iter().all(|(path, bytes)| after.get(path) == Some(bytes)));
    assert_eq!(after.len(), 3);
    assert_eq!(place.figures(&format!("s:{}", names[0].0))["model"]["launches"], 1);
    assert_eq!(listed(&place, "s").len(), 4, "three profiles, and that of FLOPs");
    assert_eq!(points(&json(&run(&[]).out)), names, "the new one is the one that goes on");
}

#[test]
fn a_model_that_changed_is_another_sweep() {
    let place = Place::new();
    let path = place.path("scan.onnx");
    fs::copy(model("scan"), &path).unwrap();
    let first = sweep(&place, "scan.onnx", &["--rounds", "1"]);
    assert_eq!(first.code, Some(0), "{}", first.err);
    let before = contents(&place);
    let journal = fs::read(place.path(JOURNAL)).unwrap();
    // One more field of the protobuf: a producer's name.
    let mut changed = fs::read(&path).unwrap();
    changed.extend(b"\x12\x01x");
    fs::write(&path, &changed).unwrap();
    let run = |more: &[&str]| sweep(&place, "scan.onnx", &[&["--rounds", "2"][..], more].concat());
    refused(&place, &run(&[]), "models that have changed", &before);
    fs::remove_file(&path).unwrap();
    refused(&place, &run(&[]), "error: scan.onnx: No such file or directory", &before);
    assert_eq!(fs::read(place.path(JOURNAL)).unwrap(), journal);
    // The same model by another path is the same sweep.
    let second = swept(&place, &["--rounds", "2"]);
    assert_eq!(points(&second), each(2));
    let after = contents(&place);
    assert!(before.iter().all(|(path, bytes)| after.get(path) == Some(bytes)));
    let nowhere = place.run(&["sweep", "nowhere.onnx", "--profiles", "new"]);
    assert_eq!(nowhere.err, "error: nowhere.onnx: No such file or directory (os error 2)\n");
    assert!(!place.path("new").exists());
}

/// Wherever the folder is, and wherever one stands.
#[test]
fn a_folder_that_moved_is_the_same_sweep() {
    let place = Place::new();
    let scan = model("scan");
    let first = swept(&place, &["--rounds", "1"]);
    fs::create_dir(place.path("deep")).unwrap();
    fs::rename(place.path("s"), place.path("deep/s")).unwrap();
    let shown =
        |project: &str| json(&place.succeed(&["sweep", "--profiles", project, "--format", "json"]));
    // The folder's name is all that may differ.
    let renamed = |project: &str| {
        let text = shown(project).to_string();
        json(&text.replace(&format!("\"{project}:"), "\"s:"))
    };
    assert_eq!(renamed("deep/s"), first);
    assert_eq!(renamed(&place.path("deep/s").display().to_string()), first);
    let arguments = [&["sweep", &scan], &SMALL[..], &["--rounds", "2"]].concat();
    let mut command = place.command(&arguments);
    let ended = finished(command.current_dir(place.path("deep")).output().unwrap());
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert_eq!(points(&json(&ended.out)), each(2));
    assert_eq!(place.traces(&format!("deep/s/{}", POINTS[0])).len(), 2);
    assert!(!place.path("s").exists());
}

#[test]
fn a_second_sweep_in_the_folder_is_refused_while_the_first_runs() {
    let place = Place::new();
    let scan = model("scan");
    let (_script, mut program, waiting) = endless(&place, &scan);
    for more in [&["--rounds", "2"][..], &["--restart"]] {
        let second = sweep(&place, &scan, more);
        assert_eq!((second.code, second.out.as_str()), (Some(1), ""), "{more:?}");
        assert_eq!(second.err, "error: s: another sweep runs in this folder\n");
    }
    program.signal_all("-INT");
    drop(waiting);
    let first = program.ended();
    assert_eq!(first.code, Some(130), "{}", first.err);
    assert!(points(&json(&first.out)).iter().any(|(_, rounds)| *rounds > 0), "{}", first.out);
}

#[test]
fn an_interrupted_sweep_keeps_what_is_done() {
    let place = Place::new();
    let (_script, mut program, waiting) = endless(&place, &model("scan"));
    program.signal_all("-INT");
    drop(waiting);
    let ended = program.ended();
    assert_eq!(ended.code, Some(130), "{}", ended.err);
    assert!(ended.err.contains("the same command goes on with what is left"), "{}", ended.err);
    let kept = points(&json(&ended.out));
    let launches: u64 = kept.iter().map(|(_, rounds)| rounds).sum();
    assert_eq!((launches, done(&place).len()), (3, 3));
    let before = contents(&place);
    assert_eq!(before.len(), 3, "a launch that was cut short is removed");
    for path in before.keys() {
        assert!(trace(path)["completed"].is_object(), "{}", path.display());
    }
    assert_eq!(listed(&place, "s").len(), kept.len() + 1);
    let rest = swept(&place, &["--rounds", "3", "--precision", "0.0001%"]);
    assert_eq!(points(&rest), each(3));
    let after = contents(&place);
    assert!(before.iter().all(|(path, bytes)| after.get(path) == Some(bytes)));
}

/// While configurations are tried out, nothing is measured yet.
#[test]
fn a_sweep_that_is_interrupted_at_once_is_interrupted() {
    let place = Place::new();
    let cnn = model("cnn");
    let script = Script::new(&place, object!({}), &[("load", "cnn.onnx", 2, "wait")]);
    let mut program = script.start(&["sweep", &cnn, "--batch-sizes", "1,2,3", "--profiles", "s"]);
    let waiting = script.reached(&mut program, "load cnn.onnx 2");
    assert!(place.path(JOURNAL).exists());
    program.signal_all("-INT");
    drop(waiting);
    let ended = program.ended();
    assert_eq!((ended.code, ended.out.as_str()), (Some(130), ""), "{}", ended.err);
    assert!(!place.path(PROJECT).exists());
    let shown = place.run(&["sweep", "--profiles", "s"]);
    assert_eq!(shown.code, Some(1));
    assert!(shown.err.contains("s holds no sweep"), "{}", shown.err);
}

#[test]
fn a_damaged_project_is_refused_before_anything_is_measured() {
    let place = Place::new();
    let scan = model("scan");
    fs::create_dir(place.path("s")).unwrap();
    place.write(PROJECT, b"{\n");
    let said = format!("error: {PROJECT} line ");
    refused(&place, &sweep(&place, &scan, &[]), &said, &BTreeMap::new());
    fs::remove_file(place.path(PROJECT)).unwrap();
    let first = swept(&place, &["--rounds", "1"]);
    let (before, project) = (contents(&place), fs::read(place.path(PROJECT)).unwrap());
    place.write(PROJECT, &project[..project.len() / 2]);
    for more in [&["--rounds", "2"][..], &["--rounds", "2", "--restart"]] {
        refused(&place, &sweep(&place, &scan, more), &said, &before);
        assert_eq!(fs::read(place.path(PROJECT)).unwrap(), project[..project.len() / 2]);
    }
    place.write(PROJECT, &project);
    assert_eq!(swept(&place, &["--rounds", "1"]), first, "what was refused changed nothing");
}

#[test]
fn a_journal_that_is_cut_in_a_line_loses_nothing() {
    let place = Place::new();
    let first = swept(&place, &["--rounds", "2"]);
    let (before, journal) = (contents(&place), fs::read(place.path(JOURNAL)).unwrap());
    assert_eq!(done(&place).len(), 4);
    for cut in [1, 5, 20, 30] {
        place.write(JOURNAL, &journal[..journal.len() - cut]);
        assert_eq!(swept(&place, &["--rounds", "2"]), first, "{cut} bytes less");
        // Of what is done, the traces tell.
        assert!(contents(&place) == before, "{cut} bytes less");
        let mut lines = done(&place);
        lines.sort();
        lines.dedup();
        assert_eq!(lines.len(), 4, "{cut} bytes less");
    }
    place.write(JOURNAL, &[&journal[..], b"nonsense\n{\"point\":99,\"round\":0}\n"].concat());
    assert_eq!(swept(&place, &["--rounds", "2"]), first);
}

#[test]
fn a_journal_that_is_none_is_named_and_begun_anew() {
    let place = Place::new();
    let scan = model("scan");
    swept(&place, &["--rounds", "1"]);
    let (before, whole) = (contents(&place), fs::read_to_string(place.path(JOURNAL)).unwrap());
    let newer = whole.replacen("\"version\":1", "\"version\":2", 1);
    assert_ne!(newer, whole);
    for journal in ["nonsense\n", "{}\n", "\n", &newer] {
        place.write(JOURNAL, journal.as_bytes());
        let said = format!("error: {JOURNAL} line 1: ");
        refused(&place, &sweep(&place, &scan, &[]), &said, &before);
        let shown = place.run(&["sweep", "--profiles", "s"]);
        refused(&place, &shown, &said, &before);
        assert!(shown.err.contains("--restart begins a new one"), "{}", shown.err);
        assert_eq!(fs::read(place.path(JOURNAL)).unwrap(), journal.as_bytes());
    }
    let anew = swept(&place, &["--rounds", "1", "--restart"]);
    assert_eq!(points(&anew), each(1));
    assert_eq!(contents(&place).len(), 4, "what was recorded stays");
}

#[test]
fn a_folder_without_a_sweep_is_said_and_left_alone() {
    let place = Place::new();
    fs::create_dir(place.path("empty")).unwrap();
    for project in ["empty", "nowhere"] {
        let none = place.run(&["sweep", "--profiles", project]);
        assert_eq!((none.code, none.out.as_str()), (Some(1), ""));
        assert!(none.err.contains(&format!("{project} holds no sweep")), "{}", none.err);
    }
    assert_eq!(fs::read_dir(place.path("empty")).unwrap().count(), 0, "who looks writes nothing");
    assert!(!place.path("nowhere").exists());
    assert_eq!(place.run(&["sweep"]).code, Some(2));
}

#[test]
fn a_point_that_fails_in_the_middle_is_listed_and_the_rest_goes_on() {
    let place = Place::new();
    let scan = model("scan");
    swept(&place, &["--rounds", "1"]);
    let before = contents(&place);
    // In place of the trace of its second launch, a folder that cannot be removed.
    let [fails, goes_on] = POINTS;
    let first = place.traces(&format!("s/{fails}"))[0].display().to_string();
    let in_the_way = PathBuf::from(format!("{}1.json", first.strip_suffix("0.json").unwrap()));
    fs::create_dir_all(in_the_way.join("full")).unwrap();
    let ended = sweep(&place, &scan, &["--rounds", "3"]);
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    assert!(ended.err.contains(&format!("error: {fails}: ")), "{}", ended.err);
    assert_eq!(ended.err.matches("error: ").count(), 1, "{}", ended.err);
    let report = json(&ended.out);
    assert_eq!(points(&report), [(goes_on.to_string(), 3)]);
    let skipped: Vec<&Value> = rows(&report, "skipped");
    assert_eq!(skipped.len(), 1);
    let reason = skipped[0]["reason"].as_str().unwrap();
    assert!(reason.contains("File exists") && reason.contains(fails), "{reason}");
    // Its profile is the one of the launch before.
    let profiles = listed(&place, "s");
    let row = profiles.iter().find(|row| row["profile"] == fails).unwrap();
    assert_eq!(row["rounds"], 1);
    fs::remove_dir_all(&in_the_way).unwrap();
    assert_eq!(points(&swept(&place, &["--rounds", "3"])), each(3));
    let after = contents(&place);
    assert!(before.iter().all(|(path, bytes)| after.get(path) == Some(bytes)));
}

/// Each point has a recording of its own, whatever the names leave out.
#[test]
fn names_that_are_nearly_the_same_stay_apart() {
    let place = Place::new();
    let long = format!("{}.onnx", "a".repeat(98));
    for copy in [long.as_str(), "m.onnx", "m.ONNX"] {
        fs::copy(model("cnn"), place.path(copy)).unwrap();
    }
    let own = |models: &[&str], project: &str| {
        let fixed = ["--batch-sizes", "1,2", "--iterations", "5", "--rounds", "1"];
        let more = ["--profiles", project, "--format", "json"];
        let report = json(&place.succeed(&[&["sweep"], models, &fixed, &more].concat()));
        let profiles = place.succeed(&["profiles", project, "--format", "json"]);
        let rows = rows(&json(&profiles), "profiles").into_iter().cloned().collect::<Vec<Value>>();
        let recordings: BTreeSet<String> = rows
            .iter()
            .filter(|row| row["profile"] != "FLOPS")
            .map(|row| row["recording"].as_str().unwrap().to_string())
            .collect();
        for row in rows.iter().filter(|row| row["profile"] != "FLOPS") {
            let word = format!("{project}:{}", row["profile"].as_str().unwrap());
            let figures = place.figures(&word);
            assert_eq!(figures["model"]["batch_size"], row["batch_size"], "{word}");
            assert_eq!(figures["model"]["model"], row["model"], "{word}");
        }
        (points(&report).len(), recordings.len())
    };
    assert_eq!(own(&[&long], "long"), (2, 2));
    assert_eq!(own(&["m.onnx", "m.ONNX"], "two"), (4, 4));
}
