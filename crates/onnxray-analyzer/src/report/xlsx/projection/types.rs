//! The sheet *Layer types*: operator types before and after, and their targets
//! to set.

use super::Context;
use super::operators::{all, at};
use super::page::{End, Numbers, Page, TYPES, Written, cell, quotient, range};
use super::ratios::level_choice;
use super::totals;
use crate::projection::{ProjectedType, TargetOrigin};
use crate::report::xlsx::sheet::Styles;
use crate::schema::workbook::heading;
use rust_xlsxwriter::{Chart, ChartType, Workbook};

const HEADER: u32 = 2;
pub const FIRST: u32 = 3;
pub const NAME: u16 = 0;
const OPERATORS: u16 = 1;
const SETTABLE: u16 = 2;
pub const DENSE: u16 = 3;
const SHARE: u16 = 4;
const TARGET: u16 = 5;
const SPARSE: u16 = 6;
const LOW: u16 = 7;
const HIGH: u16 = 8;
const SAVED: u16 = 9;
const GAIN: u16 = 10;
/// Hidden: what the operators refer to their type by, wherever its row is
/// sorted to.
const NUMBER: u16 = 11;

const HEADINGS: [&str; 12] = [
    heading::OPERATOR_TYPE,
    heading::OPERATORS,
    "of them settable",
    "latency (ms)",
    "share",
    heading::TARGET,
    "aim to sparse latency(ms)",
    "low (ms)",
    "high (ms)",
    "saved (ms)",
    "sparse improve",
    "type number",
];

fn last(context: &Context) -> u32 {
    FIRST + context.projection.types.len().max(1) as u32 - 1
}

pub fn define_names(workbook: &mut Workbook, context: &Context) -> Written {
    for (name, column) in [("type_numbers", NUMBER), ("type_targets", TARGET)] {
        let place = range(TYPES, (HEADER, column), (last(context), column));
        workbook.define_name(name, &format!("={place}"))?;
    }
    Ok(())
}

/// The target of the type whose number stands in a cell, or else the model's.
pub fn inherited_target(number: &str) -> String {
    let target = format!("INDEX(type_targets,MATCH({number},type_numbers,0))");
    format!("=IFERROR(IF(ISNUMBER({target}),{target},N(model_target)),N(model_target))")
}

/// The number of a type, for formulas of other sheets.
pub fn number(position: usize) -> f64 {
    position as f64 + 1.0
}

pub fn write(
    workbook: &mut Workbook,
    styles: &Styles,
    numbers: &Numbers,
    context: &Context,
) -> Written {
    let mut page = Page::new(workbook, TYPES, styles, numbers)?;
    page.text((0, 0), "Layer types, before and after", &styles.title)?;
    page.header(HEADER, 0, &HEADINGS)?;
    let choice = level_choice(&context.projection.levels)?;
    for (position, known) in context.projection.types.iter().enumerate() {
        row(&mut page, context, position, known)?;
    }
    let end = last(context);
    if !context.projection.types.is_empty() {
        page.sheet.add_data_validation(FIRST, TARGET, end, TARGET, &choice)?;
    }
    remainder(&mut page, context, end + 1)?;
    chart(&mut page, context, end)?;
    let sheet = &mut page.sheet;
    sheet.set_column_width(NAME, 28)?.set_column_range_width(OPERATORS, GAIN, 12)?;
    sheet.set_column_hidden(NUMBER)?.set_freeze_panes(FIRST, 1)?;
    Ok(())
}

fn row(page: &mut Page, context: &Context, position: usize, known: &ProjectedType) -> Written {
    let (styles, numbers) = (page.styles, page.numbers);
    let line = FIRST + position as u32;
    let here = |column: u16| cell(line, column);
    page.plain((line, NAME), &known.operator_type)?;
    page.number((line, OPERATORS), known.operators as f64, &numbers.quantity)?;
    page.number((line, SETTABLE), known.settable as f64, &numbers.quantity)?;
    page.number((line, NUMBER), number(position), &numbers.helper)?;
    match known.target {
        target if target.from == TargetOrigin::Type => {
            page.number((line, TARGET), target.level, &numbers.input_percent)?;
        }
        _ if known.settable > 0 => page.blank((line, TARGET), &numbers.input_percent)?,
        _ => page.blank((line, TARGET), &styles.wrapped)?,
    }
    // By number: a name may hold what a condition takes for a pattern.
    let sum = |column: u16| {
        format!(
            "=SUMIF({},{},{})",
            all(context, at::TYPE_NUMBER),
            here(NUMBER),
            all(context, column)
        )
    };
    let (dense, sparse) = (known.dense, known.projected);
    for (place, from, value) in [
        (DENSE, at::LATENCY, dense.value),
        (SPARSE, at::PROJECTED, sparse.value),
        (LOW, at::PROJECTED_LOW, sparse.low),
        (HIGH, at::PROJECTED_HIGH, sparse.high),
    ] {
        page.formula((line, place), sum(from), value, &numbers.milliseconds)?;
    }
    shares(
        page,
        line,
        &totals::reference(totals::row::TOTAL, End::Value),
        context,
        dense.value,
        sparse.value,
    )
}

/// Share of the total, what is saved, and how many times faster.
fn shares(
    page: &mut Page,
    line: u32,
    total: &str,
    context: &Context,
    dense: f64,
    sparse: f64,
) -> Written {
    let numbers = page.numbers;
    let here = |column: u16| cell(line, column);
    let whole = context.projection.totals.total.value;
    let share = (whole > 0.0).then(|| dense / whole);
    let formula = format!("={}", quotient(&here(DENSE), total));
    page.formula((line, SHARE), formula, share, &numbers.share)?;
    let formula = format!("={}-{}", here(DENSE), here(SPARSE));
    page.formula((line, SAVED), formula, dense - sparse, &numbers.milliseconds)?;
    let gain = (sparse > 0.0).then(|| dense / sparse);
    let formula = format!("={}", quotient(&here(DENSE), &here(SPARSE)));
    page.formula((line, GAIN), formula, gain, &numbers.ratio)
}

/// What makes the types add up to the total.
fn remainder(page: &mut Page, context: &Context, first: u32) -> Written {
    let (styles, numbers) = (page.styles, page.numbers);
    let totals = &context.projection.totals;
    use totals::row;
    let mut rows = Vec::new();
    if totals.concurrent.value > 0.0 {
        let (before, after) = (totals.concurrent, totals.projected_concurrent);
        rows.push((
            "concurrent",
            "-",
            row::CONCURRENT,
            row::PROJECTED_CONCURRENT,
            before.times(-1.0),
            after.times(-1.0),
        ));
    }
    if let Some(overhead) = totals.overhead {
        rows.push(("overhead", "", row::OVERHEAD, row::OVERHEAD, overhead, overhead));
    }
    rows.push(("total", "", row::TOTAL, row::PROJECTED, totals.total, totals.projected_total));
    let total = totals::reference(row::TOTAL, End::Value);
    for (line, (name, sign, before, after, dense, sparse)) in (first..).zip(rows) {
        page.text((line, NAME), name, &styles.total)?;
        let formula = format!("={sign}{}", totals::reference(before, End::Value));
        page.formula((line, DENSE), formula, dense.value, &numbers.milliseconds)?;
        for (place, end) in [(SPARSE, End::Value), (LOW, End::Low), (HIGH, End::High)] {
            let formula = format!("={sign}{}", totals::reference(after, end));
            page.formula((line, place), formula, end.of(sparse), &numbers.milliseconds)?;
        }
        shares(page, line, &total, context, dense.value, sparse.value)?;
    }
    Ok(())
}

fn chart(page: &mut Page, context: &Context, last: u32) -> Written {
    let mut chart = Chart::new(ChartType::Bar);
    // Types beyond these are too small to see.
    let last = last.min(FIRST + 24);
    for (name, place) in [("before", DENSE), ("aim to sparse", SPARSE)] {
        chart
            .add_series()
            .set_name(name)
            .set_categories((TYPES, FIRST, NAME, last, NAME))
            .set_values((TYPES, FIRST, place, last, place))
            .set_gap(40);
    }
    chart.title().set_name("Latency by operator type (ms)");
    chart.y_axis().set_reverse();
    let types = context.projection.types.len().min(25) as u32;
    chart.set_width(860).set_height(160 + 34 * types);
    page.sheet.insert_chart(FIRST + context.projection.types.len() as u32 + 5, 0, &chart)?;
    Ok(())
}
