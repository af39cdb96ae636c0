//! Decides what reports of studies say: on what was measured, each variant, what is recommended.
//!
//! ```text
//! objective, setting, verified ◀ variants ◀ report ◀ loss ◀ { tune | mix | judge }
//! ```

pub(crate) mod judge;
pub(crate) mod mix;
mod objective;
mod report;
pub(crate) mod sensitivity;
mod setting;
pub(crate) mod tune;
mod variants;
mod verified;

pub use judge::{Evidence, Expected, JudgeResult};
pub use mix::{MixResult, MixVerified};
pub use sensitivity::{MeasuredSensitivity, loss_notes, mixed_sensitivities};
pub use tune::TuneResult;

use super::comparison;
use super::declared::{Declared, Reports, reports};

/// What commands of studies print.
pub(super) const REPORTS: &[Reports] = &[
    reports("tune", &["tune"], || of_search(tune::declared())),
    reports("judge", &["judge"], || of_search(judge::declared())),
    reports("mix", &["mix"], || of_search(mix::declared())),
    reports("sensitivity", &["loss"], sensitivity::declared),
];

/// Tables of a search, with the comparison that verifies its result.
fn of_search(own: Vec<Declared>) -> Vec<Declared> {
    let setting = Declared::of("Studies: setting", &setting::columns());
    std::iter::once(setting).chain(own).chain(comparison::declared()).collect()
}
