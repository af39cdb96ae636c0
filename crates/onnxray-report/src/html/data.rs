//! The data of a page: its report as JSON, a member per column.

use super::packed;
use crate::document::{Block, Cell, Page, Unit, View};
use crate::write::cells::show;
use serde::{Serialize, Serializer};
use std::io::{self, Write};

/// What says that a script can read it.
const FORMAT: &str = "onnxray-page";
const VERSION: u32 = 1;

/// Writes the data of a page, packed.
pub(super) fn write(page: &Page, out: impl Write) -> io::Result<()> {
    let data = Data {
        format: FORMAT,
        version: VERSION,
        producer: concat!("onnxray ", env!("CARGO_PKG_VERSION")),
        page: page.report.name,
        title: &page.title,
        headline: &page.report.headline,
        views: page.views,
        blocks: &page.report.blocks,
    };
    packed::write(out, |pieces| Ok(serde_json::to_writer(pieces, &data)?))
}

#[derive(Serialize)]
struct Data<'a> {
    format: &'static str,
    version: u32,
    producer: &'static str,
    page: &'static str,
    title: &'a str,
    headline: &'a [String],
    views: &'a [View],
    blocks: &'a [Block],
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
        let text = serde_json::to_string(&cells).unwrap();
        let expected =
            r#"[0.30000000000000004,18446744073709551615,null,false,["gone","is gone","plain"]]"#;
        assert_eq!(text, expected);
    }
}
