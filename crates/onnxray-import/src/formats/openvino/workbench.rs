//! DL Workbench's export of a project's inference, layer by layer.
//!
//! A heading, and a line for each layer of the execution graph, parted by `;` and not quoted:
//!
//! ```text
//! Execution Order;Layer Name;Layer Type;Execution Time;Runtime Precision
//! ```
//!
//! Times are milliseconds. A layer that did not run has the time 0, so that 0 is unknown.

use super::counters::{Block, Counters, Layer, milliseconds};
use crate::ImportError;
use crate::damage::{DamageKind, MOST_RECORDS};
use crate::formats::together::Document;
use crate::text::number::number;

/// What the file begins with.
pub(super) const HEADING: &str =
    "Execution Order;Layer Name;Layer Type;Execution Time;Runtime Precision";

pub(crate) fn read(document: &mut Document) -> Result<Counters, ImportError> {
    let Document { bytes, damage, .. } = document;
    let mut layers: Vec<(u64, Layer)> = Vec::new();
    let mut offset = 0;
    for (line_number, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let start = offset;
        offset += line.len();
        let text = String::from_utf8_lossy(line);
        let text = text.trim();
        if text.is_empty() {
            continue;
        }
        if line_number == 0 {
            if text != HEADING {
                damage.add_at(DamageKind::Unreadable, bytes, start, "a heading that is not known");
            }
            continue;
        }
        match layer(text) {
            _ if layers.len() >= MOST_RECORDS => {
                damage.add_at(DamageKind::TooMany, bytes, start, "");
            }
            Ok(layer) => layers.push(layer),
            Err(_) if !line.ends_with(b"\n") => {
                damage.add_at(DamageKind::EndsEarly, bytes, start, "within a line");
            }
            Err((kind, reason)) => damage.add_at(kind, bytes, start, reason),
        }
    }
    if layers.is_empty() {
        return Err(document.unexpected(0, "the time of a layer (`Execution Time`)"));
    }
    layers.sort_by_key(|&(order, _)| order);
    let layers = layers.into_iter().map(|(_, layer)| layer).collect();
    let blocks = vec![Block { layers, total: None }];
    Ok(Counters { blocks, of_workbench: true, ..Counters::default() })
}

/// A layer and its place in the order of execution. Its name may hold separators.
fn layer(line: &str) -> Result<(u64, Layer), (DamageKind, &'static str)> {
    let few = (DamageKind::Unreadable, "too few columns");
    let (order, rest) = line.split_once(';').ok_or(few)?;
    let mut behind = rest.rsplitn(4, ';');
    let (Some(precision), Some(time), Some(layer_type), Some(name)) =
        (behind.next(), behind.next(), behind.next(), behind.next())
    else {
        return Err(few);
    };
    let order = number(order.trim()).ok_or((DamageKind::Unreadable, "no number of its order"))?;
    let milliseconds = match time.trim() {
        "not_executed" => 0.0,
        time => milliseconds(time).ok_or((DamageKind::NoTime, "`Execution Time` is not a time"))?,
    };
    // A type, a time and a precision: those of another layer, whose line break is lost.
    let parts: Vec<&str> = name.split(';').collect();
    let is_time = |part: &&str| number::<f64>(part).is_some();
    if parts[..parts.len() - 1].iter().skip(2).any(is_time) {
        return Err((DamageKind::Unreadable, "several layers in a line"));
    }
    let ran = milliseconds > 0.0;
    let layer = Layer {
        name: name.to_string(),
        status: if ran { "EXECUTED" } else { "" }.to_string(),
        layer_type: layer_type.trim().to_string(),
        kernel: String::new(),
        precision: precision.trim().to_string(),
        milliseconds,
    };
    match layer.name.is_empty() {
        true => Err((DamageKind::NotARecord, "no layer's name")),
        false => Ok((order, layer)),
    }
}
