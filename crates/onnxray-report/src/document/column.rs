//! Columns and figures, declared once: name, unit, meaning, value.

use super::cell::Cell;
use super::sheet_part::{CellStyle, SheetPart, Visibility};
use super::unit::Unit;
use std::borrow::Cow;

/// Methods that set a part of what a workbook needs of a column.
macro_rules! setters {
    ($($(#[$meaning:meta])* $part:ident: $kind:ty,)*) => {$(
        $(#[$meaning])*
        pub(crate) const fn $part(mut self, $part: $kind) -> Self {
            self.sheet.$part = Some($part);
            self
        }
    )*};
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
    /// What a workbook with formulas needs of it.
    pub(crate) sheet: SheetPart<Row>,
}

pub const fn column<Row: ?Sized>(
    key: &'static str,
    heading: &'static str,
    unit: Unit,
    meaning: &'static str,
    value: fn(&Row) -> Cell,
) -> Column<Row> {
    Column::new(key, heading, unit, meaning, value)
}

impl<Row: ?Sized> Column<Row> {
    /// The same, where the kind of rows has to be said.
    pub const fn new(
        key: &'static str,
        heading: &'static str,
        unit: Unit,
        meaning: &'static str,
        value: fn(&Row) -> Cell,
    ) -> Self {
        Column { key, heading, unit, meaning, value, sheet: SheetPart::NONE }
    }

    /// Declares a column that only the workbook has.
    pub(crate) const fn own(
        key: &'static str,
        heading: &'static str,
        style: CellStyle,
        meaning: &'static str,
        value: fn(&Row) -> Cell,
    ) -> Self {
        let mut column = Column::new(key, heading, Unit::Text, meaning, value);
        column.sheet.alone = true;
        column.sheet(heading).style(style)
    }

    /// Declares a column that only serves formulas.
    pub(crate) const fn helper(
        key: &'static str,
        heading: &'static str,
        value: fn(&Row) -> Cell,
    ) -> Self {
        Column::own(key, heading, CellStyle::Helper, "", value).hidden()
    }

    /// Has it in the workbook, under this heading.
    pub(crate) const fn sheet(mut self, heading: &'static str) -> Self {
        self.sheet.heading = Some(heading);
        self
    }

    /// Has it in the workbook as well, under its heading.
    pub(crate) const fn in_sheet(self) -> Self {
        let heading = self.heading;
        self.sheet(heading)
    }

    /// Only serves formulas.
    pub(crate) const fn hidden(mut self) -> Self {
        self.sheet.visibility = Visibility::Hidden;
        self
    }

    /// Is for those who want to know more.
    pub(crate) const fn folded(mut self) -> Self {
        self.sheet.visibility = Visibility::Folded;
        self
    }

    setters! {
        /// Follows another column in the workbook.
        after: &'static str,
        /// Looks otherwise than its unit says.
        style: CellStyle,
        /// Looks as its row says.
        style_of: fn(&Row) -> CellStyle,
        /// Has this width, in characters.
        width: f64,
        /// Has another value in the workbook.
        value: fn(&Row) -> Cell,
        /// Only these rows have a cell.
        only: fn(&Row) -> bool,
        /// Only these rows have the formula; others have the value.
        live: fn(&Row) -> bool,
        /// What its value is computed by.
        formula: fn(&Row) -> String,
    }

    /// What is said of the column apart from its values.
    pub const fn heading(&self) -> Heading {
        Heading::new(self.key, self.heading, self.unit, self.meaning)
    }
}

/// What is said of a column apart from its values.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Heading {
    /// Identifier in machine-readable formats; ends in the unit, if there is one.
    pub key: &'static str,
    /// What people read above it.
    pub heading: Cow<'static, str>,
    /// The unit of its values.
    pub unit: Unit,
    /// What its values are, in words.
    pub meaning: &'static str,
}

impl Heading {
    /// What is said of a column of ours.
    pub const fn new(
        key: &'static str,
        heading: &'static str,
        unit: Unit,
        meaning: &'static str,
    ) -> Heading {
        Heading { key, heading: Cow::Borrowed(heading), unit, meaning }
    }
}
