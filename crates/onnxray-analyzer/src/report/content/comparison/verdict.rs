//! What is said of a difference, in words.

use crate::comparison::{Basis, Change, Compared, Comparison, Verdict};
use crate::report::document::Cell;

/// Whether times of both sides are of the same, so that one can be taken from
/// the other.
pub(crate) fn has_one_unit(comparison: &Comparison) -> bool {
    comparison.basis != Basis::Unlike
}

pub(super) fn verdict_text(compared: &Compared) -> &'static str {
    let executed = compared.sides.each_ref().map(|side| side.sum_ns.is_some());
    match (executed, compared.change.verdict) {
        ([true, false], _) => "not executed in B",
        ([false, true], _) => "not executed in A",
        ([false, false], _) => "not executed",
        (_, Some(Verdict::Faster)) => "faster",
        (_, Some(Verdict::Slower)) => "slower",
        (_, Some(Verdict::Same)) => "same",
        (_, Some(Verdict::Inconclusive)) => "inconclusive",
        (_, Some(Verdict::NotTested) | None) => "not tested",
    }
}

/// Why it is inconclusive, where its interval does not show it.
pub(super) fn reason(change: &Change) -> Cell {
    change.reason.map_or(Cell::None, |reason| Cell::text(reason.text()))
}
