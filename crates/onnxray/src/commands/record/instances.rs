//! Instances of one model, side by side.

use super::messages::{tell_failed_instance, tell_kept};
use super::processes;
use crate::args::RecordArguments;
use crate::commands::signals::Stop;
use crate::exit::Ended;
use crate::message;
use crate::progress::Progress;
use anyhow::anyhow;
use onnxray_recorder::{
    Instances, LaunchSpec, Pin, PinError, Schedule, check_memory_of_instances, nth_launch,
};
use onnxray_text::counted;
use std::path::PathBuf;
use std::time::Instant;

/// The cores of each instance; `None` if the user asked for none.
///
/// # Errors
///
/// If there are fewer cores than the user asked for.
pub(super) fn cores(arguments: &RecordArguments) -> anyhow::Result<Option<Vec<Vec<u32>>>> {
    let instances = arguments.instances;
    let threads = arguments.threads();
    // One instance that asks for no cores is an ordinary recording.
    if instances == 1 && arguments.cores_per_instance.is_none() {
        return Ok(None);
    }
    let each = arguments.cores_per_instance.unwrap_or(threads);
    if each < threads {
        return Err(PinError::TooFew { cores: each as usize, threads }.into());
    }
    let pin = arguments.pin.as_ref().unwrap_or(&Pin::Any);
    match pin.of_instances(instances, each) {
        Ok(cores) => Ok(Some(cores)),
        // Nobody asked for cores.
        Err(PinError::TooFewForAll { there, .. })
            if arguments.pin.is_none() && arguments.cores_per_instance.is_none() =>
        {
            message::note(format_args!(
                "{instances} instances of {} wait for each other on {}, and are bound to none",
                counted(threads.into(), "thread", "threads"),
                counted(there as u64, "core", "cores"),
            ));
            // Empty lists: still side by side, but bound to no core.
            Ok(Some(vec![Vec::new(); instances as usize]))
        }
        Err(PinError::Unsupported) if arguments.cores_per_instance.is_none() => {
            message::note("this system does not let a program choose its cores");
            Ok(Some(vec![Vec::new(); instances as usize]))
        }
        Err(error) => Err(error.into()),
    }
}

/// Records a model in as many processes as there are `cores`, side by side: their traces,
/// and how they ended.
pub(super) fn run(
    spec: &LaunchSpec,
    schedule: Schedule,
    cores: Vec<Vec<u32>>,
    stop: &Stop,
) -> anyhow::Result<(Vec<PathBuf>, Ended)> {
    // What the model is refused for is said once, and not by each of them.
    let progress = Progress::working("checking".to_string());
    let tried = processes::try_out(spec, stop);
    progress.clear();
    let Some(trial) = tried? else { return Ok((Vec::new(), Ended::Interrupted)) };
    let count = cores.len() as u32;
    check_memory_of_instances(&trial, count)?;
    // Exact: the number of launches is rounds times instances.
    let rounds = spec.options.launches.map(|launches| launches / count);
    let instances = Instances::plan(spec.clone(), schedule, cores)?;
    let progress = Progress::new();
    let command = processes::launch_command()?;
    let begun = Instant::now();
    let ended = instances.run(command, stop.asked(), |round, share| {
        let done = (f64::from(round) + share) / f64::from(rounds.unwrap_or(1).max(1));
        // Rounds take about equally long; before anything is done nothing can be extrapolated.
        let left = (done > 0.0).then(|| begun.elapsed().mul_f64((1.0 - done).max(0.0) / done));
        let round = match rounds {
            Some(1) => String::new(),
            rounds => format!("round {}: ", nth_launch(round, rounds)),
        };
        progress.show(format!("{round}{count} instances"), done, left);
    });
    progress.clear();
    let files = instances.traces();
    let ended = ended
        .inspect_err(|_| tell_kept(&files))
        .map_err(|error| anyhow!("cannot run the instances: {error}"))?;
    // Instances that an interrupt ended are not failures.
    if ended.interrupted {
        return Ok((files, Ended::Interrupted));
    }
    for failed in &ended.failed {
        tell_failed_instance(failed, count);
    }
    match ended.failed.as_slice() {
        [] => Ok((files, Ended::Done)),
        _ => Ok((files, Ended::Told)),
    }
}
