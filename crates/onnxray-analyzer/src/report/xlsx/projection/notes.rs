//! The sheet *Notes*: what the projection rests on, what was passed over, and
//! what every figure means.

use super::Context;
use super::page::{NOTES, Numbers, Page, Written};
use crate::projection::Outcome;
use crate::report::content::projection::projection_notes;
use crate::report::xlsx::sheet::Styles;
use crate::schema;
use rust_xlsxwriter::Workbook;

pub fn write(
    workbook: &mut Workbook,
    styles: &Styles,
    numbers: &Numbers,
    context: &Context,
) -> Written {
    let mut page = Page::new(workbook, NOTES, styles, numbers)?;
    page.header(0, 0, &["Kind", "Text"])?;
    let mut line = 1;
    let mut row = |page: &mut Page, kind: &str, text: &str| {
        page.text((line, 0), kind, &styles.wrapped)?;
        page.text((line, 1), text, &styles.wrapped)?;
        line += 1;
        Written::Ok(())
    };
    for (kind, text) in projection_notes(context.summary, context.projection, context.plan) {
        row(&mut page, &kind, &text)?;
    }
    for outcome in Outcome::ALL {
        row(&mut page, &format!("projection: {outcome}"), outcome.meaning())?;
    }
    for table in [&schema::PROJECTION, &schema::PROJECTED_OPERATORS, &schema::PLAN] {
        for column in table.columns {
            row(&mut page, &format!("{}: {}", table.title, column.heading), column.meaning)?;
        }
    }
    page.sheet.set_column_width(0, 34)?.set_column_width(1, 110)?.set_freeze_panes(1, 0)?;
    Ok(())
}
