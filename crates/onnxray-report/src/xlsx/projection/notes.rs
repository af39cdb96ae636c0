//! The sheet *Notes*: what the projection rests on, what was passed over, and
//! what every figure means.

use super::tables::Tables;
use crate::content::projection::{Shown, projection_notes};
use crate::document::{SheetColumn, SheetTable};
use crate::xlsx::page::{Page, Written};
use crate::xlsx::sheet::{UNKNOWN, UNKNOWN_MEANS};
use onnxray_analyzer::projection::Outcome;
use onnxray_analyzer::schema::workbook::sheet;

const KIND_WIDTH: f64 = 52.0;
const TEXT_WIDTH: f64 = 110.0;

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
    page.header(0, 0, &["Kind", "Text"])?;
    let styles = page.styles;
    for (line, (kind, text)) in (1..).zip(rows) {
        page.text((line, 0), &kind, &styles.wrapped)?;
        page.text((line, 1), &text, &styles.wrapped)?;
        page.high(line, [(kind.as_str(), KIND_WIDTH), (text.as_str(), TEXT_WIDTH)])?;
    }
    page.sheet
        .set_column_width(0, KIND_WIDTH)?
        .set_column_width(1, TEXT_WIDTH)?
        .set_freeze_panes(1, 0)?
        .set_repeat_rows(0, 0)?;
    Ok(())
}
