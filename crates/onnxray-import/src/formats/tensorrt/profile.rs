//! `--exportProfile`: the average time of each layer.

use crate::ImportError;
use crate::formats::records::{self, Record};
use crate::formats::together::{Document, nanoseconds};
use crate::json::{Cursor, Value};
use crate::loss::LossKind;
use crate::presence::Presence;
use onnxray_format::Position;

/// An array whose first record counts the iterations and whose others are layers
/// in the order of their execution.
pub(crate) struct Profile {
    /// How many iterations the times are of.
    pub(crate) count: Option<u64>,
    pub(crate) layers: Vec<LayerTime>,
}

pub(crate) struct LayerTime {
    pub(crate) name: String,
    pub(crate) mean_ns: Option<f64>,
    pub(crate) median_ns: Option<f64>,
}

enum Entry {
    Count(u64),
    /// The sum over all iterations, for a layer without an average.
    Layer(LayerTime, Option<f64>),
}

pub(crate) fn read(document: &mut Document) -> Result<Profile, ImportError> {
    let Document { bytes, losses, .. } = document;
    let mut entries = Vec::new();
    let mut presence = Presence::new();
    let mut cursor = Cursor::new(bytes);
    let mut keep = |offset, entry| {
        if let Entry::Layer(layer, total) = &entry {
            let members = [
                ("timeMs", total.is_some()),
                ("averageMs", layer.mean_ns.is_some()),
                ("medianMs", layer.median_ns.is_some()),
            ];
            presence.see("", &layer.name, offset, members);
        }
        entries.push(entry);
    };
    let ended = records::read(&mut cursor, losses, entry, &mut keep);
    presence.count(losses, |offset| Position::of(bytes, offset));
    let offset = cursor.offset;
    document.count_rest(ended, offset);
    let count = entries.iter().find_map(|entry| match entry {
        Entry::Count(count) => Some(*count),
        Entry::Layer(..) => None,
    });
    let layers: Vec<LayerTime> = entries
        .into_iter()
        .filter_map(|entry| match entry {
            Entry::Count(_) => None,
            Entry::Layer(layer, total) => {
                let average = || Some(total? / count.filter(|&count| count > 0)? as f64);
                Some(LayerTime { mean_ns: layer.mean_ns.or_else(average), ..layer })
            }
        })
        .collect();
    if layers.is_empty() {
        return Err(document.unexpected(offset, "a layer's name and times"));
    }
    Ok(Profile { count, layers })
}

fn entry(cursor: &mut Cursor<'_>) -> Record<Entry> {
    if cursor.peek() != Some(b'{') {
        cursor.skip()?;
        return Ok(Err((LossKind::NotARecord, "a value that is not an object")));
    }
    let (mut count, mut layer_name) = (None, None);
    let (mut total, mut mean, mut median) = (None, None, None);
    cursor.object(|key, cursor| {
        let value = cursor.value()?;
        match key.raw {
            b"count" => count = value.as_i64(),
            b"name" => {
                if let Value::Text(text) = value {
                    layer_name = Some(text.decode().into_owned());
                }
            }
            b"timeMs" => total = nanoseconds(value),
            b"averageMs" => mean = nanoseconds(value),
            b"medianMs" => median = nanoseconds(value),
            _ => {}
        }
        Ok(())
    })?;
    Ok(match (layer_name, count) {
        (Some(_), _) if total.is_none() && mean.is_none() && median.is_none() => {
            Err((LossKind::NoTime, "neither `averageMs` nor `timeMs`"))
        }
        (Some(name), _) => {
            Ok(Entry::Layer(LayerTime { name, mean_ns: mean, median_ns: median }, total))
        }
        (None, Some(count)) => match u64::try_from(count) {
            Ok(count) => Ok(Entry::Count(count)),
            Err(_) => Err((LossKind::NotARecord, "a negative count")),
        },
        (None, None) => Err((LossKind::NotARecord, "no layer's name")),
    })
}
