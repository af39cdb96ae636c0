//! Measures what is not known yet, in processes of this program, and keeps it.

use crate::args::LossArguments;
use crate::commands::signals::Stop;
use crate::engine_process::part;
use crate::message;
use crate::progress::Progress;
use anyhow::anyhow;
use onnxray_format::{DenseLoss, LossRun, Measured, counted, shown};
use onnxray_recorder::sensitivity::{
    Journal, NotMeasured, Pruning, SensitivitySpec, Workers, journal_path, measure_all,
};
use std::path::Path;
use std::thread::available_parallelism;

/// What came of it.
pub(super) enum Progressed {
    /// It was ended; the journal has what was measured until then.
    Interrupted,
    Measured(Box<AllMeasured>),
}

/// All that was to be measured.
pub(super) struct AllMeasured {
    pub(super) run: LossRun,
    pub(super) dense: DenseLoss,
    /// In the order of the prunings.
    pub(super) results: Vec<Measured>,
    pub(super) journal: Option<Journal>,
}

/// Measures all prunings, but those that the journal beside `result` knows.
pub(super) fn measure(
    spec: &SensitivitySpec,
    levels: &[f64],
    prunings: &[Pruning],
    result: Option<&Path>,
    arguments: &LossArguments,
    stop: &Stop,
) -> anyhow::Result<Progressed> {
    let command = part("prune")?;
    let progress = Progress::new();
    progress.show("running the model as it is".to_string(), 0.0);
    let workers = match Workers::start(spec, &command, stop.asked()) {
        Err(NotMeasured::Interrupted) => return Ok(Progressed::Interrupted),
        workers => workers?,
    };
    let run = LossRun { levels: levels.to_vec(), ..workers.dense.run.clone() };
    let dense = workers.dense.dense.clone();
    let mut journal = match result.map(journal_path) {
        Some(path) => Some(Journal::open(&path, &run, arguments.force.force)?),
        None => None,
    };
    let known = |pruning: &Pruning| journal.as_ref()?.known(pruning).cloned();
    let mut results: Vec<Option<Measured>> = prunings.iter().map(known).collect();
    if let Some(journal) = &journal {
        tell(journal, results.iter().flatten().count(), prunings.len());
    }
    let open: Vec<usize> = (0..prunings.len()).filter(|&at| results[at].is_none()).collect();
    let left: Vec<Pruning> = open.iter().map(|&at| prunings[at].clone()).collect();
    let cores = available_parallelism().map_or(1, |cores| cores.get());
    let jobs = arguments.jobs.map_or(cores, |jobs| jobs as usize);
    let mut done = prunings.len() - left.len();
    let ended = measure_all(workers, &left, jobs, stop.asked(), |number, measured| {
        if let Some(journal) = &mut journal {
            journal.keep(&left[number], &measured)?;
        }
        done += 1;
        let name = left[number].first().map_or("", |(weight, _)| weight.as_str());
        progress.show(onnxray_format::printable(name), done as f64 / prunings.len() as f64);
        results[open[number]] = Some(measured);
        Ok(())
    });
    progress.clear();
    let path = journal.as_ref().map(Journal::path);
    match ended {
        Err(NotMeasured::Interrupted) => {
            match path {
                Some(path) => message::line(format_args!(
                    "interrupted: {done} of {} are kept in {}; the same command goes on",
                    counted(prunings.len() as u64, "result", "results"),
                    shown(path)
                )),
                None => message::line("interrupted: nothing is kept; with --save it would be"),
            }
            return Ok(Progressed::Interrupted);
        }
        Err(error) => {
            let kept = path.map(|path| {
                format!(
                    "\nhint: {done} results are kept in {}; the same command goes on",
                    shown(path)
                )
            });
            return Err(anyhow!("{error}{}", kept.unwrap_or_default()));
        }
        Ok(()) => {}
    }
    let results = results.into_iter().map(Option::unwrap_or_default).collect();
    Ok(Progressed::Measured(Box::new(AllMeasured { run, dense, results, journal })))
}

/// Says what a journal has.
fn tell(journal: &Journal, known: usize, all: usize) {
    if journal.replaced {
        message::note(format_args!("{}: belonged to another run; replaced", shown(journal.path())));
    }
    if journal.damaged > 0 {
        message::warning(format_args!(
            "{}: {} cannot be read and are measured again",
            shown(journal.path()),
            counted(journal.damaged as u64, "line", "lines")
        ));
    }
    if known > 0 {
        message::note(format_args!(
            "{known} of {all} results are known from {}",
            shown(journal.path())
        ));
    }
}
