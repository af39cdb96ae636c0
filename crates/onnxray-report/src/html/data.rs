//! The data of a page: its report as JSON, a member per column.

use super::{histograms, packed, projection, timeline};
use crate::document::{
    Block, Cell, Chart, ChartKind, Figure, Figures, Heading, Importance, Note, Page, Series, Table,
    TableColumn, Tone, Unit, View,
};
use crate::write::cells::show;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::json;
use std::io::{self, Write};

/// What says that a script can read it.
const FORMAT: &str = "onnxray-page";
const VERSION: u32 = 1;

/// Writes the data of a page, packed.
pub(super) fn write(page: &Page, out: impl Write) -> io::Result<()> {
    packed::write(out, |pieces| Ok(serde_json::to_writer(pieces, &Data(page))?))
}

struct Data<'a>(&'a Page);

impl Serialize for Data<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Data(page) = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("format", FORMAT)?;
        map.serialize_entry("version", &VERSION)?;
        map.serialize_entry("producer", &concat!("onnxray ", env!("CARGO_PKG_VERSION")))?;
        map.serialize_entry("page", page.report.name)?;
        map.serialize_entry("title", &page.title)?;
        map.serialize_entry("headline", &page.report.headline)?;
        map.serialize_entry("views", &List(page.views))?;
        map.serialize_entry("blocks", &List(&page.report.blocks))?;
        map.end()
    }
}

/// Parts of documents, each as its data.
struct List<'a, T>(&'a [T]);

impl<'a, T> Serialize for List<'a, T>
where
    Of<'a, T>: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        for part in self.0 {
            list.serialize_element(&Of(part))?;
        }
        list.end()
    }
}

/// A part of a document as data: documents themselves know no format.
struct Of<'a, T>(&'a T);

impl Serialize for Of<'_, View> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json!({ "key": self.0.key, "title": self.0.title }).serialize(serializer)
    }
}

impl Serialize for Of<'_, Block> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Block::Figures(figures) => Of(figures).serialize(serializer),
            Block::Table(table) => Of(table).serialize(serializer),
            Block::Chart(chart) => Of(chart).serialize(serializer),
            Block::Timeline(block) => timeline::data(block).serialize(serializer),
            Block::Histograms(block) => histograms::data(block).serialize(serializer),
            Block::Projection(inputs) => projection::projection_json(inputs).serialize(serializer),
            Block::Notes(notes) => {
                let mut map = serializer.serialize_map(None)?;
                map.serialize_entry("block", "notes")?;
                map.serialize_entry("notes", &List(&notes.notes))?;
                map.end()
            }
        }
    }
}

impl Serialize for Of<'_, Note> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        json!({ "kind": self.0.kind.text(), "text": self.0.text }).serialize(serializer)
    }
}

impl Serialize for Of<'_, Figures> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("block", "figures")?;
        map.serialize_entry("key", self.0.key)?;
        map.serialize_entry("title", self.0.title)?;
        map.serialize_entry("figures", &List(&self.0.figures))?;
        map.end()
    }
}

impl Serialize for Of<'_, Figure> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        heading(&self.0.heading, &mut map)?;
        map.serialize_entry("value", &Of(&self.0.value))?;
        map.end()
    }
}

impl Serialize for Of<'_, Table> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("block", "table")?;
        map.serialize_entry("key", self.0.key)?;
        map.serialize_entry("title", self.0.title)?;
        map.serialize_entry("caveat", &self.0.caveat)?;
        map.serialize_entry("rows", &self.0.len())?;
        map.serialize_entry("folded", &self.0.folded)?;
        map.serialize_entry("columns", &List(&self.0.columns))?;
        map.end()
    }
}

impl Serialize for Of<'_, TableColumn> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        heading(&self.0.heading, &mut map)?;
        let importance = match self.0.importance {
            Importance::Hidden => "hidden",
            Importance::Shown => "shown",
            Importance::Essential | Importance::Chosen => "essential",
        };
        map.serialize_entry("importance", importance)?;
        map.serialize_entry("wraps", &self.0.wraps)?;
        map.serialize_entry("cells", &List(&self.0.cells))?;
        map.end()
    }
}

fn heading<M: SerializeMap>(heading: &Heading, map: &mut M) -> Result<(), M::Error> {
    map.serialize_entry("key", heading.key)?;
    map.serialize_entry("heading", heading.heading)?;
    let unit = match heading.unit {
        Unit::Text => "text",
        Unit::Count => "count",
        Unit::Quantity => "quantity",
        Unit::Milliseconds => "milliseconds",
        Unit::Ratio => "ratio",
        Unit::Share => "share",
        Unit::Probability => "probability",
        Unit::Scientific => "scientific",
        Unit::Number => "number",
    };
    map.serialize_entry("unit", unit)?;
    map.serialize_entry("meaning", heading.meaning)
}

/// `null` is unknown, `false` nothing to know; a word of ours has its key, its text and what
/// it says of the matter.
impl Serialize for Of<'_, Cell> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Cell::Text(text) => serializer.serialize_str(text),
            Cell::Label { key, text, tone } => {
                let tone = match tone {
                    Tone::Plain => "plain",
                    Tone::Good => "good",
                    Tone::Bad => "bad",
                    Tone::Doubtful => "doubtful",
                };
                [key, text, tone].serialize(serializer)
            }
            Cell::Number(number) => serializer.serialize_f64(*number),
            Cell::Whole(number) => serializer.serialize_u64(*number),
            Cell::Below { .. } => {
                let text = show(self.0, Unit::Milliseconds);
                ["below", &text, "plain"].serialize(serializer)
            }
            Cell::Unknown => serializer.serialize_unit(),
            Cell::None => serializer.serialize_bool(false),
        }
    }
}

impl Serialize for Of<'_, Chart> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Chart { title, kind, table, categories, series, shows } = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("block", "chart")?;
        map.serialize_entry("title", title)?;
        let kind_name = match kind {
            ChartKind::Bars => "bars",
            ChartKind::StackedBars => "stacked_bars",
            ChartKind::Line => "line",
            ChartKind::Scatter(_) => "scatter",
        };
        map.serialize_entry("kind", kind_name)?;
        map.serialize_entry("table", table)?;
        map.serialize_entry("categories", categories)?;
        map.serialize_entry("series", &List(series))?;
        map.serialize_entry("shows", shows)?;
        if let ChartKind::Scatter(scatter) = kind {
            map.serialize_entry("across", scatter.across)?;
            map.serialize_entry("up", scatter.up)?;
            map.serialize_entry("labels", scatter.labels)?;
            map.serialize_entry("marks", scatter.marks)?;
        }
        map.end()
    }
}

impl Serialize for Of<'_, Series> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rows = self.0.rows.as_ref().map(|rows| [rows.start, rows.end]);
        json!({ "name": self.0.name, "column": self.0.column, "rows": rows }).serialize(serializer)
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
        let still = Document::default();
        let page = Page::new("<b>".to_string(), &[], report, still);
        let mut letters = Vec::new();
        write(&page, &mut letters).unwrap();
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
        let text = serde_json::to_string(&List(&cells)).unwrap();
        let expected =
            r#"[0.30000000000000004,18446744073709551615,null,false,["gone","is gone","plain"]]"#;
        assert_eq!(text, expected);
    }
}
