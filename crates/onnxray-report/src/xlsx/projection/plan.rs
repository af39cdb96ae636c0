//! The sheet *Plan*: levels that a budget of parameters was spread over, and what they would
//! bring.

use super::inputs::choices;
use crate::content::projection::{Model, can_be_set};
use crate::document::CellStyle;
use crate::xlsx::sheet::{SheetWriter, Written};
use crate::xlsx::table::{write_headings, write_rows, write_table};
use onnxray_analyzer::projection::Plan;
use onnxray_analyzer::workbook_words::heading;
use rust_xlsxwriter::{DataValidation, DataValidationRule};

pub(super) fn write(writer: &mut SheetWriter, model: &Model, plan: &Plan) -> Written {
    let (table, layout) = writer.places.get("plan")?;
    writer.text((0, 0), "Plan: a budget of parameters spread over layers", &writer.styles.title)?;
    bounds(writer, plan)?;
    write_table(writer, (table, layout))?;
    let (first, settable) = (layout.row(0), plan.layers.iter().map(can_be_set));
    let levels = &model.projection.levels;
    choices(writer, first, layout.place_of("override")?, settable, levels)?;
    let figures = writer.places.get("plan_model")?;
    write_headings(writer, figures)?;
    write_rows(writer, figures)?;
    writer.sheet.set_freeze_panes(first, 1)?;
    Ok(())
}

fn bounds(writer: &mut SheetWriter, plan: &Plan) -> Written {
    let styles = writer.styles;
    let settings = &plan.settings;
    let shares = [
        (heading::BUDGET, settings.budget),
        (heading::MINIMUM, settings.minimum),
        (heading::MAXIMUM, settings.maximum),
        (heading::BALANCE, settings.balance),
    ];
    for (line, (label, value)) in (1..).zip(shares) {
        writer.text((line, 0), label, &styles.label)?;
        writer.number((line, 1), value, &CellStyle::InputPercent.format(styles))?;
    }
    // Counted from 0, rows 1 to 4 have the shares, 5 and 6 the switches, 7 the loss.
    let share = DataValidation::new().allow_decimal_number(DataValidationRule::Between(0.0, 1.0));
    writer.sheet.add_data_validation(1, 1, 4, 1, &share)?;
    let switches =
        [(heading::PRUNE_FIRST, settings.first), (heading::PRUNE_GROUPED, settings.grouped)];
    for (line, (label, value)) in (5..).zip(switches) {
        writer.text((line, 0), label, &styles.label)?;
        writer.sheet.write_boolean_with_format(line, 1, value, &styles.input)?;
    }
    writer.text((7, 0), heading::MAX_LOSS, &styles.label)?;
    match settings.max_loss {
        Some(most) => writer.number((7, 1), most, &styles.input)?,
        None => _ = writer.sheet.write_blank(7, 1, &styles.input)?,
    }
    writer.text((8, 0), "loss estimated by", &styles.label)?;
    writer.plain((8, 1), plan.basis.text())?;
    writer.text(
        (9, 0),
        "The planned sparsities are found by onnxray: read the edited workbook with --ratios to have them \
         found anew. What is typed under `override` counts at once.",
        &styles.unknown,
    )
}
