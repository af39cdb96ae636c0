//! Reports of counters as JSON (`-json_stats`): numbers as numbers in C++, and as
//! text in Python.

use super::counters::{
    Block, Counters, Layer, ROUNDING, Total, UNKNOWN_STATUS, milliseconds, status,
};
use crate::ImportError;
use crate::damage::{Damage, DamageKind};
use crate::formats::records::{self, Record};
use crate::formats::together::Document;
use crate::json::{Broken, Cursor};
use crate::presence::Presence;

pub(crate) fn read(document: &mut Document) -> Result<Counters, ImportError> {
    let Document { bytes, damage, .. } = document;
    let mut cursor = Cursor::new(bytes);
    let mut blocks = Vec::new();
    let mut report_type = String::new();
    let ended = cursor.object(|key, cursor| match (key.raw, cursor.peek()) {
        (b"detailed_performance", Some(b'[')) => {
            cursor.array(|cursor| report(cursor, damage, &mut blocks))
        }
        (b"avg_performance" | b"detailed_performance", _) => report(cursor, damage, &mut blocks),
        (b"report_type", _) => {
            report_type = cursor.value()?.as_text().unwrap_or_default().into_owned();
            Ok(())
        }
        _ => cursor.skip().map(|_| ()),
    });
    let offset = cursor.offset;
    document.count_rest(ended, offset, 1);
    let counters = Counters {
        sorted: report_type == "sorted",
        first_layer_only: report_type == "average"
            && matches!(blocks.as_slice(), [Block { layers, .. }] if layers.len() == 1),
        blocks,
        ..Counters::default()
    };
    if counters.layers() == 0 {
        return Err(document.unexpected(offset, "the counters of a layer"));
    }
    Ok(counters.check(&document.bytes))
}

fn report(
    cursor: &mut Cursor<'_>,
    damage: &mut Damage,
    blocks: &mut Vec<Block>,
) -> Result<(), Broken> {
    match cursor.peek() {
        Some(b'{') => block(cursor, damage, blocks),
        // Of what was not counted.
        Some(b'n') => cursor.skip().map(|_| ()),
        _ => {
            damage.add_at(DamageKind::NotARecord, cursor.bytes, cursor.offset, "");
            cursor.skip().map(|_| ())
        }
    }
}

fn block(
    cursor: &mut Cursor<'_>,
    damage: &mut Damage,
    blocks: &mut Vec<Block>,
) -> Result<(), Broken> {
    let mut block = Block::default();
    let read = cursor.object(|key, cursor| match (key.raw, cursor.peek()) {
        (b"nodes", Some(b'[')) => {
            let mut presence = Presence::new();
            let mut keep = |offset, (layer, has): (Layer, [bool; 2])| {
                let members = ["node_type", "exec_type"].into_iter().zip(has);
                presence.see("", &layer.name, offset, members);
                block.layers.push(layer);
            };
            let read = records::read(cursor, damage, layer, &mut keep);
            presence.count_in(cursor.bytes, damage);
            read
        }
        (b"total_real_time", _) => {
            let offset = cursor.offset;
            let time = cursor.value()?.as_text().and_then(|time| milliseconds(&time));
            let total = |milliseconds| Total { milliseconds, rounding: ROUNDING, offset };
            block.total = time.map(total);
            Ok(())
        }
        _ => cursor.skip().map(|_| ()),
    });
    // What was read before the damage stays.
    blocks.push(block);
    read
}

/// A layer, and whether its type and its kernel are told.
fn layer(cursor: &mut Cursor<'_>) -> Record<(Layer, [bool; 2])> {
    let [mut name, mut state, mut time] = [const { String::new() }; 3];
    let (mut layer_type, mut kernel) = (None, None);
    let read = records::object(cursor, |key, cursor| {
        let text = cursor.value()?.as_text().unwrap_or_default().into_owned();
        match key.raw {
            b"name" => name = text,
            b"status" => state = text,
            b"node_type" => layer_type = Some(text),
            b"exec_type" => kernel = Some(text),
            b"real_time" => time = text,
            _ => {}
        }
        Ok(())
    })?;
    if let Err(refused) = read {
        return Ok(Err(refused));
    }
    Ok(match (milliseconds(&time), status(&state)) {
        _ if name.is_empty() => Err((DamageKind::NotARecord, "no layer's name")),
        (None, _) => Err((DamageKind::NoTime, "`real_time` is not a time")),
        (_, None) => Err((DamageKind::UnknownKind, UNKNOWN_STATUS)),
        (Some(milliseconds), Some(status)) => {
            let has = [layer_type.is_some(), kernel.is_some()];
            let [layer_type, kernel] = [layer_type, kernel].map(Option::unwrap_or_default);
            let precision = String::new();
            Ok((Layer { name, status, layer_type, kernel, precision, milliseconds }, has))
        }
    })
}
