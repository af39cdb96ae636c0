//! Which rows of a table read what others write: a block for formats that can lead there.

use super::named::Named;
use serde::{Serialize, Serializer};

/// Edges between the rows of a table, in columns.
#[derive(Clone, Debug, Serialize)]
pub struct Graph {
    pub table: &'static str,
    /// By edge: the row that writes a tensor.
    pub from: Vec<u32>,
    /// By edge: the row that reads it.
    pub to: Vec<u32>,
}

impl Graph {
    /// Identifier in machine-readable formats.
    pub(crate) const KEY: &'static str = "graph";

    /// As a block among others.
    pub(in crate::document) fn named<S: Serializer>(
        &self,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        Named { key: Graph::KEY, title: None, columns: self }.serialize(serializer)
    }
}
