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
use crate::spans::Ends;
use onnxray_format::{Operator, Tensor};

pub(crate) struct Nodes {
    pub(crate) operators: Vec<Operator>,
    pub(crate) averages: Vec<Average>,
    /// Operators inside others of which it is not known inside which.
    pub(crate) without_place: usize,
}

/// Type of nodes inside of delegates.
const INSIDE_DELEGATE: &str = "DelegateOpInvoke";

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
    let places = places(&nodes);
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

/// The nodes that others may run inside of, of one kind: delegates or control flow.
struct Around {
    /// Positions in the order of the profile.
    positions: Vec<usize>,
    /// The same in the order of their starts; only those with one.
    by_start: Vec<usize>,
    ends: Ends<f64>,
}

impl Around {
    fn new(nodes: &[Node<'_>], kind: impl Fn(&Node<'_>) -> bool) -> Around {
        let positions: Vec<usize> = (0..nodes.len()).filter(|&node| kind(&nodes[node])).collect();
        let start = |position: usize| nodes[position].row.start_ms;
        let mut by_start: Vec<usize> =
            positions.iter().copied().filter(|&position| start(position).is_some()).collect();
        by_start
            .sort_by(|&a, &b| start(a).partial_cmp(&start(b)).unwrap_or(std::cmp::Ordering::Equal));
        let end = |&position: &usize| {
            start(position).unwrap_or_default() + nodes[position].row.average_ms
        };
        let ends = Ends::new(by_start.iter().map(end));
        Around { positions, by_start, ends }
    }

    /// The one of those before `earlier` in whose time a row starts, as far as six digits
    /// tell, the last to start if there are several.
    fn in_time(&self, nodes: &[Node<'_>], row: &Row, earlier: usize) -> Place {
        let Some(start) = row.start_ms else { return Place::Unknown };
        let tolerance = 0.001 + 1e-5 * start.abs();
        let mut begun = self.by_start.partition_point(|&position| {
            nodes[position].row.start_ms.is_some_and(|begin| begin - tolerance <= start)
        });
        for _ in 0..MOST_TRIED {
            match self.ends.last(begun, |end| start <= end + tolerance) {
                Some(last) if self.by_start[last] < earlier => {
                    return Place::Inside(self.by_start[last]);
                }
                Some(later) => begun = later,
                None => break,
            }
        }
        Place::Unknown
    }
}

/// How many nodes of later sections are passed over to find one around a node.
const MOST_TRIED: usize = 64;

fn places(nodes: &[Node<'_>]) -> Vec<Place> {
    let delegates = Around::new(nodes, is_delegate);
    let control_flow = Around::new(nodes, |node| is_control_flow(&node.row.kind));
    let mut before_section = 0;
    let mut place = |position: usize| {
        let node = &nodes[position];
        if position > 0 && nodes[position - 1].section != node.section {
            before_section = position;
        }
        let (around, earlier) = if inside_delegate(node) {
            // Older versions have what a delegate ran among the other nodes.
            let all = node.graph == Graph::Delegate;
            (&delegates, if all { nodes.len() } else { position })
        } else if matches!(node.graph, Graph::Subgraph(_)) {
            (&control_flow, before_section)
        } else {
            return Place::Top;
        };
        let candidates =
            &around.positions[..around.positions.partition_point(|&other| other < earlier)];
        match candidates {
            [] => Place::Top,
            [only] => Place::Inside(*only),
            [.., last] if node.graph != Graph::Delegate && inside_delegate(node) => {
                Place::Inside(*last)
            }
            _ => around.in_time(nodes, node.row, earlier),
        }
    };
    (0..nodes.len()).map(&mut place).collect()
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
