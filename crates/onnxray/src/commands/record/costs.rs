//! What an inference costs, measured before the first launch.

use crate::commands::signals::Stop;
use crate::engine_process::worker;
use crate::message;
use crate::progress::Progress;
use onnxray_recorder::LaunchSpec;
use onnxray_recorder::study::costs::costs;
use onnxray_text::printable;

/// Adds their costs to the recordings, whose first launches keep them. What cannot be measured is
/// unknown, and no reason not to record.
pub(super) fn measure(specs: &mut [LaunchSpec], starts: u32, stop: &Stop) -> anyhow::Result<()> {
    // Side by side, they would take from each other.
    if starts == 0 || specs.iter().any(|spec| spec.options.instances > 1) {
        return Ok(());
    }
    let progress = Progress::new();
    let command = worker()?;
    let measured = costs(specs, starts, &command, stop.asked(), |done, all| {
        let share = f64::from(done) / f64::from(all.max(1));
        progress.show(format!("start {} of {all}", done + 1), share, None);
    });
    progress.clear();
    match measured {
        Ok(measured) => {
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
