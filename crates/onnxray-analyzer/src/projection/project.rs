//! From measured latencies and settings to a projection.

use super::not_pruned::{NotPruned, is_not_pruned};
use super::operator::{TargetTable, fixed_outcome, outcome_at, ratio_at};
use super::ratio::{RatioTable, folded_type};
use super::weightless::ToldWeights;
use super::{
    AppliedRow, Basis, Estimate, Origins, Outcome, Outside, ProjectedOperator, ProjectedType,
    Projection, RatioKey, RatioRow, Settings, Spread, Target, TargetOrigin, Targets, WeightShape,
    at_levels, default_row, total,
};
use crate::printable::short_name;
use crate::statistics::{FrameworkOverhead, Interval, OperatorSummary, Summary};
use onnxray_format::{Block, Nanoseconds, Weight};
use std::borrow::Cow;

/// Projects a model. Cost grows with the number of operators times that of
/// levels.
pub fn project(summary: &Summary, settings: &Settings) -> Projection {
    let basis = match summary.operators.iter().any(|operator| operator.mean.is_some()) {
        true => Basis::Iteration,
        false => Basis::Trace,
    };
    let rows = applied_rows(summary, settings, basis);
    let table = RatioTable::new(rows.iter().map(|row| &row.ratios.key));
    let targets = TargetTable::new(&settings.targets);
    let is_timed = summary.is_timed();
    let weights = ToldWeights::of(summary);
    let mut operators: Vec<ProjectedOperator> = summary
        .operators
        .iter()
        .map(|summary| {
            let dense = dense(summary, basis);
            // Where nothing was timed (`flops`), an unknown latency excludes nothing.
            let known = dense.is_some() || !is_timed;
            let fixed = fixed_outcome(summary, known, settings.block, weights);
            project_operator(summary, dense, fixed, settings.block, &rows, &table, &targets)
        })
        .collect();
    let not_pruned = NotPruned::of(&summary.operators, &operators, &rows);
    let sparsity = not_pruned.sparsity(|number| {
        let operator = &operators[number];
        let target = operator.target.filter(|_| operator.outcome == Outcome::Projected);
        target.map_or(0.0, |target| target.level)
    });
    not_pruned.apply(&mut operators, sparsity);
    let outside = outside(summary, basis);
    let supported = summary.operators.iter().map(|summary| summary.operator.sparse_support);
    let totals = total::totals(operators.iter().zip(supported), outside);
    let types = types(summary, &operators, &targets);
    let levels = levels(settings, &rows);
    let at_levels = at_levels::at_levels(
        summary,
        &operators,
        &rows,
        &not_pruned,
        &levels,
        settings.block,
        outside,
    );
    let ranges = |row: &AppliedRow| row.ratios.points.iter().any(|p| p.ratio.low < p.ratio.high);
    Projection {
        basis,
        spread: Spread {
            parts: summary.parts.filter(|_| basis == Basis::Iteration),
            ratios: rows.iter().any(ranges),
        },
        block: settings.block,
        levels,
        model_target: targets.model,
        unmatched_targets: unmatched(summary, &settings.targets),
        rows,
        measured_on: settings.measured_on.clone(),
        operators,
        types,
        sparsity,
        totals,
        at_levels,
    }
}

/// The levels of the settings, and then those of the ratios that they lack.
fn levels(settings: &Settings, rows: &[AppliedRow]) -> Vec<f64> {
    // `add_level` tells which levels are the same.
    let mut levels = Settings { levels: settings.levels.clone(), ..Settings::default() };
    for point in rows.iter().flat_map(|row| &row.ratios.points) {
        levels.add_level(point.level);
    }
    levels.levels
}

/// Latency in milliseconds, with its interval where one is known.
fn dense(summary: &OperatorSummary, basis: Basis) -> Option<Estimate> {
    match basis {
        Basis::Iteration => summary.mean.map(|mean| match summary.interval {
            Some(interval) => Estimate { value: mean.0, low: interval.low, high: interval.high },
            None => Estimate::exact(mean.0),
        }),
        Basis::Trace => summary.total.map(|total| Estimate::exact(total.milliseconds())),
    }
}

/// Known latencies of the model beside its operators.
pub fn outside(summary: &Summary, basis: Basis) -> Outside {
    let model = &summary.model;
    let Some(iterations) = model.typical_iterations().filter(|_| basis == Basis::Iteration) else {
        return Outside::default();
    };
    let mean = |total: Nanoseconds| total.milliseconds() / iterations as f64;
    let overhead = |overhead: FrameworkOverhead| {
        // Sparse weights do not change the time in which only devices work.
        let alone = model.devices_alone.map_or(0.0, mean);
        let value = overhead.mean.0 + alone;
        match overhead.interval {
            Some(Interval { low, high }) => {
                Estimate { value, low: low + alone, high: high + alone }
            }
            None => Estimate::exact(value),
        }
    };
    Outside {
        concurrent: model.concurrent.map_or(0.0, mean),
        overhead: model.overhead.map(overhead),
        batch_size: summary.run.batch_size,
    }
}

fn project_operator(
    summary: &OperatorSummary,
    dense: Option<Estimate>,
    fixed: Option<Outcome>,
    block: Block,
    rows: &[AppliedRow],
    table: &RatioTable,
    targets: &TargetTable,
) -> ProjectedOperator {
    let stays = |outcome: Outcome| {
        let known = outcome.has_weight().is_some();
        ProjectedOperator {
            dense,
            target: None,
            row: None,
            ratio: known.then_some(Estimate::exact(1.0)),
            origin: None,
            outcome,
            projected: dense.filter(|_| known),
        }
    };
    if let Some(outcome) = fixed {
        return stays(outcome);
    }
    let operator = &summary.operator;
    // `fixed_outcome` has returned for those without a weight.
    let Some(weight) = &operator.weight else { return stays(Outcome::NoWeight) };
    let target = targets.of(&operator.name, &operator.operator_type);
    let row = table.find(&operator.operator_type, weight, block);
    let ratios = row.map(|row| &rows[row].ratios);
    if ratios.is_some_and(RatioRow::multiplies_zeros) {
        return stays(Outcome::MultipliesZeros);
    }
    let outcome = outcome_at(target.level, weight.sparse_ratio(block), ratios);
    let (ratio, origin) = ratio_at(target.level, outcome, ratios);
    ProjectedOperator {
        dense,
        target: Some(target),
        row,
        ratio: Some(ratio),
        origin,
        outcome,
        projected: dense.map(|dense| dense.by(ratio)),
    }
}

/// One row for each operator type, weight shape and element type that a target
/// could change, from what was given, or else was measured, or else the defaults; in order of shapes.
/// Behind them what was given and applies to nothing.
fn applied_rows(summary: &Summary, settings: &Settings, basis: Basis) -> Vec<AppliedRow> {
    let is_timed = summary.is_timed();
    let given = RatioTable::new(settings.ratios.iter().map(|row| &row.key));
    let measured = RatioTable::new(settings.measured.iter().map(|row| &row.key));
    let mut used = vec![false; settings.ratios.len()];
    let weights = ToldWeights::of(summary);
    // In order of shapes, as the table of ratios is.
    let mut counts: std::collections::BTreeMap<_, (&str, &Weight, u64)> = Default::default();
    let mut not_pruned = 0;
    for summary in &summary.operators {
        let operator = &summary.operator;
        let known = dense(summary, basis).is_some() || !is_timed;
        let fixed = fixed_outcome(summary, known, settings.block, weights);
        not_pruned += u64::from(known && fixed.is_some_and(is_not_pruned));
        let Some(weight) = operator.weight.as_ref().filter(|_| fixed.is_none()) else { continue };
        let folded = folded_type(&operator.operator_type);
        let place = (WeightShape::of(weight), folded, weight.data_type);
        counts.entry(place).or_insert((&operator.operator_type, weight, 0)).2 += 1;
    }
    // By the positions of a given row and of a measured one.
    let mut known = |key: RatioKey, [given, measured]: [Option<usize>; 2], has_defaults: bool| {
        let ratios = match given {
            Some(row) => {
                used[row] = true;
                RatioRow { key, ..settings.ratios[row].clone() }
            }
            None if has_defaults => default_row(key),
            // Still a row, to be filled.
            None => RatioRow::new(key),
        };
        let ratios = match measured {
            Some(row) => ratios.over_measured(&settings.measured[row]),
            None => ratios,
        };
        ratios.given_over_multiplied()
    };
    let mut rows: Vec<AppliedRow> = Vec::with_capacity(counts.len());
    for (operator_type, weight, operators) in counts.into_values() {
        let key = RatioKey {
            operator_type: Some(operator_type.to_string()),
            shape: WeightShape::of(weight),
            data_type: Some(weight.data_type),
            block: settings.block,
        };
        let found =
            [&given, &measured].map(|rows| rows.find(operator_type, weight, settings.block));
        let ratios = known(key, found, settings.default_ratios);
        not_pruned += if ratios.multiplies_zeros() { operators } else { 0 };
        rows.push(AppliedRow { ratios, operators });
    }
    // What is not pruned has no defaults: there is a row if somebody knows of one.
    let key = RatioKey {
        operator_type: None,
        shape: WeightShape::NOT_PRUNED,
        data_type: None,
        block: settings.block,
    };
    let found = [&given, &measured].map(|rows| rows.of_not_pruned(settings.block));
    if not_pruned > 0 && found != [None; 2] {
        rows.push(AppliedRow { ratios: known(key, found, false), operators: not_pruned });
    }
    // Rows that apply to nothing stay visible: a mistyped shape is likely.
    let unused = settings.ratios.iter().zip(used).filter(|(_, used)| !used);
    rows.extend(unused.map(|(row, _)| AppliedRow { ratios: row.clone(), operators: 0 }));
    rows
}

fn types(
    summary: &Summary,
    operators: &[ProjectedOperator],
    targets: &TargetTable,
) -> Vec<ProjectedType> {
    let mut types: Vec<ProjectedType> = summary
        .types
        .iter()
        .map(|known| ProjectedType {
            operator_type: known.operator_type.clone(),
            operators: known.operators,
            settable: 0,
            inheriting: 0,
            target: targets.of_type(&known.operator_type),
            dense: None,
            projected: None,
            origins: Origins::default(),
        })
        .collect();
    let positions = at_levels::positions(summary);
    let mut unknown = vec![false; types.len()];
    for (projected, position) in operators.iter().zip(positions) {
        let known = &mut types[position];
        let own = |target: Target| target.from == TargetOrigin::Operator;
        known.settable += u64::from(projected.outcome.is_settable());
        known.inheriting += u64::from(projected.target.is_some_and(|target| !own(target)));
        known.origins = known.origins.and([projected.origin].into_iter().collect());
        known.dense = at_levels::sum(known.dense, projected.dense);
        known.projected = at_levels::sum(known.projected, projected.projected);
        unknown[position] |= projected.outcome.has_weight().is_none();
    }
    // A sum over some operators is not the projection of the type.
    for (known, unknown) in types.iter_mut().zip(unknown) {
        known.projected = known.projected.filter(|_| !unknown);
    }
    types
}

/// Targets of types and operators that the model does not have.
fn unmatched(summary: &Summary, targets: &Targets) -> Vec<String> {
    let operators: std::collections::HashSet<Cow<str>> =
        summary.operators.iter().map(|summary| short_name(&summary.operator.name)).collect();
    let types: std::collections::HashSet<String> =
        summary.types.iter().map(|known| folded_type(&known.operator_type)).collect();
    let without_operator =
        targets.operators.iter().filter(|(name, _)| !operators.contains(&short_name(name)));
    let without_type = targets.types.iter().filter(|(name, _)| !types.contains(&folded_type(name)));
    without_type.chain(without_operator).map(|(name, _)| name.clone()).collect()
}
