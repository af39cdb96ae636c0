//! Recordings with the times that one wants them to have.

use crate::launches::Plan;
use crate::sequence::Sequence;
use onnxray_analyzer::comparison::{Comparison, Options, Recording, compare};
use onnxray_analyzer::{Needs, Trace, examine};
use onnxray_format::{DataType, Iteration, IterationKind, Nanoseconds, Operator, Run, Tensor};
use onnxray_import::{Average, Launch};

/// An operator of a node of the same name.
pub(crate) fn operator(name: &str, operator_type: &str) -> Operator {
    let tensor =
        |name: String| Tensor { name, data_type: Some(DataType::Fp32), shape: Some(vec![1, 64]) };
    Operator {
        name: name.to_string(),
        operator_type: operator_type.to_string(),
        nodes: vec![name.to_string()],
        inputs: vec![tensor(format!("{name}_in"))],
        outputs: vec![tensor(format!("{name}_output_0"))],
        ..Operator::default()
    }
}

/// A chain of five layers.
pub(crate) fn model() -> Vec<Operator> {
    [("/a", "MatMul"), ("/b", "Add"), ("/c", "Softmax"), ("/d", "MatMul"), ("/e", "Erf")]
        .into_iter()
        .enumerate()
        .map(|(number, (name, kind))| Operator { number: number as u32, ..operator(name, kind) })
        .collect()
}

pub(crate) fn run() -> Run {
    Run {
        model: "model.onnx".to_string(),
        model_sha256: Some("0123456789abcdef".to_string()),
        batch_size: Some(1),
        threads: Some(1),
        cpu: Some("a CPU".to_string()),
        host: Some("a host".to_string()),
        engine: "an engine".to_string(),
        engine_version: "1".to_string(),
        recording: "a recording".to_string(),
        clock_resolution: Some(Nanoseconds(10)),
        ..Run::default()
    }
}

pub(crate) const OVERHEAD: u64 = 5_000;

/// Launches whose operators take `time` nanoseconds.
pub(crate) fn launches(
    operators: &[Operator],
    count: u32,
    iterations: u32,
    time: impl FnMut(u32, u32, usize) -> u64,
) -> Vec<Launch> {
    Plan { run: run(), operators, launches: count, iterations }.launches(OVERHEAD, time)
}

/// Times of the model's layers, in nanoseconds, with what one launch has more than
/// another and one iteration more than another.
pub(crate) fn noisy(seed: u64, factors: [f64; 5]) -> impl FnMut(u32, u32, usize) -> u64 {
    let mut random = Sequence::new(seed);
    let (mut current, mut of_launch) = (u32::MAX, 0);
    move |launch, _, operator| {
        if current != launch {
            (current, of_launch) = (launch, random.below(400));
        }
        let base = [100_000, 20_000, 30_000, 200_000, 10_000][operator] as f64;
        let noise = 1.0 + (of_launch + random.below(300)) as f64 / 100_000.0;
        (base * factors[operator] * noise) as u64
    }
}

/// The model with noise.
pub(crate) fn noisy_recording(seed: u64, count: u32, factors: [f64; 5]) -> Recording {
    recording("noisy", launches(&model(), count, 40, noisy(seed, factors)))
}

pub(crate) fn recording(label: &str, launches: Vec<Launch>) -> Recording {
    let trace = Trace::new(launches);
    let (summary, timeline) = examine(&trace, Needs::Measured).unwrap().into_timeline();
    Recording { label: label.to_string(), summary, timeline }
}

/// The same as a format tells it that has averages only.
pub(crate) fn averaged(operators: &[Operator], means: &[f64]) -> Recording {
    let average = |(operator, &mean): (u32, &f64)| Average {
        operator,
        mean_ns: Some(mean),
        ..Average::default()
    };
    let launch = Launch {
        run: run(),
        operators: operators.to_vec(),
        averages: (0..).zip(means).map(average).collect(),
        ..Launch::default()
    };
    recording("averaged", vec![Launch { run: converted(), ..launch }])
}

/// The same, with iterations that were measured apart from the operators.
pub(crate) fn timed_apart(means: &[f64], latencies: &[u64]) -> Recording {
    let operators = model();
    let average =
        |(operator, &mean): (u32, &f64)| Average::of_mean(operator, Nanoseconds(mean as u64));
    let mut start = 0;
    let iterations = (0..).zip(latencies).map(|(index, &latency)| {
        let begin = Nanoseconds(start);
        start += latency + 1_000;
        Iteration {
            index,
            kind: IterationKind::Measured,
            start: begin,
            duration: Nanoseconds(latency),
            step: None,
        }
    });
    let launch = Launch {
        run: converted(),
        iterations: iterations.collect(),
        averages: (0..).zip(means).map(average).collect(),
        operators,
        ..Launch::default()
    };
    recording("timed apart", vec![launch])
}

/// A run that was not recorded by ourselves, and may lack iterations.
pub(crate) fn converted() -> Run {
    Run { converted_from: Some("something".to_string()), ..run() }
}

pub(crate) fn compared(a: &Recording, b: &Recording) -> Comparison {
    compare(a, b, &Options::default()).unwrap()
}
