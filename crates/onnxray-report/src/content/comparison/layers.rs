//! Every layer of both versions, and the parameters in which they differ.

use super::rows::{
    DETECTABLE, NOT_EXECUTED, Pair, Row, by, computed, detectable, end, minus, or, part, replaced,
    share_of, sheet, shortened,
};
use super::verdict::{NEGLIGIBLE, has_one_unit, reason_of_layer, verdict};
use crate::document::Unit::{Count, Milliseconds, Probability, Ratio, Share, Text};
use crate::document::{Cell, CellStyle, Column, End, Table, UNKNOWN, columns};
use onnxray_analyzer::comparison::Side::{A, B};
use onnxray_analyzer::comparison::keys::{
    A_MS, A_SHARE, A_TYPE, B_MS, B_SHARE, B_TYPE, DIFFERENCE_HIGH_MS, DIFFERENCE_LOW_MS,
    DIFFERENCE_MS, LAYER, P, RATIO, RATIO_HIGH, RATIO_LOW, VERDICT, VERSION,
};
use onnxray_analyzer::comparison::tables::LAYERS;
use onnxray_analyzer::comparison::{
    Change, Compared, ComparedGroup, Comparison, Detail, Folded, LaunchesNeeded, LayerTimes,
    Method, Side, Timing,
};
use onnxray_analyzer::units;

/// Key of the column that says which pattern a layer is in.
pub(super) const PATTERN: &str = "pattern";

/// What people see of the layers.
const SHOWN: [&str; 14] = [
    VERSION,
    LAYER,
    A_TYPE,
    B_TYPE,
    A_MS,
    B_MS,
    DIFFERENCE_MS,
    RATIO,
    RATIO_LOW,
    RATIO_HIGH,
    DETECTABLE,
    VERDICT,
    "reason",
    "matched_by",
];

/// A group of operators, and its position in the order of execution; or several that repeat, folded.
#[derive(Clone, Copy)]
pub(super) struct Layer<'a> {
    number: usize,
    group: &'a ComparedGroup,
    pub(super) compared: &'a Compared,
    /// Set where layers that repeat are folded; `group` is its first member then.
    pub(super) folded: Option<&'a Folded>,
    /// Number of the folded row that it is in; `None` where nothing repeats.
    row: Option<usize>,
}

impl<'a> Layer<'a> {
    fn all(comparison: &'a Comparison) -> Vec<Layer<'a>> {
        let mut rows = vec![None; comparison.groups.len()];
        for folded in &comparison.folded {
            for &member in &folded.members {
                rows[member] = folded.members.first().copied();
            }
        }
        let groups = comparison.groups.iter().zip(rows).enumerate();
        let layer = |(number, (group, row)): (usize, (&'a ComparedGroup, Option<usize>))| Layer {
            number,
            group,
            compared: &group.compared,
            folded: None,
            row,
        };
        groups.map(layer).collect()
    }

    pub(super) fn of_folded(comparison: &'a Comparison, folded: &'a Folded) -> Option<Layer<'a>> {
        let number = *folded.members.first()?;
        let group = comparison.groups.get(number)?;
        let compared = &folded.compared;
        Some(Layer { number, group, compared, folded: Some(folded), row: Some(number) })
    }

    /// The layer, or the members of its pattern.
    pub(super) fn groups(self, comparison: &'a Comparison) -> Vec<&'a ComparedGroup> {
        match self.folded {
            None => vec![self.group],
            Some(folded) => {
                folded.members.iter().filter_map(|&member| comparison.groups.get(member)).collect()
            }
        }
    }

    pub(super) fn name(self) -> &'a str {
        self.folded.map_or(&self.group.name, |folded| &folded.name)
    }
}

/// A parameter in which a layer differs.
pub(super) struct LayerDetail<'a> {
    layer: Layer<'a>,
    detail: &'a Detail,
}

/// Layers with a text in the names of their operators, those that changed most first:
/// by the times that the table shows.
pub(super) fn ordered<'a>(pair: Pair<'a>, name_part: Option<&str>) -> Vec<Layer<'a>> {
    sorted(pair, name_part, Layer::all(pair.comparison))
}

pub(super) fn sorted<'a>(
    pair: Pair<'a>,
    name_part: Option<&str>,
    mut layers: Vec<Layer<'a>>,
) -> Vec<Layer<'a>> {
    let is_wanted = |layer: &Layer| {
        let Some(part) = name_part else { return true };
        let has_part = |group: &ComparedGroup, side: Side| {
            let operators = group.group.members(side).iter();
            let mut operators = operators.filter_map(|member| pair.operator(side, member));
            operators.any(|operator| operator.name.contains(part))
        };
        let groups = layer.groups(pair.comparison);
        groups.iter().any(|group| has_part(group, A) || has_part(group, B))
    };
    let weight = |layer: &Layer| {
        // What a side does not execute takes no time there.
        let times = layer.compared.sides.each_ref();
        let [a, b] = times.map(|side| side.typical.map_or(0.0, |time| time.0));
        // Times of different things have no difference to sort by.
        let change = if has_one_unit(pair.comparison) { (b - a).abs() } else { 0.0 };
        // Of equal changes, the layer that takes more time comes first.
        (change, a + b)
    };
    layers.retain(is_wanted);
    layers.sort_by(|a, b| {
        let (a, b) = (weight(a), weight(b));
        b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1))
    });
    layers
}

/// Every layer of both versions; with `patterns`, beside a table of folded layers. With `bounds`,
/// for people, a time that says nothing is the bound that it is below.
pub(super) fn layers(
    pairs: &[Pair],
    name_part: Option<&str>,
    most: Option<usize>,
    patterns: bool,
    bounds: bool,
) -> Table {
    let rows = |pair| ordered(pair, name_part);
    let columns = match bounds {
        true => replaced(layer_columns(), bounded_columns()),
        false => layer_columns(),
    };
    let table = shortened(LAYERS, title(pairs), columns, pairs, most, rows);
    for_people(table.without_unless(patterns, &[PATTERN]))
}

/// What people see of layers, folded or not.
pub(super) fn for_people(table: Table) -> Table {
    let essential = [VERSION, LAYER, A_MS, B_MS, RATIO, VERDICT];
    let table = table.showing(&SHOWN).hiding_empty(&["reason", DETECTABLE]);
    let has_negligible = table.column(VERDICT).is_some_and(|column| {
        column.cells.iter().any(|cell| matches!(cell, Cell::Label { text: NEGLIGIBLE, .. }))
    });
    let caveat = has_negligible
        .then(|| format!("{NEGLIGIBLE}: within two steps of the clock, whatever the ratio"));
    table.essential(&essential).wrapping(&["reason"]).with_caveat(caveat)
}

/// The same of one version on a sheet.
pub(super) fn layers_sheet(pair: Pair) -> Table {
    let what = (LAYERS, title(&[pair]));
    sheet(what, layer_columns(), pair, ordered(pair, None), CellStyle::Bare)
        .without_unless(!pair.comparison.folded.is_empty(), &[PATTERN])
        .with_width(10.5)
}

/// Which times are shown.
fn title(pairs: &[Pair]) -> &'static str {
    titled(pairs, |times| match times {
        Some(LayerTimes::Typical) => "Layers, typical times",
        Some(LayerTimes::Mean) => "Layers, mean times",
        Some(LayerTimes::Total) => "Layers, total times",
        None => "Layers",
    })
}

/// The title for the times that all versions have; for `None` if these differ.
pub(super) fn titled(
    pairs: &[Pair],
    title: fn(Option<LayerTimes>) -> &'static str,
) -> &'static str {
    let mut times: Vec<LayerTimes> = pairs.iter().map(|pair| pair.comparison.layer_times).collect();
    // If two differ at all, two neighbours do: more than one is left.
    times.dedup();
    title(if let [times] = times[..] { Some(times) } else { None })
}

pub(super) fn layer_columns<'a>() -> Vec<Column<Row<'a, Layer<'a>>>> {
    let mut columns = identity_columns();
    columns.extend(typical_columns());
    columns.extend(mean_columns());
    columns.extend(alignment_columns());
    columns.extend(fold_columns());
    columns
}

/// Like [`layer_columns`], of layers that are folded.
pub(super) fn folded_columns<'a>(
    names: Vec<Column<Row<'a, Layer<'a>>>>,
    members: Vec<Column<Row<'a, Layer<'a>>>>,
) -> Vec<Column<Row<'a, Layer<'a>>>> {
    let rest = [typical_columns(), mean_columns(), alignment_columns(), members];
    names.into_iter().chain(rest.into_iter().flatten()).collect()
}

columns! {
    fn identity_columns<'a>: Row<'a, Layer<'a>>;

    /// position in the order of execution
    "number" "#" Count = |row| row.number(), width(7.0);
    /// the group's operator with most time
    LAYER "Layer" Text = |row| Cell::text(row.subject.name()), width(56.0);
    /// types of the group's operators, in the order of execution
    for SIDE: Side in [A_TYPE "A type" = A, B_TYPE "B type" = B] Text =
        |row| row.operator_type(SIDE), width(18.0);
    /// element type of its computation
    for SIDE: Side in ["a_precision" "A precision" = A, "b_precision" "B precision" = B] Text =
        |row| row.precision(SIDE);
}

columns! {
    /// What differences are of, and what is tested.
    fn typical_columns<'a>: Row<'a, Layer<'a>>;

    /// typical time per iteration, a mean of block medians
    for SIDE: Side in [A_MS "A ms" = A, B_MS "B ms" = B] Milliseconds =
        |row| row.typical(SIDE), value(|row| or(row.typical(SIDE), NOT_EXECUTED));
    /// difference of the typical times
    DIFFERENCE_MS "B - A ms" Milliseconds =
        |row| row.of_both(|change| Cell::milliseconds(change.difference)),
        value(|row| row.of_one_unit(row.of_both(|change| Cell::milliseconds(change.difference)))),
        live(Row::has_one_unit), formula(|_| minus(["a_ms", "b_ms"], "[verdict]"));
    /// a 95 % interval
    ends END: End in [DIFFERENCE_LOW_MS "Low ms", DIFFERENCE_HIGH_MS "High ms"] Milliseconds =
        |row| end(END, row.change().difference_interval);
    /// ratio of the typical times
    RATIO "B / A" Ratio = |row| row.of_both(|change| Cell::number(change.ratio)),
        value(|row| row.of_one_unit(row.of_both(|change| Cell::number(change.ratio)))),
        live(Row::has_one_unit), formula(|_| by(["a_ms", "b_ms"], "[verdict]"));
    /// a 95 % interval
    ends END: End in [RATIO_LOW "Low", RATIO_HIGH "High"] Ratio =
        |row| end(END, row.change().ratio_interval);
    /// p-value of the test on launches
    P "p" Probability = |row| computed(row.change().p);
    /// p-value after Benjamini and Hochberg over layers of its family
    "p_adjusted" "p adjusted" Probability = |row| computed(row.change().p_adjusted);
    /// smallest difference that 80 % of such comparisons detect
    DETECTABLE "Detectable" Share = |row| detectable(row.change());
    /// as end to end; negligible (same in JSON and CSV): within two steps of the clock
    VERDICT "Verdict" Text = |row| row.verdict(), width(17.0), value(Row::named_verdict);
    /// why the verdict is inconclusive
    "reason" "Why" Text = |row| reason_of_layer(row.subject.compared, row.pair.has_blocks()), width(34.0);
    /// launches per side that would decide it, lower quartile
    "launches_needed_low" "Launches needed low" Count =
        |row| row.launches_needed(|needed| needed.low);
    /// upper quartile; blank beside the lower one: many more
    "launches_needed_high" "Launches needed high" Count = |row| row.launches_needed(|needed| needed.high);
}

columns! {
    pub(super) fn bounded_columns<'a>: Row<'a, Layer<'a>>;

    /// typical time per iteration, or what it is below
    for SIDE: Side in [A_MS "A ms" = A, B_MS "B ms" = B] Milliseconds =
        |row| row.bounded(SIDE);
}

columns! {
    /// What adds up to the whole.
    fn mean_columns<'a>: Row<'a, Layer<'a>>;

    /// mean per iteration; means add up
    for SIDE: Side in ["a_mean_ms" "A mean ms" = A, "b_mean_ms" "B mean ms" = B] Milliseconds =
        |row| row.mean(SIDE), value(|row| or(row.mean(SIDE), NOT_EXECUTED));
    /// difference of the means
    "mean_difference_ms" "Mean B - A ms" Milliseconds =
        |row| Cell::milliseconds(row.change().mean_difference), width(15.0),
        value(|row| row.of_one_unit(Cell::milliseconds(row.change().mean_difference))),
        live(Row::has_one_unit), formula(|_| mean_difference());
    /// share of the end-to-end difference
    "share_of_difference" "Share of difference" Share =
        |row| Cell::number(row.change().contribution),
        value(|row| row.of_one_unit(Cell::number(row.change().contribution))), live(Row::has_one_unit),
        formula(|row| share_of_difference(&row.pair.parted("difference")));
    /// mean / that side's latency
    for SIDE: Side in [A_SHARE "A share" = A, B_SHARE "B share" = B] Share =
        |row| row.share(SIDE), value(|row| or(row.share(SIDE), NOT_EXECUTED)),
        formula(|row| {
            let side = ["a", "b"][SIDE as usize];
            share_of(&format!("[{side}_mean_ms]"), &row.pair.whole(side))
        });
    /// upper bound, if not told from 0
    for SIDE: Side in ["a_below_ms" "A below ms" = A, "b_below_ms" "B below ms" = B] Milliseconds =
        |row| row.below(SIDE);
    /// outlier iterations
    for SIDE: Side in ["a_outliers" "A outliers" = A, "b_outliers" "B outliers" = B] Count =
        |row| row.outliers(SIDE);
}

columns! {
    /// What the layer is on both sides, and why.
    fn alignment_columns<'a>: Row<'a, Layer<'a>>;

    /// evidence that both do the same work
    "matched_by" "Matched by" Text = |row| row.method(Method::text), width(20.0);
    /// certain, likely or possible
    "certainty" "Certainty" Text = |row| row.method(|method| method.certainty().text());
    /// that side's operators in the group
    for SIDE: Side in ["a_operators" "A operators" = A, "b_operators" "B operators" = B] Text =
        |row| row.names(SIDE), width(44.0);
}

columns! {
    fn fold_columns<'a>: Row<'a, Layer<'a>>;

    /// number of the row that it is in where layers that repeat are one row
    PATTERN "Pattern" Count =
        |row| row.subject.row.map_or(Cell::None, |number| Cell::Whole(number as u64)), width(9.0);
}

/// A side that does not execute it takes no time for it.
fn mean_difference() -> String {
    let [a, b] = ["[a_mean_ms]", "[b_mean_ms]"];
    // `N` takes a word such as `not executed` as 0.
    format!("=IF(COUNT({a},{b})>0,N({b})-N({a}),\"{UNKNOWN}\")")
}

/// What a side does not execute takes no time there.
fn share_of_difference(whole: &str) -> String {
    let [a, b] = ["[a_ms]", "[b_ms]"];
    let share = part(&format!("(N({b})-N({a}))"), whole);
    format!("=IF(COUNT({a},{b})>0,{share},\"{UNKNOWN}\")")
}

impl Row<'_, Layer<'_>> {
    pub(super) fn has_one_unit(&self) -> bool {
        self.pair.has_one_unit()
    }

    pub(super) fn number(&self) -> Cell {
        Cell::Whole(self.subject.number as u64)
    }

    fn verdict(&self) -> Cell {
        verdict(self.subject.compared, self.pair.comparison.noise_threshold)
    }

    fn named_verdict(&self) -> Cell {
        match self.verdict() {
            Cell::Label { text, .. } => Cell::text(self.pair.named(text)),
            cell => cell,
        }
    }

    /// How the sides differ on a sheet, or the verdict; times of different things do not.
    pub(super) fn of_one_unit(&self, cell: Cell) -> Cell {
        match (self.pair.has_one_unit(), cell) {
            (false, _) => Cell::Unknown,
            (true, Cell::None) => self.named_verdict(),
            (true, cell) => cell,
        }
    }

    pub(super) fn change(&self) -> &Change {
        &self.subject.compared.change
    }

    fn launches_needed(&self, end: fn(LaunchesNeeded) -> Option<u32>) -> Cell {
        let launches = self.change().launches_needed.and_then(end);
        launches.map_or(Cell::None, |count| Cell::Whole(count.into()))
    }

    fn timing(&self, side: Side) -> &Timing {
        &self.subject.compared.sides[side as usize]
    }

    pub(super) fn operator_type(&self, side: Side) -> Cell {
        Cell::some_text(&self.subject.group.types[side as usize])
    }

    pub(super) fn precision(&self, side: Side) -> Cell {
        // Members of a pattern agree in types, and mostly in this.
        let groups = self.subject.groups(self.pair.comparison);
        let mut precisions: Vec<&str> =
            groups.iter().map(|group| group.precisions[side as usize].as_str()).collect();
        precisions.sort_unstable();
        precisions.dedup();
        Cell::some_text(precisions.join(" + "))
    }

    /// What is not executed has no time, which is not the same as an unknown one.
    fn time(&self, side: Side, time: fn(&Timing) -> Option<units::Milliseconds>) -> Cell {
        let timing = self.timing(side);
        timing.sum_ns.map_or(Cell::None, |_| Cell::milliseconds(time(timing)))
    }

    fn typical(&self, side: Side) -> Cell {
        self.time(side, |timing| timing.typical)
    }

    fn below(&self, side: Side) -> Cell {
        self.timing(side).below.map_or(Cell::None, |below| Cell::Number(below.0))
    }

    fn bounded(&self, side: Side) -> Cell {
        let Timing { below, typical, sum_ns, .. } = *self.timing(side);
        match (sum_ns, below, typical) {
            (Some(_), Some(below), Some(typical)) => Cell::Below { most: below.0, part: typical.0 },
            _ => self.typical(side),
        }
    }

    pub(super) fn mean(&self, side: Side) -> Cell {
        self.time(side, |timing| timing.mean)
    }

    fn share(&self, side: Side) -> Cell {
        let timing = self.timing(side);
        timing.sum_ns.map_or(Cell::None, |_| Cell::share(timing.share))
    }

    fn outliers(&self, side: Side) -> Cell {
        self.timing(side).outliers.map_or(Cell::None, Cell::Whole)
    }

    /// What only one side executes did not change.
    fn of_both(&self, cell: fn(&Change) -> Cell) -> Cell {
        let is_in_both = [A, B].iter().all(|&side| self.timing(side).sum_ns.is_some());
        if is_in_both { cell(self.change()) } else { Cell::None }
    }

    fn method(&self, text: fn(Method) -> &'static str) -> Cell {
        // Of a pattern, the weakest.
        let groups = self.subject.groups(self.pair.comparison).into_iter();
        let method = groups.filter_map(|group| group.group.method()).max();
        method.map_or(Cell::None, |method| Cell::text(text(method)))
    }

    /// Conversions stand in parentheses.
    fn names(&self, side: Side) -> Cell {
        let groups = self.subject.groups(self.pair.comparison);
        let members = groups.iter().flat_map(|group| group.group.members(side));
        let names = members.filter_map(|member| {
            let name = &self.pair.operator(side, member)?.name;
            Some(if member.conversion { format!("({name})") } else { name.clone() })
        });
        Cell::some_text(names.collect::<Vec<_>>().join("; "))
    }
}

/// Parameters in which the layers differ.
pub(super) fn details(pairs: &[Pair], name_part: Option<&str>, most: Option<usize>) -> Table {
    shortened(DETAILS.0, DETAILS.1, detail_columns(), pairs, most, |pair| {
        details_of(pair, name_part).collect()
    })
}

/// Key and title of the parameters that differ.
const DETAILS: (&str, &str) = ("details", "Parameters that differ");

fn details_of<'a>(
    pair: Pair<'a>,
    name_part: Option<&str>,
) -> impl Iterator<Item = LayerDetail<'a>> {
    ordered(pair, name_part).into_iter().flat_map(|layer| {
        layer.group.details.iter().map(move |detail| LayerDetail { layer, detail })
    })
}

/// The same of one version on a sheet.
pub(super) fn details_sheet(pair: Pair) -> Table {
    let rows = details_of(pair, None).collect();
    sheet(DETAILS, detail_columns(), pair, rows, CellStyle::Wrapped).with_width(44.0)
}

columns! {
    pub(super) fn detail_columns<'a>: Row<'a, LayerDetail<'a>>;

    /// position of the layer in the order of execution
    "number" "#" Count = |row| Cell::Whole(row.subject.layer.number as u64), width(7.0);
    /// name of the layer
    "layer" "Layer" Text = |row| Cell::text(&row.subject.layer.group.name), width(60.0);
    /// what differs
    "parameter" "Parameter" Text = |row| Cell::text(&row.subject.detail.parameter), width(24.0);
    /// of the baseline
    "a" "A" Text = |row| Cell::some_text(&row.subject.detail.values[0]);
    /// of the version
    "b" "B" Text = |row| Cell::some_text(&row.subject.detail.values[1]);
}
