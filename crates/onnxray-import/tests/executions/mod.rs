//! What tests of formats with single executions have in common.

use onnxray_format::Warning;
use onnxray_import::{Format, Importer, Launch, Options, Source, detect};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn fixture(name: &str) -> PathBuf {
    root().join("fixtures").join(name)
}

/// Reads a file as what it is recognized to be.
pub(crate) fn read(path: &Path) -> (Format, Launch) {
    let mut source = Source::open(path).unwrap();
    let importer = detect(&mut source).unwrap();
    let mut launches = importer.read(vec![source], &Options::default()).unwrap();
    assert_eq!(launches.len(), 1);
    (importer.format, launches.remove(0))
}

/// Reads bytes in small slices.
pub(crate) fn read_bytes(importer: &Importer, bytes: &[u8]) -> Option<Launch> {
    let source = Source::from_bytes("x.json", bytes.to_vec()).unwrap();
    let options = Options { slice_bytes: 512, workers: 2, ..Options::default() };
    importer.read(vec![source], &options).ok()?.pop()
}

pub(crate) fn losses(launch: &Launch) -> Vec<&Warning> {
    launch.warnings.iter().filter(|warning| warning.loss).collect()
}

/// Operator, iteration, thread, start and duration of each execution.
pub(crate) fn executions(launch: &Launch) -> Vec<(u32, u32, u32, u64, u64)> {
    let of_chunk = |chunk: &onnxray_import::EventChunk| {
        let columns = chunk.clone();
        (0..columns.len())
            .map(move |row| {
                let (operator, iteration) = (columns.operator[row], columns.iteration[row]);
                let (start, duration) = (columns.start[row], columns.duration[row]);
                (operator, iteration, columns.thread[row], start, duration)
            })
            .collect::<Vec<_>>()
    };
    launch.events.chunks.iter().flat_map(of_chunk).collect()
}

/// What the plain readers in tests/readers print, from what was read.
pub(crate) fn summary(launch: &Launch) -> Value {
    let mut executions = executions(launch);
    executions.sort_by_key(|&(_, _, thread, start, duration)| {
        (thread, start, std::cmp::Reverse(duration))
    });
    let mut own = vec![0i64; launch.operators.len()];
    let mut counts = vec![0u64; launch.operators.len()];
    // Thread, end and operator of the executions that hold the next one.
    let mut open: Vec<(u32, u64, u32)> = Vec::new();
    for (operator, _, thread, start, duration) in executions {
        counts[operator as usize] += 1;
        own[operator as usize] += duration as i64;
        let end = start + duration;
        while open.last().is_some_and(|&(on, until, _)| on != thread || until < end) {
            open.pop();
        }
        if let Some(&(_, _, holder)) = open.last() {
            own[holder as usize] -= duration as i64;
        }
        open.push((thread, end, operator));
    }
    let operator = |(at, operator): (usize, &onnxray_format::Operator)| {
        let figures = json!({
            "type": operator.operator_type,
            "executions": counts[at],
            "exclusive_ns": own[at],
            "mean_ns": null,
            "median_ns": null,
        });
        (operator.name.clone(), figures)
    };
    let operators: serde_json::Map<String, Value> =
        launch.operators.iter().enumerate().map(operator).collect();
    assert_eq!(operators.len(), launch.operators.len(), "names are unique");
    json!({
        "iterations": launch.iterations.len(),
        "events": launch.events.len(),
        "operators": operators,
    })
}

/// Bytes damaged in a few places, a few hundred times; the same ones every time.
pub(crate) fn damage(bytes: &[u8], mut read: impl FnMut(&[u8])) {
    let mut random = 1u64;
    let mut below = |most: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % most
    };
    let pieces: [&[u8]; 12] = [
        b"\"",
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b"\\",
        b"\n",
        b"\xff",
        b"-",
        b"NaN",
        b"99999999999999999999",
    ];
    for _ in 0..300 {
        let mut damaged = bytes.to_vec();
        for _ in 0..1 + below(4) {
            let at = below(damaged.len());
            let end = (at + below(4)).min(damaged.len());
            damaged.splice(at..end, pieces[below(pieces.len())].iter().copied());
        }
        read(&damaged);
    }
}

/// Compares with a reader of tests/readers, on fixtures and on those of the files
/// in the environment variable ONNXRAY_TRACES, parted by colons, that have the
/// format.
pub(crate) fn agrees_with(reader: &str, importer: &Importer, fixtures: &[&str]) {
    let more = std::env::var("ONNXRAY_TRACES").unwrap_or_default();
    let mut files: Vec<PathBuf> = fixtures.iter().map(|name| fixture(name)).collect();
    let more = more.split(':').filter(|path| !path.is_empty()).map(PathBuf::from);
    files.extend(more.filter(|file| read(file).0 == importer.format));
    for file in files {
        let (found, launch) = read(&file);
        assert_eq!(found, importer.format, "{}", file.display());
        let script = root().join("tests/readers").join(reader);
        let output = Command::new("python3").arg(script).arg(&file).output();
        let output = output.unwrap_or_else(|error| panic!("this test needs python3: {error}"));
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {error}", file.display());
        let expected: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(summary(&launch), expected, "{}", file.display());
        println!("{}: {} executions agree", file.display(), launch.events.len());
    }
}
