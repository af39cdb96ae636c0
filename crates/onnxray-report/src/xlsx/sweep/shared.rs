//! Places of the cells that the live sheets share, and the charts that both have.

use crate::document::{Block, Chart, ChartKind, Document, Scatter};
use crate::xlsx::charts::scatter::draw;
use crate::xlsx::sheet::SheetWriter;
use rust_xlsxwriter::XlsxError;

/// Names of the live sheets.
pub(super) const SUMMARY: &str = "Summary";
pub(super) const POINTS: &str = "Points";

/// Rows of the inputs, in the second column; formulas of them are to the right of what is shown.
pub(super) const THRESHOLD: u32 = 2;
pub(super) const PERCENTILE: u32 = 3;
pub(super) const HELPER: u16 = 11;
/// Row of the title of the first table.
pub(super) const FIRST: u32 = 5;

/// Draws the charts of the points on a sheet, from a row on, and returns the row below.
pub(super) fn insert_charts(
    writer: &mut SheetWriter,
    document: &Document,
    mut row: u32,
) -> Result<u32, XlsxError> {
    /// Width and height in pixels, and rows that it takes: 28 of 20 pixels, and two blank ones.
    const SIZE: (u32, u32, u32) = (1000, 560, 30);
    let layout = writer.places.of("points")?;
    for (chart, scatter) in scatters(document) {
        let Some(table) = document.table(chart.table) else { continue };
        let marks = |key: &str, rows| layout.rows_on(&format!("chart_{key}"), rows);
        let mut drawing = draw(chart, scatter, table, layout, marks)?;
        drawing.set_width(SIZE.0).set_height(SIZE.1);
        writer.sheet.insert_chart(row, 0, &drawing)?;
        row += SIZE.2;
    }
    Ok(row)
}

fn scatters(document: &Document) -> impl Iterator<Item = (&Chart, &Scatter)> {
    document.blocks.iter().filter_map(|block| match block {
        Block::Chart(chart) => match &chart.kind {
            ChartKind::Scatter(points) => Some((chart, points)),
            _ => None,
        },
        _ => None,
    })
}
