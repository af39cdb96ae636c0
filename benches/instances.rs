//! Throughput of instances side by side, next to processes of a Python script.
//!
//! ```text
//! cargo bench --bench instances
//! ```
//!
//! Both run the same model in ONNX Runtime, in two processes bound to a core each, and take
//! turns of some seconds: A B B A. A round has the ratio of the two throughputs; the figure
//! is the median over rounds, with their 5th and 95th percentile. `ONNXRAY_PYTHON` names a
//! Python with onnxruntime, whose library both load.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a bench that fails panics

#[path = "peers/inputs.rs"]
mod inputs;
#[path = "peers/onnxruntime.rs"]
mod onnxruntime;
#[path = "peers/mod.rs"]
mod peers;

use inputs::written;
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::{GivenDimensions, InputFiles, Model};
use onnxruntime::library;
use peers::Peer;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

const ROUNDS: usize = 20;
/// Of a turn. A recording runs as many instrumented iterations as plain ones.
const SECONDS: &str = "2";

fn main() {
    let library = library();
    println!("items/s of two instances / runs/s of two processes in Python");
    for (name, sizes) in [("cnn", &[][..]), ("encoder", &[("sequence", 128)])] {
        compare(name, sizes, &library);
    }
}

fn compare(name: &str, sizes: &[(&str, u64)], library: &str) {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models");
    let path = models.join(name).with_extension("onnx");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let values = folder.path().join("inputs.json");
    let given = GivenDimensions {
        sizes: sizes.iter().map(|(name, size)| (name.to_string(), *size)).collect(),
        ..GivenDimensions::default()
    };
    let model = Model::load(&EngineSpec::default(), &path, &given, 1).expect("a model that loads");
    let inputs = model.inputs(&InputFiles::new(), 1).expect("random inputs");
    std::fs::write(&values, written(&model, &inputs)).expect("room for the inputs");
    let arguments = ["1", "2", SECONDS].map(Path::new);
    let mut peer =
        Peer::start("onnxruntime_instances.py", &[&[&path, &*values], &arguments[..]].concat());
    let ours = || {
        let out = folder.path().join("out");
        let sizes = sizes.iter().map(|(name, size)| format!("--dim={name}={size}"));
        let mut record = Command::new(env!("CARGO_BIN_EXE_onnxray"));
        record.arg("record").arg(&path).args(sizes).arg("--out").arg(&out);
        record.args(["--engine", "onnxruntime", "--engine-library", library]);
        record.args(["--instances", "2", "--duration", SECONDS]);
        let recorded = record.output().expect("the program");
        assert!(recorded.status.success(), "{}", String::from_utf8_lossy(&recorded.stderr));
        let mut summary = Command::new(env!("CARGO_BIN_EXE_onnxray"));
        summary.arg("summary").arg(&out).args(["--level", "model", "--format", "json"]);
        let report: Value =
            serde_json::from_slice(&summary.output().expect("the program").stdout).expect("JSON");
        std::fs::remove_dir_all(&out).expect("the recording");
        report["model"]["instances_throughput_iterations_per_second"].as_f64().expect("a number")
    };
    let mut ratios = Vec::new();
    // The first round warms both up.
    for round in 0..=ROUNDS {
        let (ours, theirs) = match round % 2 {
            0 => {
                let ours = ours();
                (ours, peer.round("")[0])
            }
            _ => {
                let theirs = peer.round("")[0];
                (ours(), theirs)
            }
        };
        ratios.push((ours / theirs, theirs));
    }
    ratios.remove(0);
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let at = |share: f64| ratios[((ratios.len() - 1) as f64 * share).round() as usize];
    println!(
        "{name:<10} {:.3} [{:.3}, {:.3}]   {:.1} runs/s in {}",
        at(0.5).0,
        at(0.05).0,
        at(0.95).0,
        at(0.5).1,
        peer.title
    );
}
