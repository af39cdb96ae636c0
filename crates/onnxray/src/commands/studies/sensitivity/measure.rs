//! Measures what is not known yet, in processes of this program, and says how far it is.

use crate::commands::signals::Stop;
use crate::commands::warn_of_damage;
use crate::engine_process::worker;
use crate::message;
use crate::progress::Progress;
use anyhow::anyhow;
use onnxray_format::LossProfile;
use onnxray_recorder::Clock;
use onnxray_recorder::study::sensitivity::{LossJournal, LossRequest, LossStudy};
use onnxray_text::{counted, printable, shown};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How sensitivities are measured, and where they are kept meanwhile.
pub(in crate::commands) struct Measuring<'a> {
    /// File that the journal lies beside.
    pub(in crate::commands) result: Option<&'a Path>,
    /// Whether the journal of another run is replaced.
    pub(in crate::commands) force: bool,
    /// Models that run at once; `None` for one per core.
    pub(in crate::commands) jobs: Option<u32>,
    pub(in crate::commands) time_limit: Option<Duration>,
    /// The command that continues what was interrupted, in words.
    pub(in crate::commands) again: &'a str,
}

/// Measures what the journal beside the result lacks; `None` if it was interrupted, with everything
/// until then in the journal. When time runs out, the profile says what is not measured.
pub(in crate::commands) fn measure(
    request: &LossRequest,
    measuring: &Measuring,
    clock: &dyn Clock,
    stop: &Stop,
) -> anyhow::Result<Option<(LossProfile, Option<LossJournal>)>> {
    let Measuring { result, force, jobs, time_limit, again } = *measuring;
    let begun = clock.now();
    let command = worker()?;
    let progress = Progress::new();
    // `begin` runs the dense model, which all losses refer to, and tells no progress.
    progress.show("running the unchanged model".to_string(), 0.0, None);
    let study = LossStudy::begin(request, &command, result, force, stop.asked())?;
    let Some(mut experiment) = study else { return Ok(None) };
    tell(&experiment);
    let known = experiment.known() as f64 / experiment.all().max(1) as f64;
    let progress = progress.resumed(known, time_limit);
    let mut is_out_of_time = false;
    let ended = experiment.run(jobs, stop.asked(), |layer, share, left| {
        let until = time_limit.map(|limit| limit.saturating_sub(clock.since(begun)));
        let left = left.map(|left| until.map_or(left, |until| until.min(left)));
        progress.show(printable(layer), share, left);
        // After the last result there is nothing to end.
        let is_over = until == Some(Duration::ZERO);
        if is_over && share < 1.0 {
            is_out_of_time = true;
            // As a user would: what runs is finished, and nothing more is begun.
            stop.asked().store(true, Ordering::Relaxed);
        }
    });
    progress.clear();
    match ended {
        Ok(false) => Ok(Some(experiment.profile())),
        Ok(true) if is_out_of_time => Ok(Some(experiment.profile())),
        Ok(true) => {
            interrupted(&experiment, again);
            Ok(None)
        }
        Err(error) => {
            // Only a result that is saved has a journal to go on from.
            let kept = experiment.journal().map(|journal| {
                let (known, path) = (experiment.known(), journal.path());
                format!("\nhint: {known} results are kept in {}; {again} goes on", shown(&path))
            });
            Err(anyhow!("{error}{}", kept.unwrap_or_default()))
        }
    }
}

/// Reports what the journal holds.
fn tell(experiment: &LossStudy) {
    let Some(journal) = experiment.journal() else { return };
    let path = journal.path();
    if journal.replaced() {
        message::note(format_args!("{}: belonged to another run; replaced", shown(&path)));
    }
    warn_of_damage(&path, journal.damaged());
    if experiment.known() > 0 {
        let (known, all) = (experiment.known(), experiment.all());
        message::note(format_args!("{known} of {all} results are known from {}", shown(&path)));
    }
}

/// Tells how to resume.
fn interrupted(experiment: &LossStudy, again: &str) {
    match experiment.journal() {
        Some(journal) => message::line(format_args!(
            "interrupted: {} of {} are kept in {}; {again} goes on",
            experiment.known(),
            counted(experiment.all() as u64, "result", "results"),
            shown(&journal.path())
        )),
        None => message::line("interrupted: nothing is kept; with --save it would be"),
    }
}
