//! Modules as the rungs of a ladder that unfold: a block for formats that can draw it.

use super::named::Named;
use serde::{Serialize, Serializer};

/// A tree of modules and their operators, in columns; parents come before their children.
#[derive(Clone, Debug, Serialize)]
pub struct Ladder {
    /// Key of the table that has the operators.
    pub table: &'static str,
    /// Key of its column that `value` adds up; `None` where no time is known.
    pub value_key: Option<&'static str>,
    /// Key of its column that `share` adds up.
    pub share_key: &'static str,
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
    /// By rung: the row of its operator, if it is one.
    pub row: Vec<Option<u32>>,
    /// By rung: operators in it.
    pub operators: Vec<u32>,
    /// By rung: the sum over its children; `None` where one is unknown.
    pub value: Vec<Option<f64>>,
    /// The same of shares.
    pub share: Vec<Option<f64>>,
    /// The same of operations per iteration.
    pub flops: Vec<Option<f64>>,
}

/// What a rung is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rung {
    /// Operators whose names begin alike.
    Module,
    /// Operators that repeat.
    Pattern,
    /// Some of many.
    Part,
    /// A single one.
    Operator,
}

impl Ladder {
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
