//! Charts of a table, drawn below it or to its right.

pub(crate) mod bars;
pub(crate) mod scatter;

use crate::document::{Block, Cell, Chart, ChartKind, Document, Series, Table, Unit};
use crate::xlsx::places::Layout;
use crate::xlsx::sheet::{number_format, shorten};
use onnxray_text::counted;
use rust_xlsxwriter::{
    Chart as Drawing, ChartAxis, ChartAxisCrossing, ChartDataLabel, ChartLegendPosition, ChartLine,
    ChartType, Color, Worksheet, XlsxError,
};

/// Series that a chart can hold.
const MOST_SERIES: usize = 255;
/// Bars that can be told apart; the others are one.
pub(crate) const MOST_BARS: usize = 30;
/// Default height of a row and width of a column, in pixels.
const ROW_HEIGHT: u32 = 20;
const COLUMN_WIDTH: u32 = 64;
/// Width and height of a chart of many rows, in pixels.
const WIDE: (u32, u32) = (860, 400);
/// Width and height of a scatter chart, in pixels.
pub(crate) const SCATTER: (u32, u32) = (1000, 560);

/// The charts of a table of a report.
pub(crate) fn of<'a>(report: &'a Document, table: &Table) -> impl Iterator<Item = &'a Chart> {
    let key = table.key;
    report.blocks.iter().filter_map(move |block| match block {
        Block::Chart(chart) if chart.table == key => Some(chart),
        _ => None,
    })
}

/// Draws the charts of a table on its sheet: bars below it, lines to its right. Returns the last
/// row and column that one covers.
pub(crate) fn insert<'a>(
    sheet: &mut Worksheet,
    charts: impl Iterator<Item = &'a Chart>,
    table: &Table,
    layout: &Layout,
) -> Result<Option<(u32, u16)>, XlsxError> {
    let (mut below, mut beside) = (layout.last_row() + 2, layout.header() + 1);
    let mut right = layout.clone();
    let mut covered: Option<(u32, u16)> = None;
    let mut cover = |(row, column): (u32, u16), (width, height): (u32, u32)| {
        let row = row + height.div_ceil(ROW_HEIGHT);
        // At most: where columns are wider, the chart covers fewer.
        let column = column + width.div_ceil(COLUMN_WIDTH) as u16;
        let (last_row, last_column) = covered.unwrap_or_default();
        covered = Some((last_row.max(row), last_column.max(column)));
    };
    for chart in charts {
        if let ChartKind::Scatter(points) = chart.kind {
            right = marks(sheet, chart, points.marks, table, &right)?;
            let mut drawing =
                scatter::draw(chart, &points, table, layout, |key, rows| right.rows_on(key, rows))?;
            drawing.set_width(SCATTER.0).set_height(SCATTER.1);
            sheet.insert_chart(below, 0, &drawing)?;
            cover((below, 0), SCATTER);
            below += SCATTER.1 / ROW_HEIGHT + 2;
            continue;
        }
        // Too many bars to tell apart: draw the first ones and the sum of the others.
        let is_long = table.len() > MOST_BARS && chart.kind.is_across();
        let shortened = match is_long {
            true => Some(shortened(sheet, chart, table, layout)?),
            false => None,
        };
        let mut drawing = draw(chart, table, shortened.as_ref().unwrap_or(layout))?;
        let (row, column, width, height) = match chart.kind.is_across() {
            true => (&mut below, 0, 760, height_of_bars(table)),
            false => (&mut beside, layout.last_column() + 2, WIDE.0, WIDE.1),
        };
        drawing.set_width(width).set_height(height);
        sheet.insert_chart(*row, column, &drawing)?;
        cover((*row, column), (width, height));
        *row += height / ROW_HEIGHT + 2;
    }
    Ok(covered)
}

/// In pixels, so that names and values can be read.
fn height_of_bars(table: &Table) -> u32 {
    150 + 26 * table.len().min(MOST_BARS + 1) as u32
}

/// Draws a chart of few bars at a place of the sheet that its table is on.
pub(crate) fn at(
    sheet: &mut Worksheet,
    place: (u32, u16),
    chart: &Chart,
    (table, layout): (&Table, &Layout),
) -> Result<(), XlsxError> {
    let mut drawing = draw(chart, table, layout)?;
    // `front::write` leaves room for this height.
    drawing.set_width(640).set_height(110 + 24 * table.len() as u32);
    sheet.insert_chart(place.0, place.1, &drawing)?;
    Ok(())
}

/// Draws charts that have no more bars than their table has rows on another sheet, and returns
/// the first row below.
pub(crate) fn in_front<'a>(
    sheet: &mut Worksheet,
    top: u32,
    charts: impl Iterator<Item = &'a Chart>,
    table: &Table,
    layout: &Layout,
) -> Result<u32, XlsxError> {
    let mut row = top;
    for chart in charts {
        let mut drawing = draw(chart, table, layout)?;
        let height = match chart.kind.is_across() {
            true => height_of_bars(table),
            false => WIDE.1,
        };
        drawing.set_width(WIDE.0).set_height(height);
        sheet.insert_chart(row, 0, &drawing)?;
        row += height / ROW_HEIGHT + 2;
    }
    Ok(row)
}

/// The values that a scatter chart marks, to the right of the table.
fn marks(
    sheet: &mut Worksheet,
    chart: &Chart,
    keys: &[&'static str],
    table: &Table,
    beside: &Layout,
) -> Result<Layout, XlsxError> {
    let marks = beside.beside(keys, table.len());
    let values = chart.series.first().and_then(|series| table.column(series.column));
    for key in keys {
        let (Some(mark), Some(values)) = (table.column(key), values) else { continue };
        let place = marks.place_of(key)?;
        let heading = format!("{}, for the chart", mark.heading.heading);
        sheet.write_string(marks.header(), place, heading)?;
        for (row, value) in scatter::marked(mark, values).enumerate() {
            // A blank cell draws no mark.
            if let Some(value) = value {
                sheet.write_number(marks.row(row), place, value)?;
            }
        }
    }
    Ok(marks)
}

/// The first bars and the sum of the others, hidden to the right of the table.
fn shortened(
    sheet: &mut Worksheet,
    chart: &Chart,
    table: &Table,
    layout: &Layout,
) -> Result<Layout, XlsxError> {
    let keys: Vec<&str> = std::iter::once(chart.categories)
        .chain(chart.series.iter().map(|series| series.column))
        .collect();
    let bars = layout.beside(&keys, MOST_BARS + 1);
    let others = bars.row(MOST_BARS);
    for key in &keys {
        let Some(column) = table.column(key) else { continue };
        let place = bars.place_of(key)?;
        for (row, cell) in column.cells.iter().take(MOST_BARS).enumerate() {
            match cell {
                Cell::Text(text) => sheet.write_string(bars.row(row), place, shorten(text))?,
                cell => match cell.as_number() {
                    Some(number) => sheet.write_number(bars.row(row), place, number)?,
                    // What is unknown has no bar.
                    None => continue,
                },
            };
        }
        if *key == chart.categories {
            let text = counted((table.len() - MOST_BARS) as u64, "other", "others");
            sheet.write_string(others, place, text)?;
        } else {
            let rest = column.cells.iter().skip(MOST_BARS).filter_map(Cell::as_number);
            sheet.write_number(others, place, rest.sum::<f64>())?;
        }
        sheet.set_column_hidden(place)?;
    }
    Ok(bars)
}

fn draw(chart: &Chart, table: &Table, layout: &Layout) -> Result<Drawing, XlsxError> {
    let column = |key: &str| {
        let no_column = || XlsxError::ParameterError(format!("{}: no column {key}", table.key));
        table.column(key).ok_or_else(no_column)
    };
    let mut drawing = Drawing::new(match chart.kind {
        ChartKind::Bars => ChartType::Bar,
        ChartKind::StackedBars => ChartType::BarStacked,
        ChartKind::Columns => ChartType::Column,
        ChartKind::Line | ChartKind::Dots | ChartKind::LogarithmicDots | ChartKind::Scatter(_) => {
            ChartType::Line
        }
    });
    let categories = &column(chart.categories)?.heading;
    let mut unit = Unit::Number;
    let mut heading = "";
    // The title says what it is.
    let is_single = matches!(&chart.series[..], [only] if only.name.is_none());
    for (place, series) in chart.series.iter().take(MOST_SERIES).enumerate() {
        let values = &column(series.column)?.heading;
        (unit, heading) = (values.unit, &*values.heading);
        let all = match chart.kind.is_across() {
            // As many as `shortened` leaves, the bar of the others included.
            true => table.len().min(MOST_BARS + 1),
            false => table.len(),
        };
        let rows = series.rows.clone().unwrap_or(0..all);
        let drawn = drawing
            .add_series()
            .set_categories(&layout.rows_on(categories.key, rows.clone())?)
            .set_values(&layout.rows_on(values.key, rows)?)
            .set_gap(40);
        if chart.kind == ChartKind::Bars && is_single {
            drawn.set_data_label(
                ChartDataLabel::new().show_value().set_num_format(number_format(unit)),
            );
        }
        if matches!(chart.kind, ChartKind::Dots | ChartKind::LogarithmicDots) {
            drawn.set_format(ChartLine::new().set_hidden(true));
            drawn.set_marker(&scatter::dot(place));
        }
        if !is_single {
            drawn.set_name(series.name.as_deref().unwrap_or(&values.heading));
        }
    }
    let name = axis(unit, if is_single { heading } else { &chart.title });
    drawing.title().set_name(&chart.title);
    drawing.set_alt_text(chart.shows);
    match chart.kind {
        ChartKind::Bars | ChartKind::StackedBars => {
            first_on_top(&mut drawing);
            // Beside the bars, some spreadsheets list series from bottom to top.
            drawing.legend().set_position(ChartLegendPosition::Top);
            drawing.x_axis().set_name(name);
            if unit == Unit::Quantity {
                drawing.x_axis().set_num_format(number_format(unit));
            }
            // The shortened bars are in hidden columns.
            drawing.show_hidden_data();
        }
        _ => {
            drawing.x_axis().set_name(&*categories.heading);
            drawing.y_axis().set_name(name);
            pale_grid(drawing.y_axis());
            match chart.kind {
                ChartKind::LogarithmicDots => powers_of_ten(drawing.y_axis(), chart, table),
                // An axis that begins elsewhere would exaggerate differences.
                _ => drawing.y_axis().set_min(0.0),
            };
        }
    }
    if is_single {
        drawing.legend().set_hidden();
    }
    Ok(drawing)
}

/// Has the first row's bar on top, and the values' axis below the last one.
pub(crate) fn first_on_top(drawing: &mut Drawing) {
    drawing.y_axis().set_reverse().set_crossing(ChartAxisCrossing::Max);
    pale_grid(drawing.x_axis());
}

/// An axis from the power of ten below the smallest value; from 0 on where one is not above it.
fn powers_of_ten<'a>(axis: &'a mut ChartAxis, chart: &Chart, table: &Table) -> &'a mut ChartAxis {
    let columns = chart.series.iter().filter_map(|series| table.column(series.column));
    let values = columns.flat_map(|column| column.cells.iter().filter_map(Cell::as_number));
    let least = values.reduce(f64::min).unwrap_or(0.0);
    if least > 0.0 {
        let power = 10f64.powf(least.log10().floor());
        axis.set_log_base(10).set_min(power).set_crossing(ChartAxisCrossing::Min);
        return axis.set_num_format("0E+0");
    }
    axis.set_min(0.0)
}

/// Pale grid lines.
pub(crate) fn pale_grid(values: &mut ChartAxis) {
    values.set_major_gridlines_line(ChartLine::new().set_color(Color::RGB(0xD9D9D9)));
}

/// A chart of the first rows of a table.
pub(crate) fn of_rows(
    chart: &Chart,
    layout: &Layout,
    rows: usize,
    kind: ChartType,
) -> Result<Drawing, XlsxError> {
    let range = |key| Ok::<_, XlsxError>(format!("={}", layout.rows_on(key, 0..rows)?));
    let mut drawing = Drawing::new(kind);
    for Series { name, column, .. } in &chart.series {
        let series = drawing.add_series();
        series.set_categories(range(chart.categories)?.as_str());
        series.set_values(range(column)?.as_str());
        if let Some(name) = name {
            series.set_name(name);
        }
        if kind == ChartType::Bar {
            series.set_gap(40);
        }
    }
    drawing.title().set_name(&chart.title);
    Ok(drawing)
}

/// Title of an axis of values: the unit, or else the heading.
fn axis(unit: Unit, values: &str) -> &str {
    match unit {
        Unit::Milliseconds => "ms",
        Unit::Share => "share",
        _ => values,
    }
}
