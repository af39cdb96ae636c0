//! How much has to be gained, how sure that has to be, and how often it is measured.

/// Thresholds of a study.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StudyOptions {
    /// Changes up to this share of the base's latency, or of what decides instead, do not matter.
    pub smallest_gain: f64,
    /// Outputs may be this far from the base's, in the measure of the study; `None` for as far as
    /// those with all changes are, or, where these are not measured, for any.
    pub max_loss: Option<f64>,
    /// The same of variants that are to compute in other numbers than the base, as a relative L2
    /// distance.
    pub max_precision_loss: f64,
    /// Where something else than the latency decides: the share of the base's latency by which it
    /// may be worse.
    pub latency_limit: f64,
}

impl Default for StudyOptions {
    fn default() -> StudyOptions {
        StudyOptions {
            smallest_gain: 0.005,
            max_loss: None,
            max_precision_loss: 0.01,
            latency_limit: 0.05,
        }
    }
}

pub(super) const CONFIDENCE: f64 = 0.95;
/// Share of the changes found to make a difference that may be false.
pub const FALSE_DISCOVERIES: f64 = 0.05;
