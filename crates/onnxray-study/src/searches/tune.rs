//! What a tuning measures.

use crate::host::WriteOwn;
use crate::search::Search;
use crate::starts::Starts;
use crate::verification::Planned;
use anyhow::anyhow;
use onnxray_analyzer::comparison::{ENOUGH_LAUNCHES, Field};
use onnxray_analyzer::study::{Step, Study, StudyOptions, Tuning, needed, screen};
use onnxray_format::{RuntimeChange, Stage, TuneHeldOut, TuneRun, TuneTrial};
use onnxray_recorder::LaunchSpec;
use onnxray_recorder::study::costs::CostPlan;
use onnxray_recorder::study::tune::{Survey, accuracy_level, changed, with_accuracy};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Subfolders of the result for both recordings.
pub const FOLDERS: [&str; 2] = ["base", "tuned"];

/// The model to tune, and the gain that a change has to reach.
pub struct Tuned<'a> {
    /// The model as it is.
    pub base: &'a LaunchSpec,
    /// What can be changed.
    pub survey: &'a Survey,
    /// The gain.
    pub options: StudyOptions,
    /// Fresh processes of base and variants.
    pub starts: Starts<'a>,
    /// Folder of the result, for changed models.
    pub folder: &'a Path,
    /// Writes them.
    pub write: WriteOwn<'a>,
    /// Levels of accuracy whose models are written.
    pub written: RefCell<BTreeSet<u32>>,
}

/// The model of a launch with this level of accuracy, in the folder of the result.
pub fn changed_model(base: &LaunchSpec, level: u32, folder: &Path) -> PathBuf {
    let stem = Path::new(&base.model).file_stem().unwrap_or(&base.model).to_string_lossy();
    folder.join(format!("{stem}-accuracy_level-{level}.onnx"))
}

impl Tuned<'_> {
    /// The base with these changes; a model that they change is written first.
    fn changed(&self, changes: &[RuntimeChange]) -> anyhow::Result<LaunchSpec> {
        let mut spec = changed(self.base, changes);
        let Some(level) = accuracy_level(changes) else { return Ok(spec) };
        let file = changed_model(self.base, level, self.folder);
        if !self.written.borrow().contains(&level) {
            (self.write)(&file, &with_accuracy(self.base, level, self.folder)?)?;
            self.written.borrow_mut().insert(level);
        }
        spec.model = file.into();
        Ok(spec)
    }
}

/// Variants of a launch whose base and variants each have a process of their own: the time limit is
/// looked at between two launches.
const MOST_STARTS: usize = 12;

impl Search for Tuned<'_> {
    type Run = TuneRun;
    type Found = Tuning;

    /// The base is measured with it in any case.
    const FEWEST: usize = 1;
    const TIME: Duration = Duration::from_millis(150);

    fn most(&self) -> usize {
        if self.survey.run.has_costs() { MOST_STARTS } else { usize::MAX }
    }

    fn completed(&self, trial: TuneTrial) -> anyhow::Result<Option<TuneTrial>> {
        let run = &self.survey.run;
        if !run.has_costs() {
            return Ok(Some(trial));
        }
        let ran = trial.variants.iter().filter(|variant| variant.failed.is_none());
        let variants = ran.map(|variant| self.changed(&variant.changes));
        let specs = variants.collect::<anyhow::Result<_>>()?;
        self.starts.complete(trial, specs, &needed(run))
    }

    fn is_promising(found: &Tuning) -> bool {
        !found.gains().is_empty()
    }

    fn found(&self, trials: &[&TuneTrial]) -> Tuning {
        screen(&self.survey.run, trials, self.options)
    }

    fn next(&self, found: &Tuning) -> Option<(Stage, u32, Vec<Vec<RuntimeChange>>)> {
        [&found.next, &found.further].into_iter().find_map(|step| match step {
            Step::Measure { stage, number, variants } => {
                let named = variants.iter().map(|variant| found.run.named(variant));
                Some((*stage, *number, named.collect()))
            }
            Step::Nothing => None,
        })
    }

    fn progress(found: &Tuning, stage: Stage, spent: f64) -> (&'static str, f64) {
        if found.next == Step::Nothing {
            return ("trying what is undecided", spent);
        }
        let what = match stage {
            Stage::Single => "trying changes",
            Stage::Combined => "combining",
        };
        (what, found.done())
    }

    fn held_out(&self, found: &Tuning) -> Vec<Vec<RuntimeChange>> {
        let has_inputs = self.survey.run.search.loss_inputs.held_out > 0;
        found
            .best
            .iter()
            .filter(|_| has_inputs)
            .map(|best| found.run.named(&best.changes))
            .collect()
    }

    fn check(&self, held_out: &[TuneHeldOut]) -> anyhow::Result<()> {
        match held_out.iter().find_map(|own| own.failed.clone()) {
            Some(reason) => Err(anyhow!(reason)),
            None => Ok(()),
        }
    }

    fn verifications(
        &self,
        found: &Tuning,
        folder: &Path,
    ) -> anyhow::Result<Vec<Planned<Vec<RuntimeChange>>>> {
        let best = found.best.iter().map(|best| found.run.named(&best.changes));
        let verified = best.map(|chosen| {
            // What a change may alter: a difference in these is the point, not an obstacle.
            let mut fields = vec![Field::EngineOptions, Field::Threads];
            fields.extend(accuracy_level(&chosen).map(|_| Field::Model));
            Ok(Planned {
                with_b: false,
                folder: folder.to_path_buf(),
                names: FOLDERS,
                specs: [self.base.clone(), self.changed(&chosen)?],
                chosen,
                launches: ENOUGH_LAUNCHES as u32,
                latency: self.survey.latency,
                costs: self.survey.run.has_costs().then(|| CostPlan {
                    starts: ENOUGH_LAUNCHES as u32,
                    pace: self.starts.turns.pace.clone(),
                    ..CostPlan::default()
                }),
                fields,
            })
        });
        verified.collect()
    }
}
