//! What the projection's workbook calls its sheets, columns and settings: the
//! report writes these words, and settings are found again by them.

/// Names of sheets.
pub(crate) mod sheet {
    pub(crate) const RATIOS: &str = "Sparse ratio setting";
    pub(crate) const OPERATORS: &str = "Operator profiling";
    pub(crate) const TOTALS: &str = "Total profiling";
    pub(crate) const TYPES: &str = "Layer types";
    pub(crate) const LEVELS: &str = "Summary type";
    pub(crate) const PLAN: &str = "Plan";
    pub(crate) const NOTES: &str = "Notes";
}

/// Words by which tables and their ends are found, wherever they stand.
pub(crate) const RESERVED: Reserved = Reserved {
    whole: &[heading::WEIGHT_SHAPE, heading::OPERATOR_NAME, heading::OPERATOR_TYPE, heading::TOTAL],
    beginnings: &[heading::MODEL_TARGET, heading::TOTAL_LATENCY],
};

/// Words that no name is written as.
pub(crate) struct Reserved {
    pub(crate) whole: &'static [&'static str],
    /// What begins with these is not, either.
    pub(crate) beginnings: &'static [&'static str],
}

/// What a column of perf ratios holds.
pub(crate) mod kind {
    pub(crate) const VALUE: &str = "perf ratio";
    pub(crate) const LOW: &str = "perf ratio, low";
    pub(crate) const HIGH: &str = "perf ratio, high";
    pub(crate) const ORIGIN: &str = "perf ratio, origin";
    pub(crate) const COMPUTED: &str = "computed";
}

/// Headings of columns, and labels of settings.
pub(crate) mod heading {
    pub(crate) const WEIGHT_SHAPE: &str = "weight shape";
    pub(crate) const OPERATOR_NAME: &str = "operator name";
    pub(crate) const OPERATOR_TYPE: &str = "operator type";
    pub(crate) const DATA_TYPE: &str = "data type";
    pub(crate) const BLOCK: &str = "block";
    pub(crate) const BLOCK_SHAPE: &str = "block shape";
    pub(crate) const OPERATORS: &str = "operators";
    pub(crate) const ORIGIN: &str = "origin";
    /// Perf ratio below the lowest sparse ratio.
    pub(crate) const OTHERS: &str = "others";
    pub(crate) const TARGET: &str = "aim to weight sparse ratio";
    pub(crate) const MODEL_TARGET: &str = "aim to weight sparse ratio, all operators";
    pub(crate) const INHERITED_TARGET: &str = "target of type or model";
    /// The last row of operator types.
    pub(crate) const TOTAL: &str = "total";
    /// What follows the operators of a profile.
    pub(crate) const TOTAL_LATENCY: &str = "total latency";
    pub(crate) const OVERRIDE: &str = "override";
    pub(crate) const BUDGET: &str = "budget (share of prunable parameters)";
    pub(crate) const BALANCE: &str = "balance (1: loss only, 0: latency only)";
    pub(crate) const MINIMUM: &str = "minimum level";
    pub(crate) const MAXIMUM: &str = "maximum level";
    pub(crate) const PRUNE_FIRST: &str = "prune the first layer";
    pub(crate) const PRUNE_GROUPED: &str = "prune grouped convolutions";
}
