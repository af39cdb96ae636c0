//! The layers of a model that are to be pruned, found by what a recording says of them.

use super::error::PruneError;
use super::layers::Layers;
use onnxray_format::{DataType, LossLayer};
use std::collections::HashSet;
use std::path::Path;

/// A layer as a recording knows it, and how far it is to be pruned.
#[derive(Clone, Debug, PartialEq)]
pub struct WantedLayer {
    /// Name of the operator.
    pub operator: String,
    /// ONNX nodes that it computes.
    pub nodes: Vec<String>,
    /// Name of its weight.
    pub weight: String,
    /// Rows and columns of the weight as a matrix.
    pub outputs: u64,
    /// Columns of it.
    pub inputs: u64,
    /// Share of its blocks, from 0 to 1.
    pub level: f64,
}

/// A layer of the model, and who wants it pruned how far.
pub(super) struct Found<'a> {
    /// Position among the layers.
    pub(super) layer: usize,
    pub(super) wanted: &'a WantedLayer,
}

/// The layers of the model at `path` that are wanted, in the order of the model, each once.
///
/// # Errors
///
/// If one is not there, if its weight has another shape, or if one weight is wanted at two levels.
pub(super) fn find<'a>(
    path: &Path,
    layers: &Layers,
    wanted: &'a [WantedLayer],
) -> Result<Vec<Found<'a>>, PruneError> {
    let model = || path.to_path_buf();
    let mut found: Vec<Found> = Vec::new();
    for wanted in wanted {
        let places = places(&layers.layers, wanted);
        if places.is_empty() {
            let WantedLayer { operator, weight, .. } = wanted.clone();
            return Err(PruneError::NoLayer { model: model(), operator, weight });
        }
        for &place in &places {
            let own = &layers.layers[place];
            // What an engine made of several weights has none of their shapes.
            if places.len() == 1 && !is_of_shape(own, wanted) {
                return Err(PruneError::Shape {
                    model: model(),
                    operator: wanted.operator.clone(),
                    own: [own.outputs, own.inputs],
                    wanted: [wanted.outputs, wanted.inputs],
                });
            }
            match found.iter().find(|known| known.layer == place) {
                None => found.push(Found { layer: place, wanted }),
                Some(known) if known.wanted.level == wanted.level => {}
                Some(known) => {
                    return Err(PruneError::TwoLevels {
                        operators: [&known.wanted, &wanted].map(|own| own.operator.clone()),
                        weight: own.weight.clone(),
                        levels: [known.wanted.level, wanted.level],
                    });
                }
            }
        }
    }
    found.sort_by_key(|found| found.layer);
    Ok(found)
}

/// Layers by the name of the weight, or else of the operator, or of one of its nodes.
fn places(layers: &[LossLayer], wanted: &WantedLayer) -> Vec<usize> {
    let by = |is_it: &dyn Fn(&LossLayer) -> bool| -> Vec<usize> {
        layers
            .iter()
            .enumerate()
            .filter(|(_, layer)| is_it(layer))
            .map(|(place, _)| place)
            .collect()
    };
    let names: HashSet<&String> = wanted.nodes.iter().chain([&wanted.operator]).collect();
    let is_named = |layer: &LossLayer| layer.nodes.iter().any(|node| names.contains(node));
    // Branches may have weights of one name.
    let of_weight = by(&|layer| layer.weight == wanted.weight);
    match of_weight.len() {
        0 => by(&is_named),
        1 => of_weight,
        _ => by(&|layer| layer.weight == wanted.weight && is_named(layer)),
    }
}

/// Also the other way round, as nodes that share a weight may read it.
fn is_of_shape(layer: &LossLayer, wanted: &WantedLayer) -> bool {
    let own = [layer.outputs, layer.inputs];
    own == [wanted.outputs, wanted.inputs] || own == [wanted.inputs, wanted.outputs]
}

/// Why a weight is left as it is in a file; `None` if its elements can be changed in place.
pub(super) fn left_out(layer: &LossLayer) -> Option<String> {
    match layer.data_type {
        _ if layer.left_out.is_some() => layer.left_out.clone(),
        DataType::Fp32 | DataType::Fp64 => None,
        other => Some(format!("its elements are {other}, not fp32")),
    }
}
