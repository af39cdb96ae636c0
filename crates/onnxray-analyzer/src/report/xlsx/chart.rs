//! Charts of a table, drawn below it or to its right.

use super::layout::Layout;
use crate::report::document::{Chart, ChartKind, Table, Unit};
use rust_xlsxwriter::{Chart as Drawing, ChartType, Worksheet, XlsxError};

/// Series that a chart can hold.
const MOST_SERIES: usize = 255;
/// Height of a row of a sheet, in pixels.
const ROW_HEIGHT: u32 = 20;

/// Draws the charts of a table on its sheet: bars below it, lines to its right.
pub(crate) fn insert<'a>(
    sheet: &mut Worksheet,
    charts: impl Iterator<Item = &'a Chart>,
    table: &Table,
    layout: &Layout,
) -> Result<(), XlsxError> {
    let (mut below, mut beside) = (layout.last_row() + 2, layout.header() + 1);
    for chart in charts {
        let mut drawing = draw(chart, table, layout)?;
        let (row, column, width, height) = match chart.kind {
            ChartKind::Bars | ChartKind::StackedBars => {
                let bars = layout.last_row() - layout.header();
                (&mut below, 0, 760, 140 + 26 * bars.min(40))
            }
            ChartKind::Line => (&mut beside, layout.last_column() + 2, 860, 400),
        };
        drawing.set_width(width).set_height(height);
        sheet.insert_chart(*row, column, &drawing)?;
        *row += height / ROW_HEIGHT + 2;
    }
    Ok(())
}

fn draw(chart: &Chart, table: &Table, layout: &Layout) -> Result<Drawing, XlsxError> {
    let column = |key: &str| {
        let no_column = || XlsxError::ParameterError(format!("{}: no column {key}", table.key));
        table.column(key).ok_or_else(no_column)
    };
    let mut drawing = Drawing::new(match chart.kind {
        ChartKind::Bars => ChartType::Bar,
        ChartKind::StackedBars => ChartType::BarStacked,
        ChartKind::Line => ChartType::Line,
    });
    let categories = column(chart.categories)?.heading;
    let mut unit = Unit::Number;
    // The title says what it is.
    let is_single = matches!(&chart.series[..], [only] if only.name.is_none());
    for series in chart.series.iter().take(MOST_SERIES) {
        let values = column(series.column)?.heading;
        unit = values.unit;
        let rows = series.rows.clone().unwrap_or(0..table.len());
        let drawn = drawing
            .add_series()
            .set_categories(&layout.range_of(categories.key, rows.clone()))
            .set_values(&layout.range_of(values.key, rows))
            .set_gap(40);
        if !is_single {
            drawn.set_name(series.name.as_deref().unwrap_or(values.heading));
        }
    }
    drawing.title().set_name(&chart.title);
    drawing.set_alt_text(chart.shows);
    match chart.kind {
        ChartKind::Bars | ChartKind::StackedBars => {
            // The first row belongs on top.
            drawing.y_axis().set_reverse();
        }
        ChartKind::Line => {
            drawing.x_axis().set_name(categories.heading);
            drawing.y_axis().set_min(0.0);
            if unit == Unit::Milliseconds {
                drawing.y_axis().set_name("ms");
            }
        }
    }
    if is_single {
        drawing.legend().set_hidden();
    }
    Ok(drawing)
}
