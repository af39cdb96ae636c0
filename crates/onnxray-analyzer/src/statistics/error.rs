//! Why figures could not be computed.

use onnxray_text::shown;
use std::path::PathBuf;

/// Reasons that a recording has no figures.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant's message says it")]
pub enum StatisticsError {
    #[error(
        "{}: no measured iteration was recorded ({warmup} warm-up){}",
        shown(path),
        of_other_phases(*others)
    )]
    NoIterations { path: PathBuf, warmup: usize, others: usize },
}

fn of_other_phases(iterations: usize) -> String {
    match iterations {
        0 => String::new(),
        count => format!("; {count} are of another phase, which --phase chooses"),
    }
}
