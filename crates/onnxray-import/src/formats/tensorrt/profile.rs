//! `--exportProfile`: the average time of each layer.

use crate::ImportError;
use crate::damage::DamageKind;
use crate::formats::records::{self, Record};
use crate::formats::together::{Document, nanoseconds};
use crate::json::{Cursor, Value};
use crate::presence::Presence;

/// An array whose first record counts the iterations and whose others are layers
/// in the order of their execution.
pub(crate) struct Profile {
    /// How many iterations the times are of.
    pub(crate) count: Option<u64>,
    pub(crate) layers: Vec<LayerTime>,
    /// What averages are rounded to, in nanoseconds, if they are.
    pub(crate) resolution_ns: Option<u64>,
    /// What it says that the averages add up to, in nanoseconds.
    pub(crate) total_ns: Option<f64>,
}

impl Profile {
    /// The total and the sum of the layers, in milliseconds, if they are not the same.
    pub(crate) fn mismatch(&self) -> Option<(f64, f64)> {
        let total = self.total_ns?;
        let sum: f64 = self.layers.iter().filter_map(|layer| layer.mean_ns).sum();
        let rounding = self.resolution_ns.unwrap_or_default() as f64 / 2.0;
        let error = rounding * (self.layers.len() + 1) as f64 + 1e-5 * sum;
        ((sum - total).abs() > error).then_some((total / 1e6, sum / 1e6))
    }
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

/// A profile for each array: several are in one file where they were put together.
pub(crate) fn read(document: &mut Document) -> Result<Vec<Profile>, ImportError> {
    let Document { bytes, damage, .. } = document;
    let mut profiles = Vec::new();
    let mut presence = Presence::new();
    let mut cursor = Cursor::new(bytes);
    let ended = loop {
        let mut entries = Vec::new();
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
        let ended = records::read(&mut cursor, damage, entry, &mut keep);
        profiles.extend(Some(profile(entries)).filter(|profile| !profile.layers.is_empty()));
        if ended.is_err() || cursor.peek() != Some(b'[') {
            break ended;
        }
    };
    presence.count_in(bytes, damage);
    let offset = cursor.offset;
    document.count_rest(ended, offset, profiles.len());
    match profiles.is_empty() {
        true => Err(document.unexpected(offset, "a layer's name and times")),
        false => Ok(profiles),
    }
}

fn profile(entries: Vec<Entry>) -> Profile {
    let count = entries.iter().find_map(|entry| match entry {
        Entry::Count(count) => Some(*count),
        Entry::Layer(..) => None,
    });
    let layers = entries.into_iter().filter_map(|entry| match entry {
        Entry::Count(_) => None,
        Entry::Layer(layer, total) => {
            let average = || Some(total? / count.filter(|&count| count > 0)? as f64);
            Some(LayerTime { mean_ns: layer.mean_ns.or_else(average), ..layer })
        }
    });
    Profile { count, layers: layers.collect(), resolution_ns: None, total_ns: None }
}

fn entry(cursor: &mut Cursor<'_>) -> Record<Entry> {
    let (mut count, mut layer_name) = (None, None);
    let (mut total, mut mean, mut median) = (None, None, None);
    let read = records::object(cursor, |key, cursor| {
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
    if let Err(refused) = read {
        return Ok(Err(refused));
    }
    Ok(match (layer_name, count) {
        (Some(_), _) if total.is_none() && mean.is_none() && median.is_none() => {
            Err((DamageKind::NoTime, "neither `averageMs` nor `timeMs`"))
        }
        (Some(name), _) => {
            Ok(Entry::Layer(LayerTime { name, mean_ns: mean, median_ns: median }, total))
        }
        (None, Some(count)) => match u64::try_from(count) {
            Ok(count) => Ok(Entry::Count(count)),
            Err(_) => Err((DamageKind::NotARecord, "a negative count")),
        },
        (None, None) => Err((DamageKind::NotARecord, "no layer's name")),
    })
}
