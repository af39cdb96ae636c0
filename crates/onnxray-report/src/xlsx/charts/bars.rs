//! The bars of a chart of a table that has more rows than bars that can be told apart:
//! the first ones, and the others as one. Formulas, hidden beside the table.

use super::MOST_BARS;
use crate::document::CellStyle;
use crate::xlsx::places::{LaidOutTable, Layout};
use crate::xlsx::sheet::SheetWriter;
use crate::xlsx::table::shown;
use onnxray_text::counted;
use rust_xlsxwriter::XlsxError;

/// Places of the bars: those of the shortened rows, which are written, if the table is long enough,
/// or else its own. The first key is the column of names.
pub(crate) fn shortened(
    writer: &mut SheetWriter,
    (table, layout): LaidOutTable,
    keys: &[&str],
) -> Result<Layout, XlsxError> {
    // With one row more, the bar of the others would stand for that row alone.
    if table.len() <= MOST_BARS + 1 {
        return Ok(layout.clone());
    }
    let places = writer.places;
    let format = &CellStyle::Helper.format(writer.styles);
    let bars = layout.beside(keys, MOST_BARS + 1);
    for (position, key) in keys.iter().enumerate() {
        let at = |row| places.formula(&format!("[{key}]"), Some((layout, row)));
        let column = bars.place_of(key)?;
        for row in 0..MOST_BARS {
            let value = shown(writer, table.value(key, row), CellStyle::Name);
            writer.formula((bars.row(row), column), format!("={}", at(row)?), &*value, format)?;
        }
        let others = (bars.row(MOST_BARS), column);
        if position == 0 {
            let count = (table.len() - MOST_BARS) as u64;
            writer.text(others, &counted(count, "other", "others"), format)?;
        } else {
            let rest = MOST_BARS..table.len();
            let sum: f64 = rest.filter_map(|row| table.value(key, row).as_number()).sum();
            let formula = format!("=SUM({}:{})", at(MOST_BARS)?, at(table.len() - 1)?);
            writer.formula(others, formula, sum, format)?;
        }
        writer.sheet.set_column_hidden(column)?;
    }
    Ok(bars)
}
