//! `onnxray loss`: what pruning costs a model's outputs, layer by layer.

mod measure;
mod plan;
pub(super) mod profile;

use crate::args::{Arguments, Format, LossArguments};
use crate::commands::signals::Stop;
use crate::destination::Destination;
use crate::engine_process::{end_with_parent, without_telemetry};
use crate::exit::Ended;
use crate::message;
use crate::output_files::{OutputFiles, ReportFile};
use anyhow::{anyhow, bail};
use measure::{Progressed, measure};
use onnxray_analyzer::first_of;
use onnxray_failsafe::{OutputFile, WholeFile};
use onnxray_format::{LOSS_FORMAT, LOSS_VERSION, LossLayer, LossProfile, printable, shown};
use onnxray_recorder::engine::Engines;
use onnxray_recorder::sensitivity::{
    DataFiles, Layers, Pruning, SensitivitySpec, data_files, journal_path, serve,
};
use onnxray_report::{loss_notes, loss_page, loss_report, write_loss};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// `onnxray prune`: prunes and runs the model that standard input describes, for the process
/// that started this one.
pub(crate) fn serve_described(engines: &dyn Engines) -> anyhow::Result<Ended> {
    // Ctrl-C in a terminal is for the process that started this one, which ends it.
    let _stop = Stop::on_signals()?;
    end_with_parent();
    match serve(engines, io::stdin().lock(), io::stdout()) {
        // Nobody waits for the answer.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Ended::Done),
        Err(error) => Err(anyhow!("standard input describes nothing to prune: {error}")),
        Ok(()) => Ok(Ended::Done),
    }
}

pub(crate) fn run(arguments: LossArguments) -> anyhow::Result<Ended> {
    let engine = arguments.engine.spec(false).unwrap_or_else(|message| Arguments::refuse(&message));
    without_telemetry(&[&engine])?;
    let model = &arguments.model.model;
    let batches = match &arguments.data {
        Some(path) => data_files(path)?,
        None => Vec::new(),
    };
    let files = [model].into_iter().chain(&batches).chain(&arguments.labels);
    let outputs = OutputFiles::new(files.chain(&arguments.plan).cloned(), arguments.force);
    let output = Destination::of(&arguments.output, arguments.shown.format, &outputs)?;
    if arguments.shown.format == Format::Csv && !matches!(output, Destination::Tables(..)) {
        bail!(
            "CSV has one table, and this report has several\n\
             hint: -o FOLDER writes each into a file of its own"
        );
    }
    if let Some(path) = &arguments.save {
        outputs.check_json(path)?;
        if let Some(other) = &arguments.output {
            outputs.check_distinct(other, path)?;
        }
    }
    let mut levels = arguments.levels.clone();
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    let targets = arguments.plan.as_deref();
    let targets = targets.map(|path| plan::read(path, arguments.block)).transpose()?;
    let mut layers = Layers::read(model, arguments.block, &levels)?.layers;
    // A plan is of all layers, also where few are pruned by themselves.
    let all = layers.clone();
    check(&mut layers, &arguments)?;
    let plan = targets.map(|targets| plan::pruning(&all, &targets)).transpose()?;
    let spec = SensitivitySpec {
        engine,
        model: model.into(),
        dimensions: arguments.model.sizes.given(),
        data: DataFiles {
            batches: batches.into_iter().map(PathBuf::into_os_string).collect(),
            labels: arguments.labels.clone().map(PathBuf::into_os_string),
        },
        seed: arguments.seed,
        block: arguments.block,
        measure: arguments.measure,
    };
    let prunings = prunings(&layers, plan.as_ref());
    let result = arguments.save.clone().or_else(|| result(&output));
    if let Some(result) = &result {
        outputs.check_input(&journal_path(result))?;
    }
    let folder = result.as_deref().and_then(Path::parent);
    if let Some(folder) = folder.filter(|folder| !folder.as_os_str().is_empty()) {
        // That of tables may not be there yet, and the journal lies in it.
        fs::create_dir_all(folder).map_err(|error| anyhow!("{}: {error}", shown(folder)))?;
    }
    let stop = Stop::on_signals()?;
    let measured = match measure(&spec, &levels, &prunings, result.as_deref(), &arguments, &stop)? {
        Progressed::Interrupted => return Ok(Ended::Interrupted),
        Progressed::Measured(measured) => measured,
    };
    let mut results = measured.results.into_iter();
    for point in layers.iter_mut().flat_map(|layer| &mut layer.points) {
        point.measured = results.next().unwrap_or_default();
    }
    let mut profile = LossProfile {
        format: LOSS_FORMAT.to_string(),
        version: LOSS_VERSION,
        producer: format!("onnxray {}", env!("CARGO_PKG_VERSION")),
        run: measured.run,
        dense: measured.dense,
        plan: None,
        notes: Vec::new(),
        layers,
    };
    profile.plan = plan.zip(results.next()).map(|(plan, result)| plan.measured(&profile, result));
    profile.notes = loss_notes(&profile);
    if let Some(path) = &arguments.save {
        write(&profile, outputs.file(path)).map_err(|error| anyhow!("{}: {error}", shown(path)))?;
    }
    if let Some(file) = output.report() {
        file.write(&outputs, |file| write_loss(&profile, file), || loss_page(&profile))?;
    }
    let report = loss_report(&profile, arguments.rows.most(arguments.shown.format));
    let written = output.write(report, &arguments.shown, "");
    // On standard output it is no result that the journal stands beside.
    let is_result = arguments.save.is_none() && matches!(output, Destination::Tables(..));
    if let Some(journal) = measured.journal.filter(|_| written.is_ok() || !is_result) {
        journal.remove();
    }
    written?;
    let file = output.report().map(ReportFile::path);
    for path in arguments.save.as_deref().into_iter().chain(file) {
        message::line(format_args!("wrote {}", shown(path)));
    }
    Ok(ended(&profile))
}

/// What the journal stands beside where no profile is saved.
fn result(output: &Destination) -> Option<PathBuf> {
    match output {
        Destination::Standard => None,
        Destination::Report(file) => Some(file.path().to_path_buf()),
        // Some names of a folder end in none, as `.` and `..` do.
        Destination::Tables(folder, _) => Some(match folder.file_name() {
            Some(name) => folder.with_file_name(name),
            None => folder.join("loss"),
        }),
    }
}

/// Whether some of it failed, which a table says in full.
fn ended(profile: &LossProfile) -> Ended {
    let points = profile.layers.iter().flat_map(|layer| &layer.points);
    let plan = profile.plan.iter().map(|plan| &plan.measured);
    let mut all = points.map(|point| &point.measured).chain(plan);
    match all.any(|measured| measured.failed.is_some()) {
        true => Ended::Told,
        false => Ended::Done,
    }
}

/// Keeps the layers that were asked for, of which there must be one.
fn check(layers: &mut Vec<LossLayer>, arguments: &LossArguments) -> anyhow::Result<()> {
    let is_called =
        |layer: &LossLayer, name: &String| layer.weight == *name || layer.nodes.contains(name);
    let known = |name: &&String| layers.iter().any(|layer| is_called(layer, name));
    if let Some(name) = arguments.layers.iter().find(|name| !known(name)) {
        let names: Vec<String> = layers.iter().map(|layer| printable(&layer.name)).collect();
        bail!(
            "the model has no layer `{}` that could be pruned\nhint: its layers are {}",
            printable(name),
            first_of(&names)
        );
    }
    if !arguments.layers.is_empty() {
        layers.retain(|layer| arguments.layers.iter().any(|name| is_called(layer, name)));
    }
    let reasons: Vec<String> = layers
        .iter()
        .filter_map(|layer| {
            Some(format!("{}: {}", printable(&layer.name), layer.left_out.as_ref()?))
        })
        .collect();
    match layers.iter().all(|layer| layer.left_out.is_some()) {
        true if layers.is_empty() => bail!(
            "the model has no layer that could be pruned: no MatMul, Gemm or Conv has a constant \
             weight"
        ),
        true => bail!("none of the layers can be pruned: {}", first_of(&reasons)),
        false => Ok(()),
    }
}

/// Each layer at each of its levels, in their order, and behind them the plan.
fn prunings(layers: &[LossLayer], plan: Option<&plan::Plan>) -> Vec<Pruning> {
    let points = layers.iter().flat_map(|layer| {
        layer.points.iter().map(|point| vec![(layer.weight.clone(), point.level)])
    });
    points.chain(plan.map(|plan| plan.pruning.clone())).collect()
}

fn write(profile: &LossProfile, file: OutputFile) -> io::Result<()> {
    let mut out = WholeFile::create(file)?;
    serde_json::to_writer_pretty(&mut out, profile)?;
    out.write_all(b"\n")?;
    out.finish()
}
