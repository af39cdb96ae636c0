//! Decides what a report says of a tuning: what pays, what was tried, and the lines to paste.

mod changes;
mod headline;
mod page;
mod run;
mod snippet;

pub use page::tune_page;

use super::comparison::{ComparisonSelection, ComparisonView, comparison_report};
use crate::document::{Block, Document, Note, Notes};
use onnxray_analyzer::comparison::{Comparison, Recording, Verdict};
use onnxray_analyzer::tune::{Tried, Tuning};

/// What came of a tuning, and of the recordings that verify it.
pub struct TuneResult {
    /// What was tried.
    pub tuning: Tuning,
    /// What the launches say that the search did not see; `None` if nothing was recommended.
    pub verified: Option<Verified>,
}

/// The recordings of the base and of what is recommended, taken in turns.
pub struct Verified {
    /// The model as it is.
    pub base: Recording,
    /// With the changes.
    pub tuned: Recording,
    /// The second next to the first.
    pub comparison: Comparison,
}

impl Verified {
    /// Ratio of the latencies without profiling or, where they are unknown, with it: with its
    /// interval and verdict.
    fn latency(&self) -> (Option<f64>, Option<(f64, f64)>, Option<Verdict>) {
        let whole = self.comparison.plain.as_ref().unwrap_or(&self.comparison.total);
        let change = &whole.change;
        let interval = change.ratio_interval.map(|interval| (interval.low, interval.high));
        (change.ratio, interval, change.verdict)
    }
}

impl TuneResult {
    /// What is recommended: it was faster in the search, and in launches that the search did not
    /// see.
    pub fn recommended(&self) -> Option<&Tried> {
        let is_faster = self
            .verified
            .as_ref()
            .is_some_and(|verified| verified.latency().2 == Some(Verdict::Faster));
        self.tuning.best.as_ref().filter(|_| is_faster)
    }
}

/// The report of a tuning, with at most this many rows of long tables; `None` for all.
pub fn tune_report(result: &TuneResult, most: Option<usize>) -> Document {
    let tuning = &result.tuning;
    let mut blocks: Vec<Block> = vec![run::figures(result).into()];
    if let Some(best) = result.recommended() {
        blocks.push(snippet::lines(tuning, best).into());
    }
    blocks.push(changes::single(tuning, most).into());
    blocks.push(changes::chart().into());
    if !tuning.combined.is_empty() {
        blocks.push(changes::combined(tuning, most).into());
    }
    let mut notes = notes(result);
    if let Some(verified) = &result.verified {
        let views = vec![ComparisonView::Causes, ComparisonView::Layers];
        let selection =
            ComparisonSelection { views, rows: most, layer: None, totals: true, sure_causes: true };
        let Verified { base, tuned, comparison } = verified;
        let mut compared =
            comparison_report(base, &[tuned], std::slice::from_ref(comparison), &selection);
        notes.extend(compared.take_notes());
        blocks.extend(compared.blocks);
    }
    if !notes.is_empty() {
        blocks.push(Notes { notes }.into());
    }
    Document { name: "tune", headline: headline::headline(result), blocks }
}

fn notes(result: &TuneResult) -> Vec<Note> {
    let run = &result.tuning.run;
    let mut notes = Vec::new();
    if run.inputs.contains("random") {
        notes.push(Note::note(
            "outputs were compared on random inputs, which say little about accuracy; --input \
             takes real ones",
        ));
    }
    if run.idle_optimizers > 0 {
        notes.push(Note::note(format!(
            "{} graph optimizers of {} {} did not change this model and were not tried",
            run.idle_optimizers, run.engine, run.engine_version
        )));
    }
    notes
}

/// The tables, for their documentation.
#[cfg(test)]
pub(super) fn declared() -> Vec<super::declared::Declared> {
    use super::declared::Declared;
    vec![Declared::of("Tuning: run", run::RUN), Declared::of("Tuning: changes", changes::COLUMNS)]
}
