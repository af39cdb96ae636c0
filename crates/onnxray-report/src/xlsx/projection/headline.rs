//! The whole model in one line, above the cells that are set, so that one sees what an
//! edit changes.

use crate::document::Look;
use crate::xlsx::layout::Layout;
use crate::xlsx::page::{Page, Written};

/// Figures of the totals: key, label and look.
const FIGURES: [(&str, &str, Look); 3] = [
    ("total_latency_ms", "total latency (ms)", Look::MILLISECONDS),
    ("projected_total_latency_ms", "projected (ms)", Look::MILLISECONDS),
    ("speedup", "speedup", Look::RATIO),
];

/// Labels and figures side by side, from a column on.
pub(super) fn write(page: &mut Page, row: u32, first: u16) -> Written {
    let label = page.styles.total.clone().set_align(rust_xlsxwriter::FormatAlign::Right);
    for (column, figure) in (first..).step_by(2).zip(FIGURES) {
        page.text((row, column), figure.1, &label)?;
        write_figure(page, (row, column + 1), figure)?;
    }
    Ok(())
}

/// Figures above columns of a table, beside a label above one of them.
pub(super) fn above(page: &mut Page, layout: &Layout, label: &str, columns: [&str; 3]) -> Written {
    let (row, label) = (layout.header() - 1, layout.place_of(label)?);
    page.text((row, label), "whole model, with framework overhead", &page.styles.total)?;
    for (key, figure) in columns.into_iter().zip(FIGURES) {
        write_figure(page, (row, layout.place_of(key)?), figure)?;
    }
    Ok(())
}

fn write_figure(page: &mut Page, place: (u32, u16), (key, _, look): (&str, &str, Look)) -> Written {
    let (totals, layout) = page.places.get("totals")?;
    let value = totals.value("value", layout.row_of(key)?);
    let format = look.format(page.styles).merge(&page.styles.total);
    page.formula(place, format!("=[!totals.value:{key}]"), &value, &format)
}
