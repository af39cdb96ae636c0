//! The figures that benchmark trackers keep, in the formats of two: Bencher's metric format, and
//! the custom results of github-action-benchmark.

use crate::document::{Document, Measure, Metric};
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// Writes an object: a member per benchmark, with an object per measure, which has `value` and,
/// where they are known, `lower_value` and `upper_value`. Latencies are in nanoseconds.
///
/// Format: <https://bencher.dev/docs/reference/bencher-metric-format/>
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_bencher(document: &Document, mut out: impl Write) -> io::Result<()> {
    let mut benchmarks = Map::new();
    for metric in &document.metrics {
        let mut figures = Map::from_iter([("value".to_string(), json!(metric.value))]);
        if let Some([low, high]) = metric.interval {
            figures.insert("lower_value".to_string(), json!(low));
            figures.insert("upper_value".to_string(), json!(high));
        }
        let measure = match metric.measure {
            Measure::Latency => "latency",
            Measure::Ratio => "ratio",
        };
        // A benchmark may have several measures.
        let benchmark = benchmarks.entry(&metric.benchmark).or_insert_with(|| json!({}));
        benchmark[measure] = Value::Object(figures);
    }
    serde_json::to_writer_pretty(&mut out, &benchmarks)?;
    writeln!(out)
}

/// Writes an array for `customSmallerIsBetter`: of each metric `name`, `unit`, `value` and, where
/// it is known, `range`: the farther end of the interval.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_benchmark_action(document: &Document, mut out: impl Write) -> io::Result<()> {
    let result = |metric: &Metric| {
        let (name, unit, size) = match metric.measure {
            // Metrics hold nanoseconds.
            Measure::Latency => (metric.benchmark.clone(), "ms", 1e-6),
            Measure::Ratio => (format!("{}, ratio", metric.benchmark), "B / A", 1.0),
        };
        let mut result = json!({"name": name, "unit": unit, "value": metric.value * size});
        if let Some([low, high]) = metric.interval {
            let apart = (metric.value - low).max(high - metric.value) * size;
            // Six decimals of a millisecond are nanoseconds.
            result["range"] = json!(format!("± {apart:.6}"));
        }
        result
    };
    let results: Vec<Value> = document.metrics.iter().map(result).collect();
    serde_json::to_writer_pretty(&mut out, &results)?;
    writeln!(out)
}
