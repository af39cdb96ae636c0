//! What a search for a mix measures.

mod names;

use crate::host::WriteOwn;
use crate::search::Search;
use crate::verification::Planned;
use onnxray_analyzer::comparison::{ENOUGH_LAUNCHES, Field};
use onnxray_analyzer::study::{Mixing, Step, StudyOptions, descend};
use onnxray_format::{MixRun, MixTrial, Stage};
use onnxray_recorder::LaunchSpec;
use onnxray_recorder::study::costs::CostPlan;
use onnxray_recorder::study::mix::{MixSpec, MixSurvey, mixed};
use std::path::Path;
use std::time::Duration;

pub use names::{renamed, survey};

/// The mix that is verified, in the folder of the result.
pub const CANDIDATE: &str = "mixed.onnx";
/// Subfolders of the result for the recordings next to A and next to B.
pub const FOLDERS: [&str; 2] = ["with-a", "with-b"];
/// Names of recordings in these.
pub const NAMES: [[&str; 2]; 2] = [["a", "mixed"], ["b", "mixed"]];

/// The models to mix, and the gain that a mix has to reach.
pub struct Mixed<'a> {
    /// Both models.
    pub spec: &'a MixSpec,
    /// What can be mixed.
    pub survey: &'a MixSurvey,
    /// The gain.
    pub options: StudyOptions,
    /// Fresh processes of both models next to a mix.
    pub costs: CostPlan,
    /// Writes a mix into the folder of the result.
    pub write: WriteOwn<'a>,
}

impl Search for Mixed<'_> {
    type Run = MixRun;
    type Found = Mixing;

    /// What is tried, and what it is compared with.
    const FEWEST: usize = 2;
    const TIME: Duration = Duration::from_millis(60);

    fn is_promising(found: &Mixing) -> bool {
        found.mixed().is_some()
    }

    fn found(&self, trials: &[&MixTrial]) -> Mixing {
        descend(&self.survey.run, trials, self.options)
    }

    fn next(&self, found: &Mixing) -> Option<(Stage, u32, Vec<Vec<u32>>)> {
        match found.next.clone() {
            Step::Measure { stage, number, variants } => Some((stage, number, variants)),
            Step::Nothing => None,
        }
    }

    fn progress(_: &Mixing, _: Stage, spent: f64) -> (&'static str, f64) {
        ("trying mixes", spent)
    }

    fn held_out(&self, found: &Mixing) -> Vec<Vec<u32>> {
        let run = &self.survey.run;
        // Every change taken: B as a whole, which the mix has to be better than.
        let all_of_b = (0..run.changes.len() as u32).collect();
        match found.mixed().filter(|_| run.search.loss_inputs.held_out > 0) {
            Some(best) => vec![best.changes.clone(), all_of_b],
            None => Vec::new(),
        }
    }

    /// Nothing if A or B itself is best, or if the search has not ended.
    fn verifications(
        &self,
        found: &Mixing,
        folder: &Path,
    ) -> anyhow::Result<Vec<Planned<Vec<u32>>>> {
        let Some(best) = found.mixed() else { return Ok(Vec::new()) };
        let file = folder.join(CANDIDATE);
        (self.write)(&file, &bytes(self.spec, &best.changes, &file)?)?;
        let a = &self.spec.a;
        let next_to = |with_b: bool| {
            let model = if with_b { &self.spec.b } else { &a.model }.clone();
            Planned {
                with_b,
                chosen: best.changes.clone(),
                folder: folder.join(FOLDERS[usize::from(with_b)]),
                names: NAMES[usize::from(with_b)],
                specs: [
                    LaunchSpec { model, ..a.clone() },
                    LaunchSpec { model: file.clone().into(), ..a.clone() },
                ],
                launches: ENOUGH_LAUNCHES as u32,
                latency: self.survey.latencies[usize::from(with_b)],
                costs: (self.costs.starts > 0).then(|| self.costs.clone()),
                fields: vec![Field::Model],
            }
        };
        Ok([false, true].map(next_to).into())
    }
}

/// The mix, for a file of that path.
///
/// # Errors
///
/// If one of both models cannot be read any more.
pub fn bytes(spec: &MixSpec, from_b: &[u32], path: &Path) -> anyhow::Result<Vec<u8>> {
    let folder = path.parent().unwrap_or(Path::new(""));
    Ok(mixed(spec, from_b, folder)?)
}
