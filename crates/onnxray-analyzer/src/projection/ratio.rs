//! Perf ratios: what a sparse kernel gains, by weight shape and sparsity.

use super::estimate::Estimate;
use super::origin::{Origin, Origins, RatioOrigin};
use crate::printable::short_name;
use onnxray_format::{Block, DataType, Weight};
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

/// Two sparsities that differ by less are the same.
pub const SAME_LEVEL: f64 = 1e-9;

/// Shape of a weight as a matrix: `outputs x inputs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WeightShape {
    /// Rows of the matrix.
    pub outputs: u64,
    /// Columns of the matrix.
    pub inputs: u64,
}

impl WeightShape {
    /// Stands for all operators that no target changes: a weight without elements is none.
    pub const NOT_PRUNED: WeightShape = WeightShape { outputs: 0, inputs: 0 };
    const NOT_PRUNED_TEXT: &'static str = "not pruned";

    /// The shape of a weight.
    pub fn of(weight: &Weight) -> WeightShape {
        WeightShape { outputs: weight.outputs, inputs: weight.inputs }
    }
}

impl fmt::Display for WeightShape {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            WeightShape::NOT_PRUNED => out.write_str(WeightShape::NOT_PRUNED_TEXT),
            WeightShape { outputs, inputs } => write!(out, "{outputs}x{inputs}"),
        }
    }
}

impl FromStr for WeightShape {
    type Err = String;

    fn from_str(text: &str) -> Result<WeightShape, String> {
        if text.trim().eq_ignore_ascii_case(WeightShape::NOT_PRUNED_TEXT) {
            return Ok(WeightShape::NOT_PRUNED);
        }
        text.trim()
            .split_once(['x', 'X', '×', '*'])
            .and_then(|(outputs, inputs)| {
                let (outputs, inputs) = (outputs.trim().parse().ok()?, inputs.trim().parse().ok()?);
                Some(WeightShape { outputs, inputs }).filter(|own| *own != WeightShape::NOT_PRUNED)
            })
            .ok_or_else(|| format!("expected a weight shape such as 256x1024, found {text:?}"))
    }
}

/// Operators that a row of ratios applies to; `None` applies to all.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RatioKey {
    /// Upper and lower case are the same, as they are in a spreadsheet's lookup.
    pub operator_type: Option<String>,
    /// Shape of the weight as a matrix.
    pub shape: WeightShape,
    /// Element type of the weight.
    pub data_type: Option<DataType>,
    /// Shape of its zero blocks.
    pub block: Block,
}

impl fmt::Display for RatioKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(operator_type) = &self.operator_type {
            write!(out, "{operator_type} ")?;
        }
        write!(out, "{}", self.shape)?;
        if let Some(data_type) = self.data_type {
            write!(out, " {data_type}")?;
        }
        write!(out, " in blocks of {}", self.block)
    }
}

/// Dense latency / sparse latency, at one sparsity from 0 to 1. Above 0;
/// below 1 if the sparse kernel is slower.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatioPoint {
    /// Sparsity, from 0 to 1.
    pub level: f64,
    /// `low` and `high` equal the value unless a range was given.
    pub ratio: Estimate,
    /// Given, measured or default.
    pub origin: Origin,
}

impl RatioPoint {
    /// Measured, and 1 without an interval.
    fn is_of_multiplied(&self) -> bool {
        self.origin == Origin::Measured && self.ratio == Estimate::exact(1.0)
    }
}

/// The perf ratios of a weight shape.
#[derive(Clone, Debug, PartialEq)]
pub struct RatioRow {
    /// Operators that the ratios apply to.
    pub key: RatioKey,
    /// In ascending order of their levels, which differ.
    pub points: Vec<RatioPoint>,
    /// Perf ratio at sparsities below the lowest level; 1 by default.
    pub others: f64,
}

impl RatioRow {
    /// A row without points.
    pub fn new(key: RatioKey) -> RatioRow {
        RatioRow { key, points: Vec::new(), others: 1.0 }
    }

    /// Sets the ratio at a level, in place of one that is there.
    pub fn set(&mut self, level: f64, ratio: Estimate) {
        self.insert(RatioPoint { level, ratio, origin: Origin::Given });
    }

    /// Puts in a point, in place of one at its level.
    pub fn insert(&mut self, point: RatioPoint) {
        // Levels that differ by rounding are one.
        self.points.retain(|known| (known.level - point.level).abs() >= SAME_LEVEL);
        let place = self.points.partition_point(|known| known.level < point.level);
        self.points.insert(place, point);
    }

    /// Without measured ratios of layers that multiply by their zeros, where another is given: a curve
    /// of both would be neither.
    pub(super) fn given_over_multiplied(mut self) -> RatioRow {
        let is_given = |point: &RatioPoint| point.origin == Origin::Given;
        let is_either = |point: &RatioPoint| is_given(point) || point.is_of_multiplied();
        let is_of_layers = self.key.shape != WeightShape::NOT_PRUNED;
        if is_of_layers && self.points.iter().any(is_given) && self.points.iter().all(is_either) {
            self.points.retain(is_given);
        }
        self
    }

    /// What is given here, and otherwise what was measured, in place of defaults: a curve of both
    /// would be neither.
    pub(super) fn over_measured(mut self, measured: &RatioRow) -> RatioRow {
        self.points.retain(|point| point.origin == Origin::Given);
        for point in &measured.points {
            if self.point(point.level).is_none() {
                self.insert(*point);
            }
        }
        self
    }

    /// The point at a level.
    pub fn point(&self, level: f64) -> Option<&RatioPoint> {
        self.points.iter().find(|point| (point.level - level).abs() < SAME_LEVEL)
    }

    /// Whether these operators were measured, and multiply by their zeros: then each ratio is 1,
    /// without an interval (`docs/statistics.md#measured-ratios`).
    pub fn multiplies_zeros(&self) -> bool {
        let is_of_layers = self.key.shape != WeightShape::NOT_PRUNED;
        is_of_layers
            && self.others == 1.0
            && !self.points.is_empty()
            && self.points.iter().all(RatioPoint::is_of_multiplied)
    }

    /// Origin of the ratio below all levels: the default unless it was set to another than 1.
    pub fn origin_below(&self) -> Origin {
        if self.others == 1.0 { Origin::Default } else { Origin::Given }
    }

    /// The origins of its points.
    pub fn origins(&self) -> Origins {
        let origins = self.points.iter().map(|point| Some(RatioOrigin::At(point.origin)));
        origins.collect()
    }

    /// Origin of the perf ratio at a sparsity, see [`at`](RatioRow::at);
    /// `None` if the row holds none.
    pub fn origin_at(&self, level: f64) -> Option<RatioOrigin> {
        // As `at` looks levels up: within `SAME_LEVEL` of a point is at the point.
        let above = self.points.partition_point(|point| point.level <= level + SAME_LEVEL);
        let below = above.checked_sub(1).and_then(|at| self.points.get(at));
        let known = |point: &RatioPoint| (point.level, point.origin);
        Some(match (below, self.points.get(above)) {
            (None, None) if self.others == 1.0 => return None,
            // Below the lowest level, nothing is taken to change, and no default says so.
            (None, _) if self.others == 1.0 && self.key.shape == WeightShape::NOT_PRUNED => {
                return None;
            }
            (None, _) => RatioOrigin::Below(self.origin_below()),
            (Some(below), _) if (level - below.level).abs() < SAME_LEVEL => {
                RatioOrigin::At(below.origin)
            }
            (Some(below), Some(above)) => RatioOrigin::Between([known(below), known(above)]),
            (Some(below), None) => RatioOrigin::Above(below.level, below.origin),
        })
    }

    /// The perf ratio at a sparsity.
    ///
    /// Between two levels it is on the straight line between their ratios. Above
    /// the highest it is that of the highest, because nothing tells how it goes
    /// on. Below the lowest it is [`others`](RatioRow::others).
    pub fn at(&self, level: f64) -> Estimate {
        let above = self.points.partition_point(|point| point.level <= level + SAME_LEVEL);
        let Some(below) = above.checked_sub(1).and_then(|at| self.points.get(at)) else {
            return Estimate::exact(self.others);
        };
        let Some(above) = self.points.get(above) else { return below.ratio };
        let fraction = (level - below.level) / (above.level - below.level);
        let between = |low: f64, high: f64| low + fraction * (high - low);
        Estimate {
            value: between(below.ratio.value, above.ratio.value),
            low: between(below.ratio.low, above.ratio.low),
            high: between(below.ratio.high, above.ratio.high),
        }
    }
}

/// Key of an operator type: upper and lower case are the same.
pub(super) fn folded_type(operator_type: &str) -> String {
    short_name(operator_type).to_lowercase()
}

/// Rows, found by what they apply to.
#[derive(Clone, Debug, Default)]
pub(super) struct RatioTable {
    by_shape: HashMap<(WeightShape, Block), Vec<usize>>,
    keys: Vec<(Option<String>, Option<DataType>)>,
}

impl RatioTable {
    /// Finds rows by these keys; of equal ones the first.
    pub(super) fn new<'a>(rows: impl IntoIterator<Item = &'a RatioKey>) -> RatioTable {
        let mut table = RatioTable::default();
        for key in rows {
            let number = table.keys.len();
            table.keys.push((key.operator_type.as_deref().map(folded_type), key.data_type));
            table.by_shape.entry((key.shape, key.block)).or_default().push(number);
        }
        table
    }

    /// Position of the row of operators that no target changes, of any type.
    pub(super) fn of_not_pruned(&self, block: Block) -> Option<usize> {
        let rows = self.by_shape.get(&(WeightShape::NOT_PRUNED, block))?;
        rows.iter().copied().find(|&number| self.keys[number] == (None, None))
    }

    /// Position of the row that fits best: one for this operator type before one
    /// for all, then one for this element type before one for all, then the first.
    pub(super) fn find(&self, operator_type: &str, weight: &Weight, block: Block) -> Option<usize> {
        let candidates = self.by_shape.get(&(WeightShape::of(weight), block))?;
        let operator_type = folded_type(operator_type);
        let fit = |&number: &usize| {
            let (wanted_type, wanted_data_type) = &self.keys[number];
            let types = wanted_type.as_ref().is_none_or(|wanted| *wanted == operator_type);
            let data_types = wanted_data_type.is_none_or(|wanted| wanted == weight.data_type);
            // `false` sorts first: rows for this operator type, then those for this element type.
            (types && data_types).then_some((wanted_type.is_none(), wanted_data_type.is_none()))
        };
        let fitting = candidates.iter().filter_map(|number| Some((fit(number)?, *number)));
        fitting.min().map(|(_, number)| number)
    }
}
