//! `onnxray mix`: which parts of two models that compute the same are faster, and together.

mod held_out;
mod measure;
mod names;
mod verify;

use super::journal::{begun, interrupted, journal, served, tell};
use super::search::Budget;
use crate::args::{Arguments, MixArguments};
use crate::commands::signals::Stop;
use crate::destination::Destination;
use crate::engine_process::{part, without_telemetry};
use crate::exit::Ended;
use crate::message;
use crate::output_files::OutputFiles;
use crate::progress::Progress;
use anyhow::bail;
use held_out::held_out;
use measure::Measuring;
use onnxray_analyzer::study::{Mixing, Tried};
use onnxray_format::MixRun;
use onnxray_recorder::engine::Engines;
use onnxray_recorder::experiment::Plan;
use onnxray_recorder::mix::{MixJournal, MixSpec, MixSurvey, MixWorker, mixed, serve_mix};
use onnxray_report::{MixResult, MixVerified, Pair};
use onnxray_text::shown;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use verify::verify;

/// `onnxray blend`: measures the mixes that its parent describes on standard input.
pub(crate) fn serve_described(engines: &dyn Engines) -> anyhow::Result<Ended> {
    served("measure", |from, to| serve_mix(engines, from, to))
}

pub(crate) fn run(arguments: MixArguments, engines: &dyn Engines) -> anyhow::Result<Ended> {
    let mut spec = arguments.spec().unwrap_or_else(|message| Arguments::refuse(&message));
    without_telemetry(&[&spec.a.engine])?;
    let files = [&arguments.a, &arguments.b].into_iter().chain(arguments.values.files());
    let (force, shown) = (arguments.force, &arguments.shown);
    let output = Destination::of(files.cloned(), force, &arguments.report, shown)?;
    let outputs = &output.files;
    check_output(&arguments.output, outputs)?;
    check_own(&arguments, outputs)?;
    output.check_several("--report")?;
    let stop = Stop::on_signals()?;
    let command = part("blend")?;
    let begun = begun(&arguments.out, || begin(&arguments, &mut spec, outputs, &command, &stop))?;
    let Some((survey, mut journal)) = begun else {
        message::line("interrupted; nothing was measured");
        return Ok(Ended::Interrupted);
    };
    tell(&journal, journal.trials().len());
    let worker = MixWorker { spec: &spec, command: &command, stop: stop.asked() };
    let options = arguments.options();
    let measuring = Measuring { worker: &worker, survey: &survey, options };
    // Launches have two mixes at least: what is tried, and what it is compared with.
    let budget = Budget::new(engines.clock(), arguments.time_limit, survey.memory, 2);
    let Some(mixing) = budget.search(&measuring, &mut journal)? else {
        return Ok(interrupted(&journal, journal.trials().len()));
    };
    // Half of it for A, half of it for B.
    let limit = budget.verification / 2;
    let run = Run { spec: &spec, survey: &survey, outputs, limit, stop: &stop };
    let Some(held_out) = held_out(&mixing, &worker, &survey, &mut journal)? else {
        return Ok(interrupted(&journal, journal.trials().len()));
    };
    let Some(verified) = run.verified(&mixing, &mut journal)? else {
        return Ok(interrupted(&journal, journal.trials().len()));
    };
    let [equals_a, equals_b] = survey.equal;
    let mut result = MixResult { mixing, held_out, verified, written: None, equals_a, equals_b };
    if let Some(mix) = result.recommended() {
        run.write(mix, &arguments)?;
        let name = arguments.output.file_name().unwrap_or(arguments.output.as_os_str());
        result.written = Some(name.to_string_lossy().into_owned());
    }
    report(&result, &arguments, &output)
}

/// Two models, and what is known of them.
struct Run<'a> {
    spec: &'a MixSpec,
    survey: &'a MixSurvey,
    outputs: &'a OutputFiles,
    /// For each comparison that verifies.
    limit: Duration,
    stop: &'a Stop,
}

impl Run<'_> {
    /// Verifies the best mix next to A and next to B; `Some(None)` if A or B itself is best or the
    /// search has not ended, `None` if interrupted.
    fn verified(
        &self,
        mixing: &Mixing,
        journal: &mut MixJournal,
    ) -> anyhow::Result<Option<Option<MixVerified>>> {
        let Some(best) = mixing.mixed() else { return Ok(Some(None)) };
        let file = journal.place().join(CANDIDATE);
        self.outputs.write_own(&file, &self.bytes(&best.changes, &file)?)?;
        let mut pairs = Vec::new();
        for with_b in [false, true] {
            let chosen = (best.changes.as_slice(), file.as_path());
            let Some(([base, mixed], comparison)) =
                verify(self.spec, self.survey, chosen, with_b, journal, self.limit, self.stop)?
            else {
                return Ok(None);
            };
            pairs.push(Pair { base, mixed, comparison });
        }
        let with_b = pairs.pop();
        Ok(Some(pairs.pop().zip(with_b).map(|(with_a, with_b)| MixVerified { with_a, with_b })))
    }

    /// Writes the mix, and which nodes of A it keeps.
    fn write(&self, mix: &Tried, arguments: &MixArguments) -> anyhow::Result<()> {
        let output = &arguments.output;
        let bytes = self.bytes(&mix.changes, output)?;
        self.outputs.write(output, |file| file.write_all(&bytes))?;
        self.outputs.written(output);
        let path = arguments.out.join(EXCLUDED);
        let changes = self.survey.run.changes.iter().zip(0..);
        // They are ascending.
        let kept = changes.filter(|(_, number)| mix.changes.binary_search(number).is_err());
        let nodes: BTreeSet<&str> =
            kept.flat_map(|(change, _)| &change.nodes_a).map(String::as_str).collect();
        let mut text = serde_json::to_vec_pretty(&nodes)?;
        text.push(b'\n');
        self.outputs.write_own(&path, &text)
    }

    /// The mix, for a file of that path.
    fn bytes(&self, from_b: &[u32], path: &Path) -> anyhow::Result<Vec<u8>> {
        let folder = path.parent().unwrap_or(Path::new(""));
        Ok(mixed(self.spec, &self.survey.types, from_b, folder)?)
    }
}

/// The mix that is verified, in the folder of the result.
const CANDIDATE: &str = "mixed.onnx";
/// The nodes of A that the mix keeps, in the folder of the result: what a quantizer is to leave.
const EXCLUDED: &str = "nodes_to_exclude.json";

fn report(
    result: &MixResult,
    arguments: &MixArguments,
    output: &Destination,
) -> anyhow::Result<Ended> {
    let most = arguments.rows.most(arguments.shown.format);
    output.deliver(result, &most)?;
    if result.verified.is_some() {
        let place = verify::FOLDERS[usize::from(result.mixing.is_b_better())];
        let [base, mixed] = verify::NAMES[usize::from(result.mixing.is_b_better())];
        let folder = arguments.out.join(place);
        let [base, mixed] =
            [base, mixed].map(|name| message::quoted(&folder.join(name)).to_string());
        message::hint(format_args!(
            "onnxray compare {base} {mixed} --expect-different model shows what changed"
        ));
    }
    Ok(Ended::Done)
}

/// Refuses a folder of the result in which files would be replaced that are another's.
fn check_own(arguments: &MixArguments, outputs: &OutputFiles) -> anyhow::Result<()> {
    let begun = MixRun::journal(&arguments.out).is_file();
    for name in [CANDIDATE, EXCLUDED] {
        let path = arguments.out.join(name);
        outputs.check_own(&path, begun)?;
        outputs.check_distinct(&path, &arguments.output)?;
    }
    outputs.check_own(&names::renamed(arguments), begun)
}

/// Refuses what could not be written in the end.
fn check_output(path: &Path, outputs: &OutputFiles) -> anyhow::Result<()> {
    if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("onnx")) {
        bail!("{}: expected a file name that ends in .onnx", shown(path));
    }
    outputs.check(path)
}

/// Surveys the models and opens the journal; `None` if interrupted.
fn begin(
    arguments: &MixArguments,
    spec: &mut MixSpec,
    outputs: &OutputFiles,
    command: &dyn Fn() -> Command,
    stop: &Stop,
) -> anyhow::Result<Option<(MixSurvey, MixJournal)>> {
    let progress = Progress::working("comparing both models".to_string());
    let surveyed = names::survey(arguments, spec, outputs, |spec| {
        Ok(MixWorker { spec, command, stop: stop.asked() }.survey()?)
    });
    progress.clear();
    let Some(survey) = surveyed? else { return Ok(None) };
    let journal = journal(&arguments.out, &survey.run, arguments.restart)?;
    Ok(Some((survey, journal)))
}
