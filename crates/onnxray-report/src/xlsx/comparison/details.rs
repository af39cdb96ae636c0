//! The sheet *Details*: parameters in which layers differ.

use super::version::Version;
use crate::document::{Cell, more};
use crate::xlsx::sheet::{SheetWriter, Written};
use crate::xlsx::table::write_table;

/// Rows that are printed: a page of them.
const PRINTED: usize = 30;

pub(super) fn write(writer: &mut SheetWriter, _: &Version) -> Written {
    let (table, layout) = writer.places.get("details")?;
    writer.text((0, 0), table.title, &writer.styles.title)?;
    write_table(writer, (table, layout))?;
    writer.sheet.set_freeze_panes(layout.row(0), 2)?;
    let printed = layout.last_row().min(layout.row(PRINTED));
    writer.sheet.set_print_area(0, 0, printed, layout.last_column())?;
    // Spreadsheets do not fit rows to wrapped texts by themselves.
    for row in 0..table.len() {
        let texts = [("layer", 60.0), ("a", 44.0), ("b", 44.0)].map(|(key, width)| {
            match table.value(key, row) {
                Cell::Text(text) => (text.as_str(), width),
                _ => ("", width),
            }
        });
        writer.high(layout.row(row), texts)?;
    }
    let below = (layout.row(table.len()), 1);
    if table.is_empty() {
        return writer.text(below, "no parameter that is known differs", &writer.styles.unknown);
    }
    writer.sheet.autofilter(layout.header(), 0, layout.last_row(), layout.last_column())?;
    if table.left_out > 0 {
        let text = format!("{} than a sheet has room for", more(table.left_out));
        writer.text(below, &text, &writer.styles.unknown)?;
    }
    Ok(())
}
