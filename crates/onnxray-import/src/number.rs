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
}
