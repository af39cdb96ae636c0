//! Columns and figures, declared once: name, unit, meaning, value.

use super::cell::Cell;
use super::sheet_part::{Look, SheetPart, Visibility};
use super::unit::Unit;

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
    pub sheet: SheetPart<Row>,
}

/// Declares a column.
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
    pub const fn own(
        key: &'static str,
        heading: &'static str,
        look: Look,
        meaning: &'static str,
        value: fn(&Row) -> Cell,
    ) -> Self {
        let mut column = Column::new(key, heading, Unit::Text, meaning, value);
        column.sheet.alone = true;
        column.sheet(heading).look(look)
    }

    /// Declares a column that only serves formulas.
    pub const fn helper(key: &'static str, heading: &'static str, value: fn(&Row) -> Cell) -> Self {
        Column::own(key, heading, Look::Helper, "", value).hidden()
    }

    /// Has it in the workbook, under this heading.
    pub const fn sheet(mut self, heading: &'static str) -> Self {
        self.sheet.heading = Some(heading);
        self
    }

    /// Has it in the workbook as it is in reports.
    pub const fn on_sheet(self) -> Self {
        let heading = self.heading;
        self.sheet(heading)
    }

    /// Only serves formulas.
    pub const fn hidden(mut self) -> Self {
        self.sheet.visibility = Visibility::Hidden;
        self
    }

    /// Is for those who want to know more.
    pub const fn folded(mut self) -> Self {
        self.sheet.visibility = Visibility::Folded;
        self
    }

    /// Follows another column in the workbook.
    pub const fn after(mut self, key: &'static str) -> Self {
        self.sheet.after = Some(key);
        self
    }

    /// Looks otherwise than its unit says.
    pub const fn look(mut self, look: Look) -> Self {
        self.sheet.look = Some(look);
        self
    }

    /// Looks as its row says.
    pub const fn look_of(mut self, look: fn(&Row) -> Look) -> Self {
        self.sheet.look_of = Some(look);
        self
    }

    /// Has room for so many characters.
    pub const fn width(mut self, width: f64) -> Self {
        self.sheet.width = Some(width);
        self
    }

    /// Has another value in the workbook.
    pub const fn value(mut self, value: fn(&Row) -> Cell) -> Self {
        self.sheet.value = Some(value);
        self
    }

    /// Only these rows have a cell.
    pub const fn only(mut self, only: fn(&Row) -> bool) -> Self {
        self.sheet.only = Some(only);
        self
    }

    /// Only these rows have the formula; others have the value.
    pub const fn live(mut self, live: fn(&Row) -> bool) -> Self {
        self.sheet.live = Some(live);
        self
    }

    /// What its value is computed by.
    pub const fn formula(mut self, formula: fn(&Row) -> String) -> Self {
        self.sheet.formula = Some(formula);
        self
    }

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
