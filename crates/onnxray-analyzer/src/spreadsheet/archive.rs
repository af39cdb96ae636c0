//! Refuses workbooks that are something else, or too large to open.
//!
//! A workbook is a zip archive of XML, whose directory states the size of each entry; no entry
//! is unpacked beyond that. Counts that the reader would allocate or repeat by are compared with
//! the content first.

use super::values;
use crate::printable::quoted;
use onnxray_text::printable;
use quick_xml::events::{BytesStart, Event};
use std::collections::HashSet;
use std::io::{Cursor, Read};
use zip::ZipArchive;
use zip::result::ZipError;

/// Entries of an archive; workbooks have a few per sheet.
const MOST_ENTRIES: u64 = 4096;
/// Bytes of all entries together, decompressed.
const MOST_BYTES: u64 = 256 << 20;
/// Bytes of styles, as the reader copies them.
const MOST_STYLE_BYTES: u64 = 256 << 20;
/// Texts that cells share.
const MOST_TEXTS: u64 = 4_000_000;
/// Every text of a workbook takes at least `<si/>`.
const SHORTEST_TEXT: u64 = 5;

/// Why a workbook is not opened.
#[derive(Debug, PartialEq)]
pub(crate) enum Refusal {
    /// Another kind of file, in words.
    Found(String),
    Encrypted,
    Damaged(String),
    TooLarge(String),
}

/// Sizes of an archive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    /// Bytes of the largest entry, decompressed.
    pub(crate) largest: u64,
    /// Bytes that a reader may hold while open: copied styles, and all parts but worksheets.
    pub(crate) held: u64,
}

/// Checks all entries before the workbook's reader allocates memory for them.
pub(crate) fn check(bytes: &[u8]) -> Result<Extent, Refusal> {
    if claims_many_entries(bytes) {
        return Err(too_many_entries());
    }
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(refusal)?;
    if archive.len() as u64 > MOST_ENTRIES {
        return Err(too_many_entries());
    }
    // Readers differ in which of two entries they take: what is checked must be what is read.
    let twice = || Refusal::Damaged("two entries of the archive have one name".to_string());
    if archive.has_duplicate_names() {
        return Err(twice());
    }
    // Sizes are what the archive claims, up to u64::MAX each: their sum saturates.
    let (mut size, mut largest, mut held) = (0u64, 0u64, 0u64);
    let mut names = HashSet::new();
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(refusal)?;
        if entry.encrypted() {
            return Err(Refusal::Encrypted);
        }
        // The workbook's reader looks parts up whatever their case and slashes.
        let name = entry.name().map_err(refusal)?.replace('\\', "/").to_lowercase();
        size = size.saturating_add(entry.size());
        if size > MOST_BYTES {
            let most = MOST_BYTES >> 20;
            return Err(Refusal::TooLarge(format!("it unpacks to more than {most} MiB")));
        }
        // Bounds every sheet: several names may lead to one part.
        largest = largest.max(entry.size());
        // Worksheets are read one cell at a time; all other parts stay in memory.
        if !name.contains("/worksheets/") {
            held = held.saturating_add(entry.size());
        }
        if let Some(part) = part(&name) {
            held = held.saturating_add(look_into(part, &name, entry)?);
        }
        if !names.insert(name) {
            return Err(twice());
        }
    }
    match foreign(&names) {
        Some(found) => Err(Refusal::Found(found.to_string())),
        None => Ok(Extent { largest, held }),
    }
}

/// True if a 64-bit directory claims more entries than are read: the archive's reader would
/// allocate for them before it looks for them.
fn claims_many_entries(bytes: &[u8]) -> bool {
    const SIGNATURE: &[u8] = b"PK\x06\x06";
    let number = |at: usize| {
        let bytes = bytes.get(at..at + 8)?.first_chunk()?;
        Some(u64::from_le_bytes(*bytes))
    };
    let starts = bytes.windows(4).enumerate().filter(|(_, four)| *four == SIGNATURE);
    let mut sizes = starts.filter_map(|(at, _)| Some((number(at + 4)?, number(at + 32)?)));
    sizes.any(|(size, entries)| size <= bytes.len() as u64 && entries > MOST_ENTRIES)
}

fn too_many_entries() -> Refusal {
    Refusal::TooLarge(format!("the archive has more than {MOST_ENTRIES} entries"))
}

fn refusal(error: ZipError) -> Refusal {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => Refusal::Encrypted,
        error => Refusal::Damaged(format!("the workbook cannot be unpacked: {error}")),
    }
}

fn damaged(name: &str, error: &std::io::Error) -> Refusal {
    let name = printable(name);
    Refusal::Damaged(format!("the workbook cannot be unpacked: {name}: {error}"))
}

/// Name of an archive that is not an `.xlsx` workbook.
fn foreign(names: &HashSet<String>) -> Option<&'static str> {
    let has = |name: &str| names.contains(name);
    let ends = |end: &str| names.iter().any(|name| name.ends_with(end));
    if has("mimetype") && has("content.xml") {
        Some("an OpenDocument file (.ods); save it as .xlsx")
    } else if ends("/workbook.bin") {
        Some("a binary Excel workbook (.xlsb); save it as .xlsx")
    } else if ends(".iwa") || has("index.zip") {
        Some("a Numbers document; export it as .xlsx")
    } else if has("word/document.xml") {
        Some("a Word document")
    } else if has("ppt/presentation.xml") {
        Some("a presentation")
    } else if !has("_rels/.rels") || !ends(".rels") {
        Some("a zip archive without a workbook in it")
    } else {
        None
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Texts,
    Styles,
    Sheet,
}

fn part(name: &str) -> Option<Part> {
    if name.ends_with("sharedstrings.xml") {
        Some(Part::Texts)
    } else if name.ends_with("styles.xml") {
        Some(Part::Styles)
    } else if name.contains("/worksheets/") && name.ends_with(".xml") {
        Some(Part::Sheet)
    } else {
        None
    }
}

/// Bytes that the reader makes of a part on top of its own.
fn look_into(part: Part, name: &str, mut entry: impl Read) -> Result<u64, Refusal> {
    let mut text = Vec::new();
    entry.read_to_end(&mut text).map_err(|error| damaged(name, &error))?;
    // XML that is not UTF-8 would be decoded after this look.
    if text.iter().take(4096).any(|&byte| byte == 0) {
        return Err(Refusal::Damaged("a part of the workbook is not UTF-8".to_string()));
    }
    match part {
        Part::Texts => texts(&text).map(|()| 0),
        Part::Styles => styles(&text),
        Part::Sheet => values::parted(&text).map_or(Ok(0), |value| {
            let (name, value) = (printable(name), quoted(&value));
            let what = format!("{name}: expected the value of a cell in one piece, found {value}");
            Err(Refusal::Damaged(what))
        }),
    }
}

/// The reader makes room for as many texts as the first tag tells of.
fn texts(text: &[u8]) -> Result<(), Refusal> {
    // 65,536 texts cost little, whatever is there.
    let most = (text.len() as u64 / SHORTEST_TEXT).max(1 << 16);
    let more = || Refusal::Damaged("the workbook declares more texts than it has".to_string());
    let (mut problem, mut found) = (None, 0);
    tags(text, |tag| {
        if tag.local_name().as_ref() != "sst" {
            found += u64::from(tag.local_name().as_ref() == "si");
            return found <= MOST_TEXTS;
        }
        let mut attributes = tag.attributes();
        let mut attributes = attributes.with_checks(false).flatten();
        let count = attributes.find(|attribute| attribute.key.as_ref() == "uniqueCount");
        let is_plausible =
            count.is_none_or(|count| count.value.parse().is_ok_and(|count: u64| count <= most));
        problem = (!is_plausible).then(more);
        is_plausible
    });
    if found > MOST_TEXTS {
        problem = Some(Refusal::TooLarge(format!("it has more than {MOST_TEXTS} texts")));
    }
    problem.map_or(Ok(()), Err)
}

/// The reader copies fonts and formats, with their names, into every style.
fn styles(text: &[u8]) -> Result<u64, Refusal> {
    let (mut longest, mut styles) = (0, 0);
    tags(text, |tag| {
        longest = longest.max(tag.len() as u64);
        styles += u64::from(tag.local_name().as_ref() == "xf");
        true
    });
    // No font or format that is copied is longer than the longest tag.
    let bytes = longest.saturating_mul(styles);
    match bytes <= MOST_STYLE_BYTES {
        true => Ok(bytes),
        false => Err(Refusal::TooLarge("its styles take too much memory".to_string())),
    }
}

/// Shows each tag as the reader sees it, until `look` has seen enough or the XML
/// is damaged, which the reader will say.
fn tags(text: &[u8], mut look: impl FnMut(&BytesStart) -> bool) {
    let mut reader = quick_xml::Reader::from_reader(text);
    reader.config_mut().check_end_names = false;
    reader.config_mut().check_comments = false;
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag) | Event::Empty(tag)) if look(&tag) => {}
            Ok(Event::Start(_) | Event::Empty(_) | Event::Eof) | Err(_) => return,
            Ok(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use zip::write::SimpleFileOptions;

    fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in entries {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[track_caller]
    fn refuses(bytes: &[u8], expected: Refusal) {
        assert_eq!(check(bytes), Err(expected));
    }

    #[test]
    fn what_unpacks_without_end_is_refused() {
        let megabyte = vec![b' '; 1 << 20];
        let sheet = "xl/worksheets/sheet1.xml";
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        writer.start_file(sheet, SimpleFileOptions::default()).unwrap();
        (0..257).for_each(|_| writer.write_all(&megabyte).unwrap());
        let bomb = writer.finish().unwrap().into_inner();
        assert!(bomb.len() < 1 << 20);
        refuses(&bomb, Refusal::TooLarge("it unpacks to more than 256 MiB".to_string()));

        // One that lies: no reader of the archive unpacks more than it tells.
        let told = |bytes: &mut [u8], size: u32| {
            let real = (257u32 << 20).to_le_bytes();
            let places: Vec<usize> =
                (0..bytes.len() - 4).filter(|&at| bytes[at..at + 4] == real).collect();
            assert!(!places.is_empty());
            places.iter().for_each(|&at| bytes[at..at + 4].copy_from_slice(&size.to_le_bytes()));
        };
        let mut liar = bomb.clone();
        told(&mut liar, 1000);
        assert!(matches!(check(&liar), Err(Refusal::Damaged(_))));
        let mut archive = ZipArchive::new(Cursor::new(&liar)).unwrap();
        let mut unpacked = Vec::new();
        let _ = archive.by_index(0).unwrap().read_to_end(&mut unpacked);
        assert!(unpacked.len() <= 1001, "{}", unpacked.len());
    }

    #[test]
    fn sizes_whose_sum_no_number_holds_are_refused() {
        // An entry of the directory that claims almost 2^64 bytes, as its field of 64 bits may.
        let name = b"xl/media/image1.png";
        let claimed = (u64::MAX - 1).to_le_bytes();
        let small = archive(&[("xl/workbook.xml", b"<workbook/>")]);
        let end = small.len() - 22;
        let start = u32::from_le_bytes(small[end + 16..end + 20].try_into().unwrap()) as usize;
        let mut entry = small[start..end].to_vec();
        let own = u16::from_le_bytes(entry[28..30].try_into().unwrap()) as usize;
        entry.truncate(46 + own);
        entry.splice(46.., name.iter().copied());
        entry[24..28].copy_from_slice(&[0xff; 4]); // the size is in the field of 64 bits
        entry[28..30].copy_from_slice(&(name.len() as u16).to_le_bytes());
        entry[30..32].copy_from_slice(&12u16.to_le_bytes());
        entry.extend([[1, 0, 8, 0].as_slice(), &claimed].concat());
        let mut bytes = [&small[..end], &entry, &small[end..]].concat();
        let end = bytes.len() - 22;
        bytes[end + 8..end + 12].copy_from_slice(&[2, 0, 2, 0]);
        bytes[end + 12..end + 16].copy_from_slice(&((end - start) as u32).to_le_bytes());
        refuses(&bytes, Refusal::TooLarge("it unpacks to more than 256 MiB".to_string()));
    }

    #[test]
    fn counts_are_compared_with_what_is_there() {
        let strings = |head: &str| {
            archive(&[("_rels/.rels", b""), ("xl/sharedStrings.xml", head.as_bytes())])
        };
        let more = || Refusal::Damaged("the workbook declares more texts than it has".to_string());
        assert!(check(&strings("<sst uniqueCount=\"65536\"></sst>")).is_ok());
        assert!(check(&strings("<sst></sst>")).is_ok());
        refuses(&strings("<sst uniqueCount=\"65537\"></sst>"), more());
        refuses(&strings("<x:sst a='>' uniqueCount = '99999999999999999999'/>"), more());
        refuses(&strings("<sst uniqueCount=\"&#57;\">"), more());
        let utf16: Vec<u8> =
            "<sst uniqueCount=\"99999999\"/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        refuses(
            &archive(&[("xl/sharedStrings.xml", &utf16)]),
            Refusal::Damaged("a part of the workbook is not UTF-8".to_string()),
        );
        let font = format!("<font name=\"{}\"/>{}", "x".repeat(1 << 20), "<xf/>".repeat(300));
        refuses(
            &archive(&[("xl/styles.xml", font.as_bytes())]),
            Refusal::TooLarge("its styles take too much memory".to_string()),
        );
    }

    #[test]
    fn other_archives_are_named() {
        for (names, found) in [
            (&["mimetype", "content.xml"][..], "an OpenDocument file (.ods); save it as .xlsx"),
            (
                &["_rels/.rels", "xl/workbook.bin"],
                "a binary Excel workbook (.xlsb); save it as .xlsx",
            ),
            (&["Index/Document.iwa"], "a Numbers document; export it as .xlsx"),
            (&["word/document.xml"], "a Word document"),
            (&["ppt/presentation.xml"], "a presentation"),
            (&["a.txt"], "a zip archive without a workbook in it"),
        ] {
            let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, &b""[..])).collect();
            refuses(&archive(&entries), Refusal::Found(found.to_string()));
        }
    }

    #[test]
    fn damage_and_doubtful_names_are_refused() {
        let whole = archive(&[("_rels/.rels", b"<Relationships/>"), ("xl/a.xml", &[b'x'; 5000])]);
        assert_eq!(check(&whole), Ok(Extent { largest: 5000, held: 5016 }));
        let cut = check(&whole[..whole.len() / 2]).unwrap_err();
        assert!(matches!(&cut, Refusal::Damaged(reason) if reason.contains("cannot be unpacked")));
        refuses(
            &archive(&[("XL/a.xml", b""), ("xl\\A.xml", b"")]),
            Refusal::Damaged("two entries of the archive have one name".to_string()),
        );
        let other = archive(&[("xl/a.xml", b"1"), ("xl/b.xml", b"2")]);
        let same: Vec<u8> =
            other.iter().map(|&byte| if byte == b'b' { b'a' } else { byte }).collect();
        refuses(&same, Refusal::Damaged("two entries of the archive have one name".to_string()));
        let mut claim = whole.clone();
        claim.extend_from_slice(b"PK\x06\x06");
        claim.extend_from_slice(&44u64.to_le_bytes());
        claim.extend_from_slice(&[0; 20]);
        claim.extend_from_slice(&60_000_000u64.to_le_bytes());
        refuses(&claim, too_many_entries());
    }
}
