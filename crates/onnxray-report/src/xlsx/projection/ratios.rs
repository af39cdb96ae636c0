//! The sheet *Sparse ratio setting*: perf ratios to set, and above them what all operators
//! aim at.

use super::headline;
use super::inputs::level_choice;
use super::profiling::{by_type, height_by_type};
use crate::content::projection::{Model, POINTS, typed_level};
use crate::document::{Cell, CellStyle};
use crate::xlsx::places::Layout;
use crate::xlsx::places::address::cell;
use crate::xlsx::sheet::{SheetWriter, Written};
use crate::xlsx::table::write_table;
use onnxray_analyzer::projection::{Origin, Plan, Projection};
use onnxray_analyzer::quantity::percent;
use onnxray_analyzer::workbook_words::{heading, kind};
use rust_xlsxwriter::{
    Color, ConditionalFormatFormula, DataValidation, DataValidationRule, Format,
};

/// Cells of the target of all operators and of the block shape.
pub(super) const MODEL_TARGET: (u32, u16) = (1, 1);
pub(super) const BLOCK: (u32, u16) = (2, 1);
/// Types in the chart, those that take most time.
const MOST_TYPES: usize = 10;
/// Each fits the frozen columns below it: beyond, scrolling would cut it.
const HINTS: [&str; 2] = [
    "Yellow cells are yours to set. Others are locked: Unprotect Sheet asks for no password.",
    "Grey italics: defaults, not measured. A sparsity typed into an empty heading adds a column.",
];

pub(super) fn write(writer: &mut SheetWriter, model: &Model, _: &Plan) -> Written {
    let (projection, (table, layout)) = (model.projection, writer.places.get("ratios")?);
    top(writer, layout, projection)?;
    write_table(writer, (table, layout))?;
    level_headings(writer, layout, &projection.levels)?;
    let above_zero = DataValidation::new()
        .allow_decimal_number(DataValidationRule::GreaterThan(0.0))
        .set_error_title("Perf ratio")?
        .set_error_message("Dense latency / sparse latency: a number above 0")?;
    let (header, first, last) = (layout.header(), layout.row(0), layout.last_row());
    let (levels, others) = (layout.place_of("level")?, layout.place_of("others")?);
    placeholders(writer, layout)?;
    let sheet = &mut writer.sheet;
    let behind = layout.place_of("origin_at")?;
    sheet.add_data_validation(first, levels, last, behind - 1, &above_zero)?;
    let level = DataValidation::new()
        .allow_decimal_number(DataValidationRule::Between(0.0, 1.0))
        .set_error_title("Sparsity")?
        .set_error_message("A sparsity from 0% to 100%")?;
    sheet.add_data_validation(header, levels, header, others - 1, &level)?;
    sheet.set_freeze_panes(first, levels)?;
    // As far as there are ratios, and the totals above them.
    let used = levels + (projection.levels.len() as u16).max(5);
    // The chart comes below the rows that are left for more.
    let (types, at) = writer.places.get("types")?;
    let (shown, top) = (types.len().min(MOST_TYPES), last + 2);
    // Without types, there is nothing to draw.
    if shown == 0 {
        writer.sheet.set_print_area(0, 0, layout.row(projection.rows.len()), used)?;
        return Ok(());
    }
    let bottom = top + 1 + height_by_type(shown) / 20;
    writer.sheet.insert_chart(top, 0, &by_type(at, shown)?)?.set_print_area(0, 0, bottom, used)?;
    Ok(())
}

/// Shows which ratios are defaults.
fn placeholders(writer: &mut SheetWriter, layout: &Layout) -> Written {
    let (first, last) = (layout.row(0), layout.last_row());
    let (from, to) = layout.columns("level")?;
    let origin = writer.places.formula("=[origin_at]", Some((layout, 0)))?;
    let pale = ConditionalFormatFormula::new()
        .set_rule(format!("{origin}=\"{}\"", Origin::Default.key()).as_str())
        .set_format(&writer.styles.placeholder);
    writer.sheet.add_conditional_format(first, from, last, to, &pale)?;
    Ok(())
}

fn top(writer: &mut SheetWriter, layout: &Layout, projection: &Projection) -> Written {
    let styles = writer.styles;
    writer.text((0, 0), "Sparse ratio setting", &styles.title)?;
    writer.text((MODEL_TARGET.0, 0), heading::MODEL_TARGET, &styles.label)?;
    writer.number(
        MODEL_TARGET,
        projection.model_target.level,
        &CellStyle::InputPercent.format(styles),
    )?;
    let (row, column) = MODEL_TARGET;
    writer.sheet.add_data_validation(
        row,
        column,
        row,
        column,
        &level_choice(&projection.levels)?,
    )?;
    writer.text((BLOCK.0, 0), heading::BLOCK_SHAPE, &styles.label)?;
    writer.plain(BLOCK, &projection.block.to_string())?;
    headline::write(writer, 0, layout.place_of("origin")?)?;
    for (row, hint) in (3..).zip(HINTS) {
        writer.text((row, 0), hint, &styles.unknown)?;
    }
    Ok(())
}

/// Levels as numbers, and above all columns what they hold.
fn level_headings(writer: &mut SheetWriter, layout: &Layout, levels: &[f64]) -> Written {
    let (styles, header) = (writer.styles, layout.header());
    let helper = &CellStyle::Helper.format(styles);
    let input = styles.number_header.clone().set_unlocked().set_font_color(Color::RGB(0xFFF7D6));
    let format = |level: f64, words: &str| -> Format {
        let decimals = if percent(level).fract() == 0.0 { "0%" } else { "0.0##%" };
        input.clone().set_num_format(format!("{decimals}\"{words}\""))
    };
    let kinds = [("others", kind::VALUE), ("level", kind::VALUE), ("low", kind::LOW)];
    let kinds = kinds.into_iter().chain([("high", kind::HIGH), ("origin_at", kind::ORIGIN)]);
    for (key, kind) in kinds.chain(POINTS.map(|key| (key, kind::COMPUTED))) {
        let (first, last) = layout.columns(key)?;
        for column in first..=last {
            // By these words an edited workbook is read again.
            writer.text((header - 1, column), kind, helper)?;
        }
    }
    for (key, words) in [("level", " perf ratio"), ("low", " low"), ("high", " high")] {
        let (first, last) = layout.columns(key)?;
        for (position, column) in (first..=last).enumerate() {
            match levels.get(position) {
                Some(&level) => writer.number((header, column), level, &format(level, words))?,
                // A sparsity typed into an empty heading adds a column.
                None => writer.blank((header, column), &format(0.0, words))?,
            }
        }
    }
    // Origins have the levels of their ratios.
    let (first, last) = layout.columns("origin_at")?;
    for (position, column) in (first..=last).enumerate() {
        let level = cell(header, layout.place_of("level")? + position as u16);
        let value = levels.get(position).map_or(Cell::None, |&level| Cell::Number(level));
        let formula = format!("={}", typed_level(&level));
        writer.formula((header, column), formula, &value, helper)?;
    }
    Ok(())
}
