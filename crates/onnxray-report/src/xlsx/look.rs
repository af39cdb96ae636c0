//! How cells look, as formats of a sheet.

use super::sheet::{Styles, number_format};
use crate::document::{Look, Unit};
use rust_xlsxwriter::{Color, Format, FormatAlign};

impl Look {
    /// The format of its cells.
    pub(super) fn format(self, styles: &Styles) -> Format {
        // What is unknown among numbers stands where they do.
        let number =
            |format: &str| Format::new().set_num_format(format).set_align(FormatAlign::Right);
        // Texts stand apart from the numbers that end where they begin.
        let of = |unit, format: Format| match unit {
            Unit::Text => format.set_num_format("@").set_align(FormatAlign::Left).set_indent(1),
            unit => format.set_num_format(number_format(unit)),
        };
        match self {
            Look::Text | Look::Name | Look::Truth | Look::Remark => Format::new().set_indent(1),
            Look::Word => Format::new().set_indent(1).set_align(FormatAlign::Right),
            Look::Aside => styles.unknown.clone().set_indent(1),
            Look::Label => styles.label.clone(),
            Look::Total => styles.total.clone(),
            Look::Percent => number("0.00%"),
            Look::Unit(unit) => number(number_format(unit)),
            Look::Bare(unit) => of(unit, Format::new()),
            Look::Wrapped(unit) => of(unit, styles.wrapped.clone()),
            Look::Bar => number("0.0000").set_font_color(Color::Gray),
            Look::Helper | Look::Step => number("General").set_font_color(Color::Gray),
            Look::Verdict => styles.label.clone().set_indent(1),
            Look::Better => styles.better.clone().set_indent(1),
            Look::Worse => styles.worse.clone().set_indent(1),
            Look::Input => styles.input.clone(),
            Look::InputPercent => styles.input.clone().set_num_format("0.0%"),
            Look::InputRatio => styles.input.clone().set_num_format("0.0##"),
            Look::Switch => styles.input.clone().set_align(FormatAlign::Center),
        }
    }
}
