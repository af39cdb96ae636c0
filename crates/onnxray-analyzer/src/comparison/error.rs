//! Why two recordings could not be compared.

/// Reason why two recordings cannot be compared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant's message says it")]
pub enum ComparisonError {
    #[error(
        "{label}: neither executions nor times of operators are known; nothing can be compared"
    )]
    NoTimes { label: String },

    #[error(
        "{label}: the parts come to {parts} ns and the whole is {whole} ns; this is a defect of \
         onnxray, please report it with the recording"
    )]
    NotConserved { label: String, parts: f64, whole: f64 },
}
