//! What was tried, and what came of it.

use crate::document::{Cell, Chart, ChartKind, Column, Series, Table, Tone, Unit, column};
use Unit::{Count, Probability, Ratio, Scientific, Text};
use onnxray_analyzer::comparison::Verdict;
use onnxray_analyzer::tune::{Tried, Tuning};
use onnxray_format::RuntimeChange;
use onnxray_text::difference::{signed, slower_or_faster};

/// Several changes, as people list them.
pub(super) fn text(changes: &[RuntimeChange]) -> String {
    changes.iter().map(RuntimeChange::text).collect::<Vec<_>>().join(", ")
}

pub(super) const COLUMNS: &[Column<Tried>] = &[
    column("change", "Change", Text, "what is changed of the runtime", |tried| {
        Cell::text(text(&tried.changes))
    }),
    column(
        "effect",
        "Effect",
        Text,
        "how much faster or slower it is than the base",
        |tried| match (&tried.effect, tried.verdict) {
            (None, _) => Cell::None,
            (Some(effect), Verdict::Faster | Verdict::Slower) => {
                Cell::text(slower_or_faster(effect.ratio))
            }
            (Some(effect), _) => Cell::text(signed(effect.ratio)),
        },
    ),
    column(
        "ratio",
        "Ratio",
        Ratio,
        "latency with the change / that of the base: geometric mean over launches",
        |tried| Cell::number(tried.effect.map(|effect| effect.ratio)),
    ),
    column("ratio_low", "from", Ratio, "lower end of the 95 % CI of the ratio", |tried| {
        Cell::number(tried.effect.map(|effect| effect.interval.0))
    }),
    column("ratio_high", "to", Ratio, "upper end of the 95 % CI of the ratio", |tried| {
        Cell::number(tried.effect.map(|effect| effect.interval.1))
    }),
    column(
        "p_adjusted",
        "Adjusted p",
        Probability,
        "two-sided, of no effect, adjusted for all changes (Benjamini and Hochberg)",
        |tried| Cell::number(tried.p_adjusted),
    ),
    column("launches", "Launches", Count, "processes in which it was measured", |tried| {
        Cell::Whole(tried.launches as u64)
    }),
    column("verdict", "Verdict", Text, "beyond the smallest gain that matters", |tried| {
        let (text, tone) = match (&tried.failed, tried.verdict) {
            (Some(_), _) => ("failed", Tone::Doubtful),
            (None, Verdict::Faster) => ("faster", Tone::Good),
            (None, Verdict::Slower) => ("slower", Tone::Bad),
            (None, Verdict::Same) => ("same", Tone::Plain),
            (None, Verdict::Inconclusive) => ("inconclusive", Tone::Doubtful),
            (None, Verdict::NotTested) => ("not tested", Tone::Doubtful),
        };
        Cell::verdict(text, tone)
    }),
    column(
        "output_difference",
        "Output difference",
        Scientific,
        "largest absolute difference from the base's outputs / the largest value of that output",
        |tried| match &tried.outputs {
            None => Cell::Unknown,
            Some(outputs) => Cell::number(outputs.relative),
        },
    ),
    column(
        "output_difference_absolute",
        "Absolute",
        Scientific,
        "largest absolute difference from the base's outputs",
        |tried| Cell::number(tried.outputs.as_ref().map(|outputs| outputs.absolute)),
    ),
    column("output", "Output", Text, "the output that differs most", |tried| {
        let output = tried.outputs.as_ref().and_then(|outputs| outputs.output.clone());
        Cell::some_text(output.unwrap_or_default())
    }),
    column("remark", "Remark", Text, "why it is not recommended, if it is faster", |tried| {
        let remark = match &tried.failed {
            Some(reason) => reason.clone(),
            None if tried.changes_outputs => "changes the outputs".to_string(),
            None if tried.takes_more => "takes more threads".to_string(),
            None => String::new(),
        };
        Cell::some_text(remark)
    }),
];

/// Each change by itself: those with an effect first, the largest first, of either sign.
pub(super) fn single(tuning: &Tuning, most: Option<usize>) -> Table {
    let mut rows: Vec<&Tried> = tuning.single.iter().collect();
    let size = |tried: &Tried| tried.effect.map_or(0.0, |effect| effect.ratio.ln().abs());
    let is_clear = |tried: &Tried| matches!(tried.verdict, Verdict::Faster | Verdict::Slower);
    rows.sort_by(|a, b| is_clear(b).cmp(&is_clear(a)).then(size(b).total_cmp(&size(a))));
    table("tune_changes", "Changes, each by itself", &rows, most)
}

/// Combinations of those that pay, the fastest first.
pub(super) fn combined(tuning: &Tuning, most: Option<usize>) -> Table {
    let mut rows: Vec<&Tried> = tuning.combined.iter().collect();
    let ratio = |tried: &Tried| tried.effect.map_or(f64::INFINITY, |effect| effect.ratio);
    rows.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    table("tune_combinations", "Combinations", &rows, most)
}

fn table(key: &'static str, title: &'static str, rows: &[&Tried], most: Option<usize>) -> Table {
    Table::new(key, title, COLUMNS, rows.iter().copied())
        .hiding(&["p_adjusted", "output_difference_absolute", "output"])
        .essential(&["change", "effect", "verdict"])
        .shortened(most)
}

/// Bars of the ratios of single changes.
pub(super) fn chart() -> Chart {
    Chart {
        title: "Latency / that of the base".to_string(),
        kind: ChartKind::Bars,
        table: "tune_changes",
        categories: "change",
        series: vec![Series::of("ratio")],
        shows: "how the latency changes with each change by itself",
    }
}
