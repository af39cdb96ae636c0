//! Models and what was measured of them, built in code for tests of projections.

#![allow(dead_code)] // each test file uses a part

pub(crate) mod random;

use onnxray_analyzer::projection::{Estimate, RatioKey, RatioRow, WeightShape};
use onnxray_analyzer::{Needs, Summary, Trace, examine};
use onnxray_format::{
    Block, DataType, Iteration, IterationKind, Nanoseconds, Operator, Run, SparseRatio, Weight,
};
use onnxray_import::{Average, EventChunk, Events, Launch, NO_ITERATION, Thread};

pub(crate) const BLOCK: Block = Block::new(4, 1);

/// Operators, and the mean time of each in milliseconds if it is known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    pub run: Run,
    pub operators: Vec<Operator>,
    pub milliseconds: Vec<Option<f64>>,
}

impl Model {
    pub(crate) fn new(operators: impl IntoIterator<Item = (Operator, Option<f64>)>) -> Model {
        let (operators, milliseconds) = operators.into_iter().unzip();
        Model { operators, milliseconds, run: Run::default() }
    }

    /// As a trace tells it that has averages per iteration and nothing else.
    pub(crate) fn averaged(&self) -> Summary {
        let average = |(operator, milliseconds): (u32, &Option<f64>)| Average {
            operator,
            mean_ns: milliseconds.map(|milliseconds| milliseconds * 1e6),
            ..Average::default()
        };
        let averages = (0..).zip(&self.milliseconds).map(average).collect();
        summary(vec![Launch { averages, ..self.launch() }])
    }

    /// As a trace tells it that has executions and no iterations.
    pub(crate) fn without_iterations(&self) -> Summary {
        let mut chunk = EventChunk::default();
        let mut now = 0;
        for (operator, milliseconds) in (0..).zip(&self.milliseconds) {
            let Some(milliseconds) = milliseconds else { continue };
            let duration = (milliseconds * 1e6).round() as u64;
            push(&mut chunk, operator, NO_ITERATION, 0, [now, duration]);
            now += duration;
        }
        summary(vec![Launch { events: events(chunk), ..self.launch() }])
    }

    /// As launches of some iterations tell it, each of which has the nanoseconds
    /// of its operators and the time that it spends beside them. Operators run
    /// one after the other.
    pub(crate) fn measured(&self, launches: &[Vec<(Vec<u64>, u64)>]) -> Summary {
        self.run_by(launches, |durations| {
            durations
                .iter()
                .scan(0, |end, duration| Some(std::mem::replace(end, *end + duration)))
                .collect()
        })
    }

    /// The same, where operators begin all at once, each on a thread of its own.
    pub(crate) fn side_by_side(&self, launches: &[Vec<(Vec<u64>, u64)>]) -> Summary {
        self.run_by(launches, |durations| vec![0; durations.len()])
    }

    /// Operators begin where `starts` says, counted from their iteration's start.
    pub(crate) fn run_by(
        &self,
        launches: &[Vec<(Vec<u64>, u64)>],
        starts: impl Fn(&[u64]) -> Vec<u64>,
    ) -> Summary {
        let launch = |(number, iterations): (u32, &Vec<(Vec<u64>, u64)>)| {
            let mut launch = self.launch();
            (launch.run.launch, launch.run.converted_from) = (number, None);
            let mut chunk = EventChunk::default();
            let mut now = 0;
            for (index, (durations, overhead)) in (0..).zip(iterations) {
                let starts = starts(durations);
                for (operator, (start, duration)) in (0..).zip(starts.iter().zip(durations)) {
                    push(&mut chunk, operator, index, operator, [now + start, *duration]);
                }
                let ends = starts.iter().zip(durations).map(|(start, duration)| start + duration);
                let (start, duration) = (now, ends.max().unwrap_or_default() + overhead);
                let (start, duration) = (Nanoseconds(start), Nanoseconds(duration));
                let kind = IterationKind::Measured;
                launch.iterations.push(Iteration { index, kind, start, duration, step: None });
                now += duration.0;
            }
            launch.events = events(chunk);
            launch
        };
        summary((0..).zip(launches).map(launch).collect())
    }

    fn launch(&self) -> Launch {
        let mut operators = self.operators.clone();
        (0..).zip(&mut operators).for_each(|(number, operator)| operator.number = number);
        let converted_from = Some("a table".to_string());
        Launch { run: Run { converted_from, ..self.run.clone() }, operators, ..Launch::default() }
    }
}

fn push(chunk: &mut EventChunk, operator: u32, iteration: u32, thread: u32, time: [u64; 2]) {
    chunk.operator.push(operator);
    chunk.iteration.push(iteration);
    chunk.thread.push(thread);
    chunk.start.push(time[0]);
    chunk.duration.push(time[1]);
}

fn events(chunk: EventChunk) -> Events {
    let most = chunk.thread.iter().max().map_or(0, |most| most + 1);
    let name = |thread: u32| Thread { thread: thread.to_string(), ..Thread::default() };
    let threads = (0..most).map(name).collect();
    Events { chunks: vec![chunk], threads, figures: Vec::new() }
}

fn summary(launches: Vec<Launch>) -> Summary {
    examine(&Trace::new(launches), Needs::Measured).unwrap().summary
}

/// An operator with a dense weight of its own, which stands for `name.weight`.
pub(crate) fn layer(name: &str, operator_type: &str, [outputs, inputs]: [u64; 2]) -> Operator {
    Operator {
        name: name.to_string(),
        operator_type: operator_type.to_string(),
        weight: Some(Weight {
            name: format!("{name}.weight"),
            data_type: DataType::Fp32,
            stored_shape: vec![inputs, outputs],
            outputs,
            inputs,
            sparse_ratios: vec![SparseRatio { block: BLOCK, ratio: Some(0.0) }],
            magnitudes: Vec::new(),
        }),
        sparse_support: outputs.is_multiple_of(4),
        parameters: Some(outputs * inputs),
        ..Operator::default()
    }
}

/// An operator that multiplies with no constant.
pub(crate) fn weightless(name: &str, operator_type: &str) -> Operator {
    Operator {
        name: name.to_string(),
        operator_type: operator_type.to_string(),
        parameters: Some(0),
        ..Operator::default()
    }
}

/// With a weight of which this many of the blocks are zero.
pub(crate) fn sparse(mut operator: Operator, ratio: Option<f64>) -> Operator {
    operator.weight.as_mut().unwrap().sparse_ratios = vec![SparseRatio { block: BLOCK, ratio }];
    operator
}

/// A row for a shape, whatever the operator and element type.
pub(crate) fn row([outputs, inputs]: [u64; 2], points: &[(f64, f64)]) -> RatioRow {
    let shape = WeightShape { outputs, inputs };
    let key = RatioKey { operator_type: None, shape, data_type: None, block: BLOCK };
    let mut row = RatioRow::new(key);
    points.iter().for_each(|&(level, ratio)| row.set(level, Estimate::exact(ratio)));
    row
}

#[track_caller]
pub(crate) fn near(found: f64, expected: f64) {
    let scale = found.abs().max(expected.abs()).max(1e-300);
    assert!((found - expected).abs() <= 1e-9 * scale, "{found} is not {expected}");
}
