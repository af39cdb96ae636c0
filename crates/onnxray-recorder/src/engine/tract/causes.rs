//! tract's errors, as one line each.

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
