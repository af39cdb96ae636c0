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
//!     "first": false, "grouped": false, "overrides": {"/head/MatMul": 0.5},
//!     "sensitivities": [{"layer": "/head/MatMul", "points": [[0.5, 0.01]]}]
//!   }
//! }
//! ```
//!
//! Everything but the first two members may be missing.

use super::gather::{Gather, Named};
use super::point;
use super::shape;
use crate::printable::quoted;
use crate::projection::{DEFAULT_BLOCK, RatioKey, RatioRow, Sensitivity};
use crate::quantity::Quantity;
use onnxray_format::Block;
use onnxray_format::printable;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::fmt;

pub(crate) const FORMAT: &str = "onnxray sparse settings";
pub(crate) const VERSION: u64 = 1;
/// Elements of an array.
const MOST_ELEMENTS: usize = 1_000_000;

/// Reads a document; `None` if it is one of another kind.
pub(crate) fn read(text: &str) -> Option<Gather> {
    let mut reader = Reader { gather: Gather::default(), block: DEFAULT_BLOCK };
    let root: &RawValue = match serde_json::from_str(text) {
        Ok(root) => root,
        Err(error) => {
            let place = format!("line {}, column {}", error.line(), error.column());
            let what = error.to_string();
            let what = what.split(" at line ").next().unwrap_or_default();
            reader.gather.problem(&place, &format!("no JSON: {what}"));
            return Some(reader.gather);
        }
    };
    let root = Node { path: String::new(), raw: root.get() };
    let members = reader.members(&root, &ROOT);
    let ours = member(&members, "format")
        .is_some_and(|node| serde_json::from_str::<&str>(node.raw).ok() == Some(FORMAT));
    if !ours {
        return None;
    }
    reader.root(&members);
    Some(reader.gather)
}

const ROOT: [&str; 8] =
    ["format", "version", "block", "levels", "targets", "default_ratios", "ratios", "plan"];
const TARGETS: [&str; 3] = ["model", "types", "operators"];
const RATIO: [&str; 6] =
    ["weight_shape", "operator_type", "data_type", "block", "others", "points"];
const POINT: [&str; 5] = ["sparse_ratio", "perf_ratio", "low", "high", "origin"];
const PLAN: [&str; 8] =
    ["budget", "minimum", "maximum", "balance", "first", "grouped", "overrides", "sensitivities"];
const SENSITIVITY: [&str; 2] = ["layer", "points"];

/// A value, and how one gets to it: `ratios[0].points`.
#[derive(Clone, Debug)]
struct Node<'a> {
    path: String,
    raw: &'a str,
}

struct Reader {
    gather: Gather,
    /// Of rows that do not state theirs.
    block: Block,
}

type Members<'a> = Vec<(String, Node<'a>)>;

impl Reader {
    fn root(&mut self, members: &Members) {
        let version = member(members, "version");
        let is_ours = version.is_some_and(|node| node.raw.trim() == VERSION.to_string());
        if !is_ours {
            let found = version.map_or("nothing".to_string(), Node::found);
            let what = format!("expected {VERSION}, the version that is known, found {found}");
            self.gather.problem("version", &what);
            return;
        }
        // First, because rows of ratios go by it.
        if let Some(node) = member(members, "block") {
            self.gather.given.block = self.parsed(node, shape::block);
            self.block = self.gather.given.block.unwrap_or(self.block);
        }
        for (name, node) in members {
            match name.as_str() {
                "levels" => {
                    let levels = self.elements(node);
                    let levels =
                        levels.iter().filter_map(|l| self.quantity(l, Quantity::SparseRatio));
                    self.gather.given.levels = Some(levels.collect());
                }
                "targets" => self.targets(node),
                "default_ratios" => self.gather.given.default_ratios = self.truth(node),
                "ratios" => self.elements(node).iter().for_each(|node| self.ratio(node)),
                "plan" => self.plan(node),
                _ => {}
            }
        }
    }

    fn targets(&mut self, node: &Node) {
        for (name, node) in self.members(node, &TARGETS) {
            match name.as_str() {
                "model" => {
                    self.gather.given.targets.model = self.quantity(&node, Quantity::SparseRatio)
                }
                "types" => self.levels(&node, Named::Type),
                "operators" => self.levels(&node, Named::Operator),
                _ => {}
            }
        }
    }

    /// Sparse ratios by name.
    fn levels(&mut self, node: &Node, named: Named) {
        for (name, node) in self.members(node, &[]) {
            if let Some(level) = self.quantity(&node, Quantity::SparseRatio) {
                self.gather.level(named, &name, Some(level), node.path);
            }
        }
    }

    fn ratio(&mut self, node: &Node) {
        let members = self.members(node, &RATIO);
        let Some(shape) = member(&members, "weight_shape") else {
            self.gather.problem(&node.path, "expected a member \"weight_shape\"");
            return;
        };
        let Some(shape) = self.parsed(shape, shape::weight_shape) else { return };
        let operator_type = member(&members, "operator_type").and_then(|node| self.text(node));
        let data_type =
            member(&members, "data_type").and_then(|node| self.parsed(node, shape::data_type));
        let block = member(&members, "block").and_then(|node| self.parsed(node, shape::block));
        let block = block.unwrap_or(self.block);
        let mut row = RatioRow::new(RatioKey { operator_type, shape, data_type, block });
        if let Some(others) = member(&members, "others") {
            row.others = self.quantity(others, Quantity::PerfRatio).unwrap_or(1.0);
        }
        if let Some(points) = member(&members, "points") {
            for point in self.elements(points) {
                self.point(&point, &mut row);
            }
        }
        self.gather.row(node.path.clone(), row);
    }

    fn point(&mut self, node: &Node, row: &mut RatioRow) {
        let members = self.members(node, &POINT);
        let mut read =
            |name: &str, quantity| member(&members, name).map(|node| self.quantity(node, quantity));
        let (level, value) =
            (read("sparse_ratio", Quantity::SparseRatio), read("perf_ratio", Quantity::PerfRatio));
        let (low, high) = (read("low", Quantity::PerfRatio), read("high", Quantity::PerfRatio));
        let (Some(level), Some(value)) = (level, value) else {
            let what = "expected the members \"sparse_ratio\" and \"perf_ratio\"";
            return self.gather.problem(&node.path, what);
        };
        let (Some(level), Some(value)) = (level, value) else { return };
        let origin = member(&members, "origin").and_then(|node| self.parsed(node, shape::origin));
        let added = point::range(value, low.flatten(), high.flatten())
            .map_err(|(_, what)| what)
            .and_then(|ratio| point::add(row, point::of(level, ratio, origin)));
        if let Err(what) = added {
            self.gather.problem(&node.path, &what);
        }
    }

    fn plan(&mut self, node: &Node) {
        for (name, node) in self.members(node, &PLAN) {
            match name.as_str() {
                "budget" => {
                    self.gather.given.plan.budget = self.quantity(&node, Quantity::SparseRatio)
                }
                "minimum" => {
                    self.gather.given.plan.minimum = self.quantity(&node, Quantity::SparseRatio)
                }
                "maximum" => {
                    self.gather.given.plan.maximum = self.quantity(&node, Quantity::SparseRatio)
                }
                "balance" => self.gather.given.plan.balance = self.quantity(&node, Quantity::Share),
                "first" => self.gather.given.plan.first = self.truth(&node),
                "grouped" => self.gather.given.plan.grouped = self.truth(&node),
                "overrides" => self.levels(&node, Named::Override),
                "sensitivities" => {
                    self.elements(&node).iter().for_each(|node| self.sensitivity(node));
                }
                _ => {}
            }
        }
        if let Err(what) = point::check_bounds(&self.gather.given.plan) {
            self.gather.problem(&node.path, &what);
        }
    }

    fn sensitivity(&mut self, node: &Node) {
        let members = self.members(node, &SENSITIVITY);
        let Some(layer) = member(&members, "layer").and_then(|layer| self.text(layer)) else {
            return self.gather.problem(&node.path, "expected a member \"layer\" with a name");
        };
        let mut points = Vec::new();
        for pair in member(&members, "points").map_or(Vec::new(), |node| self.elements(node)) {
            let numbers = self.elements(&pair);
            let [level, loss] = numbers.as_slice() else {
                self.gather.problem(&pair.path, "expected a sparse ratio and a loss");
                continue;
            };
            let level = self.quantity(level, Quantity::SparseRatio);
            let loss = self.quantity(loss, Quantity::Loss);
            if let (Some(level), Some(loss)) = (level, loss)
                && let Err(what) = point::add_loss(&mut points, level, loss)
            {
                self.gather.problem(&pair.path, &what);
            }
        }
        self.gather.sensitivity(Sensitivity { layer, points }, node.path.clone());
    }

    /// The members of an object, those only that are known, if `known` names any.
    fn members<'a>(&mut self, node: &Node<'a>, allowed: &[&str]) -> Members<'a> {
        let Ok(Pairs(pairs)) = serde_json::from_str(node.raw) else {
            self.expected(node, "an object");
            return Vec::new();
        };
        let mut names = HashSet::new();
        let mut members = Vec::new();
        for (name, raw) in pairs {
            let plain = allowed.is_empty();
            let path = match (plain, node.path.as_str()) {
                (true, path) => format!("{path}[{}]", quoted(&name)),
                (false, "") => printable(&name),
                (false, path) => format!("{path}.{}", printable(&name)),
            };
            if !names.insert(name.clone()) {
                self.gather.problem(&path, "a member that is there already");
            } else if !plain && !allowed.contains(&name.as_str()) {
                let what = format!("an unknown member; expected one of {}", allowed.join(", "));
                self.gather.problem(&path, &what);
            } else {
                members.push((name, Node { path, raw: raw.get() }));
            }
        }
        members
    }

    fn elements<'a>(&mut self, node: &Node<'a>) -> Vec<Node<'a>> {
        let Ok(elements) = serde_json::from_str::<Vec<&'a RawValue>>(node.raw) else {
            self.expected(node, "an array");
            return Vec::new();
        };
        if elements.len() > MOST_ELEMENTS {
            let what = format!("more than {MOST_ELEMENTS} elements");
            self.gather.problem(&node.path, &what);
            return Vec::new();
        }
        let element = |(number, raw): (usize, &'a RawValue)| Node {
            path: format!("{}[{number}]", node.path),
            raw: raw.get(),
        };
        elements.into_iter().enumerate().map(element).collect()
    }

    fn quantity(&mut self, node: &Node, quantity: Quantity) -> Option<f64> {
        // Parsed by the standard library, which is exact.
        let is_number = node.raw.starts_with(|c: char| c == '-' || c.is_ascii_digit());
        let Some(number) = node.raw.parse::<f64>().ok().filter(|_| is_number) else {
            self.expected(node, "a number");
            return None;
        };
        match quantity.of_number(number) {
            Ok(reading) => {
                let findings = &mut self.gather.findings;
                findings.taken(reading.remark, &node.path, node.raw, reading.value);
                Some(reading.value)
            }
            Err(what) => {
                self.gather.problem(&node.path, &what);
                None
            }
        }
    }

    fn text(&mut self, node: &Node) -> Option<String> {
        let text = serde_json::from_str(node.raw).ok();
        if text.is_none() {
            self.expected(node, "a text");
        }
        text
    }

    fn parsed<T>(&mut self, node: &Node, parse: fn(&str) -> Result<T, String>) -> Option<T> {
        let text = self.text(node)?;
        parse(&text).map_err(|what| self.gather.problem(&node.path, &what)).ok()
    }

    fn truth(&mut self, node: &Node) -> Option<bool> {
        let truth = serde_json::from_str(node.raw).ok();
        if truth.is_none() {
            self.expected(node, "true or false");
        }
        truth
    }

    fn expected(&mut self, node: &Node, what: &str) {
        self.gather.problem(&node.path, &format!("expected {what}, found {}", node.found()));
    }
}

impl Node<'_> {
    fn found(&self) -> String {
        match self.raw.as_bytes().first() {
            Some(b'{') => "an object".to_string(),
            Some(b'[') => "an array".to_string(),
            Some(b'"') => quoted(self.raw.trim_matches('"')),
            _ => printable(&self.raw.chars().take(40).collect::<String>()),
        }
    }
}

fn member<'m, 'a>(members: &'m Members<'a>, name: &str) -> Option<&'m Node<'a>> {
    members.iter().find(|(known, _)| known == name).map(|(_, node)| node)
}

/// Members in their order, also those that are there twice.
struct Pairs<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Pairs<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Pairs<'de>;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs<'de>, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}
