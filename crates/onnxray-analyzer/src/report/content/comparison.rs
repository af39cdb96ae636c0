//! Decides what a report says of comparisons with a baseline.

use crate::comparison::{
    Basis, Change, Compared, ComparedGroup, ComparedType, Comparison, Member, Recording, Side,
    TypeSide, Verdict, Whole,
};
use crate::report::table::{Cell, Report, Table};
use crate::schema::{self, TableSchema};
use crate::statistics::{Interval, Summary};
use onnxray_format::Operator;

/// A part of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonView {
    Inference,
    Causes,
    Types,
    Layers,
    Details,
    Conservation,
}

/// What of comparisons is wanted.
#[derive(Clone, Debug)]
pub struct ComparisonSelection {
    pub views: Vec<ComparisonView>,
    /// At most so many rows of long tables; `None` for all.
    pub rows: Option<usize>,
    /// Only layers with this in their names.
    pub layer: Option<String>,
}

/// The report of several versions, each compared to the baseline. `versions` are
/// the recordings of the comparisons, in their order.
pub fn comparison_report(
    baseline: &Recording,
    versions: &[&Recording],
    comparisons: &[Comparison],
    selection: &ComparisonSelection,
) -> Report {
    let pairs: Vec<Pair> = comparisons
        .iter()
        .zip(versions)
        .map(|(comparison, version)| Pair { comparison, recordings: [baseline, version] })
        .collect();
    let mut tables = Vec::new();
    for view in &selection.views {
        let mut add = |schema, rows: &dyn Fn(&Pair) -> Vec<Vec<Cell>>| {
            tables.push(table(schema, &pairs, rows));
        };
        match view {
            ComparisonView::Inference => {
                add(&schema::INFERENCE, &inference);
                if comparisons.iter().any(|c| !c.guard.differences.is_empty()) {
                    add(&schema::CIRCUMSTANCES, &circumstances);
                }
            }
            ComparisonView::Causes => add(&schema::CAUSES, &causes),
            ComparisonView::Types => add(&schema::COMPARED_TYPES, &types),
            ComparisonView::Layers => add(&schema::LAYERS, &|pair| layers(pair, selection)),
            ComparisonView::Details => add(&schema::DETAILS, &|pair| details(pair, selection)),
            ComparisonView::Conservation => add(&schema::CONSERVATION, &conservation),
        }
    }
    let mut tables: Vec<Table> =
        tables.into_iter().map(|table| shorten(table, selection)).collect();
    let notes = table(&schema::NOTES, &pairs, &notes);
    tables.push(notes);
    tables.retain(|table| !table.rows.is_empty());
    Report { headline: pairs.iter().flat_map(headline).collect(), tables }
}

/// A comparison and the recordings that it is of.
struct Pair<'a> {
    comparison: &'a Comparison,
    recordings: [&'a Recording; 2],
}

impl Pair<'_> {
    fn summaries(&self) -> [&Summary; 2] {
        self.recordings.map(|recording| &recording.summary)
    }

    fn operator(&self, side: Side, member: &Member) -> Option<&Operator> {
        let operators = &self.summaries()[side as usize].operators;
        operators.get(member.operator as usize).map(|summary| &summary.operator)
    }
}

/// The rows of all comparisons, each behind the name of its version. With a single
/// one, people need not be told which.
fn table(
    schema: &'static TableSchema,
    pairs: &[Pair],
    rows: &dyn Fn(&Pair) -> Vec<Vec<Cell>>,
) -> Table {
    let versioned = schema.columns[0].key == "version";
    let mut all = Vec::new();
    for pair in pairs {
        for mut row in rows(pair) {
            if versioned {
                row.insert(0, Cell::text(&pair.comparison.labels[1]));
            }
            all.push(row);
        }
    }
    let mut table = Table::new(schema, all);
    if versioned && pairs.len() == 1 {
        table.shown.retain(|&column| column != 0);
    }
    table
}

/// What people see of long and wide tables.
fn shorten(mut table: Table, selection: &ComparisonSelection) -> Table {
    let is = |schema: &'static TableSchema| std::ptr::eq(table.schema, schema);
    let layers = is(&schema::LAYERS);
    if layers {
        table = table.showing(&[
            "version",
            "layer",
            "a_type",
            "b_type",
            "a_ms",
            "b_ms",
            "difference_ms",
            "ratio",
            "ratio_low",
            "ratio_high",
            "verdict",
            "contribution",
            "matched_by",
        ]);
    } else if is(&schema::CAUSES) {
        table =
            table.showing(&["version", "cause", "a_ms", "b_ms", "difference_ms", "contribution"]);
    }
    let whole = is(&schema::INFERENCE) || is(&schema::CIRCUMSTANCES);
    if let Some(rows) = selection.rows.filter(|_| !whole)
        && table.rows.len() > rows
    {
        table.left_out = table.rows.len() - rows;
        table.rows.truncate(rows);
    }
    if is_open(table.schema) { table } else { table.folded() }
}

/// Tables that nobody should have to unfold.
fn is_open(schema: &'static TableSchema) -> bool {
    [&schema::INFERENCE, &schema::CIRCUMSTANCES, &schema::CAUSES]
        .into_iter()
        .any(|known| std::ptr::eq(known, schema))
}

fn milliseconds(value: Option<crate::units::Milliseconds>) -> Cell {
    Cell::number(value.map(|value| value.0))
}

fn share(value: Option<crate::units::Share>) -> Cell {
    Cell::number(value.map(|value| value.0))
}

fn low(interval: Option<Interval>) -> Cell {
    interval.map_or(Cell::None, |interval| Cell::Number(interval.low))
}

fn high(interval: Option<Interval>) -> Cell {
    interval.map_or(Cell::None, |interval| Cell::Number(interval.high))
}

/// Whether times of both sides are of the same, so that one can be taken from
/// the other.
pub fn has_one_unit(comparison: &Comparison) -> bool {
    comparison.basis != Basis::Unlike
}

/// What is said of a difference, in words.
pub fn verdict_text(compared: &Compared) -> &'static str {
    let executed = compared.sides.each_ref().map(|side| side.sum_ns.is_some());
    match (executed, compared.change.verdict) {
        ([true, false], _) => "not executed in B",
        ([false, true], _) => "not executed in A",
        ([false, false], _) => "not executed",
        (_, Some(Verdict::Faster)) => "faster",
        (_, Some(Verdict::Slower)) => "slower",
        (_, Some(Verdict::Same)) => "same",
        (_, Some(Verdict::Inconclusive)) => "cannot tell",
        (_, Some(Verdict::NotTested) | None) => "not tested",
    }
}

/// The sentence that a reader in a hurry reads.
fn headline(pair: &Pair) -> Vec<String> {
    let comparison = pair.comparison;
    let [a, b] = &comparison.labels;
    let mut lines = Vec::new();
    let disturbing = comparison.guard.disturbing();
    let fields: Vec<&str> = disturbing.map(|difference| difference.field.name()).collect();
    if !fields.is_empty() {
        lines.push(format!("Not comparable: {} differ.", fields.join(", ")));
    }
    let [at_a, at_b] = comparison.total.sides.each_ref().map(|side| side.typical);
    let change = &comparison.total.change;
    let (Some(at_a), Some(at_b), Some(ratio)) = (at_a, at_b, change.ratio) else {
        lines.push(format!("{b} and {a}: compared by {}.", comparison.basis.text()));
        return lines;
    };
    let figures = format!("{:.3} ms against {:.3} ms, {ratio:.3} times as long", at_b.0, at_a.0);
    let interval = change
        .ratio_interval
        .map(|interval| format!(" (95 % interval {:.3} to {:.3})", interval.low, interval.high));
    let interval = interval.unwrap_or_default();
    let verdict = match change.verdict {
        Some(Verdict::Faster) => format!("{b} is faster than {a}"),
        Some(Verdict::Slower) => format!("{b} is slower than {a}"),
        Some(Verdict::Same) => format!("{b} is as fast as {a}"),
        Some(Verdict::Inconclusive) => {
            format!("Whether {b} is faster or slower than {a} cannot be told")
        }
        Some(Verdict::NotTested) | None => format!("{b} next to {a}, not tested"),
    };
    lines.push(format!("{verdict}: {figures}{interval}; {}.", comparison.basis.text()));
    if let Some(needed) = change.launches_needed {
        lines.push(format!("With {needed} launches on each side, it could be told."));
    }
    lines
}

fn inference(pair: &Pair) -> Vec<Vec<Cell>> {
    let comparison = pair.comparison;
    let total = &comparison.total;
    let change = &total.change;
    let row = |name: &str, values: [Option<f64>; 2]| {
        let both = values[0].zip(values[1]);
        vec![
            Cell::text(name),
            Cell::number(values[0]),
            Cell::number(values[1]),
            Cell::number(both.map(|(a, b)| b - a)),
            Cell::number(both.and_then(|(a, b)| (a > 0.0).then_some(b / a))),
            Cell::None,
            Cell::None,
            Cell::None,
            Cell::None,
        ]
    };
    let wall = comparison.total_is == Whole::Wall;
    let name = if wall { "latency" } else { "operators" };
    let mut typical = row(
        &format!("{name}, typical (ms)"),
        total.sides.each_ref().map(|side| side.typical.map(|time| time.0)),
    );
    if change.ratio.is_none() {
        typical.splice(3..5, [Cell::Unknown, Cell::Unknown]);
    }
    typical.splice(
        5..9,
        [
            low(change.ratio_interval),
            high(change.ratio_interval),
            change.p.map_or(Cell::None, Cell::Number),
            Cell::text(verdict_text(total)),
        ],
    );
    let means = total.sides.each_ref().map(|side| side.mean.map(|mean| mean.0));
    let mut mean = row(&format!("{name}, mean (ms)"), means);
    if !has_one_unit(comparison) {
        mean.splice(3..5, [Cell::Unknown, Cell::Unknown]);
    }
    let mut rows = vec![typical, mean];
    let parts = comparison.conservation.each_ref();
    let per_iteration = |sum: f64, side: usize| sum / parts[side].iterations / 1e6;
    let operators =
        [0, 1].map(|side| Some(per_iteration(parts[side].aligned + parts[side].only, side)));
    let overhead = [0, 1].map(|side| Some(per_iteration(parts[side].overhead?, side)));
    if wall {
        // Of the same iterations as the latency.
        let rates = means.map(|mean| mean.filter(|mean| *mean > 0.0).map(|mean| 1e3 / mean));
        let batches = pair.summaries().map(|summary| summary.run.batch_size);
        let items = [0, 1].map(|side| Some(rates[side]? * batches[side]? as f64));
        rows.extend([
            row("throughput (items/s)", items),
            row("throughput (iterations/s)", rates),
            row("operators, mean (ms)", operators),
            row("overhead, mean (ms)", overhead),
        ]);
    }
    rows
}

fn circumstances(pair: &Pair) -> Vec<Vec<Cell>> {
    let differences = pair.comparison.guard.differences.iter();
    let rows = differences.map(|difference| {
        let value = |value: &Option<String>| value.clone().map_or(Cell::Unknown, Cell::Text);
        vec![
            Cell::text(difference.field.name()),
            value(&difference.values[0]),
            value(&difference.values[1]),
            Cell::text(difference.weight.text()),
        ]
    });
    rows.collect()
}

fn causes(pair: &Pair) -> Vec<Vec<Cell>> {
    let rows = pair.comparison.causes.iter().map(|cause| {
        vec![
            Cell::text(&cause.name),
            Cell::Whole(cause.groups),
            Cell::Number(cause.means[0].0),
            Cell::Number(cause.means[1].0),
            Cell::Number(cause.difference.0),
            Cell::number(cause.contribution),
        ]
    });
    rows.collect()
}

fn types(pair: &Pair) -> Vec<Vec<Cell>> {
    let side = |side: &Option<TypeSide>| match side {
        None => vec![Cell::None; 4],
        Some(side) => vec![
            Cell::Whole(side.layers),
            Cell::text(precisions(side)),
            milliseconds(side.mean),
            share(side.share),
        ],
    };
    let rows = pair.comparison.types.iter().map(|known: &ComparedType| {
        let mut row = vec![Cell::text(&known.operator_type)];
        row.extend(known.sides.iter().flat_map(side));
        let time = |side: &Option<TypeSide>| match side {
            None => Some(0.0),
            Some(side) => side.mean.map(|mean| mean.0),
        };
        let [a, b] = known.sides.each_ref().map(time);
        let both = a.zip(b).filter(|_| has_one_unit(pair.comparison));
        row.push(Cell::number(both.map(|(a, b)| b - a)));
        row
    });
    rows.collect()
}

/// `fp32 12, s8 3`
fn precisions(side: &TypeSide) -> String {
    let counts = side.precisions.iter().map(|(name, count)| format!("{name} {count}"));
    counts.collect::<Vec<_>>().join(", ")
}

/// Groups with their numbers, those on which most depends first.
fn ordered<'a>(pair: &'a Pair, selection: &ComparisonSelection) -> Vec<(usize, &'a ComparedGroup)> {
    let wanted = |group: &ComparedGroup| {
        let Some(part) = &selection.layer else { return true };
        let members = [Side::A, Side::B].into_iter().flat_map(|side| {
            group.group.members(side).iter().filter_map(move |member| pair.operator(side, member))
        });
        members.into_iter().any(|operator| operator.name.contains(part.as_str()))
    };
    let mut groups: Vec<(usize, &ComparedGroup)> =
        pair.comparison.groups.iter().enumerate().filter(|(_, group)| wanted(group)).collect();
    let weight = |group: &ComparedGroup| {
        let difference = group.compared.change.mean_difference.map(|d| d.0.abs());
        let time = || group.compared.sides.iter().filter_map(|side| side.mean).map(|m| m.0).sum();
        difference.unwrap_or_else(time)
    };
    groups.sort_by(|(_, a), (_, b)| weight(b).total_cmp(&weight(a)));
    groups
}

fn layers(pair: &Pair, selection: &ComparisonSelection) -> Vec<Vec<Cell>> {
    let groups = ordered(pair, selection).into_iter();
    groups.map(|(number, group)| layer(pair, number, group)).collect()
}

fn layer(pair: &Pair, number: usize, group: &ComparedGroup) -> Vec<Cell> {
    let [a, b] = &group.compared.sides;
    let Change {
        difference,
        difference_interval,
        ratio,
        ratio_interval,
        p,
        p_adjusted,
        mean_difference,
        contribution,
        launches_needed,
        verdict: _,
    } = &group.compared.change;
    let both = group.compared.sides.iter().all(|side| side.sum_ns.is_some());
    // What is not executed has no time, which is not the same as an unknown one.
    let time = |side: &crate::comparison::Timing, value| match side.sum_ns {
        None => Cell::None,
        Some(_) => milliseconds(value),
    };
    let method = group.group.method();
    let names = |side: Side| {
        let members = group.group.members(side).iter();
        let names = members.filter_map(|member| {
            let name = &pair.operator(side, member)?.name;
            Some(if member.conversion { format!("({name})") } else { name.clone() })
        });
        Cell::some_text(names.collect::<Vec<_>>().join("; "))
    };
    vec![
        Cell::Whole(number as u64),
        Cell::text(&group.name),
        Cell::some_text(&group.types[0]),
        Cell::some_text(&group.types[1]),
        Cell::some_text(&group.precisions[0]),
        Cell::some_text(&group.precisions[1]),
        time(a, a.typical),
        time(b, b.typical),
        if both { milliseconds(*difference) } else { Cell::None },
        low(*difference_interval),
        high(*difference_interval),
        if both { Cell::number(*ratio) } else { Cell::None },
        low(*ratio_interval),
        high(*ratio_interval),
        p.map_or(Cell::None, Cell::Number),
        p_adjusted.map_or(Cell::None, Cell::Number),
        Cell::text(verdict_text(&group.compared)),
        launches_needed.map_or(Cell::None, |count| Cell::Whole(u64::from(count))),
        time(a, a.mean),
        time(b, b.mean),
        milliseconds(*mean_difference),
        Cell::number(*contribution),
        a.sum_ns.map_or(Cell::None, |_| share(a.share)),
        b.sum_ns.map_or(Cell::None, |_| share(b.share)),
        a.outliers.map_or(Cell::None, Cell::Whole),
        b.outliers.map_or(Cell::None, Cell::Whole),
        method.map_or(Cell::None, |method| Cell::text(method.text())),
        method.map_or(Cell::None, |method| Cell::text(method.certainty().text())),
        names(Side::A),
        names(Side::B),
    ]
}

fn details(pair: &Pair, selection: &ComparisonSelection) -> Vec<Vec<Cell>> {
    let mut rows = Vec::new();
    for (number, group) in ordered(pair, selection) {
        for detail in &group.details {
            rows.push(vec![
                Cell::Whole(number as u64),
                Cell::text(&group.name),
                Cell::text(&detail.parameter),
                Cell::some_text(&detail.values[0]),
                Cell::some_text(&detail.values[1]),
            ]);
        }
    }
    rows
}

fn conservation(pair: &Pair) -> Vec<Vec<Cell>> {
    let sides = pair.comparison.conservation.iter().zip(&pair.comparison.aligned);
    let rows = sides.zip(["A", "B"]).map(|((side, aligned), name)| {
        let mean = |sum: f64| Cell::Number(sum / side.iterations / 1e6);
        vec![
            Cell::text(name),
            mean(side.aligned),
            mean(side.only),
            side.overhead.map_or(Cell::Unknown, mean),
            mean(side.concurrent),
            mean(side.whole),
            share(*aligned),
        ]
    });
    rows.collect()
}

fn notes(pair: &Pair) -> Vec<Vec<Cell>> {
    let note = |text: &String| vec![Cell::text("note"), Cell::text(text)];
    let mut rows: Vec<Vec<Cell>> = pair.comparison.notes.iter().map(note).collect();
    for (summary, name) in pair.summaries().into_iter().zip(["A", "B"]) {
        let warnings = summary.warnings.iter().map(|text| ("warning", text));
        let doubts = summary.doubts.iter().map(|text| ("note", text));
        rows.extend(
            warnings
                .chain(doubts)
                .map(|(kind, text)| vec![Cell::text(kind), Cell::text(format!("{name}: {text}"))]),
        );
    }
    rows
}
