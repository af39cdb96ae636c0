//! A workbook: sheets to sort, filter and chart, for Excel and LibreOffice.
//!
//! Names from traces are written as strings and never looked at: none becomes a
//! formula, a link or a number.

use super::sheet::{MOST_ROWS, Styles, name_sheet, number_format, write_cell};
use crate::error::AnalyzeError;
use crate::report::content::summary::{Level, Order, Selection, summary_report};
use crate::report::table::{Cell, Table};
use crate::schema::{self, Column, Shown, TableSchema};
use crate::statistics::Summary;
use onnxray_failsafe::WholeFile;
use rust_xlsxwriter::{
    Chart, ChartType, Color, ConditionalFormatDataBar, Format, FormatAlign, Formula, Workbook,
    Worksheet, XlsxError,
};
use std::path::Path;

/// Series that a chart can hold.
const MOST_SERIES: usize = 255;
/// Writes the report of a recording as a workbook with the sheets Summary, Layer
/// types, Layers, Resources (if the trace has any), Iterations and Notes. An existing file is replaced once the
/// new one is whole.
pub fn write_workbook(summary: &Summary, path: &Path) -> Result<(), AnalyzeError> {
    let workbook_error = |source| AnalyzeError::Workbook { path: path.to_path_buf(), source };
    let mut workbook = build(summary).map_err(workbook_error)?;
    let io_error = |source| AnalyzeError::Io { path: path.to_path_buf(), source };
    let mut file = WholeFile::create(path).map_err(io_error)?;
    workbook.save_to_writer(&mut file).map_err(workbook_error)?;
    file.finish().map_err(io_error)
}

fn build(summary: &Summary) -> Result<Workbook, XlsxError> {
    // Layers stand as they are executed, to be sorted by their reader; types from
    // most to least time, for the chart.
    let select = |levels: Vec<Level>, order| Selection { levels, order, operators: None };
    let levels = vec![
        Level::Model,
        Level::Launch,
        Level::Operator,
        Level::Resource,
        Level::Iteration,
        Level::Notes,
    ];
    let mut report = summary_report(summary, &select(levels, Order::Execution));
    let types = summary_report(summary, &select(vec![Level::Type], Order::Time));
    report.tables.extend(types.tables);
    let table = |schema: &'static TableSchema| {
        report.tables.iter().find(|table| std::ptr::eq(table.schema, schema))
    };
    let styles = Styles::new();
    let mut workbook = Workbook::new();
    if let (Some(model), Some(launches)) = (table(&schema::MODEL), table(&schema::LAUNCHES)) {
        summary_sheet(workbook.add_worksheet(), model, launches, &styles)?;
    }
    if let Some(types) = table(&schema::TYPES) {
        types_sheet(workbook.add_worksheet(), types, &styles)?;
    }
    if let Some(operators) = table(&schema::OPERATORS) {
        layers_sheet(workbook.add_worksheet(), operators, &styles)?;
    }
    if let Some(resources) = table(&schema::RESOURCES) {
        resources_sheet(workbook.add_worksheet(), resources, &styles)?;
    }
    if let Some(iterations) = table(&schema::ITERATION_ROWS) {
        iterations_sheet(workbook.add_worksheet(), iterations, &styles)?;
    }
    notes_sheet(workbook.add_worksheet(), table(&schema::NOTES), &styles)?;
    Ok(workbook)
}

/// Writes header and rows, and returns the first row below.
fn write_rows(
    sheet: &mut Worksheet,
    top: u32,
    table: &Table,
    styles: &Styles,
) -> Result<u32, XlsxError> {
    let columns = table.schema.columns;
    let formats: Vec<Format> =
        columns.iter().map(|c| Format::new().set_num_format(number_format(c.shown))).collect();
    for (index, column) in columns.iter().enumerate() {
        let header = match column.shown {
            Shown::Text => styles.header.clone(),
            _ => styles.header.clone().set_align(FormatAlign::Right),
        };
        sheet.write_string_with_format(top, index as u16, column.heading, &header)?;
        sheet.set_column_width(index as u16, width(column))?;
    }
    sheet.set_row_height(top, 30)?;
    let room = MOST_ROWS - top as usize - 1;
    for (index, row) in table.rows.iter().take(room).enumerate() {
        for (column, cell) in row.iter().enumerate() {
            let place = (top + 1 + index as u32, column as u16);
            write_cell(sheet, place, cell, &formats[column], styles)?;
        }
    }
    let end = top + 1 + table.rows.len().min(room) as u32;
    if table.rows.len() > room {
        // The last row gives way to what it is about.
        let text = format!("… and {} rows more than a sheet can hold", table.rows.len() - room + 1);
        sheet.write_string_with_format(end - 1, 0, &text, &styles.unknown)?;
    }
    Ok(end)
}

fn width(column: &Column) -> f64 {
    match (column.shown, column.key) {
        (_, "name" | "nodes" | "attributes" | "text") => 44.0,
        (_, "inputs" | "outputs" | "weight") => 32.0,
        (Shown::Text, "kind") => 11.0,
        (Shown::Text, _) => 18.0,
        (Shown::Quantity, _) => 15.0,
        _ => 11.0,
    }
}

fn summary_sheet(
    sheet: &mut Worksheet,
    model: &Table,
    launches: &Table,
    styles: &Styles,
) -> Result<(), XlsxError> {
    name_sheet(sheet, "Summary")?;
    sheet.write_string_with_format(0, 0, "onnxray: profile of a recording", &styles.title)?;
    for (index, row) in model.rows.iter().enumerate() {
        let line = index as u32 + 2;
        if let Cell::Text(name) = &row[0] {
            sheet.write_string_with_format(line, 0, name, &styles.label)?;
        }
        let format = match &row[1] {
            Cell::Number(value) if value.fract() != 0.0 => "#,##0.0000",
            Cell::Number(_) | Cell::Whole(_) => "#,##0",
            _ => "@",
        };
        let format = Format::new().set_num_format(format).set_align(FormatAlign::Left);
        write_cell(sheet, (line, 1), &row[1], &format, styles)?;
    }
    let below = model.rows.len() as u32 + 3;
    sheet.write_string_with_format(below, 0, "Launches", &styles.title)?;
    write_rows(sheet, below + 1, launches, styles)?;
    sheet.set_column_width(0, 36)?;
    sheet.set_column_width(1, 34)?;
    Ok(())
}

fn types_sheet(sheet: &mut Worksheet, table: &Table, styles: &Styles) -> Result<(), XlsxError> {
    name_sheet(sheet, "Layer types")?;
    let end = write_rows(sheet, 0, table, styles)?;
    sheet.set_freeze_panes(1, 1)?;
    if end < 2 {
        return Ok(());
    }
    data_bar(sheet, table, "share", 1, end - 1)?;
    let last = end - 1;
    // A trace without iterations knows no time per iteration.
    let known = |&(key, _): &(&str, &str)| {
        let column = table.column(key);
        column.is_some_and(|at| table.rows.iter().any(|row| matches!(row[at], Cell::Number(_))))
    };
    let charts = [
        ("time_ms", "Exclusive time per iteration (ms, mean)"),
        ("total_ms", "Exclusive time of all executions (ms)"),
    ];
    let Some((key, title)) = charts.into_iter().find(known) else { return Ok(()) };
    let Some(time) = table.column(key) else { return Ok(()) };
    let mut chart = Chart::new(ChartType::Bar);
    chart
        .add_series()
        .set_categories(("Layer types", 1, 0, last, 0))
        .set_values(("Layer types", 1, time as u16, last, time as u16))
        .set_gap(40);
    chart.title().set_name(title);
    chart.legend().set_hidden();
    // The first row, which takes most time, belongs on top.
    chart.y_axis().set_reverse();
    chart.set_width(760).set_height(140 + 26 * last.min(40));
    sheet.insert_chart(end + 1, 0, &chart)?;
    Ok(())
}

fn layers_sheet(sheet: &mut Worksheet, table: &Table, styles: &Styles) -> Result<(), XlsxError> {
    name_sheet(sheet, "Layers")?;
    sheet.set_print_fit_to_pages(0, 0); // too wide for one page
    // Above the header stand the totals of the rows that a filter leaves.
    let header = 1;
    let end = write_rows(sheet, header, table, styles)?;
    sheet.set_freeze_panes(header + 1, 2)?;
    let last_column = table.schema.columns.len() as u16 - 1;
    sheet.write_string_with_format(0, 1, "Total of the rows shown", &styles.total)?;
    if end == header + 1 {
        return Ok(());
    }
    for key in ["total_ms", "time_ms", "share", "flops", "bytes"] {
        let Some(column) = table.column(key) else { continue };
        let sum: f64 = table
            .rows
            .iter()
            .map(|row| match row[column] {
                Cell::Number(value) => value,
                Cell::Whole(value) => value as f64,
                _ => 0.0,
            })
            .sum();
        let letter = rust_xlsxwriter::utility::column_number_to_name(column as u16);
        let formula = format!("=SUBTOTAL(109,{letter}{}:{letter}{end})", header + 2);
        let format =
            styles.total.clone().set_num_format(number_format(table.schema.columns[column].shown));
        let formula = Formula::new(formula).set_result(sum.to_string());
        sheet.write_formula_with_format(0, column as u16, formula, &format)?;
    }
    sheet.autofilter(header, 0, end - 1, last_column)?;
    data_bar(sheet, table, "share", header + 1, end - 1)?;
    data_bar(sheet, table, "time_ms", header + 1, end - 1)
}

fn resources_sheet(sheet: &mut Worksheet, table: &Table, styles: &Styles) -> Result<(), XlsxError> {
    name_sheet(sheet, "Resources")?;
    let end = write_rows(sheet, 0, table, styles)?;
    sheet.set_freeze_panes(1, 2)?;
    // Figures of other formats than this trace's.
    for column in (0..table.schema.columns.len()).filter(|column| !table.shown.contains(column)) {
        sheet.set_column_hidden(column as u16)?;
    }
    if end > 1 {
        sheet.autofilter(0, 0, end - 1, table.schema.columns.len() as u16 - 1)?;
    }
    Ok(())
}

fn data_bar(
    sheet: &mut Worksheet,
    table: &Table,
    key: &str,
    first: u32,
    last: u32,
) -> Result<(), XlsxError> {
    let Some(column) = table.column(key) else { return Ok(()) };
    let bar = ConditionalFormatDataBar::new().set_fill_color(Color::RGB(0x7FB3D5));
    sheet.add_conditional_format(first, column as u16, last, column as u16, &bar)?;
    Ok(())
}

fn iterations_sheet(
    sheet: &mut Worksheet,
    table: &Table,
    styles: &Styles,
) -> Result<(), XlsxError> {
    name_sheet(sheet, "Iterations")?;
    let column = |key| table.column(key);
    let (Some(launch), Some(index)) = (column("launch"), column("iteration")) else {
        return Ok(());
    };
    let (Some(kind), Some(latency)) = (column("kind"), column("latency_ms")) else {
        return Ok(());
    };
    let plain = |row: &Vec<Cell>| row[kind] == Cell::text("plain");
    // A chart's series is one range, so a launch's iterations stand together.
    let mut sorted = table.clone();
    sorted.rows.sort_by_key(plain);
    let end = write_rows(sheet, 0, &sorted, styles)?;
    sheet.set_freeze_panes(1, 0)?;
    let last_column = table.schema.columns.len() as u16 - 1;
    if end < 2 {
        return Ok(());
    }
    sheet.autofilter(0, 0, end - 1, last_column)?;
    let mut chart = Chart::new(ChartType::Line);
    let written = &sorted.rows[..end as usize - 1];
    let recorded = &written[..written.iter().take_while(|row| !plain(row)).count()];
    let mut first = 0;
    for series in recorded.chunk_by(|a, b| a[launch] == b[launch]).take(MOST_SERIES) {
        let count = series.len();
        let rows = (first as u32 + 1, (first + count) as u32);
        let name = match &series[0][launch] {
            Cell::Whole(launch) => format!("launch {launch}"),
            _ => "launch".to_string(),
        };
        chart
            .add_series()
            .set_name(name.as_str())
            .set_categories(("Iterations", rows.0, index as u16, rows.1, index as u16))
            .set_values(("Iterations", rows.0, latency as u16, rows.1, latency as u16));
        first += count;
    }
    chart.title().set_name("Latency by iteration (ms)");
    chart.x_axis().set_name("Iteration");
    chart.y_axis().set_name("ms").set_min(0.0);
    chart.set_width(860).set_height(400);
    sheet.insert_chart(1, last_column + 2, &chart)?;
    Ok(())
}

fn notes_sheet(
    sheet: &mut Worksheet,
    notes: Option<&Table>,
    styles: &Styles,
) -> Result<(), XlsxError> {
    name_sheet(sheet, "Notes")?;
    sheet.write_string_with_format(0, 0, "Kind", &styles.header)?;
    sheet.write_string_with_format(0, 1, "Text", &styles.header)?;
    sheet.set_column_width(0, 26)?;
    sheet.set_column_width(1, 100)?;
    sheet.set_freeze_panes(1, 0)?;
    let mut row = 1;
    for note in notes.iter().flat_map(|table| &table.rows) {
        for (column, cell) in note.iter().enumerate() {
            write_cell(sheet, (row, column as u16), cell, &styles.wrapped, styles)?;
        }
        row += 1;
    }
    for (figure, meaning) in schema::FIGURES {
        let label = format!("{}: {figure}", schema::MODEL.title);
        sheet.write_string_with_format(row, 0, &label, &styles.wrapped)?;
        sheet.write_string_with_format(row, 1, *meaning, &styles.wrapped)?;
        row += 1;
    }
    let tables = [&schema::TYPES, &schema::OPERATORS, &schema::LAUNCHES, &schema::ITERATION_ROWS];
    for table in tables {
        for column in table.columns {
            let label = format!("{}: {}", table.title, column.heading);
            sheet.write_string_with_format(row, 0, &label, &styles.wrapped)?;
            sheet.write_string_with_format(row, 1, column.meaning, &styles.wrapped)?;
            row += 1;
        }
    }
    Ok(())
}
