//! Settings of the user: perf ratios, targets, and the bounds of the plan.

use super::estimate::Estimate;
use super::origin::Origin;
use super::ratio::{RatioKey, RatioPoint, RatioRow, SAME_LEVEL, WeightShape};
use crate::statistics::Summary;
use onnxray_format::{Block, Dimension, ModelFile, Run, Setup, TimedRun};
use onnxray_text::{counted, printable};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Levels and perf ratios for weight shapes of which nothing is given, and for
/// the sparsities of the CSV. Placeholders of a plausible size, not
/// measurements.
pub const DEFAULT_POINTS: [(f64, f64); 3] = [(0.9, 4.0), (0.8, 2.5), (0.7, 2.0)];
/// Target of all operators until another is set.
pub const DEFAULT_TARGET: f64 = 0.9;
/// Blocks of the sparse kernels that the predecessors' ratios are about.
pub const DEFAULT_BLOCK: Block = Block::new(4, 1);

/// Everything that can be set about a projection.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Zero blocks that sparsities count and that perf ratios are for.
    pub block: Block,
    /// Sparsities that tables have a column for, in their order.
    pub levels: Vec<f64>,
    /// Perf ratios that were given.
    pub ratios: Vec<RatioRow>,
    /// Perf ratios that were measured: they hold where none are given.
    pub measured: Vec<RatioRow>,
    /// Where they were measured.
    pub measured_on: Vec<MeasuredOn>,
    /// Weight shapes without a row get the default ratios; false where a whole table was given:
    /// then they are projected at 1.
    pub default_ratios: bool,
    /// Sparsities to aim at.
    pub targets: Targets,
    /// Bounds of the plan.
    pub plan: PlanSettings,
}

/// Where perf ratios were measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasuredOn {
    /// The model that has the layers.
    pub file: ModelFile,
    /// The engine that ran it, and the sizes of its inputs.
    pub setup: Setup,
    /// Threads, processor, launches.
    pub timed: TimedRun,
    /// Blocks that were pruned.
    pub block: Block,
    /// Layers that skip zeros, by their weights: dense milliseconds per iteration.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dense_ms: BTreeMap<String, f64>,
}

impl MeasuredOn {
    /// Dense layers that take another time by more than this share ran on a machine of another speed:
    /// what they are measured by, a quartile there and a mean here, differs by a few percent.
    const OTHER_SPEED: f64 = 0.1;

    /// Where and how, in words.
    pub fn text(&self) -> String {
        let MeasuredOn { file, setup, timed, .. } = self;
        let when = timed.at.as_ref().map_or(String::new(), |at| format!(", {}", printable(at)));
        format!(
            "measured perf ratios: dense / sparse time of layers in {} by {} with {}{when}; each is \
             the geometric mean over {} with its 95 % interval",
            printable(&file.model),
            engine(&setup.engine, &setup.engine_version),
            threads(timed.threads),
            counted(timed.launches.into(), "launch", "launches")
        )
    }

    /// What was different there from a recording, in words; `None` if nothing was.
    pub fn other_conditions(&self, recorded: &Summary) -> Option<String> {
        self.other_setup(&recorded.run).or_else(|| self.other_speed(recorded))
    }

    fn other_setup(&self, run: &Run) -> Option<String> {
        let MeasuredOn { file, setup, timed, .. } = self;
        let named = |name: &Option<String>| name.as_deref().map(printable);
        let model = file.model_sha256.as_ref().zip(run.model_sha256.as_ref());
        let sides = [
            // Other bytes, whatever their names are.
            model.filter(|(own, recorded)| own != recorded).map(|_| {
                (
                    format!("model {}", printable(&file.model)),
                    format!("{} with other bytes", printable(&run.model)),
                )
            }),
            Some((
                engine(&setup.engine, &setup.engine_version),
                engine(&run.engine, &run.engine_version),
            )),
            named(&timed.cpu).zip(named(&run.cpu)),
            run.threads.map(|recorded| (threads(timed.threads), threads(recorded))),
            Some((sizes(&setup.dimensions), sizes(&run.dimensions))),
        ];
        let differ = sides.into_iter().flatten().filter(|(own, recorded)| own != recorded);
        let differ: Vec<String> =
            differ.map(|(own, recorded)| format!("{own} instead of {recorded}")).collect();
        (!differ.is_empty()).then(|| {
            format!(
                "the perf ratios were measured under other conditions than the recording: {}",
                differ.join("; ")
            )
        })
    }

    fn other_speed(&self, recorded: &Summary) -> Option<String> {
        let mut own: BTreeMap<&str, f64> = BTreeMap::new();
        for operator in &recorded.operators {
            let name = operator.operator.weight.as_ref().map_or("", |weight| &weight.name);
            if self.dense_ms.contains_key(name) {
                *own.entry(name).or_default() += operator.mean.map_or(f64::NAN, |mean| mean.0);
            }
        }
        let (then, now): (f64, f64) = (self.dense_ms.values().sum(), own.values().sum());
        // Of the same layers alone.
        let are_all = own.len() == self.dense_ms.len() && now > 0.0;
        let ratio = then / now;
        (are_all && ratio.max(1.0 / ratio) > 1.0 + Self::OTHER_SPEED).then(|| {
            format!(
                "the layers took {now:.3} ms in the recording, and {then:.3} ms while their perf ratios \
                 were measured: the machine had another speed, and perf ratios change with it; measure \
                 both one after the other: onnxray sensitivity … --time-only --save times.json"
            )
        })
    }
}

fn threads(number: u32) -> String {
    counted(number.into(), "thread", "threads")
}

/// Name and version of an engine.
pub(crate) fn engine(name: &str, version: &str) -> String {
    match (name, version) {
        ("", _) => "an unknown engine".to_string(),
        (name, "") => printable(name),
        (name, version) => format!("{} {}", printable(name), printable(version)),
    }
}

/// Sizes of free dimensions.
pub(crate) fn sizes(dimensions: &[Dimension]) -> String {
    let sizes = dimensions.iter().map(|own| format!("{}={}", printable(&own.name), own.size));
    match sizes.collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => "no sizes".to_string(),
        sizes => sizes,
    }
}

/// Sparsities to aim at, from 0 (leave dense) to 1. What is said of an
/// operator comes before what is said of its type, and that before the model's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Targets {
    /// For all operators, from 0 to 1; `None` for the default.
    pub model: Option<f64>,
    /// By operator type, upper and lower case the same.
    pub types: Vec<(String, f64)>,
    /// By name of the operator.
    pub operators: Vec<(String, f64)>,
}

/// Bounds of the plan that spreads a budget of parameters over layers.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanSettings {
    /// Share of the prunable parameters to prune.
    pub budget: f64,
    /// A layer is pruned at least to this level, or not at all.
    pub minimum: f64,
    /// No layer is pruned further, from 0 to 1.
    pub maximum: f64,
    /// Weight of loss against latency in the cost of a step, from 0 to 1.
    pub balance: f64,
    /// Largest sum of the layers' losses, in the unit of `sensitivities`, in place of a budget.
    pub max_loss: Option<f64>,
    /// The first layer may be pruned.
    pub first: bool,
    /// Convolutions with groups may be pruned.
    pub grouped: bool,
    /// Levels that are fixed, by name of the operator.
    pub overrides: Vec<(String, f64)>,
    /// Known losses, by name of the operator or of its weight.
    pub sensitivities: Vec<Sensitivity>,
}

/// Loss of a model by how far one layer is pruned.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensitivity {
    /// Name of the operator or of its weight.
    pub layer: String,
    /// Level and loss, in ascending order of levels.
    pub points: Vec<(f64, f64)>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            block: DEFAULT_BLOCK,
            levels: DEFAULT_POINTS.map(|(level, _)| level).to_vec(),
            ratios: Vec::new(),
            measured: Vec::new(),
            measured_on: Vec::new(),
            default_ratios: true,
            targets: Targets::default(),
            plan: PlanSettings::default(),
        }
    }
}

impl Default for PlanSettings {
    fn default() -> PlanSettings {
        PlanSettings {
            budget: 0.85,
            minimum: 0.4,
            maximum: 0.95,
            balance: 0.5,
            max_loss: None,
            first: false,
            grouped: false,
            overrides: Vec::new(),
            sensitivities: Vec::new(),
        }
    }
}

impl Settings {
    /// Has a column for a level, once.
    pub fn add_level(&mut self, level: f64) {
        if !self.levels.iter().any(|known| (known - level).abs() < SAME_LEVEL) {
            self.levels.push(level);
        }
    }

    /// Appends levels in the order given; known ones among them move to the end.
    pub fn add_levels(&mut self, levels: &[f64]) {
        let is_given = |known: f64| levels.iter().any(|level| (known - level).abs() < SAME_LEVEL);
        self.levels.retain(|&known| !is_given(known));
        levels.iter().for_each(|&level| self.add_level(level));
    }

    /// Sets one ratio in all rows of a weight shape, on top of the default ones
    /// if the shape has no row.
    pub fn set_ratio(&mut self, shape: WeightShape, level: f64, ratio: Estimate) {
        let block = self.block;
        let fits = |row: &&mut RatioRow| row.key.shape == shape && row.key.block == block;
        if !self.ratios.iter_mut().any(|row| fits(&row)) {
            let key = RatioKey { operator_type: None, shape, data_type: None, block };
            // Defaults are of weights alone.
            self.ratios.push(match self.default_ratios && shape != WeightShape::NOT_PRUNED {
                true => default_row(key),
                false => RatioRow::new(key),
            });
        }
        for row in self.ratios.iter_mut().filter(fits) {
            row.set(level, ratio);
        }
        self.add_level(level);
    }
}

impl PlanSettings {
    /// Fixes the level of a layer, in place of one that is there.
    pub fn set_override(&mut self, operator: &str, level: f64) {
        self.overrides.retain(|(known, _)| known != operator);
        self.overrides.push((operator.to_string(), level));
    }
}

impl Targets {
    /// Sets the target of an operator, in place of one that is there.
    pub fn set_operator(&mut self, operator: &str, target: f64) {
        self.operators.retain(|(known, _)| known != operator);
        self.operators.push((operator.to_string(), target));
    }

    /// Sets the target of an operator type, upper and lower case the same.
    pub fn set_type(&mut self, operator_type: &str, target: f64) {
        self.types.retain(|(known, _)| known.to_lowercase() != operator_type.to_lowercase());
        self.types.push((operator_type.to_string(), target));
    }
}

/// The default ratios, for what a key says.
pub fn default_row(key: RatioKey) -> RatioRow {
    let mut row = RatioRow::new(key);
    for (level, ratio) in DEFAULT_POINTS {
        row.insert(RatioPoint { level, ratio: Estimate::exact(ratio), origin: Origin::Default });
    }
    row
}

/// Origin of a perf ratio whose file does not state it: a ratio that equals the default of its
/// level was not measured.
pub fn unstated_origin(level: f64, ratio: Estimate) -> Origin {
    let is_default = |&(known, value): &(f64, f64)| {
        (known - level).abs() < SAME_LEVEL && ratio == Estimate::exact(value)
    };
    match DEFAULT_POINTS.iter().any(is_default) {
        true => Origin::Default,
        false => Origin::Given,
    }
}
