//! Names of sheets, formats of cells, and texts as a cell can hold them; `writer` fills a sheet.

mod cell_style;
pub(crate) mod row_height;
mod writer;

pub(crate) use crate::document::UNKNOWN;
pub(crate) use writer::{Computed, SheetWriter, Written};

use crate::document::{Cell, Unit};
use crate::write::cells::show;
use onnxray_text::is_hidden;
use rust_xlsxwriter::{
    Color, ConditionalFormatCell, ConditionalFormatCellRule, Format, FormatAlign, FormatBorder,
    Worksheet, XlsxError,
};

/// Rows that a sheet can hold.
pub(crate) const MOST_ROWS: usize = 1_048_576;
/// Legend of [`UNKNOWN`], for notes.
pub(crate) const UNKNOWN_MEANS: &str =
    "unknown: the trace does not have the value, or it cannot be computed";
/// Characters that a cell can hold.
const MOST_CHARACTERS: usize = 32_767;

/// Names a sheet and has it printed across, as wide as the paper.
pub(crate) fn name_sheet(sheet: &mut Worksheet, name: &str) -> Result<(), XlsxError> {
    sheet.set_name(name)?;
    sheet.set_landscape().set_print_fit_to_pages(1, 0);
    Ok(())
}

/// Greys out unknown values up to a cell, computed ones too.
pub(crate) fn pale_unknown(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    styles: &Styles,
) -> Result<(), XlsxError> {
    let pale = ConditionalFormatCell::new()
        .set_rule(ConditionalFormatCellRule::EqualTo(UNKNOWN.to_string()))
        .set_format(&styles.pale);
    sheet.add_conditional_format(0, 0, row, column, &pale)?;
    Ok(())
}

/// The colour of what is unknown.
const PALE: Color = Color::RGB(0xA0A0A0);

/// Formats of cells.
pub(crate) struct Styles {
    pub title: Format,
    pub header: Format,
    /// Above numbers.
    pub number_header: Format,
    pub label: Format,
    pub total: Format,
    /// A remark.
    pub unknown: Format,
    /// A text that is unknown.
    pub dash: Format,
    /// In place of a number that is unknown.
    pub absent: Format,
    pub wrapped: Format,
    /// An input: unlocked where sheets are protected.
    pub input: Format,
    /// Faster, and slower.
    pub better: Format,
    pub worse: Format,
    /// Conditional formats of unknown values and of placeholders.
    pub pale: Format,
    pub placeholder: Format,
}

impl Styles {
    pub(crate) fn new() -> Styles {
        let header = Color::RGB(0x1F3B57);
        let heading = Format::new()
            .set_bold()
            .set_font_color(Color::White)
            .set_background_color(header)
            .set_align(FormatAlign::VerticalCenter)
            .set_text_wrap();
        Styles {
            title: Format::new().set_bold().set_font_size(14).set_font_color(header),
            number_header: heading.clone().set_align(FormatAlign::Right),
            header: heading,
            label: Format::new().set_bold(),
            total: Format::new().set_bold().set_background_color(Color::RGB(0xE8EEF4)),
            absent: Format::new().set_font_color(PALE).set_align(FormatAlign::Right),
            unknown: Format::new().set_italic().set_font_color(Color::Gray),
            dash: Format::new().set_font_color(PALE),
            wrapped: Format::new().set_text_wrap().set_align(FormatAlign::Top),
            input: Format::new()
                .set_unlocked()
                .set_background_color(Color::RGB(0xFFF7D6))
                .set_border(FormatBorder::Thin)
                .set_border_color(Color::RGB(0x2F75B5))
                .set_font_color(Color::RGB(0x1F3B9F)),
            placeholder: Format::new().set_italic().set_font_color(Color::RGB(0x7F7F7F)),
            pale: Format::new().set_font_color(PALE),
            better: Format::new()
                .set_font_color(Color::RGB(0x1B5E20))
                .set_background_color(Color::RGB(0xD5EFD8)),
            worse: Format::new()
                .set_font_color(Color::RGB(0x8E1B12))
                .set_background_color(Color::RGB(0xF9D9D5)),
        }
    }
}

/// The number format of a column.
pub(crate) fn number_format(unit: impl Into<Unit>) -> &'static str {
    match unit.into() {
        Unit::Text => "@",
        Unit::Count => "0",
        Unit::Quantity => "#,##0",
        Unit::Milliseconds => "0.0000",
        Unit::Ratio => "0.000",
        Unit::Share => "0.0%",
        Unit::Probability => "[<0.001]\"<0.001\";0.000",
        Unit::Scientific => "0.00E+00",
        Unit::Number => "#,##0.00",
    }
}

/// True for a number other than 0 that the format shows as 0.
pub(crate) fn looks_like_zero(value: f64, format: &str) -> bool {
    let decimals = format.rsplit_once('.').map_or(0, |(_, decimals)| decimals.len());
    // Less than half of the last decimal is rounded to 0.
    value != 0.0 && value.abs() < 0.5 * 0.1f64.powi(decimals as i32)
}

/// Numbers from here on are shown without a fraction.
const LARGE: f64 = 10_000.0;

/// Format that replaces its unit's: three digits and an exponent for what would be shown as 0, no
/// fraction for large numbers.
pub(crate) fn legible(value: f64, unit: Unit, format: &Format) -> Option<Format> {
    let is_unprofiled = matches!(unit, Unit::Milliseconds | Unit::Ratio | Unit::Number);
    let unit = match unit {
        unit if is_unprofiled && looks_like_zero(value, number_format(unit)) => Unit::Scientific,
        Unit::Number if value.abs() >= LARGE => Unit::Quantity,
        _ => return None,
    };
    Some(format.clone().set_num_format(number_format(unit)))
}

/// Writes a cell of a report; its text is data, whatever it looks like.
pub(crate) fn write_cell(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    cell: &Cell,
    format: &Format,
    styles: &Styles,
) -> Result<(), XlsxError> {
    match cell {
        Cell::Text(text) => sheet.write_string_with_format(row, column, shorten(text), format)?,
        Cell::Label { text, .. } => sheet.write_string_with_format(row, column, *text, format)?,
        Cell::Number(value) => sheet.write_number_with_format(row, column, *value, format)?,
        // Spreadsheets have doubles only: whole numbers are exact up to 2^53.
        Cell::Whole(value) => sheet.write_number_with_format(row, column, *value as f64, format)?,
        Cell::Below { .. } => {
            let text = show(cell, Unit::Milliseconds);
            sheet.write_string_with_format(row, column, text, &styles.absent)?
        }
        Cell::Unknown => sheet.write_string_with_format(row, column, UNKNOWN, &styles.absent)?,
        Cell::None => sheet,
    };
    Ok(())
}

/// A text that fits a cell; what a sheet cannot hold is shown as what it is.
pub(crate) fn shorten(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    // Characters of a sheet are units of UTF-16.
    let mut left = MOST_CHARACTERS;
    for letter in text.chars() {
        let start = clean.len();
        match letter {
            letter if is_hidden(letter) && !matches!(letter, '\n' | '\t') => {
                clean.extend(letter.escape_unicode());
            }
            letter => clean.push(letter),
        }
        let length = clean[start..].encode_utf16().count();
        // Room is kept for the sign that something is missing.
        if length >= left {
            clean.truncate(start);
            clean.push('…');
            break;
        }
        left -= length;
    }
    clean
}
