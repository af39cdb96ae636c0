//! Runs that end before they should: killed, interrupted, out of space.

use crate::program::{Finished, Place, finished, json, model};
use crate::script::{Script, Started};
use serde_json::json as object;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// Starts a recording of the CNN into `out`, which would take hours.
fn start(script: &Script, arguments: &[&str]) -> Started {
    let cnn = model("cnn");
    script
        .start(&[&["record", &cnn, "--out", "out", "--iterations", "1000000"], arguments].concat())
}

/// Waits before run `number` of the CNN, so that what came before it is recorded.
fn before_run(place: &Place, number: u64) -> Script<'_> {
    Script::new(place, object!({}), &[("run", "cnn.onnx", number, "wait")])
}

#[test]
fn what_a_killed_recorder_wrote_reads_back() {
    for runs in [4, 5, 9] {
        let place = Place::new();
        let script = before_run(&place, runs);
        let mut program = start(&script, &["--warmup", "2", "--unprofiled-iterations", "0"]);
        let waiting = script.reached(&mut program, &format!("run cnn.onnx {runs}"));
        program.signal("-KILL");
        drop(waiting);
        program.ended();
        let left = fs::read_to_string(&place.traces("out")[0]).unwrap();
        let whole = left.matches("\"name\":\"Iteration").count() as u64;
        assert_eq!(whole, runs - 1, "all that ran is written");
        let summary = place.run(&["summary", "out", "--level", "model", "--format", "json"]);
        assert_eq!(summary.code, Some(0), "{}", summary.err);
        let read = json(&summary.out)["model"]["iterations"].as_u64().unwrap();
        assert_eq!(read + 2, whole, "two are warm-up");
        assert!(summary.err.contains("the recording ends early: "), "{}", summary.err);
    }
}

#[test]
fn ctrl_c_keeps_what_was_recorded() {
    for name in ["-INT", "-TERM"] {
        let place = Place::new();
        let script = before_run(&place, 20);
        let mut program = start(&script, &["--warmup", "2"]);
        let waiting = script.reached(&mut program, "run cnn.onnx 20");
        program.signal(name);
        drop(waiting);
        let finished = program.ended();
        assert_eq!(finished.code, Some(130), "{}", finished.err);
        assert!(
            finished.err.starts_with("interrupted; what was recorded until then is kept\n"),
            "{}",
            finished.err
        );
        assert_eq!(place.tables("out").len(), 1, "the profile is written as well");
        let summary = place.run(&["summary", "out", "--level", "model", "--format", "json"]);
        assert!(json(&summary.out)["model"]["iterations"].as_u64().unwrap() > 5);
        assert!(!summary.err.contains("ends early"), "closed properly: {}", summary.err);
    }
}

/// Records into `out` on a disk with room for this many kilobytes a file: a limit on the
/// size of files stands in for a disk without room. Writes fail half way through.
fn record_on_full_disk(place: &Place, kilobytes: u32) -> Finished {
    let script = format!(
        "trap '' XFSZ; ulimit -f {kilobytes}; exec {} record {} --iterations 400 --warmup 1 --out out",
        crate::program::program(),
        model("cnn")
    );
    let mut command = Command::new("bash");
    // A shell complains of a locale that is not there.
    command.args(["-c", &script]).env("LC_ALL", "C").current_dir(place.path(""));
    finished(command.output().unwrap())
}

#[test]
fn a_disk_that_is_full_at_once_is_an_error_that_leaves_nothing() {
    let place = Place::new();
    for _ in 0..2 {
        // The first iteration, with all facts, is larger.
        for kilobytes in [0, 1, 20] {
            let older = place.path("out").exists().then(|| place.traces("out"));
            let full = record_on_full_disk(&place, kilobytes);
            assert_eq!(full.code, Some(1), "{full:?}");
            assert!(full.err.contains("error: cannot write the recording out/"), "{}", full.err);
            assert!(full.err.ends_with(": File too large (os error 27)\n"), "{}", full.err);
            assert!(!full.err.contains("kept"), "{}", full.err);
            assert_eq!(place.path("out").exists().then(|| place.traces("out")), older);
        }
        // Once more, with a recording that is there.
        crate::recorder::record(&place, "cnn", "out", &[]);
    }
    assert_eq!(place.figures("out")["model"]["profiled_iterations"], 6);
}

#[test]
fn a_full_disk_is_an_error_that_keeps_the_prefix() {
    let place = Place::new();
    let finished = record_on_full_disk(&place, 200);
    assert_eq!(finished.code, Some(1), "{finished:?}");
    let started = "error: cannot write the recording out/profiling_trace/";
    assert!(finished.err.starts_with(started), "{}", finished.err);
    let ended = " iterations, which are kept: File too large (os error 27)\n";
    assert!(finished.err.ends_with(ended), "{}", finished.err);
    let summary = place.run(&["summary", "out", "--level", "model", "--format", "json"]);
    assert!(json(&summary.out)["model"]["iterations"].as_u64().unwrap() > 1, "{}", summary.err);
    assert!(summary.err.contains("the recording ends early: "), "{}", summary.err);
}

#[test]
fn an_interrupt_during_warm_up_is_no_failure() {
    let place = Place::new();
    let script = before_run(&place, 5);
    let mut program = start(&script, &["--warmup", "1000000"]);
    let waiting = script.reached(&mut program, "run cnn.onnx 5");
    program.signal("-INT");
    drop(waiting);
    let finished = program.ended();
    assert_eq!(finished.code, Some(130), "{}", finished.err);
    assert!(finished.err.contains("no measured iteration was recorded ("), "{}", finished.err);
}

#[test]
fn a_request_to_end_reaches_the_launch_that_runs() {
    let place = Place::new();
    let script = before_run(&place, 20);
    let cnn = model("cnn");
    let arguments = ["record", &cnn, "--out", "out", "--launches", "3", "--iterations", "1000000"];
    // No program to send signals with is needed.
    let mut command = script.command(&arguments);
    command.env("PATH", "");
    let mut program = Started::of(&mut command);
    let waiting = script.reached(&mut program, "run cnn.onnx 20");
    program.signal("-TERM");
    drop(waiting);
    let finished = program.ended();
    assert_eq!(finished.code, Some(130), "{}", finished.err);
    assert_eq!(place.traces("out").len(), 1, "no launch was begun after it");
}

#[test]
fn a_launch_that_ctrl_c_reaches_by_itself_ends_properly() {
    let place = Place::new();
    let script = before_run(&place, 20);
    let mut program = start(&script, &["--launches", "3", "--warmup", "0"]);
    // The launch gets the signal and the end of its input during one iteration.
    let waiting = script.reached(&mut program, "run cnn.onnx 20");
    program.signal_all("-INT");
    drop(waiting);
    let finished = program.ended();
    assert_eq!(finished.code, Some(130), "{}", finished.err);
    assert_eq!((place.traces("out").len(), place.tables("out").len()), (1, 1));
    let summary = place.run(&["summary", "out", "--level", "model"]);
    assert!(!summary.err.contains("ends early"), "closed properly: {}", summary.err);
}

#[test]
fn a_launch_ends_properly_when_the_process_that_started_it_is_killed() {
    let place = Place::new();
    let script = before_run(&place, 20);
    let mut program = start(&script, &["--launches", "3"]);
    let waiting = script.reached(&mut program, "run cnn.onnx 20");
    program.signal("-KILL");
    drop(waiting);
    // Ends with the launch, which holds the other ends of the pipes.
    program.ended();
    let is_trace = |path: &&PathBuf| path.extension().is_some_and(|ending| ending == "json");
    let traces = place.traces("out").iter().filter(is_trace).count();
    assert_eq!((traces, place.tables("out").len()), (1, 1));
    let summary = place.run(&["summary", "out", "--level", "model"]);
    assert_eq!(summary.code, Some(0), "{}", summary.err);
    assert!(!summary.err.contains("ends early"), "closed properly: {}", summary.err);
}

#[test]
fn a_request_to_end_is_answered_while_a_model_loads() {
    let launches: [(&[&str], bool); 4] = [
        (&[], true),
        (&["--launches", "3"], false),
        (&["--against", "cnn.onnx"], true),
        (&["--against", "cnn.onnx"], false),
    ];
    for (more, insist) in launches {
        let place = Place::new();
        fs::copy(model("cnn"), place.path("cnn.onnx")).unwrap();
        let script = Script::new(&place, object!({}), &[("load", "cnn.onnx", 1, "wait")]);
        let mut program = script.start(&[&["record", "cnn.onnx", "--out", "out"], more].concat());
        let mut errors = BufReader::new(program.child().stderr.take().unwrap());
        let waiting = script.reached(&mut program, "load cnn.onnx 1");
        program.signal_all("-INT");
        // The model is still being loaded.
        let mut line = String::new();
        errors.read_line(&mut line).unwrap();
        assert_eq!(line, "stopping after the model is loaded; again to stop now\n", "{more:?}");
        match insist {
            true => program.signal_all("-INT"),
            false => drop(waiting),
        }
        assert_eq!(program.ended().code, Some(130), "{more:?}");
        let rest: Vec<String> = errors.lines().map(Result::unwrap).collect();
        if !insist {
            assert_eq!(rest, ["interrupted; nothing was recorded"], "{more:?}");
            assert!(!place.path("out").exists(), "nothing is left");
        }
    }
}

#[test]
fn recordings_of_several_launches_may_begin_at_once() {
    let place = Place::new();
    let scan = model("scan");
    let arguments = [
        "record",
        &scan,
        "--dim",
        "frames=4",
        "--out",
        "out",
        "--launches",
        "3",
        "--iterations",
        "5",
    ];
    let start = || {
        let mut command = place.command(&arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let running: Vec<Child> = (0..4).map(|_| start()).collect();
    for child in running {
        let finished = finished(child.wait_with_output().unwrap());
        assert_eq!(finished.code, Some(0), "{}", finished.err);
        assert_eq!(finished.out.lines().count(), 1);
    }
    // Each recording has one of all its launches besides.
    assert_eq!((place.traces("out").len(), place.tables("out").len()), (12, 16));
    assert_eq!(place.figures("out")["model"]["launches"], 3);
}
