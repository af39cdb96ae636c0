//! A recording of a model that nobody has: as many operators as wanted, every
//! kind of weight and every reason not to project one, and names that no
//! spreadsheet would choose.

use crate::sequence::Sequence;
use onnxray_format::{
    Block, DataType, Iteration, IterationKind, Lane, MAGNITUDE_PARTS, Nanoseconds, Operator,
    OperatorArguments, Run, Span, SparseRatio, Tensor, TraceWriter, Weight,
};
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

const WARM_UPS: u32 = 2;
const MEASURED: u32 = 12;

/// Types of operators with a weight. A lookup must not take `Conv*`, `Con?` and
/// `~` for patterns, `<b>` and `>0` for comparisons, or `=1+1` for a formula.
const WEIGHTED: [&str; 12] = [
    "MatMul",
    "Gemm",
    "Conv",
    "FusedMatMul",
    "MatMulInteger",
    "Conv*",
    "Con?",
    "Conv~",
    "<b>",
    ">0",
    "=1+1",
    "Größe \"q\" 'a' & b",
];

/// Types of operators that multiply with no constant.
const WEIGHTLESS: [&str; 4] = ["Add", "Softmax", "Gelu", "TRUE"];

/// Ends of operators' names.
const SUFFIXES: [&str; 10] = [
    "/kernel",
    "=1+1",
    "<b>bold</b>",
    "\"quoted\", 'twice'",
    "Übergrößenträger",
    "  blanks at both ends  ",
    "@SUM(A1)",
    "https://example.org/?a=1&b=2",
    "*?~[a-z]",
    "層/ノード",
];

/// Writes a recording of 12 measured iterations into a file. A tenth of the
/// operators run beside the one before them; the iterations are longer than what
/// their operators cover.
pub(crate) fn recording(path: &Path, operators: u32) -> io::Result<()> {
    let mut random = Sequence::new(u64::from(operators));
    let operators = table(operators, &mut random);
    let typical: Vec<u64> = operators.iter().map(|_| 1_000 + skewed(&mut random)).collect();
    let run = Run {
        format_version: onnxray_format::FORMAT_VERSION,
        producer: "onnxray synthetic".to_string(),
        profile: "baseline".to_string(),
        model: "synthetic <&> \"model\".onnx".to_string(),
        batch_size: Some(4),
        threads: Some(2),
        engine: "none".to_string(),
        engine_version: "0".to_string(),
        warmup_iterations: WARM_UPS,
        process: 1,
        recording: "synthetic".to_string(),
        launches_planned: Some(1),
        ..Run::default()
    };
    let out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let mut writer = TraceWriter::new(out, &run, &operators, OperatorArguments::WhenChanged);
    let [first, second] = [1, 2].map(|thread| Lane { process: 1, thread });
    let mut clock = 1_000_000;
    for index in 0..WARM_UPS + MEASURED {
        let begin = clock;
        let mut neighbour = clock;
        for (number, typical) in typical.iter().enumerate() {
            // Of every fifty one never runs.
            if number % 50 == 49 {
                continue;
            }
            // Up to 20 % more or less than typical.
            let duration = typical * (800 + random.below(400)) / 1000;
            let beside = number % 10 == 7;
            let (start, lane) = if beside { (neighbour, second) } else { (clock, first) };
            let span = Span {
                operator: number as u32,
                worker: 0,
                start: Nanoseconds(start),
                duration: Nanoseconds(duration),
            };
            writer.write_execution(&span, lane, &[])?;
            if !beside {
                neighbour = clock;
            }
            clock = clock.max(start + duration) + random.below(300);
        }
        let kind = match index < WARM_UPS {
            true => IterationKind::WarmUp,
            false => IterationKind::Measured,
        };
        let duration = Nanoseconds(clock + random.below(50_000) - begin);
        let start = Nanoseconds(begin);
        writer.write_mark(&Iteration { index, kind, start, duration, step: None }, first)?;
        clock = (start + duration).0 + 5_000;
    }
    writer.finish()?;
    Ok(())
}

/// This many operators.
pub(crate) fn table(operators: u32, random: &mut Sequence) -> Vec<Operator> {
    (0..operators).map(|number| operator(number, random)).collect()
}

/// Mostly small, seldom large: nanoseconds beyond the shortest operator's.
fn skewed(random: &mut Sequence) -> u64 {
    let unit = random.below(1_000_000) as f64 / 1e6;
    (unit.powi(6) * 2_000_000.0) as u64 + random.below(5_000)
}

fn operator(number: u32, random: &mut Sequence) -> Operator {
    let suffix = SUFFIXES[number as usize % SUFFIXES.len()];
    let weight = (random.below(10) < 6).then(|| random.below(50)).map(|shape| {
        // A shape belongs to one type of operators, as a rule.
        let operator_type = shape + u64::from(random.below(10) == 0);
        let operator_type = WEIGHTED[operator_type as usize % WEIGHTED.len()];
        (operator_type, weight(number, shape, random))
    });
    let weightless = WEIGHTLESS[random.below(WEIGHTLESS.len() as u64) as usize];
    let operator_type = weight.as_ref().map_or(weightless, |(operator_type, _)| operator_type);
    let weight = weight.map(|(_, weight)| weight);
    // A spreadsheet's own names come first; text in cells may not be a formula.
    let name = match number % 3 {
        0 => format!("{suffix} {number}"),
        _ => format!("/layer.{number}/{suffix}"),
    };
    let tensor = |name: String, shape: Vec<u64>| Tensor {
        name,
        data_type: Some(DataType::Fp32),
        shape: Some(shape),
    };
    let width = weight.as_ref().map_or(256, |weight| weight.outputs);
    let depth = weight.as_ref().map_or(256, |weight| weight.inputs);
    let parameters = match (&weight, random.below(12)) {
        (Some(weight), _) => Some(weight.outputs * weight.inputs),
        // Nobody knows whether it has a weight.
        (None, 0) => None,
        (None, _) => Some(0),
    };
    Operator {
        number,
        nodes: vec![name.clone()],
        post_ops: if number % 7 == 3 { vec!["Relu".to_string()] } else { Vec::new() },
        inputs: vec![tensor(format!("in {number}"), vec![1, depth])],
        outputs: vec![tensor(format!("out {number}"), vec![1, width])],
        sparse_support: weight.as_ref().is_some_and(|weight| weight.outputs.is_multiple_of(4)),
        flops: Some(2 * width * depth),
        bytes: Some(4 * (width + depth)),
        executions: Some(1),
        parameters,
        weight,
        name,
        operator_type: operator_type.to_string(),
        ..Operator::default()
    }
}

/// `shape` is one of 50, of which some have no sparse support.
fn weight(number: u32, shape: u64, random: &mut Sequence) -> Weight {
    let outputs = if shape % 9 == 8 { 30 + shape } else { 64 * (1 + shape % 12) };
    let inputs = 32 * (1 + shape / 3);
    let data_type = match (random.below(12), shape % 4) {
        (0, _) => DataType::S8,
        (_, 0) => DataType::Bf16,
        _ => DataType::Fp32,
    };
    let ratio = match random.below(10) {
        // Pruned already.
        0 => 0.5 + random.below(50) as f64 / 100.0,
        // Sparser than some targets.
        1 | 2 => random.below(50) as f64 / 100.0,
        _ => 0.0,
    };
    let ratio_of = |block: Block| match outputs.is_multiple_of(u64::from(block.outputs)) {
        true => Some(ratio),
        false => None,
    };
    let scale = (1 + random.below(100)) as f32 / 1000.0;
    Weight {
        name: format!("weight {number}"),
        data_type,
        stored_shape: vec![inputs, outputs],
        outputs,
        inputs,
        sparse_ratios: Block::ALL
            .map(|block| SparseRatio { block, ratio: ratio_of(block) })
            .to_vec(),
        magnitudes: (0..MAGNITUDE_PARTS).map(|part| scale * (1 + part) as f32).collect(),
    }
}
