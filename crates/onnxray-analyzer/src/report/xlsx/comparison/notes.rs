//! The sheet *Notes*: what a careful reader should know of the comparison, and
//! what every figure means.

use super::version::{NOTES as SHEET, Version};
use crate::report::table::Cell;
use crate::report::xlsx::page::{Numbers, Page, Written};
use crate::report::xlsx::sheet::Styles;
use crate::schema::{
    CAUSES, CIRCUMSTANCES, COMPARED_TYPES, CONSERVATION, DETAILS, INFERENCE, LAYERS, NOTES,
};
use rust_xlsxwriter::Workbook;

const TEXT_WIDTH: usize = 110;

/// What is on the sheets and in no table of reports.
const MORE: [(&str, &str); 6] = [
    (
        "Layer types: Include in chart",
        "no takes the type's bars out of the chart; times and shares stay as they are",
    ),
    ("Layer types: bar", "what the chart shows: times, or shares if these are chosen above"),
    ("Layer types: layers", "how many compute in an element type stands behind A and B"),
    ("Total of the rows shown", "follows the filters in the header"),
    ("not executed", "the side has nothing that does this, which takes it no time"),
    ("unknown", "it has a value that nobody recorded, or that cannot be computed"),
];

pub fn write(
    workbook: &mut Workbook,
    styles: &Styles,
    numbers: &Numbers,
    version: &Version,
) -> Written {
    let mut page = Page::new(workbook, &version.sheet(SHEET), styles, numbers)?;
    page.header(0, 0, &["Kind", "Text"])?;
    let mut line = 1;
    let mut row = |page: &mut Page, kind: &str, text: &str| {
        page.text((line, 0), kind, &styles.wrapped)?;
        page.text((line, 1), text, &styles.wrapped)?;
        page.high(line, text.chars().count(), TEXT_WIDTH)?;
        line += 1;
        Written::Ok(())
    };
    let [a, b] = version.labels();
    row(&mut page, "baseline", &a)?;
    row(&mut page, "version", &b)?;
    if version.several {
        row(&mut page, "version", "B in the following notes is this version")?;
    }
    let tables = &version.report.tables;
    let notes = tables.iter().filter(|table| std::ptr::eq(table.schema, &NOTES));
    for note in notes.flat_map(|table| &table.rows) {
        if let [Cell::Text(kind), Cell::Text(text)] = &note[..] {
            row(&mut page, kind, text)?;
        }
    }
    let tables =
        [&INFERENCE, &CIRCUMSTANCES, &CONSERVATION, &COMPARED_TYPES, &LAYERS, &CAUSES, &DETAILS];
    for table in tables {
        for column in table.columns.iter().skip(1) {
            let heading = format!("{}: {}", table.title, version.named(column.heading));
            row(&mut page, &heading, column.meaning)?;
        }
    }
    for (name, meaning) in MORE {
        row(&mut page, name, meaning)?;
    }
    page.sheet
        .set_column_width(0, 44)?
        .set_column_width(1, TEXT_WIDTH as f64)?
        .set_freeze_panes(1, 0)?;
    Ok(())
}
