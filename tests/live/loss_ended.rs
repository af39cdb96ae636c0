//! Sensitivities whose measurement ends before it should, and goes on.

use crate::killed_recordings::number;
use crate::onnxruntime::engine;
use crate::onnxruntime_package::library;
use crate::program::{Finished, Place, finished, json, model};
use crate::script::{Script, Started, settled};
use serde_json::{Value, json as object};
use std::collections::BTreeSet;
use std::fs;

/// Layers of the bundled encoder, at each level.
const RESULTS: u64 = 28;
/// Runs of the model for each of them, and as it is.
const INPUTS: u64 = 4;

/// All layers of the bundled encoder.
fn arguments(path: &str) -> Vec<&str> {
    let levels = ["--loss-only", "--block", "1x1", "--sparsities", "0.5,0.9"];
    [&["sensitivity", path, "--dim", "sequence=16", "--save", "loss.json"][..], &levels].concat()
}

/// The results that a journal has, which are whole.
fn kept(place: &Place) -> Vec<String> {
    let text = fs::read_to_string(place.path("loss.json.journal")).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole.lines().skip(1).map(|line| json(line)["pruned"].to_string()).collect()
}

/// A run that has measured this many layers and levels more than the journal has, and is at the
/// next one, when `end` ends it.
fn begun(
    place: &Place,
    path: &str,
    results: usize,
    end: impl Fn(&mut Started) -> Finished,
) -> Finished {
    let before = kept(place).len();
    let run = INPUTS * (1 + results as u64) + 1;
    let script = Script::new(place, object!({}), &[("run", "encoder.onnx", run, "wait")]);
    let mut program = script.start(&[&arguments(path), &["--jobs", "1"][..]].concat());
    let _waiting = script.reached(&mut program, &format!("run encoder.onnx {run}"));
    settled(|| kept(place).len() >= before + results);
    end(&mut program)
}

fn killed(program: &mut Started) -> Finished {
    program.signal_all("-KILL");
    program.ended()
}

#[test]
fn what_was_killed_goes_on_to_the_same_result_and_measures_nothing_twice() {
    let path = model("encoder");
    let whole = Place::new();
    whole.succeed(&arguments(&path));
    let whole = fs::read_to_string(whole.path("loss.json")).unwrap();
    let place = Place::new();
    let mut results = 0;
    for more in [1, 2, 3, 4, 1, 5] {
        begun(&place, &path, more, killed);
        assert!(!place.path("loss.json").exists());
        let now = kept(&place);
        let distinct: BTreeSet<&String> = now.iter().collect();
        assert_eq!(distinct.len(), now.len(), "a result was measured twice");
        results += more;
        assert_eq!(now.len(), results);
    }
    let last = place.run(&arguments(&path));
    assert_eq!(last.code, Some(0), "{}", last.err);
    assert!(last.err.contains("16 of 28 results are known"), "{}", last.err);
    assert_eq!(fs::read_to_string(place.path("loss.json")).unwrap(), whole);
    assert!(!place.path("loss.json.journal").exists());
}

/// Before any of its runs; `ONNXRAY_KILLS` says how often, `ONNXRAY_KILLS_SEED` before which.
#[test]
fn wherever_it_is_killed_it_comes_to_the_same_result() {
    let path = model("encoder");
    let whole = Place::new();
    whole.succeed(&arguments(&path));
    let whole = fs::read_to_string(whole.path("loss.json")).unwrap();
    let mut state = number("ONNXRAY_KILLS_SEED", 1);
    let mut place = Place::new();
    for _ in 0..number("ONNXRAY_KILLS", 4) {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let before = kept(&place);
        let left = RESULTS - before.len() as u64;
        let run = 1 + (state >> 33) % (INPUTS * (1 + left));
        let script = Script::new(&place, object!({}), &[("run", "encoder.onnx", run, "wait")]);
        let mut program = script.start(&[&arguments(&path), &["--jobs", "1"][..]].concat());
        let _waiting = script.reached(&mut program, &format!("run encoder.onnx {run}"));
        killed(&mut program);
        let now = kept(&place);
        assert!(now.starts_with(&before), "what was known is not any more");
        assert!(!place.path("loss.json").exists());
        if now.len() as u64 >= RESULTS - 1 {
            place.succeed(&arguments(&path));
            assert_eq!(fs::read_to_string(place.path("loss.json")).unwrap(), whole);
            place = Place::new();
        }
    }
    place.succeed(&arguments(&path));
    assert_eq!(fs::read_to_string(place.path("loss.json")).unwrap(), whole);
}

#[test]
fn an_interrupt_keeps_what_was_measured_and_says_how_to_go_on() {
    let path = model("encoder");
    for sign in ["-INT", "-TERM"] {
        let place = Place::new();
        // As a terminal does it: to all processes.
        let ended = begun(&place, &path, 2, |program| {
            program.signal_all(sign);
            program.ended()
        });
        assert_eq!(ended.code, Some(130), "{sign}: {}", ended.err);
        assert!(ended.err.contains("the same command goes on"), "{}", ended.err);
        let measured = |line: &str| json(line)["measured"]["failed"].is_null();
        let journal = fs::read_to_string(place.path("loss.json.journal")).unwrap();
        assert!(journal.lines().skip(1).all(measured), "{journal}");
        place.succeed(&arguments(&path));
    }
}

#[test]
fn a_time_limit_keeps_what_was_measured_and_the_same_command_continues() {
    let (place, path) = (Place::new(), model("encoder"));
    let times = object!({"encoder.onnx": {"operator_ns": 0, "overhead_ns": 1_000_000}});
    let script = Script::new(&place, times, &[]);
    let limited =
        [&arguments(&path)[..], &["--jobs", "1", "--time-limit", "1ms", "-o", "loss.html"]]
            .concat();
    let mut known = 0;
    for _ in 0..2 {
        let ended = script.run(&limited);
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        // A run takes as long: one more is known each time, of the higher of two levels first.
        known += 1;
        let all = RESULTS / 2;
        let said = format!(
            "Out of time: {known} of {all} layers measured at 90 %, 0 at all sparsities. Run the \
             same command again to continue."
        );
        assert!(ended.out.starts_with(&said), "{}{}", ended.out, ended.err);
        assert_eq!(kept(&place).len(), known);
        let profile = json(&fs::read_to_string(place.path("loss.json")).unwrap());
        let layers = profile["layers"].as_array().unwrap();
        let points = layers.iter().flat_map(|layer| layer["points"].as_array().unwrap());
        let open = points.filter(|point| {
            let measured = &point["measured"];
            // Unknown, and never 0.
            assert_eq!(measured["divergence"].is_null(), measured["not_measured"] == true);
            measured["not_measured"] == true
        });
        assert_eq!(open.count(), RESULTS as usize - known);
        assert!(fs::read_to_string(place.path("loss.html")).unwrap().contains(&said));
    }
    // Somebody else's file is not replaced, though a journal lies beside the result.
    let old = fs::FileTimes::new().set_modified(std::time::UNIX_EPOCH);
    fs::File::options().append(true).open(place.path("loss.html")).unwrap().set_times(old).unwrap();
    let refused = script.run(&limited);
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    assert!(refused.err.contains("loss.html: already exists"), "{}", refused.err);
    fs::remove_file(place.path("loss.html")).unwrap();
    let last = place.run(&arguments(&path));
    assert_eq!(last.code, Some(0), "{}", last.err);
    let whole = Place::new();
    whole.succeed(&arguments(&path));
    let profile = |place: &Place| fs::read_to_string(place.path("loss.json")).unwrap();
    assert_eq!(profile(&place), profile(&whole));
    assert!(!place.path("loss.json.journal").exists());
    let unkept = script.run(&["sensitivity", &path, "--time-limit", "1ms"]);
    assert_eq!(unkept.code, Some(2), "{}", unkept.err);
}

#[test]
fn a_journal_of_something_else_is_refused() {
    let (place, path) = (Place::new(), model("encoder"));
    begun(&place, &path, 3, killed);
    let refused = |more: &[&str], expected: &str| {
        let Finished { code, err, .. } = place.run(&[&arguments(&path), more].concat());
        assert_eq!(code, Some(1), "{more:?}: {err}");
        assert!(err.contains(expected) && err.contains("--force"), "{more:?}: {err}");
    };
    refused(&["--sparsities", "0.7"], "differs in: levels");
    refused(&["--block", "4x1"], "differs in: block");
    refused(&["--seed", "2"], "differs in: data");
    refused(&["--batch-size", "2"], "differs in: batch size, data, dimensions");
    refused(&["--measure", "l2"], "differs in: outputs");
    let library = library();
    refused(&engine(&library), "differs in: engine");
    // By force, it begins anew.
    let forced = place.run(&[&arguments(&path)[..], &["--sparsities", "0.7", "--force"]].concat());
    assert_eq!(forced.code, Some(0), "{}", forced.err);
    assert!(forced.err.contains("belonged to another run; replaced"), "{}", forced.err);
    for nonsense in ["no journal\n", "{}\n", "[1, 2]\n{}\n", "\u{0}\n"] {
        let (place, path) = (Place::new(), model("scan"));
        place.write("loss.json.journal", nonsense.as_bytes());
        let arguments = ["sensitivity", &path, "--dim", "frames=4", "--save", "loss.json"];
        let refused = place.run(&arguments);
        assert_eq!(refused.code, Some(1), "{nonsense:?}: {}", refused.err);
        assert!(refused.err.contains("in the place of the journal"), "{}", refused.err);
        assert_eq!(fs::read(place.path("loss.json.journal")).unwrap(), nonsense.as_bytes());
    }
}

#[test]
fn lines_that_are_none_are_measured_again() {
    let (place, path) = (Place::new(), model("encoder"));
    place.succeed(&arguments(&path));
    let whole = fs::read(place.path("loss.json")).unwrap();
    fs::remove_file(place.path("loss.json")).unwrap();
    begun(&place, &path, 3, killed);
    let journal = place.path("loss.json.journal");
    let text = fs::read_to_string(&journal).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    let last = lines.pop().unwrap();
    lines.insert(2, "{\"pruned\": 7}");
    lines.insert(1, "\u{1b}[31m");
    fs::write(&journal, format!("{}\n{}", lines.join("\n"), &last[..last.len() / 2])).unwrap();
    let again = place.run(&arguments(&path));
    assert_eq!(again.code, Some(0), "{}", again.err);
    assert!(again.err.contains("2 lines cannot be read"), "{}", again.err);
    assert_eq!(fs::read(place.path("loss.json")).unwrap(), whole);
}

#[test]
fn a_second_run_with_the_same_output_is_refused() {
    let (place, path) = (Place::new(), model("encoder"));
    begun(&place, &path, 3, killed);
    let journal = fs::File::open(place.path("loss.json.journal")).unwrap();
    journal.lock().unwrap();
    let refused = place.run(&arguments(&path));
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    assert!(refused.err.contains("another run is writing it"), "{}", refused.err);
    drop(journal);
    place.succeed(&arguments(&path));
}

#[test]
fn an_engine_that_ends_its_process_costs_one_result() {
    let (place, path, library) = (Place::new(), model("encoder"), library());
    let run = INPUTS + 2;
    let script = Script::new(&place, object!({}), &[("run", "encoder.onnx", run, "abort")]);
    let one = ["--jobs", "1"];
    let ended = script.run(&[&arguments(&path), &engine(&library)[..], &one].concat());
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    assert!(ended.out.contains("runs that failed: "), "{}{}", ended.out, ended.err);
    let profile = json(&fs::read_to_string(place.path("loss.json")).unwrap());
    let layers = profile["layers"].as_array().unwrap();
    let points = layers.iter().flat_map(|layer| layer["points"].as_array().unwrap());
    let failed: Vec<&Value> =
        points.map(|point| &point["measured"]).filter(|m| !m["failed"].is_null()).collect();
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert!(failed[0]["failed"].as_str().unwrap().contains("SIGABRT"), "{failed:?}");
    assert!(failed[0]["divergence"].is_null());
}

#[test]
fn a_full_disk_ends_the_run_and_keeps_what_was_measured() {
    let (place, path) = (Place::new(), model("encoder"));
    let script = Script::new(&place, object!({}), &[]);
    let output = script.on_small_disk(Some(4), &arguments(&path)).output();
    let ended = finished(output.unwrap());
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    assert!(ended.err.contains("cannot keep a result: File too large"), "{}", ended.err);
    assert!(!kept(&place).is_empty() && !place.path("loss.json").exists());
    place.succeed(&arguments(&path));
}
