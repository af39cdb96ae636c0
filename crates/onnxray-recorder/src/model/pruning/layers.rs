//! The layers of a model that can be pruned, each weight once.

use super::blocks::{Blocks, is_encoded};
use crate::error::RecordError;
use crate::model::constants::values::{Elements, Stored};
use crate::model::constants::weight::stored;
use crate::model::file::OnnxFile;
use crate::model::graph::{Constant, Graph, Node};
use onnxray_format::{Block, LossLayer, LossPoint, Measured, elements};
use std::collections::HashMap;
use std::path::Path;

/// The layers of a model, and what pruning takes from their weights.
pub(crate) struct Layers {
    /// In the order of the model's nodes, without points.
    pub(crate) layers: Vec<LossLayer>,
    /// Location of each layer's weight, in the same order.
    stored: Vec<Stored>,
}

/// Weights that are pruned at once, by their names, and how far.
pub type Pruning = Vec<(String, f64)>;

impl Layers {
    /// Finds the layers of the model at `path` and prunes them, without running it, to each of
    /// the levels.
    pub(crate) fn read(path: &Path, block: Block, levels: &[f64]) -> Result<Layers, RecordError> {
        let file = OnnxFile::read(path)?;
        let mut found = Layers::of(&file);
        let elements = file.elements();
        let layers = found.layers.iter_mut().zip(&found.stored);
        for (layer, stored) in layers.filter(|(layer, _)| layer.left_out.is_none()) {
            match blocks(&elements, stored, block) {
                Ok(blocks) => {
                    (layer.l1_norm, layer.l2_norm) = blocks.norms().unzip();
                    layer.points = levels.iter().map(|&level| point(&blocks, level)).collect();
                }
                Err(reason) => {
                    layer.left_out = Some(reason);
                    // What share of all weights goes is known even so.
                    let elements = blocks(&elements, stored, Block::new(1, 1)).ok();
                    (layer.l1_norm, layer.l2_norm) =
                        elements.and_then(|elements| elements.norms()).unzip();
                }
            }
        }
        Ok(found)
    }

    /// The layers of a file, with nothing of their elements.
    pub(crate) fn of(file: &OnnxFile) -> Layers {
        let mut found = Layers { layers: Vec::new(), stored: Vec::new() };
        collect(&file.graph, &mut HashMap::new(), &mut found);
        let mut names = HashMap::new();
        count_names(&file.graph, &mut names);
        for layer in &mut found.layers {
            // Elements are read and replaced by name: it would be one of them, and which?
            if names.get(layer.weight.as_str()).is_some_and(|&count| count > 1) {
                layer.left_out = Some("several constants have this name".to_string());
            }
        }
        found
    }

    /// Where the weight of a layer is stored.
    pub(super) fn of_layer(&self, layer: usize) -> &Stored {
        &self.stored[layer]
    }

    /// The model with these weights pruned.
    ///
    /// # Errors
    ///
    /// If nothing is to be pruned, or if a weight cannot be.
    pub(crate) fn pruned(
        &self,
        file: &OnnxFile,
        block: Block,
        pruning: &Pruning,
    ) -> Result<OnnxFile, String> {
        // The model as it is would pass for one that pruning costs nothing.
        if pruning.is_empty() {
            return Err("nothing is pruned".to_string());
        }
        let elements = file.elements();
        let mut constants = Vec::new();
        for (weight, level) in pruning {
            let stored = self.stored(weight).ok_or("the model has no such weight")?;
            let raw = blocks(&elements, stored, block)?.pruned(*level, stored.data_type);
            constants.push((weight.as_str(), raw.ok_or("its elements cannot be written")?));
        }
        file.replacing(&constants).map_err(|error| error.to_string())
    }

    fn stored(&self, weight: &str) -> Option<&Stored> {
        self.stored.iter().find(|stored| stored.name == weight)
    }
}

pub(super) fn blocks(elements: &Elements, stored: &Stored, block: Block) -> Result<Blocks, String> {
    if !is_encoded(stored.data_type) {
        return Err(format!("elements of type {} cannot be pruned", stored.data_type));
    }
    let values = elements.values(stored);
    Blocks::new(values.ok_or("its elements or their zero points cannot be read")?, block)
}

fn point(blocks: &Blocks, level: f64) -> LossPoint {
    let removed = blocks.removed(level);
    let measured = Measured::default();
    let (pruned, times) = (removed.elements, Vec::new());
    LossPoint { level, pruned, l1: removed.l1, l2: removed.l2, measured, times }
}

/// Number of constants with each name, over all graphs.
fn count_names<'a>(graph: &'a Graph, names: &mut HashMap<&'a str, usize>) {
    for name in graph.constants.own.keys() {
        *names.entry(name).or_default() += 1;
    }
    let bodies = graph.nodes.iter().flat_map(|node| &node.bodies);
    bodies.for_each(|(_, body)| count_names(body, names));
}

/// Which layer has a constant: branches may have different ones of the same name.
type Known = HashMap<*const Constant, usize>;

/// Adds the layers of a graph and its bodies.
fn collect(graph: &Graph, known: &mut Known, found: &mut Layers) {
    for node in &graph.nodes {
        add(node, graph, known, found);
        node.bodies.iter().for_each(|(_, body)| collect(body, known, found));
    }
}

fn add(node: &Node, graph: &Graph, known: &mut Known, found: &mut Layers) {
    let Some((constant, stored)) = stored(node, graph) else { return };
    // Pruning writes whole bytes.
    let left_out = match stored.packed {
        Some(_) => Some("elements that share a byte cannot be pruned".to_string()),
        None => constant.is_sparse.then(|| "a sparse tensor cannot be pruned".to_string()),
    };
    // Tied weights are one layer: pruned, they change in all of its nodes.
    if let Some(&layer) = known.get(&std::ptr::from_ref(constant)) {
        found.layers[layer].nodes.push(node.name.clone());
        return;
    }
    known.insert(std::ptr::from_ref(constant), found.layers.len());
    found.layers.push(LossLayer {
        name: node.name.clone(),
        nodes: vec![node.name.clone()],
        operator_type: node.operator_type.clone(),
        weight: stored.name.clone(),
        data_type: stored.data_type,
        outputs: stored.outputs as u64,
        inputs: stored.inputs as u64,
        parameters: elements(&[stored.outputs as u64, stored.inputs as u64]).unwrap_or(u64::MAX),
        l1_norm: None,
        l2_norm: None,
        left_out,
        multiplies_zeros: None,
        points: Vec::new(),
    });
    found.stored.push(stored);
}
