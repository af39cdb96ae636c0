//! How sure a gate has to be, and how its limits read.

/// Largest p that stops a change. A limit judges each change of a project: at 0.05, one in twenty
/// that change nothing would be stopped.
pub(super) const LEVEL: f64 = 0.01;

/// `3 %`
pub(super) fn percent(share: f64) -> String {
    let percent = format!("{:.2}", share * 100.0);
    format!("{} %", percent.trim_end_matches('0').trim_end_matches('.'))
}
