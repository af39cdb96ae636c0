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
    let (mut opened, as_it_is) = Opened::open(engines, spec)?;
    drop(as_it_is);
    opened.learn_types(&request.types);
    let seed = spec.a.seed.wrapping_add(u64::from(request.number) << 8);
    let order = order(request.mixes.len() + 1, seed, 0);
    let mix = |place: usize| opened.load(&request.mixes[place]).map_err(|error| error.to_string());
    // A as mixes are written: what writing changes is in both.
    let (base, variants) = loaded_in(&order, || opened.load(&[]), mix)?;
    let mut rounds = Rounds::new(&opened.inputs, base, variants);
    let of_a = rounds.base_outputs()?;
    let reference = Reference::of(&opened.file, &[of_a], spec.measure)?;
    let distances: Vec<Distance> = (0..request.mixes.len())
        .map(|mix| match rounds.outputs(mix) {
            Some(own) => reference.distance(&[own]).map(|far| {
                let (far, output) = far?;
                Some((far, output.to_string()))
            }),
            None => Ok(None),
        })
        .collect();
    let measured = rounds.run(engines, request.time, seed)?;
    let measured_mixes = request.mixes.iter().zip(measured.ratios).zip(distances);
    let variants = measured_mixes.map(|((mix, ratio), distance)| variant(mix, ratio, distance));
    Ok(MixLaunch {
        number: request.number,
        base_ns: measured.base_ns,
        rounds: measured.rounds,
        variants: variants.collect(),
    })
}

/// How far outputs are from A's, and the output that is farthest; or why that is not known.
type Distance = Result<Option<(f64, String)>, String>;

fn variant(mix: &[u32], ratio: Result<Option<f64>, String>, distance: Distance) -> MixVariant {
    let failed = ratio.as_ref().err().or(distance.as_ref().err()).cloned();
    let (loss, output) = distance.ok().flatten().filter(|_| failed.is_none()).unzip();
    MixVariant {
        from_b: mix.to_vec(),
        ratio: ratio.ok().flatten().filter(|_| failed.is_none()),
        loss,
        output,
        failed,
    }
}
