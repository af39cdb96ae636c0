//! How a command takes the values of inputs, for messages.

use onnxray_text::{first_of, shell_word};

/// The option through which a command takes values of inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// `--input` takes a file for each.
    Input,
    /// `--data` takes a file for all.
    Data,
    /// Other commands do.
    Nothing,
}

impl Takes {
    pub(super) fn text(self, inputs: &[String]) -> String {
        let file = |name| format!("--input {}", shell_word(format!("{name}=FILE.npy")));
        let files = first_of(inputs.iter().map(file), " ");
        match self {
            Takes::Input => format!("give values with {files}"),
            Takes::Data => "give values with --data FILE.npz".to_string(),
            Takes::Nothing => format!("onnxray record takes values: {files}"),
        }
    }
}
