//! The figures of a recording: per operator, per type and per launch.

use super::{frame, frame_columns};
use crate::statistics::{LaunchSummary, OperatorSummary, Summary, TypeSummary, UnderRoof};
use crate::units::Milliseconds;
use polars::prelude::{DataFrame, PolarsResult};

fn known(time: Option<Milliseconds>) -> Option<f64> {
    time.map(|time| time.0)
}

frame_columns! {
    /// One row per operator, in the order of their numbers.
    OPERATORS: OperatorSummary;
    /// unique in the trace
    "name" = |row| row.operator.name.clone();
    /// ONNX op type, or the producer's own
    "type" = |row| row.operator.operator_type.clone();
    /// executions in typical iterations
    "calls" = |row| row.calls;
    /// exclusive time per iteration: mean over typical iterations
    "time_ms" = |row| known(row.mean);
    /// 95 % interval of that: its lower end
    "time_low_ms" = |row| row.interval.map(|ends| ends.low);
    /// its upper end
    "time_high_ms" = |row| row.interval.map(|ends| ends.high);
    /// exclusive time per measured iteration in which it ran: median
    "time_median_ms" = |row| known(row.median);
    /// 90th percentile
    "time_p90_ms" = |row| row.time.map(|time| time.p90.0);
    /// 99th percentile
    "time_p99_ms" = |row| row.time.map(|time| time.p99.0);
    /// the smallest
    "time_min_ms" = |row| row.time.map(|time| time.min.0);
    /// the largest
    "time_max_ms" = |row| row.time.map(|time| time.max.0);
    /// share of what operators and overhead add up to, from 0 to 1
    "share" = |row| row.share.map(|share| share.0);
    /// operations per iteration
    "flops" = |row| row.flops;
    /// billions of these per second of its exclusive time
    "gflops_per_second" = |row| row.gflops_per_second;
    /// bytes read and written per iteration
    "bytes" = |row| row.bytes;
    /// share of the machine's peak rates that it reaches, from 0 to 1
    "roof_share" = |row| row.roof.as_ref().and_then(UnderRoof::share).map(|share| share.0);
    /// time above what these would take
    "to_gain_ms" = |row| row.roof.as_ref().and_then(UnderRoof::to_gain).map(|gain| gain.0);
}

/// The operators of a recording, with the columns of [`OPERATORS`].
///
/// # Errors
///
/// If polars refuses the columns, which would be a defect.
pub fn operators(summary: &Summary) -> PolarsResult<DataFrame> {
    frame(OPERATORS, &summary.operators)
}

frame_columns! {
    /// One row per operator type.
    TYPES: TypeSummary;
    /// ONNX op type, or the producer's own
    "type" = |row| row.operator_type.clone();
    /// number of operators
    "operators" = |row| row.operators;
    /// executions in typical iterations
    "calls" = |row| row.calls;
    /// exclusive time per iteration: mean over typical iterations
    "time_ms" = |row| known(row.mean);
    /// exclusive time per iteration in which one of them ran: median
    "time_median_ms" = |row| row.time.map(|time| time.median.0);
    /// 99th percentile
    "time_p99_ms" = |row| row.time.map(|time| time.p99.0);
    /// share of what operators and overhead add up to, from 0 to 1
    "share" = |row| row.share.map(|share| share.0);
    /// billions of operations per second of their exclusive time
    "gflops_per_second" = |row| row.gflops_per_second;
}

/// The operator types of a recording, with the columns of [`TYPES`].
///
/// # Errors
///
/// If polars refuses the columns, which would be a defect.
pub fn types(summary: &Summary) -> PolarsResult<DataFrame> {
    frame(TYPES, &summary.types)
}

frame_columns! {
    /// One row per launch.
    LAUNCHES: LaunchSummary;
    /// number of the launch in the recording
    "launch" = |row| row.launch;
    /// measured iterations
    "iterations" = |row| row.iterations;
    /// profiled latency: median
    "profiled_latency_ms" = |row| row.latency.map(|times| times.median.0);
    /// latency of unprofiled iterations: median
    "latency_ms" = |row| row.unprofiled.map(|times| times.median.0);
    /// 99th percentile
    "latency_p99_ms" = |row| row.unprofiled.map(|times| times.p99.0);
}

/// The launches of a recording, with the columns of [`LAUNCHES`].
///
/// # Errors
///
/// If polars refuses the columns, which would be a defect.
pub fn launches(summary: &Summary) -> PolarsResult<DataFrame> {
    frame(LAUNCHES, &summary.launches)
}
