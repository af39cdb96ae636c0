//! Styles of cells, as formats of a sheet.

use super::{Styles, number_format};
use crate::document::{CellStyle, Unit};
use rust_xlsxwriter::{Color, Format, FormatAlign};

impl CellStyle {
    /// The format of its cells.
    pub(crate) fn format(self, styles: &Styles) -> Format {
        // The dash of an unknown value is aligned like the numbers above it.
        let number =
            |format: &str| Format::new().set_num_format(format).set_align(FormatAlign::Right);
        // Texts stand apart from the numbers that end where they begin.
        let of = |unit, format: Format| match unit {
            Unit::Text => format.set_num_format("@").set_align(FormatAlign::Left).set_indent(1),
            unit => format.set_num_format(number_format(unit)),
        };
        match self {
            CellStyle::Text | CellStyle::Name | CellStyle::Truth | CellStyle::Remark => {
                Format::new().set_indent(1)
            }
            CellStyle::Word => Format::new().set_indent(1).set_align(FormatAlign::Right),
            CellStyle::Aside => styles.unknown.clone().set_indent(1),
            CellStyle::Label => styles.label.clone(),
            CellStyle::Total => styles.total.clone(),
            CellStyle::Percent => number("0.00%"),
            CellStyle::Unit(unit) => number(number_format(unit)),
            CellStyle::Bare(unit) => of(unit, Format::new()),
            CellStyle::Wrapped(unit) => of(unit, styles.wrapped.clone()),
            CellStyle::Bar => number("0.0000").set_font_color(Color::Gray),
            CellStyle::Helper | CellStyle::Step => number("General").set_font_color(Color::Gray),
            CellStyle::Verdict => styles.label.clone().set_indent(1),
            CellStyle::Better => styles.better.clone().set_indent(1),
            CellStyle::Worse => styles.worse.clone().set_indent(1),
            CellStyle::Input => styles.input.clone(),
            CellStyle::InputPercent => styles.input.clone().set_num_format("0.0%"),
            CellStyle::InputRatio => styles.input.clone().set_num_format("0.0##"),
            CellStyle::Switch => styles.input.clone().set_align(FormatAlign::Center),
        }
    }
}
