//! Which products skip the zero blocks of their weights: a line, and a cell of operators.

use crate::document::{Cell, Line, Unit, columns};
use Unit::Text;
use onnxray_analyzer::statistics::Summary;
use onnxray_format::{Operator, ZeroBlocks};
use onnxray_text::{counted, printable};
use std::collections::{BTreeMap, BTreeSet};

/// Reasons that the line names.
const MOST_REASONS: usize = 2;

columns! {
    /// The line, as a figure of the model.
    pub(super) const SPARSE: Summary;

    /// products that skip the zero blocks of their weights (`record --sparse`)
    "zero_blocks" "zero blocks" Text = |summary| {
        line(summary).map_or(Cell::None, |line| Cell::Text(line.texts().join(", ")))
    };
}

/// What an operator does with zero blocks.
pub(super) fn cell(operator: &Operator) -> Cell {
    match &operator.zero_blocks {
        Some(ZeroBlocks::Skipped(instructions)) => Cell::text(instructions),
        Some(ZeroBlocks::Multiplied(reason)) => Cell::Text(format!("multiplied: {reason}")),
        None => Cell::None,
    }
}

/// `14 of 16 products skip zero blocks (AVX-512, 84.6 % of the time); 2 multiply: neither side is
/// constant`; `None` unless that was asked for.
pub(crate) fn line(summary: &Summary) -> Option<Line> {
    let mut instructions = BTreeSet::new();
    let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
    let (mut skipping, mut share) = (0, Some(0.0));
    for one in &summary.operators {
        match &one.operator.zero_blocks {
            Some(ZeroBlocks::Skipped(set)) => {
                instructions.insert(printable(set));
                skipping += 1;
                share = share.zip(one.share).map(|(sum, share)| sum + share.0);
            }
            Some(ZeroBlocks::Multiplied(reason)) => *reasons.entry(reason).or_default() += 1,
            None => {}
        }
    }
    let dense: u64 = reasons.values().sum();
    if skipping + dense == 0 {
        return None;
    }
    let all = counted(skipping + dense, "product", "products");
    let skip = if skipping == 1 { "skips" } else { "skip" };
    let line = Line::new("Sparse").part(0, format!("{skipping} of {all} {skip} zero blocks"));
    let instructions = instructions.into_iter().collect::<Vec<_>>().join(", ");
    let share =
        share.map_or(String::new(), |share| format!(", {:.1} % of the time", 100.0 * share));
    let how = (skipping > 0).then(|| format!("({instructions}{share})"));
    Some(line.behind(" ", 1, how).behind("; ", 2, why(reasons)))
}

/// How many multiply by zeros, for the reasons that most have.
fn why(reasons: BTreeMap<&str, u64>) -> Option<String> {
    let mut reasons: Vec<(&str, u64)> = reasons.into_iter().collect();
    reasons.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let more = if reasons.len() > MOST_REASONS { ", …" } else { "" };
    let named: Vec<String> = reasons
        .iter()
        .take(MOST_REASONS)
        .map(|(reason, count)| format!("{count} not: {}", printable(reason)))
        .collect();
    (!named.is_empty()).then(|| format!("{}{more}", named.join(", ")))
}
