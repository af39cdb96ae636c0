//! Any report as a workbook: figures on the first sheet, each table on one of its own
//! with its charts, and on the last what there is to say of them.
//!
//! Names from traces are written as strings and never looked at: none becomes a
//! formula, a link or a number.

use super::chart;
use super::layout::Layout;
use super::lines::{height, lines};
use super::sheet::{
    MOST_ROWS, Styles, UNKNOWN, UNKNOWN_MEANS, name_sheet, number_format, write_cell,
};
use crate::document::{
    Block, Cell, Chart, Document, Figures, Heading, Importance, Notes, Table, TableColumn, Unit,
    more,
};
use crate::error::ReportError;
use crate::xlsx::whole::write_whole;
use onnxray_failsafe::OutputFile;
use rust_xlsxwriter::{
    Color, ConditionalFormatDataBar, Format, FormatAlign, Formula, Workbook, Worksheet, XlsxError,
};
use std::path::Path;

/// Name of the sheet of figures.
pub(crate) const SUMMARY: &str = "Summary";

/// Widths of the columns of notes.
const KIND_WIDTH: f64 = 44.0;
const TEXT_WIDTH: f64 = 100.0;
/// Rows of all tables together that a workbook has room for: what takes minutes to open, and more
/// memory than most have, is of no use.
pub const MOST_WORKBOOK_ROWS: usize = 1_000_000;
/// Rows of a sheet that is kept in memory until it is saved, with texts that cells share; those of
/// a longer one leave it as the next ones come.
const MOST_ROWS_IN_MEMORY: usize = 20_000;
/// Widths of all columns together that can be read on a page.
const PRINTED_WIDTH: f64 = 230.0;

/// How a report lies in its workbook.
pub(crate) struct Arrangement {
    /// What stands above its figures.
    pub title: &'static str,
    /// The sheets of tables that are not like [`TableSheet::DEFAULT`].
    pub sheets: &'static [TableSheet],
}

/// How a table lies in its workbook.
#[derive(Clone, Copy)]
pub(crate) struct TableSheet {
    /// Key of the table.
    pub table: &'static str,
    /// Name of its sheet; a table of the sheet of figures lies below them.
    pub name: &'static str,
    /// Columns on the left that stay in sight.
    pub frozen: u16,
    /// Whether its reader can filter rows by what stands in the headings.
    pub filter: bool,
    /// Keys of columns with the total of the rows shown above them.
    pub totals: &'static [&'static str],
    /// Keys of columns whose numbers have bars behind them.
    pub bars: &'static [&'static str],
    /// Whether columns that people are not shown are hidden.
    pub hide: bool,
}

impl TableSheet {
    /// A sheet that has the title of its table, and filters.
    pub(crate) const DEFAULT: TableSheet = TableSheet {
        table: "",
        name: "",
        frozen: 1,
        filter: true,
        totals: &[],
        bars: &[],
        hide: false,
    };
}

impl Arrangement {
    fn sheet(&self, table: &Table) -> TableSheet {
        let sheet = self.sheets.iter().find(|sheet| sheet.table == table.key);
        sheet.copied().unwrap_or(TableSheet { name: table.title, ..TableSheet::DEFAULT })
    }
}

/// Writes a report as a workbook. An existing file is replaced once the new one is
/// whole.
///
/// # Errors
/// If the file cannot be written, or if a sheet cannot hold the report.
pub fn write_xlsx(document: &Document, path: &Path) -> Result<(), ReportError> {
    save(document, &Arrangement { title: "onnxray", sheets: &[] }, path.into())
}

/// Writes a report as a workbook that is arranged in its own way.
pub(crate) fn save(
    document: &Document,
    arrangement: &Arrangement,
    file: OutputFile,
) -> Result<(), ReportError> {
    let folder = file.path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    write_whole(file, || build(document, arrangement, folder))
}

/// Rows of long tables wait in files without names in `folder`, which has to hold the workbook.
fn build(
    document: &Document,
    arrangement: &Arrangement,
    folder: &Path,
) -> Result<Workbook, XlsxError> {
    let styles = Styles::new();
    let mut workbook = Workbook::new();
    workbook.set_tempdir(folder)?;
    summary_sheet(workbook.add_worksheet(), document, arrangement, &styles)?;
    for block in &document.blocks {
        match block {
            Block::Table(table) if arrangement.sheet(table).name != SUMMARY => {
                let arranged = arrangement.sheet(table);
                let sheet = match table.len() > MOST_ROWS_IN_MEMORY {
                    true => workbook.add_worksheet_with_constant_memory()?,
                    false => workbook.add_worksheet(),
                };
                table_sheet(sheet, table, arranged, document, &styles)?;
            }
            Block::Chart(chart) if document.table(chart.table).is_none() => {
                let message = format!("{}: no table {}", chart.title, chart.table);
                return Err(XlsxError::ParameterError(message));
            }
            _ => {}
        }
    }
    notes_sheet(workbook.add_worksheet(), document, &styles)?;
    Ok(workbook)
}

/// The sheet of figures, and of the tables that belong to them.
fn summary_sheet(
    sheet: &mut Worksheet,
    document: &Document,
    arrangement: &Arrangement,
    styles: &Styles,
) -> Result<(), XlsxError> {
    name_sheet(sheet, SUMMARY)?;
    sheet.write_string_with_format(0, 0, arrangement.title, &styles.title)?;
    let mut row = 2;
    for line in &document.headline {
        write_cell(sheet, (row, 0), &Cell::text(line), &styles.label, styles)?;
        row += 1;
    }
    for block in &document.blocks {
        match block {
            Block::Figures(figures) => {
                row = write_figures(sheet, row, figures, styles)? + 1;
            }
            Block::Table(table) if arrangement.sheet(table).name == SUMMARY => {
                sheet.write_string_with_format(row, 0, table.title, &styles.title)?;
                let layout = write_table(sheet, row + 1, SUMMARY, table, styles)?;
                row = layout.last_row() + 2;
            }
            _ => {}
        }
    }
    sheet.set_column_width(0, 36)?.set_column_width(1, 34)?;
    Ok(())
}

/// Writes names and values side by side, and returns the first row below.
fn write_figures(
    sheet: &mut Worksheet,
    top: u32,
    figures: &Figures,
    styles: &Styles,
) -> Result<u32, XlsxError> {
    let mut row = top;
    for figure in &figures.figures {
        sheet.write_string_with_format(row, 0, figure.heading.heading, &styles.label)?;
        // Figures of all units stand in one column.
        let format = match &figure.value {
            Cell::Number(value) if value.fract() != 0.0 => "#,##0.0000",
            Cell::Number(_) | Cell::Whole(_) => "#,##0",
            _ => "@",
        };
        let format = Format::new().set_num_format(format).set_align(FormatAlign::Left);
        match &figure.value {
            Cell::Unknown => {
                sheet.write_string_with_format(row, 1, UNKNOWN, &styles.dash)?;
            }
            value => write_cell(sheet, (row, 1), value, &format, styles)?,
        }
        row += 1;
    }
    Ok(row)
}

/// The sheet of a table and its charts.
fn table_sheet(
    sheet: &mut Worksheet,
    table: &Table,
    arranged: TableSheet,
    document: &Document,
    styles: &Styles,
) -> Result<(), XlsxError> {
    name_sheet(sheet, arranged.name)?;
    // Totals of the rows that a filter leaves stand above the headings.
    let has_totals = !arranged.totals.is_empty();
    let header = u32::from(table.caveat.is_some()) + u32::from(has_totals);
    let layout = layout(table, arranged.name, header);
    // From top to bottom: rows of a long table cannot be written later.
    if let Some(caveat) = &table.caveat {
        let sentence = Format::new().set_italic();
        write_cell(sheet, (0, 0), &Cell::text(caveat), &sentence, styles)?;
    }
    if has_totals {
        let at = (header - 1, arranged.frozen.saturating_sub(1));
        sheet.write_string_with_format(at.0, at.1, "Total of the rows shown", &styles.total)?;
    }
    let totals =
        table.columns.iter().filter(|column| arranged.totals.contains(&column.heading.key));
    for column in totals.filter(|_| !table.is_empty()) {
        write_total(sheet, column, &layout, styles)?;
    }
    write_rows(sheet, table, &layout, styles)?;
    sheet.set_freeze_panes(header + 1, arranged.frozen)?;
    sheet.set_repeat_rows(header, header)?;
    print_area(sheet, table, &layout, arranged.hide)?;
    if arranged.hide {
        for column in table.columns.iter().filter(|c| c.importance == Importance::Hidden) {
            sheet.set_column_hidden(layout.column(column.heading.key))?;
        }
    }
    if table.is_empty() {
        return Ok(());
    }
    let last = layout.last_row();
    for column in &table.columns {
        if arranged.bars.contains(&column.heading.key) {
            let place = layout.column(column.heading.key);
            let bar = ConditionalFormatDataBar::new().set_fill_color(Color::RGB(0x7FB3D5));
            sheet.add_conditional_format(layout.row(0), place, last, place, &bar)?;
        }
    }
    if arranged.filter {
        sheet.autofilter(header, 0, last, layout.last_column())?;
    }
    chart::insert(sheet, charts_of(document, table), table, &layout)
}

/// Prints as many columns as can be read on a page, where there are more.
fn print_area(
    sheet: &mut Worksheet,
    table: &Table,
    layout: &Layout,
    hide: bool,
) -> Result<(), XlsxError> {
    let columns =
        table.columns.iter().filter(|column| column.importance > Importance::Hidden || !hide);
    let mut used = 0.0;
    let fitting = columns.take_while(|column| {
        used += width(&column.heading);
        used <= PRINTED_WIDTH
    });
    let last = fitting.last().map_or(0, |column| layout.column(column.heading.key));
    let all = table.columns.iter().map(|column| width(&column.heading)).sum::<f64>();
    if all > PRINTED_WIDTH && last < layout.last_column() {
        sheet.set_print_area(0, 0, layout.last_row(), last)?;
    }
    Ok(())
}

fn charts_of<'a>(document: &'a Document, table: &Table) -> impl Iterator<Item = &'a Chart> {
    let key = table.key;
    document.blocks.iter().filter_map(move |block| match block {
        Block::Chart(chart) if chart.table == key => Some(chart),
        _ => None,
    })
}

/// Writes headings, rows, and below them that there are more.
pub(crate) fn write_table(
    sheet: &mut Worksheet,
    header: u32,
    name: &str,
    table: &Table,
    styles: &Styles,
) -> Result<Layout, XlsxError> {
    let layout = layout(table, name, header);
    write_rows(sheet, table, &layout, styles)?;
    Ok(layout)
}

/// Where its headings and rows stand, as many as a sheet can hold.
fn layout(table: &Table, name: &str, header: u32) -> Layout {
    let room = MOST_ROWS - header as usize - 2;
    let keys = table.columns.iter().map(|column| column.heading.key);
    Layout::new(name, keys, header, table.len().min(room))
}

/// Where a column stands, and how its cells look.
struct WrittenColumn<'a> {
    column: &'a TableColumn,
    place: u16,
    known: Format,
    dash: Format,
}

fn write_rows(
    sheet: &mut Worksheet,
    table: &Table,
    layout: &Layout,
    styles: &Styles,
) -> Result<(), XlsxError> {
    let header = layout.header();
    let headings = table.columns.iter().map(|column| &column.heading);
    let most = headings.map(|heading| lines(heading.heading, width(heading))).max();
    sheet.set_row_height(header, height(most.unwrap_or(1).max(2)))?;
    let mut columns = Vec::new();
    for column in &table.columns {
        let heading = &column.heading;
        let place = layout.column(heading.key);
        // Apart from the numbers that end where a text begins.
        let indent = u8::from(place > 0 && heading.unit == Unit::Text);
        let header_format = match heading.unit {
            Unit::Text => styles.header.clone().set_indent(indent),
            _ => styles.number_header.clone(),
        };
        sheet.write_string_with_format(header, place, heading.heading, &header_format)?;
        sheet.set_column_width(place, width(heading))?;
        columns.push(WrittenColumn {
            column,
            place,
            known: Format::new().set_num_format(number_format(heading.unit)).set_indent(indent),
            dash: styles.dash.clone().set_indent(indent),
        });
    }
    let rows = layout.rows();
    for row in 0..rows {
        for WrittenColumn { column, place, known, dash } in &columns {
            let at = (layout.row(row), *place);
            match (&column.cells[row], column.heading.unit) {
                (Cell::Unknown, Unit::Text) => {
                    sheet.write_string_with_format(at.0, at.1, UNKNOWN, dash)?;
                }
                (cell, _) => write_cell(sheet, at, cell, known, styles)?,
            }
        }
    }
    let left_out = table.len() - rows + table.left_out;
    if left_out > 0 {
        let below = layout.row(rows);
        sheet.write_string_with_format(below, 0, more(left_out), &styles.unknown)?;
    }
    Ok(())
}

fn width(heading: &Heading) -> f64 {
    match (heading.unit, heading.key) {
        (_, "name" | "nodes" | "attributes" | "text") => 44.0,
        (_, "inputs" | "outputs" | "weight") => 32.0,
        (Unit::Text, "kind") => 11.0,
        (Unit::Text, _) => 18.0,
        (Unit::Quantity, _) => 15.0,
        _ => 11.0,
    }
}

fn write_total(
    sheet: &mut Worksheet,
    column: &TableColumn,
    layout: &Layout,
    styles: &Styles,
) -> Result<(), XlsxError> {
    let key = column.heading.key;
    let rows = (layout.last_row() - layout.row(0)) as usize;
    let formula = format!("=SUBTOTAL(109,{}:{})", layout.at(key, 0), layout.at(key, rows));
    let total: f64 = column.cells.iter().filter_map(Cell::as_number).sum();
    let format = styles.total.clone().set_num_format(number_format(column.heading.unit));
    let formula = Formula::new(formula).set_result(total.to_string());
    sheet.write_formula_with_format(layout.row(0) - 2, layout.column(key), formula, &format)?;
    Ok(())
}

/// The sheet of notes, and of what every figure and column means.
pub(crate) fn notes_sheet(
    sheet: &mut Worksheet,
    document: &Document,
    styles: &Styles,
) -> Result<(), XlsxError> {
    name_sheet(sheet, Notes::TITLE)?;
    let notes = document.notes();
    let mut rows: Vec<(String, &str)> =
        notes.map(|note| (note.kind.text().to_string(), note.text.as_str())).collect();
    rows.push((UNKNOWN.to_string(), UNKNOWN_MEANS));
    for block in &document.blocks {
        let (title, headings): (_, Vec<&Heading>) = match block {
            Block::Figures(figures) => {
                (figures.title, figures.figures.iter().map(|figure| &figure.heading).collect())
            }
            Block::Table(table) => {
                (table.title, table.columns.iter().map(|column| &column.heading).collect())
            }
            _ => continue,
        };
        let meanings = headings.into_iter();
        rows.extend(
            meanings.map(|heading| (format!("{title}: {}", heading.heading), heading.meaning)),
        );
    }
    sheet.write_string_with_format(0, 0, "Kind", &styles.header)?;
    sheet.write_string_with_format(0, 1, "Text", &styles.header)?;
    for (row, (kind, text)) in (1..).zip(&rows) {
        write_cell(sheet, (row, 0), &Cell::text(kind), &styles.wrapped, styles)?;
        write_cell(sheet, (row, 1), &Cell::text(*text), &styles.wrapped, styles)?;
        let most = lines(kind, KIND_WIDTH).max(lines(text, TEXT_WIDTH));
        if most > 1 {
            sheet.set_row_height(row, height(most))?;
        }
    }
    sheet
        .set_column_width(0, KIND_WIDTH)?
        .set_column_width(1, TEXT_WIDTH)?
        .set_freeze_panes(1, 0)?
        .set_repeat_rows(0, 0)?;
    Ok(())
}
