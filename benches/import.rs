//! How fast traces are read, and how much memory that takes.
//!
//! `cargo bench --bench import` makes an ONNX Runtime profile of 400 MB (or of
//! `ONNXRAY_BENCH_MB`) and reads it into the analyzer's tables, plainly and
//! compressed, beside what it is compared to: copying the file through memory,
//! simd-json over slices of the same size, serde_json, and gunzip. Each in turn,
//! several times; the median counts. With `--write FILE` it only makes the
//! profile, or with `--pytorch` a PyTorch trace, for `benches/peers`.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a bench that fails panics

mod measure;
#[path = "profiles/mod.rs"]
mod profiles;
#[path = "profiles/sequence.rs"]
mod sequence;

use measure::Row;
use onnxray_analyzer::Trace;
use onnxray_import::{Reading, import};
use serde::Deserialize;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const ROUNDS: usize = 5;
const SLICE: usize = 256 << 10;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let megabytes = std::env::var("ONNXRAY_BENCH_MB").ok().and_then(|text| text.parse().ok());
    let bytes = megabytes.unwrap_or(400) * 1_000_000;
    if let Some(at) = arguments.iter().position(|argument| argument == "--write") {
        let path = Path::new(&arguments[at + 1]);
        match arguments.iter().any(|argument| argument == "--pytorch") {
            true => profiles::pytorch(path, bytes).expect("room for the trace"),
            false => {
                profiles::onnx_runtime(path, bytes).expect("room for the profile");
            }
        }
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("profile.json");
    let (iterations, events) = profiles::onnx_runtime(&path, bytes).expect("room for the profile");
    let size = fs::metadata(&path).expect("the profile").len();
    println!("{} MB, {iterations} iterations, {events} node events", size / 1_000_000);

    let compressed = folder.path().join("profile.json.gz");
    gzip(&path, &compressed);
    let mut rows: Vec<Row> = vec![
        Row::new("onnxray, into tables", || tables(&path, iterations, events)),
        Row::new("onnxray, events only", || drop(read(&path))),
        Row::new("copy through memory", || copy(&path)),
        Row::new("simd-json tape of slices, 1 thread", || simd_slices(&path)),
        Row::new("serde_json, typed and borrowed", || typed(&path)),
        Row::new("onnxray, gz, into tables", || tables(&compressed, iterations, events)),
        Row::new("gunzip alone", || gunzip(&compressed)),
    ];
    for _ in 0..ROUNDS {
        for row in &mut rows {
            row.measure();
        }
    }
    println!("{:36} {:>8} {:>9} {:>16}", "", "seconds", "GB/s", "anonymous memory");
    for row in &mut rows {
        let seconds = row.seconds();
        println!(
            "{:36} {seconds:8.3} {:9.2} {:>12.1} MB ({:.3} x)",
            row.name,
            size as f64 / 1e9 / seconds,
            row.peak as f64 / 1e6,
            row.peak as f64 / size as f64
        );
    }
    let ratio = rows[6].seconds() / rows[5].seconds();
    println!("gz: {ratio:.2} x the rate of gunzip alone");
}

fn read(path: &Path) -> Vec<onnxray_import::Launch> {
    import(&[PathBuf::from(path)], &Reading::default()).expect("a profile that reads")
}

fn tables(path: &Path, iterations: u64, events: u64) {
    let trace = Trace::new(read(path));
    assert_eq!(trace.iterations.rows().len() as u64, iterations);
    assert_eq!(trace.events.len() as u64, events);
    black_box(trace);
}

fn copy(path: &Path) {
    let mut file = File::open(path).expect("the profile");
    let mut buffer = vec![0; 1 << 20];
    while file.read(&mut buffer).expect("the profile") > 0 {
        black_box(&buffer);
    }
}

/// What simd-json would need before anything is taken from its tape.
fn simd_slices(path: &Path) {
    let mut reader = BufReader::with_capacity(SLICE, File::open(path).expect("the profile"));
    let mut slice = Vec::new();
    let mut buffers = simd_json::Buffers::new(2 * SLICE);
    let mut line = Vec::new();
    let mut read = |slice: &mut Vec<u8>| {
        if slice.len() > 1 {
            *slice.last_mut().expect("a comma") = b']';
            black_box(simd_json::to_tape_with_buffers(slice, &mut buffers).expect("JSON"));
        }
        slice.clear();
        slice.push(b'[');
    };
    slice.push(b'[');
    while reader.read_until(b'\n', &mut line).expect("the profile") > 0 {
        if line.starts_with(b"{") {
            let end = line.iter().rposition(|&byte| byte == b'}').map_or(0, |at| at + 1);
            slice.extend_from_slice(&line[..end]);
            slice.push(b',');
            if slice.len() > SLICE {
                read(&mut slice);
            }
        }
        line.clear();
    }
    read(&mut slice);
}

#[derive(Deserialize)]
struct Event<'a> {
    name: &'a str,
    ts: u64,
    dur: u64,
    #[serde(borrow)]
    args: Arguments<'a>,
}

#[derive(Deserialize)]
struct Arguments<'a> {
    op_name: Option<&'a str>,
    #[serde(borrow)]
    input_type_shape: Option<&'a serde_json::value::RawValue>,
}

fn typed(path: &Path) {
    let mut reader = BufReader::with_capacity(SLICE, File::open(path).expect("the profile"));
    let (mut line, mut sum) = (String::new(), 0);
    while reader.read_line(&mut line).expect("the profile") > 0 {
        if let Some(event) = line.strip_prefix('{').map(|_| line.trim_end().trim_end_matches(',')) {
            let event: Event = serde_json::from_str(event).expect("an event");
            sum += event.ts + event.dur + event.name.len() as u64;
            sum += event.args.op_name.map_or(0, |name| name.len() as u64);
            sum += event.args.input_type_shape.map_or(0, |raw| raw.get().len() as u64);
        }
        line.clear();
    }
    black_box(sum);
}

fn gzip(from: &Path, to: &Path) {
    let out = File::create(to).expect("room for the compressed profile");
    let status = Command::new("gzip").arg("-1c").arg(from).stdout(out).status();
    assert!(status.expect("gzip").success());
}

fn gunzip(path: &Path) {
    let status = Command::new("gunzip").arg("-c").arg(path).stdout(Stdio::null()).status();
    assert!(status.expect("gunzip").success());
}
