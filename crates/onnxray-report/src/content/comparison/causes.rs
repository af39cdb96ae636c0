//! What the difference of the whole is made of: typical times, as those of layers, and what is left
//! of the whole beside them.

use super::layers::titled;
use super::rows::{Pair, Row, part, sheet, table};
use crate::document::Unit::{Count, Milliseconds, Share, Text};
use crate::document::{Cell, CellStyle, Table, TimeUnit, columns, others, shown_of};
use onnxray_analyzer::comparison::{Cause, Comparison, LayerTimes, Verdict};
use onnxray_analyzer::units;

/// What people see of the causes.
const SHOWN: [&str; 6] =
    ["version", "cause", "a_ms", "b_ms", "difference_ms", "share_of_difference"];

/// What the difference is made of, and what it comes to.
pub(super) fn causes(pairs: &[Pair], most: Option<usize>, totals: bool, sure: bool) -> Table {
    let rows = |pair: Pair| {
        if sure && left_out(pair.comparison).is_some() {
            return Vec::new();
        }
        let (causes, rest) = named(pair.comparison);
        let most = shown_of(causes.len(), most, totals);
        let mut rows: Vec<CauseRow> = causes[..most].iter().map(CauseRow::of).collect();
        if totals {
            rows.extend(CauseRow::others(&causes[most..]));
        }
        // What has no cause is none of the others, and may be much.
        rows.extend(rest.iter().map(CauseRow::of));
        if totals && !rows.is_empty() {
            rows.extend(CauseRow::whole(pair.comparison));
        }
        rows
    };
    let mut table = table("causes", TITLE, cause_columns(), pairs, rows).showing(&SHOWN);
    if let Some(most) = most.filter(|_| !totals) {
        // With totals, the row of the others says how many are left out.
        let left_out = pairs.iter().map(|pair| named(pair.comparison).0.len().saturating_sub(most));
        table.left_out = left_out.sum();
    }
    let essential = ["version", "cause", "a_ms", "b_ms", "difference_ms"];
    let times = titled(pairs, |times| match times {
        Some(LayerTimes::Mean) => "mean times",
        Some(LayerTimes::Total) => "total times",
        Some(LayerTimes::Typical) | None => "typical times",
    });
    let table = table.with_caveat(Some(times.to_string()));
    table.essential(&essential).hiding_empty(&["share_of_difference"])
}

/// The causes, and what none of them has of the difference.
fn named(comparison: &Comparison) -> (&[Cause], &[Cause]) {
    let causes = &comparison.causes;
    let end = causes.iter().position(|cause| cause.is_rest).unwrap_or(causes.len());
    causes.split_at(end)
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
    Some(format!(
        "Causes add up to {}, the difference of profiled latencies; the latencies, which the verdict \
         rests on, differ by {}.",
        signed(sum),
        signed(decided)
    ))
}

/// Why there are no causes, whatever is asked for.
pub(super) fn none(comparison: &Comparison) -> Option<String> {
    let why = if comparison.is_one_recording {
        "A and B are the same recording, and every difference is 0"
    } else if comparison.hidden_by().is_some() {
        "profiling costs more than layers could explain"
    } else if comparison.parted.is_none() {
        "times of layers and of the whole are not known on both sides, or cannot be compared"
    } else if comparison.causes.is_empty() {
        "no layer differs"
    } else {
        return None;
    };
    Some(format!("Causes are not listed: {why}."))
}

/// Why causes have no shares, where they do not explain the difference.
pub(super) fn without_shares(comparison: &Comparison) -> Option<String> {
    (comparison.has_no_shares() && !comparison.causes.is_empty()).then(|| {
        "Causes have no shares: more than half of the difference is unattributed to them."
            .to_string()
    })
}

/// A cause, or what several come to.
pub(super) struct CauseRow {
    name: String,
    groups: Option<u64>,
    times: [units::Milliseconds; 2],
    difference: units::Milliseconds,
    contribution: Option<f64>,
}

impl CauseRow {
    fn of(cause: &Cause) -> CauseRow {
        CauseRow {
            name: cause.name.clone(),
            groups: (!cause.is_rest).then_some(cause.groups),
            times: cause.times,
            difference: cause.difference,
            contribution: cause.contribution,
        }
    }

    /// Causes that have no row of their own.
    fn others(causes: &[Cause]) -> Option<CauseRow> {
        let sum = |of: &dyn Fn(&Cause) -> f64| units::Milliseconds(causes.iter().map(of).sum());
        // Unknown if one of them is.
        let contribution = causes.iter().map(|cause| cause.contribution).sum();
        (!causes.is_empty()).then(|| CauseRow {
            name: others(causes.len()),
            groups: Some(causes.iter().map(|cause| cause.groups).sum()),
            times: [0, 1].map(|side| sum(&|cause| cause.times[side].0)),
            difference: sum(&|cause| cause.difference.0),
            contribution,
        })
    }

    fn whole(comparison: &Comparison) -> Option<CauseRow> {
        let times = comparison.parted?;
        let difference = units::Milliseconds(times[1].0 - times[0].0);
        Some(CauseRow {
            name: comparison.whole_name().to_string(),
            groups: None,
            times,
            difference,
            // There is no share of a difference of 0.
            contribution: (difference.0 != 0.0 && !comparison.has_no_shares()).then_some(1.0),
        })
    }
}

columns! {
    pub(super) fn cause_columns<'a>: Row<'a, CauseRow>;

    /// operator types that do the same work on both sides
    "cause" "Cause" Text = |row| Cell::text(&row.subject.name),
        style(CellStyle::Text), width(44.0), value(|row| Cell::text(row.named_cause()));
    /// groups of layers with this cause
    "groups" "Groups" Count = |row| row.subject.groups.map_or(Cell::None, Cell::Whole),
        style(CellStyle::QUANTITY);
    /// typical time of the baseline
    "a_ms" "A ms" Milliseconds = |row| Cell::milliseconds(row.subject.times[0]);
    /// typical time of the version
    "b_ms" "B ms" Milliseconds = |row| Cell::milliseconds(row.subject.times[1]);
    /// difference; they add up to the end-to-end one
    "difference_ms" "B - A ms" Milliseconds = |row| Cell::milliseconds(row.subject.difference),
        formula(|_| "=[b_ms]-[a_ms]".into());
    /// share of the end-to-end difference
    "share_of_difference" "Share of difference" Share =
        |row| match row.pair.comparison.has_no_shares() {
            true => Cell::None,
            false => Cell::number(row.subject.contribution),
        },
        live(|row| !row.pair.comparison.has_no_shares()),
        formula(|row| format!("={}", part("[difference_ms]", &row.pair.parted("difference"))));
}

columns! {
    /// Bars to the right and to the left, so that each has its colour everywhere.
    fn bars<'a>: Row<'a, CauseRow>;

    own "slower" "bar, slower" Bar = |row| Cell::Number(row.subject.difference.0.max(0.0)),
        only(Row::is_finite), formula(|_| "=MAX(0,[difference_ms])".into());
    own "faster" "bar, faster" Bar = |row| Cell::Number(row.subject.difference.0.min(0.0)),
        only(Row::is_finite), formula(|_| "=MIN(0,[difference_ms])".into());
}

impl Row<'_, CauseRow> {
    fn is_finite(&self) -> bool {
        // A workbook holds no infinite numbers.
        self.subject.difference.0.is_finite()
    }

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
pub(super) fn causes_sheet(pair: Pair) -> Table {
    let rows = pair.comparison.causes.iter().map(CauseRow::of).collect();
    let columns = cause_columns().into_iter().chain(bars()).collect();
    sheet(("causes", TITLE), columns, pair, rows, CellStyle::reported).with_width(13.0)
}

const TITLE: &str = "Where the difference comes from";
