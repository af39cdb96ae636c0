//! The sheet *Notes*: what the projection rests on, what was passed over, and
//! what every figure means.

use super::columns::SheetColumn;
use super::context::Context;
use super::{operators, plan, types};
use crate::projection::Outcome;
use crate::report::content::projection::projection_notes;
use crate::report::xlsx::page::{Page, Written};
use crate::schema::workbook::sheet;

/// What the columns of a sheet mean, helpers aside.
fn meanings<Row>(sheet: &str, columns: &[SheetColumn<Row>]) -> Vec<(String, String)> {
    let explained = columns.iter().filter(|column| !column.meaning.is_empty());
    let row = |column: &SheetColumn<Row>| {
        (format!("{sheet}: {}", column.heading), column.meaning.to_string())
    };
    explained.map(row).collect()
}

pub(super) fn write(page: &mut Page, context: &Context) -> Written {
    let mut rows: Vec<(String, String)> = Vec::new();
    for note in projection_notes(context.summary, context.projection, context.plan) {
        rows.push((note.kind.text().to_string(), note.text));
    }
    for outcome in Outcome::ALL {
        rows.push((format!("projection: {outcome}"), outcome.meaning().to_string()));
    }
    rows.extend(meanings(sheet::OPERATORS, &operators::columns()));
    rows.extend(meanings(sheet::TYPES, &types::columns()));
    rows.extend(meanings(sheet::PLAN, &plan::columns()));
    page.header(0, 0, &["Kind", "Text"])?;
    let styles = page.styles;
    for (line, (kind, text)) in (1..).zip(rows) {
        page.text((line, 0), &kind, &styles.wrapped)?;
        page.text((line, 1), &text, &styles.wrapped)?;
    }
    page.sheet.set_column_width(0, 34)?.set_column_width(1, 110)?.set_freeze_panes(1, 0)?;
    Ok(())
}
