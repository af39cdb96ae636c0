//! What the first screen of a terminal shows, at the top of the first sheet: what was measured,
//! the figures that decide, where the time goes, with a chart, and the slowest operators.

use super::charts;
use super::plain::{write_figures, write_plain};
use super::sheet::SheetWriter;
use crate::document::{Block, Document, side_by_side};
use rust_xlsxwriter::XlsxError;

/// Last column of a page: the chart spans ten columns of default width.
pub(super) const LAST_COLUMN: u16 = CHART + 9;
/// The chart is to the right of the types.
const CHART: u16 = 6;

/// Writes it from a row of the sheet of a name on, and returns the first row below.
pub(super) fn write(
    writer: &mut SheetWriter,
    name: &str,
    top: u32,
    front: &Document,
) -> Result<u32, XlsxError> {
    let styles = writer.styles;
    let mut row = top;
    for sentence in &front.headline {
        writer.text((row, 0), sentence, &styles.label)?;
        row += 1;
    }
    for block in &front.blocks {
        match block {
            Block::Lines(block) => {
                for line in &block.lines {
                    // A line without a name begins at the left.
                    let place = u16::from(!line.name.is_empty());
                    writer.text((row, 0), line.name, &styles.label)?;
                    writer.plain((row, place), &side_by_side(&line.parts))?;
                    row += 1;
                }
            }
            Block::Figures(figures) => row = write_figures(writer, row + 1, figures)? + 1,
            Block::Table(table) => {
                let chart = charts::of(front, table).next();
                let table = table.clone().with_others();
                writer.text((row, 0), table.title, &styles.title)?;
                let layout = write_plain(writer, row + 1, name, &table)?;
                if let Some(chart) = chart {
                    charts::at(writer.sheet, (row, CHART), chart, (&table, &layout))?;
                }
                // A chart of few bars is higher than their rows.
                // `charts::at` takes 110 pixels and 24 per bar; a row has 20. One row stays blank.
                let bars = chart.map_or(0, |_| 7 + table.len() as u32 * 6 / 5);
                row = (layout.last_row() + 2).max(row + bars);
            }
            _ => {}
        }
    }
    Ok(row)
}
