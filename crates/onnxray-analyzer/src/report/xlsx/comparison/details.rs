//! The sheet *Details*: parameters in which layers differ.

use super::version::{DETAILS as SHEET, Version, text_format};
use crate::report::table::Cell;
use crate::report::xlsx::page::{Numbers, Page, Written};
use crate::report::xlsx::sheet::{MOST_ROWS, Styles, number_format};
use crate::schema::{Column, DETAILS, Shown};
use rust_xlsxwriter::{Format, Workbook};

const HEADER: u32 = 2;
const FIRST: u32 = 3;
/// Rows that a sheet has room for, but for one that says what is missing.
const ROOM: usize = MOST_ROWS - FIRST as usize - 1;
const WIDTHS: [f64; 5] = [7.0, 44.0, 24.0, 44.0, 44.0];

pub fn write(
    workbook: &mut Workbook,
    styles: &Styles,
    numbers: &Numbers,
    version: &Version,
) -> Written {
    let mut page = Page::new(workbook, &version.sheet(SHEET), styles, numbers)?;
    page.text((0, 0), DETAILS.title, &styles.title)?;
    version.header(&mut page, HEADER, &DETAILS)?;
    for (column, width) in (0..).zip(WIDTHS) {
        page.sheet.set_column_width(column, width)?;
    }
    page.sheet.set_freeze_panes(FIRST, 2)?;
    let format = |column: &Column| {
        let format = styles.wrapped.clone().set_num_format(number_format(column.shown));
        if column.shown == Shown::Text { text_format(&format) } else { format }
    };
    let formats: Vec<Format> = DETAILS.columns.iter().skip(1).map(format).collect();
    let rows = version.rows(&DETAILS);
    let written = &rows[..rows.len().min(ROOM)];
    for (line, row) in (FIRST..).zip(written) {
        for (index, (value, format)) in row[1..].iter().zip(&formats).enumerate() {
            page.cell((line, index as u16), value, format)?;
        }
        let length = |value: &Cell| match value {
            Cell::Text(text) => text.chars().count(),
            _ => 0,
        };
        let values = row.iter().skip(4).map(length).max().unwrap_or(0);
        page.high(line, values, WIDTHS[4] as usize)?;
    }
    let below = FIRST + written.len() as u32;
    if written.is_empty() {
        return page.text((below, 1), "no parameter that is known differs", &styles.unknown);
    }
    page.sheet.autofilter(HEADER, 0, below - 1, formats.len() as u16 - 1)?;
    if rows.len() > written.len() {
        let text = format!("… and {} rows more than fit a sheet", rows.len() - written.len());
        page.text((below, 1), &text, &styles.unknown)?;
    }
    Ok(())
}
