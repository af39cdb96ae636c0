//! The sheet *Operator profiling*: the sixteen columns that users of the Neural
//! Engine's profile know, then the ends of their intervals, then, hidden, the
//! steps of the lookup.

use super::columns::{self, Line, SheetColumn};
use super::context::{Context, End, number_of};
use super::headline;
use super::inputs::choices;
use super::look::Look;
use super::lookup::{self, Lookup, NO_LEVEL, row_number};
use crate::content::projection::OperatorRow;
use crate::document::Cell;
use crate::xlsx::layout::Layout;
use crate::xlsx::page::{Page, UNKNOWN, Written};
use onnxray_analyzer::projection::{Origins, Outcome, RatioRow, TargetOrigin};
use onnxray_analyzer::schema::workbook::{heading, sheet};
use onnxray_format::Tensor;
use onnxray_format::profile_csv::OPERATOR_HEADER;

type Column<'a> = SheetColumn<OperatorRow<'a>>;
type Operator<'l, 'a> = Line<'l, OperatorRow<'a>>;

/// Row of the headings, below that of the whole model.
const HEADER: u32 = 1;

pub(super) fn layout(operators: usize) -> Layout {
    columns::layout(sheet::OPERATORS, &columns(), HEADER, operators)
}

pub(super) fn columns<'a>() -> Vec<Column<'a>> {
    let mut columns = profile();
    for (column, heading) in columns.iter_mut().zip(OPERATOR_HEADER) {
        column.heading = heading;
    }
    columns.extend(ends());
    columns.extend(helpers());
    columns
}

fn shared<'a>(key: &'static str, heading: &'static str) -> Column<'a> {
    Column::shared(&OperatorRow::COLUMNS, key, heading)
}

/// The columns of the profile, in its order and under its headings.
fn profile<'a>() -> Vec<Column<'a>> {
    fn text<'a>(key: &'static str, value: fn(&Operator<'_, 'a>) -> Cell) -> Column<'a> {
        Column::own(key, "", Look::Text, value)
    }
    fn join(tensors: &[Tensor], part: fn(&Tensor) -> String) -> Cell {
        Cell::some_text(tensors.iter().map(part).collect::<Vec<_>>().join(";"))
    }
    let shared = |key| shared(key, "");
    vec![
        shared("type").width(16.0),
        text("post_ops", |line| Cell::some_text(line.row.operator.post_ops.join(","))).width(12.0),
        shared("name").width(40.0),
        text("inputs", |line| join(&line.row.operator.inputs, |tensor| tensor.name.clone())),
        text("input_shapes", |line| join(&line.row.operator.inputs, |t| t.shape_text("x"))),
        text("input_types", |line| join(&line.row.operator.inputs, |t| t.type_text().to_string())),
        text("outputs", |line| join(&line.row.operator.outputs, |tensor| tensor.name.clone())),
        text("output_shapes", |line| join(&line.row.operator.outputs, |t| t.shape_text("x"))),
        text("output_types", |line| {
            join(&line.row.operator.outputs, |t| t.type_text().to_string())
        }),
        shared("weight_shape").width(12.0),
        shared("sparse_ratio").look(Look::Percent).width(12.0),
        shared("sparse_support").look(Look::Truth).width(12.0),
        shared("latency_ms").width(12.0),
        shared("target")
            .look(Look::InputPercent)
            .width(12.0)
            .only(is_settable)
            .live(|line| {
                line.row.projected.target.is_some_and(|t| t.from != TargetOrigin::Operator)
            })
            .formula(|line| format!("={}", line.at("inherited"))),
        shared("perf_ratio")
            .width(12.0)
            .live(is_settable)
            .formula(|line| ratio(line, "ratio_values")),
        shared("projected_ms")
            .width(12.0)
            .live(has_ratio)
            .formula(|line| quotient(line, End::Value, "perf_ratio")),
    ]
}

/// What is projected, and low and high ends.
fn ends<'a>() -> [Column<'a>; 6] {
    fn has_ends(line: &Operator) -> bool {
        line.row.projection.spread.parts.is_some() && line.row.projected.dense.is_some()
    }
    [
        shared("projection", "projection").width(20.0).live(is_settable).formula(outcome),
        shared("origin", "origin of the perf ratio").width(24.0).live(is_settable).formula(origin),
        shared("latency_low_ms", "latency, low (ms)").width(12.0).only(has_ends),
        shared("latency_high_ms", "latency, high (ms)").width(12.0).only(has_ends),
        shared("projected_low_ms", "aim to sparse latency, low (ms)")
            .width(12.0)
            .live(has_ratio)
            .formula(|line| quotient(line, End::Low, "ratio_high")),
        shared("projected_high_ms", "aim to sparse latency, high (ms)")
            .width(12.0)
            .live(has_ratio)
            .formula(|line| quotient(line, End::High, "ratio_low")),
    ]
}

/// What the formulas need, hidden.
fn helpers<'a>() -> [Column<'a>; 11] {
    let helper = |key, heading, value| Column::own(key, heading, Look::Helper, value);
    let ratio_end = |key, heading, value| Column::own(key, heading, Look::Ratio, value);
    let corner = |key, heading, value| Column::own(key, heading, Look::Milliseconds, value);
    [
        shared("data_type", "weight data type"),
        helper("inherited", heading::INHERITED_TARGET, |line| {
            let position = line.context.types[line.number];
            Cell::Number(line.row.projection.types[position].target.level)
        })
        .only(is_settable)
        .formula(inherited),
        helper("type_number", "type number", |line| {
            Cell::Number(number_of(line.context.types[line.number]))
        }),
        helper("group", "group", |line| {
            let group = line.context.groups.of[line.number];
            group.map_or(Cell::None, |group| Cell::Number(number_of(group)))
        }),
        helper("setting", "setting row", |line| {
            Cell::Number(line.row.projected.row.map_or(0.0, row_number))
        })
        .only(is_settable)
        .formula(setting),
        helper("point", "point", |line| Cell::Number(lookup::point(ratios(line), level(line))))
            .only(is_settable)
            .formula(|line| lookup(line).point()),
        helper("way", "way to next point", |line| {
            Cell::Number(lookup::way(ratios(line), level(line)))
        })
        .only(is_settable)
        .formula(|line| lookup(line).way()),
        ratio_end("ratio_low", "perf ratio, low", |line| {
            Cell::number(line.row.projected.ratio.map(|ratio| ratio.low))
        })
        .live(is_settable)
        .formula(|line| ratio(line, "ratio_lows")),
        ratio_end("ratio_high", "perf ratio, high", |line| {
            Cell::number(line.row.projected.ratio.map(|ratio| ratio.high))
        })
        .live(is_settable)
        .formula(|line| ratio(line, "ratio_highs")),
        corner("low_at_low_ms", "low at low ratio (ms)", |line| {
            let ratio = line.row.projected.dense.zip(line.row.projected.ratio);
            Cell::number(ratio.map(|(dense, ratio)| dense.low / ratio.low))
        })
        .live(has_ratio)
        .formula(|line| quotient(line, End::Low, "ratio_low")),
        corner("high_at_high_ms", "high at high ratio (ms)", |line| {
            let ratio = line.row.projected.dense.zip(line.row.projected.ratio);
            Cell::number(ratio.map(|(dense, ratio)| dense.high / ratio.high))
        })
        .live(has_ratio)
        .formula(|line| quotient(line, End::High, "ratio_high")),
    ]
}

fn is_settable(line: &Operator) -> bool {
    line.row.projected.outcome.is_settable()
}

/// Whether anybody knows whether it has a weight.
fn has_ratio(line: &Operator) -> bool {
    line.row.projected.ratio.is_some()
}

fn ratios<'a>(line: &Operator<'_, 'a>) -> Option<&'a RatioRow> {
    line.row.projection.ratios_of(line.number)
}

fn level(line: &Operator) -> Option<f64> {
    line.row.projected.target.map(|target| target.level)
}

fn lookup(line: &Operator) -> Lookup {
    let [level, setting, point, way] =
        ["target", "setting", "point", "way"].map(|key| line.at(key));
    Lookup { level, setting, point, way }
}

/// The target of the operator's type, or else the model's.
fn inherited(line: &Operator) -> String {
    let number = line.at("type_number");
    let target = format!("INDEX(type_targets,MATCH({number},type_numbers,0))");
    format!("=IFERROR(IF(ISNUMBER({target}),{target},N(model_target)),N(model_target))")
}

/// Looks for a row of ratios for this type and element type, then for one of all
/// element types, then for one of all types.
fn setting(line: &Operator) -> String {
    // A name with a wildcard would match others.
    let name = ["~", "*", "?"].iter().fold(line.in_column("type"), |text, wildcard| {
        format!("SUBSTITUTE({text},\"{wildcard}\",\"~{wildcard}\")")
    });
    let shape = line.in_column("weight_shape");
    let find = |of_type: &str, of_data: &str| {
        let key = format!("{of_type}\"|\"&{shape}&\"|\"&{of_data}\"|\"&ratio_block");
        format!("IFERROR(MATCH({key},ratio_keys,0),")
    };
    let (of_type, of_data) = (format!("{name}&"), format!("{}&", line.in_column("data_type")));
    let tries = [find(&of_type, &of_data), find(&of_type, ""), find("", &of_data), find("", "")];
    format!("={}0))))", tries.concat())
}

fn outcome(line: &Operator) -> String {
    let (target, setting) = (line.at("target"), line.at("setting"));
    let sparse_ratio = line.in_column("sparse_ratio");
    let texts = [Outcome::NoTarget, Outcome::AtTarget, Outcome::NoRatio, Outcome::Projected];
    let [no_target, at_target, no_ratio, projected] = texts.map(Outcome::text);
    format!(
        "=IF(NOT(ISNUMBER({target})),\"{no_target}\",IF({target}<=0,\"{no_target}\",\
         IF(AND(ISNUMBER({sparse_ratio}),{target}<={sparse_ratio}),\"{at_target}\",\
         IF({setting}=0,\"{no_ratio}\",\
         IF(INDEX(ratio_levels,{setting},1)>={NO_LEVEL},\"{no_ratio}\",\"{projected}\")))))"
    )
}

/// Whether its ratio is looked up nowhere.
fn is_left(line: &Operator) -> String {
    let [no_target, at_target] = [Outcome::NoTarget, Outcome::AtTarget].map(Outcome::text);
    let (outcome, setting) = (line.at("projection"), line.at("setting"));
    format!("OR({outcome}=\"{no_target}\",{outcome}=\"{at_target}\",{setting}=0)")
}

/// The perf ratio, or one of its ends, as `name` says.
fn ratio(line: &Operator, name: &str) -> String {
    format!("=IF({},1,{})", is_left(line), lookup(line).ratio(name))
}

/// Where the perf ratio comes from.
fn origin(line: &Operator) -> String {
    let measured = Origins::default().text();
    format!("=IF({},\"{measured}\",{})", is_left(line), lookup(line).origin())
}

/// Latency at an end by perf ratio.
fn quotient(line: &Operator, end: End, ratio: &str) -> String {
    let (dense, ratio) = (line.at(line.context.latency(end)), line.at(ratio));
    format!("=IF(ISNUMBER({dense}),{dense}/{ratio},\"{UNKNOWN}\")")
}

pub(super) fn write(page: &mut Page, context: &Context) -> Written {
    let (summary, projection) = (context.summary, context.projection);
    let layout = &context.sheets.operators;
    let operators = 0..summary.operators.len();
    let rows = operators.map(|number| OperatorRow::new(summary, projection, number));
    columns::write_table(page, context, layout, &columns(), rows)?;
    let settable = projection.operators.iter().map(|operator| operator.outcome.is_settable());
    choices(page, layout.row(0), layout.column("target"), settable, &projection.levels)?;
    let sheet = &mut page.sheet;
    let at = |key| layout.column(key);
    sheet.set_freeze_panes(HEADER + 1, at("name") + 1)?;
    sheet.autofilter(HEADER, 0, layout.last_row(), at("projected_high_ms"))?;
    // The tensors are there for those who want to know; they would take half the page.
    sheet.group_columns_collapsed(at("inputs"), at("output_types"))?;
    sheet.set_column_range_hidden(at("data_type"), layout.last_column())?;
    if projection.spread.parts.is_none() {
        sheet.set_column_range_hidden(at("latency_low_ms"), at("latency_high_ms"))?;
        if !projection.spread.ratios {
            sheet.set_column_range_hidden(at("projected_low_ms"), at("projected_high_ms"))?;
        }
    }
    sheet.set_print_area(HEADER - 1, 0, layout.last_row(), at("projected_high_ms"))?;
    let columns = ["latency_ms", "projected_ms", "perf_ratio"].map(at);
    headline::above(page, context, HEADER - 1, at("name"), columns)
}
