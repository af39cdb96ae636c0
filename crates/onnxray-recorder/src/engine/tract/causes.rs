//! tract's errors, as one line each.

use crate::memory::size;
use tract_onnx::prelude::TractError;

/// The chain of causes that tract reports.
pub(super) fn causes(error: &TractError) -> String {
    let mut causes: Vec<String> = Vec::new();
    for cause in error.chain() {
        let text = cause.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        if !causes.iter().any(|earlier| earlier.contains(&text)) {
            causes.push(text);
        }
    }
    causes.join(": ")
}

/// What a panic of tract says, which it does where there is no memory for a tensor.
pub(super) fn panicked(text: &str) -> String {
    let bytes = text.strip_prefix("failed to allocate Layout { size: ");
    let bytes = bytes.and_then(|rest| rest.split(',').next()?.parse().ok());
    match bytes {
        Some(bytes) => format!("there is no memory for a tensor of {}", size(bytes)),
        None => text.to_string(),
    }
}
