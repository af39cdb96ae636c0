//! Makes one launch of counters, execution graph and report.

use super::counters::{Counters, MeanLayer};
use super::graph::Graph;
use super::report::Report;
use crate::formats::together::{Finder, Part, number_and_name};
use crate::{Average, Launch};
use onnxray_format::{Operator, Run, Warning};
use onnxray_text::counted;
use std::collections::HashMap;

pub(crate) fn join(
    counters: Option<&Part<Counters>>,
    graph: Option<&Part<Graph>>,
    report: Option<&Part<Report>>,
) -> Launch {
    let mut launch = Launch { run: run(report.map(|report| &report.content)), ..Launch::default() };
    let graph_content = graph.map(|graph| &graph.content);
    if let Some(counters) = counters {
        counters.add_to(&mut launch);
        if counters.content.of_workbench {
            launch.run.producer = "DL Workbench".to_string();
        }
        check(&mut launch, counters);
        let joined = from_counters(&mut launch, &counters.content, graph_content);
        if let (Some(graph), 0) = (graph, joined) {
            graph.note(&mut launch, "no layer is in the counters; it may be of another model");
        }
    } else if let Some(graph) = graph_content {
        from_graph(&mut launch, graph);
    }
    if let Some(graph) = graph {
        graph.add_to(&mut launch);
    }
    if let Some(report) = report {
        report.add_to(&mut launch);
    }
    number_and_name(&mut launch.operators);
    launch
}

fn run(report: Option<&Report>) -> Run {
    let report = report.cloned().unwrap_or_default();
    let engine = match report.device.as_str() {
        "" | "CPU" => "OpenVINO".to_string(),
        device => format!("OpenVINO {device}"),
    };
    Run {
        engine,
        producer: "benchmark_app".to_string(),
        model: report.model,
        batch_size: report.batch_size,
        threads: report.threads,
        load_time: report.load_time,
        // Counters and graph alike.
        clock_resolution: Some(onnxray_format::Nanoseconds(1000)),
        ..Run::default()
    }
}

/// Sums that do not fit, and a known mistake of the producer.
fn check(launch: &mut Launch, counters: &Part<Counters>) {
    if let Some(mismatch) = counters.content.mismatch {
        launch.warnings.push(Warning {
            file: counters.file.clone(),
            position: Some(mismatch.position),
            message: format!(
                "the total is {:.3} ms, but the layers sum up to {:.3} ms",
                mismatch.total, mismatch.sum
            ),
            loss: false,
        });
    }
    if counters.content.cut_names > 0 {
        let message = format!(
            "{} by the console: `-report_type average_counters` writes them whole",
            counted(
                counters.content.cut_names as u64,
                "name of a layer is cut",
                "names of layers are cut"
            )
        );
        counters.note(launch, message);
    }
    if counters.content.first_layer_only {
        let message = "only one layer: benchmark_app in Python writes no other into an average \
                       report as JSON; its report as CSV has all";
        counters.note(launch, message);
    }
}

/// Operators in the order of the counters, with what the graph knows of them: how
/// many it knows. What only the graph has does not run in an inference.
fn from_counters(launch: &mut Launch, counters: &Counters, graph: Option<&Graph>) -> usize {
    let layers = graph.map(|graph| graph.layers.as_slice()).unwrap_or_default();
    let of_graph: Vec<Operator> = layers.iter().map(|layer| layer.operator.clone()).collect();
    let mut finder = Finder::new(&of_graph);
    let means = counters.mean();
    let types: HashMap<&str, &MeanLayer> =
        means.iter().map(|mean| (mean.layer.name.as_str(), mean)).collect();
    let mut joined = 0;
    for (number, mean) in means.iter().enumerate() {
        let layer = &mean.layer;
        let mut operator = Operator { name: layer.name.clone(), ..Operator::default() };
        if let Some(position) = finder.take(&layer.name) {
            operator = of_graph[position as usize].clone();
            operator.attributes.remove("execStatus");
            operator.post_ops = post_ops(&operator, &types);
            joined += 1;
        }
        operator.operator_type = layer.layer_type.clone();
        if !layer.precision.is_empty() {
            let precision = layer.precision.clone();
            operator.attributes.insert("runtimePrecision".to_string(), precision);
        }
        operator.kernel = Some(layer.kernel.clone()).filter(|kernel| is_told(kernel));
        match mean.mean_ns {
            Some(mean_ns) => launch.averages.push(Average {
                operator: number as u32,
                mean_ns: Some(mean_ns),
                ..Average::default()
            }),
            None if layer.status.is_empty() => {}
            None => {
                operator.attributes.insert("execStatus".to_string(), layer.status.clone());
            }
        }
        launch.operators.push(operator);
    }
    joined
}

/// Types of the layers that became part of this one, which the counters list
/// without a time.
fn post_ops(operator: &Operator, layers: &HashMap<&str, &MeanLayer>) -> Vec<String> {
    let fused = |name: &String| {
        let layer = layers.get(name.as_str())?;
        let is_part = layer.mean_ns.is_none() && layer.layer.name != operator.name;
        is_part.then(|| layer.layer.layer_type.clone())
    };
    operator.nodes.iter().filter_map(fused).collect()
}

fn is_told(kernel: &str) -> bool {
    !matches!(kernel, "" | "undef")
}

fn from_graph(launch: &mut Launch, graph: &Graph) {
    for (number, layer) in graph.layers.iter().enumerate() {
        launch.operators.push(layer.operator.clone());
        if layer.mean_ns.is_some() {
            launch.averages.push(Average {
                operator: number as u32,
                mean_ns: layer.mean_ns,
                ..Average::default()
            });
        }
    }
}
