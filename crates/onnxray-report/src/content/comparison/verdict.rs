//! What is said of a difference, in words.

use crate::document::{Cell, Tone};
use onnxray_analyzer::Share;
use onnxray_analyzer::comparison::{Basis, Change, Compared, Comparison, Verdict};
use onnxray_analyzer::statistics::Interval;

/// True if times of both sides measure the same thing, so that one can be subtracted.
pub(super) fn has_one_unit(comparison: &Comparison) -> bool {
    comparison.basis != Basis::Unlike
}

/// The word for a difference that the clock hardly tells apart.
pub(super) const NEGLIGIBLE: &str = "negligible";

/// The verdict in a word. Beyond `threshold`, a difference that the clock hardly resolves is
/// negligible, not the same.
pub(crate) fn verdict(compared: &Compared, threshold: Share) -> Cell {
    // Before the verdict's own word, which would be `same`.
    if is_negligible(compared, threshold) {
        return Cell::label("same", NEGLIGIBLE);
    }
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

/// True if coarse steps of the clock alone make it the same: the ratio may be beyond the threshold.
pub(in crate::content) fn is_negligible(compared: &Compared, threshold: Share) -> bool {
    let Change { verdict, ratio_interval, .. } = compared.change;
    let is_beyond = |ends: Interval| ends.low < 1.0 - threshold.0 || ends.high > 1.0 + threshold.0;
    verdict == Some(Verdict::Same) && ratio_interval.is_some_and(is_beyond)
}

/// Why it is inconclusive, where its interval does not show it.
pub(super) fn reason(change: &Change) -> Cell {
    change.reason.map_or(Cell::None, |reason| Cell::text(reason.text()))
}

/// The same of a layer; of blocks of an x-ray also the bounds that they are below.
pub(super) fn reason_of_layer(compared: &Compared, of_blocks: bool) -> Cell {
    let sides = compared.sides.iter().zip(["A", "B"]).filter(|_| of_blocks);
    let bounds = sides
        .filter_map(|(side, name)| side.below.map(|most| format!("{name} < {:.3} ms", most.0)));
    match reason(&compared.change) {
        Cell::None => Cell::some_text(bounds.collect::<Vec<_>>().join(", ")),
        known => known,
    }
}
