//! The sheet *Sparse ratio setting*: perf ratios to set, one row per weight shape
//! and type, one column per level; behind them, hidden, the [`points`].

use super::columns::{self, SheetColumn};
use super::context::Context;
use super::headline;
use super::inputs::level_choice;
use super::look::Look;
use super::lookup;
use super::points::{self, Ratios, Row};
use crate::document::Cell;
use crate::xlsx::layout::Layout;
use crate::xlsx::page::{Page, Written, cell, on};
use onnxray_analyzer::projection::{Estimate, Origin, Projection, RatioKey, RatioPoint};
use onnxray_analyzer::quantity::percent;
use onnxray_analyzer::schema::workbook::{heading, kind, sheet};
use rust_xlsxwriter::{
    Color, ConditionalFormatFormula, DataValidation, DataValidationRule, Format, Workbook,
};

/// Where the target of all operators and the block shape stand.
const MODEL_TARGET: (u32, u16) = (1, 1);
const BLOCK: (u32, u16) = (2, 1);
const HEADER: u32 = 5;
const SPARE_ROWS: usize = 10;
/// Each no longer than what stands below it on the left.
const HINTS: [&str; 2] = [
    "Yellow cells are yours to set; grey ones in italics are defaults that were not measured.",
    "A level typed into an empty heading adds a column. Perf ratio = dense / sparse latency.",
];
/// Stands where an origin would, in a row without ratios.
const NO_RATIO: &str = "no ratio given";

/// Columns for levels, those to be filled included.
pub(super) fn levels(projection: &Projection) -> u16 {
    (projection.levels.len() as u16 + 3).max(8)
}

pub(super) fn layout(projection: &Projection) -> Layout {
    let rows = projection.rows.len() + SPARE_ROWS;
    columns::layout(sheet::RATIOS, &columns(levels(projection)), HEADER, rows)
}

fn columns<'a>(levels: u16) -> Vec<SheetColumn<Row<'a>>> {
    let word = |key, heading, value| SheetColumn::own(key, heading, Look::Input, value);
    // Headings of levels are numbers, which do not wrap.
    let ratio =
        |key, heading, value| SheetColumn::own(key, heading, Look::InputRatio, value).width(15.0);
    let mut columns = vec![
        word("weight_shape", heading::WEIGHT_SHAPE, |line| {
            part(line, |key| Some(key.shape.to_string()))
        })
        .width(36.0),
        word("type", heading::OPERATOR_TYPE, |line| part(line, |key| key.operator_type.clone()))
            .width(16.0),
        word("data_type", heading::DATA_TYPE, |line| {
            part(line, |key| key.data_type.map(|data_type| data_type.to_string()))
        })
        .width(10.0),
        word("block", heading::BLOCK, |line| part(line, |key| Some(key.block.to_string())))
            .width(8.0),
        SheetColumn::own("operators", heading::OPERATORS, Look::Quantity, |line: &Ratios| {
            line.row.map_or(Cell::None, |row| Cell::Whole(row.operators))
        })
        .width(10.0),
        SheetColumn::own("origin", heading::ORIGIN, Look::Aside, origin)
            .width(22.0)
            .only(|line| line.row.is_some())
            .formula(origin_formula),
        ratio("level", "", |line| ratio_at(line, |ratio| Some(ratio.value))).times(levels),
        ratio("others", heading::OTHERS, |line| {
            line.row.map_or(Cell::None, |row| Cell::Number(row.ratios.others))
        }),
        ratio("low", "", |line| ratio_at(line, |r| (r.low < r.high).then_some(r.low)))
            .times(levels),
        ratio("high", "", |line| ratio_at(line, |r| (r.low < r.high).then_some(r.high)))
            .times(levels),
        SheetColumn::own("origin_at", "", Look::Helper, origin_at)
            .times(levels)
            .formula(origin_at_formula),
    ];
    columns.extend(points::columns(levels));
    columns
}

/// What the ratios of a row are for.
fn part(line: &Ratios, part: fn(&RatioKey) -> Option<String>) -> Cell {
    line.row.and_then(|row| part(&row.ratios.key)).map_or(Cell::None, Cell::Text)
}

/// The point at the level of a column.
fn point_at<'a>(line: &Ratios<'_, 'a>) -> Option<&'a RatioPoint> {
    let level = line.context.projection.levels.get(line.position as usize)?;
    line.row.as_ref()?.ratios.point(*level)
}

/// The ratio at the level of a column, or one of its ends.
fn ratio_at(line: &Ratios, pick: fn(Estimate) -> Option<f64>) -> Cell {
    point_at(line).and_then(|point| pick(point.ratio)).map_or(Cell::None, Cell::Number)
}

/// Where the ratios of a row come from.
fn origin(line: &Ratios) -> Cell {
    let row = line.row.map(|row| &row.ratios).filter(|row| !row.points.is_empty());
    Cell::text(row.map_or(NO_RATIO, |row| row.origins().text()))
}

fn origin_formula(line: &Ratios) -> String {
    let [ratios, origins] = ["level", "origin_at"].map(|key| points::across(line, key));
    format!("=IF(COUNT({ratios})=0,\"{NO_RATIO}\",{})", lookup::origins(&origins))
}

/// Where the ratio at the level of a column comes from.
fn origin_at(line: &Ratios) -> Cell {
    point_at(line).map_or(Cell::None, |point| Cell::text(point.origin.key()))
}

/// A default that is still there as it was written, without a range, is a default.
fn origin_at_formula(line: &Ratios) -> String {
    let [ratio, low, high] = ["level", "low", "high"].map(|key| line.nth(key, line.position));
    let [default, given] = [Origin::Default, Origin::Given].map(Origin::key);
    let origin = match point_at(line).filter(|point| point.origin == Origin::Default) {
        Some(point) => format!(
            "IF({ratio}={},IF({low}=\"\",IF({high}=\"\",\"{default}\",\"{given}\"),\"{given}\"),\"{given}\")",
            point.ratio.value
        ),
        None => format!("\"{given}\""),
    };
    format!("=IF({ratio}=\"\",\"\",{origin})")
}

/// The names that formulas use, and what they stand for.
pub(super) fn define_names(workbook: &mut Workbook, context: &Context) -> Written {
    let whole = |key| context.sheets.ratios.whole(key);
    let one = |(row, column)| on(sheet::RATIOS, row, column);
    for (name, place) in [
        ("model_target", one(MODEL_TARGET)),
        ("ratio_block", one(BLOCK)),
        ("ratio_keys", whole("key")),
        ("ratio_below", whole("below")),
        ("ratio_levels", whole("point_level")),
        ("ratio_values", whole("point_ratio")),
        ("ratio_lows", whole("point_low")),
        ("ratio_highs", whole("point_high")),
        ("ratio_origins", whole("point_origin")),
    ] {
        workbook.define_name(name, &format!("={place}"))?;
    }
    Ok(())
}

pub(super) fn write(page: &mut Page, context: &Context) -> Written {
    let (projection, layout) = (context.projection, &context.sheets.ratios);
    let levels = levels(projection);
    let columns = columns(levels);
    top(page, context)?;
    let spare = std::iter::repeat_n(None, SPARE_ROWS);
    let rows = projection.rows.iter().map(Some).chain(spare);
    columns::write_table(page, context, layout, &columns, rows)?;
    level_headings(page, layout, &columns, &projection.levels)?;
    let at = |key| layout.column(key);
    let above_zero = DataValidation::new()
        .allow_decimal_number(DataValidationRule::GreaterThan(0.0))
        .set_error_title("Perf ratio")?
        .set_error_message("Dense latency by sparse latency: a number above 0")?;
    let (first, last) = (layout.row(0), layout.last_row());
    let behind = at("origin_at");
    placeholders(page, layout)?;
    let sheet = &mut page.sheet;
    sheet.add_data_validation(first, at("level"), last, behind - 1, &above_zero)?;
    let level = DataValidation::new()
        .allow_decimal_number(DataValidationRule::Between(0.0, 1.0))
        .set_error_title("Sparse ratio")?
        .set_error_message("A level from 0% to 100%")?;
    sheet.add_data_validation(HEADER, at("level"), HEADER, at("others") - 1, &level)?;
    sheet.set_freeze_panes(first, at("level"))?;
    sheet.set_column_range_hidden(behind, layout.last_column())?;
    if !projection.spread.ratios {
        // Folded away until somebody wants to give a range.
        sheet.group_columns_collapsed(at("low"), behind - 1)?;
    }
    // As far as there are ratios, and the totals above them.
    let used = (projection.levels.len() as u16).max(5);
    sheet.set_print_area(0, 0, layout.row(projection.rows.len()), at("level") + used)?;
    Ok(())
}

/// Shows which ratios are defaults.
fn placeholders(page: &mut Page, layout: &Layout) -> Written {
    let (first, last) = (layout.row(0), layout.last_row());
    let (from, to) = layout.columns("level");
    let origin = cell(first, layout.column("origin_at"));
    let pale = ConditionalFormatFormula::new()
        .set_rule(format!("={origin}=\"{}\"", Origin::Default.key()).as_str())
        .set_format(&page.styles.placeholder);
    page.sheet.add_conditional_format(first, from, last, to, &pale)?;
    Ok(())
}

fn top(page: &mut Page, context: &Context) -> Written {
    let (styles, numbers, projection) = (page.styles, page.numbers, context.projection);
    let layout = &context.sheets.ratios;
    page.text((0, 0), "Sparse ratio setting", &styles.title)?;
    page.text((MODEL_TARGET.0, 0), heading::MODEL_TARGET, &styles.label)?;
    page.number(MODEL_TARGET, projection.model_target.level, &numbers.input_percent)?;
    let (row, column) = MODEL_TARGET;
    page.sheet.add_data_validation(row, column, row, column, &level_choice(&projection.levels)?)?;
    page.text((BLOCK.0, 0), heading::BLOCK_SHAPE, &styles.label)?;
    page.plain(BLOCK, &projection.block.to_string())?;
    headline::write(page, context, HEADER - 5, layout.column("origin"))?;
    for (row, hint) in (3..).zip(HINTS) {
        page.text((row, 0), hint, &styles.unknown)?;
    }
    Ok(())
}

/// Levels as numbers, and above all columns what they hold.
fn level_headings(
    page: &mut Page,
    layout: &Layout,
    columns: &[SheetColumn<Row>],
    levels: &[f64],
) -> Written {
    let (styles, numbers) = (page.styles, page.numbers);
    let input = styles.number_header.clone().set_font_color(Color::RGB(0xFFF7D6));
    let format = |level: f64, words: &str| -> Format {
        let decimals = if percent(level).fract() == 0.0 { "0%" } else { "0.0##%" };
        input.clone().set_num_format(format!("{decimals}\"{words}\""))
    };
    for column in columns {
        let (kind, words) = match column.key {
            "level" => (kind::VALUE, " perf ratio"),
            "others" => (kind::VALUE, ""),
            "low" => (kind::LOW, " low"),
            "high" => (kind::HIGH, " high"),
            "origin_at" => {
                origin_headings(page, layout, column.count, levels)?;
                continue;
            }
            key if points::KEYS.contains(&key) => (kind::COMPUTED, ""),
            _ => continue,
        };
        for position in 0..column.count {
            let place = (HEADER, layout.column(column.key) + position);
            page.text((HEADER - 1, place.1), kind, &numbers.helper)?;
            match levels.get(position as usize) {
                _ if words.is_empty() => {}
                Some(&level) => page.number(place, level, &format(level, words))?,
                None => page.blank(place, &format(0.0, words))?,
            }
        }
    }
    Ok(())
}

/// The levels of the ratios beside which origins stand.
fn origin_headings(page: &mut Page, layout: &Layout, count: u16, levels: &[f64]) -> Written {
    let helper = &page.numbers.helper;
    for position in 0..count {
        let column = layout.column("origin_at") + position;
        page.text((HEADER - 1, column), kind::ORIGIN, helper)?;
        let level = cell(HEADER, layout.column("level") + position);
        let value = levels.get(position as usize).map_or(Cell::None, |&level| Cell::Number(level));
        let formula = format!("=IF({level}=\"\",\"\",{level})");
        page.formula((HEADER, column), formula, &value, helper)?;
    }
    Ok(())
}
