//! Runs that end before they should: killed, interrupted, out of space.

use crate::onnx_file::{FLOAT, model as onnx, node, value};
use crate::program::{Finished, Place, finished, json, model, without_terminal};
use std::fs;
use std::io::{BufRead, BufReader};
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

/// Records into `out` on a disk with room for so many kilobytes a file: a limit on the
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
        crate::program::record(&place, "cnn", "out", &[]);
    }
    assert_eq!(place.figures("out")["model"]["iterations"], 6);
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
    let arguments =
        ["record", &model("cnn"), "--out", "out", "--launches", "3", "--duration", "600"];
    // No program to send signals with is needed.
    let mut command = place.command(&arguments);
    command.env("PATH", "").stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
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

#[test]
fn a_launch_ends_properly_when_the_process_that_started_it_is_killed() {
    let place = Place::new();
    let mut child = start(&place, &["--launches", "3", "--duration", "600"]);
    wait_for(&place, &mut child, "out", 300_000);
    signal(&child, "-KILL");
    // Ends with the launch, which holds the other ends of the pipes.
    child.wait_with_output().unwrap();
    let is_trace = |path: &&PathBuf| path.extension().is_some_and(|ending| ending == "json");
    let traces = place.traces("out").iter().filter(is_trace).count();
    assert_eq!((traces, place.tables("out").len()), (1, 1));
    let summary = place.run(&["summary", "out", "--level", "model"]);
    assert_eq!(summary.code, Some(0), "{}", summary.err);
    assert!(!summary.err.contains("ends early"), "closed properly: {}", summary.err);
}

/// A model that takes tract seconds to load: the sum of as many tensors.
fn slow_to_load() -> Vec<u8> {
    const TENSORS: usize = 2500;
    let row = |name: &str| value(name, FLOAT, &[4]);
    let names: Vec<String> = (0..TENSORS).map(|number| format!("t{number}")).collect();
    let mut nodes: Vec<_> = names.iter().map(|name| node("Neg", name, &["x"], &[name])).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    nodes.push(node("Sum", "sum", &names, &["y"]));
    onnx(nodes, vec![], vec![row("x")], vec![row("y")])
}

#[test]
fn a_request_to_end_is_answered_while_a_model_loads() {
    let place = Place::new();
    place.write("slow.onnx", &slow_to_load());
    let launches: [&[&str]; 3] = [&[], &["--launches", "3"], &["--against", "slow.onnx"]];
    for (more, insist) in launches.into_iter().zip([true, false, true]) {
        let mut child = place.start(&[&["record", "slow.onnx", "--out", "out"], more].concat());
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        while !place.path("out").exists() {
            assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
            sleep(Duration::from_millis(1));
        }
        sleep(Duration::from_millis(100));
        press_ctrl_c(&child);
        let mut line = String::new();
        errors.read_line(&mut line).unwrap();
        assert_eq!(line, "stopping after the model is loaded; again to stop now\n", "{more:?}");
        assert!(child.try_wait().unwrap().is_none(), "the model is still being loaded");
        if insist {
            press_ctrl_c(&child);
        }
        assert_eq!(child.wait().unwrap().code(), Some(130), "{more:?}");
        let rest: Vec<String> = errors.lines().map(Result::unwrap).collect();
        if !insist {
            assert_eq!(rest, ["interrupted; nothing was recorded"], "{more:?}");
            assert!(!place.path("out").exists(), "nothing is left");
        }
        let _ = fs::remove_dir_all(place.path("out"));
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
        without_terminal(&mut command);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let running: Vec<Child> = (0..4).map(|_| start()).collect();
    for child in running {
        let finished = finished(child.wait_with_output().unwrap());
        assert_eq!(finished.code, Some(0), "{}", finished.err);
        assert_eq!(finished.out.lines().count(), 3);
    }
    assert_eq!((place.traces("out").len(), place.tables("out").len()), (12, 12));
    assert_eq!(place.figures("out")["model"]["launches"], 3);
}
