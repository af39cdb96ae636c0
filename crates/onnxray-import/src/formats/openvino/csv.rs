//! Reports of counters as CSV.
//!
//! A block for each infer request: a header, a line for each layer, a line with
//! the total. The lines are not quoted, so a separator in the name of a layer is
//! found by counting from the line's end. C++ ends every line with a separator.

use super::counters::{
    Block, Counters, Layer, ROUNDING, Total, UNKNOWN_STATUS, milliseconds, status,
};
use crate::ImportError;
use crate::formats::together::Document;
use crate::loss::{LossKind, Losses, MOST_RECORDS};

pub(crate) fn read(document: &mut Document) -> Result<Counters, ImportError> {
    let Document { bytes, losses, .. } = document;
    let mut counters = Counters::default();
    let mut columns = None;
    let (mut offset, mut lines) = (0, 0usize);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let (start, ended) = (offset, line.ends_with(b"\n"));
        offset += line.len();
        let text = String::from_utf8_lossy(line);
        let text = text.trim();
        let text = text.strip_suffix(';').unwrap_or(text);
        if text.is_empty() {
            continue;
        }
        let fields: Vec<&str> = text.split(';').collect();
        if fields[0] == "layerName" {
            end_block(&counters, bytes, losses, start);
            columns = heading(&fields, bytes, start, losses);
            // A sorted report of C++ has the shares as well.
            counters.sorted = columns.is_some_and(|columns: Columns| columns.count == 7);
            counters.blocks.push(Block::default());
            continue;
        }
        let (Some(block), Some(columns)) = (counters.blocks.last_mut(), columns) else {
            losses.add_at(LossKind::Unreadable, bytes, start, "no heading says what it holds");
            continue;
        };
        if fields[0] == "Total" && fields.get(1..4).is_some_and(|f| f.iter().all(|f| f.is_empty()))
        {
            let milliseconds = fields.get(columns.time + 1).and_then(|time| milliseconds(time));
            block.total = milliseconds.map(|milliseconds| Total {
                milliseconds,
                rounding: ROUNDING,
                offset: start,
            });
        } else if ended {
            lines += 1;
            match layer(&fields, columns) {
                _ if lines > MOST_RECORDS => losses.add_at(LossKind::TooMany, bytes, start, ""),
                Ok(layer) => block.layers.push(layer),
                Err((kind, reason)) => losses.add_at(kind, bytes, start, reason),
            }
        } else {
            // It may be cut in a number.
            losses.add_at(LossKind::EndsEarly, bytes, start, "within a line");
        }
    }
    end_block(&counters, bytes, losses, bytes.len());
    if counters.layers() == 0 {
        return Err(document.unexpected(0, "the counters of a layer (`realTime` under a heading)"));
    }
    Ok(counters.check(&document.bytes))
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
fn heading(fields: &[&str], bytes: &[u8], start: usize, losses: &mut Losses) -> Option<Columns> {
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
        losses.add_at(LossKind::Member, bytes, start, reason);
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
        losses.add_at(LossKind::Unreadable, bytes, start, reason);
    }
    columns
}

/// Without a total, the lines behind the last one may be missing.
fn end_block(counters: &Counters, bytes: &[u8], losses: &mut Losses, offset: usize) {
    if counters.blocks.last().is_some_and(|block| block.total.is_none()) {
        losses.add_at(LossKind::EndsEarly, bytes, offset, "no total is behind the layers");
    }
}

fn layer(fields: &[&str], columns: Columns) -> Result<Layer, (LossKind, &'static str)> {
    let names = fields.len().checked_sub(columns.count - 1).filter(|&names| names > 0);
    let Some(names) = names else { return Err((LossKind::Unreadable, "too few columns")) };
    let (name, rest) = fields.split_at(names);
    if name.iter().any(|field| status(field).is_some()) {
        return Err((LossKind::Unreadable, "several layers in a line"));
    }
    let field = |column: usize| rest.get(column).copied().unwrap_or_default();
    let Some(milliseconds) = milliseconds(field(columns.time)) else {
        return Err((LossKind::NoTime, "`realTime` is not a time"));
    };
    let Some(status) = status(field(columns.status)) else {
        return Err((LossKind::UnknownKind, UNKNOWN_STATUS));
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
/// in the last column's heading.
pub(crate) fn read_sorted(document: &mut Document) -> Result<Counters, ImportError> {
    let Document { bytes, losses, .. } = document;
    let mut block = Block::default();
    let (mut last, mut lines) = (0, 0usize);
    let mut columns = None;
    let mut records = ::csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(bytes.as_slice())
        .into_byte_records();
    while let Some(record) = records.next() {
        let offset = records.reader().position().byte() as usize;
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                losses.add_at(LossKind::EndsEarly, bytes, offset, error.to_string());
                break;
            }
        };
        let offset = record.position().map_or(0, |position| position.byte() as usize);
        let fields: Vec<_> = record.iter().map(String::from_utf8_lossy).collect();
        let fields: Vec<&str> = fields.iter().map(|field| field.as_ref()).collect();
        match (fields.as_slice(), columns) {
            ([] | [""], _) => {}
            (["layerName", ..], _) => columns = heading(&fields, bytes, offset, losses),
            ([total], _) if total.starts_with("Total time:") => {
                let time = total.split_whitespace().nth(2).and_then(milliseconds);
                // It has two decimals.
                let total = |milliseconds| Total { milliseconds, rounding: 0.005, offset };
                block.total = time.map(total);
            }
            ([total], _) if total.starts_with("Total CPU time:") => {}
            (_, None) => {
                losses.add_at(LossKind::Unreadable, bytes, offset, "no heading says what it holds");
            }
            (fields, Some(columns)) if fields.len() != columns.count => {
                let reason = "not as many columns as the heading";
                losses.add_at(LossKind::Unreadable, bytes, offset, reason);
            }
            (fields, Some(columns)) => {
                lines += 1;
                match layer(fields, columns) {
                    _ if lines > MOST_RECORDS => {
                        losses.add_at(LossKind::TooMany, bytes, offset, "");
                    }
                    Ok(layer) => {
                        last = offset;
                        block.layers.push(layer);
                    }
                    Err((kind, reason)) => losses.add_at(kind, bytes, offset, reason),
                }
            }
        }
    }
    // A last line that does not end may be cut in a number.
    if block.total.is_none() && !bytes[last..].contains(&b'\n') {
        block.layers.pop();
    }
    let counters = Counters { blocks: vec![block], sorted: true, ..Counters::default() };
    end_block(&counters, bytes, losses, bytes.len());
    if counters.layers() == 0 {
        return Err(document.unexpected(0, "the counters of a layer (`realTime` under a heading)"));
    }
    Ok(counters.check(&document.bytes))
}
