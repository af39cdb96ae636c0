//! A judgement that is measured, or goes on.

use super::bundle;
use super::told::{ended, result};
use crate::args::{Arguments, JudgeArguments};
use crate::commands::find_models;
use crate::commands::studies::own_report::{is_own, note};
use crate::destination::Destination;
use crate::engine_process::without_telemetry;
use crate::exit::Ended;
use crate::message;
use crate::study_host::Program;
use onnxray_format::{JudgeRun, JudgeSide, ModelFile};
use onnxray_recorder::engine::Engines;
use onnxray_recorder::study::costs::CostTurns;
use onnxray_recorder::study::judge::{JudgeJournal, JudgeSurvey};
use onnxray_recorder::study::{Journal, Worker};
use onnxray_report::JudgeResult;
use onnxray_study::journal::{begun, make_folder};
use onnxray_study::judge::Candidate;
use onnxray_study::{Budget, Host, Starts, outcome};
use std::path::Path;

/// A word said later than this share of the time limit has no time left to record what differs.
const WORD: f64 = 0.6;

/// Measures both; `first` is what is to be confirmed.
pub(super) fn measured(
    arguments: &JudgeArguments,
    engines: &dyn Engines,
    first: Option<JudgeResult>,
) -> anyhow::Result<Ended> {
    let spec = arguments.spec().unwrap_or_else(|message| Arguments::refuse(&message));
    without_telemetry(&[&spec.a.engine, &spec.b.engine])?;
    let models = [Some(&arguments.baseline), arguments.candidate.as_ref()].into_iter().flatten();
    let files = models.chain(arguments.values.files()).cloned();
    let (to, shown) = (&arguments.report, &arguments.shown);
    let is_own = |path: &Path| is_own(&arguments.out, path);
    let output = Destination::continued(files, to.force, &to.output, shown, is_own)?;
    output.check_several("-o")?;
    output.check_columns("judge")?;
    bundle::check(arguments, &output)?;
    find_models([Path::new(&spec.a.model), Path::new(&spec.b.model)])?;
    let program = Program::on_signals()?;
    let host = program.host(engines.clock());
    let worker = Worker { spec: &spec, command: host.worker, stop: host.stop };
    let started = host.clock.now();
    let begun = begun(&arguments.out, || begin(arguments, &worker, &host))?;
    let Some((survey, journal)) = begun else {
        message::line("interrupted; nothing was measured");
        return Ok(Ended::Interrupted);
    };
    if survey.run.as_ref().is_ok_and(is_one) {
        message::note(
            "A and B are the same bytes with the same options: what differs is noise, and how many \
             launches show that it is little depends on the machine alone",
        );
    }
    let (mut journal, mut verified, mut launches) = (journal, None, 0);
    if let (Ok(run), Some(journal)) = (&survey.run, &mut journal) {
        if let Some(before) = first.as_ref().and_then(JudgeResult::measured) {
            bundle::check_models(&before.run, run)?;
        }
        let known = journal.trials().len();
        let limit = arguments.run.time_limit;
        let turns = CostTurns { pace: None, command: host.worker, stop: host.stop };
        let measuring = Candidate {
            run,
            spec: &spec,
            options: arguments.options(),
            starts: Starts::new(turns, &spec.a),
            has_time: &|| host.clock.since(started) < limit.mul_f64(WORD),
        };
        let budget = Budget::new(limit, survey.memory);
        let outcome = outcome(&measuring, &worker, budget, journal, &host)?;
        let Some(outcome) = outcome else { return Ok(Ended::Interrupted) };
        verified = outcome.verified.into_iter().next();
        launches = journal.trials().len() - known;
    }
    let found = match (&survey.run, &journal) {
        (Ok(run), Some(journal)) => Ok((run, journal)),
        (Ok(_), None) => unreachable!("a journal is begun for what can be compared"),
        (Err(why), _) => Err(why.clone()),
    };
    let spent = host.clock.since(started);
    let result = JudgeResult { verified, ..result(arguments, found, spent, launches) };
    let result = match first {
        Some(first) => JudgeResult { first: Some(first.word()), names: first.names, ..result },
        None => result,
    };
    if let Some(path) = &arguments.bundle {
        bundle::write(path, arguments, &result, journal.as_ref(), &output.files)?;
    }
    let delivered = output.deliver(&result, &arguments.rows.most(shown.format));
    note(&arguments.out, &arguments.report.output, &output.files);
    delivered?;
    Ok(ended(&result))
}

/// Whether both are one model, by its bytes, that runs with one set of options.
fn is_one(run: &JudgeRun) -> bool {
    let named = |side: &JudgeSide| JudgeSide {
        file: ModelFile { model: String::new(), ..side.file.clone() },
        ..side.clone()
    };
    run.baseline.file.model_sha256.is_some() && named(&run.baseline) == named(&run.candidate)
}

/// Surveys both, and opens the journal if they can be compared; `None` if interrupted.
fn begin(
    arguments: &JudgeArguments,
    worker: &Worker<JudgeRun>,
    host: &Host,
) -> anyhow::Result<Option<(JudgeSurvey, Option<JudgeJournal>)>> {
    host.teller.working("checking both".to_string());
    let surveyed = worker.survey();
    host.teller.clear();
    let Some(mut survey) = surveyed? else { return Ok(None) };
    let Ok(run) = &mut survey.run else { return Ok(Some((survey, None))) };
    run.has_control = !arguments.no_control;
    make_folder(&arguments.out)?;
    // That of another candidate says nothing of this one.
    let mut journal = Journal::resume(&arguments.out, run, true)?;
    if arguments.run.restart {
        journal.begin(run.clone())?;
    }
    Ok(Some((survey, Some(journal))))
}
