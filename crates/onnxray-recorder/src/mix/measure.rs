//! A launch: A and mixes of it with B, loaded side by side, and run in turns.

use super::opened::Opened;
use super::spec::{MixRequest, MixSpec};
use crate::engine::Engines;
use crate::error::RecordError;
use crate::experiment::order;
use crate::rounds::{Rounds, loaded_in};
use crate::sensitivity::Reference;
use onnxray_format::{MixLaunch, MixVariant};

/// Measures a launch.
///
/// # Errors
///
/// If A does not load or run.
pub(super) fn measure(
    engines: &dyn Engines,
    spec: &MixSpec,
    request: &MixRequest,
) -> Result<MixLaunch, RecordError> {
    let mut opened = Opened::open(engines, spec)?;
    opened.learn_types(&request.types);
    let seed = spec.a.seed.wrapping_add(u64::from(request.number) << 8);
    let order = order(request.mixes.len() + 1, seed, 0);
    let mix = |place: usize| opened.load(&request.mixes[place]).map_err(|error| error.to_string());
    // A as mixes are written: what writing changes is in both.
    let (base, variants) = loaded_in(&order, || opened.load(&[]), mix)?;
    let mut rounds = Rounds::new(&opened.inputs, base, variants);
    let of_a = rounds.base_outputs()?;
    let reference = Reference::of(&opened.a.file, &[of_a], spec.measure)?;
    let losses: Vec<Option<Result<(f64, String), String>>> = (0..request.mixes.len())
        .map(|mix| {
            let own = rounds.outputs(mix)?;
            let distance = reference.distance(&[own]);
            Some(distance.map(|far| {
                far.map_or((0.0, String::new()), |(far, output)| (far, output.to_string()))
            }))
        })
        .collect();
    let measured = rounds.run(engines, request.time, seed)?;
    let variants = request.mixes.iter().zip(measured.ratios).zip(losses);
    let variant = |((mix, ratio), loss): ((&Vec<u32>, Result<Option<f64>, String>), Option<_>)| {
        let loss: Result<Option<(f64, String)>, String> = loss.transpose();
        let failed = ratio.as_ref().err().or(loss.as_ref().err()).cloned();
        let loss = loss.ok().flatten().filter(|_| failed.is_none());
        let (loss, output) = loss.unzip();
        MixVariant {
            from_b: mix.clone(),
            ratio: ratio.ok().flatten().filter(|_| failed.is_none()),
            loss,
            output: output.filter(|name| !name.is_empty()),
            failed,
        }
    };
    Ok(MixLaunch {
        number: request.number,
        base_ns: measured.base_ns,
        rounds: measured.rounds,
        variants: variants.map(variant).collect(),
    })
}
