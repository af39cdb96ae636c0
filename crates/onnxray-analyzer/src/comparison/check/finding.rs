//! Findings of a check.

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// Nothing to repair.
    Good,
    /// The recording does not tell.
    Unknown,
    /// Figures mean what they say, but less than one might think.
    Doubtful,
    /// Comparisons with this recording mislead.
    Bad,
}

impl Grade {
    /// Wording of reports.
    pub fn text(self) -> &'static str {
        match self {
            Grade::Good => "good",
            Grade::Unknown => "unknown",
            Grade::Doubtful => "doubtful",
            Grade::Bad => "bad",
        }
    }
}

/// Subject and result of one check.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Subject: `launches`, `drift`, `clock`.
    pub subject: &'static str,
    /// Grade of this subject alone.
    pub grade: Grade,
    /// Result in words, with figures and units.
    pub found: String,
    /// Advice; blank if all is well.
    pub advice: String,
}

pub(super) const TOO_FEW: &str = "too few iterations to tell";

/// Advice is for what is not well.
pub(super) fn finding(
    subject: &'static str,
    grade: Grade,
    found: String,
    advice: impl Into<String>,
) -> Finding {
    let advice = if grade == Grade::Good { String::new() } else { advice.into() };
    Finding { subject, grade, found, advice }
}
