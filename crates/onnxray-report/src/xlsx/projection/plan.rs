//! The sheet *Plan*: levels that a budget of parameters was spread over, and what
//! they would bring. Levels are found by the analyzer; what follows from them,
//! and from fixed ones that are typed in, is live.

use super::columns::{self, Line, SheetColumn};
use super::context::{Context, End, number_of};
use super::inputs::choices;
use super::look::Look;
use super::lookup::{self, Lookup, row_number};
use crate::content::projection::{LayerRow, PLAN_FIGURES, PlanFigure};
use crate::document::Cell;
use crate::xlsx::layout::Layout;
use crate::xlsx::page::{Page, UNKNOWN, Value, Written, fixed, items_per_second};
use onnxray_analyzer::projection::{Exclusion, Origins, PlannedLayer, RatioRow};
use onnxray_analyzer::schema::workbook::{heading, sheet};
use rust_xlsxwriter::{DataValidation, DataValidationRule};

type Column<'a> = SheetColumn<LayerRow<'a>>;
type Layer<'l, 'a> = Line<'l, LayerRow<'a>>;

pub(super) fn layout(layers: usize) -> Layout {
    columns::layout(sheet::PLAN, &columns(), 10, layers)
}

pub(super) fn columns<'a>() -> Vec<Column<'a>> {
    let shared = |key, heading| Column::shared(&LayerRow::COLUMNS, key, heading).width(13.0);
    let own = |key, heading, look, value| Column::own(key, heading, look, value).width(13.0);
    let helper =
        |key, heading, value| Column::own(key, heading, Look::Helper, value).only(is_settable);
    vec![
        shared("name", heading::OPERATOR_NAME).width(44.0),
        shared("weight_shape", heading::WEIGHT_SHAPE),
        shared("parameters", "parameters"),
        shared("why", "why").width(22.0),
        shared("planned_level", "planned level"),
        own("override", heading::OVERRIDE, Look::InputPercent, |line| {
            line.row.layer.fixed.map_or(Cell::None, Cell::Number)
        })
        .meaning("a level of yours; counts at once")
        .only(is_settable),
        shared("level", "level").live(is_settable).formula(|line| {
            let (typed, planned) = (line.at("override"), line.at("planned_level"));
            format!("=IF(ISNUMBER({typed}),{typed},{planned})")
        }),
        shared("latency_ms", "latency (ms)"),
        shared("perf_ratio", "perf ratio").live(is_settable).formula(ratio),
        shared("origin", "origin of the perf ratio").width(24.0).live(is_settable).formula(origin),
        shared("planned_ms", "planned latency (ms)")
            .formula(|line| known(&line.at("latency_ms"), &format!("/{}", line.at("perf_ratio")))),
        own("speedup", "speedup", Look::Ratio, |line| Cell::Number(line.row.layer.ratio.value))
            .meaning("before by planned")
            .formula(|line| format!("={}", line.at("perf_ratio"))),
        own("parameters_left", "parameters left", Look::Quantity, |line| {
            let layer = line.row.layer;
            Cell::Number(layer.parameters as f64 * (1.0 - layer.level()))
        })
        .meaning("without the pruned ones")
        .formula(|line| format!("={}*(1-{})", line.at("parameters"), line.at("level"))),
        shared("flops", "FLOPs"),
        shared("planned_flops", "planned FLOPs")
            .formula(|line| known(&line.at("flops"), &format!("*(1-{})", line.at("level")))),
        helper("group", "group", |line| {
            let group = line.context.groups.of[line.row.layer.operator];
            Cell::Number(group.map_or(0.0, number_of))
        }),
        helper("setting", "setting row", |line| {
            let row = line.context.projection.operators[line.row.layer.operator].row;
            Cell::Number(row.map_or(0.0, row_number))
        })
        .formula(|line| line.context.setting_of_group(&line.at("group"))),
        helper("point", "point", |line| {
            Cell::Number(lookup::point(ratios(line), Some(line.row.layer.level())))
        })
        .formula(|line| lookup(line).point()),
        helper("way", "way to next point", |line| {
            Cell::Number(lookup::way(ratios(line), Some(line.row.layer.level())))
        })
        .formula(|line| lookup(line).way()),
        Column::own("sparse_ratio", "weight sparse ratio", Look::Helper, |line| {
            let weight = line.row.operator.weight.as_ref();
            let ratio = weight.and_then(|w| w.sparse_ratio(line.context.projection.block));
            ratio.map_or(Cell::None, Cell::Number)
        }),
    ]
}

/// Whether a level could change its latency.
fn can_be_set(layer: &PlannedLayer) -> bool {
    !matches!(layer.exclusion, Some(Exclusion::Outcome(_)))
}

fn is_settable(line: &Layer) -> bool {
    can_be_set(line.row.layer)
}

fn ratios<'a>(line: &Line<'a, LayerRow>) -> Option<&'a RatioRow> {
    line.context.projection.ratios_of(line.row.layer.operator)
}

fn lookup(line: &Layer) -> Lookup {
    let [level, setting, point, way] = ["level", "setting", "point", "way"].map(|key| line.at(key));
    Lookup { level, setting, point, way }
}

/// Whether its ratio is looked up nowhere.
fn is_left(line: &Layer) -> String {
    let [level, sparse, setting] = ["level", "sparse_ratio", "setting"].map(|key| line.at(key));
    format!("OR({level}<=0,AND(ISNUMBER({sparse}),{level}<={sparse}),{setting}=0)")
}

fn ratio(line: &Layer) -> String {
    format!("=IF({},1,{})", is_left(line), lookup(line).ratio("ratio_values"))
}

/// Where the perf ratio comes from.
fn origin(line: &Layer) -> String {
    let measured = Origins::default().text();
    format!("=IF({},\"{measured}\",{})", is_left(line), lookup(line).origin())
}

/// What follows from a figure, if it is known.
fn known(figure: &str, changed: &str) -> String {
    format!("=IF(ISNUMBER({figure}),{figure}{changed},\"{UNKNOWN}\")")
}

/// Figures of the model; what the plan could prune at most is none of the sheet's.
fn figures() -> impl Iterator<Item = &'static PlanFigure> {
    PLAN_FIGURES.iter().filter(|figure| figure.key != "prunable_parameters")
}

pub(super) fn model_layout() -> Layout {
    // To the right of the bounds, so that the layers begin higher up.
    let columns = ["bound", "value", "gap", "label", "before", "planned", "gain"];
    Layout::new(sheet::PLAN, columns, 0, 0).with_rows(figures().map(|figure| figure.key))
}

pub(super) fn write(page: &mut Page, context: &Context) -> Written {
    let layout = &context.sheets.plan_layers;
    page.text((0, 0), "Plan: a budget of parameters spread over layers", &page.styles.title)?;
    bounds(page, context)?;
    let layers = &context.plan.layers;
    let rows = layers.iter().map(|layer| LayerRow::new(context.summary, layer));
    columns::write_table(page, context, layout, &columns(), rows)?;
    let (first, column) = layout.place("override", 0);
    choices(page, first, column, layers.iter().map(can_be_set), &context.projection.levels)?;
    let model = &context.sheets.plan_model;
    page.text((model.header(), model.column("label")), "model", &page.styles.header)?;
    page.number_header(model.header(), model.column("before"), &["before", "planned", "gain"])?;
    for (row, figure) in figures().enumerate() {
        write_figure(page, context, row, figure)?;
    }
    let sheet = &mut page.sheet;
    sheet.set_column_range_hidden(layout.column("group"), layout.column("sparse_ratio"))?;
    sheet.set_freeze_panes(first, 1)?;
    Ok(())
}

fn bounds(page: &mut Page, context: &Context) -> Written {
    let (styles, numbers) = (page.styles, page.numbers);
    let settings = &context.plan.settings;
    let shares = [
        (heading::BUDGET, settings.budget),
        (heading::MINIMUM, settings.minimum),
        (heading::MAXIMUM, settings.maximum),
        (heading::BALANCE, settings.balance),
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

/// A figure of the model before and with the plan.
fn write_figure(page: &mut Page, context: &Context, row: usize, figure: &PlanFigure) -> Written {
    let (styles, numbers, plan) = (page.styles, page.numbers, context.plan);
    let layout = &context.sheets.plan_model;
    let format = match figure.key {
        "total_latency_ms" => &numbers.milliseconds,
        "items_per_second" => &numbers.ratio,
        _ => &numbers.quantity,
    };
    let label = format!("{}{}", figure.name, figure.remark);
    page.text(layout.place("label", row), &label, &styles.label)?;
    for (key, estimate) in [("before", figure.before), ("planned", figure.planned)] {
        let value = estimate(plan).map(|estimate| estimate.value);
        let place = layout.place(key, row);
        match formula(context, figure.key, key) {
            Some(formula) if value.is_some() => {
                page.formula(place, format!("={formula}"), value, format)?;
            }
            _ => page.known(place, value, format)?,
        }
    }
    let (more, less) = if figure.rises { ("planned", "before") } else { ("before", "planned") };
    let [more, less] = [more, less].map(|key| layout.at_in_column(key, row));
    // A text is above every number.
    if figure.gain(plan).is_none() {
        return page.known(layout.place("gain", row), None, &numbers.ratio);
    }
    let formula =
        format!("=IF(ISNUMBER({less}),IF({less}>0,{more}/{less},\"{UNKNOWN}\"),\"{UNKNOWN}\")");
    page.formula(layout.place("gain", row), formula, Value::from(figure.gain(plan)), &numbers.ratio)
}

/// What a figure follows from, without `=`; `None` for what no setting changes.
fn formula(context: &Context, figure: &str, column: &str) -> Option<String> {
    let (model, layers) = (&context.sheets.plan_model, &context.sheets.plan_layers);
    let total = |key| context.total_on(key, End::Value);
    let sum = |key| {
        let column = layers.column(key);
        format!("SUM({}:{})", fixed(layers.header(), column), fixed(layers.last_row(), column))
    };
    let changed = |before, after| {
        let whole = model.at("before", model.row_of(figure));
        format!("{whole}-{}+{}", sum(before), sum(after))
    };
    match (figure, column) {
        ("total_latency_ms", "before") => Some(total("total_latency_ms")),
        ("total_latency_ms", _) => {
            let (before, after) = (sum("latency_ms"), sum("planned_ms"));
            let operators = format!("({}-{before}+{after})", total("operators_ms"));
            Some(format!("{operators}*{}+N({})", total("covered"), total("overhead_ms")))
        }
        ("items_per_second", _) => {
            let latency = model.at(column, model.row_of("total_latency_ms"));
            Some(items_per_second(&total("batch_size"), &latency))
        }
        ("flops", "planned") => Some(changed("flops", "planned_flops")),
        ("parameters", "planned") => Some(changed("parameters", "parameters_left")),
        _ => None,
    }
}
