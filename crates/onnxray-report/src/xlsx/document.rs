//! Any report as a workbook: figures on the first sheet, each table on one of its own
//! with its charts, and on the last what there is to say of them.
//!
//! Names from traces are written as strings and never looked at: none becomes a
//! formula, a link or a number.

use super::charts;
use super::front;
use super::notes;
use super::places::{Layout, Places};
use super::plain::{write_figures, write_plain};
use super::sheet::{MOST_ROWS, SheetWriter, Styles, Written, number_format};
use super::table::width;
use crate::content::report::{Arrangement, SUMMARY, TableSheet, Tables};
use crate::document::{Block, Cell, Document, Importance, Notes, Table, TableColumn};
use rust_xlsxwriter::{Color, ConditionalFormatDataBar, Format, Workbook, Worksheet, XlsxError};
use std::path::Path;

/// Rows of all tables together that a workbook has room for: what takes minutes to open, and more
/// memory than most have, is of no use.
pub const MOST_WORKBOOK_ROWS: usize = 1_000_000;
/// Rows up to which a sheet is kept in memory until it is saved, so that cells can share texts.
/// Rows of a longer sheet are written out as they come.
const MOST_ROWS_IN_MEMORY: usize = 20_000;
/// Widths of all columns together that can be read on a page.
const PRINTED_WIDTH: f64 = 230.0;

/// Rows that can be read on a page.
const ROWS_OF_A_PAGE: u32 = 80;

/// Rows of long tables wait in files without names in `folder`, which has to hold the workbook.
pub(super) fn build(tables: &Tables, folder: &Path) -> Result<Workbook, XlsxError> {
    let Tables { document, arrangement, front } = tables;
    let front = front.as_ref();
    let styles = Styles::new();
    let mut places = Places::default();
    for table in document.tables() {
        places.lay_out(table, placed(table, arrangement.sheet(table)));
    }
    let mut workbook = Workbook::new();
    workbook.set_tempdir(folder)?;
    let mut writer = SheetWriter::new(&mut workbook, SUMMARY, &styles, &places)?;
    summary_sheet(&mut writer, document, arrangement, front)?;
    for block in &document.blocks {
        match block {
            Block::Table(table) if arrangement.sheet(table).name != SUMMARY => {
                let arranged = arrangement.sheet(table);
                let sheet = match table.len() > MOST_ROWS_IN_MEMORY {
                    true => workbook.add_worksheet_with_constant_memory()?,
                    false => workbook.add_worksheet(),
                };
                let mut writer = SheetWriter::of(sheet, arranged.name, &styles, &places)?;
                table_sheet(&mut writer, table, arranged, document)?;
            }
            // It would be missing without a word.
            Block::Chart(chart) if document.table(chart.table).is_none() => {
                let message = format!("{}: no table {}", chart.title, chart.table);
                return Err(XlsxError::ParameterError(message));
            }
            _ => {}
        }
    }
    notes_sheet(&mut workbook, document, &styles)?;
    Ok(workbook)
}

/// The sheet of notes, and of what every figure and column means.
pub(crate) fn notes_sheet(
    workbook: &mut Workbook,
    document: &Document,
    styles: &Styles,
) -> Written {
    let places = Places::default();
    let mut writer = SheetWriter::new(workbook, Notes::TITLE, styles, &places)?;
    notes::write(&mut writer, &notes::of_document(document), [44.0, 100.0])
}

/// The sheet of figures, and of the tables that belong to them.
fn summary_sheet(
    writer: &mut SheetWriter,
    document: &Document,
    arrangement: &Arrangement,
    front: Option<&Document>,
) -> Written {
    let styles = writer.styles;
    writer.text((0, 0), arrangement.title, &styles.title)?;
    let mut row = 2;
    for line in &document.headline {
        writer.text((row, 0), line, &styles.label)?;
        row += 1;
    }
    row += u32::from(!document.headline.is_empty());
    let printed = match front {
        Some(front) => {
            row = front::write(writer, SUMMARY, row, front)?;
            writer.text((row, 0), "All figures", &styles.title)?;
            row += 1;
            // Print the front alone, without the figures below it.
            Some(row - 2)
        }
        None => None,
    };
    let tables = document.tables().filter(|table| !table.is_empty());
    let tables = tables.map(|table| (table, arrangement.sheet(table)));
    for (table, arranged) in tables.filter(|(_, arranged)| arranged.in_front) {
        let layout = placed(table, arranged);
        row = charts::in_front(writer.sheet, row, charts::of(document, table), table, &layout)?;
    }
    for block in &document.blocks {
        match block {
            Block::Figures(figures) => {
                row = write_figures(writer, row, figures)? + 1;
            }
            Block::Table(table) if arrangement.sheet(table).name == SUMMARY => {
                writer.text((row, 0), table.title, &styles.title)?;
                let layout = write_plain(writer, row + 1, SUMMARY, table)?;
                let charts = charts::of(document, table);
                let covered = charts::insert(writer.sheet, charts, table, &layout)?;
                row = covered.map_or(layout.last_row(), |(last, _)| last) + 2;
            }
            _ => {}
        }
    }
    // Tables share the columns of this sheet: each is as wide as the widest needs.
    let of_front = front.into_iter().flat_map(Document::tables);
    let below = document.tables().filter(|table| arrangement.sheet(table).name == SUMMARY);
    for (place, width) in (0..).zip(summary_widths(of_front.chain(below))) {
        writer.sheet.set_column_width(place, width)?;
    }
    writer.sheet.set_print_fit_to_pages(1, 1);
    match printed {
        Some(printed) => writer.sheet.set_print_area(0, 0, printed, front::LAST_COLUMN)?,
        None => writer.sheet.set_portrait(),
    };
    Ok(())
}

/// Widths of the columns that all these tables share; figures take the first two, and their texts
/// may overflow.
fn summary_widths<'a>(tables: impl Iterator<Item = &'a Table>) -> Vec<f64> {
    let mut widths: Vec<f64> = vec![36.0, 18.0];
    for table in tables {
        widths.resize(widths.len().max(table.columns.len()), 0.0);
        let needed = table.columns.iter().filter_map(width);
        widths.iter_mut().zip(needed).for_each(|(known, needed)| *known = known.max(needed));
    }
    widths
}

/// Row of a table's headings, below the totals of filtered rows and the caveat.
fn header_row(table: &Table, arranged: TableSheet) -> u32 {
    u32::from(table.caveat.is_some()) + u32::from(!arranged.totals.is_empty())
}

/// Place of a table on a sheet of its own.
fn placed(table: &Table, arranged: TableSheet) -> Layout {
    Layout::of(table, arranged.name, (header_row(table, arranged), 0)).cut(MOST_ROWS)
}

/// The sheet of a table and its charts.
fn table_sheet(
    writer: &mut SheetWriter,
    table: &Table,
    arranged: TableSheet,
    document: &Document,
) -> Written {
    let styles = writer.styles;
    let has_totals = !arranged.totals.is_empty();
    let header = header_row(table, arranged);
    // From top to bottom: rows of a long table cannot be written later.
    if let Some(caveat) = &table.caveat {
        writer.text((0, 0), caveat, &Format::new().set_italic())?;
    }
    if has_totals {
        // In the last column that stays in sight, beside the totals.
        let at = (header - 1, arranged.frozen.saturating_sub(1));
        writer.text(at, "Total of the rows shown", &styles.total)?;
    }
    let layout = placed(table, arranged);
    let totals =
        table.columns.iter().filter(|column| arranged.totals.contains(&column.heading.key));
    for column in totals.filter(|_| !table.is_empty()) {
        write_total(writer, column, &layout)?;
    }
    write_plain(writer, header, arranged.name, table)?;
    let sheet = &mut *writer.sheet;
    sheet.set_freeze_panes(header + 1, arranged.frozen)?;
    sheet.set_repeat_rows(header, header)?;
    let last = layout.last_row();
    let columns = || (0..).zip(&table.columns);
    let folded: Vec<u16> = columns()
        .filter(|(_, column)| is_folded(column, arranged))
        .map(|(place, _)| place)
        .collect();
    // Neighbouring columns fold as one group.
    for run in folded.chunk_by(|one, next| next - one == 1) {
        sheet.group_columns_collapsed(run[0], run[run.len() - 1])?;
    }
    for (place, column) in columns() {
        if arranged.bars.contains(&column.heading.key) && !table.is_empty() {
            let bar = ConditionalFormatDataBar::new().set_fill_color(Color::RGB(0x7FB3D5));
            sheet.add_conditional_format(layout.row(0), place, last, place, &bar)?;
        }
    }
    // Filters and charts need rows.
    if table.is_empty() {
        return Ok(());
    }
    if arranged.filter {
        sheet.autofilter(header, 0, last, layout.last_column())?;
    }
    let charts = match arranged.in_front {
        true => None,
        false => charts::insert(sheet, charts::of(document, table), table, &layout)?,
    };
    print_area(sheet, table, (&layout, arranged), charts)
}

/// True for a column that starts folded: rarely needed, or empty.
fn is_folded(column: &TableColumn, arranged: TableSheet) -> bool {
    let is_blank = |cell: &Cell| matches!(cell, Cell::Unknown | Cell::None);
    arranged.fold && column.importance == Importance::Hidden
        || !column.cells.is_empty() && column.cells.iter().all(is_blank)
}

/// Prints as many columns as can be read on a page, and all of the charts.
fn print_area(
    sheet: &mut Worksheet,
    table: &Table,
    (layout, arranged): (&Layout, TableSheet),
    charts: Option<(u32, u16)>,
) -> Written {
    let mut used = 0.0;
    let shown = (0..).zip(&table.columns).filter(|(_, column)| !is_folded(column, arranged));
    // Up to the first column that does not fit: a printed page has no gaps.
    let fitting = shown.take_while(|(_, column)| {
        used += width(column).unwrap_or_default();
        used <= PRINTED_WIDTH
    });
    let column = fitting.last().map_or(0, |(place, _)| place);
    let most = arranged.printed.map_or(u32::MAX, |rows| layout.header() + rows);
    let (chart_row, chart_column) = charts.unwrap_or_default();
    // A chart covers as many more columns as have no width.
    let folded = table.columns.iter().filter(|column| is_folded(column, arranged)).count() as u16;
    let chart_column = if charts.is_some() { chart_column + folded } else { 0 };
    let row = layout.last_row().min(most).max(chart_row);
    if charts.is_some() && row <= ROWS_OF_A_PAGE {
        // So that no chart is cut in two.
        sheet.set_print_fit_to_pages(1, 1);
    }
    sheet.set_print_area(0, 0, row, column.max(chart_column))?;
    Ok(())
}

fn write_total(writer: &mut SheetWriter, column: &TableColumn, layout: &Layout) -> Written {
    let place = layout.place_of(column.heading.key)?;
    // 109: rows that a filter or a user hides do not count.
    let formula = format!("=SUBTOTAL(109,{})", layout.span(place));
    let format = writer.styles.total.clone().set_num_format(number_format(column.heading.unit));
    writer.formula((layout.header() - 1, place), formula, column.sum(), &format)
}
