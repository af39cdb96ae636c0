//! Layers that repeat, as one row each, with the layers that are in no pattern.

use super::layers::{Layer, PATTERN, bounded_columns, folded_columns, for_people, sorted, titled};
use super::rows::{NOT_EXECUTED, Pair, Row, or, replaced, sheet, shortened};
use crate::document::Unit::{Count, Milliseconds, Share, Text};
use crate::document::{Cell, CellStyle, Column, Table, columns};
use onnxray_analyzer::comparison::Side;
use onnxray_analyzer::comparison::Side::{A, B};
use onnxray_analyzer::comparison::keys::{A_TYPE, B_TYPE, COUNT, LAYER};
use onnxray_analyzer::comparison::tables::{LAYERS, PATTERNS};
use onnxray_analyzer::comparison::{Comparison, Folded, LayerTimes};
use onnxray_text::difference::signed_difference;

/// True if layers repeat in one of the versions.
pub(super) fn has_patterns(pairs: &[Pair]) -> bool {
    pairs.iter().any(|pair| !pair.comparison.folded.is_empty())
}

/// Rows of a version, those that changed most first. Where nothing repeats, they are its layers.
fn ordered<'a>(pair: Pair<'a>, name_part: Option<&str>) -> Vec<Layer<'a>> {
    let comparison = pair.comparison;
    if comparison.folded.is_empty() {
        return super::layers::ordered(pair, name_part);
    }
    let folded = comparison.folded.iter();
    let layers = folded.filter_map(|folded| Layer::of_folded(comparison, folded)).collect();
    sorted(pair, name_part, layers)
}

/// Layers of all versions, folded.
pub(super) fn patterns(pairs: &[Pair], name_part: Option<&str>, most: Option<usize>) -> Table {
    let rows = |pair| ordered(pair, name_part);
    shortened(PATTERNS, title(pairs), pattern_columns(), pairs, most, rows)
}

/// The same of one version on a sheet; what adds up is added up from the layers' sheet.
pub(super) fn patterns_sheet(pair: Pair) -> Table {
    let what = (PATTERNS, title(&[pair]));
    let columns = replaced(pattern_columns(), summed_columns());
    let rows = match has_patterns(&[pair]) {
        true => ordered(pair, None),
        false => Vec::new(),
    };
    sheet(what, columns, pair, rows, CellStyle::Bare).with_width(10.5)
}

/// Which times are shown.
fn title(pairs: &[Pair]) -> &'static str {
    titled(pairs, |times| match times {
        Some(LayerTimes::Typical) => "Layers by pattern, typical times",
        Some(LayerTimes::Mean) => "Layers by pattern, mean times",
        Some(LayerTimes::Total) => "Layers by pattern, total times",
        None => "Layers by pattern",
    })
}

/// The same for people, who read how many layers a row stands for beside its name, and what differs
/// from it beside its verdict.
pub(super) fn patterns_for_people(
    pairs: &[Pair],
    name_part: Option<&str>,
    most: Option<usize>,
) -> Table {
    let rows = |pair| ordered(pair, name_part);
    let table = shortened(
        PATTERNS,
        title(pairs),
        replaced(replaced(pattern_columns(), shown_texts()), bounded_columns()),
        pairs,
        most,
        rows,
    );
    let is_folded = |count: &Cell| count.as_number().is_some_and(|count| count > 1.0);
    let has_patterns = table.column(COUNT).is_some_and(|column| column.cells.iter().any(is_folded));
    let mut table = for_people(table);
    if has_patterns {
        let folded =
            "xN: N layers of one name but for numbers, judged as one; --no-fold lists them";
        let caveats = [Some(folded.to_string()), table.caveat.take()];
        table.caveat = Some(caveats.into_iter().flatten().collect::<Vec<_>>().join("; "));
    }
    table
}

pub(super) fn pattern_columns<'a>() -> Columns<'a> {
    folded_columns(identity_columns(), member_columns())
}

/// Columns that a table of layers does not have.
pub(super) fn own_columns<'a>() -> Columns<'a> {
    let columns = identity_columns().into_iter().filter(|column| column.key == COUNT);
    columns.chain(member_columns()).collect()
}

/// Columns of layers, folded or not.
type Columns<'a> = Vec<Column<Row<'a, Layer<'a>>>>;

columns! {
    fn identity_columns<'a>: Row<'a, Layer<'a>>;

    /// position of its first layer in the order of execution
    "number" "#" Count = |row| row.number(), width(7.0);
    /// of a pattern, what its layers share, with * for numbers that differ; the layer, if it is in
    /// none
    LAYER "Layer" Text = |row| Cell::text(row.subject.name()), width(56.0);
    /// layers of the pattern; 1 for a layer that is in none
    COUNT "Layers" Count = |row| Cell::Whole(row.count() as u64);
    /// types of a layer's operators, in the order of execution
    for SIDE: Side in [A_TYPE "A type" = A, B_TYPE "B type" = B] Text =
        |row| row.operator_type(SIDE), width(18.0);
    /// element type it computes in
    for SIDE: Side in ["a_precision" "A precision" = A, "b_precision" "B precision" = B] Text =
        |row| row.precision(SIDE);
}

columns! {
    fn member_columns<'a>: Row<'a, Layer<'a>>;

    /// names of its layers
    "members" "Members" Text = |row| Cell::text(row.members()), width(44.0);
    /// the layer whose ratio differs most from the pattern's, if one does for sure
    "unlike" "Unlike" Text = |row| row.unlike().map_or(Cell::None, |(name, _)| Cell::text(name));
    /// layers whose ratios differ from the pattern's for sure
    "unlike_count" "Unlike layers" Count = |row| match row.subject.folded {
        Some(folded) if folded.is_pattern() => {
            Cell::Whole(folded.unlike.map_or(0, |unlike| unlike.count as u64))
        }
        _ => Cell::None,
    };
}

columns! {
    /// On a sheet, sums of what the layers have on theirs.
    fn summed_columns<'a>: Row<'a, Layer<'a>>;

    /// mean per iteration; means add up
    for SIDE: Side in ["a_mean_ms" "A mean ms" = A, "b_mean_ms" "B mean ms" = B] Milliseconds =
        |row| row.mean(SIDE), value(|row| or(row.mean(SIDE), NOT_EXECUTED)),
        live(|row| row.mean(SIDE).as_number().is_some()),
        formula(|_| sum_of(["a_mean_ms", "b_mean_ms"][SIDE as usize]));
    /// difference of the means
    "mean_difference_ms" "Mean B - A ms" Milliseconds =
        |row| Cell::milliseconds(row.change().mean_difference),
        width(15.0),
        value(|row| row.of_one_unit(Cell::milliseconds(row.change().mean_difference))),
        live(|row| row.has_one_unit() && row.change().mean_difference.is_some()),
        formula(|_| sum_of("mean_difference_ms"));
    /// sum of its layers' shares of the end-to-end difference, each from the layer's own typical time
    "share_of_difference" "Share of difference" Share =
        |row| Cell::number(row.change().contribution),
        value(|row| row.of_one_unit(Cell::number(row.change().contribution))),
        live(|row| row.has_one_unit() && row.change().contribution.is_some()),
        formula(|_| sum_of("share_of_difference"));
}

/// Words such as `not executed` count as 0.
fn sum_of(key: &str) -> String {
    format!("=SUMIFS([!{LAYERS}.{key}*],[!{LAYERS}.{PATTERN}*],[number])")
}

columns! {
    fn shown_texts<'a>: Row<'a, Layer<'a>>;

    /// name, and how many layers it stands for
    LAYER "Layer" Text = |row| Cell::text(row.counted_name()), width(56.0);
    /// why it is inconclusive beside its interval, and which layer differs from the others
    "reason" "Why" Text = |row| row.why(), width(34.0);
}

/// `blocks.*/mlp/fc1 x40`
pub(super) fn counted_name(folded: &Folded) -> String {
    match folded.members.len() {
        0 | 1 => folded.name.clone(),
        count => format!("{} x{count}", folded.name),
    }
}

impl Row<'_, Layer<'_>> {
    fn count(&self) -> usize {
        self.subject.folded.map_or(1, |folded| folded.members.len())
    }

    fn counted_name(&self) -> String {
        self.subject.folded.map_or_else(|| self.subject.name().to_string(), counted_name)
    }

    fn members(&self) -> String {
        let groups = self.subject.groups(self.pair.comparison);
        groups.iter().map(|group| group.name.as_str()).collect::<Vec<_>>().join("; ")
    }

    /// The layer that differs from its pattern, and in words by how much.
    fn unlike(&self) -> Option<(&str, String)> {
        let comparison: &Comparison = self.pair.comparison;
        let unlike = self.subject.folded?.unlike?;
        let member = comparison.groups.get(unlike.member)?;
        let change = &member.compared.change;
        let interval = change.ratio_interval.map(|ends| (ends.low, ends.high));
        let more = match unlike.count - 1 {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        let difference = signed_difference(change.ratio?, interval);
        Some((&member.name, format!("{}: {difference}{more}", member.name)))
    }

    fn why(&self) -> Cell {
        let reason = self.change().reason.map(|reason| reason.text());
        let unlike = self.unlike().map(|(_, text)| format!("unlike the others: {text}"));
        let texts: Vec<String> = reason.into_iter().chain(unlike).collect();
        Cell::some_text(texts.join("; "))
    }
}
