//! What operators and functions of formulas make of values.

use super::formula::{Binary, Function};
use crate::printable::quoted;
use std::sync::Arc;

/// What a cell comes to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Scalar {
    Blank,
    Number(f64),
    Text(Arc<str>),
    Truth(bool),
    /// As spreadsheets show it: `#DIV/0!`.
    Error(&'static str),
}

impl Scalar {
    /// What it takes to look at it, in characters.
    pub(crate) fn length(&self) -> u64 {
        match self {
            Scalar::Text(text) => text.len() as u64,
            _ => 0,
        }
    }
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Scalar::Blank => out.write_str("nothing"),
            Scalar::Number(number) => write!(out, "{number}"),
            Scalar::Text(text) => out.write_str(&quoted(text)),
            Scalar::Truth(truth) => out.write_str(if *truth { "TRUE" } else { "FALSE" }),
            Scalar::Error(error) => write!(out, "the error {error}"),
        }
    }
}

/// The number of a value, or the error that it is.
pub(crate) fn number(scalar: Scalar) -> Result<Result<f64, &'static str>, String> {
    match scalar {
        Scalar::Blank => Ok(Ok(0.0)),
        Scalar::Number(number) => Ok(Ok(number)),
        Scalar::Truth(truth) => Ok(Ok(f64::from(u8::from(truth)))),
        Scalar::Error(error) => Ok(Err(error)),
        Scalar::Text(text) => Err(format!("calculates with the text {}", quoted(&text))),
    }
}

/// What an operator makes of two values.
pub(crate) fn apply(binary: Binary, first: Scalar, second: Scalar) -> Result<Scalar, String> {
    use Binary::*;
    if let (Scalar::Error(error), _) | (_, Scalar::Error(error)) = (&first, &second) {
        return Ok(Scalar::Error(error));
    }
    let compared = |wanted: fn(std::cmp::Ordering) -> bool| {
        Ok(Scalar::Truth(compare(&first, &second).is_some_and(wanted)))
    };
    match binary {
        Equal => return compared(|order| order.is_eq()),
        Unequal => return compared(|order| order.is_ne()),
        Less => return compared(|order| order.is_lt()),
        LessOrEqual => return compared(|order| order.is_le()),
        Greater => return compared(|order| order.is_gt()),
        GreaterOrEqual => return compared(|order| order.is_ge()),
        Add | Subtract | Multiply | Divide | Power => {}
    }
    let (a, b) = match (number(first)?, number(second)?) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(error), _) | (_, Err(error)) => return Ok(Scalar::Error(error)),
    };
    let result = match binary {
        Add => a + b,
        Subtract => a - b,
        Multiply => a * b,
        Divide if b == 0.0 => return Ok(Scalar::Error("#DIV/0!")),
        Divide => a / b,
        _ => a.powf(b),
    };
    Ok(finite(result))
}

fn finite(number: f64) -> Scalar {
    if number.is_finite() { Scalar::Number(number) } else { Scalar::Error("#NUM!") }
}

/// As spreadsheets order values: numbers before texts before truth values, and
/// nothing is what it is compared with.
fn compare(first: &Scalar, second: &Scalar) -> Option<std::cmp::Ordering> {
    let rank = |scalar: &Scalar| match scalar {
        Scalar::Blank | Scalar::Error(_) | Scalar::Number(_) => 0,
        Scalar::Text(_) => 1,
        Scalar::Truth(_) => 2,
    };
    match (first, second) {
        (Scalar::Text(a), Scalar::Text(b)) => Some(a.to_lowercase().cmp(&b.to_lowercase())),
        (Scalar::Blank, Scalar::Text(b)) => Some("".cmp(b)),
        (Scalar::Text(a), Scalar::Blank) => Some((**a).cmp("")),
        (Scalar::Blank, Scalar::Truth(b)) => Some(false.cmp(b)),
        (Scalar::Truth(a), Scalar::Blank) => Some(a.cmp(&false)),
        _ if rank(first) != rank(second) => Some(rank(first).cmp(&rank(second))),
        _ => match (number(first.clone()), number(second.clone())) {
            (Ok(Ok(a)), Ok(Ok(b))) => a.partial_cmp(&b),
            _ => None,
        },
    }
}

/// What a function makes of numbers.
pub(crate) fn call(function: Function, numbers: &[f64]) -> Scalar {
    let sum: f64 = numbers.iter().sum();
    match (function, numbers) {
        (Function::Sum, _) => finite(sum),
        (Function::Average, []) => Scalar::Error("#DIV/0!"),
        (Function::Average, _) => finite(sum / numbers.len() as f64),
        (Function::Minimum | Function::Maximum, []) => Scalar::Number(0.0),
        (Function::Minimum, _) => finite(numbers.iter().copied().fold(f64::INFINITY, f64::min)),
        (Function::Maximum, _) => finite(numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
        (Function::Absolute, [number]) => Scalar::Number(number.abs()),
        (Function::Round, [number, digits]) => round(*number, *digits),
        (Function::Absolute | Function::Round, _) => Scalar::Error("#VALUE!"),
    }
}

/// Halves are rounded away from zero, also those that are a hair below one
/// because they have no exact binary form: 2.675.
fn round(number: f64, digits: f64) -> Scalar {
    let digits = digits.trunc().clamp(-300.0, 300.0) as i32;
    let unit = 10f64.powi(digits.abs());
    let shown = if digits >= 0 { number * unit } else { number / unit };
    // A number that has no such digits is round as it is.
    if !shown.is_finite() || shown.abs() > 1e15 {
        return Scalar::Number(number);
    }
    let whole = (shown * (1.0 + 4.0 * f64::EPSILON)).round();
    finite(if digits >= 0 { whole / unit } else { whole * unit })
}
