//! Variants of a tuning: other options of the engine.

use super::accuracy::with_accuracy_of;
use super::change::changed;
use super::outputs::difference;
use super::survey::{Survey, survey};
use crate::engine::Engines;
use crate::error::RecordError;
use crate::launches::LaunchSpec;
use crate::study::job::Study;
use crate::study::journal::Journal;
use crate::study::opened::{Opened, Purpose};
use crate::study::search::{SearchEntry, SearchPlan};
use crate::study::sensitivity::{MeasureChoice, Reference};
use crate::study::trial::{Machine, Variants};
use crate::study::turns::Side;
use crate::tensor::Tensor;
use onnxray_format::{OutputDifference, RuntimeChange, TuneQuality, TuneRun};
use std::cell::RefCell;
use std::rc::Rc;

/// The journal of a tuning.
pub type TuneJournal = Journal<TuneRun>;
/// A line of it.
pub type TuneEntry = SearchEntry<RuntimeChange, TuneQuality, OutputDifference>;

impl SearchPlan for TuneRun {
    const KIND: &'static str = "onnxray tune journal";
    const FILE: &'static str = "onnxray.tune.jsonl";
    const OTHER: &'static str = "another tuning runs in this folder";

    type Change = RuntimeChange;
    type Quality = TuneQuality;
    type Distance = OutputDifference;

    fn has_changes(&self, changes: &[RuntimeChange]) -> bool {
        changes.iter().all(|own| self.changes.contains(own))
    }

    fn is_quality(quality: &TuneQuality) -> bool {
        quality.outputs.as_ref().is_none_or(Self::is_distance)
    }

    fn is_distance(own: &OutputDifference) -> bool {
        // Infinity is a difference, too: see `OutputDifference`.
        own.absolute >= 0.0 && own.relative >= 0.0 && own.loss.is_none_or(|loss| loss >= 0.0)
    }
}

impl Study for TuneRun {
    type Spec = LaunchSpec;
    type Survey = Survey;
}

/// A launch, with other options.
pub(in crate::study) struct Options<'e> {
    engines: &'e dyn Engines,
    base: LaunchSpec,
    opened: Opened,
    /// The base, where it is loaded before its variants.
    loaded: RefCell<Option<Side>>,
}

impl<'e> Variants<'e> for Options<'e> {
    type Study = TuneRun;
    /// Outputs, and what a loss is computed from, unless it cannot.
    type Reference = (Vec<Vec<Tensor>>, Option<Reference>);

    fn survey(machine: Machine, base: &LaunchSpec) -> Result<Survey, RecordError> {
        survey(machine.engines, base)
    }

    fn open(
        machine: Machine<'e>,
        base: &LaunchSpec,
        purpose: Purpose,
    ) -> Result<Options<'e>, RecordError> {
        let engines = machine.engines;
        let (opened, loaded) = Opened::open(engines, base, purpose)?;
        let loaded = match purpose {
            // Base and variants are loaded in an order of their own, each elsewhere in memory.
            Purpose::Search => None,
            Purpose::Report => Some(Side::new(Rc::clone(&opened.engine), loaded)?),
        };
        Ok(Options { engines, base: base.clone(), opened, loaded: RefCell::new(loaded) })
    }

    fn opened(&self) -> &Opened {
        &self.opened
    }

    fn prepare(&self, changes: &[RuntimeChange]) -> Result<Side, RecordError> {
        if let Some(base) = self.loaded.take().filter(|_| changes.is_empty()) {
            return Ok(base);
        }
        let Opened { file, bound, .. } = &self.opened;
        let own = changed(&self.base, changes);
        let engine = self.engines.start(&own.engine, own.options.threads)?;
        let file = with_accuracy_of(file, changes)?;
        let loaded = engine.load(&file, bound, own.options.threads)?;
        Side::new(engine, loaded)
    }

    fn reference(&self, outputs: Vec<Vec<Tensor>>) -> Result<Self::Reference, RecordError> {
        // Outputs of texts have no loss, and may be equal all the same.
        let reference = Reference::of(&self.opened.file, &outputs, MeasureChoice::L2).ok();
        Ok((outputs, reference))
    }

    fn quality(
        &self,
        (base, reference): &Self::Reference,
        own: &[Vec<Tensor>],
    ) -> Result<TuneQuality, String> {
        let names = &self.opened.file.graph.outputs;
        let each = base.iter().zip(own).map(|(base, own)| difference(names, base, own));
        // What pays must hold on each of the inputs, so the worst one counts.
        let farthest = each.max_by(|a, b| a.relative.total_cmp(&b.relative));
        let loss = reference.as_ref().and_then(|base| base.distance(own).ok().flatten());
        let loss = loss.map(|(loss, _)| loss).filter(|loss| loss.is_finite());
        Ok(TuneQuality { outputs: farthest.map(|own| OutputDifference { loss, ..own }) })
    }

    fn distance(quality: TuneQuality) -> Option<OutputDifference> {
        quality.outputs
    }
}
