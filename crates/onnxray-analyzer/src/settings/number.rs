//! Numbers, sparse ratios, shapes and types as people write them.

use crate::printable::printable;
use crate::projection::WeightShape;
use onnxray_format::{Block, DataType};

/// What a number is of, which says what it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Dense by sparse latency: finite and above 0.
    Ratio,
    /// From 0 to 1; numbers above 1 up to 100 are percents.
    Level,
    /// From 0 to 1, and never a percent.
    Weight,
    /// Any finite number.
    Loss,
}

/// A number that was understood.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    pub value: f64,
    pub remark: Option<Remark>,
}

/// What should be said about how a number was understood.
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
    Point,
    /// The comma separates nothing else in this file.
    Comma,
}

impl Quantity {
    pub fn of_number(self, number: f64) -> Result<Reading, String> {
        let plain = Reading { value: number, remark: None };
        match self {
            Quantity::Ratio if number.is_finite() && number > 0.0 => Ok(plain),
            Quantity::Level if number > 1.0 && number <= 100.0 => {
                Ok(Reading { value: number / 100.0, remark: Some(Remark::Percent) })
            }
            Quantity::Level | Quantity::Weight if (0.0..=1.0).contains(&number) => Ok(plain),
            Quantity::Loss if number.is_finite() => Ok(plain),
            _ => Err(self.expected(number)),
        }
    }

    /// `None` if nothing is written.
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
            NoNumber::Other => format!("expected a number, found {}", quoted(text)),
            NoNumber::Thousands => format!(
                "expected a number, found {}, which is one number with a decimal comma and \
                 another with a separator of thousands",
                quoted(text)
            ),
        })?;
        let reading = match (percent, self) {
            (false, _) => self.of_number(number)?,
            (true, Quantity::Ratio) => {
                Reading { remark: Some(Remark::RatioInPercent), ..self.of_number(number / 100.0)? }
            }
            // Not as a number: 150% would be 1.5, and that 1.5 %.
            (true, Quantity::Level | Quantity::Weight) if !(0.0..=100.0).contains(&number) => {
                return Err(self.expected(quoted(text)));
            }
            (true, _) => Reading { value: number / 100.0, remark: None },
        };
        let comma = (comma && decimals == Decimals::Point).then_some(Remark::Comma);
        Ok(Some(Reading { remark: reading.remark.or(comma), ..reading }))
    }

    fn expected(self, found: impl std::fmt::Display) -> String {
        let expected = match self {
            Quantity::Ratio => "a perf ratio above 0, as a finite number",
            Quantity::Level => "a sparse ratio from 0 to 1, or from 0% to 100%",
            Quantity::Weight => "a number from 0 to 1",
            Quantity::Loss => "a finite number",
        };
        format!("expected {expected}, found {found}")
    }
}

/// Text without white space around it, and without the remark that the Neural
/// Engine's documentation has behind what can be set.
pub fn bare(text: &str) -> &str {
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
    if fraction.contains([',', '.']) || whole.contains('.') || fraction.is_empty() {
        return Err(NoNumber::Other);
    }
    let whole_digits = whole.trim_start_matches(['+', '-']);
    let grouped = matches!(whole_digits.len(), 1..=3) && !whole_digits.starts_with('0');
    if decimals == Decimals::Point && grouped && fraction.len() == 3 {
        return Err(NoNumber::Thousands);
    }
    Ok((parse(&format!("{whole}.{fraction}"))?, true))
}

/// A block shape: `4x1`.
pub fn block(text: &str) -> Result<Block, String> {
    let expected = || format!("expected a block shape such as 4x1, found {}", quoted(text));
    let shape: WeightShape = text.parse().map_err(|_| expected())?;
    match (u32::try_from(shape.outputs), u32::try_from(shape.inputs)) {
        (Ok(outputs @ 1..), Ok(inputs @ 1..)) => Ok(Block::new(outputs, inputs)),
        _ => Err(expected()),
    }
}

/// A weight shape: `256x1024`.
pub fn weight_shape(text: &str) -> Result<WeightShape, String> {
    bare(text)
        .parse()
        .map_err(|_| format!("expected a weight shape such as 256x1024, found {}", quoted(text)))
}

/// An element type by its name: `fp32`.
pub fn data_type(text: &str) -> Result<DataType, String> {
    let name = text.trim().to_lowercase();
    let known = serde_json::from_value::<DataType>(serde_json::Value::String(name.clone())).ok();
    known
        .filter(|known| known.name() == name)
        .ok_or_else(|| format!("expected an element type such as fp32, found {}", quoted(text)))
}

/// A truth value as spreadsheets and people write it.
pub fn truth(text: &str) -> Result<bool, String> {
    match text.trim().to_lowercase().as_str() {
        "true" | "yes" | "1" => Ok(true),
        "false" | "no" | "0" => Ok(false),
        _ => Err(format!("expected TRUE or FALSE, found {}", quoted(text))),
    }
}

/// Text of a file in a message: safe to show, and not longer than it helps.
pub fn quoted(text: &str) -> String {
    const MOST: usize = 60;
    let mut short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("\"{}\"", printable(&short))
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
            reads(Quantity::Level, text, value, remark);
        }
        let range = "expected a sparse ratio from 0 to 1, or from 0% to 100%, found";
        refuses(Quantity::Level, "150%", &format!("{range} \"150%\""));
        refuses(Quantity::Level, "150", &format!("{range} 150"));
        refuses(Quantity::Level, "-0.1", &format!("{range} -0.1"));
        assert_eq!(Quantity::Level.of_text("  ", Decimals::Point), Ok(None));
    }

    #[test]
    fn perf_ratios_as_people_write_them() {
        reads(Quantity::Ratio, "4.5", 4.5, None);
        reads(Quantity::Ratio, "4,5", 4.5, Some(Remark::Comma));
        reads(Quantity::Ratio, "4(settable)", 4.0, None);
        reads(Quantity::Ratio, "0,125", 0.125, Some(Remark::Comma));
        reads(Quantity::Ratio, "4,000000", 4.0, Some(Remark::Comma));
        reads(Quantity::Ratio, "450%", 4.5, Some(Remark::RatioInPercent));
        let above = "expected a perf ratio above 0, as a finite number, found";
        for text in ["0", "-2", "inf"] {
            let message = match text {
                "inf" => "expected a number, found \"inf\"".to_string(),
                _ => format!("{above} {text}"),
            };
            refuses(Quantity::Ratio, text, &message);
        }
        refuses(Quantity::Ratio, "1e999", &format!("{above} inf"));
        assert!(Quantity::Ratio.of_number(f64::NAN).is_err());
        for text in ["4.5x", "four", "4 5", "1.234,5", "1,2,3", "4,", "--4", "e5", "#DIV/0!"] {
            refuses(Quantity::Ratio, text, &format!("expected a number, found \"{text}\""));
        }
    }

    #[test]
    fn a_comma_before_three_digits_is_ambiguous() {
        refuses(
            Quantity::Ratio,
            "1,234",
            "expected a number, found \"1,234\", which is one number with a decimal comma and \
             another with a separator of thousands",
        );
        let read = Quantity::Ratio.of_text("1,234", Decimals::Comma);
        assert_eq!(read, Ok(Some(Reading { value: 1.234, remark: None })));
    }

    #[test]
    fn shapes_types_and_truth() {
        assert_eq!(block("1 X 16"), Ok(Block::new(1, 16)));
        assert!(block("0x1").is_err() && block("4").is_err());
        assert_eq!(data_type(" FP32 "), Ok(DataType::Fp32));
        let unknown = "expected an element type such as fp32, found \"float\"".to_string();
        assert_eq!(data_type("float"), Err(unknown));
        assert_eq!((truth("TRUE"), truth("no")), (Ok(true), Ok(false)));
        assert!(truth("maybe").is_err());
        assert_eq!(quoted(&"x".repeat(100)).chars().count(), 63);
    }
}
