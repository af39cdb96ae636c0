//! The sheet *Summary type*: the whole model and its operator types dense, and
//! with every weight at each level.
//!
//! Operators that look up the same ratios are summed as a group, so that the
//! sheet grows with the distinct weight shapes and not with the operators.

use super::Context;
use super::operators::{all, at};
use super::page::{
    End, LEVELS, Numbers, Page, Value, Written, cell, cell_in_column, cell_in_row, column, quotient,
};
use super::ratios::{RatioLayout, level_heading};
use super::totals::{self, items_per_second, reference};
use super::{groups, types};
use crate::projection::Level;
use crate::report::xlsx::sheet::Styles;
use crate::schema::workbook::heading;
use rust_xlsxwriter::{Chart, ChartType, Workbook};

pub const HEADER: u32 = 2;
const TOTAL: u32 = 3;
const TOTAL_LOW: u32 = 4;
const TOTAL_HIGH: u32 = 5;
const IMPROVEMENT: u32 = 6;
const ITEMS: u32 = 7;
const OPERATORS: u32 = 8;
const TYPES: u32 = 11;
pub const LABEL: u16 = 0;
const BASELINE: u16 = 1;

/// Columns behind those of the levels, of which there are so many.
pub struct Columns {
    pub levels: u16,
}

impl Columns {
    pub fn level(&self, number: u16) -> u16 {
        2 + number
    }

    pub fn helper(&self, number: u16) -> u16 {
        self.level(self.levels) + number
    }

    pub fn type_number(&self) -> u16 {
        self.helper(0)
    }

    pub fn group(&self) -> u16 {
        self.helper(1)
    }

    pub fn setting(&self) -> u16 {
        self.helper(2)
    }

    /// Baseline at an end.
    pub fn dense(&self, end: End) -> u16 {
        match end {
            End::Value => BASELINE,
            End::Low => self.helper(3),
            End::High => self.helper(4),
        }
    }

    /// Latency of a group at a level.
    pub fn at(&self, end: End, number: u16) -> u16 {
        match end {
            End::Value => self.level(number),
            End::Low => self.helper(5 + number),
            End::High => self.helper(5 + self.levels + number),
        }
    }

    pub fn point(&self, number: u16) -> u16 {
        self.helper(5 + 2 * self.levels + number)
    }

    pub fn way(&self, number: u16) -> u16 {
        self.helper(5 + 3 * self.levels + number)
    }

    /// Latency of those that are as sparse as the level already.
    pub fn done(&self, end: End, number: u16) -> u16 {
        let block = match end {
            End::Value => 4,
            End::Low => 5,
            End::High => 6,
        };
        self.helper(5 + block * self.levels + number)
    }

    pub fn last(&self) -> u16 {
        self.done(End::High, self.levels) - 1
    }
}

/// Rows and columns of the sheet.
pub struct Layout {
    pub columns: Columns,
    ratios: RatioLayout,
    pub groups: u32,
    last_group: u32,
}

pub fn write(
    workbook: &mut Workbook,
    styles: &Styles,
    numbers: &Numbers,
    context: &Context,
) -> Written {
    let ratios = RatioLayout::of(context.projection);
    let groups = TYPES + context.projection.types.len() as u32 + 2;
    let layout = Layout {
        columns: Columns { levels: ratios.levels },
        ratios,
        groups,
        last_group: groups + context.groups.first.len().max(1) as u32 - 1,
    };
    let mut page = Page::new(workbook, LEVELS, styles, numbers)?;
    page.text((0, 0), "The whole model at each sparse ratio, whatever the targets", &styles.title)?;
    for (row, name) in [
        (HEADER, "whole model"),
        (TYPES - 1, heading::OPERATOR_TYPE),
        (layout.groups - 1, heading::WEIGHT_SHAPE),
    ] {
        header(&mut page, &layout, context, row, name)?;
    }
    model(&mut page, &layout, context)?;
    for position in 0..context.projection.types.len() {
        operator_type(&mut page, &layout, context, position)?;
    }
    for group in 0..context.groups.first.len() {
        groups::write(&mut page, &layout, context, group)?;
    }
    charts(&mut page, &layout, context)?;
    let columns = &layout.columns;
    let sheet = &mut page.sheet;
    sheet.set_column_width(LABEL, 36)?;
    sheet.set_column_range_width(BASELINE, columns.level(columns.levels), 16)?;
    sheet.set_column_range_hidden(columns.helper(0), columns.last())?;
    sheet.set_freeze_panes(HEADER + 1, 1)?;
    Ok(())
}

pub fn level<'a>(context: &Context<'a>, number: u16) -> Option<&'a Level> {
    context.projection.sweep.get(number as usize)
}

/// What stands under a level that is not there.
pub fn blank_or(value: Option<f64>) -> Value<'static> {
    value.map_or(Value::Text(""), Value::Number)
}

fn header(page: &mut Page, layout: &Layout, context: &Context, row: u32, name: &str) -> Written {
    let styles = page.styles;
    page.header(row, LABEL, &[name, "Baseline ms"])?;
    let pruned = styles.header.clone().set_num_format("\"Pruned \"0.0##%\" ms\"");
    let even = styles.header.clone().set_num_format("\"Pruned \"0%\" ms\"");
    for number in 0..layout.columns.levels {
        let heading = level_heading(&layout.ratios, number);
        let value = level(context, number).map(|level| level.level);
        let whole = value.is_none_or(|level| super::ratios::percent(level).fract() == 0.0);
        let formula = format!("=IF(ISNUMBER({heading}),{heading},\"\")");
        let format = if whole { &even } else { &pruned };
        page.formula((row, layout.columns.level(number)), formula, blank_or(value), format)?;
    }
    Ok(())
}

/// A formula for the level in a column, or nothing if the column has none.
pub fn at_level(column: u16, formula: &str) -> String {
    format!("=IF({}=\"\",\"\",{formula})", cell_in_row(HEADER, column))
}

fn model(page: &mut Page, layout: &Layout, context: &Context) -> Written {
    let (styles, numbers) = (page.styles, page.numbers);
    let rows = [
        (TOTAL, "total latency (ms)"),
        (TOTAL_LOW, "low"),
        (TOTAL_HIGH, "high"),
        (IMPROVEMENT, "sparse improve"),
        (ITEMS, "items per second"),
        (OPERATORS, "operators (ms)"),
    ];
    for (row, label) in rows {
        page.text((row, LABEL), label, &styles.label)?;
    }
    let before = &context.projection.totals;
    use totals::row;
    let ends = [(TOTAL, End::Value), (TOTAL_LOW, End::Low), (TOTAL_HIGH, End::High)];
    for (row, end) in ends {
        let formula = format!("={}", reference(row::TOTAL, end));
        page.formula((row, BASELINE), formula, end.of(before.total), &numbers.milliseconds)?;
    }
    page.formula((IMPROVEMENT, BASELINE), "=1".to_string(), 1.0, &numbers.ratio)?;
    let formula = format!("={}", reference(row::ITEMS, End::Value));
    let items = before.items_per_second.map(|items| items.value);
    page.formula((ITEMS, BASELINE), formula, items, &numbers.ratio)?;
    let formula = format!("={}", reference(row::OPERATORS, End::Value));
    page.formula((OPERATORS, BASELINE), formula, before.operators.value, &numbers.milliseconds)?;
    for number in 0..layout.columns.levels {
        model_at_level(page, layout, context, number)?;
    }
    Ok(())
}

fn model_at_level(page: &mut Page, layout: &Layout, context: &Context, number: u16) -> Written {
    use totals::row;
    let numbers = page.numbers;
    let place = layout.columns.level(number);
    let here = |row: u32| cell(row, place);
    let found = level(context, number).map(|level| &level.totals);
    let types = TYPES + context.projection.types.len().max(1) as u32 - 1;
    let sum = format!("SUM({}:{})", cell(TYPES, place), cell(types, place));
    let value = found.map(|totals| totals.projected_operators.value);
    page.formula(
        (OPERATORS, place),
        at_level(place, &sum),
        blank_or(value),
        &numbers.milliseconds,
    )?;
    let covered = reference(row::COVERED, End::Value);
    for (line, end) in [(TOTAL, End::Value), (TOTAL_LOW, End::Low), (TOTAL_HIGH, End::High)] {
        let operators = match end {
            End::Value => here(OPERATORS),
            _ => {
                let group = |column: u16| {
                    format!(
                        "SUM({}:{})",
                        cell(layout.groups, column),
                        cell(layout.last_group, column)
                    )
                };
                let (own, dense) = (layout.columns.at(end, number), layout.columns.dense(end));
                format!("({}+{}-{})", reference(row::OPERATORS, end), group(own), group(dense))
            }
        };
        let formula = format!("{operators}*{covered}+N({})", reference(row::OVERHEAD, end));
        let value = found.map(|totals| end.of(totals.projected_total));
        page.formula(
            (line, place),
            at_level(place, &formula),
            blank_or(value),
            &numbers.milliseconds,
        )?;
    }
    let gain = quotient(&cell_in_column(TOTAL, BASELINE), &here(TOTAL));
    let value = found.map_or(Value::Text(""), |totals| {
        Value::from(totals.improvement.map(|improvement| improvement.value))
    });
    page.formula((IMPROVEMENT, place), at_level(place, &gain), value, &numbers.ratio)?;
    let items = items_per_second(&reference(row::BATCH, End::Value), &here(TOTAL));
    let value = found.map_or(Value::Text(""), |totals| {
        Value::from(totals.projected_items_per_second.map(|items| items.value))
    });
    page.formula((ITEMS, place), at_level(place, &items), value, &numbers.ratio)
}

fn operator_type(page: &mut Page, layout: &Layout, context: &Context, position: usize) -> Written {
    let numbers = page.numbers;
    let columns = &layout.columns;
    let known = &context.projection.types[position];
    let line = TYPES + position as u32;
    page.plain((line, LABEL), &known.operator_type)?;
    page.number((line, columns.type_number()), types::number(position), &numbers.helper)?;
    let number = cell_in_column(line, columns.type_number());
    let formula =
        format!("=SUMIF({},{number},{})", all(context, at::TYPE_NUMBER), all(context, at::LATENCY));
    page.formula((line, BASELINE), formula, known.dense.value, &numbers.milliseconds)?;
    let of_groups = |place: u16| {
        let down = |place: u16| {
            let letters = column(place);
            format!("${letters}${}:${letters}${}", layout.groups + 1, layout.last_group + 1)
        };
        format!("SUMIF({},{number},{})", down(columns.type_number()), down(place))
    };
    for level_number in 0..columns.levels {
        let place = columns.level(level_number);
        let baseline = cell_in_column(line, BASELINE);
        let formula = format!("{baseline}+{}-{}", of_groups(place), of_groups(BASELINE));
        let value = level(context, level_number)
            .and_then(|level| level.types.get(position))
            .map(|estimate| estimate.value);
        page.formula(
            (line, place),
            at_level(place, &formula),
            blank_or(value),
            &numbers.milliseconds,
        )?;
    }
    Ok(())
}

fn charts(page: &mut Page, layout: &Layout, context: &Context) -> Written {
    let levels = context.projection.levels.len() as u16;
    let last = layout.columns.level(levels) - 1;
    let mut model = Chart::new(ChartType::Column);
    model
        .add_series()
        .set_name("total latency (ms)")
        .set_categories((LEVELS, HEADER, BASELINE, HEADER, last))
        .set_values((LEVELS, TOTAL, BASELINE, TOTAL, last))
        .set_gap(60);
    model.title().set_name("Latency of the whole model (ms)");
    model.legend().set_hidden();
    model.y_axis().set_min(0.0);
    model.set_width(560).set_height(340);
    let mut types = Chart::new(ChartType::ColumnStacked);
    let shown = context.projection.types.len().min(12) as u32;
    for line in TYPES..TYPES + shown {
        types
            .add_series()
            .set_name((LEVELS, line, LABEL))
            .set_categories((LEVELS, HEADER, BASELINE, HEADER, last))
            .set_values((LEVELS, line, BASELINE, line, last))
            .set_gap(60);
    }
    types.title().set_name("Latency by operator type (ms)");
    types.set_width(640).set_height(340);
    let below = layout.last_group + 2;
    page.sheet.insert_chart(below, 0, &model)?;
    if shown > 0 {
        page.sheet.insert_chart(below, 5, &types)?;
    }
    Ok(())
}
