//! Formulas over times that may be words, and cells that hold them.

use crate::document::Cell;
use crate::xlsx::page::{Page, UNKNOWN, Written};
use rust_xlsxwriter::Format;

/// What stands where a side has no time because it does not run.
pub(super) const NOT_EXECUTED: &str = "not executed";

/// A time, or that there is none.
pub(super) fn time(page: &mut Page, place: (u32, u16), cell: &Cell, format: &Format) -> Written {
    let styles = page.styles;
    match cell {
        Cell::None => page.text(place, NOT_EXECUTED, &styles.absent),
        cell => page.cell(place, cell, format),
    }
}

/// A formula with what the report has in its cell, or why it has nothing there.
pub(super) fn live(
    page: &mut Page,
    place: (u32, u16),
    formula: String,
    (cell, otherwise): (&Cell, &str),
    format: &Format,
) -> Written {
    let styles = page.styles;
    match cell {
        Cell::None => page.formula(place, formula, otherwise, &styles.absent),
        cell => page.formula(place, formula, cell, format),
    }
}

/// The share that a time has of a whole, or why there is none.
pub(super) fn share(time: &str, whole: &str) -> String {
    format!("=IF(ISNUMBER({time}),{},{time})", part(time, whole))
}

/// Part by whole, without `=`, where the whole may be below 0.
pub(super) fn part(part: &str, whole: &str) -> String {
    format!("IF({whole}<>0,{part}/{whole},\"{UNKNOWN}\")")
}

/// B minus A, or other words if one is no number.
pub(super) fn difference(a: &str, b: &str, otherwise: &str) -> String {
    format!("=IF(COUNT({a},{b})=2,{b}-{a},{otherwise})")
}

/// B by A, or other words if one is no number.
pub(super) fn ratio(a: &str, b: &str, otherwise: &str) -> String {
    format!("=IF(COUNT({a},{b})=2,IF({a}>0,{b}/{a},\"{UNKNOWN}\"),{otherwise})")
}

/// `"unknown"`, as formulas write it.
pub(super) fn unknown() -> String {
    format!("\"{UNKNOWN}\"")
}
