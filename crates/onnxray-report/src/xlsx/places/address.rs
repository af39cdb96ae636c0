//! Addresses of cells, as formulas write them.

use rust_xlsxwriter::utility::column_number_to_name;

/// The letters of a column.
pub(crate) fn column(column: u16) -> String {
    column_number_to_name(column)
}

/// `C7`
pub(crate) fn cell(row: u32, number: u16) -> String {
    format!("{}{}", column(number), row + 1)
}

/// `C$6`, whose row stays when the formula is copied.
pub(crate) fn cell_in_row(row: u32, number: u16) -> String {
    format!("{}${}", column(number), row + 1)
}

/// `$C$7`
pub(crate) fn fixed(row: u32, number: u16) -> String {
    format!("${}${}", column(number), row + 1)
}

/// `'Sheet'!$C$7`
pub(crate) fn on(sheet: &str, row: u32, number: u16) -> String {
    format!("'{sheet}'!{}", fixed(row, number))
}

/// `'Sheet'!$C$7:$D$9`
pub(crate) fn range(sheet: &str, from: (u32, u16), to: (u32, u16)) -> String {
    format!("'{sheet}'!{}:{}", fixed(from.0, from.1), fixed(to.0, to.1))
}
