//! Measures what is not known yet, in processes of this program, and says how far it is.

use crate::host::{Host, Left, Said};
use crate::journal::warn_of_damage;
use anyhow::anyhow;
use onnxray_format::LossProfile;
use onnxray_recorder::study::sensitivity::{LossJournal, LossRequest, LossStudy};
use onnxray_text::{counted, printable, shown};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// How sensitivities are measured, and where they are kept meanwhile.
pub struct Measuring<'a> {
    /// File that the journal lies beside.
    pub result: Option<&'a Path>,
    /// Whether the journal of another run is replaced.
    pub force: bool,
    /// Models that run at once; `None` for one per core.
    pub jobs: Option<u32>,
    /// Nothing is begun after this time.
    pub time_limit: Option<Duration>,
    /// The command that continues what was interrupted, in words.
    pub again: &'a str,
}

/// Measures what the journal beside the result lacks; `None` if it was interrupted, with everything
/// until then in the journal. When time runs out, the profile says what is not measured.
///
/// # Errors
///
/// If the model cannot be run, or if the journal is another's.
pub fn measure(
    request: &LossRequest,
    measuring: &Measuring,
    host: &Host,
) -> anyhow::Result<Option<(LossProfile, Option<LossJournal>)>> {
    let Measuring { result, force, jobs, time_limit, again } = *measuring;
    let begun = host.clock.now();
    // `begin` runs the dense model, which all losses refer to, and tells no progress.
    host.teller.show("running the unchanged model".to_string(), 0.0, Left::Unknown);
    let study = LossStudy::begin(request, host.worker, result, force, host.stop);
    let study = study.inspect_err(|_| host.teller.clear())?;
    let Some(mut experiment) = study else {
        host.teller.clear();
        return Ok(None);
    };
    tell(&experiment, host);
    let known = experiment.known() as f64 / experiment.all().max(1) as f64;
    host.teller.resumed(known, time_limit);
    let mut is_out_of_time = false;
    let ended = experiment.run(jobs, host.stop, |layer, share, left| {
        let until = time_limit.map(|limit| limit.saturating_sub(host.clock.since(begun)));
        let left = left.map(|left| Left::About(until.map_or(left, |until| until.min(left))));
        host.teller.show(printable(layer), share, left.unwrap_or(Left::Unknown));
        // After the last result there is nothing to end.
        let is_over = until == Some(Duration::ZERO);
        if is_over && share < 1.0 {
            is_out_of_time = true;
            // As a user would: what runs is finished, and nothing more is begun.
            host.stop.store(true, Ordering::Relaxed);
        }
    });
    host.teller.clear();
    match ended {
        Ok(false) => Ok(Some(experiment.profile())),
        Ok(true) if is_out_of_time => Ok(Some(experiment.profile())),
        Ok(true) => {
            interrupted(&experiment, again, host);
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
fn tell(experiment: &LossStudy, host: &Host) {
    let Some(journal) = experiment.journal() else { return };
    let path = journal.path();
    if journal.replaced() {
        let path = shown(&path);
        host.teller.say(Said::Note, format_args!("{path}: belonged to another run; replaced"));
    }
    warn_of_damage(&path, journal.damaged(), host);
    if experiment.known() > 0 {
        let (known, all, path) = (experiment.known(), experiment.all(), shown(&path));
        let text = format_args!("{known} of {all} results are known from {path}");
        host.teller.say(Said::Note, text);
    }
}

/// Tells how to resume.
fn interrupted(experiment: &LossStudy, again: &str, host: &Host) {
    let Some(journal) = experiment.journal() else {
        let nothing = format_args!("interrupted: nothing is kept; with --save it would be");
        return host.teller.say(Said::Line, nothing);
    };
    let kept = format_args!(
        "interrupted: {} of {} are kept in {}; {again} goes on",
        experiment.known(),
        counted(experiment.all() as u64, "result", "results"),
        shown(&journal.path())
    );
    host.teller.say(Said::Line, kept);
}
