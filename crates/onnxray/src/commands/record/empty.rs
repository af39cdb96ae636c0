//! Results without elements: what was measured is not what the model is for.

use onnxray_analyzer::statistics::OperatorSummary;
use onnxray_format::{DataType, Phase};
use onnxray_text::{counted, first_of, printable};

/// Names operators that had nothing to compute, if any: made-up inputs may select nothing.
pub(super) fn empty_results(operators: &[OperatorSummary]) -> Option<String> {
    let empty: Vec<&OperatorSummary> = operators.iter().filter(|one| is_empty(one)).collect();
    if empty.is_empty() {
        return None;
    }
    let names = empty.iter().map(|one| format!("`{}`", printable(&one.operator.name)));
    Some(format!(
        "{} without elements, so that little is computed: {}; give the inputs that decide it values of \
         their own with --input NAME=FILE.npy",
        counted(empty.len() as u64, "operator has results", "operators have results"),
        first_of(names, ", ")
    ))
}

/// A cache is empty when the prompt comes, and so may be lists of sizes and places.
fn is_empty(one: &OperatorSummary) -> bool {
    let outputs = &one.operator.outputs;
    let has_none = outputs.iter().all(|output| {
        // Integers and booleans hold sizes, places and masks; these may rightly be empty.
        let is_list = matches!(output.data_type, None | Some(DataType::S64 | DataType::Bool));
        !is_list && output.shape.as_ref().is_some_and(|shape| shape.contains(&0))
    });
    // An operator without outputs would pass `all`.
    one.operator.phase != Some(Phase::Prefill) && !outputs.is_empty() && has_none
}
