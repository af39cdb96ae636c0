//! How values are spread, for each row of a table: a block for formats that can draw it.

use super::named::Named;
use serde::{Serialize, Serializer};

/// A histogram for each row of a table, in columns.
#[derive(Clone, Debug, Serialize)]
pub struct Histograms {
    /// Identifier in machine-readable formats.
    #[serde(skip)]
    pub key: &'static str,
    pub table: &'static str,
    /// Bins of each, of equal width.
    pub bins: usize,
    /// By row: where the first bin begins; `None` if nothing is known of the row.
    pub low_ms: Vec<Option<f64>>,
    /// By row: where the last bin ends.
    pub high_ms: Vec<Option<f64>>,
    /// By row, then by bin: how many values lie in it.
    pub counts: Vec<Option<u32>>,
}

impl Histograms {
    /// As a block among others.
    pub(in crate::document) fn named<S: Serializer>(
        &self,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        Named { key: self.key, title: None, columns: self }.serialize(serializer)
    }
}
