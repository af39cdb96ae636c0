//! Names in options that a recording does not have: an option without effect is an error, which
//! says what is nearest.

use crate::args::ProjectArguments;
use anyhow::bail;
use onnxray_analyzer::Summary;
use onnxray_analyzer::comparison::Recording;
use onnxray_analyzer::projection::{WeightShape, same_operators, same_types};
use onnxray_format::{did_you_mean, printable};
use onnxray_report::has_module;
use std::collections::BTreeSet;

/// Targets, levels and perf ratios of what the model does not have.
pub(super) fn check_project(arguments: &ProjectArguments, summary: &Summary) -> anyhow::Result<()> {
    let types = || summary.types.iter().map(|known| known.operator_type.as_str());
    let known = same_types(types());
    for (name, _) in &arguments.target_types {
        if known.find(name).is_none() {
            bail!(unknown("--target-type", "operator type", name, types()));
        }
    }
    let known = same_operators(names(summary));
    let targets = arguments.target_operators.iter().map(|(name, _)| ("--target-op", name));
    let levels = arguments.plan_operators.iter().map(|(name, _)| ("--plan-op", name));
    for (option, name) in targets.chain(levels) {
        if known.find(name).is_none() {
            bail!(unknown(option, "operator", name, names(summary)));
        }
    }
    let weights = summary.operators.iter().filter_map(|known| known.operator.weight.as_ref());
    let shapes: BTreeSet<WeightShape> = weights.map(WeightShape::of).collect();
    for (shape, _, _) in &arguments.ratios {
        if !shapes.contains(shape) {
            let shapes = shapes.iter().map(WeightShape::to_string);
            bail!(unknown("--ratio", "weight shape", &shape.to_string(), shapes));
        }
    }
    Ok(())
}

/// A text that is in no name of an operator of any side.
pub(super) fn check_layer(part: &str, recordings: &[Recording]) -> anyhow::Result<()> {
    let names = || recordings.iter().flat_map(|recording| names(&recording.summary));
    match names().any(|name| name.contains(part)) {
        true => Ok(()),
        false => bail!(
            "--layer has no effect: no operator has `{}` in its name\nhint: {}",
            printable(part),
            did_you_mean(part, "operators", names())
        ),
    }
}

/// Modules that no operator is in.
pub(super) fn check_modules(patterns: &[String], summary: &Summary) -> anyhow::Result<()> {
    for pattern in patterns {
        if !names(summary).any(|name| has_module(name, pattern)) {
            let parts: BTreeSet<&str> = names(summary)
                .flat_map(|name| name.split(['/', '.']))
                .filter(|part| !part.is_empty())
                .collect();
            bail!(unknown("--group", "module", pattern, parts));
        }
    }
    Ok(())
}

fn names(summary: &Summary) -> impl Iterator<Item = &str> {
    summary.operators.iter().map(|known| known.operator.name.as_str())
}

fn unknown<T: AsRef<str>>(
    option: &str,
    kind: &str,
    name: &str,
    names: impl IntoIterator<Item = T>,
) -> String {
    let hint = did_you_mean(name, &format!("{kind}s"), names);
    format!("{option} has no effect: there is no {kind} `{}`\nhint: {hint}", printable(name))
}
