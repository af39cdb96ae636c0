//! A timeline as the data of a page: it is made of columns already.

use crate::document::Timeline;
use serde::Serialize;

#[derive(Serialize)]
struct Data<'a> {
    block: &'static str,
    key: &'static str,
    title: &'static str,
    #[serde(flatten)]
    columns: &'a Timeline,
}

pub(super) fn data(columns: &Timeline) -> impl Serialize {
    Data { block: "timeline", key: Timeline::KEY, title: Timeline::TITLE, columns }
}
