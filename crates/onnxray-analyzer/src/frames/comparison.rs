//! What changed from one recording to another, layer by layer.

use super::{frame, frame_columns};
use crate::comparison::{ComparedGroup, Comparison};
use polars::prelude::{DataFrame, PolarsResult};

frame_columns! {
    /// One row per layer: the operators of both sides that do the same work.
    GROUPS: ComparedGroup;
    /// the operator that takes most time
    "name" = |row| row.name.clone();
    /// types on side A
    "a_types" = |row| row.types[0].clone();
    /// types on side B
    "b_types" = |row| row.types[1].clone();
    /// typical time per iteration on side A
    "a_ms" = |row| row.compared.sides[0].typical.map(|time| time.0);
    /// typical time per iteration on side B
    "b_ms" = |row| row.compared.sides[1].typical.map(|time| time.0);
    /// typical time of B / that of A: below 1 is faster
    "ratio" = |row| row.compared.change.ratio;
    /// 95 % interval of that: its lower end
    "ratio_low" = |row| row.compared.change.ratio_interval.map(|ends| ends.low);
    /// its upper end
    "ratio_high" = |row| row.compared.change.ratio_interval.map(|ends| ends.high);
    /// probability of such a difference by chance, adjusted for the number of layers
    "p_adjusted" = |row| row.compared.change.p_adjusted;
    /// faster, slower, same or inconclusive; null if not tested
    "verdict" = |row| row.compared.change.verdict.map(|verdict| verdict.name());
    /// mean of B - mean of A; these add up to that of the whole
    "mean_difference_ms" = |row| row.compared.change.mean_difference.map(|time| time.0);
}

/// The layers of a comparison, with the columns of [`GROUPS`].
///
/// # Errors
///
/// If polars refuses the columns, which would be a defect.
pub fn groups(comparison: &Comparison) -> PolarsResult<DataFrame> {
    frame(GROUPS, &comparison.groups)
}
