//! Values of cells that their reader would not take as they are.
//!
//! It takes the value of a number up to the first reference, comment or section in its XML:
//! `&#52;.5` is nothing to it, and `4&#46;5` is 4. Such values are written anew.

use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};

/// Whether nothing but text is in any value of a worksheet.
pub(super) fn are_plain(xml: &[u8]) -> bool {
    let mut behind_value = false;
    xml.split(|&byte| byte == b'<').all(|tag| {
        let is_parted = behind_value && tag.first() != Some(&b'/');
        let end = tag.iter().position(|&byte| byte == b'>').unwrap_or(tag.len());
        let (inside, text) = tag.split_at(end);
        let name = inside.split(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default();
        behind_value = name == b"v" || name.ends_with(b":v") && name.first() != Some(&b'/');
        !(is_parted || behind_value && text.contains(&b'&'))
    })
}

/// A worksheet with values that are all plain; `None` if it is damaged, which its reader will
/// say. The error names a value that cannot be.
pub(super) fn plain(xml: &[u8]) -> Result<Option<Vec<u8>>, String> {
    let mut reader = Reader::from_reader(xml);
    reader.config_mut().check_end_names = false;
    reader.config_mut().check_comments = false;
    let (mut written, mut kept) = (Vec::new(), 0);
    let mut is_text = false;
    loop {
        let Ok(event) = reader.read_event() else { return Ok(None) };
        match event {
            Event::Start(tag) if tag.local_name().as_ref() == b"c" => is_text = holds_text(&tag),
            Event::Start(tag) if tag.local_name().as_ref() == b"v" && !is_text => {
                let start = reader.buffer_position() as usize;
                let Some((value, end)) = value(&mut reader) else { return Ok(None) };
                if value.contains(['&', '<', '>']) {
                    return Err(value);
                }
                written.extend_from_slice(xml.get(kept..start).unwrap_or_default());
                written.extend_from_slice(value.as_bytes());
                kept = end;
            }
            Event::Eof => break,
            _ => {}
        }
    }
    written.extend_from_slice(xml.get(kept..).unwrap_or_default());
    Ok(Some(written))
}

/// Whether the reader takes the value of a cell as text, and understands its references.
fn holds_text(cell: &BytesStart) -> bool {
    let mut attributes = cell.attributes();
    let mut attributes = attributes.with_checks(false).flatten();
    let kind = attributes.find(|attribute| attribute.key.as_ref() == b"t");
    kind.is_some_and(|kind| !matches!(kind.value.as_ref(), b"n" | b"s" | b"b" | b"e"))
}

/// The text up to the end of the element, and where that ends.
fn value(reader: &mut Reader<&[u8]>) -> Option<(String, usize)> {
    let mut text = String::new();
    loop {
        let end = reader.buffer_position() as usize;
        match reader.read_event().ok()? {
            Event::Text(part) => text.push_str(&part.decode().ok()?),
            Event::CData(part) => text.push_str(&part.decode().ok()?),
            Event::GeneralRef(reference) => match reference.resolve_char_ref().ok()? {
                Some(character) => text.push(character),
                None => text.push_str(resolve_predefined_entity(&reference.decode().ok()?)?),
            },
            Event::Comment(_) | Event::PI(_) => {}
            Event::End(_) => return Some((text, end)),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(cells: &str, expected: &str) {
        assert!(!are_plain(cells.as_bytes()), "{cells}");
        let written = plain(cells.as_bytes()).unwrap().unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), expected);
        assert!(are_plain(expected.as_bytes()), "{expected}");
    }

    #[test]
    fn references_and_what_parts_a_value_are_resolved() {
        check("<c><v>&#52;.5</v></c>", "<c><v>4.5</v></c>");
        check("<c t=\"n\"><v>4&#x2e;5</v></c><c/>", "<c t=\"n\"><v>4.5</v></c><c/>");
        check(
            "<x:c><x:v a='1'>4<!-- a -->.<![CDATA[5]]></x:v></x:c>",
            "<x:c><x:v a='1'>4.5</x:v></x:c>",
        );
    }

    #[test]
    fn texts_and_plain_values_stay() {
        let text = "<c t=\"str\"><f>a&amp;b</f><v>a&amp;b</v></c><c><v>1</v></c>";
        assert_eq!(plain(text.as_bytes()).unwrap().unwrap(), text.as_bytes());
        assert!(are_plain(b"<c t=\"inlineStr\"><is><t>a&amp;b</t></is></c><c><v>1</v><v/></c>"));
    }

    #[test]
    fn what_is_no_value_is_refused() {
        assert_eq!(plain(b"<c><v>1&amp;2</v></c>"), Err("1&2".to_string()));
        assert_eq!(plain(b"<c><v>1&nothing;</v></c>"), Ok(None));
        assert_eq!(plain(b"<c><v>1&#52;"), Ok(None));
    }
}
