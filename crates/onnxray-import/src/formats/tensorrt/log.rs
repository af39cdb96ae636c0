//! `--dumpProfile`: the average time of each layer, as trtexec prints it among the lines of its
//! log.
//!
//! ```text
//! [05/08/2024-14:05:14] [I] === Profile (2094 iterations ) ===
//! [05/08/2024-14:05:14] [I]    Time(ms)     Avg.(ms)   Median(ms)   Time(%)   Layer
//! [05/08/2024-14:05:14] [I]       16.15       0.0077       0.0075       0.5   conv1 + relu1
//! [05/08/2024-14:05:14] [I]     3231.60       1.5433       1.5421     100.0   Total
//! ```
//!
//! Versions before 8.5 have no medians; before 8.2, the name stands in front of the numbers.

use super::profile::{LayerTime, Profile};
use crate::ImportError;
use crate::damage::{DamageKind, MOST_RECORDS};
use crate::formats::together::{Document, LONGEST};
use crate::text::line_prefix::LinePrefix;
use crate::text::number::number;

/// How the title of the table goes on, whatever stands in front of it.
const TITLE: &str = "=== Profile (";
/// Averages are printed with four decimals, in milliseconds.
const RESOLUTION_NS: u64 = 100;

pub(crate) fn is_log(text: &[u8]) -> bool {
    memchr::memmem::find(text, TITLE.as_bytes()).is_some_and(|at| {
        let behind = &text[at..];
        memchr::memmem::find(&behind[..behind.len().min(160)], b"iterations").is_some()
    })
}

/// A profile for each table.
pub(crate) fn read(document: &mut Document) -> Result<Vec<Profile>, ImportError> {
    let Document { bytes, damage, .. } = document;
    let mut profiles: Vec<Profile> = Vec::new();
    let (mut table, mut offset, mut layers) = (None::<Table>, 0, 0usize);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let (start, ended) = (offset, line.ends_with(b"\n"));
        offset += line.len();
        let text = String::from_utf8_lossy(line);
        if let Some((_, behind)) = text.split_once(TITLE) {
            table = None;
            let count = behind.split_whitespace().next().and_then(number);
            if count.is_none() {
                damage.add_at(DamageKind::Member, bytes, start, "the number of iterations");
            }
            let (layers, resolution_ns) = (Vec::new(), Some(RESOLUTION_NS));
            profiles.push(Profile { count, layers, resolution_ns, total_ns: None });
            continue;
        }
        let Some(profile) = profiles.last_mut().filter(|profile| profile.total_ns.is_none()) else {
            continue;
        };
        let Some(columns) = &table else {
            table = Table::of(&text);
            continue;
        };
        let text = columns.prefix.strip(&text);
        if text.is_empty() {
            continue;
        }
        match columns.row(text) {
            // It may be cut in a number or in a name.
            _ if !ended && !text.ends_with("Total") => {
                damage.add_at(DamageKind::EndsEarly, bytes, start, "within a line");
            }
            None => {
                let reason = "a line of the table without its numbers";
                damage.add_at(DamageKind::Unreadable, bytes, start, reason);
            }
            Some(layer) if layer.name == "Total" => profile.total_ns = layer.mean_ns,
            Some(_) if layers >= MOST_RECORDS => {
                damage.add_at(DamageKind::TooMany, bytes, start, "")
            }
            Some(layer) if layer.mean_ns.is_none() => {
                damage.add_at(DamageKind::NoTime, bytes, start, "an average that is not a time");
            }
            Some(layer) => {
                layers += 1;
                profile.layers.push(layer);
            }
        }
    }
    if profiles.last().is_some_and(|profile| profile.total_ns.is_none()) {
        damage.add_at(DamageKind::EndsEarly, bytes, offset, "there is no total after the layers");
    }
    profiles.retain(|profile| !profile.layers.is_empty());
    match profiles.is_empty() {
        true => Err(document.unexpected(0, "a layer's name and times (`--dumpProfile`)")),
        false => Ok(profiles),
    }
}

struct Table {
    prefix: LinePrefix,
    /// How many numbers a line has.
    numbers: usize,
    average: usize,
    median: Option<usize>,
    /// Whether the name stands in front of them.
    name_first: bool,
}

impl Table {
    /// The columns that a line names; `None` if it is not a heading.
    fn of(line: &str) -> Option<Table> {
        // Where each title stands; versions write them with a space and without.
        let place = |titles: &[&str]| titles.iter().find_map(|title| line.find(title));
        let name = place(&["Layer"])?;
        let time = place(&["Time(ms)", "Time (ms)"])?;
        let average = place(&["Avg.(ms)", "Avg. Time(ms)", "Avg. Time (ms)"])?;
        let median = place(&["Median(ms)", "Median (ms)", "Median Time (ms)"]);
        let share = place(&["Time(%)", "Time (%)", "Time %"])?;
        let mut numbers: Vec<usize> =
            [Some(time), Some(average), median, Some(share)].into_iter().flatten().collect();
        numbers.sort_unstable();
        let column = |place: usize| numbers.iter().position(|&known| known == place);
        Some(Table {
            prefix: LinePrefix::new(&line[..name.min(time)]),
            numbers: numbers.len(),
            average: column(average)?,
            median: median.and_then(column),
            name_first: name < time,
        })
    }

    /// What a line says; `None` if it has not as many numbers.
    fn row(&self, line: &str) -> Option<LayerTime> {
        let mut name = line;
        let mut numbers = Vec::with_capacity(self.numbers);
        for _ in 0..self.numbers {
            let (word, rest) = match self.name_first {
                true => name.rsplit_once(char::is_whitespace).map(|(rest, word)| (word, rest))?,
                false => name.split_once(char::is_whitespace)?,
            };
            numbers.push(number::<f64>(&word.replace(',', "."))?);
            name = rest.trim();
        }
        if self.name_first {
            numbers.reverse();
        }
        let time = |column: usize| {
            let nanoseconds = numbers[column] * 1e6;
            (0.0..=LONGEST).contains(&nanoseconds).then_some(nanoseconds)
        };
        let mean_ns = time(self.average);
        let median_ns = self.median.and_then(time);
        let name = name.to_string();
        (!name.is_empty()).then_some(LayerTime { name, mean_ns, median_ns })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(heading: &str, line: &str, expected: (&str, f64, Option<f64>)) {
        let table = Table::of(heading).unwrap();
        let LayerTime { name, mean_ns, median_ns } = table.row(table.prefix.strip(line)).unwrap();
        let rounded = |time: f64| time.round();
        let found = (name.as_str(), mean_ns.map_or(-1.0, rounded), median_ns.map(rounded));
        assert_eq!(found, expected);
    }

    #[test]
    fn lines_of_all_versions() {
        check(
            "[05/08/2024-14:05:14] [I]    Time(ms)     Avg.(ms)   Median(ms)   Time(%)   Layer",
            "[05/08/2024-14:05:15] [I]       16.15       0.0077       0.0075       0.5   Reformatting 2 to a [x] + b",
            ("Reformatting 2 to a [x] + b", 7700.0, Some(7500.0)),
        );
        check(
            "[12/01/2021-10:00:00] [I]   Time (ms)     Avg. Time (ms)   Time %   Layer",
            "[12/01/2021-10:00:00] [I]    16.15    0.0077   0.5   12 34",
            ("12 34", 7700.0, None),
        );
        check(
            "             Layer   Time (ms)   Avg. Time (ms)   Time %",
            "  conv1 + 7 relu1       16.15           0.0077      0.5",
            ("conv1 + 7 relu1", 7700.0, None),
        );
    }

    #[test]
    fn other_lines_are_no_headings_and_no_rows() {
        assert!(Table::of("[I] === Profile (10 iterations ) ===").is_none());
        assert!(Table::of("[I] Layer Time").is_none());
        let table = Table::of("Time(ms) Avg.(ms) Median(ms) Time(%) Layer").unwrap();
        for line in ["", "1 2 3", "1 2 3 4", "1 2 x 4 name", "&&&& PASSED TensorRT.trtexec"] {
            assert!(table.row(line).is_none(), "{line}");
        }
    }
}
