//! Headings of groups of options in the help.

pub(super) const MODEL: &str = "Model and inputs";
pub(super) const LENGTH: &str = "Length";
pub(super) const PROCESSES: &str = "Processes and threads";
pub(super) const COMPARISON: &str = "Comparison";
pub(super) const OUTPUT: &str = "Output";
pub(super) const DISPLAY: &str = "Display";
pub(super) const READING: &str = "Reading traces";
pub(super) const GATE: &str = "Gate";
pub(super) const GLOBAL: &str = "Global options";
pub(super) const PRUNING: &str = "Pruning";
pub(super) const TARGETS: &str = "Targets";
pub(super) const RATIOS: &str = "Perf ratios";
pub(super) const PLANNING: &str = "Planning";
pub(super) const ONNX_RUNTIME: &str = "ONNX Runtime";
pub(super) const DECODERS: &str = "Decoders";
pub(super) const COMPARING: &str = "Comparing";
pub(super) const RESULTS: &str = "Results";
pub(super) const CONFIGURATIONS: &str = "Configurations";
pub(super) const MEASURING: &str = "Measuring";
pub(super) const RESULT: &str = "Result";
pub(super) const CHANGES: &str = "Changes";
