//! What an inference costs, measured before the first launch.

use crate::args::Recordings;
use crate::commands::signals::Stop;
use crate::engine_process::worker;
use crate::message;
use crate::progress::Progress;
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::study::costs::{CostPlan, costs};
use onnxray_recorder::{LaunchSpec, Length, Schedule};
use onnxray_text::printable;
use std::sync::atomic::Ordering;

/// Adds their costs to the recordings, whose first launches keep them. What cannot be measured is
/// unknown, and no reason not to record. `engines` are those of processes that no other model runs
/// beside.
pub(in crate::commands) fn measure(
    specs: &mut [LaunchSpec],
    (plan, engines): (&CostPlan, &[EngineSpec]),
    stop: &Stop,
) -> anyhow::Result<()> {
    // Side by side, they would take from each other.
    if plan.starts == 0 || specs.iter().any(|spec| spec.options.instances > 1) {
        return Ok(());
    }
    // In spinning, and in nothing else.
    let differs = |(spec, alone): (&LaunchSpec, &EngineSpec)| spec.engine != *alone;
    if specs.iter().zip(engines).any(differs) && specs.iter().any(|spec| spec.options.threads > 1) {
        message::note(
            "idle threads do not spin while both sides take turns in one process; CPU time, memory, start \
             and calls at a pace are of processes of their own, in which they do: --ort spinning=no is for \
             both",
        );
    }
    let alone = specs.iter().zip(engines);
    let alone: Vec<LaunchSpec> =
        alone.map(|(spec, engine)| LaunchSpec { engine: engine.clone(), ..spec.clone() }).collect();
    let progress = Progress::new();
    let command = worker()?;
    let measured = costs(&alone, plan, &command, stop.asked(), |done, all| {
        let share = f64::from(done) / f64::from(all.max(1));
        progress.show(format!("start {} of {all}", done + 1), share, None);
    });
    progress.clear();
    match measured {
        Ok(measured) => {
            let unknown = measured.iter().find_map(|costs| costs.unknown.as_deref());
            // What was asked for and is not there.
            if let Some(reason) =
                unknown.filter(|_| plan.is_cold && !stop.asked().load(Ordering::Relaxed))
            {
                message::warning(format_args!(
                    "starts of a cold file are unknown: {}",
                    printable(reason)
                ));
            }
            for (spec, costs) in specs.iter_mut().zip(measured) {
                spec.options.costs = Some(costs);
            }
        }
        Err(error) => message::note(format_args!(
            "CPU time, memory and start are unknown: no place for inputs: {}",
            printable(&error.to_string())
        )),
    }
    Ok(())
}

/// Measures costs, and returns what may end the launches after that: the same request, unless it came
/// meanwhile. Then they are as short as they can be, since what was measured has no other place.
pub(super) fn before_launches(recordings: &mut Recordings, stop: &Stop) -> anyhow::Result<Stop> {
    measure(&mut recordings.specs, (&recordings.costs, &recordings.alone), stop)?;
    let is_known = |spec: &LaunchSpec| {
        spec.options.costs.as_ref().is_some_and(|costs| !costs.starts.is_empty())
    };
    if !stop.asked().load(Ordering::Relaxed) || !recordings.specs.iter().any(is_known) {
        return Ok(stop.clone());
    }
    message::line("stopping after an iteration, which keeps the starts; again to stop now");
    let one =
        Schedule { warmup: 0, length: Length::Iterations(1), unprofiled: 1, ..recordings.schedule };
    recordings.schedule = one;
    recordings.until = None;
    recordings.specs.iter_mut().for_each(|spec| spec.options.launches = Some(1));
    Ok(Stop::default())
}
