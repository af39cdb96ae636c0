//! Histograms as the data of a page: they are columns already.

use crate::document::Histograms;
use serde::Serialize;

#[derive(Serialize)]
struct Data<'a> {
    block: &'static str,
    key: &'static str,
    #[serde(flatten)]
    columns: &'a Histograms,
}

pub(super) fn data(columns: &Histograms) -> impl Serialize {
    Data { block: "histograms", key: columns.key, columns }
}
