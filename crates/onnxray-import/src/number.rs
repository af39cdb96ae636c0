//! Numbers in text that is no JSON.

use std::str::FromStr;

/// A number as programs write it: Rust takes one with a plus in front, which is what is left
/// of a damaged digit.
pub(crate) fn number<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok().filter(|_| !text.starts_with('+'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plus_in_front_is_no_number() {
        assert_eq!((number("10"), number::<u64>("+0")), (Some(10), None));
        assert_eq!((number("-1.5"), number("1e+06")), (Some(-1.5), Some(1e6)));
        assert_eq!(number::<f64>("+1"), None);
    }
}
