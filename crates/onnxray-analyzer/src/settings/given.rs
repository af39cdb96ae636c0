//! Settings as a file gives them; those it does not mention stay unset.

use crate::projection::{
    MeasuredOn, RatioKey, RatioRow, SAME_LEVEL, Sensitivity, Settings, Targets,
};
use onnxray_format::Block;
use std::collections::{HashMap, HashSet};

/// Settings of a file. [`apply`](GivenSettings::apply) lays them over others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GivenSettings {
    /// Zero blocks that the file's sparsities count.
    pub block: Option<Block>,
    /// Sparsities that the file has a column for, in its order.
    pub levels: Option<Vec<f64>>,
    /// Rows of perf ratios, one per key.
    pub ratios: Vec<RatioRow>,
    /// Rows of perf ratios that were measured, which hold where none are given.
    pub measured: Vec<RatioRow>,
    /// Where ratios were measured.
    pub measured_on: Vec<MeasuredOn>,
    /// Weight shapes without a row get the default ratios; false for a file with a whole table.
    pub default_ratios: Option<bool>,
    /// Sparsities to aim at.
    pub targets: Targets,
    /// Settings of the plan.
    pub plan: GivenPlan,
}

/// Settings of the plan; units are those of
/// [`PlanSettings`](crate::projection::PlanSettings).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GivenPlan {
    /// Share of the prunable parameters to prune, from 0 to 1.
    pub budget: Option<f64>,
    /// Least sparsity of a pruned layer, from 0 to 1.
    pub minimum: Option<f64>,
    /// Largest sparsity of a layer, from 0 to 1.
    pub maximum: Option<f64>,
    /// Weight of loss against latency, from 0 to 1.
    pub balance: Option<f64>,
    /// Largest sum of losses, in place of the budget.
    pub max_loss: Option<f64>,
    /// The first layer may be pruned.
    pub first: Option<bool>,
    /// Convolutions with groups may be pruned.
    pub grouped: Option<bool>,
    /// Sparsities that are fixed, from 0 to 1, by the name of the operator.
    pub overrides: Vec<(String, f64)>,
    /// Losses of layers at sparsities.
    pub sensitivities: Vec<Sensitivity>,
}

/// A target of an operator or a type with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedTarget {
    /// Operator, or operator type.
    pub name: String,
    /// For all operators of a type.
    pub is_type: bool,
    /// From 0 to 1.
    pub level: f64,
    /// Sheet and cell, line and column, or path in the document.
    pub place: String,
}

impl GivenSettings {
    /// Puts what is given in the place of what is there. Levels replace levels;
    /// a row of ratios replaces the one for the same operators, and a target,
    /// override or sensitivity the one of the same name. All others stay.
    pub fn apply(&self, settings: &mut Settings) {
        if let Some(block) = self.block {
            settings.block = block;
        }
        match &self.levels {
            Some(levels) => settings.levels.clone_from(levels),
            None => {
                // Nobody asked for the levels of default ratios.
                if !self.measured.is_empty() && settings.levels == Settings::default().levels {
                    settings.levels.clear();
                }
                self.add_levels(&mut settings.levels);
            }
        }
        lay_rows(&self.ratios, &mut settings.ratios);
        lay_rows(&self.measured, &mut settings.measured);
        for on in &self.measured_on {
            if !settings.measured_on.contains(on) {
                settings.measured_on.push(on.clone());
            }
        }
        settings.default_ratios = self.default_ratios.unwrap_or(settings.default_ratios);
        let Targets { model, types, operators } = &self.targets;
        settings.targets.model = model.or(settings.targets.model);
        lay(types, &mut settings.targets.types, |name| name.to_lowercase());
        lay(operators, &mut settings.targets.operators, str::to_string);
        self.plan.apply(settings);
    }
}

impl GivenSettings {
    /// Adds the sparsities that points are at, each once.
    fn add_levels(&self, levels: &mut Vec<f64>) {
        let place = |level: f64| (level / SAME_LEVEL).round() as i64;
        let mut places: HashSet<i64> = levels.iter().map(|level| place(*level)).collect();
        for point in self.ratios.iter().chain(&self.measured).flat_map(|row| &row.points) {
            let place = place(point.level);
            if !(place - 1..=place + 1).any(|near| places.contains(&near)) {
                places.insert(place);
                levels.push(point.level);
            }
        }
    }
}

/// Key for comparisons: upper and lower case of operator types are the same.
pub(crate) fn folded(key: &RatioKey) -> RatioKey {
    let operator_type = key.operator_type.as_ref().map(|name| name.to_lowercase());
    RatioKey { operator_type, ..key.clone() }
}

/// Puts rows in the place of those for the same operators.
fn lay_rows(given: &[RatioRow], rows: &mut Vec<RatioRow>) {
    let known = rows.iter().enumerate();
    let mut places: HashMap<RatioKey, usize> =
        known.map(|(place, row)| (folded(&row.key), place)).collect();
    for row in given {
        let end = rows.len();
        match rows.get_mut(*places.entry(folded(&row.key)).or_insert(end)) {
            Some(earlier) => earlier.clone_from(row),
            None => rows.push(row.clone()),
        }
    }
}

fn lay(given: &[(String, f64)], settings: &mut Vec<(String, f64)>, key: fn(&str) -> String) {
    let names: HashSet<String> = given.iter().map(|(name, _)| key(name)).collect();
    settings.retain(|(name, _)| !names.contains(&key(name)));
    settings.extend_from_slice(given);
}

impl GivenPlan {
    fn apply(&self, settings: &mut Settings) {
        let plan = &mut settings.plan;
        for (given, setting) in [
            (self.budget, &mut plan.budget),
            (self.minimum, &mut plan.minimum),
            (self.maximum, &mut plan.maximum),
            (self.balance, &mut plan.balance),
        ] {
            *setting = given.unwrap_or(*setting);
        }
        plan.max_loss = self.max_loss.or(plan.max_loss);
        plan.first = self.first.unwrap_or(plan.first);
        plan.grouped = self.grouped.unwrap_or(plan.grouped);
        lay(&self.overrides, &mut plan.overrides, str::to_string);
        let layers: HashSet<&str> = self.sensitivities.iter().map(|s| s.layer.as_str()).collect();
        plan.sensitivities.retain(|earlier| !layers.contains(earlier.layer.as_str()));
        plan.sensitivities.extend_from_slice(&self.sensitivities);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::projection::{DEFAULT_BLOCK, Estimate, WeightShape};

    fn row(operator_type: &str, outputs: u64, ratio: f64) -> RatioRow {
        let shape = WeightShape { outputs, inputs: 8 };
        let operator_type = Some(operator_type.to_string());
        let key = RatioKey { operator_type, shape, data_type: None, block: DEFAULT_BLOCK };
        let mut row = RatioRow::new(key);
        row.set(0.5, Estimate::exact(ratio));
        row
    }

    #[test]
    fn what_is_not_given_stays() {
        let mut settings = Settings { ratios: vec![row("MatMul", 4, 2.0)], ..Settings::default() };
        settings.targets.set_operator("a", 0.1);
        let before = settings.clone();
        GivenSettings::default().apply(&mut settings);
        assert_eq!(settings, before);
    }

    #[test]
    fn what_is_given_takes_the_place_of_what_is_there() {
        let mut settings = Settings {
            ratios: vec![row("MatMul", 4, 2.0), row("Gemm", 4, 2.0)],
            ..Settings::default()
        };
        settings.targets.set_type("MatMul", 0.1);
        let mut given = GivenSettings {
            block: Some(Block::new(1, 16)),
            ratios: vec![row("matmul", 4, 3.0), row("MatMul", 8, 4.0)],
            ..GivenSettings::default()
        };
        given.targets.set_type("MATMUL", 0.2);
        given.targets.model = Some(0.5);
        given.plan.first = Some(true);
        given.plan.overrides = vec![("a".to_string(), 0.3)];
        given.apply(&mut settings);
        assert_eq!(
            settings.ratios,
            [row("matmul", 4, 3.0), row("Gemm", 4, 2.0), row("MatMul", 8, 4.0)]
        );
        assert_eq!(settings.levels, [0.9, 0.8, 0.7, 0.5], "points of ratios have a column");
        assert_eq!(settings.targets.types, [("MATMUL".to_string(), 0.2)]);
        assert_eq!((settings.targets.model, settings.plan.budget), (Some(0.5), 0.85));
        assert!(settings.plan.first && !settings.plan.grouped);
        given.levels = Some(vec![0.5]);
        given.apply(&mut settings);
        assert_eq!(settings.levels, [0.5]);
    }
}
