//! The data of a page: its report as JSON, a member per column; of a very long one in two parts,
//! the first of which is all that its first view needs.

use super::packed;
use crate::document::{Block, Cell, Importance, Measured, Page, Table, TableColumn, Unit, View};
use crate::write::cells::show;
use serde::{Serialize, Serializer};
use std::io::{self, Write};

/// What says that a script can read it.
const FORMAT: &str = "onnxray-page";
const VERSION: u32 = 1;

/// Rows from which on a table is long: a browser takes a second for all columns of 100,000.
const LONG: usize = 5000;

/// Which of the data is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    All,
    /// What the first view needs.
    First,
    /// The rest of it.
    More,
}

/// The parts that the data of a page is in.
pub(super) fn parts(page: &Page) -> &'static [Part] {
    let is_long = |block: &Block| matches!(block, Block::Table(table) if table.len() > LONG);
    match page.opens_in_part && page.report.blocks.iter().any(is_long) {
        true => &[Part::First, Part::More],
        false => &[Part::All],
    }
}

/// Writes a part of the data of a page, packed.
pub(super) fn write(page: &Page, part: Part, out: impl Write) -> io::Result<()> {
    let blocks: Vec<Shown> =
        page.report.blocks.iter().filter_map(|block| shown(block, part)).collect();
    let data = Data {
        format: FORMAT,
        version: VERSION,
        producer: concat!("onnxray ", env!("CARGO_PKG_VERSION")),
        page: page.report.name,
        title: &page.title,
        headline: &page.report.headline,
        measured: &page.measured,
        views: page.views,
        has_more: part == Part::First,
        blocks: &blocks,
    };
    packed::write(out, |pieces| Ok(serde_json::to_writer(pieces, &data)?))
}

/// What a part has of a block.
fn shown(block: &Block, part: Part) -> Option<Shown<'_>> {
    match (block, part) {
        (_, Part::All) => Some(Shown::Block(block)),
        (Block::Table(table), part) if table.len() > LONG => {
            let is_first = |column: &&TableColumn| column.importance > Importance::Hidden;
            let columns = table.columns.iter();
            let columns =
                columns.filter(|column| is_first(column) == (part == Part::First)).collect();
            let &Table { key, title, ref caveat, folded, .. } = table;
            let rows = table.len();
            Some(Shown::Columns(Columns {
                block: "table",
                key,
                title,
                caveat,
                columns,
                rows,
                folded,
            }))
        }
        (Block::Timeline(_) | Block::Graph(_) | Block::Histograms(_), Part::First) => None,
        (Block::Timeline(_) | Block::Graph(_) | Block::Histograms(_), Part::More) => {
            Some(Shown::Block(block))
        }
        (_, part) => (part == Part::First).then_some(Shown::Block(block)),
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum Shown<'a> {
    Block(&'a Block),
    Columns(Columns<'a>),
}

/// Some columns of a table, as a table.
#[derive(Serialize)]
struct Columns<'a> {
    block: &'static str,
    key: &'static str,
    title: &'static str,
    caveat: &'a Option<String>,
    columns: Vec<&'a TableColumn>,
    rows: usize,
    folded: bool,
}

#[derive(Serialize)]
struct Data<'a> {
    format: &'static str,
    version: u32,
    producer: &'static str,
    page: &'static str,
    title: &'a str,
    headline: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    measured: &'a [Measured],
    views: &'a [View],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    has_more: bool,
    blocks: &'a [Shown<'a>],
}

/// `null` is unknown, `false` nothing to know; a word of ours has its key, its text and what
/// it says of the matter.
impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Cell::Text(text) => serializer.serialize_str(text),
            Cell::Label { key, text, tone } => (key, text, tone).serialize(serializer),
            Cell::Number(number) => serializer.serialize_f64(*number),
            Cell::Whole(number) => serializer.serialize_u64(*number),
            Cell::Below { .. } => {
                ("below", show(self, Unit::Milliseconds), "plain").serialize(serializer)
            }
            Cell::Unknown => serializer.serialize_unit(),
            Cell::None => serializer.serialize_bool(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use base64::Engine;
    use base64::prelude::BASE64_STANDARD;
    use std::io::Read;

    #[test]
    fn names_are_no_markup_and_numbers_have_all_digits() {
        let headline = vec!["</script><!-- \u{2028}".to_string()];
        let report = Document { name: "recording", headline, ..Document::default() };
        let noscript = Document::default();
        let page = Page::new("<b>".to_string(), &[], report, noscript);
        let mut letters = Vec::new();
        write(&page, Part::All, &mut letters).unwrap();
        assert!(
            letters.iter().all(|letter| letter.is_ascii_alphanumeric() || b"+/=".contains(letter))
        );
        let packed = BASE64_STANDARD.decode(letters).unwrap();
        let mut text = String::new();
        flate2::read::GzDecoder::new(packed.as_slice()).read_to_string(&mut text).unwrap();
        let data: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(data["headline"][0], page.report.headline[0]);
        let cells = [
            Cell::Number(0.1 + 0.2),
            Cell::Whole(u64::MAX),
            Cell::Unknown,
            Cell::None,
            Cell::label("gone", "is gone"),
        ];
        let text = serde_json::to_string(&cells).unwrap();
        let expected =
            r#"[0.30000000000000004,18446744073709551615,null,false,["gone","is gone","plain"]]"#;
        assert_eq!(text, expected);
    }
}
