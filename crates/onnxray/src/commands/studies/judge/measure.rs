//! What a judgement measures: the candidate and the copy of the baseline, until a word is sure.

use crate::commands::studies::search::{Search, TrialOf};
use crate::commands::studies::verification::Planned;
use onnxray_analyzer::study::{JudgeOptions, Judgement, Word, judge};
use onnxray_format::{JudgeRun, Judged, Stage};
use std::path::Path;
use std::time::Duration;

/// What is judged, and when a word is said.
pub(super) struct Measuring<'a> {
    pub(super) run: &'a JudgeRun,
    pub(super) options: JudgeOptions,
}

impl Measuring<'_> {
    fn sides(&self) -> Vec<Vec<Judged>> {
        let control = self.run.has_control.then_some(Judged::Control);
        [Some(Judged::Candidate), control].into_iter().flatten().map(|side| vec![side]).collect()
    }
}

impl Search for Measuring<'_> {
    type Run = JudgeRun;
    type Found = Judgement;

    /// Without its control, a candidate would be judged by another measure.
    const FEWEST: usize = 2;
    const TIME: Duration = Duration::from_millis(400);

    fn is_promising(_: &Judgement) -> bool {
        false
    }

    fn found(&self, trials: &[&TrialOf<Self>]) -> Judgement {
        judge(self.run, trials, self.options)
    }

    fn next(&self, found: &Judgement) -> Option<(Stage, u32, Vec<Vec<Judged>>)> {
        let number = found.launches as u32;
        (!found.is_decided()).then(|| (Stage::Single, number, self.sides()))
    }

    fn progress(_: &Judgement, _: Stage, spent: f64) -> (&'static str, f64) {
        ("judging", spent)
    }

    /// A candidate that is far on inputs of trials needs no others.
    fn held_out(&self, found: &Judgement) -> Vec<Vec<Judged>> {
        let has_inputs = self.run.search.loss_inputs.held_out > 0;
        let is_near = matches!(found.word, Word::Faster | Word::Slower | Word::Same);
        if has_inputs && is_near { vec![vec![Judged::Candidate]] } else { Vec::new() }
    }

    fn verifications(&self, _: &Judgement, _: &Path) -> anyhow::Result<Vec<Planned<Vec<Judged>>>> {
        Ok(Vec::new())
    }
}
