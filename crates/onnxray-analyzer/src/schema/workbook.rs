//! What the projection's workbook calls its sheets, columns and settings: the
//! report writes these words, and settings are found again by them.

/// Names of sheets.
pub mod sheet {
    /// Perf ratios to set: a row per weight shape and type, a column per level.
    pub const RATIOS: &str = "Sparse ratio setting";
    /// Each operator's latency, target and projected latency.
    pub const OPERATORS: &str = "Operator profiling";
    /// The model before and after.
    pub const TOTALS: &str = "Total profiling";
    /// Each operator type before and after, with a target to set.
    pub const TYPES: &str = "Layer types";
    /// The model and its types with every weight at one level, for each level.
    pub const LEVELS: &str = "Summary type";
    /// Budget, bounds and the level of each layer.
    pub const PLAN: &str = "Plan";
    /// What the figures rest on and mean; settings are not read from it.
    pub const NOTES: &str = "Notes";
}

/// What a column of perf ratios holds.
pub mod kind {
    /// Dense latency by sparse latency, above 0.
    pub const VALUE: &str = "perf ratio";
    /// Lower end, where the ratio is given as a range.
    pub const LOW: &str = "perf ratio, low";
    /// Upper end, where the ratio is given as a range.
    pub const HIGH: &str = "perf ratio, high";
    /// Formulas for lookups, which are not settings.
    pub const COMPUTED: &str = "computed";
}

/// Headings of columns, and labels of settings.
pub mod heading {
    /// A weight as a matrix, `outputs x inputs`.
    pub const WEIGHT_SHAPE: &str = "weight shape";
    /// The operator of a row, which targets and overrides are found by.
    pub const OPERATOR_NAME: &str = "operator name";
    /// ONNX op type; a row of ratios without one is for all types.
    pub const OPERATOR_TYPE: &str = "operator type";
    /// Element type of the weight; a row of ratios without one is for all.
    pub const DATA_TYPE: &str = "data type";
    /// Block shape of one row of ratios.
    pub const BLOCK: &str = "block";
    /// Block shape of a whole table of ratios, above it.
    pub const BLOCK_SHAPE: &str = "block shape";
    /// How many operators a row is about.
    pub const OPERATORS: &str = "operators";
    /// Whether the ratios of a row are the user's or the defaults.
    pub const ORIGIN: &str = "origin";
    /// Perf ratio below the lowest sparse ratio.
    pub const OTHERS: &str = "others";
    /// Sparse ratio from 0 to 1, of an operator or a type.
    pub const TARGET: &str = "aim to weight sparse ratio";
    /// Sparse ratio from 0 to 1, of operators with no target of their own or their type's.
    pub const MODEL_TARGET: &str = "aim to weight sparse ratio, all operators";
    /// What an operator aims at if its own target is not typed over.
    pub const INHERITED_TARGET: &str = "target of type or model";
    /// Level from 0 to 1 in place of the planned one; blank for none.
    pub const OVERRIDE: &str = "override";
    /// Share from 0 to 1.
    pub const BUDGET: &str = "budget (share of prunable parameters)";
    /// Weight of loss against latency, from 0 to 1.
    pub const BALANCE: &str = "balance (1: loss only, 0: latency only)";
    /// Level from 0 to 1 below which a layer is left dense.
    pub const MINIMUM: &str = "minimum level";
    /// Level from 0 to 1 beyond which no layer is pruned.
    pub const MAXIMUM: &str = "maximum level";
    /// TRUE or FALSE; FALSE leaves it dense.
    pub const PRUNE_FIRST: &str = "prune the first layer";
    /// TRUE or FALSE; FALSE leaves them dense.
    pub const PRUNE_GROUPED: &str = "prune grouped convolutions";
}
