//! Tables and figures without formulas.

use super::places::Layout;
use super::sheet::{MOST_ROWS, SheetWriter, UNKNOWN, looks_like_zero, number_format};
use super::table::write_once;
use crate::document::{Cell, Figures, Table, Unit, more};
use rust_xlsxwriter::{Format, FormatAlign, XlsxError};

/// Format of a fractional figure.
const DECIMALS: &str = "#,##0.0000";

/// Writes names and values side by side, and returns the first row below.
pub(super) fn write_figures(
    writer: &mut SheetWriter,
    top: u32,
    figures: &Figures,
) -> Result<u32, XlsxError> {
    let styles = writer.styles;
    let mut row = top;
    for figure in &figures.figures {
        writer.text((row, 0), &figure.heading.heading, &styles.label)?;
        // Figures of all units share a column.
        let format = match (&figure.value, figure.heading.unit) {
            (Cell::Number(_), unit @ (Unit::Share | Unit::Probability | Unit::Scientific)) => {
                number_format(unit)
            }
            // Four decimals would show 0.0000.
            (Cell::Number(value), _) if looks_like_zero(*value, DECIMALS) => {
                number_format(Unit::Scientific)
            }
            (Cell::Number(value), _) if value.fract() != 0.0 => DECIMALS,
            (Cell::Number(_) | Cell::Whole(_), _) => "#,##0",
            _ => "@",
        };
        let format = Format::new().set_num_format(format).set_align(FormatAlign::Left);
        match &figure.value {
            Cell::Unknown => writer.text((row, 1), UNKNOWN, &styles.dash)?,
            value => writer.cell((row, 1), value, &format)?,
        }
        row += 1;
    }
    Ok(row)
}

/// Writes a table with its headings in a row, and below it that there are more.
pub(crate) fn write_plain(
    writer: &mut SheetWriter,
    header: u32,
    name: &str,
    table: &Table,
) -> Result<Layout, XlsxError> {
    let layout = Layout::of(table, name, (header, 0)).cut(MOST_ROWS);
    write_once(writer, (table, &layout))?;
    let left_out = table.len() - layout.rows() + table.left_out;
    if left_out > 0 {
        writer.text((layout.row(layout.rows()), 0), &more(left_out), &writer.styles.unknown)?;
    }
    Ok(layout)
}
