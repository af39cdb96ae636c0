//! The tables of a profile: what their columns are, and what a row says.
//!
//! Columns came and went (`start` is gone from newer versions), so a table is
//! read by its header. A row is a type, then as many numbers as the header
//! says, then a name: types and names may hold the separator themselves.

use crate::text::line_prefix::LinePrefix;
use crate::text::number::number as plain;
use std::ops::Range;

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

/// The columns of a summary by type: a type, and numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TypeColumns {
    /// A row of it is one of nodes without its name.
    nodes: Columns,
}

impl TypeColumns {
    /// The columns that a line names; `None` if it is not a header of types.
    pub(crate) fn of(line: &str) -> Option<TypeColumns> {
        let at = line.to_lowercase().find("node type")?;
        let bracket = usize::from(line[..at].ends_with('['));
        let (offset, header) = (at - bracket, &line[at - bracket..]);
        let (separator, titles) = Columns::titles(header, bracket > 0);
        let [_, numbers @ ..] = titles.as_slice() else { return None };
        let column = |title: &str| numbers.iter().position(|number| number == title);
        column("count")?;
        Some(TypeColumns {
            nodes: Columns {
                unknown: None,
                separator,
                numbers: numbers.len(),
                start: None,
                average: column("avg ms")?,
                share: column("avg %"),
                called: column("times called"),
                prefix: LinePrefix::new(&line[..offset]),
            },
        })
    }

    /// What a line says of a type: its time per run as that of one execution.
    pub(crate) fn row(&self, line: &str) -> Option<Row> {
        let comma = if self.nodes.separator == Separator::Comma { ", " } else { "\t" };
        let row = self.nodes.row(&format!("{}{comma}.", line.trim_end()))?;
        let executions = row.called.unwrap_or_default().max(1) as f64;
        let average_ms = row.average_ms / executions;
        let is_time = average_ms.is_finite() && average_ms >= 0.0 && !row.kind.is_empty();
        is_time.then(|| Row { name: row.kind.clone(), average_ms, ..row })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Separator {
    Comma,
    Tab,
    /// A table of the tab-separated kind in which something made tabs spaces.
    Space,
}

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
    prefix: LinePrefix,
}

impl Columns {
    /// The columns that a line names; `None` if it is not a header of nodes.
    pub(crate) fn of(line: &str) -> Option<Columns> {
        let (offset, bracketed) = match line.find("[node type]") {
            Some(offset) => (offset, true),
            None => (line.find("node type,")?, false),
        };
        let (separator, titles) = Columns::titles(&line[offset..], bracketed);
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
            prefix: LinePrefix::new(&line[..offset]),
        })
    }

    /// What a header names, in small letters, and what parts the fields of the table.
    fn titles(header: &str, bracketed: bool) -> (Separator, Vec<String>) {
        let titles: Vec<&str> = match bracketed {
            true => header.split(']').filter_map(|part| Some(part.split_once('[')?.1)).collect(),
            false => header.split(',').collect(),
        };
        let separator = match bracketed {
            true if header.contains("]\t") => Separator::Tab,
            true => Separator::Space,
            false => Separator::Comma,
        };
        let plain = |title: &&str| title.trim().to_lowercase().replace('_', " ");
        (separator, titles.iter().map(plain).collect())
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

    /// A line without what the log has in front of it.
    pub(crate) fn behind_prefix<'a>(&self, line: &'a str) -> &'a str {
        self.prefix.strip(line)
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
    fn rows_of_a_summary_by_type() {
        let check = |header: &str, line: &str, expected: (&str, f64, Option<u64>)| {
            let row = TypeColumns::of(header).unwrap().row(line).unwrap();
            let rounded = (row.average_ms * 1e6).round() / 1e6;
            assert_eq!((row.name.as_str(), rounded, row.called), expected);
        };
        check(
            "\t             [Node type]\t  [count]\t  [avg ms]\t    [avg %]\t    [cdf %]\t  [mem KB]\t[times called]",
            "\t                 CONV_2D\t       15\t     1.860\t    86.679%\t    86.679%\t     0.000\t       15",
            ("CONV_2D", 0.124, Some(15)),
        );
        check(
            "  [Node type]  [count]  [avg ms]  [avg %]  [cdf %]  [mem KB]  [times called]",
            "  Convolution (NHWC, F32) IGEMM   3   0.090   90%   90%   0.000   0",
            ("Convolution (NHWC, F32) IGEMM", 0.09, Some(0)),
        );
        check(
            "I tflite : node type, count, avg_ms, avg %, cdf %, mem KB, times called",
            "I tflite : ELU, 1, 0.029, 100%, 100%, 0, 1",
            ("ELU", 0.029, Some(1)),
        );
        let columns =
            TypeColumns::of("node type, count, avg_ms, avg %, cdf %, mem KB, times called");
        for line in ["", "Timings (microseconds): count=1 curr=29", "ELU, 1, 2", "2 nodes observed"]
        {
            assert_eq!(columns.as_ref().unwrap().row(line), None, "{line}");
        }
        assert_eq!(
            TypeColumns::of("node type, first, avg_ms, %, cdf%, mem KB, times called, name"),
            None
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
