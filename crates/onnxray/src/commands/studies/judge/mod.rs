//! `onnxray judge`: one word on a candidate, that a job or an assistant can act on.

mod measure;
mod recorded;

use super::journal::begun;
use super::own_report::{is_own, note};
use super::search::Budget;
use super::steps::outcome;
use crate::args::{Arguments, JudgeArguments};
use crate::commands::signals::Stop;
use crate::destination::Destination;
use crate::engine_process::{without_telemetry, worker};
use crate::exit::Ended;
use crate::message;
use crate::output_files::make_folder;
use crate::progress::Progress;
use measure::Measuring;
use onnxray_analyzer::study::Word;
use onnxray_format::JudgeRun;
use onnxray_recorder::engine::Engines;
use onnxray_recorder::study::judge::{JudgeJournal, JudgeSurvey};
use onnxray_recorder::study::{Journal, Worker};
use onnxray_report::{Evidence, JudgeResult};
use onnxray_text::shell_word;
use std::env;
use std::path::Path;
use std::time::Duration;

pub(crate) fn run(arguments: JudgeArguments, engines: &dyn Engines) -> anyhow::Result<Ended> {
    if let Some(words) = arguments.recordings() {
        return recorded::run(&arguments, words);
    }
    let spec = arguments.spec().unwrap_or_else(|message| Arguments::refuse(&message));
    without_telemetry(&[&spec.a.engine, &spec.b.engine])?;
    let models = [Some(&arguments.baseline), arguments.candidate.as_ref()].into_iter().flatten();
    let files = models.chain(arguments.values.files()).cloned();
    let (to, shown) = (&arguments.report, &arguments.shown);
    let is_own = |path: &Path| is_own(&arguments.out, path);
    let output = Destination::continued(files, to.force, &to.output, shown, is_own)?;
    output.check_several("-o")?;
    output.check_columns("judge")?;
    let stop = Stop::on_signals()?;
    let command = worker()?;
    let worker = Worker { spec: &spec, command: &command, stop: stop.asked() };
    let started = engines.clock().now();
    let begun = begun(&arguments.out, || begin(&arguments, &worker))?;
    let Some((survey, journal)) = begun else {
        message::line("interrupted; nothing was measured");
        return Ok(Ended::Interrupted);
    };
    let (mut held_out, mut launches) = (None, 0);
    let judgement = match (survey.run, journal) {
        (Ok(run), Some(mut journal)) => {
            let known = journal.trials().len();
            let measuring = Measuring { run: &run, options: arguments.options() };
            let budget = Budget::new(engines.clock(), arguments.run.time_limit, survey.memory);
            let outcome = outcome(&measuring, &worker, &budget, &mut journal, &stop)?;
            let Some(outcome) = outcome else { return Ok(Ended::Interrupted) };
            let distances = outcome.held_out.into_iter().flat_map(|own| own.distances);
            held_out = distances.reduce(f64::max);
            launches = journal.trials().len() - known;
            Ok(Evidence::Measured(outcome.found))
        }
        (Err(why), _) => Err(why),
        (Ok(_), None) => unreachable!("a journal is begun for what can be compared"),
    };
    let result = JudgeResult {
        judgement,
        held_out,
        names: arguments.names(),
        expected: arguments.expect,
        spent: Duration::from_nanos((engines.clock().now() - started).0),
        launches,
        command: repeated(),
    };
    let delivered = output.deliver(&result, &None);
    note(&arguments.out, &arguments.report.output, &output.files);
    delivered?;
    Ok(ended(&result))
}

/// The code that says the word.
fn ended(result: &JudgeResult) -> Ended {
    // It has no word, and the report says why.
    if result.failed().is_some() {
        return Ended::Told;
    }
    match (result.word(), result.passed()) {
        (_, Some(true)) => Ended::Done,
        (_, Some(false)) => Ended::Failed,
        (Some(Word::Different), None) => Ended::Different,
        (Some(Word::Harness), None) => Ended::Harness,
        (Some(_), None) => Ended::Inconclusive,
        (None, None) => Ended::NotComparable,
    }
}

/// Surveys both, and opens the journal if they can be compared; `None` if interrupted.
fn begin(
    arguments: &JudgeArguments,
    worker: &Worker<JudgeRun>,
) -> anyhow::Result<Option<(JudgeSurvey, Option<JudgeJournal>)>> {
    let progress = Progress::working("checking both".to_string());
    let surveyed = worker.survey();
    progress.clear();
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

/// The command line, for a shell.
fn repeated() -> String {
    let words = env::args_os().skip(1);
    let words = words.map(|word| shell_word(word.as_encoded_bytes()));
    std::iter::once("onnxray".to_string()).chain(words).collect::<Vec<_>>().join(" ")
}
