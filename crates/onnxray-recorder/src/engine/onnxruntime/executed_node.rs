//! What is known of a node that a session executes.

use onnxray_format::Tensor;

pub(super) struct ExecutedNode {
    pub(super) name: String,
    pub(super) operator_type: String,
    /// Who ran it, as the profile says; `None` if it did not run.
    pub(super) provider: Option<String>,
    /// Position in its graph; `None` for one that is in no graph that was saved.
    pub(super) position: Option<usize>,
    /// The node that holds its body, and which attribute that is.
    pub(super) home: Option<(usize, String)>,
    /// Executions in the run that was seen.
    pub(super) executions: u64,
    /// Bytes that the allocator had handed out when it ended; `None` where the profile does not say,
    /// before version 1.29.
    pub(super) allocated_bytes: Option<u64>,
    /// Tensors as the profile states them: types and shapes, with numbers for names.
    pub(super) inputs: Vec<Tensor>,
    pub(super) outputs: Vec<Tensor>,
}
