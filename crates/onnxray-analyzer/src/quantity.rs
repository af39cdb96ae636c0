//! Numbers, perf ratios and sparsities as people write them, in files and as
//! arguments.
//!
//! `0.9`, `90` and `90%` are one sparsity. A comma may stand for the decimal
//! point.

use crate::printable::quoted;

/// Kind of a number, which decides its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Dense latency / sparse latency: finite and above 0.
    PerfRatio,
    /// From 0 to 1; numbers above 1 up to 100 are percents.
    SparseRatio,
    /// From 0 to 1; a percent only with its sign.
    Share,
    /// Any finite number.
    Loss,
}

/// A number that was understood.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// In its base unit: 0.9 for 90 %.
    pub value: f64,
    /// Remark on how it was understood, for messages.
    pub remark: Option<Remark>,
}

/// How a number was understood, where that is not obvious.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Remark {
    /// 90 is taken as 90 %.
    Percent,
    /// 4,5 is taken as 4.5.
    Comma,
    /// 450% is taken as 4.5.
    RatioInPercent,
}

/// The decimal sign of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decimals {
    /// A point; a comma may stand for it.
    Point,
    /// The comma separates nothing else in this file.
    Comma,
}

/// A level in percent, without the dust of binary fractions.
pub fn percent(level: f64) -> f64 {
    (level * 1e8).round() / 1e6
}

impl Quantity {
    /// A number that is given as one.
    ///
    /// # Errors
    ///
    /// What was expected, if it is out of its range.
    pub fn of_number(self, number: f64) -> Result<Reading, String> {
        let plain = Reading { value: number, remark: None };
        match self {
            Quantity::PerfRatio if number.is_finite() && number > 0.0 => Ok(plain),
            Quantity::SparseRatio if number > 1.0 && number <= 100.0 => {
                Ok(Reading { value: number / 100.0, remark: Some(Remark::Percent) })
            }
            Quantity::SparseRatio | Quantity::Share if (0.0..=1.0).contains(&number) => Ok(plain),
            Quantity::Loss if number.is_finite() => Ok(plain),
            _ => Err(self.expected(number)),
        }
    }

    /// The number of an argument: a percent has its sign. A share of 1 may be 1 % or all, and is
    /// neither.
    ///
    /// # Errors
    ///
    /// What was expected, if it is none or out of its range.
    pub fn parse(self, text: &str) -> Result<f64, String> {
        if matches!(self, Quantity::SparseRatio | Quantity::Share)
            && let Ok((number, _)) = number(bare(text), Decimals::Point)
            && (1.0..=100.0).contains(&number)
        {
            if number == 1.0 {
                return Err("'1' is ambiguous: write 1% or 100%".to_string());
            }
            // An argument has nobody beside it who would notice that 3 was taken as 3 %, or as 300 %.
            let fraction = (number * 1e6).round() / 1e8;
            return Err(format!("'{number}' is ambiguous: write {number}% or {fraction}"));
        }
        let reading = self.of_text(text, Decimals::Point)?;
        reading.map(|reading| reading.value).ok_or_else(|| self.expected("nothing"))
    }

    /// A number as people write it; `None` if nothing is written.
    ///
    /// # Errors
    ///
    /// What was expected, if it is not a number or out of its range.
    pub fn of_text(self, text: &str, decimals: Decimals) -> Result<Option<Reading>, String> {
        let bare = bare(text);
        if bare.is_empty() {
            return Ok(None);
        }
        let (digits, percent) = match bare.strip_suffix('%') {
            Some(digits) => (digits.trim_end(), true),
            None => (bare, false),
        };
        let (number, comma) = number(digits, decimals).map_err(|problem| match problem {
            NoNumber::Other if self == Quantity::Share => {
                format!("expected a share such as 5%, found {}", quoted(text))
            }
            NoNumber::Other => format!("expected a number, found {}", quoted(text)),
            NoNumber::Thousands => format!(
                "expected a number, found {}, which is one number with a decimal comma and \
                 another with a separator of thousands",
                quoted(text)
            ),
        })?;
        let reading = match (percent, self) {
            (false, _) => self.of_number(number)?,
            (true, Quantity::PerfRatio) => {
                Reading { remark: Some(Remark::RatioInPercent), ..self.of_number(number / 100.0)? }
            }
            // Checked here: `of_number` would take 150% for 1.5, and that for 1.5 %.
            (true, Quantity::SparseRatio | Quantity::Share) if !(0.0..=100.0).contains(&number) => {
                return Err(self.expected(quoted(text)));
            }
            (true, _) => Reading { value: number / 100.0, remark: None },
        };
        let comma = (comma && decimals == Decimals::Point).then_some(Remark::Comma);
        Ok(Some(Reading { remark: reading.remark.or(comma), ..reading }))
    }

    fn expected(self, found: impl std::fmt::Display) -> String {
        let expected = match self {
            Quantity::PerfRatio => "a perf ratio above 0, as a finite number",
            Quantity::SparseRatio => "a sparsity from 0 to 1, or from 0% to 100%",
            Quantity::Share => "a number from 0 to 1",
            Quantity::Loss => "a finite number",
        };
        format!("expected {expected}, found {found}")
    }
}

/// Text without white space around it, and without the remark that the Neural
/// Engine's documentation has behind what can be set.
pub(crate) fn bare(text: &str) -> &str {
    let text = text.trim();
    text.strip_suffix("(settable)").unwrap_or(text).trim_end()
}

enum NoNumber {
    Other,
    Thousands,
}

/// The number, and whether a comma stands for its decimal point.
fn number(text: &str, decimals: Decimals) -> Result<(f64, bool), NoNumber> {
    let known = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '+' | '-' | 'e' | 'E');
    if !text.chars().all(known) || !text.contains(|c: char| c.is_ascii_digit()) {
        return Err(NoNumber::Other);
    }
    let parse = |text: &str| text.parse::<f64>().map_err(|_| NoNumber::Other);
    let Some((whole, fraction)) = text.split_once(',') else { return Ok((parse(text)?, false)) };
    // With two commas, or a comma and a point, one of them separates thousands.
    if fraction.contains([',', '.']) || whole.contains('.') || fraction.is_empty() {
        return Err(NoNumber::Other);
    }
    let whole_digits = whole.trim_start_matches(['+', '-']);
    // `1,234` may be 1234 or 1.234; `0,234` and `1,23` are clear.
    let grouped = matches!(whole_digits.len(), 1..=3) && !whole_digits.starts_with('0');
    if decimals == Decimals::Point && grouped && fraction.len() == 3 {
        return Err(NoNumber::Thousands);
    }
    Ok((parse(&format!("{whole}.{fraction}"))?, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(quantity: Quantity, text: &str, value: f64, remark: Option<Remark>) {
        let read = quantity.of_text(text, Decimals::Point);
        assert_eq!(read, Ok(Some(Reading { value, remark })), "{text:?}");
    }

    #[track_caller]
    fn refuses(quantity: Quantity, text: &str, message: &str) {
        assert_eq!(quantity.of_text(text, Decimals::Point), Err(message.to_string()));
    }

    #[test]
    fn sparse_ratios_as_people_write_them() {
        use Remark::*;
        for (text, value, remark) in [
            ("0.9", 0.9, None),
            (" 90%", 0.9, None),
            ("90 %", 0.9, None),
            ("90", 0.9, Some(Percent)),
            ("0,9", 0.9, Some(Comma)),
            ("87,5%", 0.875, Some(Comma)),
            ("70%(settable)", 0.7, None),
            ("1", 1.0, None),
            ("1%", 0.01, None),
            ("0", 0.0, None),
            ("100%", 1.0, None),
            ("9e-1", 0.9, None),
        ] {
            reads(Quantity::SparseRatio, text, value, remark);
        }
        let range = "expected a sparsity from 0 to 1, or from 0% to 100%, found";
        refuses(Quantity::SparseRatio, "150%", &format!("{range} \"150%\""));
        refuses(Quantity::SparseRatio, "150", &format!("{range} 150"));
        refuses(Quantity::SparseRatio, "-0.1", &format!("{range} -0.1"));
        assert_eq!(Quantity::SparseRatio.of_text("  ", Decimals::Point), Ok(None));
    }

    #[test]
    fn perf_ratios_as_people_write_them() {
        reads(Quantity::PerfRatio, "4.5", 4.5, None);
        reads(Quantity::PerfRatio, "4,5", 4.5, Some(Remark::Comma));
        reads(Quantity::PerfRatio, "4(settable)", 4.0, None);
        reads(Quantity::PerfRatio, "0,125", 0.125, Some(Remark::Comma));
        reads(Quantity::PerfRatio, "4,000000", 4.0, Some(Remark::Comma));
        reads(Quantity::PerfRatio, "450%", 4.5, Some(Remark::RatioInPercent));
        let above = "expected a perf ratio above 0, as a finite number, found";
        for text in ["0", "-2", "inf"] {
            let message = match text {
                "inf" => "expected a number, found \"inf\"".to_string(),
                _ => format!("{above} {text}"),
            };
            refuses(Quantity::PerfRatio, text, &message);
        }
        refuses(Quantity::PerfRatio, "1e999", &format!("{above} inf"));
        assert!(Quantity::PerfRatio.of_number(f64::NAN).is_err());
        for text in ["4.5x", "four", "4 5", "1.234,5", "1,2,3", "4,", "--4", "e5", "#DIV/0!"] {
            refuses(Quantity::PerfRatio, text, &format!("expected a number, found \"{text}\""));
        }
    }

    #[test]
    fn a_comma_before_three_digits_is_ambiguous() {
        refuses(
            Quantity::PerfRatio,
            "1,234",
            "expected a number, found \"1,234\", which is one number with a decimal comma and \
             another with a separator of thousands",
        );
        let read = Quantity::PerfRatio.of_text("1,234", Decimals::Comma);
        assert_eq!(read, Ok(Some(Reading { value: 1.234, remark: None })));
    }
}
