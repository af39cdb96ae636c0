//! Recordings with ONNX Runtime that end before they should.

use crate::onnx_file::{self, BOOL, FLOAT, Message, graph, graph_attribute, node, value};
use crate::onnxruntime::{engine, summary};
use crate::onnxruntime_package::library;
use crate::program::{Finished, Place, finished, json, model};
use crate::script::{Script, Started, Waiting, send};
use serde_json::json as object;
use std::process::Command;

/// A recording whose program, or the launch that it started, gets that signal before the
/// engine gave anything up: it has run twice with its profiler, and as often without.
fn ended_by(signal: &str, is_to_launch: bool) -> (Place, Finished) {
    let (place, library) = (Place::new(), library());
    let path = model("cnn");
    let script = Script::new(&place, object!({}), &[("run", "cnn.onnx", 6, "wait")]);
    let length = ["--out", "out", "--iterations", "1000000", "--warmup", "0"];
    let mut program = script.start(&[&["record", &path], &length[..], &engine(&library)].concat());
    let waiting = script.reached(&mut program, "run cnn.onnx 6");
    match is_to_launch {
        true => send(signal, &waiting.process.to_string()),
        false => program.signal(signal),
    }
    drop(waiting);
    let ended = program.ended();
    (place, ended)
}

#[test]
fn an_engine_that_ends_its_process_is_named_and_what_was_recorded_stays() {
    let (place, ended) = ended_by("-ABRT", true);
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    assert!(ended.err.contains("launch 1 of 1 failed: signal: 6 (SIGABRT)"), "{}", ended.err);
    assert!(ended.err.contains("json is kept"), "{}", ended.err);
    // Nothing is computed from iterations whose operators never came; plain ones need none.
    let read = place.run(&["summary", "out", "--format", "json"]);
    assert_eq!(read.code, Some(0), "{}", read.err);
    let report = json(&read.out);
    assert!(report["model"]["latency_median_ms"].as_f64().unwrap() > 0.0);
    let model = &report["model"];
    assert!(model["profiled_latency_median_ms"].is_null() && model["flops"].is_null());
    assert!(!read.out.contains("operators_total_ms"), "{}", read.out);
    assert!(report["operators"].is_null() && report["operator_types"].is_null());
    assert!(read.out.contains("no operator is known: of "), "{}", read.out);
    let text = place.succeed(&["summary", "out"]);
    assert!(text.contains("\nLatency ") && !text.contains("Slowest"), "{text}");
    for other in [&["project", "out"][..], &["report", "out", "-o", "out.xlsx"], &["check", "out"]]
    {
        let refused = place.run(other);
        assert_eq!(refused.code, Some(1), "{other:?}: {}", refused.err);
        assert!(refused.err.contains("no measured iteration was recorded"), "{}", refused.err);
    }
}

#[test]
fn a_request_to_stop_keeps_every_operator() {
    for signal in ["-INT", "-TERM"] {
        let (place, ended) = ended_by(signal, false);
        assert_eq!(ended.code, Some(130), "{signal}: {}", ended.err);
        let report = summary(&place, "out", &["--level", "model"]);
        assert!(report["model"]["operators_mean_ms"].as_f64().unwrap() > 0.0, "{report:#}");
    }
}

/// A recording that goes on, with the operators of some segments in its trace. Its temporary
/// files have a folder of their own, and a write beyond a limit of size fails without a signal.
fn recording_in_segments(script: &Script, place: &Place, library: &str) -> (Started, Waiting) {
    let temporary = place.path("temporary");
    std::fs::create_dir(&temporary).unwrap();
    let path = model("scan");
    let arguments = [
        &["record", &path, "--out", "out", "--iterations", "1000000", "--warmup", "0"][..],
        &["--dim", "frames=4000", "--unprofiled-iterations", "0", "--engine-profiles", "profiles"],
        &engine(library),
    ];
    let mut command = script.on_small_disk(None, &arguments.concat());
    command.env("TMPDIR", &temporary);
    let mut program = Started::of(&mut command);
    let waiting = script.reached(&mut program, IN_SEGMENTS);
    // A profile is kept for each segment that ended.
    let profiles = std::fs::read_dir(place.path("profiles")).unwrap().count();
    assert!(profiles >= 2, "{profiles}");
    (program, waiting)
}

/// A run has this many events that a segment has few.
const IN_SEGMENTS: &str = "run scan.onnx 12";

fn script_in_segments(place: &Place) -> Script<'_> {
    Script::new(place, object!({}), &[("run", "scan.onnx", 12, "wait")])
}

/// What is left of a recording whose operators are there for some of its iterations.
fn is_cut_but_readable(place: &Place) {
    let left = std::fs::read_dir(place.path("temporary")).unwrap().count();
    assert_eq!(left, 0, "files of the engine are left behind");
    let read = place.run(&["summary", "out", "--format", "json", "--level", "model"]);
    assert_eq!(read.code, Some(0), "{}", read.err);
    assert!(json(&read.out)["model"]["iterations"].as_u64().unwrap() > 0);
    assert!(read.err.contains("ends early"), "{}", read.err);
    assert!(read.err.contains("operators are missing"), "{}", read.err);
    let strict = place.run(&["summary", "out", "--strict"]);
    assert_eq!(strict.code, Some(1), "{}", strict.err);
}

#[test]
fn a_recording_that_is_killed_keeps_what_its_engine_gave_up() {
    let (place, library) = (Place::new(), library());
    let script = script_in_segments(&place);
    let (mut program, waiting) = recording_in_segments(&script, &place, &library);
    // The launch is another process of the group.
    program.signal_all("-KILL");
    drop(waiting);
    program.ended();
    is_cut_but_readable(&place);
}

#[test]
fn a_full_disk_is_an_error_that_keeps_what_the_engine_gave_up() {
    let (place, library) = (Place::new(), library());
    let script = script_in_segments(&place);
    let (mut program, waiting) = recording_in_segments(&script, &place, &library);
    // No file grows from here on, as on a disk that others filled meanwhile.
    let limit = ["--fsize=0", "--pid", &waiting.process.to_string()];
    assert!(Command::new("prlimit").args(limit).status().unwrap().success());
    drop(waiting);
    let full = program.ended();
    assert_eq!(full.code, Some(1), "{}", full.err);
    let trace = place.traces("out").remove(0);
    let trace = trace.file_name().unwrap().to_str().unwrap();
    let started = format!("error: cannot write the recording out/profiling_trace/{trace} after ");
    assert!(full.err.starts_with(&started), "{}", full.err);
    let ended = " iterations, which are kept: File too large (os error 27)\n";
    assert!(full.err.ends_with(ended), "{}", full.err);
    assert_eq!(full.err.lines().count(), 1, "{}", full.err);
    is_cut_but_readable(&place);
}

/// Where there is room for the trace, but not for the profiles of the engine.
#[test]
fn a_recording_that_lost_operators_is_not_all_that_was_asked_for() {
    let (place, library) = (Place::new(), library());
    let record = |out: &str, blocks: Option<u32>| {
        let path = model("cnn");
        let length = ["--iterations", "300", "--unprofiled-iterations", "2", "--warmup", "0"];
        let arguments = [&["record", &path, "--out", out], &length[..], &engine(&library)];
        let script = Script::new(&place, object!({}), &[]);
        finished(script.on_small_disk(blocks, &arguments.concat()).output().unwrap())
    };
    let whole = record("whole", None);
    assert_eq!(whole.code, Some(0), "{}", whole.err);
    let size = place.traces("whole")[0].metadata().unwrap().len();
    let cut = record("cut", Some((size / 512 + size / 4096) as u32));
    assert_eq!(cut.code, Some(1), "{}", cut.err);
    assert!(cut.err.contains("operators of some iterations are lost"), "{}", cut.err);
    assert!(cut.err.contains("left out, since their operators are missing"), "{}", cut.err);
    // What there is of it is shown all the same.
    assert!(cut.err.contains("\nLatency ") && cut.err.contains(" median ("), "{}", cut.err);
}

/// A model whose output `o` is an optional sequence, and is none where `c` is true; with
/// another output if that is wanted.
fn optional_output(other: bool) -> Vec<u8> {
    const OF_A_TYPE: u64 = 13;
    let tensor = value("x", FLOAT, &[3]);
    let sequence = || {
        let numbers = Message::default().number(1, FLOAT);
        let tensor = Message::default().message(1, numbers);
        Message::default().message(4, Message::default().message(1, tensor))
    };
    let optional = |name: &str| {
        let kind = Message::default().message(9, Message::default().message(1, sequence()));
        Message::default().text(1, name).message(2, kind)
    };
    let kind = Message::default().text(1, "type").message(14, sequence()).number(20, OF_A_TYPE);
    let none = node("Optional", "none", &[], &["n"]).message(5, kind);
    let some = vec![
        node("SequenceConstruct", "sequence", &["x"], &["s"]),
        node("Optional", "some", &["s"], &["e"]),
    ];
    let branches = [
        graph_attribute("then_branch", graph(vec![none], vec![optional("n")])),
        graph_attribute("else_branch", graph(some, vec![optional("e")])),
    ];
    let mut nodes = vec![node("If", "branch", &["c"], &["o"]).messages(5, branches)];
    let mut outputs = vec![optional("o")];
    if other {
        nodes.push(node("Relu", "relu", &["x"], &["y"]));
        outputs.push(value("y", FLOAT, &[3]));
    }
    onnx_file::model_of(&[("", 18)], nodes, vec![], vec![value("c", BOOL, &[]), tensor], outputs)
}

#[test]
fn an_output_that_may_be_none_does_not_end_the_process() {
    let (place, library) = (Place::new(), library());
    place.write("alone.onnx", &optional_output(false));
    place.write("beside.onnx", &optional_output(true));
    let record = |name: &str, out: &str, more: &[&str]| {
        let arguments = ["record", name, "--out", out, "--iterations", "2", "--warmup", "0"];
        place.run(&[&arguments[..], &engine(&library), more].concat())
    };
    let alone = record("alone.onnx", "alone", &[]);
    assert_eq!(alone.code, Some(1), "{}", alone.err);
    assert!(alone.err.contains("its only output `o` is optional"), "{}", alone.err);
    assert!(!alone.err.contains("SIG") && !alone.err.contains("panic"), "{}", alone.err);
    let no: Vec<u8> = [
        b"\x93NUMPY\x01\x00\x76\x00".as_slice(),
        format!("{:<117}\n", "{'descr': '|b1', 'fortran_order': False, 'shape': (), }").as_bytes(),
        &[0],
    ]
    .concat();
    place.write("no.npy", &no);
    for (out, more) in [("made-up", &[][..]), ("some", &["--input", "c=no.npy"])] {
        let beside = record("beside.onnx", out, more);
        assert_eq!(beside.code, Some(0), "{out}: {}", beside.err);
        let report = summary(&place, out, &["--level", "model,operator"]);
        assert_eq!(report["model"]["iterations"], 2, "{out}");
        let rows = report["operators"].as_array().unwrap();
        assert!(rows.iter().any(|row| row["type"] == "If"), "{out}: {rows:#?}");
    }
}
