//! A launch: A and mixes of it with B, loaded side by side, and run in turns.

use super::opened::{Opened, Purpose};
use super::spec::{LossesRequest, MixRequest, MixSpec};
use crate::engine::Engines;
use crate::error::RecordError;
use crate::experiment::order;
use crate::rounds::{Rounds, loaded_in};
use crate::sensitivity::Reference;
use onnxray_format::{MixHeldOut, MixQuality, MixTrial, MixVariant, Stage};

/// Measures a launch.
///
/// # Errors
///
/// If A does not load or run.
pub(super) fn measure(
    engines: &dyn Engines,
    spec: &MixSpec,
    request: &MixRequest,
) -> Result<MixTrial, RecordError> {
    let (mut opened, as_it_is) = Opened::open(engines, spec, Purpose::Search)?;
    // Only A as mixes are written is measured; A as it is would take memory beside it.
    drop(as_it_is);
    // The survey has run both to learn them; a launch does not repeat that.
    opened.learn_types(&request.types);
    // Another order in each launch, and the same again where a journal is resumed.
    let seed = spec.a.seed.wrapping_add(u64::from(request.number) << 8);
    let order = order(request.mixes.len() + 1, seed, 0);
    let mix = |place: usize| opened.load(&request.mixes[place]).map_err(|error| error.to_string());
    // A as mixes are written: what writing changes is in both.
    let (base, variants) = loaded_in(&order, || opened.load(&[]), mix)?;
    let mut rounds = Rounds::new(&opened.inputs, base, variants);
    let of_a = rounds.base_outputs(&opened.compared)?;
    let reference = Reference::of(&opened.file, &of_a, spec.measure)?;
    let distances: Vec<Distance> = (0..request.mixes.len())
        .map(|mix| match rounds.outputs(mix, &opened.compared) {
            Some(own) => reference.distance(&own).map(|far| {
                let (far, output) = far?;
                Some((far, output.to_string()))
            }),
            None => Ok(None),
        })
        .collect();
    let measured = rounds.run(engines, request.time, seed)?;
    let measured_mixes = request.mixes.iter().zip(measured.ratios).zip(distances);
    let variants = measured_mixes.map(|((mix, ratio), distance)| variant(mix, ratio, distance));
    Ok(MixTrial {
        stage: Stage::default(),
        number: request.number,
        base_ns: measured.base_ns,
        rounds: measured.rounds,
        variants: variants.collect(),
    })
}

/// Distances of mixes from A on each of the inputs that no launch saw.
///
/// # Errors
///
/// If A does not load or run.
pub(super) fn losses(
    engines: &dyn Engines,
    spec: &MixSpec,
    request: &LossesRequest,
) -> Result<Vec<MixHeldOut>, RecordError> {
    let (mut opened, as_it_is) = Opened::open(engines, spec, Purpose::Report)?;
    drop(as_it_is);
    opened.learn_types(&request.types);
    let of_a = opened.load(&[])?.outputs_of_each(&opened.compared)?;
    let references: Vec<Reference> = of_a
        .into_iter()
        .map(|own| Reference::of(&opened.file, &[own], spec.measure))
        .collect::<Result<_, _>>()?;
    let text = |error: RecordError| error.to_string();
    let of_mix = |from_b: &[u32]| -> Result<Vec<f64>, String> {
        let mut side = opened.load(from_b).map_err(text)?;
        let outputs = side.outputs_of_each(&opened.compared).map_err(text)?;
        let each = references.iter().zip(outputs);
        let far = each.map(|(reference, own)| Ok(reference.distance(&[own])?.map(|(far, _)| far)));
        // Unknown for one, unknown for all: the median of the others would mislead.
        let far: Result<Option<Vec<f64>>, String> = far.collect();
        far?.ok_or_else(|| "no output can be compared".to_string())
    };
    let losses = |from_b: &Vec<u32>| {
        let (losses, failed) = match of_mix(from_b) {
            Ok(losses) => (losses, None),
            Err(reason) => (Vec::new(), Some(reason)),
        };
        MixHeldOut { changes: from_b.clone(), distances: losses, failed }
    };
    Ok(request.mixes.iter().map(losses).collect())
}

/// Distance from A's outputs and the farthest output; `None` if nothing can be compared; or why it
/// is unknown.
type Distance = Result<Option<(f64, String)>, String>;

fn variant(mix: &[u32], ratio: Result<Option<f64>, String>, distance: Distance) -> MixVariant {
    // A mix whose outputs cannot be compared is not admissible, however fast it is.
    let failed = ratio.as_ref().err().or(distance.as_ref().err()).cloned();
    let (loss, output) = distance.ok().flatten().filter(|_| failed.is_none()).unzip();
    MixVariant {
        changes: mix.to_vec(),
        ratio: ratio.ok().flatten().filter(|_| failed.is_none()),
        quality: MixQuality { loss, output },
        failed,
    }
}
