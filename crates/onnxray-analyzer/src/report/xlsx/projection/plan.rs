//! The sheet *Plan*: levels that a budget of parameters was spread over, and what
//! they would bring. Levels are found by the analyzer; what follows from them,
//! and from fixed ones that are typed in, is live.

use super::Context;
use super::lookup::Lookup;
use super::operators::setting_of_group;
use super::page::{End, Numbers, PLAN, Page, UNKNOWN, Value, Written, cell, cell_in_column, fixed};
use super::ratios::{choices, row_number};
use super::totals::{self, items_per_second, reference};
use crate::projection::{Exclusion, PlannedLayer};
use crate::report::content::projection::why;
use crate::report::xlsx::sheet::Styles;
use crate::schema::workbook::heading;
use rust_xlsxwriter::{DataValidation, DataValidationRule, Workbook};

/// Labels of the inputs, by which they are found when the workbook is read.
pub const BUDGET: &str = "budget (share of prunable parameters)";
pub const BALANCE: &str = "balance (1: loss only, 0: latency only)";

const TOTALS: u32 = 10;
const LATENCY_TOTAL: u32 = 11;
const ITEMS: u32 = 12;
const FLOPS_TOTAL: u32 = 13;
const PARAMETERS_TOTAL: u32 = 14;
const HEADER: u32 = 17;
const FIRST: u32 = 18;

const NAME: u16 = 0;
const SHAPE: u16 = 1;
const PARAMETERS: u16 = 2;
const WHY: u16 = 3;
const PLANNED: u16 = 4;
const OVERRIDE: u16 = 5;
const LEVEL: u16 = 6;
const LATENCY: u16 = 7;
const RATIO: u16 = 8;
const SPARSE: u16 = 9;
const GAIN: u16 = 10;
const LEFT: u16 = 11;
const FLOPS: u16 = 12;
const PLANNED_FLOPS: u16 = 13;
const GROUP: u16 = 14;
const SETTING: u16 = 15;
const POINT: u16 = 16;
const WAY: u16 = 17;
const SPARSE_RATIO: u16 = 18;

const HEADINGS: [&str; 19] = [
    heading::OPERATOR_NAME,
    heading::WEIGHT_SHAPE,
    "parameters",
    "why",
    "planned level",
    heading::OVERRIDE,
    "level",
    "latency (ms)",
    "perf ratio",
    "planned latency (ms)",
    "sparse improve",
    "parameters left",
    "FLOPs",
    "planned FLOPs",
    "group",
    "setting row",
    "point",
    "way to next point",
    "weight sparse ratio",
];

pub fn write(
    workbook: &mut Workbook,
    styles: &Styles,
    numbers: &Numbers,
    context: &Context,
) -> Written {
    let mut page = Page::new(workbook, PLAN, styles, numbers)?;
    page.text((0, 0), "Plan: a budget of parameters spread over layers", &styles.title)?;
    bounds(&mut page, context)?;
    page.header(HEADER, 0, &HEADINGS)?;
    for (position, layer) in context.plan.layers.iter().enumerate() {
        let line = FIRST + position as u32;
        facts(&mut page, line, context, layer)?;
        if is_settable(layer) {
            live(&mut page, line, context, layer)?;
        } else {
            page.number((line, LEVEL), 0.0, &numbers.share)?;
            page.number((line, RATIO), 1.0, &numbers.ratio)?;
        }
        quotients(&mut page, line, layer)?;
    }
    let settable = context.plan.layers.iter().map(is_settable);
    choices(&mut page, FIRST, OVERRIDE, settable, &context.projection.levels)?;
    sums(&mut page, context)?;
    let sheet = &mut page.sheet;
    sheet.set_column_width(NAME, 44)?.set_column_range_width(SHAPE, PLANNED_FLOPS, 13)?;
    sheet.set_column_width(WHY, 22)?.set_column_range_hidden(GROUP, SPARSE_RATIO)?;
    sheet.set_freeze_panes(FIRST, 1)?;
    Ok(())
}

/// Whether a level could change its latency.
fn is_settable(layer: &PlannedLayer) -> bool {
    !matches!(layer.exclusion, Some(Exclusion::Outcome(_)))
}

fn bounds(page: &mut Page, context: &Context) -> Written {
    let (styles, numbers) = (page.styles, page.numbers);
    let settings = &context.plan.settings;
    let shares = [
        (BUDGET, settings.budget),
        (heading::MINIMUM, settings.minimum),
        (heading::MAXIMUM, settings.maximum),
        (BALANCE, settings.balance),
    ];
    for (line, (label, value)) in (1..).zip(shares) {
        page.text((line, 0), label, &styles.label)?;
        page.number((line, 1), value, &numbers.input_percent)?;
    }
    let share = DataValidation::new().allow_decimal_number(DataValidationRule::Between(0.0, 1.0));
    page.sheet.add_data_validation(1, 1, 4, 1, &share)?;
    let switches =
        [(heading::PRUNE_FIRST, settings.first), (heading::PRUNE_GROUPED, settings.grouped)];
    for (line, (label, value)) in (5..).zip(switches) {
        page.text((line, 0), label, &styles.label)?;
        page.sheet.write_boolean_with_format(line, 1, value, &styles.input)?;
    }
    page.text((7, 0), "loss estimated by", &styles.label)?;
    page.plain((7, 1), context.plan.basis.text())?;
    page.text(
        (8, 0),
        "The planned levels are found by onnxray: read the edited workbook with --ratios to have them \
         found anew. What is typed under `override` counts at once.",
        &styles.unknown,
    )
}

fn facts(page: &mut Page, line: u32, context: &Context, layer: &PlannedLayer) -> Written {
    let numbers = page.numbers;
    let operator = &context.summary.operators[layer.operator].operator;
    page.plain((line, NAME), &operator.name)?;
    if let Some(weight) = &operator.weight {
        page.plain((line, SHAPE), &weight.matrix_shape())?;
        if let Some(ratio) = weight.sparse_ratio(context.projection.block) {
            page.number((line, SPARSE_RATIO), ratio, &numbers.helper)?;
        }
    }
    page.number((line, PARAMETERS), layer.parameters as f64, &numbers.quantity)?;
    page.plain((line, WHY), why(layer))?;
    page.number((line, PLANNED), layer.planned, &numbers.share)?;
    page.known((line, LATENCY), layer.dense.map(|dense| dense.value), &numbers.milliseconds)?;
    page.known((line, FLOPS), layer.flops, &numbers.quantity)
}

/// The level and the perf ratio that follows from it.
fn live(page: &mut Page, line: u32, context: &Context, layer: &PlannedLayer) -> Written {
    let (projection, numbers) = (context.projection, page.numbers);
    let here = |column: u16| cell(line, column);
    match layer.fixed {
        Some(level) => page.number((line, OVERRIDE), level, &numbers.input_percent)?,
        None => page.blank((line, OVERRIDE), &numbers.input_percent)?,
    }
    let formula = format!("=IF(ISNUMBER({0}),{0},{1})", here(OVERRIDE), here(PLANNED));
    let level = layer.level();
    page.formula((line, LEVEL), formula, level, &numbers.share)?;
    let operator = &projection.operators[layer.operator];
    let group = context.groups.of[layer.operator].map_or(0.0, |group| group as f64 + 1.0);
    page.number((line, GROUP), group, &numbers.helper)?;
    let formula = setting_of_group(context, &here(GROUP));
    let row = projection.ratios_of(layer.operator);
    let setting = operator.row.map_or(0.0, row_number);
    page.formula((line, SETTING), formula, setting, &numbers.helper)?;
    let lookup =
        Lookup { level: here(LEVEL), setting: here(SETTING), line, point: POINT, way: WAY };
    lookup.write(page, row, Some(level))?;
    let formula = format!(
        "=IF(OR({level}<=0,AND(ISNUMBER({sparse}),{level}<={sparse}),{setting}=0),1,{})",
        lookup.ratio("ratio_values"),
        level = here(LEVEL),
        sparse = here(SPARSE_RATIO),
        setting = here(SETTING),
    );
    page.formula((line, RATIO), formula, layer.ratio.value, &numbers.ratio)
}

fn quotients(page: &mut Page, line: u32, layer: &PlannedLayer) -> Written {
    let numbers = page.numbers;
    let here = |column: u16| cell(line, column);
    let planned = layer.projected.map(|planned| planned.value);
    let formula = format!("=IF(ISNUMBER({0}),{0}/{1},\"{UNKNOWN}\")", here(LATENCY), here(RATIO));
    page.formula((line, SPARSE), formula, planned, &numbers.milliseconds)?;
    page.formula((line, GAIN), format!("={}", here(RATIO)), layer.ratio.value, &numbers.ratio)?;
    let left = layer.parameters as f64 * (1.0 - layer.level());
    let formula = format!("={}*(1-{})", here(PARAMETERS), here(LEVEL));
    page.formula((line, LEFT), formula, left, &numbers.quantity)?;
    let formula = format!("=IF(ISNUMBER({0}),{0}*(1-{1}),\"{UNKNOWN}\")", here(FLOPS), here(LEVEL));
    page.formula((line, PLANNED_FLOPS), formula, layer.planned_flops, &numbers.quantity)
}

/// The model before and with the plan.
fn sums(page: &mut Page, context: &Context) -> Written {
    use totals::row;
    let (plan, styles, numbers) = (context.plan, page.styles, page.numbers);
    let last = FIRST + plan.layers.len().max(1) as u32 - 1;
    let sum = |column: u16| format!("SUM({}:{})", fixed(HEADER, column), fixed(last, column));
    page.header(TOTALS, 0, &["model", "before", "planned", "gain"])?;
    let labels = [
        (LATENCY_TOTAL, "total latency (ms)"),
        (ITEMS, "items per second"),
        (FLOPS_TOTAL, "FLOPs per iteration, as far as they are known"),
        (PARAMETERS_TOTAL, "parameters; the gain is the compression"),
    ];
    for (line, label) in labels {
        page.text((line, 0), label, &styles.label)?;
    }
    let totals = &plan.totals;
    let of = |row: u32| reference(row, End::Value);
    let formula = format!("={}", of(row::TOTAL));
    page.formula((LATENCY_TOTAL, 1), formula, totals.total.value, &numbers.milliseconds)?;
    let operators = format!("({}-{}+{})", of(row::OPERATORS), sum(LATENCY), sum(SPARSE));
    let formula = format!(
        "={operators}*{covered}+N({overhead})",
        covered = of(row::COVERED),
        overhead = of(row::OVERHEAD)
    );
    let planned = totals.projected_total.value;
    page.formula((LATENCY_TOTAL, 2), formula, planned, &numbers.milliseconds)?;
    let batch = of(row::BATCH);
    for (column, items) in [(1, totals.items_per_second), (2, totals.projected_items_per_second)] {
        let latency = cell(LATENCY_TOTAL, column);
        let formula = format!("={}", items_per_second(&batch, &latency));
        let value = items.map(|items| items.value);
        page.formula((ITEMS, column), formula, value, &numbers.ratio)?;
    }
    page.number((FLOPS_TOTAL, 1), plan.flops.known, &numbers.quantity)?;
    let formula = format!("={}-{}+{}", cell(FLOPS_TOTAL, 1), sum(FLOPS), sum(PLANNED_FLOPS));
    page.formula((FLOPS_TOTAL, 2), formula, plan.planned_flops.known, &numbers.quantity)?;
    let parameters = plan.parameters.unwrap_or(plan.weights) as f64;
    page.number((PARAMETERS_TOTAL, 1), parameters, &numbers.quantity)?;
    let formula = format!("={}-{}+{}", cell(PARAMETERS_TOTAL, 1), sum(PARAMETERS), sum(LEFT));
    page.formula((PARAMETERS_TOTAL, 2), formula, parameters - plan.pruned, &numbers.quantity)?;
    let improvement = (planned > 0.0).then(|| totals.total.value / planned);
    let items = totals.items_per_second.zip(totals.projected_items_per_second);
    let by = |before: f64, after: f64| (after > 0.0).then(|| before / after);
    let gains = [
        (LATENCY_TOTAL, 1, 2, improvement),
        (ITEMS, 2, 1, items.and_then(|(before, after)| by(after.value, before.value))),
        (FLOPS_TOTAL, 1, 2, by(plan.flops.known, plan.planned_flops.known)),
        (PARAMETERS_TOTAL, 1, 2, by(parameters, parameters - plan.pruned)),
    ];
    for (line, more, less, value) in gains {
        let (more, less) = (cell_in_column(line, more), cell_in_column(line, less));
        // A text is above every number.
        let formula =
            format!("=IF(ISNUMBER({less}),IF({less}>0,{more}/{less},\"{UNKNOWN}\"),\"{UNKNOWN}\")");
        page.formula((line, 3), formula, Value::from(value), &numbers.ratio)?;
    }
    Ok(())
}
