//! Reports as text: each file knows one syntax and no report.

pub mod csv;
pub mod json;
pub mod markdown;
pub mod text;
