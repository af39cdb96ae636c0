//! A trial: a base and variants of it, loaded side by side, run in turns, and compared.

use super::job::{Asked, Study, TrialRequest};
use super::opened::{Opened, Purpose};
use super::search::SearchPlan;
use super::service::reply;
use super::turns::{Rounds, Side, Timed, loaded_in, order};
use crate::engine::Engines;
use crate::error::RecordError;
use crate::tensor::Tensor;
use onnxray_format::{HeldOut, Trial, Variant};
use serde_json::Value;
use std::io::{self, Write};
use std::iter;
use std::process::Command;

/// What runs models: the engines of this process, and further processes.
#[derive(Clone, Copy)]
pub(super) struct Machine<'e> {
    pub(super) engines: &'e dyn Engines,
    /// Makes a process that calls [`work`](super::work).
    pub(super) command: &'e dyn Fn() -> Command,
}

/// What the variants of a study are: made, loaded, and compared with their base.
pub(super) trait Variants<'e>: Sized {
    type Study: Study;
    /// Outputs of the base.
    type Reference;

    /// Facts before anything is measured.
    fn survey(
        machine: Machine<'e>,
        spec: &<Self::Study as Study>::Spec,
    ) -> Result<<Self::Study as Study>::Survey, RecordError>;

    fn open(
        machine: Machine<'e>,
        spec: &<Self::Study as Study>::Spec,
        purpose: Purpose,
    ) -> Result<Self, RecordError>;

    fn opened(&self) -> &Opened;

    /// Inputs of timed runs.
    fn timed(&self) -> Timed {
        Timed::same(self.opened().inputs.clone())
    }

    /// The variant with these changes, ready to run; without changes, the base.
    fn prepare(&self, changes: &[ChangeOf<Self::Study>]) -> Result<Side, RecordError>;

    /// Keeps the base's outputs, by input.
    fn reference(&self, outputs: Vec<Vec<Tensor>>) -> Result<Self::Reference, RecordError>;

    /// How outputs compare with the base's on the same inputs, or why they cannot be compared.
    fn quality(
        &self,
        base: &Self::Reference,
        own: &[Vec<Tensor>],
    ) -> Result<QualityOf<Self::Study>, String>;

    /// The distance that a quality on a single input says.
    fn distance(quality: QualityOf<Self::Study>) -> Option<DistanceOf<Self::Study>>;
}

type ChangeOf<S> = <S as SearchPlan>::Change;
type QualityOf<S> = <S as SearchPlan>::Quality;
type DistanceOf<S> = <S as SearchPlan>::Distance;
type TrialOf<S> = Trial<ChangeOf<S>, QualityOf<S>>;
type HeldOutOf<S> = HeldOut<ChangeOf<S>, DistanceOf<S>>;

/// Answers what is asked about variants.
///
/// # Errors
///
/// If it is something else, or the answer cannot be written.
pub(super) fn answered<'e, V: Variants<'e>>(
    machine: Machine<'e>,
    asked: Value,
    to: &mut dyn Write,
) -> io::Result<()> {
    match serde_json::from_value(asked)? {
        Asked::<<V::Study as Study>::Spec, ChangeOf<V::Study>>::Survey(spec) => {
            reply(to, V::survey(machine, &spec))
        }
        Asked::Trial(spec, request) => {
            let opened = V::open(machine, &spec, Purpose::Search);
            reply(to, opened.and_then(|of| trial(machine.engines, &of, &request)))
        }
        Asked::HeldOut(spec, variants) => {
            let opened = V::open(machine, &spec, Purpose::Report);
            reply(to, opened.and_then(|of| held_out(&of, &variants)))
        }
    }
}

/// Measures a trial.
///
/// # Errors
///
/// If the base does not load or run.
pub(super) fn trial<'e, V: Variants<'e>>(
    engines: &dyn Engines,
    of: &V,
    request: &TrialRequest<ChangeOf<V::Study>>,
) -> Result<TrialOf<V::Study>, RecordError> {
    let opened = of.opened();
    let TrialRequest { stage, number, variants, time } = request;
    // Another order in each trial, and the same again where a journal is resumed. Stages have
    // numbers of their own from 0: the low byte keeps them apart.
    let seed = opened.seed.wrapping_add(u64::from(*number) << 8 | *stage as u64);
    let order = order(variants.len() + 1, seed, 0);
    let variant = |place: usize| of.prepare(&variants[place]).map_err(|error| error.to_string());
    let (base, sides) = loaded_in(&order, || of.prepare(&[]), variant)?;
    let mut rounds = Rounds::new(of.timed(), base, sides);
    // Before any round, so that nothing of the comparison falls between two turns.
    let reference = of.reference(rounds.base_outputs(&opened.compared)?)?;
    let qualities: Vec<Result<_, String>> = (0..variants.len())
        .map(|place| match rounds.outputs(place, &opened.compared) {
            Some(own) => of.quality(&reference, &own),
            None => Ok(Default::default()),
        })
        .collect();
    let measured = rounds.run(engines, *time, seed)?;
    let outcomes = variants.iter().zip(measured.ratios).zip(qualities);
    let variant = |((changes, ratio), quality): ((&Vec<_>, Result<_, _>), Result<_, _>)| {
        // What cannot be compared is not admissible, however fast it is; and outputs may be known
        // of a variant that failed later, in a round.
        match (ratio, quality) {
            (Ok(ratio), Ok(quality)) => {
                Variant { changes: changes.clone(), ratio, costs: None, quality, failed: None }
            }
            (Err(reason), _) | (_, Err(reason)) => Variant::failed(changes.clone(), reason),
        }
    };
    Ok(Trial {
        stage: *stage,
        number: *number,
        base_ns: measured.base_ns,
        rounds: measured.rounds,
        other_cores: measured.other_cores,
        variants: outcomes.map(variant).collect(),
    })
}

/// So many at a time.
fn grouped(outputs: Vec<Vec<Tensor>>, count: usize) -> impl Iterator<Item = Vec<Vec<Tensor>>> {
    let mut left = outputs.into_iter();
    iter::from_fn(move || {
        let group: Vec<Vec<Tensor>> = left.by_ref().take(count).collect();
        (!group.is_empty()).then_some(group)
    })
}

/// Distances of variants from the base on each of the inputs that no trial saw.
///
/// # Errors
///
/// If the base does not load or run.
pub(super) fn held_out<'e, V: Variants<'e>>(
    of: &V,
    variants: &[Vec<ChangeOf<V::Study>>],
) -> Result<Vec<HeldOutOf<V::Study>>, RecordError> {
    let each = &of.opened().compared;
    let of_base = of.prepare(&[])?.outputs_of_each(each)?;
    // Of a generation, outputs of its steps are compared together, as in a trial.
    let steps = (of_base.len() / each.len().max(1)).max(1);
    let references = grouped(of_base, steps).map(|outputs| of.reference(outputs));
    let references: Vec<V::Reference> = references.collect::<Result<_, _>>()?;
    let distances = |changes: &[ChangeOf<V::Study>]| -> Result<Vec<_>, String> {
        let text = |error: RecordError| error.to_string();
        let own = of.prepare(changes).map_err(text)?.outputs_of_each(each).map_err(text)?;
        let far = references.iter().zip(grouped(own, steps)).map(|(reference, own)| {
            let distance = V::distance(of.quality(reference, &own)?);
            // Unknown for one, unknown for all: the median of the others would mislead.
            distance.ok_or_else(|| "no output can be compared".to_string())
        });
        far.collect()
    };
    let held_out = |changes: &Vec<ChangeOf<V::Study>>| {
        let (distances, failed) = match distances(changes) {
            Ok(distances) => (distances, None),
            Err(reason) => (Vec::new(), Some(reason)),
        };
        HeldOut { changes: changes.clone(), distances, failed }
    };
    Ok(variants.iter().map(held_out).collect())
}
