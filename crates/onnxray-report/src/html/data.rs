//! The data of a page: its report as JSON, a member per column. What its first view does not need of
//! a very long one stands in parts of its own, so that a browser reads them later, one by one.

use super::packed;
use crate::document::{Block, Cell, Measured, Page, Table, TableColumn, Unit, View};
use crate::write::cells::show;
use serde::{Serialize, Serializer};
use std::io::{self, Write};

/// Name of the format, which the page's script checks.
const FORMAT: &str = "onnxray-page";
const VERSION: u32 = 2;

/// Rows from which on a table is long: a browser takes a second for all columns of 100,000.
const LONG: usize = 5000;

/// Writes the data of a page, packed, but for what is read later.
pub(super) fn write(page: &Page, out: impl Write) -> io::Result<()> {
    let reads_later = reads_later(page);
    let blocks = page.report.blocks.iter();
    let blocks: Vec<Shown> = blocks.filter_map(|block| first(page, block)).collect();
    let data = Data {
        format: FORMAT,
        version: VERSION,
        producer: concat!("onnxray ", env!("CARGO_PKG_VERSION")),
        page: page.report.name,
        title: &page.title,
        headline: &page.report.headline,
        measured: &page.measured,
        views: page.views,
        has_more: reads_later,
        blocks: &blocks,
    };
    packed::write(out, |pieces| Ok(serde_json::to_writer(pieces, &data)?))
}

/// Parts that are read later; each is packed on its own.
pub(super) fn later(page: &Page) -> impl Iterator<Item = Shown<'_>> {
    page.report.blocks.iter().filter(move |block| waits(page, block)).flat_map(
        |block| match block {
            Block::Table(table) => {
                let column = |column| Shown::Columns(Columns::of(table, vec![column]));
                table.columns.iter().map(column).collect()
            }
            block => vec![Shown::Block(block)],
        },
    )
}

/// Writes what is read later, packed.
pub(super) fn write_later(shown: &Shown, out: impl Write) -> io::Result<()> {
    packed::write(out, |pieces| Ok(serde_json::to_writer(pieces, shown)?))
}

/// True if a table is so long that a browser would keep its reader waiting.
fn reads_later(page: &Page) -> bool {
    let is_long =
        |block: &Block| matches!(block, Block::Table(table) if waits_as_long(page, table));
    page.report.blocks.iter().any(is_long)
}

fn waits(page: &Page, block: &Block) -> bool {
    match block {
        Block::Table(table) => waits_as_long(page, table),
        // Where operators are that many, these are as large.
        Block::Timeline(_) | Block::Graph(_) | Block::Ladder(_) | Block::Histograms(_) => {
            reads_later(page)
        }
        _ => false,
    }
}

fn waits_as_long(page: &Page, table: &Table) -> bool {
    table.len() > LONG && page.later.contains(&table.key)
}

/// Part of a block that the first view has: of a table that waits, only the number of its rows.
fn first<'a>(page: &Page, block: &'a Block) -> Option<Shown<'a>> {
    match block {
        block if !waits(page, block) => Some(Shown::Block(block)),
        Block::Table(table) => Some(Shown::Columns(Columns::of(table, Vec::new()))),
        _ => None,
    }
}

#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Shown<'a> {
    Block(&'a Block),
    Columns(Columns<'a>),
}

/// Some columns of a table, as a table.
#[derive(Serialize)]
pub(super) struct Columns<'a> {
    block: &'static str,
    key: &'static str,
    title: &'static str,
    caveat: &'a Option<String>,
    columns: Vec<&'a TableColumn>,
    rows: usize,
    folded: bool,
}

impl<'a> Columns<'a> {
    fn of(table: &'a Table, columns: Vec<&'a TableColumn>) -> Columns<'a> {
        let &Table { key, title, ref caveat, folded, .. } = table;
        Columns { block: "table", key, title, caveat, columns, rows: table.len(), folded }
    }
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
    use crate::document::{Document, column};
    use base64::Engine;
    use base64::prelude::BASE64_STANDARD;
    use std::io::Read;

    /// The text that lies packed between tags.
    fn unpacked(html: &[u8]) -> String {
        let html = str::from_utf8(html).unwrap();
        let pieces = html.split('<').flat_map(|tag| tag.split_once('>'));
        let letters: String = pieces.map(|(_, letters)| letters).collect();
        assert!(
            letters
                .bytes()
                .all(|letter| { letter.is_ascii_alphanumeric() || b"+/=".contains(&letter) })
        );
        let packed = BASE64_STANDARD.decode(letters).unwrap();
        let mut text = String::new();
        flate2::read::GzDecoder::new(packed.as_slice()).read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn names_are_no_markup_and_numbers_have_all_digits() {
        let headline = vec!["</script><!-- \u{2028}".to_string()];
        let report = Document { name: "recording", headline, ..Document::default() };
        let noscript = Document::default();
        let page = Page::new("<b>".to_string(), &[], report, noscript);
        let mut packed = Vec::new();
        write(&page, &mut packed).unwrap();
        let text = unpacked(&packed);
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

    #[test]
    fn what_waits_is_whole_behind_the_rest() {
        let rows: Vec<usize> = (0..=LONG).collect();
        let columns =
            [column("number", "#", Unit::Count, "", |row: &usize| Cell::Whole(*row as u64))];
        let mut report = Document { name: "recording", ..Document::default() };
        report.push(Table::new("operators", "Operators", &columns, &rows));
        report.push(Table::new("launches", "Launches", &columns, &rows));
        let page = Page::new(String::new(), &[], report, Document::default());
        assert_eq!(later(&page).count(), 0);
        let page = page.reading_later(&["operators"]);
        let mut packed = Vec::new();
        write(&page, &mut packed).unwrap();
        let data: serde_json::Value = serde_json::from_str(&unpacked(&packed)).unwrap();
        assert_eq!(data["has_more"], true);
        let [operators, launches] = [0, 1].map(|place| &data["blocks"][place]);
        assert_eq!(operators["rows"], LONG + 1);
        assert_eq!(operators["columns"], serde_json::json!([]));
        assert_eq!(launches["columns"][0]["cells"][LONG], LONG);
        let later: Vec<_> = later(&page).collect();
        assert_eq!(later.len(), 1);
        let mut packed = Vec::new();
        write_later(&later[0], &mut packed).unwrap();
        let block: serde_json::Value = serde_json::from_str(&unpacked(&packed)).unwrap();
        assert_eq!(block["key"], "operators");
        assert_eq!(block["columns"][0]["cells"][LONG], LONG);
    }
}
