//! What recording costs, measured side by side with plain runs in one process.
//!
//! ```text
//! cargo bench --bench recording
//! ```
//!
//! Plain and recorded iterations alternate, in the order ABBA, so that drift of
//! the machine falls on both; the figure is the median of the ratios of
//! neighbours over five launches, with the 5th and 95th percentile of its
//! bootstrap.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a bench that fails panics

#[path = "../tests/harness/onnx_file.rs"]
#[allow(dead_code)] // the tests use the rest of it
mod onnx_file;

use onnx_file::{FLOAT, floats, model as onnx, node, value};
use onnxray_format::{
    Iteration, IterationKind, Nanoseconds, OperatorArguments, Run, Span, TraceWriter,
};
use onnxray_import::{Reading, import};
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::{GivenDimensions, InputFiles, Launch, LaunchOptions, Model};
use std::path::{Path, PathBuf};
use std::time::Instant;

const LAUNCHES: usize = 5;
const WARM_UP: usize = 5;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fixture =
        |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models").join(name);
    let wide = wide_model(folder.path());
    println!(
        "run time, recorded / plain (median of pairs, 90 % interval); the bar is 1.01 above 1 ms"
    );
    overhead("encoder, 1x32", &fixture("encoder.onnx"), &[("sequence", 32)], 400, folder.path());
    overhead("encoder, 1x128", &fixture("encoder.onnx"), &[("sequence", 128)], 200, folder.path());
    overhead(
        "encoder, 8x128",
        &fixture("encoder.onnx"),
        &[("sequence", 128), ("batch", 8)],
        100,
        folder.path(),
    );
    overhead("cnn", &fixture("cnn.onnx"), &[], 400, folder.path());
    overhead("24 layers of 1024", &wide, &[], 100, folder.path());
    overhead("scan, 32 turns", &fixture("scan.onnx"), &[("frames", 32)], 1000, folder.path());
    writing(&fixture("encoder.onnx"));
}

/// A model of 100 MB: 24 products of 64x1024 by 1024x1024, each with bias and
/// activation.
fn wide_model(folder: &Path) -> PathBuf {
    const SIZE: u64 = 1024;
    const LAYERS: usize = 24;
    let mut state = 1u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32 * 0.06 - 0.03
    };
    let (mut nodes, mut constants) = (Vec::new(), Vec::new());
    let mut tensor = "x".to_string();
    for layer in 0..LAYERS {
        let name = |part: &str| format!("/layer.{layer}/{part}");
        let weight: Vec<f32> = (0..SIZE * SIZE).map(|_| random()).collect();
        let bias: Vec<f32> = (0..SIZE).map(|_| random()).collect();
        constants.push(floats(&name("weight"), &[SIZE, SIZE], &weight));
        constants.push(floats(&name("bias"), &[SIZE], &bias));
        let (product, sum, result) = (name("product"), name("sum"), name("result"));
        nodes.push(node("MatMul", &name("MatMul"), &[&tensor, &name("weight")], &[&product]));
        nodes.push(node("Add", &name("Add"), &[&product, &name("bias")], &[&sum]));
        nodes.push(node("Tanh", &name("Tanh"), &[&sum], &[&result]));
        tensor = result;
    }
    let bytes = onnx(
        nodes,
        constants,
        vec![value("x", FLOAT, &[64, SIZE])],
        vec![value(&tensor, FLOAT, &[64, SIZE])],
    );
    let path = folder.join("wide.onnx");
    std::fs::write(&path, bytes).expect("room for the model");
    path
}

fn load(path: &Path, sizes: &[(&str, u64)]) -> Model {
    let sizes = sizes.iter().map(|(name, size)| (name.to_string(), *size)).collect();
    let given = GivenDimensions { sizes, ..GivenDimensions::default() };
    Model::load(&EngineSpec::default(), path, &given, 1).expect("a model that loads")
}

fn overhead(title: &str, path: &Path, sizes: &[(&str, u64)], pairs: usize, folder: &Path) {
    let model = load(path, sizes);
    // Where an allocation lies in memory can make a plan faster or slower than
    // its twin for as long as both live, so each launch allocates anew.
    let (mut ratios, mut plain, mut events) = (Vec::new(), Vec::new(), 0);
    for _ in 0..LAUNCHES {
        let trace = launch(&model, pairs.div_ceil(LAUNCHES), folder);
        let series = |wanted: bool| -> Vec<f64> {
            let own =
                trace.iterations.iter().filter(|i| (i.kind == IterationKind::Unprofiled) == wanted);
            own.map(|iteration| iteration.duration.milliseconds()).skip(WARM_UP).collect()
        };
        let (recorded, without) = (series(false), series(true));
        ratios.extend(recorded.iter().zip(&without).map(|(a, b)| a / b));
        events = trace.events.len() / (recorded.len() + WARM_UP);
        plain.extend(without);
    }
    let (low, high) = bootstrap(&ratios);
    println!(
        "  {title:<18} {:.4}  [{low:.4}, {high:.4}]   plain {:>8.3} ms, {events:>4} events, {} pairs",
        median(&ratios),
        median(&plain),
        ratios.len(),
    );
}

/// Runs pairs of recorded and unprofiled iterations, the first of each kind to warm
/// up, and reads the recording back: the durations in it are those of the
/// engine's run alone.
fn launch(model: &Model, pairs: usize, folder: &Path) -> onnxray_import::Launch {
    let inputs = model.inputs(&InputFiles::new(), 1).expect("random inputs");
    let options = LaunchOptions { folder: folder.join("out").into(), ..LaunchOptions::default() };
    let mut launch = Launch::begin(model, &inputs, &options).expect("a folder to write to");
    for pair in 0..WARM_UP + pairs {
        let mut kinds = [IterationKind::Measured, IterationKind::Unprofiled];
        if pair % 2 == 1 {
            kinds.reverse();
        }
        for kind in kinds {
            launch.run(&inputs, kind).expect("a model that runs");
        }
    }
    let recorded = launch.finish().expect("room for the recording");
    let launches = import(&[recorded.trace], &Reading::default()).expect("our own recording");
    launches.into_iter().next().expect("one launch")
}

/// Time and size of an operator's event in the file.
fn writing(path: &Path) {
    let model = load(path, &[("sequence", 128)]);
    let operators = model.operators(&[]).expect("a table of operators");
    let run = Run { format_version: onnxray_format::FORMAT_VERSION, ..Run::default() };
    let file = tempfile::tempfile().expect("a temporary file");
    let mut writer = TraceWriter::new(file, &run, &operators, OperatorArguments::WhenChanged);
    let mut clock = 1_000_000_000u64;
    let mut iteration = |index: u32| {
        let start = Nanoseconds(clock);
        let spans: Vec<Span> = operators
            .iter()
            .map(|operator| {
                clock += 12_345;
                let start = Nanoseconds(clock);
                Span { operator: operator.number, worker: 0, start, duration: Nanoseconds(11_111) }
            })
            .collect();
        let duration = Nanoseconds(clock + 20_000) - start;
        (Iteration { index, kind: IterationKind::Measured, start, duration, step: None }, spans)
    };
    let (first, spans) = iteration(0);
    writer.write_iteration(&first, &spans).expect("room for the trace");
    const ITERATIONS: u32 = 2000;
    let planned: Vec<_> = (1..=ITERATIONS).map(&mut iteration).collect();
    let begun = Instant::now();
    for (iteration, spans) in &planned {
        writer.write_iteration(iteration, spans).expect("room for the trace");
    }
    let elapsed = begun.elapsed();
    let file = writer.finish().expect("room for the trace");
    let events = (operators.len() as u64 * u64::from(ITERATIONS)) as f64;
    let bytes = file.metadata().expect("a file").len() as f64;
    println!(
        "writing: {:.0} ns per operator event, {:.0} bytes per operator event ({events:.0} events)",
        elapsed.as_nanos() as f64 / events,
        bytes / (events + operators.len() as f64),
    );
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// 5th and 95th percentile of the medians of resampled ratios.
fn bootstrap(ratios: &[f64]) -> (f64, f64) {
    let mut state = 42u64;
    let mut medians: Vec<f64> = (0..500)
        .map(|_| {
            let sample: Vec<f64> = ratios
                .iter()
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    ratios[(state >> 33) as usize % ratios.len()]
                })
                .collect();
            median(&sample)
        })
        .collect();
    medians.sort_by(f64::total_cmp);
    (medians[25], medians[475])
}
