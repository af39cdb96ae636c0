//! Runs that end before they should: killed, interrupted, out of space.

use crate::program::{Place, finished, json, model};
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// Starts a recording into `out` that would take minutes.
fn start(place: &Place, arguments: &[&str]) -> Child {
    let cnn = model("cnn");
    place
        .command(&[&["record", &cnn, "--out", "out"], arguments].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until the trace in `out` has grown beyond so many bytes.
pub(crate) fn wait_for(place: &Place, child: &mut Child, out: &str, bytes: u64) -> PathBuf {
    loop {
        assert!(child.try_wait().unwrap().is_none(), "the recorder ended by itself");
        let folder = place.path(out).join("profiling_trace");
        let trace = fs::read_dir(&folder).ok().and_then(|entries| {
            entries.filter_map(Result::ok).map(|entry| entry.path()).find(|path| {
                path.extension().is_some_and(|e| e == "json")
                    && path.metadata().is_ok_and(|m| m.len() > bytes)
            })
        });
        if let Some(trace) = trace {
            return trace;
        }
        sleep(Duration::from_millis(5));
    }
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

/// Presses Ctrl-C: the signal reaches the launch and the process that started it.
/// The child must have a process group of its own.
pub(crate) fn press_ctrl_c(child: &Child) {
    let group = format!("-{}", child.id());
    assert!(Command::new("kill").args(["-INT", "--", &group]).status().unwrap().success());
}

#[test]
fn what_a_killed_recorder_wrote_reads_back() {
    // Different sizes end it at different places of an iteration. The smallest is
    // beyond the facts, the warm-up and one measured iteration.
    for round in 0..8u64 {
        let place = Place::new();
        let mut child = start(&place, &["--duration", "300", "--warmup", "2"]);
        let trace = wait_for(&place, &mut child, "out", 120_000 + round * 7_919);
        sleep(Duration::from_micros(300 * round));
        signal(&child, "-KILL");
        child.wait().unwrap();
        let left = fs::read_to_string(&trace).unwrap();
        let whole = left.matches("\"name\":\"Iteration").count() as u64;
        let summary = place.run(&["summary", "out", "--level", "model", "--format", "json"]);
        assert_eq!(summary.code, Some(0), "{}", summary.err);
        let read = json(&summary.out)["model"]["iterations"].as_u64().unwrap();
        assert_eq!(read + 2, whole, "two are warm-up, and one may be cut");
        assert!(summary.err.contains("the recording ends early: "), "{}", summary.err);
    }
}

#[test]
fn ctrl_c_keeps_what_was_recorded() {
    for name in ["-INT", "-TERM"] {
        let place = Place::new();
        let mut child = start(&place, &["--duration", "300", "--warmup", "2"]);
        wait_for(&place, &mut child, "out", 300_000);
        signal(&child, name);
        let finished = finished(child.wait_with_output().unwrap());
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

#[test]
fn a_full_disk_is_an_error_that_keeps_the_prefix() {
    let place = Place::new();
    // A limit on the size of files stands in for a disk without room: writes
    // fail half way through.
    let script = format!(
        "trap '' XFSZ; ulimit -f 200; exec {} record {} --iterations 400 --warmup 1 --out out",
        crate::program::program(),
        model("cnn")
    );
    let mut command = Command::new("bash");
    // A shell complains of a locale that is not there.
    command.args(["-c", &script]).env("LC_ALL", "C").current_dir(place.path(""));
    let output = command.output().unwrap();
    let finished = finished(output);
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
    let mut child = start(&place, &["--warmup", "1000000"]);
    wait_for(&place, &mut child, "out", 150_000);
    signal(&child, "-INT");
    let finished = finished(child.wait_with_output().unwrap());
    assert_eq!(finished.code, Some(130), "{}", finished.err);
    assert!(finished.err.contains("no measured iteration was recorded ("), "{}", finished.err);
}

#[test]
fn a_request_to_end_reaches_the_launch_that_runs() {
    let place = Place::new();
    let mut child = start(&place, &["--launches", "3", "--duration", "600"]);
    wait_for(&place, &mut child, "out", 300_000);
    signal(&child, "-TERM");
    // It would take half an hour otherwise.
    let finished = finished(child.wait_with_output().unwrap());
    assert_eq!(finished.code, Some(130), "{}", finished.err);
    assert_eq!(place.traces("out").len(), 1, "no launch was begun after it");
}

#[test]
fn a_launch_that_ctrl_c_reaches_by_itself_ends_properly() {
    let place = Place::new();
    let encoder = model("encoder");
    // Iterations are long, so that the launch gets both signals during one.
    let sizes = ["--batch-size", "16", "--dim", "sequence=128"];
    let length = ["--launches", "3", "--warmup", "0", "--duration", "300"];
    let start = ["record", &encoder, "--out", "out"];
    let mut child = place.start(&[&start[..], &sizes, &length].concat());
    wait_for(&place, &mut child, "out", 60_000);
    press_ctrl_c(&child);
    let finished = finished(child.wait_with_output().unwrap());
    assert_eq!(finished.code, Some(130), "{}", finished.err);
    assert_eq!((place.traces("out").len(), place.tables("out").len()), (1, 1));
    let summary = place.run(&["summary", "out", "--level", "model"]);
    assert!(!summary.err.contains("ends early"), "closed properly: {}", summary.err);
}
