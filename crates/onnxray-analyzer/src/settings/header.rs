//! Headers of columns with perf ratios: `90% 4x1 perf ratio`, `0.9`.

use super::shape::block;
use crate::printable::quoted;
use crate::quantity::{Decimals, Quantity, Reading, bare};
use crate::spreadsheet::Value;
use onnxray_format::Block;

/// Heading of a column of ratios.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Header {
    /// The sparsity.
    pub(crate) level: Reading,
    pub(crate) block: Option<Block>,
    pub(crate) part: Option<Part>,
}

/// Content of a column of ratios.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Value,
    Low,
    High,
    /// Given or default.
    Origin,
    /// Not read.
    Computed,
}

/// Parses a heading; `None` for a column of something else.
pub(crate) fn header(value: &Value) -> Option<Result<Header, String>> {
    let text = match value {
        Value::Number(number) => {
            let level = Quantity::SparseRatio.of_number(*number);
            return Some(level.map(|level| Header { level, block: None, part: None }));
        }
        Value::Text(text) => bare(text),
        Value::Blank | Value::Truth(_) | Value::Date | Value::Error(_) => return None,
    };
    let number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '+' | '-');
    let end = text.find(|c| !number(c)).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let behind = rest.trim_start();
    let (percent, words) = match behind.strip_prefix('%') {
        Some(words) => (true, words),
        None => (false, rest),
    };
    // "4x1" is not a level, and neither is "2nd try".
    let parted = percent || words.is_empty() || words.starts_with(char::is_whitespace);
    if digits.is_empty() || !parted {
        return None;
    }
    let unknown =
        || format!("expected a column such as \"90% perf ratio\", found {}", quoted(text));
    let (block, part) = match described(words) {
        Some(described) => described,
        None if percent => return Some(Err(unknown())),
        None => return None,
    };
    let digits = if percent { format!("{digits}%") } else { digits.to_string() };
    Some(match Quantity::SparseRatio.of_text(&digits, Decimals::Point) {
        Ok(Some(level)) => Ok(Header { level, block, part }),
        Ok(None) => Err(unknown()),
        Err(what) => Err(what),
    })
}

/// Parses the words after the sparsity: ` 4x1 perf ratio, low`.
fn described(words: &str) -> Option<(Option<Block>, Option<Part>)> {
    let words = words.trim();
    let first = words.split_whitespace().next().unwrap_or_default();
    let (block, rest) = match block(first) {
        Ok(block) => (Some(block), &words[first.len()..]),
        Err(_) => (None, words),
    };
    match rest.trim().is_empty() {
        true => Some((block, None)),
        false => part(rest).map(|part| (block, Some(part))),
    }
}

/// Parses the kind of a column, in its heading or in the row above.
pub(crate) fn part(text: &str) -> Option<Part> {
    let kept = |c: &char| !c.is_whitespace() && !matches!(c, '_' | ',' | '(' | ')');
    let folded: String = text.chars().filter(kept).flat_map(char::to_lowercase).collect();
    match folded.replace("prefratio", "perfratio").as_str() {
        "perfratio" => Some(Part::Value),
        "perfratiolow" | "low" => Some(Part::Low),
        "perfratiohigh" | "high" => Some(Part::High),
        "perfratioorigin" => Some(Part::Origin),
        "computed" => Some(Part::Computed),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quantity::Remark;

    fn read(text: &str) -> Option<Result<Header, String>> {
        header(&Value::Text(text.into()))
    }

    #[test]
    fn headers_as_people_write_them() {
        let (low, high, value) = (Some(Part::Low), Some(Part::High), Some(Part::Value));
        for (text, level, block, part) in [
            ("90%", 0.9, None, None),
            ("0.9", 0.9, None, None),
            ("90% perf ratio", 0.9, None, value),
            ("90% 4x1 perf ratio", 0.9, Some(Block::new(4, 1)), value),
            ("70% 4x1 Perf ratio", 0.7, Some(Block::new(4, 1)), value),
            ("87,5 % 1x16 pref ratio, low", 0.875, Some(Block::new(1, 16)), low),
            ("80%perf_ratio (high)", 0.8, None, high),
            ("80% low", 0.8, None, low),
            ("90% perf ratio(settable)", 0.9, None, value),
        ] {
            let read = read(text).unwrap().unwrap();
            assert_eq!((read.level.value, read.block, read.part), (level, block, part), "{text}");
        }
        let percent = header(&Value::Number(85.0)).unwrap().unwrap().level;
        assert_eq!(percent, Reading { value: 0.85, remark: Some(Remark::Percent) });
    }

    #[test]
    fn other_columns_are_none_of_ratios() {
        for text in ["", "others", "weight shape", "4x1", "2nd try", "2024 figures", "comment"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(header(&Value::Blank), None);
    }

    #[test]
    fn headers_that_cannot_be_meant_are_problems() {
        let unknown = "expected a column such as \"90% perf ratio\", found \"90% perf raito\"";
        assert_eq!(read("90% perf raito"), Some(Err(unknown.to_string())));
        let range = "expected a sparsity from 0 to 1, or from 0% to 100%, found";
        assert_eq!(read("120% perf ratio"), Some(Err(format!("{range} \"120%\""))));
        assert_eq!(header(&Value::Number(120.0)), Some(Err(format!("{range} 120"))));
        assert!(read("4,,5% perf ratio").unwrap().is_err());
    }
}
