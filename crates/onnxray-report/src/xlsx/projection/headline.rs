//! The whole model in one line, above the cells that are set, so that one sees what an
//! edit changes.

use crate::document::CellStyle;
use crate::xlsx::places::Layout;
use crate::xlsx::sheet::{SheetWriter, Written};

/// Figures of the totals: key, label and style.
const FIGURES: [(&str, &str, CellStyle); 3] = [
    ("total_latency_ms", "total latency (ms)", CellStyle::MILLISECONDS),
    ("projected_total_latency_ms", "projected (ms)", CellStyle::MILLISECONDS),
    ("speedup", "speedup", CellStyle::RATIO),
];

/// Labels and figures side by side, from a column on.
pub(super) fn write(writer: &mut SheetWriter, row: u32, first: u16) -> Written {
    let label = writer.styles.total.clone().set_align(rust_xlsxwriter::FormatAlign::Right);
    for (column, figure) in (first..).step_by(2).zip(FIGURES) {
        writer.text((row, column), figure.1, &label)?;
        write_figure(writer, (row, column + 1), figure)?;
    }
    Ok(())
}

/// Figures above columns of a table, beside a label above one of them.
pub(super) fn above(
    writer: &mut SheetWriter,
    layout: &Layout,
    label: &str,
    columns: [&str; 3],
) -> Written {
    let (row, label) = (layout.header() - 1, layout.place_of(label)?);
    writer.text((row, label), "whole model, with framework overhead", &writer.styles.total)?;
    for (key, figure) in columns.into_iter().zip(FIGURES) {
        write_figure(writer, (row, layout.place_of(key)?), figure)?;
    }
    Ok(())
}

fn write_figure(
    writer: &mut SheetWriter,
    place: (u32, u16),
    (key, _, style): (&str, &str, CellStyle),
) -> Written {
    let (totals, layout) = writer.places.get("totals")?;
    let value = totals.value("value", layout.row_of(key)?);
    let format = style.format(writer.styles).merge(&writer.styles.total);
    writer.formula(place, format!("=[!totals.value:{key}]"), value, &format)
}
