//! The sheet *Operator profiling*: the sixteen columns that users of the Neural
//! Engine's profile know, then the ends of their intervals, then, hidden, the
//! steps of the lookup.

use super::lookup::Lookup;
use super::page::{Numbers, OPERATORS, Page, UNKNOWN, Value, Written, cell, cell_in_column, fixed};
use super::ratios::{NO_LEVEL, choices, row_number};
use super::{Context, types};
use crate::projection::{Estimate, Outcome, ProjectedOperator, TargetOrigin};
use crate::report::xlsx::sheet::Styles;
use crate::schema::workbook::heading;
use onnxray_format::Tensor;
use onnxray_format::profile_csv::OPERATOR_HEADER;
use rust_xlsxwriter::Workbook;

/// Columns, from A on.
pub mod at {
    pub const TYPE: u16 = 0;
    pub const POST_OP: u16 = 1;
    pub const NAME: u16 = 2;
    pub const WEIGHT_SHAPE: u16 = 9;
    pub const SPARSE_RATIO: u16 = 10;
    pub const SUPPORT: u16 = 11;
    pub const LATENCY: u16 = 12;
    pub const TARGET: u16 = 13;
    pub const RATIO: u16 = 14;
    pub const PROJECTED: u16 = 15;
    pub const OUTCOME: u16 = 16;
    pub const LOW: u16 = 17;
    pub const HIGH: u16 = 18;
    pub const PROJECTED_LOW: u16 = 19;
    pub const PROJECTED_HIGH: u16 = 20;
    /// Helpers from here on.
    pub const DATA_TYPE: u16 = 21;
    pub const INHERITED: u16 = 22;
    pub const TYPE_NUMBER: u16 = 23;
    pub const GROUP: u16 = 24;
    pub const SETTING: u16 = 25;
    pub const POINT: u16 = 26;
    pub const WAY: u16 = 27;
    pub const RATIO_LOW: u16 = 28;
    pub const RATIO_HIGH: u16 = 29;
    /// Low latency at the low ratio, high latency at the high ratio.
    pub const LOW_AT_LOW: u16 = 30;
    pub const HIGH_AT_HIGH: u16 = 31;
}

/// Headings behind the sixteen.
const MORE: [&str; 16] = [
    "projection",
    "latency, low (ms)",
    "latency, high (ms)",
    "aim to sparse latency, low (ms)",
    "aim to sparse latency, high (ms)",
    "weight data type",
    heading::INHERITED_TARGET,
    "type number",
    "group",
    "setting row",
    "point",
    "way to next point",
    "perf ratio, low",
    "perf ratio, high",
    "low at low ratio (ms)",
    "high at high ratio (ms)",
];

const FIRST: u32 = 1;

/// `'Operator profiling'!$M$1:$M$100`, of all operators.
///
/// They begin with the heading, which is no figure: a row that is moved to the
/// top would be outside of them otherwise.
pub fn all(context: &Context, number: u16) -> String {
    rows_from(FIRST - 1, context, number)
}

fn rows_from(first: u32, context: &Context, number: u16) -> String {
    let last = context.summary.operators.len().max(1) as u32 + FIRST - 1;
    format!("'{OPERATORS}'!{}:{}", fixed(first, number), fixed(last, number))
}

/// The columns with the low and high ends of latencies; those of the latency
/// itself where nothing is known of them.
pub fn end_columns(context: &Context) -> (u16, u16) {
    match context.projection.spread.parts {
        Some(_) => (at::LOW, at::HIGH),
        None => (at::LATENCY, at::LATENCY),
    }
}

pub fn write(
    workbook: &mut Workbook,
    styles: &Styles,
    numbers: &Numbers,
    context: &Context,
) -> Written {
    let mut page = Page::new(workbook, OPERATORS, styles, numbers)?;
    page.header(0, 0, &OPERATOR_HEADER)?;
    page.header(0, at::OUTCOME, &MORE)?;
    for number in 0..context.summary.operators.len() {
        let line = FIRST + number as u32;
        facts(&mut page, line, context, number)?;
        figures(&mut page, line, context, number)?;
    }
    let settable = context.projection.operators.iter().map(|o| o.outcome.is_settable());
    choices(&mut page, FIRST, at::TARGET, settable, &context.projection.levels)?;
    let sheet = &mut page.sheet;
    let last = context.summary.operators.len() as u32;
    sheet.set_freeze_panes(1, 3)?.autofilter(0, 0, last.max(1), at::PROJECTED_HIGH)?;
    for (at, width) in [
        (at::TYPE, 16.0),
        (at::POST_OP, 12.0),
        (at::NAME, 40.0),
        (at::OUTCOME, 20.0),
        (at::TARGET, 12.0),
    ] {
        sheet.set_column_width(at, width)?;
    }
    for number in at::WEIGHT_SHAPE..=at::PROJECTED {
        sheet.set_column_width(number, 12.0)?;
    }
    sheet.set_column_range_hidden(at::DATA_TYPE, at::HIGH_AT_HIGH)?;
    if context.projection.spread.parts.is_none() {
        sheet.set_column_range_hidden(at::LOW, at::HIGH)?;
        if !context.projection.spread.ratios {
            sheet.set_column_range_hidden(at::PROJECTED_LOW, at::PROJECTED_HIGH)?;
        }
    }
    sheet.set_repeat_rows(0, 0)?.set_print_fit_to_pages(1, 0);
    Ok(())
}

/// What is known without a run.
fn facts(page: &mut Page, line: u32, context: &Context, number: usize) -> Written {
    let operator = &context.summary.operators[number].operator;
    let join = |tensors: &[Tensor], part: &dyn Fn(&Tensor) -> String| {
        tensors.iter().map(part).collect::<Vec<_>>().join(";")
    };
    let name = |tensor: &Tensor| tensor.name.clone();
    let shape = |tensor: &Tensor| tensor.shape_text("x");
    let data_type = |tensor: &Tensor| tensor.type_text().to_string();
    let texts = [
        operator.operator_type.clone(),
        operator.post_ops.join(","),
        operator.name.clone(),
        join(&operator.inputs, &name),
        join(&operator.inputs, &shape),
        join(&operator.inputs, &data_type),
        join(&operator.outputs, &name),
        join(&operator.outputs, &shape),
        join(&operator.outputs, &data_type),
        operator.weight.as_ref().map_or(String::new(), |weight| weight.matrix_shape()),
    ];
    for (column, text) in (0..).zip(&texts) {
        if !text.is_empty() {
            page.plain((line, column), text)?;
        }
    }
    if let Some(weight) = &operator.weight {
        let ratio = weight.sparse_ratio(context.projection.block);
        page.known((line, at::SPARSE_RATIO), ratio, &page.numbers.percent)?;
        page.plain((line, at::DATA_TYPE), weight.data_type.name())?;
    }
    match context.projection.operators[number].outcome {
        Outcome::WeightUnknown => page.plain((line, at::SUPPORT), UNKNOWN),
        _ => {
            page.sheet.write_boolean(line, at::SUPPORT, operator.sparse_support)?;
            Ok(())
        }
    }
}

fn figures(page: &mut Page, line: u32, context: &Context, number: usize) -> Written {
    let numbers = page.numbers;
    let operator = &context.projection.operators[number];
    let dense = operator.dense;
    page.known((line, at::LATENCY), dense.map(|dense| dense.value), &numbers.milliseconds)?;
    if context.projection.spread.parts.is_some()
        && let Some(dense) = dense
    {
        page.number((line, at::LOW), dense.low, &numbers.milliseconds)?;
        page.number((line, at::HIGH), dense.high, &numbers.milliseconds)?;
    }
    page.number((line, at::TYPE_NUMBER), context.types[number] as f64 + 1.0, &numbers.helper)?;
    if let Some(group) = context.groups.of[number] {
        page.number((line, at::GROUP), group as f64 + 1.0, &numbers.helper)?;
    }
    if operator.outcome.is_settable() {
        lookup(page, line, context, number)?;
    } else {
        page.number((line, at::RATIO), 1.0, &numbers.ratio)?;
        page.plain((line, at::OUTCOME), operator.outcome.text())?;
        page.number((line, at::RATIO_LOW), 1.0, &numbers.helper)?;
        page.number((line, at::RATIO_HIGH), 1.0, &numbers.helper)?;
    }
    quotients(page, line, context, operator)
}

/// Latency by perf ratio, at each end.
fn quotients(
    page: &mut Page,
    line: u32,
    context: &Context,
    operator: &ProjectedOperator,
) -> Written {
    let numbers = page.numbers;
    let (low, high) = end_columns(context);
    let (dense, ratio) = (operator.dense, operator.ratio);
    let by = |dense: Option<f64>, ratio: f64| dense.map(|dense| dense / ratio);
    let projected = |pick: fn(Estimate) -> f64| operator.projected.map(pick);
    let quotients = [
        (at::PROJECTED, at::LATENCY, at::RATIO, projected(|p| p.value)),
        (at::PROJECTED_LOW, low, at::RATIO_HIGH, projected(|p| p.low)),
        (at::PROJECTED_HIGH, high, at::RATIO_LOW, projected(|p| p.high)),
        (at::LOW_AT_LOW, low, at::RATIO_LOW, by(dense.map(|d| d.low), ratio.low)),
        (at::HIGH_AT_HIGH, high, at::RATIO_HIGH, by(dense.map(|d| d.high), ratio.high)),
    ];
    for (place, dense, ratio, value) in quotients {
        let (dense, ratio) = (cell(line, dense), cell(line, ratio));
        let formula = format!("=IF(ISNUMBER({dense}),{dense}/{ratio},\"{UNKNOWN}\")");
        page.formula((line, place), formula, value, &numbers.milliseconds)?;
    }
    Ok(())
}

/// The target, and the perf ratio that follows from it.
fn lookup(page: &mut Page, line: u32, context: &Context, number: usize) -> Written {
    let (projection, numbers) = (context.projection, page.numbers);
    let operator = &projection.operators[number];
    let here = |number: u16| cell(line, number);
    let level = operator.target.map_or(0.0, |target| target.level);
    let inherited = projection.types[context.types[number]].target.level;
    page.formula(
        (line, at::INHERITED),
        types::inherited_target(&here(at::TYPE_NUMBER)),
        inherited,
        &numbers.helper,
    )?;
    if operator.target.is_some_and(|target| target.from == TargetOrigin::Operator) {
        page.number((line, at::TARGET), level, &numbers.input_percent)?;
    } else {
        let formula = format!("={}", here(at::INHERITED));
        page.formula((line, at::TARGET), formula, inherited, &numbers.input_percent)?;
    }

    let row = projection.ratios_of(number);
    page.formula((line, at::SETTING), setting_formula(line), setting(operator), &numbers.helper)?;
    let (setting, target) = (here(at::SETTING), here(at::TARGET));
    let lookup = Lookup {
        level: target.clone(),
        setting: setting.clone(),
        line,
        point: at::POINT,
        way: at::WAY,
    };
    lookup.write(page, row, Some(level))?;
    let sparse_ratio = cell_in_column(line, at::SPARSE_RATIO);
    let texts = [Outcome::NoTarget, Outcome::AtTarget, Outcome::NoRatio, Outcome::Projected];
    let [no_target, at_target, no_ratio, projected] = texts.map(Outcome::text);
    page.formula(
        (line, at::OUTCOME),
        format!(
            "=IF(NOT(ISNUMBER({target})),\"{no_target}\",IF({target}<=0,\"{no_target}\",\
             IF(AND(ISNUMBER({sparse_ratio}),{target}<={sparse_ratio}),\"{at_target}\",\
             IF({setting}=0,\"{no_ratio}\",\
             IF(INDEX(ratio_levels,{setting},1)>={NO_LEVEL},\"{no_ratio}\",\"{projected}\")))))"
        ),
        operator.outcome.text(),
        &numbers.ratio,
    )?;
    let outcome = here(at::OUTCOME);
    for (place, name, value) in [
        (at::RATIO, "ratio_values", operator.ratio.value),
        (at::RATIO_LOW, "ratio_lows", operator.ratio.low),
        (at::RATIO_HIGH, "ratio_highs", operator.ratio.high),
    ] {
        let formula = format!(
            "=IF(OR({outcome}=\"{no_target}\",{outcome}=\"{at_target}\",{setting}=0),1,{})",
            lookup.ratio(name)
        );
        page.formula((line, place), formula, value, &numbers.ratio)?;
    }
    Ok(())
}

/// The row of ratios; 0 if there is none.
fn setting(operator: &ProjectedOperator) -> Value<'static> {
    Value::Number(operator.row.map_or(0.0, row_number))
}

/// Looks for a row of this type and element type, then for one of all element
/// types, then for one of all types.
fn setting_formula(line: u32) -> String {
    // A name with a wildcard would match others.
    let name = ["~", "*", "?"].iter().fold(cell_in_column(line, at::TYPE), |text, wildcard| {
        format!("SUBSTITUTE({text},\"{wildcard}\",\"~{wildcard}\")")
    });
    let shape = cell_in_column(line, at::WEIGHT_SHAPE);
    let data_type = cell_in_column(line, at::DATA_TYPE);
    let find = |of_type: &str, of_data: &str| {
        let key = format!("{of_type}\"|\"&{shape}&\"|\"&{of_data}\"|\"&ratio_block");
        format!("MATCH({key},ratio_keys,0)")
    };
    let (of_type, of_data) = (format!("{name}&"), format!("{data_type}&"));
    let candidates =
        [find(&of_type, &of_data), find(&of_type, ""), find("", &of_data), find("", "")];
    let tries: String = candidates.iter().map(|find| format!("IFERROR({find},")).collect();
    format!("={tries}0))))")
}

/// The row of ratios of the group whose number stands in a cell; 0 if it has no
/// operator any more.
pub fn setting_of_group(context: &Context, group: &str) -> String {
    format!(
        "=IFERROR(INDEX({},MATCH({group},{},0)),0)",
        all(context, at::SETTING),
        all(context, at::GROUP)
    )
}

/// Where the chart of layers finds its series: names, latency, projected.
pub fn chart_ranges(context: &Context) -> [String; 3] {
    [at::NAME, at::LATENCY, at::PROJECTED]
        .map(|number| format!("={}", rows_from(FIRST, context, number)))
}
