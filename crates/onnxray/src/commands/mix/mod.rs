//! `onnxray mix`: which parts of two models that compute the same are faster, and together.

mod measure;
mod verify;

use super::signals::Stop;
use super::warn_of_damage;
use crate::args::{Arguments, Format, MixArguments};
use crate::destination::Destination;
use crate::engine_process::{end_with_parent, part, without_telemetry};
use crate::exit::Ended;
use crate::message;
use crate::output_files::OutputFiles;
use crate::progress::Progress;
use anyhow::{anyhow, bail};
use measure::{Measuring, launches};
use onnxray_analyzer::mix::{MixStep, Mixing};
use onnxray_format::{counted, shown};
use onnxray_recorder::engine::Engines;
use onnxray_recorder::mix::{MixJournal, MixSpec, MixSurvey, MixWorker, mixed, serve_mix};
use std::fs;
use std::io;
use std::path::Path;
use verify::verify;

/// `onnxray blend`: measures the mixes that standard input describes, for the process that
/// started this one.
pub(crate) fn serve_described(engines: &dyn Engines) -> anyhow::Result<Ended> {
    // Ctrl-C in a terminal is for the process that started this one, which ends it.
    let _stop = Stop::on_signals()?;
    end_with_parent();
    match serve_mix(engines, io::stdin().lock(), io::stdout()) {
        // Nobody waits for the answer.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Ended::Done),
        Err(error) => Err(anyhow!("standard input describes nothing to measure: {error}")),
        Ok(()) => Ok(Ended::Done),
    }
}

pub(crate) fn run(arguments: MixArguments, engines: &dyn Engines) -> anyhow::Result<Ended> {
    let spec = arguments.spec().unwrap_or_else(|message| Arguments::refuse(&message));
    without_telemetry(&[&spec.a.engine])?;
    let files = [&arguments.a, &arguments.b].into_iter().chain(arguments.values.files());
    let outputs = OutputFiles::new(files.cloned(), arguments.force);
    check_output(&arguments.output, &outputs)?;
    let output = Destination::of(&arguments.report, arguments.shown.format, &outputs)?;
    if arguments.shown.format == Format::Csv && !matches!(output, Destination::Tables(..)) {
        bail!(
            "CSV has one table, and this report has several\n\
             hint: --report FOLDER writes each into a file of its own"
        );
    }
    let stop = Stop::on_signals()?;
    let command = part("blend")?;
    let worker = MixWorker { spec: &spec, command: &command, stop: stop.asked() };
    let missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    let made: Vec<&Path> = arguments.out.ancestors().take_while(missing).collect();
    let begun = begin(&arguments, &worker);
    if !matches!(begun, Ok(Some(_))) {
        for folder in made {
            let _ = fs::remove_dir(folder); // fails if it holds something
        }
    }
    let Some((survey, mut journal)) = begun? else {
        message::line("interrupted; nothing was measured");
        return Ok(Ended::Interrupted);
    };
    tell(&journal);
    let measuring = Measuring::new(&worker, &survey, &arguments, engines.clock());
    let Some(mixing) = measuring.run(&mut journal)? else { return Ok(interrupted(&journal)) };
    println!("{mixing:#?}");
    Ok(Ended::Done)
}

/// Refuses what could not be written in the end.
fn check_output(path: &Path, outputs: &OutputFiles) -> anyhow::Result<()> {
    if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("onnx")) {
        bail!("{}: expected a file name that ends in .onnx", shown(path));
    }
    outputs.check(path)
}

/// What is known of the models, and the journal of what is measured of them; `None` if it was
/// interrupted.
fn begin(
    arguments: &MixArguments,
    worker: &MixWorker,
) -> anyhow::Result<Option<(MixSurvey, MixJournal)>> {
    let progress = Progress::working("comparing both models".to_string());
    let surveyed = worker.survey();
    progress.clear();
    let Some(survey) = surveyed? else { return Ok(None) };
    let folder = &arguments.out;
    fs::create_dir_all(folder).map_err(|error| anyhow!("{}: {error}", shown(folder)))?;
    let journal = match arguments.restart {
        true => {
            let mut journal = MixJournal::anew(folder)?;
            journal.begin(survey.run.clone())?;
            journal
        }
        false => MixJournal::resume(folder, &survey.run, false)?,
    };
    Ok(Some((survey, journal)))
}

/// Says what the journal has.
fn tell(journal: &MixJournal) {
    let path = journal.path();
    warn_of_damage(&path, journal.damaged());
    let known = launches(journal).len();
    if known > 0 {
        message::note(format_args!(
            "{} known from {}; --restart measures anew",
            counted(known as u64, "launch is", "launches are"),
            shown(&path)
        ));
    }
}

fn interrupted(journal: &MixJournal) -> Ended {
    message::line(format_args!(
        "interrupted: {} kept in {}; the same command goes on",
        counted(launches(journal).len() as u64, "launch is", "launches are"),
        shown(&journal.path())
    ));
    Ended::Interrupted
}
