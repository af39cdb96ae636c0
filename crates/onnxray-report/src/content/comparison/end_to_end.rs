//! What is said end to end: figures of the model, in what the recordings were not made
//! alike, and what the time of each side is made of.

use super::costs::cost_verdict;
use super::end_to_end_figure::{EndToEndFigure, Sides};
use super::rows::{
    BASELINE, DETECTABLE, Pair, Row, VERSION, by, computed, detectable, end, minus, sheet, table,
};
use super::verdict::{has_one_unit, reason, verdict};
use crate::document::Unit::{Probability, Ratio, Share, Text};
use crate::document::{Cell, CellStyle, End, Table, UNKNOWN, columns};
use onnxray_analyzer::comparison::keys::{
    A, B, DIFFERENCE, FIGURE, P, RATIO, RATIO_HIGH, RATIO_LOW, VERDICT,
};
use onnxray_analyzer::comparison::tables::INFERENCE;
use onnxray_analyzer::comparison::{
    Change, ComparedCost, Conservation, Cost, Difference, LeftOut, Side, Verdict,
};
use onnxray_analyzer::statistics::Summary;

/// Milliseconds of a sum of nanoseconds.
pub(super) fn per_iteration(parts: &Conservation, sum: f64) -> f64 {
    sum / parts.iterations / 1e6
}

/// The whole model on both sides.
pub(super) fn inference(pairs: &[Pair], for_people: bool) -> Table {
    let rows = |pair: Pair| match for_people {
        true => EndToEndFigure::for_people(pair.comparison),
        false => EndToEndFigure::all(pair.comparison),
    };
    let table = table(INFERENCE, "Inference time", inference_columns(), pairs, rows);
    let essential = [VERSION, FIGURE, A, B, RATIO, VERDICT];
    table
        .hiding(&[BASELINE])
        .hiding_empty(&["reason", DETECTABLE])
        .essential(&essential)
        .wrapping(&["reason"])
}

/// The same of one version on a sheet.
pub(super) fn inference_sheet(pair: Pair) -> Table {
    let rows = EndToEndFigure::all(pair.comparison);
    sheet((INFERENCE, "Inference time"), inference_columns(), pair, rows, CellStyle::reported)
}

columns! {
    pub(super) fn inference_columns<'a>: Row<'a, EndToEndFigure>;

    /// name of the figure
    FIGURE "Figure" Text = |row| row.label(), style(CellStyle::Label);
    /// name of the baseline
    BASELINE "A is" Text = |row| Cell::text(&row.pair.recordings[Side::A as usize].label);
    /// of the baseline
    A "A" Ratio = |row| Cell::number(row.value(Side::A)), style_of(|row| row.subject.style());
    /// of the version
    B "B" Ratio = |row| Cell::number(row.value(Side::B)), style_of(|row| row.subject.style());
    /// B minus A
    DIFFERENCE "B - A" Ratio = |row| Cell::number(row.comparable().map(|[a, b]| b - a)),
        style_of(|row| row.subject.style()), live(Row::has_difference),
        formula(|_| minus(["a", "b"], &format!("\"{UNKNOWN}\"")));
    /// B / A
    RATIO "B / A" Ratio =
        |row| Cell::number(row.comparable().filter(|[a, _]| *a > 0.0).map(|[a, b]| b / a)),
        live(Row::has_difference), formula(|_| by(["a", "b"], &format!("\"{UNKNOWN}\"")));
    /// a 95 % interval of the ratio
    ends END: End in [RATIO_LOW "Low", RATIO_HIGH "High"] Ratio =
        |row| end(END, row.tested().and_then(|change| change.ratio_interval));
    /// p-value of the test on launches
    P "p" Probability = |row| computed(row.tested().and_then(|change| change.p));
    /// smallest difference that 80 % of such comparisons detect
    DETECTABLE "Detectable" Share = |row| row.tested().map_or(Cell::None, detectable);
    /// faster, slower, same, inconclusive, not tested or not executed; of costs, lower or higher
    VERDICT "Verdict" Text = |row| row.tested().map_or(Cell::None, |_| row.whole_verdict()),
        style_of(Row::verdict_style),
        value(|row| match row.tested().map(|_| row.whole_verdict()) {
            Some(Cell::Label { text, .. }) => Cell::text(row.pair.named(text)),
            _ => Cell::None,
        });
    /// why the verdict is inconclusive
    "reason" "Why" Text = |row| row.tested().map_or(Cell::None, reason), style(CellStyle::Label);
}

impl<'a> Row<'a, EndToEndFigure> {
    fn label(&self) -> Cell {
        let Pair { comparison, recordings, .. } = &self.pair;
        let summaries = recordings.map(|recording| &recording.summary);
        let has_several = |summary: &&Summary| summary.run.instances.is_some_and(|count| count > 1);
        let sides = Sides {
            are_instances: summaries.iter().any(has_several),
            are_calibrated: summaries.iter().any(|summary| summary.model.is_calibrated),
        };
        self.subject.label(comparison, sides)
    }

    fn value(&self, side: Side) -> Option<f64> {
        let pair = &self.pair;
        let timing = &pair.comparison.decisive().sides[side as usize];
        let profiled = &pair.comparison.total.sides[side as usize];
        let parts = &pair.comparison.conservation[side as usize];
        let typical = timing.typical.map(|time| time.0);
        let count = |sides: &[Option<LeftOut>; 2]| Some(sides[side as usize]?.iterations as f64);
        // As in the summary of that side: a recording has one median, and one throughput.
        let latency = || {
            let model = &pair.recordings[side as usize].summary.model;
            match pair.comparison.unprofiled {
                Some(_) => model.unprofiled.as_ref(),
                None => model.profiled.as_ref(),
            }
        };
        match self.subject {
            EndToEndFigure::Typical => typical,
            EndToEndFigure::Median => latency().map(|latency| latency.times.median.0),
            EndToEndFigure::Mean => timing.mean.map(|time| time.0),
            EndToEndFigure::ItemRate => latency()?.items_per_second,
            EndToEndFigure::IterationRate => Some(latency()?.iterations_per_second),
            EndToEndFigure::ProfiledTypical => profiled.typical.map(|time| time.0),
            EndToEndFigure::ProfiledMean => profiled.mean.map(|time| time.0),
            EndToEndFigure::OperatorsMean => Some(per_iteration(parts, parts.aligned + parts.only)),
            EndToEndFigure::OverheadMean => Some(per_iteration(parts, parts.overhead?)),
            EndToEndFigure::Cost(Cost::MemoryPeak | Cost::MemoryRetained) => {
                Some(self.cost()?.means[side as usize]? / 1e6)
            }
            EndToEndFigure::Cost(_) => self.cost()?.means[side as usize],
            EndToEndFigure::LeftOut => count(&pair.comparison.left_out),
            EndToEndFigure::UnprofiledLeftOut => count(&pair.comparison.unprofiled_left_out),
        }
    }

    /// Both values, if they are of the same.
    fn comparable(&self) -> Option<[f64; 2]> {
        let comparison = self.pair.comparison;
        let is_comparable = match self.subject {
            EndToEndFigure::Typical => comparison.decisive().change.ratio.is_some(),
            EndToEndFigure::ProfiledTypical => comparison.total.change.ratio.is_some(),
            EndToEndFigure::Cost(_) => self.cost().is_some_and(|cost| cost.change.ratio.is_some()),
            EndToEndFigure::Mean => has_one_unit(comparison),
            _ => true,
        };
        let [a, b] = [Side::A, Side::B].map(|side| self.value(side));
        a.zip(b).filter(|_| is_comparable).map(|(a, b)| [a, b])
    }

    /// Times that are known and are of different things have no difference.
    fn has_difference(&self) -> bool {
        let are_known = [Side::A, Side::B].map(|side| Cell::number(self.value(side)));
        let are_known = are_known.iter().all(|cell| *cell != Cell::Unknown);
        !are_known || self.comparable().is_some_and(|[a, b]| (b - a).is_finite())
    }

    fn cost(&self) -> Option<&'a ComparedCost> {
        let EndToEndFigure::Cost(cost) = self.subject else { return None };
        self.pair.comparison.costs.iter().find(|compared| compared.cost == cost)
    }

    fn whole_verdict(&self) -> Cell {
        let comparison = self.pair.comparison;
        if let Some(cost) = self.cost() {
            return cost_verdict(cost);
        }
        verdict(comparison.decisive(), comparison.noise_threshold)
    }

    fn verdict_style(&self) -> CellStyle {
        match self.tested().and_then(|change| change.verdict) {
            Some(Verdict::Faster) => CellStyle::Better,
            Some(Verdict::Slower) => CellStyle::Worse,
            _ => CellStyle::Verdict,
        }
    }

    /// What the test says; typical times are what is tested, and costs.
    fn tested(&self) -> Option<&'a Change> {
        if let Some(cost) = self.cost() {
            return Some(&cost.change);
        }
        (self.subject == EndToEndFigure::Typical).then(|| &self.pair.comparison.decisive().change)
    }
}

/// In what the recordings were not made alike.
pub(super) fn configuration(pairs: &[Pair]) -> Table {
    let title = "Configuration differences";
    table("configuration_differences", title, configuration_columns(), pairs, |pair| {
        pair.comparison.comparability.differences.iter().collect()
    })
    .wrapping(&["a", "b", "meaning"])
}

/// The same of one version on a sheet.
pub(super) fn configuration_sheet(pair: Pair) -> Table {
    let rows = pair.comparison.comparability.differences.iter().collect();
    let what = ("configuration_differences", "Configuration differences");
    sheet(what, configuration_columns(), pair, rows, CellStyle::reported)
}

columns! {
    pub(super) fn configuration_columns<'a>: Row<'a, &'a Difference>;

    /// what differs
    "field" "Field" Text = |row| Cell::text(row.subject.field.name());
    /// of the baseline
    "a" "A" Text = |row| row.setting(Side::A);
    /// of the version
    "b" "B" Text = |row| row.setting(Side::B);
    /// compared, shown, or reason not to compare
    "meaning" "Meaning" Text = |row| Cell::text(row.subject.meaning.text());
}

impl Row<'_, &Difference> {
    /// Of options, those that differ.
    fn setting(&self, side: Side) -> Cell {
        let options = self.subject.options();
        if !options.is_empty() {
            let own =
                options.iter().map(|(name, values)| format!("{name}: {}", values[side as usize]));
            return Cell::text(own.collect::<Vec<_>>().join("; "));
        }
        self.subject.values[side as usize].clone().map_or(Cell::Unknown, Cell::Text)
    }
}
