//! The nodes of a model, as they are joined to operators.

use crate::origins::Call;
use onnxray_format::Operator;
use serde::{Deserialize, Serialize};

/// What an ONNX model says of its nodes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ModelNodes {
    /// One operator per node, those of bodies behind the one that holds them.
    pub nodes: Vec<Operator>,
    /// Of each, whether its result is the same for all inputs.
    pub constant: Vec<bool>,
    /// The calls of model-local functions that nodes stand in place of, in their order.
    pub calls: Vec<Call>,
}
