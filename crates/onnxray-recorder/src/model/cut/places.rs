//! Where a model is cut: about equally far apart in work, and where little goes across.
//!
//! Nodes are taken in the order of the file. A residual connection leaves few places that a single
//! tensor crosses, so that sets of tensors are the rule.

use super::asked::{Blocks, MeasuredBlock};
use crate::model::cost::flops::flops;
use crate::model::graph::{Graph, Node};
use crate::model::tensor_table::TensorTable;
use onnxray_format::Tensor;
use std::collections::{BTreeSet, HashMap};

/// A place between two nodes of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    /// Nodes at lower positions are before it.
    pub(crate) end: usize,
    /// Tensors that go across, in the order in which they are computed.
    pub(crate) tensors: Vec<String>,
}

/// A place that may be chosen.
struct Place {
    end: usize,
    /// Nanoseconds before it, estimated or measured.
    before: f64,
    /// Bytes that go across; a tensor of unknown size counts as the largest one that is known.
    bytes: u64,
    tensors: usize,
}

/// Cuts that make blocks which are about equally long, by those that were measured or by an estimate;
/// or those that are asked for, of nodes that the model has. None where a model has one node that
/// computes.
pub(crate) fn places(graph: &Graph, tensors: &TensorTable, asked: &Blocks) -> Vec<Cut> {
    let uses = last_uses(graph);
    let ends = match &asked.cuts {
        None => chosen(graph, tensors, &uses, asked),
        Some(nodes) => {
            let ends = nodes.iter().filter_map(|node| Some(graph.names.get(node)? + 1));
            ends.collect::<BTreeSet<usize>>().into_iter().collect()
        }
    };
    let across = |end: usize| {
        let before = computing(graph).filter(|&(position, _)| position < end);
        let outputs = before.flat_map(|(_, node)| &node.outputs);
        let crosses = |name: &&String| uses.get(name.as_str()).is_some_and(|&last| last >= end);
        outputs.filter(crosses).cloned().collect()
    };
    let cuts = ends.into_iter().map(|end| Cut { end, tensors: across(end) });
    // Behind the last node is the end of the model.
    cuts.filter(|cut| !cut.tensors.is_empty() && cut.end < graph.nodes.len()).collect()
}

/// Positions behind which there is a cut, in order.
fn chosen(
    graph: &Graph,
    tensors: &TensorTable,
    uses: &HashMap<&str, usize>,
    asked: &Blocks,
) -> Vec<usize> {
    let mut all = candidates(graph, tensors, uses);
    scale(&mut all, graph, &asked.measured);
    // The last candidate is the end of the model.
    let Some(end) = all.pop() else { return Vec::new() };
    let apart = apart(&all, graph, &asked.fused);
    let most = asked.most as usize;
    let step = end.before / most.max(1) as f64;
    let mut ends: Vec<usize> = Vec::new();
    for number in 1..most {
        let target = step * number as f64;
        let distance = |place: &Place| (place.before - target).abs();
        let near = apart.iter().filter(|place| distance(place) <= step / 2.0);
        // Least goes across; of those, the one nearest to the target.
        let best = near.min_by(|a, b| {
            let across = |place: &Place| (place.bytes, place.tensors);
            across(a).cmp(&across(b)).then(distance(a).total_cmp(&distance(b)))
        });
        // A node that takes longer than a step has places before and behind it only.
        let nearest = || apart.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
        let end = best.or_else(nearest).map(|place| place.end);
        ends.extend(end.filter(|end| ends.last() < Some(end)));
    }
    ends
}

/// Places that are not between nodes of one operator of the engine; all, if there are none. An operator
/// of more than a third of the model is that of a compiler, and says nothing of its inside.
fn apart<'a>(places: &'a [Place], graph: &Graph, fused: &[Vec<String>]) -> Vec<&'a Place> {
    let many = computing(graph).count() / 3;
    let within = fused.iter().filter(|nodes| nodes.len() <= many.max(2)).filter_map(|nodes| {
        let positions = || nodes.iter().filter_map(|node| graph.names.get(node).copied());
        Some((positions().min()?, positions().max()?))
    });
    let within: Vec<(usize, usize)> = within.collect();
    let is_apart =
        |place: &&Place| within.iter().all(|&(first, last)| place.end <= first || place.end > last);
    let apart: Vec<&Place> = places.iter().filter(is_apart).collect();
    if apart.is_empty() { places.iter().collect() } else { apart }
}

/// Nodes whose results depend on the inputs: others are computed when the model is loaded.
pub(super) fn computing(graph: &Graph) -> impl Iterator<Item = (usize, &Node)> {
    let is_folded = |position: &usize| graph.folded.get(*position).copied().unwrap_or_default();
    graph.nodes.iter().enumerate().filter(move |(position, _)| !is_folded(position))
}

/// By tensor: the last position that reads it; beyond all nodes for an output of the model.
fn last_uses(graph: &Graph) -> HashMap<&str, usize> {
    let is_computing: Vec<bool> = {
        let mut all = vec![false; graph.nodes.len()];
        computing(graph).for_each(|(position, _)| all[position] = true);
        all
    };
    let mut uses = HashMap::new();
    for (_, node) in computing(graph) {
        for output in node.outputs.iter().filter(|name| !name.is_empty()) {
            let readers = graph.consumers.get(output).into_iter().flatten().copied();
            let last = match graph.is_output(output) {
                true => Some(usize::MAX),
                false => readers.filter(|&reader| is_computing[reader]).max(),
            };
            uses.extend(last.map(|last| (output.as_str(), last)));
        }
    }
    uses
}

/// A place behind each node that computes, the end of the model included.
fn candidates(graph: &Graph, tensors: &TensorTable, uses: &HashMap<&str, usize>) -> Vec<Place> {
    let bytes_of = |name: &str| tensors.tensor(name).bytes();
    let largest = uses.keys().filter_map(|name| bytes_of(name)).max().unwrap_or(1);
    let mut open: Vec<(&str, u64)> = Vec::new();
    let mut before = 0.0;
    let mut all = Vec::new();
    for (position, node) in computing(graph) {
        open.retain(|(name, _)| uses[name] > position);
        for output in &node.outputs {
            if uses.get(output.as_str()).is_some_and(|&last| last > position) {
                open.push((output, bytes_of(output).unwrap_or(largest)));
            }
        }
        before += work(node, tensors);
        let bytes = open.iter().fold(0u64, |sum, (_, bytes)| sum.saturating_add(*bytes));
        all.push(Place { end: position + 1, before, bytes, tensors: open.len() });
    }
    all
}

/// Stretches the estimates within each block to what it took; of a model that lacks one of the nodes,
/// the estimates stay.
fn scale(places: &mut [Place], graph: &Graph, measured: &[MeasuredBlock]) {
    let ends: Option<Vec<usize>> =
        measured.iter().map(|block| Some(graph.names.get(&block.last)? + 1)).collect();
    let (mut begin, mut estimated, mut taken) = (0, 0.0, 0.0);
    for (end, block) in ends.into_iter().flatten().zip(measured) {
        let within = places[begin..].iter().take_while(|place| place.end <= end).count();
        let own = &mut places[begin..begin + within];
        let Some(last) = own.last().map(|place| place.before) else { continue };
        let factor = block.time.0 as f64 / (last - estimated).max(f64::MIN_POSITIVE);
        own.iter_mut().for_each(|place| place.before = taken + (place.before - estimated) * factor);
        (begin, estimated, taken) = (begin + within, last, taken + block.time.0 as f64);
    }
    // Another model may go on behind the last of them.
    let factor = if estimated > 0.0 { taken / estimated } else { 1.0 };
    let behind = places[begin..].iter_mut();
    behind.for_each(|place| place.before = taken + (place.before - estimated) * factor);
}

/// Nanoseconds of a call, of a FLOP and of a byte on no machine in particular: only where cuts are
/// depends on them.
const CALL: f64 = 1e3;
const FLOP: f64 = 1.0 / 30.0;
const BYTE: f64 = 1.0 / 10.0;

fn work(node: &Node, tensors: &TensorTable) -> f64 {
    let names = node.inputs.iter().chain(&node.outputs).filter(|name| !name.is_empty());
    let bytes: u64 = names.filter_map(|name| Tensor::bytes(&tensors.tensor(name))).sum();
    let flops = flops(node, tensors).unwrap_or(0);
    CALL + flops as f64 * FLOP + bytes as f64 * BYTE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::infer;
    use crate::model::cut::Halves;
    use crate::model::file::OnnxFile;
    use crate::model::sizes::dimensions::{BoundDimensions, GivenDimensions, bind};
    use onnxray_format::Nanoseconds;
    use std::path::Path;

    fn blocks(most: u32) -> Blocks {
        Blocks { most, ..Blocks::default() }
    }

    fn encoder() -> (OnnxFile, TensorTable) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models/encoder.onnx");
        let file = OnnxFile::read(&path).unwrap();
        let sizes = [("sequence".to_string(), 16)].into();
        let bound = bind(&file.graph, &GivenDimensions { sizes, ..Default::default() }).unwrap();
        let tensors = infer(&file, &bound).unwrap();
        (file, tensors)
    }

    /// By the definition: what nodes before the cut compute, and nodes behind it or the user read.
    #[test]
    fn across_a_cut_goes_what_is_computed_before_and_read_behind() {
        let (file, tensors) = encoder();
        let graph = &file.graph;
        let cuts = places(graph, &tensors, &blocks(8));
        assert!((4..8).contains(&cuts.len()), "{cuts:?}");
        assert!(cuts.windows(2).all(|pair| pair[0].end < pair[1].end));
        for cut in &cuts {
            let is_computing = |at: &usize| !graph.folded[*at];
            let before = (0..cut.end).filter(is_computing);
            let behind = (cut.end..graph.nodes.len()).filter(is_computing);
            let computed: BTreeSet<&String> =
                before.flat_map(|at| &graph.nodes[at].outputs).collect();
            let read = behind.flat_map(|at| &graph.nodes[at].inputs).chain(&graph.outputs);
            let read: BTreeSet<&String> = read.collect();
            let across: BTreeSet<&String> = cut.tensors.iter().collect();
            assert_eq!(across, computed.intersection(&read).copied().collect());
        }
    }

    #[test]
    fn what_is_before_a_cut_is_a_model_with_these_outputs() {
        let (file, tensors) = encoder();
        let file = std::rc::Rc::new(file);
        let halves = Halves::of(&file, &BoundDimensions::default(), infer).unwrap();
        let nodes = file.graph.nodes.len();
        for cut in places(&file.graph, &tensors, &blocks(6)) {
            let before = OnnxFile::made("before", halves.before(&cut).unwrap()).unwrap();
            assert_eq!(before.graph.outputs, cut.tensors);
            assert!(before.graph.nodes.len() < nodes);
            let names = |file: &OnnxFile| -> Vec<String> {
                file.graph.inputs.iter().map(|input| input.name.clone()).collect()
            };
            assert_eq!(names(&before), names(&file), "both run on the same tensors");
        }
        let none = Cut { end: 1, tensors: vec!["nowhere".to_string()] };
        assert!(halves.before(&none).is_none());
    }

    #[test]
    fn a_block_that_was_measured_long_is_cut_further() {
        let (file, tensors) = encoder();
        let estimated = places(&file.graph, &tensors, &blocks(6));
        let first = estimated[0].end;
        let within = |cuts: &[Cut]| cuts.iter().filter(|cut| cut.end < first).count();
        assert_eq!(within(&estimated), 0);
        let nodes = &file.graph.nodes;
        let measured = [(first, 900), (nodes.len(), 100)].map(|(end, time)| MeasuredBlock {
            last: nodes[end - 1].name.clone(),
            time: Nanoseconds(time),
        });
        let refined =
            places(&file.graph, &tensors, &Blocks { measured: measured.to_vec(), ..blocks(6) });
        assert!(within(&refined) >= 2, "{refined:?}");
        let [known, _] = measured;
        let other = [known, MeasuredBlock { last: "nowhere".to_string(), time: Nanoseconds(1) }];
        let other = Blocks { measured: other.to_vec(), ..blocks(6) };
        assert_eq!(places(&file.graph, &tensors, &other), estimated, "of another model");
        let behind: Vec<String> =
            refined[1..3].iter().map(|cut| nodes[cut.end - 1].name.clone()).collect();
        let nowhere = ["nowhere".to_string(), nodes[nodes.len() - 1].name.clone()];
        let same = Blocks { cuts: Some([&behind[..], &nowhere].concat()), ..blocks(6) };
        assert_eq!(places(&file.graph, &tensors, &same), refined[1..3], "as in a recording");
        let none = Blocks { cuts: Some(Vec::new()), ..blocks(6) };
        assert_eq!(places(&file.graph, &tensors, &none), [], "none that may be");
    }

    #[test]
    fn no_cut_is_between_nodes_of_one_operator() {
        let (file, tensors) = encoder();
        let graph = &file.graph;
        let first = places(graph, &tensors, &blocks(6))[0].end;
        // The two nodes on both sides of a cut, and all of the model, which says nothing.
        let names = |range: std::ops::Range<usize>| -> Vec<String> {
            graph.nodes[range].iter().map(|node| node.name.clone()).collect()
        };
        let fused = vec![names(first - 1..first + 1), names(0..graph.nodes.len())];
        let others = places(graph, &tensors, &Blocks { fused, ..blocks(6) });
        assert!(others.len() >= 4 && others.iter().all(|cut| cut.end != first), "{others:?}");
    }
}
