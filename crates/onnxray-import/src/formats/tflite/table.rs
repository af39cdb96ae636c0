//! The tables of a profile: what their columns are, and what a row says.
//!
//! Columns came and went (`start` is gone from newer versions), so a table is
//! read by its header. A row is a type, then as many numbers as the header
//! says, then a name: types and names may hold the separator themselves.

use crate::number::number as plain;
use std::ops::Range;

/// A line of a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    /// Type of the node, as the profile has it.
    pub(crate) kind: String,
    pub(crate) name: String,
    /// Milliseconds after the first event of a run, mean; older versions only.
    pub(crate) start_ms: Option<f64>,
    /// Milliseconds of one execution, mean.
    pub(crate) average_ms: f64,
    /// Percent of the time of all rows.
    pub(crate) share: Option<f64>,
    /// Executions per run, rounded down; 0 is also what old versions say of all.
    pub(crate) called: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Separator {
    Comma,
    Tab,
    /// A table of the tab-separated kind in which something made tabs spaces.
    Space,
}

/// The columns of a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Columns {
    separator: Separator,
    /// How many columns there are between the type and the name.
    numbers: usize,
    start: Option<usize>,
    average: usize,
    share: Option<usize>,
    called: Option<usize>,
    /// The first heading that no version is known to write.
    pub(crate) unknown: Option<String>,
    /// What a log has in front of the line.
    prefix: String,
}

impl Columns {
    /// The columns that a line names; `None` if it is not a header of nodes.
    pub(crate) fn of(line: &str) -> Option<Columns> {
        let (offset, separator, titles) = match line.find("[node type]") {
            Some(offset) => {
                let header = &line[offset..];
                let tabs = header.contains("]\t");
                let titles = header.split(']').filter_map(|part| Some(part.split_once('[')?.1));
                let separator = if tabs { Separator::Tab } else { Separator::Space };
                (offset, separator, titles.collect::<Vec<_>>())
            }
            None => {
                let offset = line.find("node type,")?;
                (offset, Separator::Comma, line[offset..].split(',').collect())
            }
        };
        let titles: Vec<String> =
            titles.iter().map(|title| title.trim().to_lowercase().replace('_', " ")).collect();
        let [_, numbers @ .., last] = titles.as_slice() else { return None };
        let column = |title: &str| numbers.iter().position(|number| number == title);
        const KNOWN: [&str; 7] =
            ["start", "first", "avg ms", "%", "cdf%", "mem kb", "times called"];
        let unknown = numbers.iter().find(|title| !KNOWN.contains(&title.as_str())).cloned();
        Some(Columns {
            unknown,
            separator,
            numbers: numbers.len(),
            start: column("start"),
            average: column("avg ms").filter(|_| last == "name")?,
            share: column("%"),
            called: column("times called"),
            prefix: line[..offset].trim_end().to_string(),
        })
    }

    /// What a line says; `None` if it is not a row of this table.
    pub(crate) fn row(&self, line: &str) -> Option<Row> {
        let fields = self.fields(line);
        let numbers: Vec<Option<f64>> =
            fields.iter().map(|field| number(&line[field.clone()])).collect();
        let first = (1..fields.len().saturating_sub(self.numbers)).find(|&first| {
            numbers[first..first + self.numbers].iter().all(|number| number.is_some())
        })?;
        // One more number than there are headings, before the name.
        if fields.len() > first + self.numbers + 1 && numbers[first + self.numbers].is_some() {
            return None;
        }
        let number = |column: usize| numbers[first + column].filter(|number| number.is_finite());
        let kind = match self.separator {
            Separator::Tab => line[fields[first - 1].clone()].trim(),
            _ => self.behind_prefix(&line[..fields[first - 1].end]),
        };
        // A kind may hold commas, but none at its end: there a number was.
        if self.separator == Separator::Comma && kind.ends_with(',') {
            return None;
        }
        let name = line[fields[first + self.numbers].start..].trim();
        Some(Row {
            kind: kind.to_string(),
            name: match self.separator {
                // The writer makes tabs of commas so that the name is one field.
                Separator::Comma => name.replace('\t', ","),
                _ => name.to_string(),
            },
            start_ms: self.start.and_then(number),
            average_ms: number(self.average).unwrap_or(f64::NAN),
            share: self.share.and_then(number),
            called: self.called.and_then(number).filter(|&c| c >= 0.0).map(|called| called as u64),
        })
    }

    /// A line without what the log has in front of it. Times and process
    /// numbers there differ from line to line.
    pub(crate) fn behind_prefix<'a>(&self, line: &'a str) -> &'a str {
        let prefix = self.prefix.as_bytes();
        let Some(&mark) = prefix.last() else { return line.trim() };
        let alike = |(a, b): (&u8, &u8)| a == b || (a.is_ascii_digit() && b.is_ascii_digit());
        let rest = match line.get(prefix.len()..) {
            Some(rest) if line.as_bytes().iter().zip(prefix).all(alike) => rest,
            _ => line.split_once(&format!("{} ", char::from(mark))).map_or(line, |(_, rest)| rest),
        };
        rest.trim()
    }

    fn fields(&self, line: &str) -> Vec<Range<usize>> {
        let separates = |character: char| match self.separator {
            Separator::Comma => character == ',',
            Separator::Tab => character == '\t',
            Separator::Space => character.is_whitespace(),
        };
        let mut fields = Vec::new();
        let mut start = 0;
        for (offset, separator) in
            line.char_indices().filter(|&(_, character)| separates(character))
        {
            fields.push(start..offset);
            start = offset + separator.len_utf8();
        }
        fields.push(start..line.len());
        if self.separator == Separator::Space {
            fields.retain(|field| !field.is_empty());
        }
        fields
    }
}

/// A number, a percentage, or the `nan` of a division by 0.
fn number(field: &str) -> Option<f64> {
    let field = field.trim();
    field.strip_suffix('%').map_or_else(|| plain(field), plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(header: &str, line: &str, expected: (&str, &str, f64, Option<u64>)) {
        let row = Columns::of(header).unwrap().row(line).unwrap();
        let found = (row.kind.as_str(), row.name.as_str(), row.average_ms, row.called);
        assert_eq!(found, expected);
    }

    #[test]
    fn rows_of_all_versions() {
        let csv = "node type, start, first, avg_ms, %, cdf%, mem KB, times called, name";
        let newer = "node type, first, avg_ms, %, cdf%, mem KB, times called, name";
        let tabs = "\t  [node type]\t [start]\t [first]\t [avg ms]\t [%]\t [cdf%]\t [mem KB]\t[times called]\t[Name]";
        let spaces =
            "  [node type]  [first]  [avg ms]  [%]  [cdf%]  [mem KB]  [times called]  [Name]";
        check(
            csv,
            "ELU, 0.09, 0.034, 0.03, 14.5%, 59.4%, 0, 1, [a, b]:7",
            ("ELU", "[a, b]:7", 0.03, Some(1)),
        );
        check(
            newer,
            "Convolution (NHWC, F32) IGEMM, 0.1, 2e-05, nan%, 1%, 0, 13, Delegate/Convolution (NHWC\t F32) IGEMM:0",
            (
                "Convolution (NHWC, F32) IGEMM",
                "Delegate/Convolution (NHWC, F32) IGEMM:0",
                2e-5,
                Some(13),
            ),
        );
        check(
            tabs,
            "\t  CONV 2\t 0.0\t 9.1\t 9.132\t 0.1%\t 0.1%\t 0.0\t 0\t[a b]",
            ("CONV 2", "[a b]", 9.132, Some(0)),
        );
        check(
            spaces,
            "   Add (ND, QS8)   0.024  0.025  0.1%  22.5%  0.000   1   Delegate/Add (ND, QS8):9",
            ("Add (ND, QS8)", "Delegate/Add (ND, QS8):9", 0.025, Some(1)),
        );
    }

    #[test]
    fn what_a_log_has_in_front_is_dropped() {
        let header = "08-17 21:47:49.138  2942 I tflite : node type, first, avg_ms, %, cdf%, mem KB, times called, name";
        let line = "08-17 21:47:50.001  2942 I tflite : ELU, 1, 2, 3%, 4%, 0, 1, [a]:0";
        check(header, line, ("ELU", "[a]:0", 2.0, Some(1)));
        let other = "08-17 21:47:50.001 12942 I tflite : ELU, 1, 2, 3%, 4%, 0, 1, [a]:0";
        check(header, other, ("ELU", "[a]:0", 2.0, Some(1)));
        let columns = Columns::of(header).unwrap();
        assert_eq!(columns.behind_prefix("08-17 21:47:50.001  2942 I tflite : "), "");
    }

    #[test]
    fn other_lines_are_no_rows_and_no_headers() {
        assert_eq!(
            Columns::of("node type, count, avg_ms, avg %, cdf %, mem KB, times called"),
            None
        );
        assert_eq!(Columns::of("[node type]"), None);
        let columns =
            Columns::of("node type, first, avg_ms, %, cdf%, mem KB, times called, name").unwrap();
        for line in [
            "",
            "ELU",
            "ELU, , .1, 2, 3%, 4%, 0, 1, [a]:0",
            "ELU, 1, 2, 3%",
            "ELU, 1, 2, 3%, 4%, 0, 1",
            "1, 2, 3, 4, 5, 6, 7",
        ] {
            assert_eq!(columns.row(line), None, "{line}");
        }
    }
}
