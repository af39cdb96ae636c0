//! The targets of a projection, pruned in the model's own file.

use crate::args::ProjectArguments;
use crate::destination::Destination;
use crate::message;
use crate::output_files::OutputFiles;
use anyhow::{anyhow, bail};
use onnxray_analyzer::Summary;
use onnxray_analyzer::projection::{Projection, Pruning, prunings};
use onnxray_format::PrunedLayer;
use onnxray_recorder::{PrunedModel, WantedLayer};
use onnxray_report::{Document, no_faster_at_targets, pruned_report};
use onnxray_text::{first_of, printable, shown};
use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Prunes a model to the targets of the projection, into a file, and says what came of it.
pub(super) fn apply(
    (model, path): (&Path, &Path),
    summary: &Summary,
    projection: &Projection,
    arguments: &ProjectArguments,
    output: &mut Destination,
) -> anyhow::Result<Document> {
    let all = prunings(summary, projection);
    if all.is_empty() {
        bail!(
            "the recording has no weights, so nothing can be pruned\n\
             hint: --model {} adds them",
            message::quoted(model)
        );
    }
    let wanted: Vec<WantedLayer> = all.iter().filter_map(wanted).collect();
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let mut pruned = PrunedModel::read(model, &name, projection.block, &wanted)?;
    output.files.reads(pruned.data_files().iter().map(|file| file.source.clone()));
    let data = pruned.data_files().iter().map(|file| path.with_file_name(&file.name));
    let data: Vec<PathBuf> = data.collect();
    // The model's file again: it may be one of those that the model keeps its weights in.
    data.iter().map(PathBuf::as_path).chain([path]).try_for_each(|own| output.files.check(own))?;
    check_any(pruned.layers(), &all)?;
    if let (Some(own), Some(recorded)) = (pruned.sha256(), &summary.run.model_sha256)
        && own != *recorded
    {
        message::note(format_args!(
            "{}: is another file than the recording's model; its weights have the same names and \
             shapes",
            shown(model)
        ));
    }
    write(&mut pruned, path, &data, &output.files)?;
    let layers = in_order(&all, pruned.layers());
    let most = arguments.rows.most(arguments.shown.format);
    let no_faster = no_faster_at_targets(summary, projection);
    Ok(pruned_report(&layers, projection.block, no_faster, most))
}

/// An operator whose target prunes something.
fn wanted(pruning: &Pruning) -> Option<WantedLayer> {
    let Pruning { operator, weight, level } = pruning;
    // Of 0 as well: another operator may ask for more of the same weight.
    let level = (*level).ok()?;
    Some(WantedLayer {
        operator: operator.name.clone(),
        nodes: operator.nodes.clone(),
        weight: weight.name.clone(),
        outputs: weight.outputs,
        inputs: weight.inputs,
        level,
    })
}

/// Refuses a model in which nothing would become zero.
fn check_any(layers: &[PrunedLayer], all: &[Pruning]) -> anyhow::Result<()> {
    let is_pruned =
        |layer: &PrunedLayer| layer.left_out.is_none() && layer.level.is_some_and(|l| l > 0.0);
    if layers.iter().any(is_pruned) {
        return Ok(());
    }
    let reasons = in_order(all, layers).into_iter().map(|layer| {
        let reason = layer.left_out.unwrap_or_else(|| "its target is 0".to_string());
        format!("{} ({reason})", printable(&layer.operator))
    });
    Err(anyhow!("nothing is pruned: {}", first_of(reasons, ", ")))
}

/// Writes the data first, to which the model's own file refers.
fn write(
    pruned: &mut PrunedModel,
    path: &Path,
    data: &[PathBuf],
    files: &OutputFiles,
) -> anyhow::Result<()> {
    for (number, data) in data.iter().enumerate() {
        files.write(data, |file| pruned.copy(number, file))?;
        files.written(data);
    }
    let bytes = pruned.bytes()?;
    files.write(path, |file| file.write_all(&bytes))?;
    files.written(path);
    Ok(())
}

/// Every weight once, in the order of the recording, also those that a target leaves as they are.
fn in_order(all: &[Pruning], layers: &[PrunedLayer]) -> Vec<PrunedLayer> {
    let mut pruned: HashMap<&str, Vec<&PrunedLayer>> = HashMap::new();
    for layer in layers {
        pruned.entry(&layer.operator).or_default().push(layer);
    }
    let known: Vec<&str> = layers.iter().map(|layer| layer.weight.as_str()).collect();
    let mut rows = Vec::new();
    for Pruning { operator, weight, level } in all {
        if let Some(own) = pruned.remove(operator.name.as_str()) {
            rows.extend(own.into_iter().map(|layer| match layer.level {
                Some(level) if level > 0.0 || layer.left_out.is_some() => layer.clone(),
                _ => PrunedLayer {
                    sparse_ratios: None,
                    left_out: Some("its target is 0".to_string()),
                    ..layer.clone()
                },
            }));
        } else if let Err(outcome) = level
            && !known.contains(&weight.name.as_str())
        {
            rows.push(PrunedLayer {
                operator: operator.name.clone(),
                weight: weight.name.clone(),
                outputs: weight.outputs,
                inputs: weight.inputs,
                level: None,
                sparse_ratios: None,
                pruned: 0,
                left_out: Some(outcome.meaning().to_string()),
            });
        }
    }
    rows
}
