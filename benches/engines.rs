//! Unprofiled iterations in ONNX Runtime, next to a loop over the same model in Python.
//!
//! ```text
//! ORT_DISABLE_TELEMETRY=1 cargo bench --bench engines
//! ```
//!
//! Both stay loaded, each in a process of its own, with the same options and inputs, and take
//! turns of 50 runs: A B B A. A round has the ratio of the medians of its turns; the figure is
//! the median over rounds, with their 5th and 95th percentile. `ONNXRAY_PYTHON` names a
//! Python with onnxruntime, whose library both load.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a bench that fails panics

#[path = "peers/inputs.rs"]
mod inputs;
#[path = "peers/onnxruntime.rs"]
mod onnxruntime;
#[path = "peers/mod.rs"]
mod peers;

use inputs::written;
use onnxray_format::IterationKind;
use onnxray_import::{Reading, import};
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::engine::onnxruntime::OnnxRuntimeOptions;
use onnxray_recorder::{Folders, GivenDimensions, InputFiles, Launch, LaunchOptions, Model};
use onnxruntime::library;
use peers::Peer;
use std::path::Path;

const ROUNDS: usize = 40;
const RUNS: usize = 50;

fn main() {
    assert!(
        std::env::var_os("ORT_DISABLE_TELEMETRY").is_some(),
        "set ORT_DISABLE_TELEMETRY=1: this process loads ONNX Runtime"
    );
    let library = library();
    println!(
        "unprofiled iterations / runs in a Python loop (median of rounds, 5th to 95th percentile)"
    );
    // A process has one pool of threads, so the number of them is one for all models.
    let threads = std::env::var("ONNXRAY_BENCH_THREADS").map_or(1, |text| text.parse().unwrap());
    for (name, sizes) in [
        ("cnn", &[][..]),
        ("cnn-int8", &[]),
        ("encoder", &[("sequence", 128)]),
        ("encoder-int8", &[("sequence", 128)]),
    ] {
        compare(name, sizes, threads, &library);
    }
}

fn compare(name: &str, sizes: &[(&str, u64)], threads: u32, library: &str) {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models");
    let path = models.join(name).with_extension("onnx");
    let engine = EngineSpec::OnnxRuntime(OnnxRuntimeOptions {
        library: Some(library.into()),
        ..OnnxRuntimeOptions::default()
    });
    let sizes = sizes.iter().map(|(name, size)| (name.to_string(), *size)).collect();
    let given = GivenDimensions { sizes, ..GivenDimensions::default() };
    let model = Model::load(&engine, &path, &given, threads).expect("a model that loads");
    let inputs = model.inputs(&InputFiles::new(), 1).expect("random inputs");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let values = folder.path().join("inputs.json");
    std::fs::write(&values, written(&model, &inputs)).expect("room for the inputs");
    let mut peer =
        Peer::start("onnxruntime_loop.py", &[&path, &values, Path::new(&threads.to_string())]);
    let out = folder.path().join("out");
    let _folders = Folders::prepare([out.as_path()]).expect("a folder to write to");
    let options = LaunchOptions { folder: out.into(), ..LaunchOptions::default() };
    let mut launch = Launch::begin(&model, &inputs, &options).expect("a folder to write to");
    let mut theirs = Vec::new();
    // The first round warms both up.
    for round in 0..=ROUNDS {
        let mut ours = || {
            for _ in 0..RUNS {
                launch.run(&inputs, IterationKind::Unprofiled).expect("a model that runs");
            }
        };
        match round % 2 {
            0 => {
                ours();
                theirs.push(peer.round(&RUNS.to_string())[0]);
            }
            _ => {
                theirs.push(peer.round(&RUNS.to_string())[0]);
                ours();
            }
        }
    }
    // A recording needs an iteration that is not a plain one.
    launch.run(&inputs, IterationKind::Measured).expect("a model that runs");
    let recorded = launch.finish().expect("room for the recording");
    let launches = import(&[recorded.trace], &Reading::default()).expect("our own recording");
    let plain = launches[0].iterations.iter().filter(|one| one.kind == IterationKind::Unprofiled);
    let plain: Vec<f64> = plain.map(|iteration| iteration.duration.0 as f64 / 1e9).collect();
    let ours = plain.chunks(RUNS).map(|turn| median(turn.to_vec()));
    let mut ratios: Vec<f64> =
        ours.zip(&theirs).skip(1).map(|(ours, theirs)| ours / theirs).collect();
    ratios.sort_by(f64::total_cmp);
    let at = |share: f64| ratios[((ratios.len() - 1) as f64 * share).round() as usize];
    println!(
        "{name:<14} {:.3} [{:.3}, {:.3}]   {:.3} ms in {}",
        at(0.5),
        at(0.05),
        at(0.95),
        1e3 * median(theirs),
        peer.title
    );
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
