//! Reports of counters as CSV.
//!
//! A block for each infer request: a header, a line for each layer, a line with
//! the total. The lines are not quoted, so a separator in the name of a layer is
//! found by counting from the line's end. C++ ends every line with a separator.

use super::counters::{Block, Counters, Layer, ROUNDING, Total, milliseconds, status};
use crate::ImportError;
use crate::formats::together::Document;
use crate::loss::{LossKind, Losses};

pub(crate) fn read(document: &mut Document) -> Result<Counters, ImportError> {
    let Document { bytes, losses, .. } = document;
    let mut counters = Counters::default();
    let mut columns = 6;
    let mut offset = 0;
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
            // A sorted report of C++ has the shares as well.
            counters.sorted = fields.last().is_some_and(|last| last.contains('%'));
            columns = if counters.sorted { 7 } else { 6 };
            end_block(&counters, bytes, losses, start);
            counters.blocks.push(Block::default());
            continue;
        }
        let Some(block) = counters.blocks.last_mut() else { continue };
        if fields[0] == "Total" && fields.get(1..4).is_some_and(|f| f.iter().all(|f| f.is_empty()))
        {
            let milliseconds = fields.get(4).and_then(|time| milliseconds(time));
            block.total = milliseconds.map(|milliseconds| Total {
                milliseconds,
                rounding: ROUNDING,
                offset: start,
            });
        } else if ended {
            match layer(&fields, columns) {
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
        return Err(document.unexpected(offset, "the counters of a layer"));
    }
    Ok(counters.check(&document.bytes))
}

/// Without a total, the lines behind the last one may be missing.
fn end_block(counters: &Counters, bytes: &[u8], losses: &mut Losses, offset: usize) {
    if counters.blocks.last().is_some_and(|block| block.total.is_none()) {
        losses.add_at(LossKind::EndsEarly, bytes, offset, "no total is behind the layers");
    }
}

fn layer(fields: &[&str], columns: usize) -> Result<Layer, (LossKind, &'static str)> {
    let Some(names) = fields.len().checked_sub(columns - 1).filter(|&names| names > 0) else {
        return Err((LossKind::Unreadable, "too few columns"));
    };
    let (name, rest) = fields.split_at(names);
    let time = rest.get(3).and_then(|time| milliseconds(time));
    match (rest, time) {
        ([state, layer_type, kernel, ..], Some(milliseconds)) => Ok(Layer {
            name: name.join(";"),
            status: status(state),
            layer_type: layer_type.to_string(),
            kernel: kernel.to_string(),
            milliseconds,
        }),
        _ => Err((LossKind::NoTime, "`realTime` is no time")),
    }
}

/// The sorted report of Python: separated by commas, quoted, and with a line break
/// in the last column's heading.
pub(crate) fn read_sorted(document: &mut Document) -> Result<Counters, ImportError> {
    let Document { bytes, losses, .. } = document;
    let mut block = Block::default();
    let mut last = 0;
    let mut records = ::csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(bytes.as_slice())
        .into_byte_records();
    while let Some(Ok(record)) = records.next() {
        let offset = record.position().map_or(0, |position| position.byte() as usize);
        let fields: Vec<_> = record.iter().map(String::from_utf8_lossy).collect();
        let fields: Vec<&str> = fields.iter().map(|field| field.as_ref()).collect();
        match fields.as_slice() {
            [] | [""] | ["layerName", ..] => {}
            [total] if total.starts_with("Total time:") => {
                let time = total.split_whitespace().nth(2).and_then(milliseconds);
                // It has two decimals.
                let total = |milliseconds| Total { milliseconds, rounding: 0.005, offset };
                block.total = time.map(total);
            }
            [total] if total.starts_with("Total CPU time:") => {}
            fields if fields.len() < 6 => {
                losses.add_at(LossKind::Unreadable, bytes, offset, "too few columns");
            }
            fields => match layer(&fields[..6], 6) {
                Ok(layer) => {
                    last = offset;
                    block.layers.push(layer);
                }
                Err((kind, reason)) => losses.add_at(kind, bytes, offset, reason),
            },
        }
    }
    // A last line that does not end may be cut in a number.
    if block.total.is_none() && !bytes[last..].contains(&b'\n') {
        block.layers.pop();
    }
    let counters = Counters { blocks: vec![block], sorted: true, ..Counters::default() };
    end_block(&counters, bytes, losses, bytes.len());
    if counters.layers() == 0 {
        return Err(document.unexpected(document.bytes.len(), "the counters of a layer"));
    }
    Ok(counters.check(&document.bytes))
}
