//! What a page projects from: what was measured, and the settings that can be edited.

use onnxray_analyzer::projection::{Basis, Estimate, Exclusion, Outcome, Outside, Settings};

/// Everything that the arithmetic of a projection needs, and no figure that follows from
/// it. Positions are those of the tables of operators, types and layers; a column has a
/// value for each of them.
#[derive(Clone, Debug)]
pub struct ProjectionInputs {
    /// What latencies are of.
    pub basis: Basis,
    /// Whether it is known how far latencies may be off.
    pub latency_ends: bool,
    /// What is known beside the operators.
    pub outside: Outside,
    /// Of the model; `None` if unknown.
    pub parameters: Option<u64>,
    /// In order of execution.
    pub operators: OperatorInputs,
    /// In the order of the table of types.
    pub types: TypeInputs,
    /// Operators with a weight, in order of execution.
    pub layers: LayerInputs,
    /// With all ratios that apply, defaults among them, and all levels.
    pub settings: Settings,
    /// By row of ratios: operators that look their ratio up there.
    pub row_operators: Vec<u64>,
    /// What the names in the settings are of.
    pub names: SettingNames,
}

/// Operators, in columns.
#[derive(Clone, Debug)]
pub struct OperatorInputs {
    /// In milliseconds; `None` if unknown.
    pub latency: Vec<Option<Estimate>>,
    /// Whether block-sparse kernels apply.
    pub sparse_support: Vec<bool>,
    /// Share of zero blocks of the weight; `None` if it has none or that is unknown.
    pub sparse_ratio: Vec<Option<f64>>,
    /// Why no target can change it; `None` if one can.
    pub fixed: Vec<Option<Outcome>>,
    /// Position of its type.
    pub operator_type: Vec<usize>,
    /// Row of the ratios that apply; `None` where no target can change it.
    pub row: Vec<Option<usize>>,
    /// The first operator that settings by name take for the same.
    pub same_name: Vec<usize>,
    /// Per iteration; `None` if unknown.
    pub flops: Vec<Option<f64>>,
}

/// Operator types, in columns.
#[derive(Clone, Debug)]
pub struct TypeInputs {
    /// As the trace has it.
    pub name: Vec<String>,
    /// Operators of the type.
    pub operators: Vec<u64>,
    /// The first type that settings by name take for the same.
    pub same_name: Vec<usize>,
    /// Per iteration; `None` if any operator's are unknown.
    pub flops: Vec<Option<f64>>,
}

/// Layers of the plan, in columns.
#[derive(Clone, Debug)]
pub struct LayerInputs {
    /// Position of the operator.
    pub operator: Vec<usize>,
    /// Elements of the weight; 0 where an earlier layer has the same one.
    pub parameters: Vec<u64>,
    /// The first layer that has the weight.
    pub same_weight: Vec<usize>,
    /// Why it is left dense unless its level is fixed.
    pub exclusion: Vec<Option<Exclusion>>,
    /// Where the budget put it, from 0 to 1.
    pub planned: Vec<f64>,
}

/// The first type or operator of each name in lists of settings; `None` if the model has
/// none.
#[derive(Clone, Debug)]
pub struct SettingNames {
    /// Of targets of types.
    pub types: Vec<Option<usize>>,
    /// Of targets of operators.
    pub operators: Vec<Option<usize>>,
    /// Of levels that are fixed in the plan.
    pub overrides: Vec<Option<usize>>,
}
