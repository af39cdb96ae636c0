//! How a block of columns is serialized.

use serde::Serialize;

/// A block of columns, under its key and its title.
#[derive(Serialize)]
pub(super) struct Named<'a, Columns> {
    pub(super) key: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) title: Option<&'static str>,
    #[serde(flatten)]
    pub(super) columns: &'a Columns,
}
