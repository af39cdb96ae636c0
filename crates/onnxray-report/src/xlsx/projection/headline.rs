//! The whole model in one line, above the cells that are set, so that one sees what an
//! edit changes.

use super::context::{Context, End};
use crate::document::Cell;
use crate::xlsx::page::{Page, Written};

/// Figures of the totals: key and label.
const FIGURES: [(&str, &str); 3] = [
    ("total_latency_ms", "total latency (ms)"),
    ("projected_total_latency_ms", "projected (ms)"),
    ("speedup", "speedup"),
];

/// Labels and figures side by side, from a column on.
pub(super) fn write(page: &mut Page, context: &Context, row: u32, first: u16) -> Written {
    let label = page.styles.total.clone().set_align(rust_xlsxwriter::FormatAlign::Right);
    for (column, (key, text)) in (first..).step_by(2).zip(FIGURES) {
        page.text((row, column), text, &label)?;
        figure(page, context, (row, column + 1), key)?;
    }
    Ok(())
}

/// Figures in the columns of the table below, beside a label in one of them.
pub(super) fn above(
    page: &mut Page,
    context: &Context,
    row: u32,
    label: u16,
    columns: [u16; 3],
) -> Written {
    page.text((row, label), "whole model, with overhead", &page.styles.total)?;
    for (column, (key, _)) in columns.into_iter().zip(FIGURES) {
        figure(page, context, (row, column), key)?;
    }
    Ok(())
}

fn figure(page: &mut Page, context: &Context, place: (u32, u16), key: &str) -> Written {
    let totals = &context.projection.totals;
    let (value, format) = match key {
        "total_latency_ms" => (totals.total, &page.numbers.milliseconds),
        "projected_total_latency_ms" => (totals.projected_total, &page.numbers.milliseconds),
        _ => (totals.speedup, &page.numbers.ratio),
    };
    let value = Cell::number(value.map(|value| value.value));
    let format = format.merge(&page.styles.total);
    let formula = format!("={}", context.total_on(key, End::Value));
    page.formula(place, formula, &value, &format)
}
