//! Layers as a tree of modules, with their differences.

use super::rows::Pair;
use super::verdict::{has_one_unit, verdict};
use crate::document::{Ladder, RungFigures};
use onnxray_analyzer::comparison::tables::LAYERS;
use onnxray_analyzer::comparison::{Change, Compared, Modules, Side};

/// Of every version that has layers.
pub(super) fn ladders(pairs: &[Pair]) -> Vec<Ladder> {
    pairs.iter().filter(|pair| !pair.comparison.modules.nodes.is_empty()).map(ladder).collect()
}

fn ladder(pair: &Pair) -> Ladder {
    let comparison = pair.comparison;
    let Modules { nodes, compared } = &comparison.modules;
    let of = |figure: fn(&Compared) -> Option<f64>| compared.iter().map(figure).collect();
    let of_one_unit = |figure: fn(&Compared) -> Option<f64>| {
        if has_one_unit(comparison) { of(figure) } else { vec![None; nodes.len()] }
    };
    // As in the tables of layers: means may differ the other way than what is tested.
    let figures = RungFigures::Differences {
        version: comparison.labels[1].clone(),
        a: of(|one| Some(one.sides[Side::A as usize].typical?.0)),
        b: of(|one| Some(one.sides[Side::B as usize].typical?.0)),
        difference: of_one_unit(|one| Some(in_both(one)?.difference?.0)),
        ratio: of_one_unit(|one| in_both(one)?.ratio),
        ratio_low: of_one_unit(|one| Some(in_both(one)?.ratio_interval?.low)),
        ratio_high: of_one_unit(|one| Some(in_both(one)?.ratio_interval?.high)),
        verdict: compared.iter().map(|one| verdict(one, comparison.noise_threshold)).collect(),
    };
    Ladder::new(LAYERS, !comparison.folded.is_empty(), nodes.clone(), figures)
}

/// The change, if both sides execute it.
fn in_both(compared: &Compared) -> Option<&Change> {
    compared.sides.iter().all(|side| side.sum_ns.is_some()).then_some(&compared.change)
}
