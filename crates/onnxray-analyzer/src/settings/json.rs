//! Settings as JSON, to be saved and reused.
//!
//! ```json
//! {
//!   "format": "onnxray sparse settings",
//!   "version": 1,
//!   "block": "4x1",
//!   "levels": [0.9, 0.8],
//!   "targets": {"model": 0.9, "types": {"MatMul": 0.8}, "operators": {"/head/MatMul": 0}},
//!   "default_ratios": false,
//!   "ratios": [
//!     {
//!       "weight_shape": "256x256", "operator_type": "MatMul", "data_type": "fp32",
//!       "block": "4x1", "others": 1,
//!       "points": [{"sparse_ratio": 0.9, "perf_ratio": 4, "low": 3.5, "high": 4.5,
//!                   "origin": "given"}]
//!     }
//!   ],
//!   "plan": {
//!     "budget": 0.85, "minimum": 0.4, "maximum": 0.95, "balance": 0.5,
//!     "max_loss": 0.01, "first": false, "grouped": false, "overrides": {"/head/MatMul": 0.5},
//!     "sensitivities": [{"layer": "/head/MatMul", "points": [[0.5, 0.01]]}]
//!   }
//! }
//! ```
//!
//! Everything but the first two members may be missing. A member `measured_on` says where measured
//! ratios are from.

use super::gather::{Gather, Named};
use super::json_document::{Document, FORMAT, Levels, Plan, Point, Ratio, Sensitivity, VERSION};
use super::point;
use super::shape;
use crate::projection::{DEFAULT_BLOCK, RatioKey, RatioRow, Sensitivity as Known};
use crate::quantity::Quantity;
use onnxray_format::Block;
use onnxray_text::printable;
use serde::Deserialize;
use serde_json::value::RawValue;

/// Members that identify a document of ours and its version.
#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    format: Option<&'a RawValue>,
    #[serde(borrow)]
    version: Option<&'a RawValue>,
}

/// Reads a document; `None` if it is one of another kind.
pub(crate) fn read(text: &str) -> Option<Gather> {
    let mut reader = Reader { gather: Gather::default(), block: DEFAULT_BLOCK };
    let head: Head = match serde_json::from_str(text) {
        Ok(head) => head,
        Err(error) => {
            reader.gather.problem("invalid JSON", &reason(&error));
            return Some(reader.gather);
        }
    };
    let format = head.format.and_then(|raw| serde_json::from_str::<String>(raw.get()).ok());
    if format.as_deref() != Some(FORMAT) {
        return None;
    }
    let version = head.version.map_or("nothing", RawValue::get);
    if version != VERSION.to_string() {
        let what = format!("expected {VERSION}, the version that is known, found {version}");
        reader.gather.problem("version", &shortened(&what));
        return Some(reader.gather);
    }
    let mut json = serde_json::Deserializer::from_str(text);
    match serde_path_to_error::deserialize(&mut json) {
        Ok(document) => reader.document(document),
        Err(error) => {
            let path = shortened(&error.path().to_string());
            reader.gather.problem(&path, &reason(error.inner()));
        }
    }
    Some(reader.gather)
}

/// The error with its line and column.
fn reason(error: &serde_json::Error) -> String {
    shortened(&error.to_string())
}

/// Names and texts from a document, safe to show and not longer than it helps.
fn shortened(text: &str) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        // Keep the end, which has the line and column.
        Some((start, _)) => {
            let end = text.char_indices().rev().nth(MOST / 4).map_or(start, |(end, _)| end);
            let end = text.get(end.max(start)..).unwrap_or_default();
            printable(&format!("{}…{end}", text.get(..start).unwrap_or_default()))
        }
        None => printable(text),
    }
}

/// Checks the values of a document.
struct Reader {
    gather: Gather,
    /// Of rows that do not state theirs.
    block: Block,
}

impl Reader {
    fn document(&mut self, document: Document) {
        let Document { block, levels, targets, default_ratios, ratios, plan, measured_on, .. } =
            document;
        self.gather.given.measured_on = measured_on;
        // First: rows without a block of their own take this one.
        self.gather.given.block = self.parsed("block", block.as_deref(), shape::block);
        self.block = self.gather.given.block.unwrap_or(self.block);
        self.gather.given.levels = levels.map(|levels| {
            let levels = (0..).zip(levels);
            let level = |(number, level): (usize, f64)| {
                self.quantity(&format!("levels[{number}]"), level, Quantity::SparseRatio)
            };
            levels.filter_map(level).collect()
        });
        let model = self.optional("targets.model", targets.model, Quantity::SparseRatio);
        self.gather.given.targets.model = model;
        self.levels("targets.types", targets.types, Named::Type);
        self.levels("targets.operators", targets.operators, Named::Operator);
        self.gather.given.default_ratios = default_ratios;
        for (number, ratio) in ratios.iter().enumerate() {
            self.ratio(format!("ratios[{number}]"), ratio);
        }
        self.plan(plan);
    }

    /// Sparsities by name.
    fn levels(&mut self, path: &str, Levels(levels): Levels, named: Named) {
        for (name, level) in levels {
            let path = format!("{path}.{}", shortened(&name));
            if let Some(level) = self.quantity(&path, level, Quantity::SparseRatio) {
                self.gather.level(named, &name, Some(level), path);
            }
        }
    }

    fn ratio(&mut self, path: String, ratio: &Ratio) {
        let at = |member: &str| format!("{path}.{member}");
        let shape =
            self.parsed(&at("weight_shape"), Some(&ratio.weight_shape), shape::weight_shape);
        let data_type = ratio.data_type.as_deref();
        let data_type = self.parsed(&at("data_type"), data_type, shape::data_type);
        let block = self.parsed(&at("block"), ratio.block.as_deref(), shape::block);
        let others = self.optional(&at("others"), ratio.others, Quantity::PerfRatio);
        let Some(shape) = shape else { return };
        let operator_type = ratio.operator_type.clone();
        let block = block.unwrap_or(self.block);
        let mut row = RatioRow::new(RatioKey { operator_type, shape, data_type, block });
        row.others = others.unwrap_or(row.others);
        for (number, point) in ratio.points.iter().enumerate() {
            self.point(&at(&format!("points[{number}]")), point, &mut row);
        }
        self.gather.row(path, row);
    }

    fn point(&mut self, path: &str, point: &Point, row: &mut RatioRow) {
        let at = |member: &str| format!("{path}.{member}");
        let level = self.quantity(&at("sparse_ratio"), point.sparse_ratio, Quantity::SparseRatio);
        let value = self.quantity(&at("perf_ratio"), point.perf_ratio, Quantity::PerfRatio);
        let low = self.optional(&at("low"), point.low, Quantity::PerfRatio);
        let high = self.optional(&at("high"), point.high, Quantity::PerfRatio);
        let origin = self.parsed(&at("origin"), point.origin.as_deref(), shape::origin);
        let (Some(level), Some(value)) = (level, value) else { return };
        let added = point::range(value, low, high)
            .map_err(|(_, what)| what)
            .and_then(|ratio| point::add(row, point::of(level, ratio, origin)));
        self.checked(path, added);
    }

    fn plan(&mut self, plan: Plan) {
        let budget = self.optional("plan.budget", plan.budget, Quantity::SparseRatio);
        let minimum = self.optional("plan.minimum", plan.minimum, Quantity::SparseRatio);
        let maximum = self.optional("plan.maximum", plan.maximum, Quantity::SparseRatio);
        let balance = self.optional("plan.balance", plan.balance, Quantity::Share);
        let max_loss = self.optional("plan.max_loss", plan.max_loss, Quantity::Loss);
        let given = &mut self.gather.given.plan;
        (given.budget, given.minimum, given.maximum) = (budget, minimum, maximum);
        (given.balance, given.max_loss) = (balance, max_loss);
        (given.first, given.grouped) = (plan.first, plan.grouped);
        let bounds = point::check_bounds(given);
        self.checked("plan", bounds);
        self.levels("plan.overrides", plan.overrides, Named::Override);
        for (number, sensitivity) in plan.sensitivities.into_iter().enumerate() {
            self.sensitivity(format!("plan.sensitivities[{number}]"), sensitivity);
        }
    }

    fn sensitivity(&mut self, path: String, Sensitivity { layer, points: given }: Sensitivity) {
        let mut points = Vec::new();
        for (number, (level, loss)) in given.into_iter().enumerate() {
            let path = format!("{path}.points[{number}]");
            let level = self.quantity(&format!("{path}[0]"), level, Quantity::SparseRatio);
            let loss = self.quantity(&format!("{path}[1]"), loss, Quantity::Loss);
            if let (Some(level), Some(loss)) = (level, loss) {
                self.checked(&path, point::add_loss(&mut points, level, loss));
            }
        }
        self.gather.sensitivity(Known { layer, points }, path);
    }

    fn optional(&mut self, path: &str, number: Option<f64>, quantity: Quantity) -> Option<f64> {
        self.quantity(path, number?, quantity)
    }

    fn quantity(&mut self, path: &str, number: f64, quantity: Quantity) -> Option<f64> {
        let reading = self.checked(path, quantity.of_number(number))?;
        let written = number.to_string();
        self.gather.findings.taken(reading.remark, path, &written, reading.value);
        Some(reading.value)
    }

    fn parsed<T>(
        &mut self,
        path: &str,
        text: Option<&str>,
        parse: fn(&str) -> Result<T, String>,
    ) -> Option<T> {
        self.checked(path, parse(text?))
    }

    fn checked<T>(&mut self, path: &str, result: Result<T, String>) -> Option<T> {
        result.map_err(|what| self.gather.problem(path, &what)).ok()
    }
}
