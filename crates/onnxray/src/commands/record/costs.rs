//! What an inference costs, measured before the first launch.

use crate::args::Recordings;
use crate::commands::signals::Stop;
use crate::message;
use crate::study_host::Program;
use onnxray_recorder::engine::Engines;
use onnxray_recorder::{LaunchSpec, Length, Schedule};
use onnxray_study::costs::measure;
use std::sync::atomic::Ordering;

/// Measures costs, and returns what may end the launches after that: the same request, unless it came
/// meanwhile. Then they are as short as they can be, since what was measured has no other place.
pub(super) fn before_launches(
    recordings: &mut Recordings,
    engines: &dyn Engines,
    stop: &Stop,
) -> anyhow::Result<Stop> {
    let program = Program::with(stop.clone())?;
    let host = program.host(engines.clock());
    measure(&mut recordings.specs, (&recordings.costs, &recordings.alone), &host);
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
