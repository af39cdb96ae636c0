//! Traces that are made to cost much: the program says what is too much of what, in little
//! memory, and never aborts.

use crate::program::{Place, program};
use std::io::{BufWriter, Write};
use std::process::{Command, Output, Stdio};

/// What the program may take of addresses, in KiB: its threads' stacks, its files, and less
/// than what the files here would take if they were believed.
const MEMORY_KIB: u64 = 4_000_000;

fn import_in_little_memory(place: &Place, file: &str) -> Output {
    let limited = format!("ulimit -v {MEMORY_KIB}; exec \"$0\" \"$@\"");
    let mut command = Command::new("bash");
    command.args(["-c", &limited]).arg(program()).args(["inspect", file]);
    command.current_dir(place.path(".")).stdin(Stdio::null()).output().expect("bash is there")
}

/// Writes a gzip file of a head and a line again and again, up to this many MiB.
fn gzip(place: &Place, file: &str, head: &str, line: &str, mebibytes: usize) {
    let out = std::fs::File::create(place.path(file)).expect("a file");
    let mut gzip = Command::new("gzip")
        .args(["-1", "-c"])
        .stdin(Stdio::piped())
        .stdout(out)
        .spawn()
        .expect("gzip is installed");
    let mut text = BufWriter::new(gzip.stdin.take().expect("a pipe"));
    text.write_all(head.as_bytes()).expect("a head");
    let lines = line.repeat((1 << 20) / line.len());
    for _ in 0..mebibytes {
        text.write_all(lines.as_bytes()).expect("lines");
    }
    drop(text);
    assert!(gzip.wait().expect("gzip ends").success());
}

#[track_caller]
fn check(output: &Output, code: i32, expected: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains(expected), "{said}");
    assert_eq!(output.status.code(), Some(code), "{said}");
}

#[test]
fn small_files_that_become_large_ones_are_refused() {
    let place = Place::new();
    let tflite = "Operator-wise Profiling Info for Regular Benchmark Runs:\n\
        ============================== Run Order ==============================\n\
        node type, first, avg_ms, %, cdf%, mem KB, times called, name\n";
    gzip(&place, "tflite.gz", tflite, "ADD, 1, 1, 1%, 1%, 0, 1, [n]:1\n", 280);
    let openvino = "layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms);\n";
    gzip(&place, "openvino.gz", openvino, "a;EXECUTED;Add;jit;0.1;0.1;\n", 280);
    gzip(&place, "tensorrt.gz", "{\"Layers\":[\"a\"", ",\n{\"Name\":\"a\"}", 280);
    for file in ["tflite.gz", "openvino.gz", "tensorrt.gz"] {
        let size = std::fs::metadata(place.path(file)).expect("a file").len();
        assert!(size < 4 << 20, "{size}");
        check(&import_in_little_memory(&place, file), 1, "more than 256 MiB");
    }
}

#[test]
fn records_and_fields_are_bounded_as_well() {
    let place = Place::new();
    let many = |count: usize, record: &str| vec![record; count].join(",");
    place.write("layers.json", format!("{{\"Layers\":[{}]}}", many(1_000_010, "\"a\"")).as_bytes());
    let output = import_in_little_memory(&place, "layers.json");
    check(&output, 0, "10 layers are more than a file may have and are left out");
    let tensors =
        |count| format!("{{\"Layers\":[{{\"Name\":\"a\",\"Inputs\":[{}]}}]}}", many(count, "{}"));
    place.write("tensors.json", tensors(7_500_000).as_bytes());
    check(&import_in_little_memory(&place, "tensors.json"), 0, "");
    place.write("fields.json", tensors(8_500_000).as_bytes());
    let output = import_in_little_memory(&place, "fields.json");
    check(&output, 1, "more than the 16000000 that a file of this format may have");
}
