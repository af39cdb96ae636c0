//! Columns and figures, declared once: name, unit, meaning, value.

use super::cell::Cell;

/// The unit of a column's values, and so the way in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Words.
    Text,
    /// A whole number, in full.
    Count,
    /// A large whole number, shortened for people.
    Quantity,
    /// To the microsecond.
    Milliseconds,
    /// A number to three decimals.
    Ratio,
    /// A share of one, shown in percent.
    Share,
    /// A probability: people read those that are all but 0 as such.
    Probability,
    /// A number of any size, of which people read three digits and an exponent.
    Scientific,
    /// Any other number, to the digits that matter.
    Number,
}

/// A column of a table of `Row`s, or a figure of one.
pub struct Column<Row: ?Sized> {
    /// Identifier in machine-readable formats; ends in the unit, if there is one.
    pub key: &'static str,
    /// What people read above it.
    pub heading: &'static str,
    /// The unit of its values.
    pub unit: Unit,
    /// What its values are, in words.
    pub meaning: &'static str,
    /// Its value of a row.
    pub value: fn(&Row) -> Cell,
}

/// Declares a column.
pub const fn column<Row: ?Sized>(
    key: &'static str,
    heading: &'static str,
    unit: Unit,
    meaning: &'static str,
    value: fn(&Row) -> Cell,
) -> Column<Row> {
    Column { key, heading, unit, meaning, value }
}

impl<Row: ?Sized> Column<Row> {
    /// What is said of the column apart from its values.
    pub const fn heading(&self) -> Heading {
        Heading { key: self.key, heading: self.heading, unit: self.unit, meaning: self.meaning }
    }
}

/// What is said of a column apart from its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Heading {
    /// Identifier in machine-readable formats; ends in the unit, if there is one.
    pub key: &'static str,
    /// What people read above it.
    pub heading: &'static str,
    /// The unit of its values.
    pub unit: Unit,
    /// What its values are, in words.
    pub meaning: &'static str,
}
