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

pub(in crate::content) use setting::columns as setting_columns;
