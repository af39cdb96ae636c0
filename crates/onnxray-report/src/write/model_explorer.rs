//! Node data of Model Explorer: a value and a colour for each node of the model's graph.
//!
//! A file is data of the graph that is open: its members are ids of nodes, which are the names of
//! ONNX nodes. Where several were fused, the node that gives the operator its name has the time.

use onnxray_analyzer::comparison::{ComparedGroup, Comparison, Verdict};
use onnxray_analyzer::statistics::Summary;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Colours of slow or slower, of faster, and of neither.
const WARM: [u8; 3] = [0xd7, 0x30, 0x27];
const COOL: [u8; 3] = [0x1a, 0x98, 0x50];
const NEITHER: [u8; 3] = [0xff, 0xff, 0xff];
/// From this part of a colour on, dark letters cannot be read on it.
const DARK: f64 = 0.6;
/// A ratio that has the whole colour, or its inverse.
const WHOLE_COLOUR: f64 = 2.0;

#[derive(Serialize)]
struct GraphData {
    name: &'static str,
    results: BTreeMap<String, NodeData>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NodeData {
    value: f64,
    bg_color: String,
    text_color: &'static str,
}

impl NodeData {
    /// A value in a part of a colour, from 0 to 1.
    fn new(value: f64, colour: [u8; 3], part: f64) -> NodeData {
        let part = part.clamp(0.0, 1.0);
        let mixed = |at: usize| {
            let (none, whole) = (f64::from(NEITHER[at]), f64::from(colour[at]));
            (none + (whole - none) * part).round() as u8
        };
        let [red, green, blue] = [0, 1, 2].map(mixed);
        NodeData {
            value,
            bg_color: format!("#{red:02x}{green:02x}{blue:02x}"),
            text_color: if part >= DARK { "white" } else { "black" },
        }
    }
}

/// Writes the time of each operator in ms, coloured by its share of that of the slowest.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_times_for_graph(summary: &Summary, out: impl Write) -> io::Result<()> {
    let time = |at: usize| {
        let operator = &summary.operators[at];
        // A trace without iterations has a total, but no mean.
        operator.mean.map(|mean| mean.0).or_else(|| Some(operator.total?.milliseconds()))
    };
    let times: Vec<Option<f64>> = (0..summary.operators.len()).map(time).collect();
    let longest = times.iter().flatten().copied().fold(0.0, f64::max);
    let mut results = BTreeMap::new();
    for (summary, time) in summary.operators.iter().zip(times) {
        let Some(time) = time else { continue };
        // All times may be 0.
        let part = if longest > 0.0 { time / longest } else { 0.0 };
        results.insert(summary.operator.name.clone(), NodeData::new(time, WARM, part));
    }
    write(&GraphData { name: "time (ms)", results }, out)
}

/// Writes the ratio B / A of each layer at the operators of both sides, coloured where it is faster or
/// slower: the more, the further it is from 1.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_ratios_for_graph(
    sides: [&Summary; 2],
    comparison: &Comparison,
    out: impl Write,
) -> io::Result<()> {
    let mut results = BTreeMap::new();
    for ComparedGroup { group, compared, .. } in &comparison.groups {
        let Some(ratio) = compared.change.ratio else { continue };
        // In logarithms, so that 2.0 and 0.5 are equally far from 1.
        let part = ratio.ln().abs() / WHOLE_COLOUR.ln();
        let (colour, part) = match compared.change.verdict {
            Some(Verdict::Slower) => (WARM, part),
            Some(Verdict::Faster) => (COOL, part),
            // A colour would claim a difference that is not known.
            _ => (NEITHER, 0.0),
        };
        for (summary, members) in sides.into_iter().zip([&group.a, &group.b]) {
            let members =
                members.iter().filter_map(|member| summary.operators.get(member.operator as usize));
            let names = members.map(|summary| summary.operator.name.clone());
            results.extend(names.map(|name| (name, NodeData::new(ratio, colour, part))));
        }
    }
    write(&GraphData { name: "B / A", results }, out)
}

fn write(data: &GraphData, mut out: impl Write) -> io::Result<()> {
    writeln!(out, "{}", serde_json::to_string(data)?)
}
