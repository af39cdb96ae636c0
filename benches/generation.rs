//! Tokens per second of a decoder in ONNX Runtime, next to a loop in Python.
//!
//! ```text
//! ORT_DISABLE_TELEMETRY=1 cargo bench --bench generation
//! ```
//!
//! Both stay loaded, each in a process of its own, with the same options, and take turns of
//! some generations: A B B A. Of a round, the ratios are of the tokens per second of the decode
//! phase and of the medians of the prefill phase; the figures are the medians over rounds, with
//! their 5th and 95th percentile. `ONNXRAY_PYTHON` names a Python with onnxruntime, whose
//! library both load.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a bench that fails panics

#[path = "peers/onnxruntime.rs"]
mod onnxruntime;
#[path = "peers/mod.rs"]
mod peers;

use onnxray_format::{Iteration, IterationKind, Phase};
use onnxray_import::{Phases, Reading, import};
use onnxray_recorder::engine::onnxruntime::OnnxRuntimeOptions;
use onnxray_recorder::engine::{EngineSpec, InstalledEngines};
use onnxray_recorder::{
    Folders, GenerationOptions, GivenDimensions, InputFiles, Launch, LaunchOptions, Model,
};
use onnxruntime::library;
use peers::Peer;
use std::path::Path;
use std::sync::atomic::AtomicBool;

const ROUNDS: usize = 40;
/// Of a turn.
const GENERATIONS: usize = 10;

fn main() {
    assert!(
        std::env::var_os("ORT_DISABLE_TELEMETRY").is_some(),
        "set ORT_DISABLE_TELEMETRY=1: this process loads ONNX Runtime"
    );
    let library = library();
    println!(
        "our unprofiled iterations / a Python loop (median of rounds, 5th to 95th percentile)"
    );
    for (prompt, tokens) in [(16, 64), (128, 200)] {
        compare(prompt, tokens, &library);
    }
}

fn compare(prompt: u32, tokens: u32, library: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models/decoder.onnx");
    let engine = EngineSpec::OnnxRuntime(OnnxRuntimeOptions {
        library: Some(library.into()),
        ..OnnxRuntimeOptions::default()
    });
    let options = GenerationOptions { prompt, tokens, feeds: Vec::new() };
    let given = GivenDimensions::default();
    let model =
        Model::load_to_generate(&InstalledEngines, &engine, &path, &given, 1, Some(&options));
    let model = model.expect("a model that generates");
    let workload = model.workload(&InputFiles::new(), 1).expect("random inputs");
    let counts = [prompt, tokens, 1].map(|count| count.to_string());
    let arguments: Vec<&Path> =
        [path.as_path()].into_iter().chain(counts.iter().map(Path::new)).collect();
    let mut peer = Peer::start("onnxruntime_generate.py", &arguments);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out");
    let _folders = Folders::prepare([out.as_path()]).expect("a folder to write to");
    let options = LaunchOptions { folder: out.into(), ..LaunchOptions::default() };
    let mut launch =
        Launch::begin_workload(&model, &workload, &options).expect("a folder to write to");
    let stop = AtomicBool::new(false);
    // Seconds of the prefill phase, and tokens per second of the decode phase.
    let mut theirs: Vec<Vec<f64>> = Vec::new();
    // The first round warms both up.
    for round in 0..=ROUNDS {
        let mut ours = || {
            for _ in 0..GENERATIONS {
                launch
                    .run_workload(&workload, IterationKind::Unprofiled, &stop)
                    .expect("a model that runs");
            }
        };
        let mut ask = || {
            theirs.push(peer.round(&GENERATIONS.to_string()));
        };
        match round % 2 {
            0 => {
                ours();
                ask();
            }
            _ => {
                ask();
                ours();
            }
        }
    }
    // A recording needs an iteration that is not a plain one.
    launch.run_workload(&workload, IterationKind::Measured, &stop).expect("a model that runs");
    let recorded = launch.finish().expect("room for the recording");
    let reading = Reading { phases: Phases::All, ..Reading::default() };
    let launches = import(&[recorded.trace], &reading).expect("our own recording");
    let seconds = |phase: Phase| -> Vec<f64> {
        let is_own = |one: &&Iteration| {
            one.kind == IterationKind::Unprofiled
                && one.step.is_some_and(|step| step.phase == phase)
        };
        let own = launches[0].iterations.iter().filter(is_own);
        own.map(|iteration| iteration.duration.0 as f64 / 1e9).collect()
    };
    let prefill = seconds(Phase::Prefill);
    let prefill = prefill.chunks(GENERATIONS).map(|turn| median(turn.to_vec()));
    let decode = seconds(Phase::Decode);
    let rates = decode.chunks(GENERATIONS * tokens as usize);
    let rates = rates.map(|turn| turn.len() as f64 / turn.iter().sum::<f64>());
    let prefill: Vec<f64> =
        prefill.zip(&theirs).skip(1).map(|(ours, theirs)| ours / theirs[0]).collect();
    let decode: Vec<f64> =
        rates.zip(&theirs).skip(1).map(|(ours, theirs)| ours / theirs[1]).collect();
    println!(
        "prompt {prompt}, {tokens} generated: tokens/s {}, prefill time {}   {:.0} tokens/s in {}",
        shown(decode),
        shown(prefill),
        median(theirs.iter().map(|theirs| theirs[1]).collect()),
        peer.title
    );
}

fn shown(mut ratios: Vec<f64>) -> String {
    ratios.sort_by(f64::total_cmp);
    let at = |share: f64| ratios[((ratios.len() - 1) as f64 * share).round() as usize];
    format!("{:.3} [{:.3}, {:.3}]", at(0.5), at(0.05), at(0.95))
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
