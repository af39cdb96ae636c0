//! Reports of counters as CSV.
//!
//! A block for each infer request: a header, a line for each layer, a line with
//! the total. The lines are not quoted, so a separator in the name of a layer is
//! found by counting from the line's end. C++ ends every line with a separator.
//! Spreadsheets save it again with other separators, with quotes, and with decimal commas.

use super::counters::{
    Block, Counters, Layer, ROUNDING, Total, UNKNOWN_STATUS, milliseconds, status,
};
use crate::ImportError;
use crate::damage::{Damage, DamageKind, MOST_RECORDS};
use crate::formats::together::Document;
use crate::text::csv_lines::{self, Line};

pub(crate) fn read(document: &mut Document) -> Result<Counters, ImportError> {
    let Document { bytes, damage, .. } = document;
    let mut counters = Counters::default();
    let mut columns = None;
    let separator = separator(bytes.trim_ascii_start()).unwrap_or(';');
    let mut heading_quoted = false;
    let (mut offset, mut lines) = (0, 0usize);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let (start, ended) = (offset, line.ends_with(b"\n"));
        offset += line.len();
        let text = String::from_utf8_lossy(line);
        let text = text.trim_matches([' ', '\r', '\n']);
        let text = text.strip_suffix(separator).unwrap_or(text);
        if text.is_empty() || text.starts_with(SEPARATOR_LINE) {
            continue;
        }
        let unquoted = text.contains('"').then(|| csv_lines::whole_lines(text, separator));
        let unquoted = unquoted.as_deref().and_then(<[_]>::first);
        // Names may have quotes of their own.
        let plain = text.split(separator).count();
        let is_quoted = |line: &&Line| {
            let expected = columns.map(|columns: Columns| columns.count);
            text.starts_with("\"layerName\"")
                || (heading_quoted || Some(plain) != expected)
                    && Some(line.fields.len()) == expected
        };
        let unquoted = unquoted.filter(is_quoted);
        let fields: Vec<&str> = match unquoted {
            Some(line) => line.fields.iter().map(String::as_str).collect(),
            None => text.split(separator).collect(),
        };
        if fields[0] == "layerName" {
            heading_quoted = unquoted.is_some();
            end_block(&counters, bytes, damage, start);
            columns = heading(&fields, bytes, start, damage);
            // A sorted report of C++ has the shares as well.
            counters.sorted = columns.is_some_and(|columns: Columns| columns.count == 7);
            counters.blocks.push(Block::default());
            continue;
        }
        let (Some(block), Some(columns)) = (counters.blocks.last_mut(), columns) else {
            damage.add_at(DamageKind::Unreadable, bytes, start, "no heading says what it holds");
            continue;
        };
        if is_total(&fields) {
            block.total = total(&fields, columns, start);
        } else if ended {
            lines += 1;
            match layer(&fields, columns) {
                _ if lines > MOST_RECORDS => damage.add_at(DamageKind::TooMany, bytes, start, ""),
                Ok(layer) => block.layers.push(layer),
                Err((kind, reason)) => damage.add_at(kind, bytes, start, reason),
            }
        } else {
            // It may be cut in a number.
            damage.add_at(DamageKind::EndsEarly, bytes, start, "within a line");
        }
    }
    end_block(&counters, bytes, damage, bytes.len());
    if counters.layers() == 0 {
        return Err(document.unexpected(0, "the counters of a layer (`realTime` under a heading)"));
    }
    Ok(counters.check(&document.bytes))
}

/// Tells programs by which separator a file is parted.
const SEPARATOR_LINE: &str = "sep=";

/// What parts the fields of a report, by its first heading; `None` if it is not a report.
pub(super) fn separator(text: &[u8]) -> Option<char> {
    let text = match text.strip_prefix(SEPARATOR_LINE.as_bytes()) {
        Some(behind) => behind.get(1..)?.trim_ascii_start(),
        None => text,
    };
    let quoted = text.strip_prefix(b"\"layerName\"");
    let behind = quoted.or_else(|| text.strip_prefix(b"layerName"))?;
    let separator = char::from(*behind.first()?);
    let behind = behind[1..].strip_prefix(b"\"").unwrap_or(&behind[1..]);
    (matches!(separator, ';' | ',' | '\t') && behind.starts_with(b"execStatus"))
        .then_some(separator)
}

fn is_total(fields: &[&str]) -> bool {
    fields[0] == "Total" && fields.get(1..4).is_some_and(|f| f.iter().all(|f| f.is_empty()))
}

fn total(fields: &[&str], columns: Columns, offset: usize) -> Option<Total> {
    let milliseconds = fields.get(columns.time + 1).and_then(|time| milliseconds(time))?;
    Some(Total { milliseconds, rounding: ROUNDING, offset })
}

/// Where a line has its fields, counted behind the name, which may hold separators.
#[derive(Clone, Copy)]
struct Columns {
    /// All of a line that has a name without separators.
    count: usize,
    status: usize,
    layer_type: usize,
    kernel: usize,
    time: usize,
}

/// What a heading says; `None`, counted, if it does not say where the times are.
fn heading(fields: &[&str], bytes: &[u8], start: usize, damage: &mut Damage) -> Option<Columns> {
    let title = |field: &str| field.split_whitespace().next().unwrap_or_default().to_string();
    let titles: Vec<String> = fields.iter().skip(1).map(|field| title(field)).collect();
    let place = |wanted: &str| titles.iter().position(|title| title == wanted);
    let known = ["execStatus", "layerType", "execType", "realTime", "cpuTime"];
    let of_known = |title: &String| known.contains(&title.as_str());
    // The last column of a sorted report has no fixed title, but the sign of a share.
    let shares = fields.last().is_some_and(|last| last.contains('%'));
    let titled = &titles[..titles.len() - usize::from(shares && !titles.is_empty())];
    if let Some(unknown) = titled.iter().find(|title| !of_known(title)) {
        let reason = format!("the heading {unknown:?}");
        damage.add_at(DamageKind::Member, bytes, start, reason);
    }
    let columns = (|| {
        Some(Columns {
            count: fields.len(),
            status: place("execStatus")?,
            layer_type: place("layerType")?,
            kernel: place("execType")?,
            time: place("realTime")?,
        })
    })();
    if columns.is_none() {
        let reason = "a heading without one of execStatus, layerType, execType and realTime";
        damage.add_at(DamageKind::Unreadable, bytes, start, reason);
    }
    columns
}

/// Without a total, the lines behind the last one may be missing.
fn end_block(counters: &Counters, bytes: &[u8], damage: &mut Damage, offset: usize) {
    if counters.blocks.last().is_some_and(|block| block.total.is_none()) {
        damage.add_at(DamageKind::EndsEarly, bytes, offset, "there is no total after the layers");
    }
}

fn layer(fields: &[&str], columns: Columns) -> Result<Layer, (DamageKind, &'static str)> {
    let names = fields.len().checked_sub(columns.count - 1).filter(|&names| names > 0);
    let Some(names) = names else { return Err((DamageKind::Unreadable, "too few columns")) };
    let (name, rest) = fields.split_at(names);
    if name.iter().any(|field| status(field).is_some()) {
        return Err((DamageKind::Unreadable, "several layers in a line"));
    }
    let field = |column: usize| rest.get(column).copied().unwrap_or_default();
    let Some(milliseconds) = milliseconds(field(columns.time)) else {
        return Err((DamageKind::NoTime, "`realTime` is not a time"));
    };
    let Some(status) = status(field(columns.status)) else {
        return Err((DamageKind::UnknownKind, UNKNOWN_STATUS));
    };
    Ok(Layer {
        name: name.join(";"),
        status,
        layer_type: field(columns.layer_type).to_string(),
        kernel: field(columns.kernel).to_string(),
        precision: String::new(),
        milliseconds,
    })
}

/// The sorted report of Python: separated by commas, quoted, and with a line break
/// in the last column's heading. Others are so where a spreadsheet saved them.
pub(crate) fn read_sorted(document: &mut Document) -> Result<Counters, ImportError> {
    let Document { bytes, damage, .. } = document;
    let mut block = Block::default();
    let (mut last, mut lines) = (0, 0usize);
    let mut columns = None;
    // Blanks in front of a quote would be a part of the field.
    let front = bytes.len() - bytes.trim_ascii_start().len();
    let mut records = ::csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(&bytes[front..])
        .into_byte_records();
    while let Some(record) = records.next() {
        let offset = front + records.reader().position().byte() as usize;
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                damage.add_at(DamageKind::EndsEarly, bytes, offset, error.to_string());
                break;
            }
        };
        let offset = front + record.position().map_or(0, |position| position.byte() as usize);
        let fields: Vec<_> = record.iter().map(String::from_utf8_lossy).collect();
        let fields: Vec<&str> = fields.iter().map(|field| field.as_ref()).collect();
        match (fields.as_slice(), columns) {
            ([] | [""], _) => {}
            ([first, ..], _) if first.starts_with(SEPARATOR_LINE) => {}
            (["layerName", ..], _) => columns = heading(&fields, bytes, offset, damage),
            ([total], _) if total.starts_with("Total time:") => {
                let time = total.split_whitespace().nth(2).and_then(milliseconds);
                // It has two decimals.
                let total = |milliseconds| Total { milliseconds, rounding: 0.005, offset };
                block.total = time.map(total);
            }
            ([total], _) if total.starts_with("Total CPU time:") => {}
            (_, None) => {
                damage.add_at(
                    DamageKind::Unreadable,
                    bytes,
                    offset,
                    "no heading says what it holds",
                );
            }
            (fields, Some(columns)) if is_total(fields) => {
                block.total = total(fields, columns, offset);
            }
            (fields, Some(columns)) if fields.len() != columns.count => {
                let reason = "not as many columns as the heading";
                damage.add_at(DamageKind::Unreadable, bytes, offset, reason);
            }
            (fields, Some(columns)) => {
                lines += 1;
                match layer(fields, columns) {
                    _ if lines > MOST_RECORDS => {
                        damage.add_at(DamageKind::TooMany, bytes, offset, "");
                    }
                    Ok(layer) => {
                        last = offset;
                        block.layers.push(layer);
                    }
                    Err((kind, reason)) => damage.add_at(kind, bytes, offset, reason),
                }
            }
        }
    }
    // A last line that does not end may be cut in a number.
    if block.total.is_none() && !bytes[last..].contains(&b'\n') {
        block.layers.pop();
    }
    // What a spreadsheet saved with commas may be in order.
    let sorted = columns.is_none_or(|columns| columns.count != 6);
    let counters = Counters { blocks: vec![block], sorted, ..Counters::default() };
    end_block(&counters, bytes, damage, bytes.len());
    if counters.layers() == 0 {
        return Err(document.unexpected(0, "the counters of a layer (`realTime` under a heading)"));
    }
    Ok(counters.check(&document.bytes))
}
