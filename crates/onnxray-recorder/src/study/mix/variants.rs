//! Variants of a mix: models that take some changes from B and the others from A.

use super::opened::Mixes;
use super::spec::{MixSpec, MixSurvey};
use super::survey::survey;
use crate::error::RecordError;
use crate::study::job::Study;
use crate::study::journal::Journal;
use crate::study::opened::{Opened, Purpose};
use crate::study::search::{SearchEntry, SearchPlan};
use crate::study::sensitivity::Reference;
use crate::study::trial::{Machine, Variants};
use crate::study::turns::Side;
use crate::tensor::Tensor;
use onnxray_format::{MixQuality, MixRun};

/// The journal of a mix.
pub type MixJournal = Journal<MixRun>;
/// A line of it.
pub type MixEntry = SearchEntry<u32, MixQuality, f64>;

impl SearchPlan for MixRun {
    const KIND: &'static str = "onnxray mix journal";
    const FILE: &'static str = "onnxray.mix.jsonl";
    const OTHER: &'static str = "another mix is measured in this folder";

    type Change = u32;
    type Quality = MixQuality;
    type Distance = f64;

    fn has_changes(&self, changes: &[u32]) -> bool {
        // Strictly ascending, as the search writes them: one mix has one key.
        changes.is_sorted_by(|one, next| one < next)
            && changes.last().is_none_or(|&last| (last as usize) < self.changes.len())
    }

    fn is_quality(quality: &MixQuality) -> bool {
        quality.loss.is_none_or(|loss| loss >= 0.0)
    }

    fn is_distance(&distance: &f64) -> bool {
        distance >= 0.0
    }
}

impl Study for MixRun {
    type Spec = MixSpec;
    type Survey = MixSurvey;
}

impl<'e> Variants<'e> for Mixes {
    type Study = MixRun;
    type Reference = Reference;

    fn survey(machine: Machine, spec: &MixSpec) -> Result<MixSurvey, RecordError> {
        survey(machine.engines, spec)
    }

    fn open(machine: Machine, spec: &MixSpec, purpose: Purpose) -> Result<Mixes, RecordError> {
        // Only A as mixes are written is measured; A as it is would take memory beside it.
        let (mut mixes, _) = Mixes::read(machine.engines, spec, purpose)?;
        // The survey has run both to learn them; a trial does not repeat that.
        mixes.pair.learn_types(spec.types.clone());
        Ok(mixes)
    }

    fn opened(&self) -> &Opened {
        &self.a
    }

    /// Without changes it is A as mixes are written: what writing changes is in both.
    fn prepare(&self, from_b: &[u32]) -> Result<Side, RecordError> {
        self.load(from_b).map(Side::Here)
    }

    fn reference(&self, outputs: Vec<Vec<Tensor>>) -> Result<Reference, RecordError> {
        Reference::of(&self.a.file, &outputs, self.spec.measure)
    }

    fn quality(&self, base: &Reference, own: &[Vec<Tensor>]) -> Result<MixQuality, String> {
        base.quality(own)
    }

    fn distance(quality: MixQuality) -> Option<f64> {
        quality.loss
    }
}
