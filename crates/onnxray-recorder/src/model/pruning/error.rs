//! Why a model cannot be pruned as it is wanted.

use crate::error::RecordError;
use onnxray_text::{printable, shell_word, shown};
use std::io;
use std::path::PathBuf;

/// Why there is no pruned model.
///
/// The first line of a message says where and what; one that begins with `hint:`, what to do next.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // fields are what their message calls them
pub enum PruneError {
    /// The file is not a model that can be read.
    #[error(transparent)]
    Model(#[from] RecordError),

    /// The model has no such weight.
    #[error(
        "{}: has no weight `{}`, which operator `{}` has\n\
         hint: name the model that was recorded; {}",
        shown(model),
        printable(weight),
        printable(operator),
        left(operator)
    )]
    NoLayer { model: PathBuf, operator: String, weight: String },

    /// A weight has another shape.
    #[error(
        "{}: the weight of `{}` is {}x{}, but {}x{} in the recording\n\
         hint: name the model that was recorded; {}",
        shown(model), printable(operator), own[0], own[1], wanted[0], wanted[1], left(operator)
    )]
    Shape { model: PathBuf, operator: String, own: [u64; 2], wanted: [u64; 2] },

    /// A weight of several operators is wanted at two levels.
    #[error(
        "`{}` and `{}` have one weight, `{}`, and different targets: {} % and {} %\n\
         hint: set the same for both with --target-op",
        printable(&operators[0]), printable(&operators[1]), printable(weight),
        percent(levels[0]), percent(levels[1])
    )]
    TwoLevels { operators: [String; 2], weight: String, levels: [f64; 2] },

    /// Elements cannot be read.
    #[error(
        "{}: the weight `{}` of `{}` cannot be read\nhint: {}",
        shown(model),
        printable(weight),
        printable(operator),
        left(operator)
    )]
    NoElements { model: PathBuf, operator: String, weight: String },

    /// No order of magnitudes says what is small.
    #[error(
        "{}: the weight `{}` of `{}` has elements that are not finite\nhint: {}",
        shown(model),
        printable(weight),
        printable(operator),
        left(operator)
    )]
    NotFinite { model: PathBuf, operator: String, weight: String },

    /// A file cannot be copied.
    #[error("{source}")]
    Copy { source: io::Error },
}

/// How to do without an operator.
fn left(operator: &str) -> String {
    format!("--target-op {} leaves this weight as it is", shell_word(format!("{operator}=0")))
}

/// To hundredths, as 0.95 * 100 is not 95.
fn percent(level: f64) -> f64 {
    (level * 1e4).round() / 1e2
}
