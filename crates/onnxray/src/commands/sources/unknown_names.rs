//! Names in options that a recording does not have, or on which they have no effect: an option
//! without effect is an error, which says what is nearest.

use crate::args::ProjectArguments;
use anyhow::bail;
use onnxray_analyzer::Summary;
use onnxray_analyzer::comparison::Recording;
use onnxray_analyzer::projection::{
    Projection, SameNames, WeightShape, same_operators, same_types,
};
use onnxray_report::has_module;
use onnxray_text::{did_you_mean, printable};
use std::collections::BTreeSet;

/// Refuses targets, levels and perf ratios for what the model lacks or what has no weight.
pub(in crate::commands) fn check_project(
    arguments: &ProjectArguments,
    summary: &Summary,
    projection: &Projection,
) -> anyhow::Result<()> {
    let weightless = Weightless::of(summary, projection);
    let types = || summary.types.iter().map(|known| known.operator_type.as_str());
    for (name, _) in &arguments.target_types {
        // First, as `is_type` is false of a name that is not there.
        if weightless.types.find(name).is_none() {
            bail!(unknown("--target-type", "operator type", name, types()));
        }
        if weightless.is_type(name) {
            let weighted = types().filter(|name| !weightless.is_type(name));
            bail!(without_weight("--target-type", "operator type", name, weighted));
        }
    }
    let targets = arguments.target_operators.iter().map(|(name, _)| ("--target-op", name));
    let levels = arguments.plan_operators.iter().map(|(name, _)| ("--plan-op", name));
    for (option, name) in targets.chain(levels) {
        if weightless.operators.find(name).is_none() {
            bail!(unknown(option, "operator", name, names(summary)));
        }
        if weightless.is_operator(name) {
            let weighted = names(summary).filter(|name| !weightless.is_operator(name));
            bail!(without_weight(option, "operator", name, weighted));
        }
    }
    let weights = summary.operators.iter().filter_map(|known| known.operator.weight.as_ref());
    let shapes: BTreeSet<WeightShape> = weights.map(WeightShape::of).collect();
    for shape in arguments.ratios.iter().filter_map(|(shape, _, _)| shape.as_ref()) {
        if !shapes.contains(shape) {
            let shapes = shapes.iter().map(WeightShape::to_string);
            bail!(unknown("--ratio", "weight shape", &shape.to_string(), shapes));
        }
    }
    Ok(())
}

/// A text that is in no name of an operator of any side.
pub(in crate::commands) fn check_layer(part: &str, recordings: &[Recording]) -> anyhow::Result<()> {
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
pub(in crate::commands) fn check_modules(
    patterns: &[String],
    summary: &Summary,
) -> anyhow::Result<()> {
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

/// Operators and types without a weight, by name.
pub(in crate::commands) struct Weightless {
    operators: SameNames,
    types: SameNames,
    /// By position of the first operator, or type, of a name.
    of_operators: Vec<bool>,
    of_types: Vec<bool>,
}

impl Weightless {
    pub(in crate::commands) fn of(summary: &Summary, projection: &Projection) -> Weightless {
        let types = same_types(summary.types.iter().map(|known| known.operator_type.as_str()));
        let operators = same_operators(names(summary));
        // Weightless until an operator of that name, or of that type, may have a weight.
        let mut of_operators = vec![true; operators.first.len()];
        let mut of_types = vec![true; types.first.len()];
        let outcomes = projection.operators.iter().map(|projected| projected.outcome);
        for ((known, &first), outcome) in
            summary.operators.iter().zip(&operators.first).zip(outcomes)
        {
            // Where nobody knows, there may be one.
            let has_none = outcome.has_weight() == Some(false);
            of_operators[first] &= has_none;
            if let Some(place) = types.find(&known.operator.operator_type) {
                of_types[place] &= has_none;
            }
        }
        Weightless { operators, types, of_operators, of_types }
    }

    pub(in crate::commands) fn is_operator(&self, name: &str) -> bool {
        self.operators.find(name).is_some_and(|place| self.of_operators[place])
    }

    /// True if no operator of a type has a weight.
    pub(in crate::commands) fn is_type(&self, name: &str) -> bool {
        self.types.find(name).is_some_and(|place| self.of_types[place])
    }
}

fn names(summary: &Summary) -> impl Iterator<Item = &str> {
    summary.operators.iter().map(|known| known.operator.name.as_str())
}

fn without_weight<'a>(
    option: &str,
    kind: &str,
    name: &str,
    weighted: impl Iterator<Item = &'a str>,
) -> String {
    let hint = did_you_mean(name, &format!("{kind}s with a weight"), weighted);
    format!("{option} has no effect: the {kind} `{}` has no weight\nhint: {hint}", printable(name))
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
