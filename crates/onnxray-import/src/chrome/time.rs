//! Times of a Chrome trace: microseconds, whole or decimal, as exact nanoseconds.

use crate::json::{Text, Value};
use crate::text::number::number;

/// The most that counts as a time: 100 years, beyond which a clock is broken.
const MOST: i64 = 100 * 366 * 24 * 3_600 * 1_000_000_000;

/// The most that an event may last: a year.
const LONGEST: u64 = 366 * 24 * 3_600 * 1_000_000_000;

/// A duration in nanoseconds, or what is wrong with it.
#[inline]
pub fn length(nanoseconds: i64) -> Result<u64, &'static str> {
    match u64::try_from(nanoseconds) {
        Ok(length) if length <= LONGEST => Ok(length),
        Ok(_) => Err("a duration of more than a year"),
        Err(_) => Err("a negative duration"),
    }
}

/// Nanoseconds of a time in microseconds; `None` for what no clock shows.
#[inline]
pub fn nanoseconds(value: Value<'_>) -> Option<i64> {
    let (Value::Number(raw) | Value::Text(Text { raw, .. })) = value else { return None };
    decimal(raw).or_else(|| float(raw)).filter(|time| (-MOST..=MOST).contains(time))
}

/// Digits with at most 16 in front of the point, without an exponent. What lies
/// below the nanosecond is rounded to it, halves away from zero.
#[inline]
fn decimal(raw: &[u8]) -> Option<i64> {
    let (negative, digits) = match raw {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    let mut whole = 0i64;
    let mut offset = 0;
    while let Some(digit) =
        digits.get(offset).map(|byte| byte.wrapping_sub(b'0')).filter(|&d| d <= 9)
    {
        whole = whole * 10 + i64::from(digit);
        offset += 1;
        if offset > 16 {
            return None;
        }
    }
    if offset == 0 {
        return None;
    }
    let mut time = whole.checked_mul(1000)?;
    match digits.get(offset) {
        None => {}
        Some(b'.') => {
            // Three digits are nanoseconds, the fourth rounds them, and the rest says nothing.
            let mut scale = 100;
            for &byte in &digits[offset + 1..] {
                let digit = byte.wrapping_sub(b'0');
                if digit > 9 {
                    return None;
                }
                match scale {
                    0 => {}
                    -1 => {
                        time += i64::from(digit >= 5);
                        scale = 0;
                    }
                    scale => time += i64::from(digit) * scale,
                }
                scale = match scale {
                    100 => 10,
                    10 => 1,
                    1 => -1,
                    done => done,
                };
            }
        }
        Some(_) => return None,
    }
    Some(if negative { -time } else { time })
}

/// Any other spelling: exponents, and more digits than there are nanoseconds.
fn float(raw: &[u8]) -> Option<i64> {
    let microseconds: f64 = number(std::str::from_utf8(raw).ok()?.trim())?;
    let nanoseconds = (microseconds * 1000.0).round();
    (nanoseconds.abs() < i64::MAX as f64).then_some(nanoseconds as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Option<i64> {
        nanoseconds(Value::Number(text.as_bytes()))
    }

    #[test]
    fn all_spellings_of_a_time() {
        assert_eq!(read("15109"), Some(15_109_000));
        assert_eq!(read("2413669096100.149"), Some(2_413_669_096_100_149));
        assert_eq!(read("1712195495519689.0"), Some(1_712_195_495_519_689_000));
        assert_eq!(read("1.23457e+07"), Some(12_345_700_000));
        assert_eq!(read("-3.5"), Some(-3500));
        assert_eq!(read("0.0004"), Some(0));
        assert_eq!(read("0.0005"), Some(1));
        assert_eq!(read("10.66649999999"), Some(10_666));
        for nonsense in [
            "",
            "-",
            "1.2.3",
            "NaN",
            "1e300",
            "9999999999999999",
            "99999999999999999999",
            "12a",
            "0.E03",
            "1e+",
        ] {
            assert_eq!(read(nonsense), None, "{nonsense}");
        }
        assert_eq!(nanoseconds(Value::Text(Text { raw: b"12.5", escaped: false })), Some(12_500));
    }

    proptest! {
        #[test]
        fn three_decimals_are_exact(nanoseconds in 0i64..4_000_000_000_000_000_000) {
            let text = format!("{}.{:03}", nanoseconds / 1000, nanoseconds % 1000);
            let expected = (nanoseconds <= MOST).then_some(nanoseconds);
            prop_assert_eq!(read(&text), expected);
        }
    }
}
