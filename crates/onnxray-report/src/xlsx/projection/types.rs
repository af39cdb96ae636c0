//! The sheet *Layer types*: operator types before and after, and their targets
//! to set.

use super::columns::{self, Line, SheetColumn};
use super::context::{Context, End, number_of};
use super::headline;
use super::inputs::level_choice;
use super::look::Look;
use crate::content::projection::{TypeRow, types_chart};
use crate::document::Cell;
use crate::xlsx::bars;
use crate::xlsx::chart::MOST_BARS;
use crate::xlsx::layout::Layout;
use crate::xlsx::page::{Page, Written, quotient};
use onnxray_analyzer::in_cell;
use onnxray_analyzer::projection::{Estimate, TargetOrigin};
use onnxray_analyzer::schema::workbook::{RESERVED, heading, sheet};
use rust_xlsxwriter::{ChartType, Workbook};

type Column<'a> = SheetColumn<TypeRow<'a>>;
type Type<'l, 'a> = Line<'l, TypeRow<'a>>;

pub(super) fn layout(types: usize) -> Layout {
    columns::layout(sheet::TYPES, &columns(), 2, types)
}

pub(super) fn columns<'a>() -> Vec<Column<'a>> {
    let shared = |key, heading| Column::shared(&TypeRow::COLUMNS, key, heading).width(12.0);
    vec![
        shared("type", heading::OPERATOR_TYPE).width(28.0),
        shared("operators", heading::OPERATORS),
        shared("settable", "of them settable"),
        shared("latency_ms", "latency (ms)")
            .live(is_timed)
            .formula(|line| sum(line, End::Value, "latency_ms")),
        shared("share", "share").live(is_timed).formula(|line| {
            let total = line.context.total_on("total_latency_ms", End::Value);
            format!("={}", quotient(&line.at("latency_ms"), &total))
        }),
        shared("target", heading::TARGET).look(Look::InputPercent).value(target).only(is_settable),
        shared("projected_ms", "projected latency (ms)")
            .live(is_projected)
            .formula(|line| sum(line, End::Value, "projected_ms")),
        shared("projected_low_ms", "low (ms)")
            .live(is_projected)
            .formula(|line| sum(line, End::Low, "projected_low_ms")),
        shared("projected_high_ms", "high (ms)")
            .live(is_projected)
            .formula(|line| sum(line, End::High, "projected_high_ms")),
        Column::own("saved_ms", "saved (ms)", Look::Milliseconds, |line| {
            let ends = line.row.dense.zip(line.row.projected);
            Cell::number(ends.map(|(dense, projected)| dense.value - projected.value))
        })
        .meaning("before minus after")
        .width(12.0)
        .live(is_projected)
        .formula(|line| format!("={}-{}", line.at("latency_ms"), line.at("projected_ms"))),
        shared("speedup", "speedup").live(is_projected).formula(|line| {
            format!("={}", quotient(&line.at("latency_ms"), &line.at("projected_ms")))
        }),
        // What the operators refer to their type by, wherever its row is sorted to.
        Column::own("type_number", "type number", Look::Helper, |line| {
            Cell::Number(number_of(line.number))
        })
        .only(|line| line.row.of_type.is_some()),
    ]
}

fn is_timed(line: &Type) -> bool {
    line.row.dense.is_some() && line.row.total.is_some()
}

fn is_projected(line: &Type) -> bool {
    is_timed(line) && line.row.projected.is_some()
}

/// A target that was set for the type.
fn target(line: &Type) -> Cell {
    match line.row.of_type.map(|of_type| of_type.target) {
        Some(target) if target.from == TargetOrigin::Type => Cell::Number(target.level),
        _ => Cell::None,
    }
}

fn is_settable(line: &Type) -> bool {
    let settable = line.row.of_type.is_some_and(|of_type| of_type.settable > 0);
    settable || target(line) != Cell::None
}

/// What makes the types add up to the total: name, sign, and the totals before and
/// after.
const REST: [(&str, &str, &str, &str); 3] = [
    ("concurrent", "-", "concurrent_ms", "projected_concurrent_ms"),
    ("framework overhead", "", "overhead_ms", "overhead_ms"),
    ("total", "", "total_latency_ms", "projected_total_latency_ms"),
];

/// The sum over the operators of a type, or one of the totals.
fn sum(line: &Type, end: End, key: &str) -> String {
    let context = line.context;
    if line.row.of_type.is_some() {
        // By number: a name may hold what a condition takes for a pattern.
        let (numbers, number) = (context.operators("type_number"), line.at("type_number"));
        return format!("=SUMIF({numbers},{number},{})", context.operators(key));
    }
    let rest = REST.iter().find(|(name, ..)| *name == line.row.name);
    rest.map_or(String::new(), |(_, sign, before, after)| {
        let total = if key == "latency_ms" { before } else { after };
        format!("={sign}{}", context.total_on(total, end))
    })
}

fn rest<'a>(context: &Context) -> Vec<TypeRow<'a>> {
    let totals = &context.projection.totals;
    let row = |name, dense, projected| TypeRow {
        name,
        of_type: None,
        dense,
        projected,
        origins: context.projection.origins(),
        total: totals.total.map(|total| total.value),
    };
    let minus = |time: Option<Estimate>| time.map(|time| time.times(-1.0));
    let concurrent =
        || row("concurrent", minus(totals.concurrent), minus(totals.projected_concurrent));
    let is_concurrent = totals.concurrent.is_some_and(|concurrent| concurrent.value > 0.0);
    let concurrent = is_concurrent.then(concurrent);
    let overhead =
        totals.overhead.map(|overhead| row("framework overhead", Some(overhead), Some(overhead)));
    let total = row("total", totals.total, totals.projected_total);
    concurrent.into_iter().chain(overhead).chain([total]).collect()
}

pub(super) fn define_names(workbook: &mut Workbook, context: &Context) -> Written {
    for (name, key) in [("type_numbers", "type_number"), ("type_targets", "target")] {
        workbook.define_name(name, &format!("={}", context.sheets.types.whole(key)))?;
    }
    Ok(())
}

pub(super) fn write(page: &mut Page, context: &Context) -> Written {
    let (styles, projection) = (page.styles, context.projection);
    let (layout, columns) = (&context.sheets.types, columns());
    page.text((0, 0), "Operator types, before and after", &styles.title)?;
    let above = ["latency_ms", "projected_ms", "speedup"].map(|key| layout.column(key));
    headline::above(page, context, layout.header() - 1, layout.column("type"), above)?;
    let types = &projection.types;
    let rows = types.iter().map(|of_type| TypeRow::new(projection, of_type));
    columns::write_table(page, context, layout, &columns, rows)?;
    if !types.is_empty() {
        let (first, last, column) = (layout.row(0), layout.last_row(), layout.column("target"));
        let choice = level_choice(&projection.levels)?;
        page.sheet.add_data_validation(first, column, last, column, &choice)?;
    }
    let below = types.len().max(1);
    let rest = rest(context);
    for (number, row) in (below..).zip(&rest) {
        page.text(layout.place("type", number), row.name, &styles.total)?;
    }
    let columns: Vec<Column> = columns.into_iter().filter(|column| column.key != "type").collect();
    columns::write_rows(page, context, layout, &columns, below, rest)?;
    let keys = ["type", "latency_ms", "projected_ms"];
    let bars = bars::shortened(page, layout, &keys, types.len(), |key, row| match key {
        "type" => Cell::Text(in_cell(&types[row].operator_type, &RESERVED)),
        "latency_ms" => Cell::number(types[row].dense.map(|dense| dense.value)),
        _ => Cell::number(types[row].projected.map(|projected| projected.value)),
    })?;
    let shown = types.len().clamp(1, MOST_BARS + 1);
    let mut chart =
        columns::chart(&types_chart(), bars.as_ref().unwrap_or(layout), shown, ChartType::Bar);
    chart.y_axis().set_reverse();
    chart.x_axis().set_name("ms");
    chart.show_hidden_data();
    chart.set_width(860).set_height(160 + 34 * shown as u32);
    let sheet = &mut page.sheet;
    sheet.insert_chart(layout.row(types.len() + 5), 0, &chart)?;
    sheet.set_column_hidden(layout.column("type_number"))?;
    sheet.set_freeze_panes(layout.row(0), 1)?;
    Ok(())
}
