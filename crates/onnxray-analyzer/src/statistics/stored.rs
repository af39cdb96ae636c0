//! A summary from what `summary --format json` printed: one small file instead of
//! a recording. It has means and latencies, and no iterations, so that nothing is tested.

use super::{Distribution, LatencySummary, Needs, StatisticsError, Summary, Timeline, examine};
use crate::trace::Trace;
use crate::units::Milliseconds;
use onnxray_format::{DataType, Dimension, Nanoseconds, Operator, Run, Tensor, VectorRegisters};
use onnxray_import::{Average, Launch};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::path::Path;

/// Reads a stored summary; `None` if the file is something else, such as a recording.
///
/// # Errors
///
/// If it cannot be read, or holds a part of the operators only.
pub fn stored_summary(path: &Path) -> Result<Option<(Summary, Option<Timeline>)>, StatisticsError> {
    let fail = |reason: String| StatisticsError::Stored { path: path.to_path_buf(), reason };
    // A stored summary is one file; folders are recordings.
    if path.is_dir() {
        return Ok(None);
    }
    let bytes = std::fs::read(path).map_err(|error| fail(error.to_string()))?;
    // Anything else is left to the readers of traces, which have better words for what is wrong.
    let Ok(Value::Object(report)) = serde_json::from_slice(&bytes) else { return Ok(None) };
    match report.get("report").and_then(Value::as_str) {
        Some("summary") => summary(&report).map(Some).map_err(fail),
        Some(other) => {
            Err(fail(format!("is the JSON of another report ({other:?}); {HOW_TO_STORE}")))
        }
        None => Ok(None),
    }
}

const HOW_TO_STORE: &str = "store a baseline with `onnxray summary X --format json`";

/// Relative difference between sums that rounding explains.
const ROUNDING: f64 = 1e-6;

fn summary(report: &Map<String, Value>) -> Result<(Summary, Option<Timeline>), String> {
    let Some(model) = report.get("model").and_then(Value::as_object) else {
        return Err(format!("has no figures of the model; {HOW_TO_STORE}"));
    };
    let rows = report.get("operators").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let rows: Vec<&Map<String, Value>> = rows.iter().filter_map(Value::as_object).collect();
    let number = |key: &str| model.get(key).and_then(Value::as_f64);
    let below = |row: &Map<String, Value>| row.get("time_below_ms").and_then(Value::as_f64);
    let listed: f64 = rows.iter().filter_map(|row| row.get("time_ms")?.as_f64()).sum();
    let most: f64 = rows.iter().filter_map(|row| below(row)).sum();
    let all = number("operators_mean_ms").ok_or(format!(
        "states no time per iteration, so that nothing can be compared; {HOW_TO_STORE}"
    ))?;
    // Rows that are shown as `< x` state no time: at most the sum of these x may be missing.
    if !(-ROUNDING * all..=most + ROUNDING * all).contains(&(all - listed)) {
        return Err(format!(
            "holds {} operators, which are not all: {listed:.3} of {all:.3} ms; {HOW_TO_STORE}",
            rows.len()
        ));
    }
    let mut operators: Vec<Operator> = rows.iter().map(|row| operator(row)).collect();
    // Averages name their operator by its position.
    (0..).zip(&mut operators).for_each(|(number, operator)| operator.number = number);
    let averages = (0..).zip(&rows).filter_map(|(operator, row)| {
        let nanoseconds = |key: &str| row.get(key)?.as_f64().map(|time| time * 1e6);
        // A time stated as `< x` counts as x / 2.
        let middle = nanoseconds("time_below_ms").map(|below| below / 2.0);
        let mean_ns = Some(nanoseconds("time_ms").or(middle)?);
        let median_ns = nanoseconds("time_median_ms").or(middle);
        Some(Average { operator, mean_ns, median_ns, ..Average::default() })
    });
    let launch =
        Launch { run: run(model), averages: averages.collect(), operators, ..Launch::default() };
    let trace = Trace::new(vec![launch]);
    let examined = examine(&trace, Needs::Measured).map_err(|error| error.to_string())?;
    let (mut summary, timeline) = examined.into_timeline();
    let of_latency = latency(&number).map(|times| LatencySummary {
        times,
        interval: None,
        iterations_per_second: number("throughput_iterations_per_second").unwrap_or(f64::NAN),
        items_per_second: number("throughput_items_per_second"),
    });
    // Without figures of its own, the profiled latency is the latency.
    let profiled = number("profiled_latency_median_ms").zip(number("profiled_latency_mean_ms"));
    let unknown = Milliseconds(f64::NAN);
    summary.model.profiled = match profiled {
        None => of_latency,
        Some((median, mean)) => of_latency.map(|latency| LatencySummary {
            times: Distribution {
                count: latency.times.count,
                mean: Milliseconds(mean),
                median: Milliseconds(median),
                p10: unknown,
                p90: unknown,
                p99: unknown,
                min: unknown,
                max: unknown,
            },
            iterations_per_second: 1e3 / median,
            items_per_second: None,
            ..latency
        }),
    };
    summary.model.plain = of_latency.filter(|_| profiled.is_some());
    summary.model.is_calibrated = number("profiling_inside_us").is_some();
    summary.model.concurrent =
        number("concurrent_mean_ms").map(|time| Nanoseconds((time * 1e6) as u64));
    // Over the typical iterations, as the means of operators.
    summary.model.whole = number("typical_mean_ms").map(Milliseconds);
    summary.caveats = vec![
        "a stored summary has means and no iterations: nothing is tested against it".to_string(),
    ];
    Ok((summary, timeline))
}

fn latency(number: &impl Fn(&str) -> Option<f64>) -> Option<Distribution> {
    let count = number("iterations")? as u64;
    // The summary of a single iteration has no percentiles.
    let time = |key: &str| {
        let key = if count == 1 { "latency_median_ms" } else { key };
        number(key).filter(|time| *time >= 0.0).map(Milliseconds)
    };
    Some(Distribution {
        count,
        mean: time("latency_mean_ms")?,
        median: time("latency_median_ms")?,
        p10: time("latency_p10_ms")?,
        p90: time("latency_p90_ms")?,
        p99: time("latency_p99_ms")?,
        min: time("latency_min_ms")?,
        max: time("latency_max_ms")?,
    })
}

fn run(model: &Map<String, Value>) -> Run {
    let text = |key: &str| model.get(key).and_then(Value::as_str).map(str::to_string);
    let count = |key: &str| model.get(key).and_then(Value::as_u64);
    let engine = text("engine").unwrap_or_default();
    // `onnxruntime 1.22.0`: a last word without a digit in front is part of the name.
    let version =
        engine.rsplit_once(' ').filter(|(_, last)| last.starts_with(|c: char| c.is_ascii_digit()));
    let (name, version) = version.unwrap_or((&engine, ""));
    let sizes = text("dimensions").unwrap_or_default();
    let dimensions = sizes.split(", ").filter_map(|size| {
        let (name, size) = size.rsplit_once('=')?;
        Some(Dimension { name: name.to_string(), size: size.parse().ok()? })
    });
    Run {
        model: text("model").unwrap_or_default(),
        profile: text("profile").unwrap_or_default(),
        model_sha256: text("model_sha256"),
        parameters: count("parameters"),
        batch_size: count("batch_size"),
        dimensions: dimensions.collect(),
        threads: count("threads").and_then(|threads| u32::try_from(threads).ok()),
        instances: count("instances").and_then(|instances| u32::try_from(instances).ok()),
        isa: text("isa"),
        vector_registers: text("vector_registers").and_then(|text| VectorRegisters::of_text(&text)),
        cpu: text("cpu"),
        host: text("host"),
        engine: name.to_string(),
        engine_version: version.to_string(),
        engine_options: Run::engine_options_of(&text("engine_options").unwrap_or_default()),
        operating_system: text("operating_system"),
        inputs: text("inputs"),
        producer: text("recorded_by").unwrap_or_default(),
        clock_resolution: count("clock_resolution_ns").map(Nanoseconds),
        // As of another program, so that `checked` does not ask for iterations.
        converted_from: Some("stored summary".to_string()),
        ..Run::default()
    }
}

fn operator(row: &Map<String, Value>) -> Operator {
    let text = |key: &str| row.get(key).and_then(Value::as_str).unwrap_or_default();
    let list = |key: &str| -> Vec<String> {
        let parts = text(key).split("; ").filter(|part| !part.is_empty());
        parts.map(str::to_string).collect()
    };
    let tensors = |names: &str, types: &str, shapes: &str| -> Vec<Tensor> {
        let [names, types, shapes] = [names, types, shapes].map(list);
        // A name that contains the separator would shift all later ones.
        if names.len() != types.len() || names.len() != shapes.len() {
            return Vec::new();
        }
        let tensors = names.into_iter().zip(types).zip(shapes);
        let tensors = tensors.map(|((name, data_type), shape)| {
            let shape = shape.split('x').map(|size| size.parse().ok()).collect();
            Tensor { name, data_type: data_type_of(&data_type), shape }
        });
        tensors.collect()
    };
    Operator {
        name: text("name").to_string(),
        operator_type: text("type").to_string(),
        nodes: list("nodes"),
        node_types: text("node_types")
            .split(" + ")
            .filter(|node_type| !node_type.is_empty())
            .map(str::to_string)
            .collect(),
        post_ops: text("post_ops")
            .split(", ")
            .filter(|op| !op.is_empty())
            .map(str::to_string)
            .collect(),
        kernel: Some(text("kernel").to_string()).filter(|kernel| !kernel.is_empty()),
        inputs: tensors("inputs", "input_types", "input_shapes"),
        outputs: tensors("outputs", "output_types", "output_shapes"),
        parameters: row.get("parameters").and_then(Value::as_u64),
        ..Operator::default()
    }
}

fn data_type_of(name: &str) -> Option<DataType> {
    DataType::deserialize(Value::from(name)).ok().filter(|known| known.name() == name)
}
