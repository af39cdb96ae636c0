//! Numbers in text.

use std::str::FromStr;

/// A number as programs write it. Rust takes more: a plus in front, and a point without digits
/// on both sides, which are what is left of a damaged digit.
pub(crate) fn number<T: FromStr>(text: &str) -> Option<T> {
    let value = text.parse().ok()?;
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let whole = text.split_once('.').is_none_or(|(before, after)| {
        is_digit(before.as_bytes().last()) && is_digit(after.as_bytes().first())
    });
    (whole && !text.starts_with('+')).then_some(value)
}

/// A number as spreadsheets of any language save it: `1.5`, `1,5`, `1.234,5`, `1,234.5`, `1 234,5`.
/// Of points and commas the last is the decimal one; the others, and spaces, part groups of three
/// digits.
pub(crate) fn decimal(text: &str) -> Option<f64> {
    let text = text.trim();
    let is_space = |character| matches!(character, ' ' | '\u{a0}' | '\u{202f}' | '\'');
    let Some(at) =
        text.rfind([',', '.']).filter(|_| text.contains([',']) || text.contains(is_space))
    else {
        return number(text);
    };
    let (whole, fraction) = (&text[..at], &text[at + 1..]);
    let decimal = &text[at..=at];
    let mut groups = whole.split(|c| is_space(c) || matches!(c, ',' | '.'));
    let first = groups.next().unwrap_or_default();
    let parted = groups.clone().count() > 0;
    let are_groups = !whole.contains(decimal)
        && groups.all(|group| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit()))
        && (!parted || (1..=3).contains(&first.trim_start_matches('-').len()));
    let digits: String = whole.chars().filter(|c| c.is_ascii_digit() || *c == '-').collect();
    are_groups.then(|| number(&format!("{digits}.{fraction}")))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_a_damaged_number_is_none() {
        assert_eq!((number("10"), number::<u64>("+0")), (Some(10), None));
        assert_eq!((number("-1.5"), number("1e+06")), (Some(-1.5), Some(1e6)));
        assert_eq!(number::<f64>("+1"), None);
        for damaged in ["0.E03", "0.", ".5", "-.5", "1.-5", "1.e-5"] {
            assert_eq!(number::<f64>(damaged), None, "{damaged}");
        }
        assert_eq!((number("1.5e-3"), number("-0.25")), (Some(1.5e-3), Some(-0.25)));
        assert_eq!((number("inf"), number("-inf")), (Some(f64::INFINITY), Some(-f64::INFINITY)));
    }

    #[test]
    fn decimals_of_all_languages() {
        let numbers = [("1,5", 1.5), ("1.5", 1.5), ("0,000", 0.0), ("12", 12.0), ("-1,5", -1.5)];
        let grouped = [("1.234,5", 1234.5), ("1,234.5", 1234.5), ("1 234,5", 1234.5)];
        let spaced = [("1\u{a0}234\u{a0}567,25", 1_234_567.25), ("1'234.5", 1234.5)];
        for (text, expected) in numbers.into_iter().chain(grouped).chain(spaced) {
            assert_eq!(decimal(text), Some(expected), "{text}");
        }
        for text in ["", ",", "1,", ",5", "1,2,3", "1.2.3", "1.23,4", "1234.567,8", "x,5", "1,x"] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }
}
