//! How cells look: formats of numbers, and inputs.

use crate::document::Unit;
use crate::xlsx::page::Page;
use rust_xlsxwriter::Format;

/// How the cells of a column look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    Text,
    Truth,
    Milliseconds,
    Share,
    Percent,
    Ratio,
    Quantity,
    Helper,
    /// Text that is not to stand out.
    Aside,
    Input,
    InputPercent,
    InputRatio,
}

impl Look {
    /// How values of a unit look.
    pub(super) fn of(unit: Unit) -> Look {
        match unit {
            Unit::Text => Look::Text,
            Unit::Count | Unit::Quantity => Look::Quantity,
            Unit::Milliseconds => Look::Milliseconds,
            Unit::Ratio | Unit::Number | Unit::Probability | Unit::Scientific => Look::Ratio,
            Unit::Share => Look::Share,
        }
    }

    pub(super) fn format<'a>(self, page: &Page<'a>) -> &'a Format {
        let (styles, numbers) = (page.styles, page.numbers);
        match self {
            Look::Text | Look::Truth => &numbers.plain,
            Look::Milliseconds => &numbers.milliseconds,
            Look::Share => &numbers.share,
            Look::Percent => &numbers.percent,
            Look::Ratio => &numbers.ratio,
            Look::Quantity => &numbers.quantity,
            Look::Helper => &numbers.helper,
            Look::Aside => &numbers.aside,
            Look::Input => &styles.input,
            Look::InputPercent => &numbers.input_percent,
            Look::InputRatio => &numbers.input_ratio,
        }
    }

    /// Whether it is for numbers, which stand at the right of their cells.
    pub(super) fn is_number(self) -> bool {
        !matches!(self, Look::Text | Look::Truth | Look::Helper | Look::Aside | Look::Input)
    }

    /// Whether its reader may set it, so that an empty cell is shown as well.
    pub(super) fn is_input(self) -> bool {
        matches!(self, Look::Input | Look::InputPercent | Look::InputRatio)
    }
}
