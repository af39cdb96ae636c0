//! Variants of a judgement: the candidate, and the baseline once more.

use super::spec::{JudgeSpec, JudgeSurvey};
use super::survey::survey;
use crate::engine::{Engines, Model};
use crate::error::RecordError;
use crate::study::job::Study;
use crate::study::journal::Journal;
use crate::study::opened::{Opened, Purpose};
use crate::study::search::{SearchEntry, SearchPlan};
use crate::study::sensitivity::Reference;
use crate::study::trial::{Machine, Variants};
use crate::study::turns::{Handed, Side, Timed};
use crate::tensor::Tensor;
use onnxray_format::{JudgeRun, Judged, MixQuality};

/// The journal of a judgement.
pub type JudgeJournal = Journal<JudgeRun>;
/// A line of it.
pub type JudgeEntry = SearchEntry<Judged, MixQuality, f64>;

impl SearchPlan for JudgeRun {
    const KIND: &'static str = "onnxray judge journal";
    const FILE: &'static str = "onnxray.judge.jsonl";
    const OTHER: &'static str = "another judgement is measured in this folder";

    type Change = Judged;
    type Quality = MixQuality;
    type Distance = f64;

    fn has_changes(&self, changes: &[Judged]) -> bool {
        matches!(changes, [Judged::Candidate])
            || matches!(changes, [Judged::Control]) && self.has_control
    }

    fn is_quality(quality: &MixQuality) -> bool {
        quality.loss.is_none_or(|loss| loss >= 0.0)
    }

    fn is_distance(&distance: &f64) -> bool {
        distance >= 0.0
    }
}

impl Study for JudgeRun {
    type Spec = JudgeSpec;
    type Survey = JudgeSurvey;
}

/// Both sides, and inputs for them.
pub(in crate::study) struct Sides<'e> {
    engines: &'e dyn Engines,
    spec: JudgeSpec,
    /// A as it is read; sides are loaded anew, each elsewhere in memory.
    opened: Opened,
    /// Inputs for processes of their own, where both do not fit into one.
    handed: Option<Handed<'e>>,
}

impl<'e> Variants<'e> for Sides<'e> {
    type Study = JudgeRun;
    type Reference = Reference;

    fn survey(machine: Machine<'e>, spec: &JudgeSpec) -> Result<JudgeSurvey, RecordError> {
        survey(machine, spec)
    }

    fn open(
        machine: Machine<'e>,
        spec: &JudgeSpec,
        purpose: Purpose,
    ) -> Result<Sides<'e>, RecordError> {
        let Machine { engines, command } = machine;
        let (opened, _) = Opened::open(engines, &spec.a, purpose)?;
        // A and its copy as well: a side in this process would differ from both in more than itself.
        let handed = (!spec.fits_into_one_process())
            .then(|| Handed::new(&opened.compared, spec.has_made_up_inputs(), command));
        let handed = handed.transpose()?;
        Ok(Sides { engines, spec: spec.clone(), opened, handed })
    }

    fn opened(&self) -> &Opened {
        &self.opened
    }

    /// Several, so that a candidate that remembers answers is not fast.
    fn timed(&self) -> Timed {
        Timed::of(self.opened.compared.clone(), self.spec.has_made_up_inputs())
    }

    fn prepare(&self, changes: &[Judged]) -> Result<Side, RecordError> {
        let own = match changes {
            [Judged::Candidate] => &self.spec.b,
            _ => &self.spec.a,
        };
        match &self.handed {
            Some(handed) => Ok(Side::Apart(handed.load(own)?.0)),
            None => {
                let Model { engine, loaded, .. } = own.load_model(self.engines)?;
                Side::new(engine, loaded)
            }
        }
    }

    fn reference(&self, outputs: Vec<Vec<Tensor>>) -> Result<Reference, RecordError> {
        Reference::of(&self.opened.file, &outputs, self.spec.measure)
    }

    fn quality(&self, base: &Reference, own: &[Vec<Tensor>]) -> Result<MixQuality, String> {
        base.quality(own)
    }

    fn distance(quality: MixQuality) -> Option<f64> {
        quality.loss
    }
}
