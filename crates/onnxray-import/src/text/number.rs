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
    let is_space = |character| matches!(character, ' ' | '\u{a0}' | '\u{2009}' | '\u{202f}' | '\'');
    if !text.contains(',') && !text.contains(is_space) {
        return number(text);
    }
    let at = text.rfind([',', '.']).unwrap_or(text.len());
    let (whole, fraction) = text.split_at(at);
    let mut groups = whole.split(|c| is_space(c) || matches!(c, ',' | '.'));
    let first = groups.next().unwrap_or_default();
    let first = first.strip_prefix('-').unwrap_or(first);
    let parted = groups.clone().count() > 0;
    let are_digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let decimal = fraction.chars().next();
    // `1,2,3` is a list: what parts groups does not part the fraction.
    let are_groups = decimal.is_none_or(|decimal| !whole.contains(decimal))
        && groups.all(|group| group.len() == 3 && are_digits(group))
        && are_digits(first)
        && (!parted || (1..=3).contains(&first.len()));
    let digits: String = whole.chars().filter(|c| c.is_ascii_digit() || *c == '-').collect();
    are_groups.then(|| number(&(digits + &fraction.replace(',', "."))))?
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
        let whole = [("1 234", 1234.0), ("1\u{2009}234\u{2009}567", 1_234_567.0)];
        let spaced = [("1\u{a0}234\u{a0}567,25", 1_234_567.25), ("1'234.5", 1234.5)];
        for (text, expected) in numbers.into_iter().chain(grouped).chain(spaced).chain(whole) {
            assert_eq!(decimal(text), Some(expected), "{text}");
        }
        for text in [
            "",
            ",",
            "1,",
            ",5",
            "1,2,3",
            "1.2.3",
            "1.23,4",
            "1234.567,8",
            "x,5",
            "1x,5",
            "1,x",
            "1 2",
        ] {
            assert_eq!(decimal(text), None, "{text}");
        }
    }
}
