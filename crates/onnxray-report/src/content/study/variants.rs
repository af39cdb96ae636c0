//! Each variant that was tried, and what came of it.

use super::objective::{Words, latency_difference};
use crate::document::{Cell, Chart, ChartKind, End, Series, Table, Tone, Unit, columns};
use Unit::{Count, Probability, Ratio, Scientific, Text};
use onnxray_analyzer::comparison::Verdict;
use onnxray_analyzer::study::{Effect, FALSE_DISCOVERIES, Study, Tried, Tuning};
use onnxray_format::{Objective, RuntimeChange, TuneRun};

/// A variant, and its changes as people list them.
pub(super) struct Row<'a> {
    changes: String,
    tried: &'a Tried,
    run: &'a TuneRun,
}

impl Row<'_> {
    /// A ratio of what is measured beside, or decides; nothing where it was not asked for.
    fn ratio(&self, objective: Objective) -> Cell {
        let is_asked = self.run.objectives.contains(&objective) || objective == Objective::Latency;
        match is_asked && self.run.has_costs() {
            true => Cell::number(self.tried.effects.get(&objective).map(|effect| effect.ratio)),
            false => Cell::None,
        }
    }
}

columns! {
    pub(super) fn columns<'a>: Row<'a>;

    /// change of the base
    "change" "Change" Text = |row| Cell::text(&row.changes);
    /// what is made lower, relative to the base
    "effect" "Effect" Text = |row| {
        let adjectives = Words::deciding(row.run).adjectives;
        match (&row.tried.effect, row.tried.verdict) {
            (None, _) => Cell::None,
            (Some(effect), Verdict::Faster | Verdict::Slower) => {
                Cell::text(adjectives.of(effect.ratio))
            }
            (Some(effect), _) => Cell::text(adjectives.signed(effect.ratio)),
        }
    };
    /// the same with the change / base: geometric mean over launches
    "ratio" "Ratio" Ratio = |row| Cell::number(row.tried.effect.map(|effect| effect.ratio));
    /// the 95 % CI of the ratio
    ends END: End in ["ratio_low" "Low", "ratio_high" "High"] Ratio =
        |row| END.cell(row.tried.effect.map(|effect| effect.interval));
    /// two-sided, adjusted for all changes (Benjamini and Hochberg)
    "p_adjusted" "Adjusted p" Probability = |row| Cell::number(row.tried.p_adjusted);
    /// processes that measured it
    "launches" "Launches" Count = |row| Cell::Whole(row.tried.launches as u64);
    /// verdict, with the smallest gain as the noise threshold
    "verdict" "Verdict" Text = |row| {
        let (text, tone) = match (&row.tried.failed, row.tried.verdict) {
            (Some(_), _) => ("failed", Tone::Doubtful),
            (None, Verdict::Faster) => (Words::deciding(row.run).better, Tone::Good),
            (None, Verdict::Slower) => (Words::deciding(row.run).worse, Tone::Bad),
            (None, Verdict::Same) => ("same", Tone::Plain),
            (None, Verdict::Inconclusive) => ("inconclusive", Tone::Doubtful),
            (None, Verdict::NotTested) => ("not tested", Tone::Doubtful),
        };
        Cell::verdict(text, tone)
    };
    /// latency with the change / base
    "latency_ratio" "Latency" Ratio = |row| row.ratio(Objective::Latency);
    /// CPU time with the change / base
    "cpu_ratio" "CPU time" Ratio = |row| row.ratio(Objective::Cpu);
    /// memory at peak with the change / base
    "memory_ratio" "Memory" Ratio = |row| row.ratio(Objective::Memory);
    /// start with the change / base
    "start_ratio" "Start" Ratio = |row| row.ratio(Objective::Start);
    /// largest absolute difference from the base's outputs / largest value of that output
    "output_difference" "Output difference" Scientific = |row| Cell::number(row.tried.relative);
    /// relative L2 distance from the base's outputs, where MatMulNBits computes in other numbers
    "loss" "Loss" Scientific = |row| match row.run.is_of_precision(&row.tried.changes) {
        true => Cell::number(row.tried.loss),
        false => Cell::None,
    };
    /// largest absolute difference from the base's outputs
    "output_difference_absolute" "Absolute" Scientific =
        |row| Cell::number(row.tried.absolute);
    /// output that differs most
    "output" "Output" Text = |row| Cell::some_text(row.tried.output.clone().unwrap_or_default());
    /// why it is not recommended, or unsure
    "remark" "Remark" Text = |row| {
        let remark = match &row.tried.failed {
            Some(reason) => reason.clone(),
            None if row.tried.loses_too_much => "changes the outputs".to_string(),
            None if row.tried.takes_more => "takes more threads".to_string(),
            // By chance, one in many seems slower that gains nothing.
            None if row.tried.verdict == Verdict::Faster && row.tried.slows_down() => {
                latency_difference(row.run, row.tried)
            }
            None if is_undone_by_others(row.tried) => {
                format!("may be chance: {} changes were tried", row.run.changes.len())
            }
            None => String::new(),
        };
        Cell::some_text(remark)
    };
}

/// Whether a variant's interval excludes 1, and its adjusted p does not.
fn is_undone_by_others(tried: &Tried) -> bool {
    let is_apart = |effect: Effect| effect.interval.1 < 1.0 || effect.interval.0 > 1.0;
    let may_be_chance = tried.p_adjusted.is_some_and(|p| p > FALSE_DISCOVERIES);
    tried.effect.is_some_and(is_apart) && may_be_chance
}

/// Each change by itself: those with an effect first, the largest first, of either sign.
pub(super) fn single(key: &'static str, found: &Tuning, most: Option<usize>) -> Table {
    let mut rows: Vec<&Tried> = found.single.iter().collect();
    // In logarithms, so that 2x faster and 2x slower are equally large.
    let size = |tried: &Tried| tried.effect.map_or(0.0, |effect| effect.ratio.ln().abs());
    let is_clear = |tried: &Tried| matches!(tried.verdict, Verdict::Faster | Verdict::Slower);
    rows.sort_by(|a, b| is_clear(b).cmp(&is_clear(a)).then(size(b).total_cmp(&size(a))));
    table((key, "Changes, each by itself"), &found.run, &rows, most)
}

/// Combinations of those that pay, the fastest first.
pub(super) fn combined(key: &'static str, found: &Tuning, most: Option<usize>) -> Table {
    let mut rows: Vec<&Tried> = found.combined.iter().collect();
    // What could not be measured comes last.
    let ratio = |tried: &Tried| tried.effect.map_or(f64::INFINITY, |effect| effect.ratio);
    rows.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    table((key, "Combinations"), &found.run, &rows, most)
}

fn table(
    (key, title): (&'static str, &'static str),
    run: &TuneRun,
    rows: &[&Tried],
    most: Option<usize>,
) -> Table {
    let rows = rows.iter().map(|&tried| Row { changes: run.list(&tried.changes), tried, run });
    // What decides has columns of its own.
    let decides = match run.objective() {
        Objective::Latency => "latency_ratio",
        Objective::Cpu => "cpu_ratio",
        Objective::Memory => "memory_ratio",
        Objective::Start => "start_ratio",
    };
    let mut hidden = vec!["p_adjusted", "output_difference_absolute", "output", decides];
    if !run.changes.iter().any(RuntimeChange::is_of_precision) {
        hidden.push("loss");
    }
    Table::new(key, title, &columns(), rows)
        .hiding(&hidden)
        .essential(&["change", "effect", "verdict"])
        .shortened(most)
}

/// Bars of the ratios of single changes.
pub(super) fn chart(key: &'static str, run: &TuneRun) -> Chart {
    let what = match Words::deciding(run) {
        Words { is_speed: true, .. } => "Latency / base latency".to_string(),
        Words { name, .. } => format!("{name}, with the change / base"),
    };
    Chart {
        title: what,
        kind: ChartKind::Bars,
        table: key,
        categories: "change",
        series: vec![Series::of("ratio")],
        shows: "the effect of each change by itself",
    }
}
