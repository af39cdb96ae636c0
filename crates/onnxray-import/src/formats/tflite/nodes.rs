//! Operators of the rows, each inside the one that ran it, with its own time.
//!
//! The profile counts what ran inside a delegate or a control flow node twice:
//! once by itself and once in the time of the node around it. Which node that
//! is follows from the times where there are starts, and is clear where there is
//! only one.

use super::log::{Graph, Section};
use super::table::Row;
use crate::Average;
use crate::formats::together::number_and_name;
use onnxray_format::{Operator, Tensor};

pub(crate) struct Nodes {
    pub(crate) operators: Vec<Operator>,
    pub(crate) averages: Vec<Average>,
    /// Operators inside others of which it is not known inside which.
    pub(crate) without_place: usize,
}

/// Type of nodes inside of delegates.
const INSIDE_DELEGATE: &str = "DelegateOpInvoke";

/// Where an operator ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Top,
    Inside(usize),
    Unknown,
}

struct Node<'a> {
    row: &'a Row,
    section: usize,
    graph: Graph,
    /// Nanoseconds per run, nodes inside included; executions per run.
    total_ns: Option<f64>,
    executions: Option<f64>,
}

/// The operators of all sections.
pub(crate) fn nodes(sections: &[Section]) -> Nodes {
    let runs = |section: &Section| section.timings.and_then(|timings| timings.runs);
    let all_runs = sections.iter().filter_map(runs).max();
    let mut nodes: Vec<Node<'_>> = Vec::new();
    for (number, section) in sections.iter().enumerate() {
        // A branch that did not run each time has figures of fewer runs.
        let scale = runs(section).zip(all_runs).map_or(1.0, |(own, all)| own as f64 / all as f64);
        for row in section.rows.iter().filter(|row| row.kind != WHOLE_RUN) {
            let (total_us, executions) = per_run(row, section);
            nodes.push(Node {
                row,
                section: number,
                graph: section.graph,
                total_ns: total_us.map(|total| total * 1000.0 * scale),
                executions: executions.map(|executions| executions * scale),
            });
        }
    }
    let places: Vec<Place> = (0..nodes.len()).map(|position| place(&nodes, position)).collect();
    let mut inside = vec![0.0; nodes.len()];
    for (node, place) in nodes.iter().zip(&places) {
        if let Place::Inside(parent) = place {
            inside[*parent] += node.total_ns.unwrap_or(0.0);
        }
    }
    let mut operators: Vec<Operator> = nodes
        .iter()
        .zip(&places)
        .enumerate()
        .map(|(number, (node, place))| {
            let parent = match place {
                Place::Inside(parent) => Some(*parent as u32),
                _ => None,
            };
            Operator { number: number as u32, parent, ..operator(node.row) }
        })
        .collect();
    number_and_name(&mut operators);
    let placed = nodes.iter().zip(&places).enumerate().filter(|(_, (_, p))| **p != Place::Unknown);
    let averages = placed.map(|(number, (node, _))| Average {
        operator: number as u32,
        mean_ns: node.total_ns.map(|total| (total - inside[number]).max(0.0)),
        executions: node.executions,
        iterations: all_runs,
        ..Average::default()
    });
    let averages = averages.collect();
    let without_place = places.iter().filter(|&&place| place == Place::Unknown).count();
    Nodes { operators, averages, without_place }
}

/// Type of the row that some versions have for a whole run.
const WHOLE_RUN: &str = "Invoke";

/// Microseconds and executions per run.
fn per_run(row: &Row, section: &Section) -> (Option<f64>, Option<f64>) {
    let average_us = row.average_ms * 1000.0;
    let counted = section.rows.iter().any(|row| row.called.is_some_and(|called| called > 0));
    match row.called {
        Some(called @ 1..) => (Some(average_us * called as f64), Some(called as f64)),
        // Less than once per run: its share of the whole time tells.
        Some(0) if counted => {
            let whole = section.timings.and_then(|timings| timings.average_us);
            (row.share.zip(whole).map(|(share, whole)| share / 100.0 * whole), None)
        }
        // Old versions do not count; each node runs once.
        _ => (Some(average_us), None),
    }
}

/// Microseconds per run of what the section's own total is the sum of; `None`
/// if the time of a row is unknown.
pub(crate) fn sum_us(section: &Section) -> Option<f64> {
    let own = |row: &&Row| section.graph == Graph::Delegate || row.kind != INSIDE_DELEGATE;
    section.rows.iter().filter(own).map(|row| per_run(row, section).0).sum()
}

fn place(nodes: &[Node<'_>], position: usize) -> Place {
    let node = &nodes[position];
    let candidates: Vec<usize> = if inside_delegate(node) {
        // Older versions have what a delegate ran among the other nodes.
        let around = if node.graph == Graph::Delegate { nodes } else { &nodes[..position] };
        (0..around.len()).filter(|&other| is_delegate(&nodes[other])).collect()
    } else if matches!(node.graph, Graph::Subgraph(_)) {
        let earlier = |other: &usize| nodes[*other].section < node.section;
        (0..position)
            .filter(earlier)
            .filter(|&other| is_control_flow(&nodes[other].row.kind))
            .collect()
    } else {
        return Place::Top;
    };
    match candidates.as_slice() {
        [] => Place::Top,
        [only] => Place::Inside(*only),
        [.., last] if node.graph != Graph::Delegate && inside_delegate(node) => {
            Place::Inside(*last)
        }
        several => several
            .iter()
            .copied()
            .filter(|&other| in_time_of(node.row, nodes[other].row))
            .max_by(|&a, &b| {
                nodes[a]
                    .row
                    .start_ms
                    .partial_cmp(&nodes[b].row.start_ms)
                    .unwrap_or(std::cmp::Ordering::Equal)
            })
            .map_or(Place::Unknown, Place::Inside),
    }
}

fn inside_delegate(node: &Node<'_>) -> bool {
    node.graph == Graph::Delegate || node.row.kind == INSIDE_DELEGATE
}

fn is_delegate(node: &Node<'_>) -> bool {
    !inside_delegate(node) && node.row.kind.to_ascii_lowercase().contains("delegate")
}

fn is_control_flow(kind: &str) -> bool {
    let kind = kind.split('/').next().unwrap_or_default();
    let kind = kind.strip_prefix("STABLEHLO_").unwrap_or(kind);
    let with_graphs = ["WHILE", "IF", "CASE", "CALL", "CALL_ONCE", "COMPOSITE", "CUSTOM_CALL"];
    with_graphs.contains(&kind) || ["REDUCE", "REDUCE_WINDOW", "SCATTER", "SORT"].contains(&kind)
}

/// Whether a row's start lies in the time of another, as far as six digits tell.
fn in_time_of(row: &Row, around: &Row) -> bool {
    let (Some(start), Some(begin)) = (row.start_ms, around.start_ms) else { return false };
    let tolerance = 0.001 + 1e-5 * start.abs();
    begin - tolerance <= start && start <= begin + around.average_ms + tolerance
}

fn operator(row: &Row) -> Operator {
    if let Some(name) = row.name.strip_prefix("Delegate/") {
        let kind = name.rsplit_once(':').map_or(name, |(kind, _)| kind);
        let (operator_type, kernel) = parts(kind);
        return Operator { name: name.to_string(), operator_type, kernel, ..Operator::default() };
    }
    let (operator_type, kernel) = parts(&row.kind);
    let Some(tensors) = tensors(&row.name) else {
        let nodes = vec![row.name.clone()];
        return Operator {
            name: row.name.clone(),
            operator_type,
            kernel,
            nodes,
            ..Operator::default()
        };
    };
    let names = || tensors.split(", ").filter(|name| !name.is_empty());
    let tensor = |name: &str| Tensor { name: name.to_string(), data_type: None, shape: None };
    let nodes = names().flat_map(|name| name.split(';')).filter(|node| !node.is_empty());
    Operator {
        name: tensors.to_string(),
        operator_type,
        kernel,
        nodes: nodes.map(str::to_string).collect(),
        outputs: names().map(tensor).collect(),
        ..Operator::default()
    }
}

/// Names of the output tensors: what stands in the brackets of `[a;b, c]:7`.
fn tensors(name: &str) -> Option<&str> {
    let inner = name.strip_prefix('[')?;
    let (inner, behind) = inner.rsplit_once(']')?;
    let index = behind.strip_prefix(':').unwrap_or(behind);
    index.bytes().all(|byte| byte.is_ascii_digit()).then_some(inner)
}

/// The type and the implementation: `Convolution (NHWC, F32) IGEMM`, and what
/// an operator says about itself, `CONV_2D/3x3`.
fn parts(kind: &str) -> (String, Option<String>) {
    if let Some((operator_type, _)) = kind.split_once(" (") {
        return (operator_type.to_string(), Some(kind.to_string()));
    }
    match kind.split_once('/') {
        Some((operator_type, kernel)) => (operator_type.to_string(), Some(kernel.to_string())),
        None => (kind.to_string(), None),
    }
}
