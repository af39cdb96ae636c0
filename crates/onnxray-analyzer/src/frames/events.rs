//! What happened: executions, iterations, and the kernels that were executed.

use super::{frame, frame_columns};
use crate::statistics::{IterationSummary, Summary, exclusive_times};
use crate::trace::Trace;
use onnxray_format::{Operator, Tensor};
use polars::prelude::{Column, DataFrame, NamedFrom, PolarsResult, Series};

/// A column of [`EVENTS`], of a trace and the exclusive times of its events.
pub struct EventColumn {
    /// Stable: queries rely on it.
    pub name: &'static str,
    /// What it holds, in words.
    pub meaning: &'static str,
    values: fn(&Trace, &[u64]) -> Series,
}

/// One row per execution of a kernel.
pub const EVENTS: &[EventColumn] = &[
    EventColumn {
        name: "launch",
        meaning: "position of the launch in the trace, from 0",
        values: |trace, _| Series::new("launch".into(), &trace.events.launch),
    },
    EventColumn {
        name: "iteration",
        meaning: "position of the iteration in its launch; the largest number outside of all",
        values: |trace, _| Series::new("iteration".into(), &trace.events.iteration),
    },
    EventColumn {
        name: "row",
        meaning: "row of the iteration in the table of iterations; null outside of all",
        values: |trace, _| {
            let events = &trace.events;
            let rows = events.launch.iter().zip(&events.iteration);
            let rows = rows.map(|(&launch, &iteration)| trace.iterations.row(launch, iteration));
            Series::new("row".into(), rows.collect::<Vec<_>>())
        },
    },
    EventColumn {
        name: "operator",
        meaning: "number of the operator: its row in the table of operators",
        values: |trace, _| {
            let operators = trace.events.kernel.iter().map(|&kernel| trace.operator_of(kernel));
            Series::new("operator".into(), operators.collect::<Vec<_>>())
        },
    },
    EventColumn {
        name: "kernel",
        meaning: "number of the kernel: its row in the table of kernels",
        values: |trace, _| Series::new("kernel".into(), &trace.events.kernel),
    },
    EventColumn {
        name: "thread",
        meaning: "number of the thread or stream in its launch",
        values: |trace, _| Series::new("thread".into(), &trace.events.thread),
    },
    EventColumn {
        name: "start_ns",
        meaning: "start on the launch's clock, in nanoseconds",
        values: |trace, _| Series::new("start_ns".into(), &trace.events.start),
    },
    EventColumn {
        name: "duration_ns",
        meaning: "wall time in nanoseconds, including operators inside",
        values: |trace, _| Series::new("duration_ns".into(), &trace.events.duration),
    },
    EventColumn {
        name: "exclusive_ns",
        meaning: "the same without operators inside, and without what profiling costs",
        values: |_, exclusive| Series::new("exclusive_ns".into(), exclusive),
    },
];

/// The executions of a trace, with the columns of [`EVENTS`].
///
/// # Errors
///
/// If polars refuses the columns, which would be a defect.
pub fn events(trace: &Trace) -> PolarsResult<DataFrame> {
    let exclusive = exclusive_times(trace);
    let columns = EVENTS.iter().map(|column| Column::from((column.values)(trace, &exclusive)));
    DataFrame::new_infer_height(columns.collect())
}

frame_columns! {
    /// One row per iteration.
    ITERATIONS: IterationSummary;
    /// number of the launch in the recording
    "launch" = |iteration| iteration.launch;
    /// number that the recorder gave it
    "index" = |iteration| iteration.index;
    /// measured, warm-up, or plain: without a profiler
    "kind" = |iteration| iteration.kind.name();
    /// start on the launch's clock, in nanoseconds
    "start_ns" = |iteration| iteration.start.0;
    /// wall time in nanoseconds
    "latency_ns" = |iteration| iteration.latency.0;
    /// exclusive times of its operators in nanoseconds, summed up
    "operators_ns" = |iteration| iteration.operators.map(|time| time.0);
    /// wall time in nanoseconds that neither operators nor devices cover
    "overhead_ns" = |iteration| iteration.overhead.map(|time| time.0);
}

/// The iterations of a recording, with the columns of [`ITERATIONS`], in the order of their rows.
///
/// # Errors
///
/// If polars refuses the columns, which would be a defect.
pub fn iterations(summary: &Summary) -> PolarsResult<DataFrame> {
    frame(ITERATIONS, &summary.iterations)
}

/// `1x64; 64x256`; `None` without tensors.
fn shapes(tensors: &[Tensor]) -> Option<String> {
    let shapes: Vec<_> = tensors.iter().map(|tensor| tensor.shape_text("x")).collect();
    (!shapes.is_empty()).then(|| shapes.join("; "))
}

frame_columns! {
    /// One row per kernel, in the order of their numbers.
    KERNELS: Operator;
    /// unique in the trace
    "name" = |kernel| kernel.name.clone();
    /// ONNX op type, or the producer's own
    "type" = |kernel| kernel.operator_type.clone();
    /// what the engine calls the implementation
    "kernel" = |kernel| kernel.kernel.clone();
    /// number of the operator in whose body it runs
    "parent" = |kernel| kernel.parent;
    /// shapes of the tensors it reads: `1x64; 64x256`
    "input_shapes" = |kernel| shapes(&kernel.inputs);
    /// shapes of the tensors it writes
    "output_shapes" = |kernel| shapes(&kernel.outputs);
    /// elements of the constants that it reads
    "parameters" = |kernel| kernel.parameters;
    /// operations of one execution
    "flops" = |kernel| kernel.flops;
    /// bytes read and written in one execution
    "bytes" = |kernel| kernel.bytes;
}

/// What was executed, with the columns of [`KERNELS`].
///
/// # Errors
///
/// If polars refuses the columns, which would be a defect.
pub fn kernels(trace: &Trace) -> PolarsResult<DataFrame> {
    frame(KERNELS, trace.kernels.as_ref().map_or(&trace.operators, |kernels| &kernels.table))
}
