//! Numbers, shares and times in arguments: one way to write each, for all options.

use clap::builder::TypedValueParser;
use onnxray_analyzer::Milliseconds;
use onnxray_analyzer::quantity::Quantity;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::time::Duration;

/// In seconds: few enough that adding them to a time does not overflow.
const LONGEST: f64 = 1e7;

/// A whole number within bounds.
pub(super) fn whole<T>(range: RangeInclusive<u64>) -> impl TypedValueParser<Value = T>
where
    T: TryFrom<u64> + Clone + Send + Sync + 'static,
{
    move |text: &str| {
        within(text, &range).ok_or_else(|| format!("expected a whole number{}", bounds(&range)))
    }
}

/// One of a list of whole numbers within bounds.
pub(super) fn one_of_list<T>(range: RangeInclusive<u64>) -> impl TypedValueParser<Value = T>
where
    T: TryFrom<u64> + Clone + Send + Sync + 'static,
{
    move |text: &str| {
        within(text, &range).ok_or_else(|| {
            let each = bounds(&range);
            format!("expected whole numbers{each} with commas between them, such as 1,2,4")
        })
    }
}

/// Bounds in a message, if there are any: those of a type are none.
fn bounds(range: &RangeInclusive<u64>) -> String {
    match (*range.start(), *range.end()) {
        (0, most) if most >= u32::MAX.into() => " from 0 on".to_string(),
        (least, most) if most >= u32::MAX.into() => format!(" of at least {least}"),
        (least, most) => format!(" from {least} to {most}"),
    }
}

fn within<T: TryFrom<u64>>(text: &str, range: &RangeInclusive<u64>) -> Option<T> {
    let number = text.trim().parse().ok().filter(|number| range.contains(number))?;
    T::try_from(number).ok()
}

/// A whole number above 0.
pub(super) fn positive(text: &str) -> Result<NonZeroU32, &'static str> {
    text.trim().parse().map_err(|_| "expected a whole number of at least 1")
}

/// How many rows of a table.
pub(super) fn rows(text: &str) -> Result<usize, &'static str> {
    text.trim().parse().map_err(|_| "expected a whole number; --all shows all rows")
}

/// From 0 to 1, or in percent.
pub(super) fn share(text: &str) -> Result<f64, String> {
    Quantity::Share.parse(text)
}

/// The weight of one thing against another, of which 1 is all.
pub(super) fn weight(text: &str) -> Result<f64, String> {
    match text.trim().parse() {
        Ok(1.0) => Ok(1.0),
        _ => share(text),
    }
}

/// A share above 0.
pub(super) fn precision(text: &str) -> Result<f64, String> {
    let share = share(text)?;
    if share > 0.0 { Ok(share) } else { Err("expected more than 0, such as 1%".to_string()) }
}

/// Between 0 and 1.
pub(super) fn probability(text: &str) -> Result<f64, String> {
    let probability = share(text)?;
    if probability > 0.0 && probability < 1.0 {
        Ok(probability)
    } else {
        Err("expected more than 0 and less than 1".to_string())
    }
}

/// The share of a weight that is zero.
pub(super) fn sparsity(text: &str) -> Result<f64, String> {
    Quantity::SparseRatio.parse(text)
}

/// A time; a number without a unit is of seconds.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let seconds = seconds(text, 1.0).filter(|seconds| *seconds <= LONGEST);
    let expected = || format!("`{text}` is not a duration above 0 such as 90s, 10m or 1h");
    seconds.map(Duration::from_secs_f64).ok_or_else(expected)
}

/// A time; a number without a unit is of milliseconds.
pub(super) fn milliseconds(text: &str) -> Result<Milliseconds, String> {
    let expected = || format!("`{text}` is not a time above 0 such as 20, 20ms or 0.5s");
    seconds(text, 1e-3).map(|seconds| Milliseconds(seconds * 1e3)).ok_or_else(expected)
}

/// More than no time, in seconds; what a number without a unit is worth, `bare` says.
fn seconds(text: &str, bare: f64) -> Option<f64> {
    let text = text.trim();
    // Letters begin the unit: `1e9`, `inf` and `NaN` are not numbers here.
    let unit = text.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(text.len());
    let worth = match &text[unit..] {
        "" => bare,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    let number: f64 = text[..unit].trim().parse().ok()?;
    Some(number * worth).filter(|seconds| *seconds > 0.0 && seconds.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        let seconds = |text| duration(text).map(|duration| duration.as_secs_f64());
        assert_eq!(seconds("90s"), Ok(90.0));
        assert_eq!(seconds("90"), Ok(90.0));
        assert_eq!(seconds("1.5m"), Ok(90.0));
        assert_eq!(seconds("1 h"), Ok(3600.0));
        assert_eq!(seconds("500ms"), Ok(0.5));
        for wrong in ["", "m", "0s", "-1s", "NaN", "inf", "1d", "1e9s"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn latencies_are_of_milliseconds_unless_they_say_otherwise() {
        for (text, expected) in [("20", 20.0), ("2.5 ms", 2.5), ("0.5s", 500.0)] {
            assert_eq!(milliseconds(text), Ok(Milliseconds(expected)), "{text}");
        }
        assert!(milliseconds("0").is_err() && milliseconds("fast").is_err());
    }

    #[test]
    fn a_percent_has_its_sign_or_is_a_fraction() {
        for parse in [share, sparsity, precision, probability] {
            assert_eq!(parse("3%"), Ok(0.03));
            assert_eq!(parse("0.03"), Ok(0.03));
            assert_eq!(parse("3"), Err("'3' is ambiguous: write 3% or 0.03".to_string()));
            assert_eq!(parse("90"), Err("'90' is ambiguous: write 90% or 0.9".to_string()));
        }
        for parse in [share, sparsity, precision, probability] {
            assert_eq!(parse("1"), Err("'1' is ambiguous: write 1% or 100%".to_string()));
        }
        // As its help says: 1 is all.
        assert_eq!((weight("1"), weight("1%")), (Ok(1.0), Ok(0.01)));
        assert_eq!((sparsity("100%"), sparsity("0")), (Ok(1.0), Ok(0.0)));
    }
}
