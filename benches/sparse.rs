//! What products gain by skipping the zero blocks of their weights.
//!
//! ```text
//! cargo bench --locked --bench sparse
//! ```
//!
//! Each line is a model of one product, loaded twice: as the engine runs it, and skipping zeros.
//! Both take turns, in the order ABBA. The figure is dense / sparse time of its operators, as a
//! recording has them, packing included: the median of the ratios of neighbours. Then the same kernels
//! with the instructions of each set that the processor has, against themselves without zeros.
//!
//! `ONNXRAY_BENCH_PAIRS` (60) pairs of turns.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a bench that fails panics

#[path = "../tests/harness/onnx_file.rs"]
#[allow(dead_code)] // the tests use the rest of it
mod onnx_file;

use ndarray::ArrayD;
use onnx_file::{FLOAT, floats, model as onnx, node, value};
use onnxray_format::VectorRegisters;
use onnxray_recorder::engine::tract::{TractOptions, ZeroShare};
use onnxray_recorder::engine::{EngineSpec, Instrumentation, LoadedModel, Runner};
use onnxray_recorder::{BoundDimensions, OnnxFile, Tensor};
use onnxray_sparse::{BLOCK_OUTPUTS, InstructionSet, Kernel, Weight, over};
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

/// Outputs and inputs.
const WEIGHTS: [(usize, usize); 4] = [(256, 256), (1024, 256), (256, 1024), (3072, 768)];
const COLUMNS: [usize; 2] = [128, 1024];
/// Outputs, inputs, height and width.
const PIXELS: [(usize, usize, usize); 4] =
    [(64, 32, 48), (128, 64, 24), (256, 256, 14), (512, 512, 7)];
const LEVELS: [f64; 4] = [0.0, 0.5, 0.9, 0.95];

fn main() {
    let pairs = std::env::var("ONNXRAY_BENCH_PAIRS").ok().and_then(|text| text.parse().ok());
    let pairs: usize = pairs.unwrap_or(60);
    let folder = tempfile::tempdir().expect("a temporary folder");
    println!("dense / sparse time, {}", Kernel::best().instruction_set());
    print!("{:<28}", "outputs x inputs, columns");
    LEVELS.iter().for_each(|level| print!("{:>10}", format!("{:.0} %", level * 100.0)));
    println!();
    let tokens = WEIGHTS.iter().flat_map(|weight| COLUMNS.map(|columns| (*weight, columns)));
    let rows = tokens.map(|((outputs, inputs), columns)| {
        row(&format!("{outputs}x{inputs}, {columns}"), pairs, |level| {
            product(folder.path(), outputs, inputs, columns, level)
        })
    });
    means("tokens", &rows.collect::<Vec<_>>());
    let rows = PIXELS.map(|(outputs, inputs, side)| {
        row(&format!("{outputs}x{inputs}, {side}x{side} pixels"), pairs, |level| {
            convolution(folder.path(), outputs, inputs, side, level)
        })
    });
    means("pixels", &rows);
    for kernel in InstructionSet::ALL.into_iter().filter_map(Kernel::with) {
        own(kernel, pairs);
    }
}

fn row(title: &str, pairs: usize, model: impl Fn(f64) -> Pair) -> Vec<f64> {
    print!("{title:<28}");
    let ratios: Vec<f64> = LEVELS.iter().map(|&level| model(level).ratio(pairs)).collect();
    ratios.iter().for_each(|ratio| print!("{ratio:>10.2}"));
    println!();
    ratios
}

fn means(title: &str, rows: &[Vec<f64>]) {
    for (name, of) in [
        ("geometric mean", geometric as fn(&[f64]) -> f64),
        ("least", |all| all.iter().copied().fold(f64::MAX, f64::min)),
    ] {
        print!("{:<28}", format!("{title}, {name}"));
        for level in 0..LEVELS.len() {
            let all: Vec<f64> = rows.iter().map(|row| row[level]).collect();
            print!("{:>10.2}", of(&all));
        }
        println!();
    }
}

fn geometric(all: &[f64]) -> f64 {
    (all.iter().map(|ratio| ratio.ln()).sum::<f64>() / all.len() as f64).exp()
}

/// One model, loaded twice.
struct Pair {
    dense: Box<dyn Runner>,
    sparse: Box<dyn Runner>,
    input: Tensor,
    /// Held for as long as their runners.
    _models: Vec<Box<dyn LoadedModel>>,
}

impl Pair {
    fn load(path: &Path, shape: &[usize], values: Vec<f32>) -> Pair {
        let file = Rc::new(OnnxFile::read(path).expect("a model"));
        let bound = BoundDimensions {
            shapes: vec![shape.iter().map(|&size| size as u64).collect()],
            ..BoundDimensions::default()
        };
        let all = Some(ZeroShare::try_from(0.0).expect("a share"));
        let mut models = Vec::new();
        let mut runner = |sparse| {
            let engine = EngineSpec::Tract(TractOptions { sparse }).start(1).expect("tract");
            let model = engine.load(&file, &bound, 1).expect("a model that loads");
            let runner = model.runner(VectorRegisters::Cleared, Instrumentation::Spans);
            let is_sparse = model
                .operators(&[])
                .expect("operators")
                .iter()
                .any(|operator| operator.kernel.as_deref() == Some("SparseMatMul"));
            assert_eq!(is_sparse, sparse.is_some());
            models.push(model);
            runner.expect("a plan")
        };
        let (dense, sparse) = (runner(None), runner(all));
        let input = ArrayD::from_shape_vec(shape.to_vec(), values).expect("its elements");
        Pair { dense, sparse, input: Tensor::F32(input), _models: models }
    }

    fn ratio(mut self, pairs: usize) -> f64 {
        let input = [self.input];
        let run = |runner: &mut dyn Runner| {
            runner.prepare(&input).expect("inputs");
            runner.run().expect("a run");
            let mut spans = Vec::new();
            assert!(runner.take_spans(&mut spans), "it is told what each operator takes");
            spans.iter().map(|span| span.duration.0 as f64).sum()
        };
        in_turns(pairs, || run(&mut *self.dense), || run(&mut *self.sparse))
    }
}

/// The median ratio of two times, in the order ABBA, the first turns left out. A turn is the least of
/// some runs: what interrupts one is no figure of the product.
fn in_turns(pairs: usize, mut a: impl FnMut() -> f64, mut b: impl FnMut() -> f64) -> f64 {
    const RUNS: usize = 5;
    let turn = |run: &mut dyn FnMut() -> f64| (0..RUNS).map(|_| run()).fold(f64::MAX, f64::min);
    let mut ratios: Vec<f64> = (0..pairs + 5)
        .map(|pair| match pair % 2 {
            0 => turn(&mut a) / turn(&mut b),
            _ => {
                let b = turn(&mut b);
                turn(&mut a) / b
            }
        })
        .skip(5)
        .collect();
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}

fn product(folder: &Path, outputs: usize, inputs: usize, columns: usize, level: f64) -> Pair {
    let rows = rows(outputs, inputs, level);
    let turned: Vec<f32> =
        (0..rows.len()).map(|at| rows[at % outputs * inputs + at / outputs]).collect();
    let shape = [1, columns as u64, inputs as u64];
    let bytes = onnx(
        vec![node("MatMul", "product", &["x", "weight"], &["y"])],
        vec![floats("weight", &[inputs as u64, outputs as u64], &turned)],
        vec![value("x", FLOAT, &shape)],
        vec![value("y", FLOAT, &[1, columns as u64, outputs as u64])],
    );
    let path = folder.join("product.onnx");
    std::fs::write(&path, bytes).expect("room for the model");
    Pair::load(&path, &[1, columns, inputs], numbers(columns * inputs))
}

fn convolution(folder: &Path, outputs: usize, inputs: usize, side: usize, level: f64) -> Pair {
    let rows = rows(outputs, inputs, level);
    let (o, i, s) = (outputs as u64, inputs as u64, side as u64);
    let bytes = onnx(
        vec![node("Conv", "convolution", &["x", "weight"], &["y"])],
        vec![floats("weight", &[o, i, 1, 1], &rows)],
        vec![value("x", FLOAT, &[1, i, s, s])],
        vec![value("y", FLOAT, &[1, o, s, s])],
    );
    let path = folder.join("convolution.onnx");
    std::fs::write(&path, bytes).expect("room for the model");
    Pair::load(&path, &[1, inputs, side, side], numbers(inputs * side * side))
}

/// A weight of which this share of blocks is zero, spread evenly at random.
fn rows(outputs: usize, inputs: usize, level: f64) -> Vec<f32> {
    let mut rows = numbers(outputs * inputs);
    let blocks = outputs / BLOCK_OUTPUTS * inputs;
    let mut order: Vec<(u32, usize)> =
        numbers(blocks).into_iter().map(f32::to_bits).zip(0..).collect();
    order.sort_unstable();
    for &(_, block) in &order[..(level * blocks as f64).round() as usize] {
        let (group, input) = (block / inputs, block % inputs);
        for row in 0..BLOCK_OUTPUTS {
            rows[(group * BLOCK_OUTPUTS + row) * inputs + input] = 0.0;
        }
    }
    rows
}

/// Numbers from 0 to 1, the same each time.
fn numbers(count: usize) -> Vec<f32> {
    let mut state = 7_u64;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 40) as f32 / (1_u64 << 24) as f32
        })
        .collect()
}

/// Kernels with 90 % zeros against the same without.
fn own(kernel: Kernel, pairs: usize) {
    println!("\n{}: 0 % / 90 % time, packing included", kernel.instruction_set());
    let mut all = Vec::new();
    for (outputs, inputs) in WEIGHTS {
        for columns in COLUMNS {
            let weight = |level| {
                Weight::new(&rows(outputs, inputs, level), outputs, inputs).expect("a weight")
            };
            let (dense, sparse) = (weight(0.0), weight(0.9));
            let data = numbers(columns * inputs);
            let run = |weight: &Weight| {
                let mut result = vec![0.0; columns * outputs];
                let mut rows = over(&mut result, kernel.token_rows(weight, columns));
                let start = Instant::now();
                kernel.tokens(weight, &data, columns, &[], 0, &mut rows);
                let time = start.elapsed().as_secs_f64();
                std::hint::black_box(result);
                time
            };
            let ratio = in_turns(pairs, || run(&dense), || run(&sparse));
            println!("{:<28}{ratio:>10.2}", format!("{outputs}x{inputs}, {columns}"));
            all.push(ratio);
        }
    }
    println!("{:<28}{:>10.2}", "geometric mean", geometric(&all));
}
