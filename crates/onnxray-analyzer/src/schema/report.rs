//! The tables of reports and their columns.

/// How the values of a report's column are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    Text,
    /// A whole number, in full.
    Count,
    /// A large whole number, shortened on a terminal.
    Quantity,
    Milliseconds,
    /// A number to three decimals.
    Thousandths,
    /// A share, shown in percent.
    Percent,
    Number,
}

/// A column of a report's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name in JSON and CSV; ends in the unit, if there is one.
    pub key: &'static str,
    /// Heading in tables for people.
    pub heading: &'static str,
    pub shown: Shown,
    pub meaning: &'static str,
}

pub(super) const fn show(
    key: &'static str,
    heading: &'static str,
    shown: Shown,
    meaning: &'static str,
) -> Column {
    Column { key, heading, shown, meaning }
}

/// A table of a report.
#[derive(Debug, PartialEq, Eq)]
pub struct TableSchema {
    pub key: &'static str,
    pub title: &'static str,
    pub columns: &'static [Column],
}

use Shown::Text;

pub static NOTES: TableSchema = TableSchema {
    key: "notes",
    title: "Notes",
    columns: &[
        show("kind", "Kind", Text, "warning, note or definition"),
        show("text", "Text", Text, "what it says"),
    ],
};
