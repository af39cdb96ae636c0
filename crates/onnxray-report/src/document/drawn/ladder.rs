//! Modules as the rungs of a ladder that unfold: a block for formats that can draw it.

use super::named::Named;
use crate::document::Cell;
use onnxray_analyzer::modules::{Content, Node, sums};
use serde::{Serialize, Serializer};

/// A tree of modules and their operators, in columns; parents come before their children.
#[derive(Clone, Debug, Serialize)]
pub struct Ladder {
    /// Key of the table that has the operators.
    pub table: &'static str,
    /// Whether what repeats is one rung.
    pub folded: bool,
    /// By rung: its part of the name.
    pub name: Vec<String>,
    /// By rung: the one that it is in.
    pub parent: Vec<Option<u32>>,
    /// By rung: what it is.
    pub rung: Vec<Rung>,
    /// By rung: how many modules or operators of different names it stands for.
    pub copies: Vec<u32>,
    /// By rung: the row of its operator, or the number of its layer, if it is one.
    pub row: Vec<Option<u32>>,
    /// By rung: operators in it.
    pub operators: Vec<u32>,
    /// What there is to say of each rung.
    #[serde(flatten)]
    pub figures: RungFigures,
}

/// Figures of rungs, in columns; `None` where one is unknown.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum RungFigures {
    /// Of a recording: sums over the children.
    Times {
        /// Key of the column of operators that `value` adds up; `None` where no time is known.
        value_key: Option<&'static str>,
        /// Key of their column that `share` adds up.
        share_key: &'static str,
        value: Vec<Option<f64>>,
        share: Vec<Option<f64>>,
        /// Operations per iteration.
        flops: Vec<Option<f64>>,
    },
    /// Of a version beside the baseline: of all layers of a rung as one group, which is what its
    /// verdict is of. Typical times are not sums.
    Differences {
        /// What the version is called.
        version: String,
        /// Typical times of A per iteration, in milliseconds; `None` where A does not execute it.
        a: Vec<Option<f64>>,
        /// The same of B.
        b: Vec<Option<f64>>,
        /// Typical time of B - typical time of A, in milliseconds.
        difference: Vec<Option<f64>>,
        /// Typical time of B / typical time of A.
        ratio: Vec<Option<f64>>,
        /// Where its 95 % interval begins.
        ratio_low: Vec<Option<f64>>,
        /// Where it ends.
        ratio_high: Vec<Option<f64>>,
        /// Whether there is a difference.
        verdict: Vec<Cell>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rung {
    /// Operators whose names begin alike.
    Module,
    /// Operators that repeat.
    Pattern,
    /// Some of many.
    Part,
    Operator,
}

impl Rung {
    fn of(content: Content) -> Rung {
        match content {
            Content::Module => Rung::Module,
            Content::Pattern => Rung::Pattern,
            Content::Part => Rung::Part,
            Content::Operator(_) => Rung::Operator,
        }
    }
}

impl Ladder {
    /// A tree of rows of a table.
    pub(crate) fn new(
        table: &'static str,
        folded: bool,
        nodes: Vec<Node>,
        figures: RungFigures,
    ) -> Ladder {
        let row = |node: &Node| match node.content {
            Content::Operator(at) => Some(at as u32),
            _ => None,
        };
        let counts = sums(&nodes, |_| Some(1.0));
        Ladder {
            table,
            folded,
            parent: nodes.iter().map(|node| node.parent.map(|at| at as u32)).collect(),
            rung: nodes.iter().map(|node| Rung::of(node.content)).collect(),
            copies: nodes.iter().map(|node| node.copies as u32).collect(),
            row: nodes.iter().map(row).collect(),
            operators: counts.iter().map(|count| count.unwrap_or(0.0) as u32).collect(),
            figures,
            name: nodes.into_iter().map(|node| node.name).collect(),
        }
    }

    /// Identifier in machine-readable formats.
    pub(crate) const KEY: &'static str = "ladder";

    /// As a block among others.
    pub(in crate::document) fn named<S: Serializer>(
        &self,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        Named { key: Ladder::KEY, title: None, columns: self }.serialize(serializer)
    }
}
