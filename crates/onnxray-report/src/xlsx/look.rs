//! How cells look, as formats of a sheet.

use super::page::Page;
use crate::document::Look;
use rust_xlsxwriter::Format;

impl Look {
    /// The format of its cells.
    pub(super) fn format<'a>(self, page: &Page<'a>) -> &'a Format {
        let (styles, numbers) = (page.styles, page.numbers);
        match self {
            Look::Text | Look::Name | Look::Truth | Look::Remark => &numbers.plain,
            Look::Word => &numbers.word,
            Look::Label => &styles.label,
            Look::Total => &styles.total,
            Look::Milliseconds => &numbers.milliseconds,
            Look::Share => &numbers.share,
            Look::Percent => &numbers.percent,
            Look::Ratio => &numbers.ratio,
            Look::Quantity => &numbers.quantity,
            Look::Helper | Look::Step => &numbers.helper,
            Look::Unit(unit) => numbers.of(unit),
            Look::Aside => &numbers.aside,
            Look::Input => &styles.input,
            Look::InputPercent => &numbers.input_percent,
            Look::InputRatio => &numbers.input_ratio,
        }
    }
}
