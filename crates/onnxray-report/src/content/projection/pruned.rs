//! What was pruned in a model's file, layer by layer.

use crate::document::Unit::{Quantity, Share, Text};
use crate::document::{Cell, Document, Note, Notes, Table, columns};
use onnxray_analyzer::quantity::percent;
use onnxray_format::{Block, PrunedLayer};
use onnxray_text::{counted, first_of, printable};

columns! {
    pub(super) fn columns: PrunedLayer;

    /// name of its ONNX node
    "name" "Operator" Text = |layer| Cell::text(&layer.operator);
    /// name of the constant
    "weight" "Weight" Text = |layer| Cell::text(&layer.weight);
    /// outputs x inputs
    "weight_shape" "Weight shape" Text =
        |layer| Cell::text(format!("{}x{}", layer.outputs, layer.inputs));
    /// sparsity that was asked for
    "target" "Target" Share = |layer| layer.level.map_or(Cell::None, Cell::Number);
    /// share of zero blocks in the model as it was
    "before" "Before" Share = |layer| reached(layer, 0);
    /// share of zero blocks in the pruned model
    "reached" "Reached" Share = |layer| reached(layer, 1);
    /// elements of the pruned blocks
    "pruned" "Pruned elements" Quantity = |layer| Cell::Whole(layer.pruned);
    /// why its weight is left as it is
    "why" "Why not" Text = |layer| Cell::some_text(layer.left_out.clone().unwrap_or_default());
}

fn reached(layer: &PrunedLayer, at: usize) -> Cell {
    layer.sparse_ratios.map_or(Cell::None, |ratios| Cell::Number(ratios[at]))
}

/// A model that was pruned in blocks of this shape; `no_faster` says which of its layers gain nothing.
pub fn pruned_report(
    layers: &[PrunedLayer],
    block: Block,
    no_faster: Option<String>,
    most: Option<usize>,
) -> Document {
    let table = Table::new("pruned_layers", "Pruned layers", &columns(), layers).shortened(most);
    let mut document = Document::of("projection", table);
    document.headline = vec![headline(layers, block)];
    let no_faster = no_faster.map(Note::note);
    document.push(Notes { notes: no_faster.into_iter().chain(notes(layers)).collect() });
    document
}

fn headline(layers: &[PrunedLayer], block: Block) -> String {
    let pruned = layers.iter().filter(|layer| layer.left_out.is_none());
    let (number, elements) =
        pruned.fold((0, 0), |(number, sum), layer| (number + 1, sum + layer.pruned));
    let reached = layers.iter().filter_map(|layer| layer.sparse_ratios.map(|[_, after]| after));
    let low = reached.clone().fold(f64::INFINITY, f64::min);
    let high = reached.fold(0.0, f64::max);
    let rounded = |share: f64| percent((share * 1e3).round() / 1e3);
    let reached = match rounded(low) == rounded(high) {
        true => format!("{} %", rounded(high)),
        false => format!("{} to {} %", rounded(low), rounded(high)),
    };
    format!(
        "Of {}, {number} were pruned: {reached} of their blocks of {block} are zero, {} elements.",
        counted(layers.len() as u64, "weight", "weights"),
        elements
    )
}

fn notes(layers: &[PrunedLayer]) -> Vec<Note> {
    let left = layers.iter().filter_map(|layer| {
        Some(format!("{} ({})", printable(&layer.operator), layer.left_out.as_ref()?))
    });
    let left: Vec<String> = left.collect();
    let named = (!left.is_empty())
        .then(|| Note::note(format!("weights left as they are: {}", first_of(&left, ", "))));
    let lost = Note::warning(
        "pruning costs accuracy: retrain the pruned model, or measure what it lost, before you use \
         it",
    );
    let gained = Note::note(
        "zeros save time only where an engine has kernels that skip them; record the pruned model to \
         measure it",
    );
    named.into_iter().chain([lost, gained]).collect()
}
