//! Cells as people read them.

use crate::document::{Cell, TimeUnit, Unit};
use onnxray_analyzer::probability;
use onnxray_text::printable;

/// A cell as a person reads it: three to four digits that matter. Times are in
/// milliseconds.
pub(crate) fn show(cell: &Cell, unit: Unit) -> String {
    match (cell, unit) {
        (Cell::Text(text), _) => printable(text),
        (Cell::Label { text, .. }, _) => text.to_string(),
        (Cell::Unknown, _) => "unknown".to_string(),
        (Cell::None, _) => String::new(),
        (Cell::Below { most, .. }, _) => format!("< {}", digits(*most)),
        (Cell::Whole(value), Unit::Quantity) => quantity(*value as f64),
        (Cell::Whole(value), _) => value.to_string(),
        (Cell::Number(value), Unit::Quantity) => quantity(*value),
        (Cell::Number(value), Unit::Share) => format!("{:.1} %", value * 100.0),
        (Cell::Number(value), Unit::Milliseconds | Unit::Ratio) => format!("{value:.3}"),
        (Cell::Number(value), Unit::Probability) => probability(*value),
        (Cell::Number(value), Unit::Scientific) => scientific(*value),
        (Cell::Number(value), _) => number(*value),
    }
}

/// Like [`show`], with times in a unit and with this many decimals.
pub(super) fn show_in(cell: &Cell, unit: Unit, time: TimeUnit, decimals: usize) -> String {
    match (cell, cell.as_number(), unit) {
        (_, Some(value), Unit::Milliseconds) => format!("{:.decimals$}", time.of(value)),
        (Cell::Below { most, .. }, _, Unit::Milliseconds) => {
            format!("< {}", digits(time.of(*most)))
        }
        _ => show(cell, unit),
    }
}

/// Two digits that matter.
fn digits(value: f64) -> String {
    // One decimal beyond the first digit, which `log10` finds; 0 has none.
    let decimals = if value > 0.0 { (1.0 - value.log10().floor()).clamp(0.0, 9.0) } else { 0.0 };
    format!("{value:.*}", decimals as usize)
}

fn number(value: f64) -> String {
    let size = value.abs();
    // Below 1e15, a double has all digits before the point.
    if (value.fract() == 0.0 && size < 1e15) || (1e4..1e15).contains(&size) {
        format!("{value:.0}")
    } else if size >= 1000.0 {
        format!("{value:.1}")
    } else if size >= 1.0 {
        format!("{value:.2}")
    } else {
        format!("{value:.4}")
    }
}

fn scientific(value: f64) -> String {
    // 0 has no exponent worth showing.
    if value == 0.0 { "0".to_string() } else { format!("{value:.2e}") }
}

fn quantity(value: f64) -> String {
    const UNITS: [(f64, &str); 4] = [(1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k")];
    match UNITS.iter().find(|(size, _)| value.abs() >= *size) {
        Some((size, unit)) => format!("{:.2}{unit}", value / size),
        None => number(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_command_the_terminal() {
        let cell = Cell::text("a\x1b[31m\n\u{202e}b");
        assert_eq!(show(&cell, Unit::Text), "a\\u{1b}[31m\\n\\u{202e}b");
    }

    #[test]
    fn numbers_are_short_and_unknown_is_not_zero() {
        let check = |cell: Cell, unit: Unit, expected: &str| {
            assert_eq!(show(&cell, unit), expected);
        };
        check(Cell::Number(2_101_248.0), Unit::Quantity, "2.10 M");
        check(Cell::Number(0.12345), Unit::Share, "12.3 %");
        check(Cell::Number(0.1234567), Unit::Milliseconds, "0.123");
        check(Cell::Number(12.0), Unit::Number, "12");
        check(Cell::Number(9999.04), Unit::Number, "9999.0");
        check(Cell::Number(97_743_495.1), Unit::Number, "97743495");
        check(Cell::Number(0.0005), Unit::Probability, "0.001");
        check(Cell::Number(0.000499), Unit::Probability, "<0.001");
        check(Cell::Number(0.0), Unit::Probability, "<0.001");
        check(Cell::Number(0.0000012345), Unit::Scientific, "1.23e-6");
        check(Cell::Number(0.0), Unit::Scientific, "0");
        check(Cell::Below { most: 0.00123, part: 0.0 }, Unit::Milliseconds, "< 0.0012");
        check(Cell::Unknown, Unit::Quantity, "unknown");
        check(Cell::None, Unit::Share, "");
    }
}
