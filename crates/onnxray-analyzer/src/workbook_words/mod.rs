//! Words of workbooks: sheets, headings and settings, and names as cells hold them. Reports write
//! these words, and settings are found again by them.
//!
//! ```text
//! matching ◀ names
//! ```

#![expect(missing_docs, reason = "the words say what they are")]

mod matching;
mod names;

pub(crate) use matching::{begins, initial, is, wordings};
pub(crate) use names::from_cell;
pub use names::in_cell;

/// Titles of the first sheets of workbooks in which no settings are read.
pub mod title {
    pub const RECORDING: &str = "onnxray: profile of a recording";
    pub const COMPARISON: &str = "onnxray: comparison with a baseline";
    pub const SWEEP: &str = "onnxray: sweep";
    pub const FLOPS: &str = "onnxray: FLOPS profile";
    pub const LOSS: &str = "onnxray: loss profile";
    pub const VERIFICATION: &str = "onnxray: verification of a projection";
    /// Subject of each workbook, for messages.
    pub(crate) const OTHERS: [(&str, &str); 6] = [
        (RECORDING, "a recording"),
        (COMPARISON, "a comparison"),
        (SWEEP, "a sweep"),
        (FLOPS, "a FLOPS profile"),
        (LOSS, "a loss profile"),
        (VERIFICATION, "a verification"),
    ];
}

/// Names of sheets.
pub mod sheet {
    pub const RATIOS: &str = "Sparse ratio setting";
    pub const OPERATORS: &str = "Projected operators";
    pub const TOTALS: &str = "Projected total";
    pub const TYPES: &str = "By type";
    pub const LEVELS: &str = "By sparsity";
    pub const PLAN: &str = "Plan";
    pub const NOTES: &str = "Notes";
}

/// Kinds of columns of perf ratios.
pub mod kind {
    pub const VALUE: &str = "perf ratio";
    pub const LOW: &str = "perf ratio, low";
    pub const HIGH: &str = "perf ratio, high";
    pub const ORIGIN: &str = "perf ratio, origin";
    pub const COMPUTED: &str = "computed";
}

/// Headings of columns, and labels of settings.
pub mod heading {
    pub const WEIGHT_SHAPE: &str = "weight shape";
    pub const OPERATOR_NAME: &str = "operator name";
    pub const OPERATOR_TYPE: &str = "operator type";
    pub const DATA_TYPE: &str = "data type";
    pub const BLOCK: &str = "block";
    pub const BLOCK_SHAPE: &str = "block shape";
    pub const OPERATORS: &str = "operators";
    pub const ORIGIN: &str = "origin";
    /// Perf ratio below the lowest sparsity.
    pub const OTHERS: &str = "others";
    pub const TARGET: &str = "target sparsity";
    pub const MODEL_TARGET: &str = "target sparsity, all operators";
    pub const INHERITED_TARGET: &str = "target of type or model";
    /// The last row of operator types.
    pub const TOTAL: &str = "total";
    /// First line after the operators of a profile.
    pub const TOTAL_LATENCY: &str = "total latency";
    pub const OVERRIDE: &str = "override";
    pub const BUDGET: &str = "budget (share of prunable parameters)";
    pub const MAX_LOSS: &str = "largest loss (in place of the budget)";
    pub const BALANCE: &str = "balance (1: loss only, 0: latency only)";
    pub const MINIMUM: &str = "minimum sparsity";
    pub const MAXIMUM: &str = "maximum sparsity";
    pub const PRUNE_FIRST: &str = "prune the first layer";
    pub const PRUNE_GROUPED: &str = "prune grouped convolutions";
}
