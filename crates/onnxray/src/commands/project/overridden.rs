//! What a projection is made with: files of settings, and the options over them.

use crate::args::ProjectArguments;
use crate::message;
use anyhow::bail;
use onnxray_analyzer::Summary;
use onnxray_analyzer::projection::{Settings, WeightShape, project};
use onnxray_analyzer::settings;
use onnxray_text::shown;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Levels that a table and a workbook have room for.
const MOST_LEVELS: usize = 100;

/// Notes that settings in projected profiles are ignored unless they are given with --ratios.
pub(super) fn say_not_taken(files: Vec<PathBuf>, arguments: &ProjectArguments) {
    let profiles = files
        .into_iter()
        .filter(|file| !arguments.files.contains(file) && settings::is_profile_with_ratios(file));
    for file in profiles {
        let file = shown(&file);
        message::note(format_args!(
            "{file}: perf ratios and targets in it are not taken; to take them, add --ratios {file}"
        ));
    }
}

/// Sets the ratios given, in their order; a narrower one comes after `*`.
pub(super) fn set_ratios(
    settings: &mut Settings,
    arguments: &ProjectArguments,
    summary: &Summary,
) -> anyhow::Result<()> {
    let is_every = arguments.ratios.iter().any(|(shape, _, _)| shape.is_none());
    let every: BTreeSet<WeightShape> = match is_every {
        // Those that ratios apply to.
        true => project(summary, settings)
            .rows
            .iter()
            .filter(|row| row.operators > 0)
            .map(|row| row.ratios.key.shape)
            .filter(|shape| *shape != WeightShape::NOT_PRUNED)
            .collect(),
        false => BTreeSet::new(),
    };
    for (shape, level, ratio) in &arguments.ratios {
        match shape {
            Some(shape) => settings.set_ratio(*shape, *level, *ratio),
            None => every.iter().for_each(|shape| settings.set_ratio(*shape, *level, *ratio)),
        }
    }
    if settings.levels.len() > MOST_LEVELS {
        bail!("{} sparsities; a table has room for {MOST_LEVELS}", settings.levels.len());
    }
    Ok(())
}

/// The settings of files, overridden by the other options.
pub(super) fn overridden(
    mut settings: Settings,
    arguments: &ProjectArguments,
) -> anyhow::Result<Settings> {
    settings.block = arguments.block.unwrap_or(settings.block);
    settings.add_levels(&arguments.sparsities);
    settings.targets.model = arguments.target.or(settings.targets.model);
    for (operator_type, target) in &arguments.target_types {
        settings.targets.set_type(operator_type, *target);
    }
    let bounds = &mut settings.plan;
    bounds.budget = arguments.budget.unwrap_or(bounds.budget);
    // The one that is given takes the place of the other one of a file.
    bounds.max_loss = arguments.max_loss.or(bounds.max_loss.filter(|_| arguments.budget.is_none()));
    bounds.minimum = arguments.min_sparsity.unwrap_or(bounds.minimum);
    bounds.maximum = arguments.max_sparsity.unwrap_or(bounds.maximum);
    bounds.balance = arguments.balance.unwrap_or(bounds.balance);
    // Flags can only add: what a settings file prunes stays pruned.
    bounds.first |= arguments.prune_first;
    bounds.grouped |= arguments.prune_grouped;
    // Either bound may come from a file, where the argument parser cannot check them.
    if bounds.minimum > bounds.maximum {
        bail!("--min-sparsity, {}, is above --max-sparsity, {}", bounds.minimum, bounds.maximum);
    }
    for (name, target) in &arguments.target_operators {
        settings.targets.set_operator(name, *target);
        if arguments.plans() {
            // Who fixes an operator's target wants it in the plan as well.
            settings.plan.set_override(name, *target);
        }
    }
    // After --target-op, which sets the same override: the narrower option wins.
    for (name, level) in &arguments.plan_operators {
        settings.plan.set_override(name, *level);
    }
    Ok(settings)
}
