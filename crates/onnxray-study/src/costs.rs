//! What an inference costs, measured before the first launch.

use crate::host::{Host, Left, Said};
use onnxray_recorder::LaunchSpec;
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::study::costs::{CostPlan, costs};
use onnxray_text::printable;

/// Adds their costs to the recordings, whose first launches keep them. What cannot be measured is
/// unknown, and no reason not to record. `engines` are those of processes that no other model runs
/// beside.
pub fn measure(specs: &mut [LaunchSpec], (plan, engines): (&CostPlan, &[EngineSpec]), host: &Host) {
    // Side by side, they would take from each other.
    if plan.starts == 0 || specs.iter().any(|spec| spec.options.instances > 1) {
        return;
    }
    // In spinning, and in nothing else.
    let differs = |(spec, alone): (&LaunchSpec, &EngineSpec)| spec.engine != *alone;
    if specs.iter().zip(engines).any(differs) && specs.iter().any(|spec| spec.options.threads > 1) {
        let spinning = format_args!(
            "idle threads do not spin while both sides take turns in one process; CPU time, memory, start \
             and calls at a pace are of processes of their own, in which they do: --ort spinning=no is for \
             both"
        );
        host.teller.say(Said::Note, spinning);
    }
    let alone = specs.iter().zip(engines);
    let alone: Vec<LaunchSpec> =
        alone.map(|(spec, engine)| LaunchSpec { engine: engine.clone(), ..spec.clone() }).collect();
    let measured = costs(&alone, plan, host.worker, host.stop, |done, all| {
        let share = f64::from(done) / f64::from(all.max(1));
        host.teller.show(format!("start {} of {all}", done + 1), share, Left::Unknown);
    });
    host.teller.clear();
    match measured {
        Ok(measured) => {
            let unknown = measured.iter().find_map(|costs| costs.unknown.as_deref());
            // What was asked for and is not there.
            if let Some(reason) = unknown.filter(|_| plan.is_cold && !host.is_stopped()) {
                let reason = printable(reason);
                host.teller.say(
                    Said::Warning,
                    format_args!("starts of a cold file are unknown: {reason}"),
                );
            }
            for (spec, costs) in specs.iter_mut().zip(measured) {
                spec.options.costs = Some(costs);
            }
        }
        Err(error) => host.teller.say(
            Said::Note,
            format_args!(
                "CPU time, memory and start are unknown: no place for inputs: {}",
                printable(&error.to_string())
            ),
        ),
    }
}
