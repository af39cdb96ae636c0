//! The sheet *Details*: parameters in which layers differ.

use super::placed::{Placed, text_format};
use super::version::{DETAILS as SHEET, Version};
use crate::document::{Cell, Unit, more};
use crate::xlsx::page::{Page, Written};
use crate::xlsx::sheet::number_format;

const HEADER: u32 = 2;
/// Width of the columns with values.
const VALUE_WIDTH: f64 = 44.0;

pub(super) fn write(page: &mut Page, version: &Version) -> Written {
    let table = Placed::new(version, "details", (SHEET, HEADER), &[]);
    let layout = &table.layout;
    page.text((0, 0), table.title, &page.styles.title)?;
    table.header(page)?;
    page.sheet.set_freeze_panes(HEADER + 1, 2)?.set_repeat_rows(HEADER, HEADER)?;
    for (number, column) in (0..).zip(&table.columns) {
        let width = match column.heading.key {
            "number" => 7.0,
            "parameter" => 24.0,
            _ => VALUE_WIDTH,
        };
        page.sheet.set_column_width(number, width)?;
        let unit = column.heading.unit;
        let format = page.styles.wrapped.clone().set_num_format(number_format(unit));
        let format = if unit == Unit::Text { text_format(&format) } else { format };
        for (row, cell) in column.cells.iter().take(table.rows).enumerate() {
            page.cell((layout.row(row), number), cell, &format)?;
        }
    }
    for row in 0..table.rows {
        let text = |key: &str| match table.cell(key, row) {
            Cell::Text(text) => text.as_str(),
            _ => "",
        };
        let texts = ["layer", "a", "b"].map(|key| (text(key), VALUE_WIDTH));
        page.high(layout.row(row), texts)?;
    }
    let below = (layout.row(table.rows), 1);
    if table.rows == 0 {
        return page.text(below, "no parameter that is known differs", &page.styles.unknown);
    }
    page.sheet.autofilter(HEADER, 0, layout.last_row(), layout.last_column())?;
    if table.left_out > 0 {
        let text = format!("{} than a sheet has room for", more(table.left_out));
        page.text(below, &text, &page.styles.unknown)?;
    }
    Ok(())
}
