//! Shows what tract's operators take with and without clear vector registers, by means of
//! tract alone; `docs/studies/vector-registers.md` says what it is about:
//!
//! ```text
//! cargo run --locked --release --example vector_registers fixtures/models/cnn.onnx batch=1
//! ```
//!
//! Unprofiled iterations and iterations with a clearing instruction after each node take turns.
//! `onnxray_native::registers::clear()` is `_mm256_zeroupper()`, and `in_use()` is `_xgetbv(1) & 0x44`.

use onnxray_native::registers::{clear, in_use};
use std::collections::HashMap;
use std::hint::black_box;
use std::time::Instant;
use tract_onnx::prelude::*;
use tract_onnx::tract_core::plan::eval;

const PAIRS: usize = 400;
const WARM_UP: usize = 20;
const SHOWN: usize = 12;

/// Microseconds of iterations, or of the evaluations of a node: as it is, and cleared.
#[derive(Clone, Default)]
struct Times([Vec<f64>; 2]);

impl Times {
    fn push(&mut self, cleared: bool, start: Instant) {
        self.0[usize::from(cleared)].push(start.elapsed().as_secs_f64() * 1e6);
    }

    fn medians(&self) -> [f64; 2] {
        self.0.each_ref().map(|times| median(times.clone()))
    }

    /// Median over pairs of neighbours.
    fn of_pairs(&self, figure: impl Fn(f64, f64) -> f64) -> f64 {
        let pairs = self.0[0].iter().zip(&self.0[1]);
        median(pairs.map(|(&as_is, &cleared)| figure(as_is, cleared)).collect())
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn main() -> TractResult<()> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or("fixtures/models/cnn.onnx".to_string());
    let model = load(&path, arguments)?;
    let inputs = inputs(&model)?;
    let plan = TypedSimplePlan::new(model)?;
    let mut state = plan.spawn()?;
    state.run(inputs.clone())?;
    println!("after a run, upper halves in use: {:?}", in_use());
    println!("a copy of 16 bytes and an addition: {:.1} ns", copy_and_add());
    clear();
    println!("the same after clearing them: {:.1} ns", copy_and_add());
    let nodes = plan.model().nodes().len();
    let (mut whole, mut each) = (Times::default(), vec![Times::default(); nodes]);
    let mut leaves_in_use = vec![false; nodes];
    for turn in 0..2 * (WARM_UP + PAIRS) {
        let cleared = [false, true, true, false][turn % 4];
        let counts = turn >= 2 * WARM_UP;
        clear();
        let start = Instant::now();
        state.run_plan_with_eval(inputs.clone(), |context, state, node, inputs| {
            let start = Instant::now();
            let outputs = eval(context, state, node, inputs);
            if cleared {
                clear();
            }
            if counts {
                each[node.id].push(cleared, start);
            } else {
                leaves_in_use[node.id] |= !cleared && in_use() == Some(true);
            }
            outputs
        })?;
        if counts {
            whole.push(cleared, start);
        }
    }
    let [as_is, cleared] = whole.medians();
    let ratio = whole.of_pairs(|as_is, cleared| cleared / as_is);
    println!("{path}: {PAIRS} pairs of iterations; as it is, cleared (µs); median ratio of pairs");
    println!("{as_is:9.1} {cleared:9.1} {ratio:9.3}");
    println!("nodes: as it is, cleared, median difference of pairs (µs)");
    let mut rows: Vec<usize> = (0..nodes).filter(|&id| !each[id].0[0].is_empty()).collect();
    let gain = |id: usize| each[id].of_pairs(|as_is, cleared| as_is - cleared);
    rows.sort_by(|&a, &b| gain(b).total_cmp(&gain(a)));
    for &id in rows.iter().take(SHOWN) {
        let ([as_is, cleared], node) = (each[id].medians(), plan.model().node(id));
        let (gain, name) = (gain(id), node.op().name());
        println!("{as_is:9.2} {cleared:9.2} {gain:9.2}  {name} {}", node.name);
    }
    let gained: f64 = rows.iter().map(|&id| gain(id)).sum();
    println!("{gained:29.2}  all {} nodes", rows.len());
    let mut leaving: Vec<String> = rows
        .iter()
        .filter(|&&id| leaves_in_use[id])
        .map(|&id| plan.model().node(id).op().name().to_string())
        .collect();
    leaving.sort();
    leaving.dedup();
    println!("upper halves in use after: {}", leaving.join(", "));
    Ok(())
}

/// Nanoseconds that a copy of 16 bytes by the C library, a VEX instruction, and an addition,
/// an SSE instruction, take together.
fn copy_and_add() -> f64 {
    const COPIES: u32 = 100_000;
    let source = [1u8; 16];
    let (mut target, mut sum) = ([0u8; 16], 0f32);
    let start = Instant::now();
    for _ in 0..COPIES {
        let length = black_box(16);
        target[..length].copy_from_slice(&source[..length]);
        sum = black_box(sum) + f32::from(black_box(&target)[3]);
    }
    start.elapsed().as_secs_f64() * 1e9 / f64::from(COPIES)
}

fn load(path: &str, sizes: impl Iterator<Item = String>) -> TractResult<TypedModel> {
    let onnx = tract_onnx::onnx().with_ignore_value_info(true).with_ignore_output_shapes(true);
    let model = onnx.model_for_path(path)?.into_typed()?;
    let mut given = HashMap::new();
    for size in sizes {
        if let Some((name, size)) = size.split_once('=') {
            given.insert(model.symbols.sym(name), size.parse::<i64>()?.to_dim());
        }
    }
    model.set_symbols(&given)?.into_decluttered()?.into_optimized()
}

/// Ones, of whatever type.
fn inputs(model: &TypedModel) -> TractResult<TVec<TValue>> {
    let outlets = model.input_outlets()?;
    let inputs = outlets.iter().map(|&outlet| {
        let fact = model.outlet_fact(outlet)?;
        let shape: TVec<usize> = fact.shape.eval_to_usize(&SymbolValues::default())?.into_owned();
        let one = tensor0(1f32).cast_to_dt(fact.datum_type)?.into_owned();
        Ok(one.broadcast_scalar_to_shape(&shape)?.into_tvalue())
    });
    inputs.collect()
}
