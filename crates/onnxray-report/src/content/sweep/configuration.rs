//! A configuration as cells and words: its dimensions, instances, names of points.

use crate::content::shares::sizes;
use crate::document::Cell;
use onnxray_analyzer::profiles::{Configuration, Profile};
use onnxray_analyzer::sweep::{Percentile, Point, Sweep};
use onnxray_text::counted;
use onnxray_text::first_of;

/// Sizes of dimensions: `sequence=128, width=64`.
pub(super) fn dimensions(configuration: &Configuration) -> Cell {
    Cell::some_text(sizes(&configuration.dimensions))
}

/// Processes side by side; unknown if not stated.
pub(super) fn instances(configuration: &Configuration) -> Cell {
    let instances = configuration.instances;
    Cell::whole((instances > 0).then_some(u64::from(instances)))
}

/// A point in a sentence: its name, how it ran and how fast that is.
pub(super) fn point(point: &Point, percentile: Percentile, counted: &str) -> String {
    format!(
        "{} ({}): {} {counted}/s at {percentile} {} ms",
        point.profile.name,
        configuration(&point.profile.configuration),
        short(point.throughput.value),
        short(point.latency.value),
    )
}

fn configuration(configuration: &Configuration) -> String {
    let instances = u64::from(configuration.instances);
    let parts = [
        Some(configuration.engine.clone()).filter(|engine| !engine.is_empty()),
        configuration.batch_size.map(|size| format!("batch {size}")),
        match dimensions(configuration) {
            Cell::Text(sizes) => Some(sizes),
            _ => None,
        },
        configuration.threads.map(|threads| counted(u64::from(threads), "thread", "threads")),
        (instances > 0).then(|| counted(instances, "instance", "instances")),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Names of points, or of the first of them, as programs know them.
pub(super) fn names(sweep: &Sweep, numbers: &[usize]) -> String {
    let names = numbers.iter().filter_map(|&number| sweep.points.get(number));
    first_of(names.map(|point| &point.profile.name), ", ")
}

/// The same for people.
pub(super) fn short_names(sweep: &Sweep, numbers: &[usize]) -> String {
    let shared = shared_sizes(sweep);
    let names = numbers.iter().filter_map(|&number| sweep.points.get(number));
    first_of(names.map(|point| short_name(&point.profile.name, &shared)), ", ")
}

/// Sizes of dimensions that the names of all points have, as they stand in these. A single point
/// shares nothing.
pub(super) fn shared_sizes(sweep: &Sweep) -> Vec<String> {
    let [first, others @ ..] = &sweep.points[..] else { return Vec::new() };
    let sizes = first.profile.configuration.dimensions.iter();
    let parts = sizes.map(|size| format!("-{}={}", size.name, size.size));
    let is_shared = |part: &String| {
        let has = |point: &Point| {
            short_name(&point.profile.name, std::slice::from_ref(part)).len()
                < point.profile.name.len()
        };
        !others.is_empty() && sweep.points.iter().all(has)
    };
    parts.filter(is_shared).collect()
}

/// A name without these parts of it, each of which ends where the next one begins.
pub(super) fn short_name(name: &str, shared: &[String]) -> String {
    shared.iter().fold(name.to_string(), |name, part| {
        let found = name.match_indices(part.as_str()).find(|(at, _)| {
            let rest = name.get(at + part.len()..).unwrap_or_default();
            rest.is_empty() || rest.starts_with('-')
        });
        match found {
            Some((at, _)) => {
                let (before, rest) = (name.get(..at), name.get(at + part.len()..));
                format!("{}{}", before.unwrap_or_default(), rest.unwrap_or_default())
            }
            None => name,
        }
    })
}

/// A figure to four digits, or to all in front of the point.
pub(super) fn short(value: f64) -> String {
    // Four digits: three beyond the first.
    let digits = if value > 0.0 { value.log10().floor() } else { 0.0 };
    let decimals = (3.0 - digits).clamp(0.0, 9.0) as usize;
    format!("{value:.decimals$}")
}

/// Labels of points in a chart: what differs between profiles, such as `b4 t2`; their names, if
/// nothing differs or labels would be ambiguous.
pub(super) fn labels(profiles: &[&Profile]) -> Vec<String> {
    /// Letters of a name that has to serve.
    const MOST: usize = 24;
    let parts: Vec<Vec<String>> =
        profiles.iter().map(|profile| parts(&profile.configuration)).collect();
    let first = parts.first().cloned().unwrap_or_default();
    let differs: Vec<bool> = (0..first.len())
        .map(|place| parts.iter().any(|other| other.get(place) != first.get(place)))
        .collect();
    let label = |parts: &Vec<String>| {
        let chosen =
            parts.iter().zip(&differs).filter(|(part, differs)| **differs && !part.is_empty());
        chosen.map(|(part, _)| part.as_str()).collect::<Vec<_>>().join(" ")
    };
    let labels: Vec<String> = parts.iter().map(label).collect();
    // Models have series of their own: their labels may be alike.
    let key = |number: usize| Some((profiles.get(number)?.model.as_str(), labels.get(number)?));
    let mut keys: Vec<_> = (0..profiles.len()).filter_map(key).collect();
    keys.sort_unstable();
    // Once sorted, equal ones are neighbours.
    let is_unique = keys.windows(2).all(|pair| pair.first() != pair.last());
    match is_unique && labels.iter().all(|label| !label.is_empty()) {
        true => labels,
        false => profiles.iter().map(|profile| cut(&profile.name, MOST)).collect(),
    }
}

/// Each field that a label may name.
fn parts(configuration: &Configuration) -> Vec<String> {
    /// Letters of a dimension's name.
    const MOST: usize = 12;
    let of = |letter: &str, size: Option<u64>| size.map(|size| format!("{letter}{size}"));
    let sizes = configuration.dimensions.iter();
    let sizes = sizes.map(|size| format!("{}={}", cut(&size.name, MOST), size.size));
    vec![
        of("b", configuration.batch_size).unwrap_or_default(),
        of("t", configuration.threads.map(u64::from)).unwrap_or_default(),
        of("i", Some(u64::from(configuration.instances))).unwrap_or_default(),
        sizes.collect::<Vec<_>>().join(" "),
        cut(&configuration.engine, MOST),
    ]
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_four_digits() {
        for (value, text) in [
            (0.0, "0.000"),
            (0.012_345_6, "0.01235"),
            (1.0, "1.000"),
            (12.3456, "12.35"),
            (123_456.7, "123457"),
        ] {
            assert_eq!(short(value), text);
        }
    }
}
