//! `onnxray tune`: which changes of the runtime make a model faster, one at a time.

mod measure;

use super::journal::{begun, journal};
use super::own_report::{is_own, note};
use super::search::Budget;
use super::steps::{Outcome, outcome};
use crate::args::TuneArguments;
use crate::commands::signals::Stop;
use crate::destination::Destination;
use crate::engine_process::{without_telemetry, worker};
use crate::exit::Ended;
use crate::message;
use crate::progress::Progress;
use anyhow::bail;
use measure::{FOLDERS, Measuring};
use onnxray_analyzer::study::{Study, Tuning};
use onnxray_format::{RuntimeChange, TuneRun};
use onnxray_recorder::engine::Engines;
use onnxray_recorder::study::Worker;
use onnxray_recorder::study::costs::CostTurns;
use onnxray_recorder::study::tune::{Survey, TuneJournal, candidates};
use onnxray_report::TuneResult;
use onnxray_text::{counted, printable, shown};
use std::cell::OnceCell;
use std::path::Path;

pub(crate) fn run(arguments: TuneArguments, engines: &dyn Engines) -> anyhow::Result<Ended> {
    let base = arguments.base();
    without_telemetry(&[&base.engine])?;
    let files = [&arguments.model.model].into_iter().chain(arguments.values.files());
    let report = &arguments.report;
    let (to, force, is_own) =
        (&report.output, report.force, |path: &Path| is_own(&arguments.out, path));
    let output = Destination::continued(files.cloned(), force, to, &arguments.shown, is_own)?;
    output.check_several("-o")?;
    output.check_columns("tune")?;
    let stop = Stop::on_signals()?;
    let command = worker()?;
    let worker = Worker { spec: &base, command: &command, stop: stop.asked() };
    let begun = begun(&arguments.out, || begin(&arguments, &worker))?;
    let Some((survey, mut journal)) = begun else {
        message::line("interrupted; nothing was measured");
        return Ok(Ended::Interrupted);
    };
    let measuring = Measuring {
        base: &base,
        survey: &survey,
        options: arguments.options(survey.run.has_starts()),
        turns: CostTurns { pace: arguments.pace(), command: &command, stop: stop.asked() },
        ready: OnceCell::new(),
    };
    let budget = Budget::new(engines.clock(), arguments.run.time_limit, survey.memory);
    let Some(outcome) = outcome(&measuring, &worker, &budget, &mut journal, &stop)? else {
        return Ok(Ended::Interrupted);
    };
    let Outcome { found: tuning, held_out, verified } = outcome;
    let held_out = held_out.into_iter().next().map(|own| own.distances);
    let verified = verified.into_iter().next();
    write(TuneResult { tuning, held_out, verified }, &arguments, &output)
}

/// Surveys the model and opens the journal; `None` if interrupted.
fn begin(
    arguments: &TuneArguments,
    worker: &Worker<TuneRun>,
) -> anyhow::Result<Option<(Survey, TuneJournal)>> {
    let progress = Progress::working("checking".to_string());
    let surveyed = worker.survey();
    progress.clear();
    let Some(mut survey) = surveyed? else { return Ok(None) };
    survey.run.objectives = arguments.objectives();
    survey.run.rate = arguments.rate();
    survey.run.changes = candidates(&survey, worker.spec, &arguments.kinds(), &arguments.config);
    if survey.run.changes.is_empty() {
        bail!(
            "{}: nothing to try: none of {} of {} {} changes this model",
            shown(&arguments.model.model),
            counted(survey.run.idle_optimizers, "graph optimizer", "graph optimizers"),
            printable(&survey.run.setup.engine),
            printable(&survey.run.setup.engine_version),
        );
    }
    let journal = journal(&arguments.out, &survey.run, arguments.run.restart)?;
    Ok(Some((survey, journal)))
}

fn write(
    result: TuneResult,
    arguments: &TuneArguments,
    output: &Destination,
) -> anyhow::Result<Ended> {
    let most = arguments.rows.most(arguments.shown.format);
    let delivered = output.deliver(&result, &most);
    note(&arguments.out, &arguments.report.output, &output.files);
    delivered?;
    hint(&result.tuning, result.verified.is_some(), &arguments.out);
    Ok(Ended::Done)
}

/// Suggests the comparison that shows what changed.
fn hint(tuning: &Tuning, is_verified: bool, folder: &Path) {
    let Some(best) = tuning.best.as_ref().filter(|_| is_verified) else { return };
    let changes = tuning.run.named(&best.changes);
    let is_of_threads = |change: &RuntimeChange| matches!(change, RuntimeChange::Threads(_));
    let fields = [
        // Without these, `compare` would call the recordings not comparable.
        ("engine_options", changes.iter().any(|change| !is_of_threads(change))),
        ("threads", changes.iter().any(is_of_threads)),
    ];
    let fields = fields.into_iter().filter(|(_, differ)| *differ).map(|(field, _)| field);
    let [base, tuned] = FOLDERS.map(|name| message::quoted(&folder.join(name)).to_string());
    message::hint(format_args!(
        "onnxray compare {base} {tuned} --expect-different {} shows what changed",
        fields.collect::<Vec<_>>().join(",")
    ));
}
