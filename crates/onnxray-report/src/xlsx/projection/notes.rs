//! The sheet *Notes*: what the projection rests on, what was passed over, and
//! what every figure means.

use super::tables::Tables;
use crate::content::projection::{Shown, projection_notes};
use crate::document::{SheetColumn, SheetTable};
use crate::xlsx::notes;
use crate::xlsx::page::{Page, Written};
use crate::xlsx::sheet::{UNKNOWN, UNKNOWN_MEANS};
use onnxray_analyzer::projection::Outcome;
use onnxray_analyzer::workbook::sheet;

/// What the columns of a sheet mean, helpers aside.
fn meanings(sheet: &str, table: &SheetTable) -> Vec<(String, String)> {
    let explained = table.columns.iter().filter(|column| !column.meaning.is_empty());
    let row =
        |column: &SheetColumn| (format!("{sheet}: {}", column.heading), column.meaning.to_string());
    explained.map(row).collect()
}

pub(super) fn write(page: &mut Page, tables: &Tables) -> Written {
    let mut rows: Vec<(String, String)> = Vec::new();
    let (model, plan) = (tables.model, tables.planned);
    let all = Shown { levels_table: true, plan: true };
    for note in projection_notes(model.summary, model.projection, plan, all) {
        rows.push((note.kind.text().to_string(), note.text));
    }
    rows.push((UNKNOWN.to_string(), UNKNOWN_MEANS.to_string()));
    for outcome in Outcome::ALL {
        rows.push((format!("projection: {outcome}"), outcome.meaning().to_string()));
    }
    rows.extend(meanings(sheet::OPERATORS, &tables.operators));
    rows.extend(meanings(sheet::TYPES, &tables.types));
    rows.extend(meanings(sheet::PLAN, &tables.plan));
    page.header(0, 0, &[])?;
    notes::write(page, &rows, [52.0, 110.0])
}
