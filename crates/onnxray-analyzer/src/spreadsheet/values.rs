//! Values of cells that their reader would cut short.
//!
//! It takes the value of a number up to the first reference, comment or section in its XML:
//! `&#52;.5` is nothing to it, and `4&#46;5` is 4. No spreadsheet writes such values.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// The first value of a worksheet that is a number in more than one piece, as it is written.
pub(super) fn parted(xml: &[u8]) -> Option<String> {
    if are_whole(xml) {
        return None;
    }
    let mut reader = Reader::from_reader(xml);
    reader.config_mut().check_end_names = false;
    reader.config_mut().check_comments = false;
    let mut is_text = false;
    loop {
        // The reader reports damage.
        match reader.read_event().ok()? {
            Event::Start(tag) if tag.local_name().as_ref() == "c" => is_text = holds_text(&tag),
            Event::Start(tag) if tag.local_name().as_ref() == "v" && !is_text => {
                let start = reader.buffer_position() as usize;
                let mut pieces = 0;
                let mut end = start;
                loop {
                    match reader.read_event().ok()? {
                        Event::End(_) => break,
                        Event::Eof => return None,
                        _ => pieces += 1,
                    }
                    end = reader.buffer_position() as usize;
                }
                let value = xml.get(start..end).unwrap_or_default();
                if pieces > 1 || value.contains(&b'&') || value.contains(&b'<') {
                    return Some(String::from_utf8_lossy(value).into_owned());
                }
            }
            Event::Eof => return None,
            _ => {}
        }
    }
}

/// True if every value of a worksheet is plain text: a quick first look.
fn are_whole(xml: &[u8]) -> bool {
    let mut behind_value = false;
    xml.split(|&byte| byte == b'<').all(|tag| {
        // A tag after a value's text that is not its end, such as a comment, cuts the value.
        let is_parted = behind_value && tag.first() != Some(&b'/');
        let end = tag.iter().position(|&byte| byte == b'>').unwrap_or(tag.len());
        let (inside, text) = tag.split_at(end);
        let name = inside.split(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default();
        // With a prefix, too: `<x:v>`.
        behind_value = name == b"v" || name.ends_with(b":v") && name.first() != Some(&b'/');
        !(is_parted || behind_value && text.contains(&b'&'))
    })
}

/// True if the reader takes the value of a cell as text, and understands its references.
fn holds_text(cell: &BytesStart) -> bool {
    let mut attributes = cell.attributes();
    let mut attributes = attributes.with_checks(false).flatten();
    let kind = attributes.find(|attribute| attribute.key.as_ref() == "t");
    kind.is_some_and(|kind| !matches!(kind.value.as_ref(), "n" | "s" | "b" | "e"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_pieces_are_found() {
        for (cells, found) in [
            ("<c><v>1</v></c><c><v>&#52;.5</v></c>", "&#52;.5"),
            ("<c t=\"n\"><v>4&#x2e;5</v></c><c/>", "4&#x2e;5"),
            ("<x:c><x:v a='1'>4<!-- a -->.5</x:v></x:c>", "4<!-- a -->.5"),
            ("<c><v><![CDATA[5]]></v></c>", "<![CDATA[5]]>"),
        ] {
            assert_eq!(parted(cells.as_bytes()).as_deref(), Some(found), "{cells}");
        }
    }

    #[test]
    fn texts_and_numbers_in_one_piece_are_not() {
        for cells in [
            "<c t=\"str\"><f>a&amp;b</f><v>a&amp;b</v></c><c><v>1</v></c>",
            "<c t=\"inlineStr\"><is><t>a&amp;b</t></is></c><c><v>1</v><v/></c>",
            "<c><v>1&#52;",
        ] {
            assert_eq!(parted(cells.as_bytes()), None, "{cells}");
        }
    }
}
