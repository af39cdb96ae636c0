//! `onnxray mix`: which parts of two models that compute the same are faster, and together.

use super::own_report::{is_own, note};
use crate::args::{Arguments, MixArguments};
use crate::commands::find_models;
use crate::destination::Destination;
use crate::engine_process::without_telemetry;
use crate::exit::Ended;
use crate::message;
use crate::output_files::OutputFiles;
use crate::study_host::Program;
use onnxray_analyzer::study::{HeldOut, Tried};
use onnxray_format::MixRun;
use onnxray_recorder::engine::Engines;
use onnxray_recorder::study::mix::{MixJournal, MixSpec, MixSurvey};
use onnxray_recorder::study::{Plan, Worker};
use onnxray_report::{MixResult, MixVerified};
use onnxray_study::journal::{begun, journal};
use onnxray_study::mix::{CANDIDATE, FOLDERS, Mixed, NAMES, bytes, renamed, survey};
use onnxray_study::{Budget, Host, Outcome, outcome};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

pub(crate) fn run(arguments: MixArguments, engines: &dyn Engines) -> anyhow::Result<Ended> {
    let mut spec = arguments.spec().unwrap_or_else(|message| Arguments::refuse(&message));
    without_telemetry(&[&spec.a.engine])?;
    let files = [&arguments.a, &arguments.b].into_iter().chain(arguments.values.files());
    let mixed = arguments.mixed().unwrap_or_else(|message| Arguments::refuse(&message));
    let (to, shown) = (&arguments.report, &arguments.shown);
    let is_own = |path: &Path| is_own(&arguments.out, path);
    let output = Destination::continued(files.cloned(), to.force, &to.output, shown, is_own)?;
    output.check_columns("mix")?;
    let outputs = &output.files;
    outputs.check_model(mixed)?;
    check_own(&arguments, mixed, outputs)?;
    output.check_several("-o")?;
    find_models([Path::new(&spec.a.model), Path::new(&spec.b)])?;
    let program = Program::on_signals()?;
    let host = program.host(engines.clock());
    let begun = begun(&arguments.out, || begin(&arguments, &mut spec, outputs, &host))?;
    let Some((survey, mut journal)) = begun else {
        message::line("interrupted; nothing was measured");
        return Ok(Ended::Interrupted);
    };
    spec.types = survey.types.clone();
    let worker = Worker { spec: &spec, command: host.worker, stop: host.stop };
    let (options, costs) = (arguments.options(), arguments.costs());
    let write_own = |path: &Path, bytes: &[u8]| outputs.write_own(path, bytes);
    let measuring = Mixed { spec: &spec, survey: &survey, options, costs, write: &write_own };
    let budget = Budget::new(arguments.run.time_limit, survey.memory);
    let Some(outcome) = outcome(&measuring, &worker, budget, &mut journal, &host)? else {
        return Ok(Ended::Interrupted);
    };
    let Outcome { found: mixing, held_out, verified } = outcome;
    let held_out =
        held_out.split_first().and_then(|(mix, others)| HeldOut::of(mix, others.first()));
    let mut pairs = verified.into_iter();
    let verified = pairs.next().zip(pairs.next());
    let verified = verified.map(|(with_a, with_b)| MixVerified { with_a, with_b });
    let [equals_a, equals_b] = survey.equal;
    let mut result = MixResult { mixing, held_out, verified, written: None, equals_a, equals_b };
    if let Some(mix) = result.recommended() {
        write(&spec, mix, &survey, [mixed, &arguments.out], outputs)?;
        let name = mixed.file_name().unwrap_or(mixed.as_os_str());
        result.written = Some(name.to_string_lossy().into_owned());
    }
    report(&result, &arguments, &output)
}

/// Writes the mix, and into the folder of the result, which nodes of A it keeps.
fn write(
    spec: &MixSpec,
    mix: &Tried,
    survey: &MixSurvey,
    [output, folder]: [&Path; 2],
    outputs: &OutputFiles,
) -> anyhow::Result<()> {
    let mixed = bytes(spec, &mix.changes, output)?;
    outputs.write(output, |file| file.write_all(&mixed))?;
    outputs.written(output);
    let path = folder.join(EXCLUDED);
    let changes = survey.run.changes.iter().zip(0..);
    // They are ascending.
    let kept = changes.filter(|(_, number)| mix.changes.binary_search(number).is_err());
    let nodes: BTreeSet<&str> =
        kept.flat_map(|(change, _)| &change.nodes_a).map(String::as_str).collect();
    let mut text = serde_json::to_vec_pretty(&nodes)?;
    text.push(b'\n');
    outputs.write_own(&path, &text)
}

/// The nodes of A that the mix keeps, in the folder of the result: what a quantizer is to leave.
const EXCLUDED: &str = "nodes_to_exclude.json";

fn report(
    result: &MixResult,
    arguments: &MixArguments,
    output: &Destination,
) -> anyhow::Result<Ended> {
    let most = arguments.rows.most(arguments.shown.format);
    let delivered = output.deliver(result, &most);
    note(&arguments.out, &arguments.report.output, &output.files);
    delivered?;
    if result.verified.is_some() {
        let place = FOLDERS[usize::from(result.mixing.is_b_better())];
        let [base, mixed] = NAMES[usize::from(result.mixing.is_b_better())];
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
fn check_own(arguments: &MixArguments, mixed: &Path, outputs: &OutputFiles) -> anyhow::Result<()> {
    let begun = MixRun::journal(&arguments.out).is_file();
    for name in [CANDIDATE, EXCLUDED] {
        let path = arguments.out.join(name);
        outputs.check_own(&path, begun)?;
        outputs.check_distinct(&path, mixed)?;
    }
    outputs.check_own(&renamed(&arguments.b, &arguments.out), begun)
}

/// Surveys the models and opens the journal; `None` if interrupted.
fn begin(
    arguments: &MixArguments,
    spec: &mut MixSpec,
    outputs: &OutputFiles,
    host: &Host,
) -> anyhow::Result<Option<(MixSurvey, MixJournal)>> {
    host.teller.working("comparing both models".to_string());
    let write = |path: &Path, bytes: &[u8]| outputs.write_own(path, bytes);
    let surveyed = survey(spec, &arguments.out, &write, host);
    host.teller.clear();
    let Some(survey) = surveyed? else { return Ok(None) };
    let journal = journal(&arguments.out, &survey.run, arguments.run.restart)?;
    Ok(Some((survey, journal)))
}
