//! What a judgement measures: the candidate and the copy of the baseline, until a word is sure.

use crate::search::{Search, TrialOf};
use crate::starts::Starts;
use crate::verification::Planned;
use onnxray_analyzer::comparison::{FEWEST_LAUNCHES, Field};
use onnxray_analyzer::study::{JudgeOptions, Judgement, Word, cost_of, judge};
use onnxray_format::{JudgeRun, JudgeTrial, Judged, Nanoseconds, Objective, Stage};
use onnxray_recorder::study::judge::JudgeSpec;
use std::path::Path;
use std::time::Duration;

/// Subfolders of the result for recordings of both.
pub const FOLDERS: [&str; 2] = ["baseline", "candidate"];
/// In which both may differ.
pub const FIELDS: [Field; 4] = [Field::EngineOptions, Field::Threads, Field::Isa, Field::Version];
/// Launches that say what B costs beside what it is judged by: memory hardly differs from launch to
/// launch, and what differs more than that is known by then.
const WITH_COSTS: u32 = 5;

/// What is judged, and when a word is said.
pub struct Candidate<'a> {
    /// What can be compared of both.
    pub run: &'a JudgeRun,
    /// Both.
    pub spec: &'a JudgeSpec,
    /// When a word is said.
    pub options: JudgeOptions,
    /// Fresh processes of both.
    pub starts: Starts<'a>,
    /// Whether time is left to record what differs.
    pub has_time: &'a dyn Fn() -> bool,
}

impl Candidate<'_> {
    fn sides(&self) -> Vec<Vec<Judged>> {
        let control = self.run.has_control.then_some(Judged::Control);
        [Some(Judged::Candidate), control].into_iter().flatten().map(|side| vec![side]).collect()
    }
}

impl Search for Candidate<'_> {
    type Run = JudgeRun;
    type Found = Judgement;

    /// Without its control, a candidate would be judged by another measure.
    const FEWEST: usize = 2;
    const TIME: Duration = Duration::from_millis(400);
    /// The sentence on the word says whether more launches would help, and how to get them.
    const NEXT: &'static str = "";

    fn completed(&self, trial: JudgeTrial) -> anyhow::Result<Option<JudgeTrial>> {
        let needed = cost_of(self.options.objective);
        if needed.is_none() && trial.number >= WITH_COSTS {
            return Ok(Some(trial));
        }
        // A's copy has no costs, unless it is judged by them.
        let most = if needed.is_some() { usize::MAX } else { 1 };
        let ran = trial.variants.iter().filter(|variant| variant.failed.is_none()).take(most);
        let specs = ran.map(|variant| match variant.changes[..] {
            [Judged::Candidate] => self.spec.b.clone(),
            _ => self.spec.a.clone(),
        });
        let specs = specs.collect();
        self.starts.complete(trial, specs, needed.as_slice())
    }

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

    fn held_out(&self, found: &Judgement) -> Vec<Vec<Judged>> {
        held_out_of(self.run, found)
    }

    /// A word that says that B differs is worth a recording that says where.
    fn verifications(
        &self,
        found: &Judgement,
        folder: &Path,
    ) -> anyhow::Result<Vec<Planned<Vec<Judged>>>> {
        let is_of_layers = found.options.objective == Objective::Latency
            && matches!(found.word, Word::Faster | Word::Slower);
        let Some(latency) = found.baseline_ns.filter(|_| is_of_layers && (self.has_time)()) else {
            return Ok(Vec::new());
        };
        Ok(vec![Planned {
            with_b: false,
            chosen: vec![Judged::Candidate],
            folder: folder.to_path_buf(),
            names: FOLDERS,
            specs: [self.spec.a.clone(), self.spec.b.clone()],
            launches: FEWEST_LAUNCHES as u32,
            latency: Nanoseconds(latency as u64),
            costs: None,
            fields: FIELDS.to_vec(),
        }])
    }
}

/// A candidate that is far on inputs of trials needs no others.
pub fn held_out_of(run: &JudgeRun, found: &Judgement) -> Vec<Vec<Judged>> {
    let has_inputs = run.search.loss_inputs.held_out > 0;
    let is_near = matches!(found.word, Word::Faster | Word::Slower | Word::Same);
    if has_inputs && is_near { vec![vec![Judged::Candidate]] } else { Vec::new() }
}
