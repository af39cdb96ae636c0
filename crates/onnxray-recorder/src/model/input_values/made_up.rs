//! Why a model may fail: nobody gave some of its inputs, and what is made up is not what it expects.

use super::inputs::InputFiles;
use crate::error::{RecordError, Takes};
use crate::model::graph::{Graph, GraphInput};
use onnxray_format::DataType::{Bf16, Fp16, Fp32, Fp64};

/// Messages of runtimes that are short of memory: other values would not help.
const MEMORY: [&str; 4] = ["allocate memory", "bad allocation", "bad_alloc", "out of memory"];

/// An error with the names of the inputs that have no file, if it is one of a run.
pub(crate) fn of_made_up(
    error: RecordError,
    graph: &Graph,
    given: &InputFiles,
    takes: Takes,
) -> RecordError {
    let (RecordError::Run { reason } | RecordError::Operator { reason, .. }) = &error else {
        return error;
    };
    let reason = reason.to_ascii_lowercase();
    let inputs = graph.inputs.iter();
    let mut made_up: Vec<&GraphInput> =
        inputs.filter(|input| !given.contains_key(&input.name)).collect();
    if made_up.is_empty() || MEMORY.iter().any(|words| reason.contains(words)) {
        return error;
    }
    // Those that choose and measure are the likely ones.
    made_up.sort_by_key(|input| matches!(input.data_type, Fp64 | Fp32 | Fp16 | Bf16));
    let inputs = made_up.into_iter().map(|input| input.name.clone()).collect();
    RecordError::MadeUp { error: Box::new(error), inputs, takes }
}
