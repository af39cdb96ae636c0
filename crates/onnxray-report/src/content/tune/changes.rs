//! What was tried, and what came of it.

use crate::document::{Cell, Chart, ChartKind, End, Series, Table, Tone, Unit, columns};
use Unit::{Count, Probability, Ratio, Scientific, Text};
use onnxray_analyzer::comparison::Verdict;
use onnxray_analyzer::tune::{Tried, Tuning};
use onnxray_format::RuntimeChange;
use onnxray_text::difference::{signed, slower_or_faster};

/// Several changes, as people list them.
pub(super) fn text(changes: &[RuntimeChange]) -> String {
    changes.iter().map(RuntimeChange::text).collect::<Vec<_>>().join(", ")
}

columns! {
    pub(super) const COLUMNS: Tried;

    /// what is changed of the runtime
    "change" "Change" Text = |tried| Cell::text(text(&tried.changes));
    /// how much faster or slower it is than the base
    "effect" "Effect" Text = |tried| match (&tried.effect, tried.verdict) {
        (None, _) => Cell::None,
        (Some(effect), Verdict::Faster | Verdict::Slower) => {
            Cell::text(slower_or_faster(effect.ratio))
        }
        (Some(effect), _) => Cell::text(signed(effect.ratio)),
    };
    /// latency with the change / that of the base: geometric mean over launches
    "ratio" "Ratio" Ratio = |tried| Cell::number(tried.effect.map(|effect| effect.ratio));
    /// the 95 % CI of the ratio
    ends END: End in ["ratio_low" "Low", "ratio_high" "High"] Ratio =
        |tried| END.cell(tried.effect.map(|effect| effect.interval));
    /// two-sided, of no effect, adjusted for all changes (Benjamini and Hochberg)
    "p_adjusted" "Adjusted p" Probability = |tried| Cell::number(tried.p_adjusted);
    /// processes in which it was measured
    "launches" "Launches" Count = |tried| Cell::Whole(tried.launches as u64);
    /// whether the ratio is beyond the smallest gain that matters
    "verdict" "Verdict" Text = |tried| {
        let (text, tone) = match (&tried.failed, tried.verdict) {
            (Some(_), _) => ("failed", Tone::Doubtful),
            (None, Verdict::Faster) => ("faster", Tone::Good),
            (None, Verdict::Slower) => ("slower", Tone::Bad),
            (None, Verdict::Same) => ("same", Tone::Plain),
            (None, Verdict::Inconclusive) => ("inconclusive", Tone::Doubtful),
            (None, Verdict::NotTested) => ("not tested", Tone::Doubtful),
        };
        Cell::verdict(text, tone)
    };
    /// largest absolute difference from the base's outputs / the largest value of that output
    "output_difference" "Output difference" Scientific = |tried| match &tried.outputs {
        None => Cell::Unknown,
        Some(outputs) => Cell::number(outputs.relative),
    };
    /// largest absolute difference from the base's outputs
    "output_difference_absolute" "Absolute" Scientific =
        |tried| Cell::number(tried.outputs.as_ref().map(|outputs| outputs.absolute));
    /// the output that differs most
    "output" "Output" Text = |tried| {
        let output = tried.outputs.as_ref().and_then(|outputs| outputs.output.clone());
        Cell::some_text(output.unwrap_or_default())
    };
    /// why it is not recommended, if it is faster
    "remark" "Remark" Text = |tried| {
        let remark = match &tried.failed {
            Some(reason) => reason.clone(),
            None if tried.changes_outputs => "changes the outputs".to_string(),
            None if tried.takes_more => "takes more threads".to_string(),
            None => String::new(),
        };
        Cell::some_text(remark)
    };
}

/// Each change by itself: those with an effect first, the largest first, of either sign.
pub(super) fn single(tuning: &Tuning, most: Option<usize>) -> Table {
    let mut rows: Vec<&Tried> = tuning.single.iter().collect();
    // In logarithms, so that 2x faster and 2x slower are equally large.
    let size = |tried: &Tried| tried.effect.map_or(0.0, |effect| effect.ratio.ln().abs());
    let is_clear = |tried: &Tried| matches!(tried.verdict, Verdict::Faster | Verdict::Slower);
    rows.sort_by(|a, b| is_clear(b).cmp(&is_clear(a)).then(size(b).total_cmp(&size(a))));
    table("tune_changes", "Changes, each by itself", &rows, most)
}

/// Combinations of those that pay, the fastest first.
pub(super) fn combined(tuning: &Tuning, most: Option<usize>) -> Table {
    let mut rows: Vec<&Tried> = tuning.combined.iter().collect();
    // What could not be measured comes last.
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
