//! What is said of a difference, in words.

use crate::document::{Cell, Tone};
use onnxray_analyzer::comparison::{Basis, Change, Compared, Comparison, Verdict};

/// Whether times of both sides are of the same, so that one can be taken from
/// the other.
pub(super) fn has_one_unit(comparison: &Comparison) -> bool {
    comparison.basis != Basis::Unlike
}

pub(super) fn verdict(compared: &Compared) -> Cell {
    let executed = compared.sides.each_ref().map(|side| side.sum_ns.is_some());
    let (text, tone) = match (executed, compared.change.verdict) {
        ([true, false], _) => ("not executed in B", Tone::Plain),
        ([false, true], _) => ("not executed in A", Tone::Plain),
        ([false, false], _) => ("not executed", Tone::Plain),
        (_, Some(Verdict::Faster)) => ("faster", Tone::Good),
        (_, Some(Verdict::Slower)) => ("slower", Tone::Bad),
        (_, Some(Verdict::Same)) => ("same", Tone::Plain),
        (_, Some(Verdict::Inconclusive)) => ("inconclusive", Tone::Doubtful),
        (_, Some(Verdict::NotTested) | None) => ("not tested", Tone::Doubtful),
    };
    Cell::verdict(text, tone)
}

/// Why it is inconclusive, where its interval does not show it.
pub(super) fn reason(change: &Change) -> Cell {
    change.reason.map_or(Cell::None, |reason| Cell::text(reason.text()))
}
