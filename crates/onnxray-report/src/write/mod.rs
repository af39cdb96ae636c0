//! Reports as text: each file knows one syntax and no report.

pub(crate) mod cells;
pub(crate) mod csv;
pub(crate) mod json;
pub(crate) mod markdown;
pub(crate) mod metrics;
pub(crate) mod model_explorer;
pub(crate) mod people;
pub(crate) mod signature;
pub(crate) mod text;
