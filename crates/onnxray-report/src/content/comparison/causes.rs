//! What the difference of the whole is made of. Only means add up, so that this stands
//! apart from the typical times that are tested.

use super::rows::{Pair, Row, hiding_empty, part, sheet, table};
use crate::document::Unit::{Count, Milliseconds, Share, Text};
use crate::document::{Cell, CellStyle, Column, SheetTable, Table, TimeUnit, others};
use onnxray_analyzer::comparison::{Cause, Comparison, SlowIterations, Stragglers, Verdict, Whole};
use onnxray_analyzer::units;

/// Characters of a line of an explanation on a sheet.
pub(crate) const EXPLANATION_WIDTH: f64 = 60.0;
/// What people see of the causes.
const SHOWN: [&str; 7] =
    ["version", "cause", "a_ms", "b_ms", "difference_ms", "share_of_difference", "explained_by"];

/// What the difference is made of, and what it comes to.
pub(super) fn causes(pairs: &[Pair], most: Option<usize>, totals: bool, sure: bool) -> Table {
    let rows = |pair: Pair| {
        if sure && left_out(pair.comparison).is_some() {
            return Vec::new();
        }
        let causes = &pair.comparison.causes;
        let most = most.unwrap_or(causes.len()).min(causes.len());
        let mut rows: Vec<CauseRow> = causes[..most].iter().map(CauseRow::of).collect();
        if totals && !causes.is_empty() {
            rows.extend(CauseRow::others(&causes[most..]));
            rows.extend(CauseRow::whole(pair.comparison));
        }
        rows
    };
    let mut table = table("causes", TITLE, cause_columns(), pairs, rows).showing(&SHOWN);
    if let Some(most) = most.filter(|_| !totals) {
        let left_out = pairs.iter().map(|pair| pair.comparison.causes.len().saturating_sub(most));
        table.left_out = left_out.sum();
    }
    let essential = ["version", "cause", "a_ms", "b_ms", "difference_ms"];
    hiding_empty(table, "explained_by").essential(&essential).wrapping(&["explained_by"])
}

/// Why the causes of a comparison are not shown, where only those of a difference are that is
/// sure to matter.
pub(super) fn left_out(comparison: &Comparison) -> Option<String> {
    let why = match comparison.decisive().change.verdict? {
        Verdict::Same => "there is no difference that matters",
        Verdict::Inconclusive => "it is open whether there is a difference that matters",
        _ => return None,
    };
    (!comparison.causes.is_empty())
        .then(|| format!("Causes are not listed: {why}; compare --view causes lists them."))
}

/// What causes add up to, where that is not what the verdict rests on.
pub(super) fn apart_from_verdict(comparison: &Comparison) -> Option<String> {
    let sum = comparison.apart_from_verdict().filter(|_| !comparison.causes.is_empty())?.0;
    let decided = comparison.decisive().change.difference?.0;
    let unit = TimeUnit::fitting([sum, decided].into_iter());
    let decimals = unit.decimals([sum, decided].map(f64::abs).into_iter());
    let signed = |time: f64| format!("{:+.decimals$} {}", unit.of(time), unit.name);
    let iterations = match comparison.total_is {
        Whole::Latency => "unprofiled iterations",
        Whole::Wall | Whole::Operators => "profiled iterations",
    };
    let decisive = if comparison.plain.is_some() { "the latency" } else { "profiled ones" };
    Some(format!(
        "Causes add up to {}, the difference of means of {iterations}; typical times of {decisive}, \
         which the verdict rests on, differ by {}.",
        signed(sum),
        signed(decided)
    ))
}

type Declared<'a> = Column<Row<'a, CauseRow>>;

/// A cause, or what several come to.
pub(super) struct CauseRow {
    name: String,
    groups: Option<u64>,
    means: [units::Milliseconds; 2],
    difference: units::Milliseconds,
    contribution: Option<f64>,
    explanation: Option<String>,
}

impl CauseRow {
    fn of(cause: &Cause) -> CauseRow {
        CauseRow {
            name: cause.name.clone(),
            groups: Some(cause.groups),
            means: cause.means,
            difference: cause.difference,
            contribution: cause.contribution,
            explanation: cause.stragglers.as_ref().map(explanation),
        }
    }

    /// Causes that have no row of their own.
    fn others(causes: &[Cause]) -> Option<CauseRow> {
        let sum = |of: &dyn Fn(&Cause) -> f64| units::Milliseconds(causes.iter().map(of).sum());
        let contribution = causes.iter().map(|cause| cause.contribution).sum();
        (!causes.is_empty()).then(|| CauseRow {
            name: others(causes.len()),
            groups: Some(causes.iter().map(|cause| cause.groups).sum()),
            means: [0, 1].map(|side| sum(&|cause| cause.means[side].0)),
            difference: sum(&|cause| cause.difference.0),
            contribution,
            explanation: None,
        })
    }

    fn whole(comparison: &Comparison) -> Option<CauseRow> {
        comparison.total.change.mean_difference?;
        let means = comparison.conservation.each_ref().map(|side| side.mean_whole());
        let difference = units::Milliseconds(means[1].0 - means[0].0);
        Some(CauseRow {
            name: comparison.whole_name().to_string(),
            groups: None,
            means,
            difference,
            contribution: (difference.0 != 0.0).then_some(1.0),
            explanation: None,
        })
    }
}

pub(super) fn cause_columns<'a>() -> Vec<Column<Row<'a, CauseRow>>> {
    vec![
        Declared::new(
            "cause",
            "Cause",
            Text,
            "operator types that do the same work on both sides",
            |row| Cell::text(&row.subject.name),
        )
        .style(CellStyle::Text)
        .width(44.0)
        .value(|row| Cell::text(row.named_cause())),
        Declared::new("groups", "Groups", Count, "groups of layers in which it is", |row| {
            row.subject.groups.map_or(Cell::None, Cell::Whole)
        })
        .style(CellStyle::QUANTITY),
        Declared::new("a_ms", "A ms", Milliseconds, "mean per iteration of the baseline", |row| {
            Cell::milliseconds(row.subject.means[0])
        }),
        Declared::new("b_ms", "B ms", Milliseconds, "mean per iteration of the version", |row| {
            Cell::milliseconds(row.subject.means[1])
        }),
        Declared::new(
            "difference_ms",
            "B - A ms",
            Milliseconds,
            "these add up to the end-to-end one",
            |row| Cell::milliseconds(row.subject.difference),
        )
        .formula(|_| "=[b_ms]-[a_ms]".into()),
        Declared::new(
            "share_of_difference",
            "Share of difference",
            Share,
            "of the end-to-end difference",
            |row| Cell::number(row.subject.contribution),
        )
        .formula(|row| format!("={}", part("[difference_ms]", &row.pair.whole("difference")))),
        Declared::new(
            "explained_by",
            "Explained by",
            Text,
            "why typical times do not show it: slow iterations, and what it is without them",
            |row| row.subject.explanation.as_ref().map_or(Cell::None, Cell::text),
        )
        .style(CellStyle::Wrapped(Text))
        .width(EXPLANATION_WIDTH),
    ]
}

/// Bars to the right and to the left, so that each has its colour everywhere.
fn bars<'a>() -> [Declared<'a>; 2] {
    fn bar<'a>(
        key: &'static str,
        heading: &'static str,
        value: fn(&Row<'a, CauseRow>) -> Cell,
    ) -> Declared<'a> {
        Column::own(key, heading, CellStyle::Bar, "", value)
            .only(|row| row.subject.difference.0.is_finite())
    }
    [
        bar("slower", "bar, slower", |row| Cell::Number(row.subject.difference.0.max(0.0)))
            .formula(|_| "=MAX(0,[difference_ms])".into()),
        bar("faster", "bar, faster", |row| Cell::Number(row.subject.difference.0.min(0.0)))
            .formula(|_| "=MIN(0,[difference_ms])".into()),
    ]
}

impl Row<'_, CauseRow> {
    /// The causes end in which side alone has them, behind names from a trace.
    fn named_cause(&self) -> String {
        const ONLY: &str = "only in B";
        match self.subject.name.strip_suffix(ONLY) {
            Some(rest) => format!("{rest}{}", self.pair.named(ONLY)),
            None => self.subject.name.clone(),
        }
    }
}

/// All causes of one version on a sheet.
pub(super) fn causes_sheet(pair: Pair) -> SheetTable {
    let rows = pair.comparison.causes.iter().map(CauseRow::of).collect();
    let columns = cause_columns().into_iter().chain(bars()).collect();
    sheet(("causes", TITLE), columns, pair, rows, CellStyle::reported).with_width(13.0)
}

/// Which times are shown.
const TITLE: &str = "Where the difference comes from, mean times";

/// Iterations that are named.
const NAMED: usize = 3;

/// `2 of 100 iterations of A were 18.0 ms slower (41, 87); without them +0.010 ms`
fn explanation(stragglers: &Stragglers) -> String {
    let sides =
        stragglers.sides.iter().zip(["A", "B"]).filter(|(side, _)| !side.iterations.is_empty());
    let sides: Vec<String> = sides.map(|(side, name)| of_side(side, name)).collect();
    if sides.is_empty() {
        return format!("means only: typical times differ by {:+.3} ms", stragglers.typical.0);
    }
    let all: usize = stragglers.sides.iter().map(|side| side.iterations.len()).sum();
    let them = if all == 1 { "it" } else { "them" };
    // Adding 0 takes the sign off what rounds to it.
    let without = (stragglers.without.0 * 1e3).round() / 1e3 + 0.0;
    format!("{}; without {them} {without:+.3} ms", sides.join(", "))
}

fn of_side(side: &SlowIterations, name: &str) -> String {
    let count = side.iterations.len();
    let (launches, iterations) = side.of;
    let mut named: Vec<String> = side
        .iterations
        .iter()
        .take(NAMED)
        .map(|(launch, number)| match launches {
            1 => format!("{number}"),
            _ => format!("{number} of launch {launch}"),
        })
        .collect();
    if count > NAMED {
        named.push("…".to_string());
    }
    let were = if count == 1 { "was" } else { "were" };
    let number = if count == 1 { "number" } else { "numbers" };
    format!(
        "{count} of {iterations} iterations of {name} {were} {} ms slower ({number} {})",
        milliseconds(side.excess.0),
        named.join(", ")
    )
}

fn milliseconds(value: f64) -> String {
    match value.abs() {
        10.0.. => format!("{value:.1}"),
        1.0..10.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}
