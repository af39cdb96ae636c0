//! The sheet *Summary type*: the whole model and its operator types dense, and
//! with every weight at each level.
//!
//! Operators that look up the same ratios are summed as a group, so that the
//! sheet grows with the distinct weight shapes and not with the operators.

use super::columns::{self, Line, SheetColumn};
use super::context::{Context, End, number_of};
use super::groups::{self, Group, keys};
use super::look::Look;
use super::lookup;
use crate::document::Cell;
use crate::xlsx::layout::Layout;
use crate::xlsx::page::{Page, Written, cell, cell_in_row, items_per_second, quotient};
use onnxray_analyzer::projection::{Estimate, Origins, ProjectedType, Projection};
use onnxray_analyzer::quantity::percent;
use onnxray_analyzer::schema::workbook::{heading, sheet};
use rust_xlsxwriter::{Chart, ChartType, Format};

/// The whole model: key, label and look of its figures.
const MODEL: [(&str, &str, Look); 7] = [
    ("total", "total latency (ms)", Look::Milliseconds),
    ("low", "low", Look::Milliseconds),
    ("high", "high", Look::Milliseconds),
    ("speedup", "speedup", Look::Ratio),
    ("items", "items per second", Look::Ratio),
    ("operators", "operators (ms)", Look::Milliseconds),
    ("origin", "perf ratios", Look::Aside),
];
const MOST_IN_CHART: usize = 12;

/// The model, its operator types and its groups, one below the other.
pub(super) fn layouts(levels: u16, types: usize, groups: usize) -> [Layout; 3] {
    let columns = groups::columns(levels);
    let table = |header, rows| columns::layout(sheet::LEVELS, &columns, header, rows);
    let model = table(2, 0).with_rows(MODEL.map(|(key, ..)| key));
    let below = model.last_row() + 2;
    [model, table(below, types), table(below + types as u32 + 2, groups)]
}

pub(super) fn write(page: &mut Page, context: &Context) -> Written {
    let (styles, sheets) = (page.styles, &context.sheets);
    let [model, types, groups] = [&sheets.level_model, &sheets.level_types, &sheets.level_groups];
    page.text((0, 0), "The whole model at each sparse ratio, whatever the targets", &styles.title)?;
    headings(page, context, model, "whole model")?;
    headings(page, context, types, heading::OPERATOR_TYPE)?;
    headings(page, context, groups, heading::WEIGHT_SHAPE)?;
    for (row, (key, label, look)) in MODEL.into_iter().enumerate() {
        page.text(model.place("label", row), label, &styles.label)?;
        let format = look.format(page);
        let (formula, value) = baseline(context, key);
        live(page, model.place("baseline", row), formula, &value, format)?;
        for position in 0..levels(model) {
            let place = (model.row(row), model.column("level") + position);
            let formula = at_level(model, position, &model_at_level(context, key, position));
            let value = model_value(context, position as usize, key);
            live(page, place, formula, &value, format)?;
        }
    }
    let (columns, rows) = (type_columns(levels(model)), &context.projection.types);
    columns::write_rows(page, context, types, &columns, 0, rows)?;
    let rows = (0..context.groups.first.len()).filter_map(|group| Group::new(context, group));
    let columns = groups::columns(levels(model));
    columns::write_rows(page, context, groups, &columns, 0, rows)?;
    charts(page, context)?;
    let sheet = &mut page.sheet;
    sheet.set_column_width(model.column("label"), 36)?;
    sheet.set_column_range_width(model.column("baseline"), model.column("type_number"), 20)?;
    sheet.set_column_range_hidden(model.column("type_number"), model.last_column())?;
    sheet.set_freeze_panes(model.row(0), 1)?;
    Ok(())
}

/// A formula; what nothing tells follows from none.
fn live(
    page: &mut Page,
    place: (u32, u16),
    formula: String,
    value: &Cell,
    format: &Format,
) -> Written {
    match value {
        Cell::Unknown => page.known(place, None, format),
        value => page.formula(place, formula, value, format),
    }
}

/// Number of columns for levels.
fn levels(layout: &Layout) -> u16 {
    let (first, last) = layout.columns("level");
    last - first + 1
}

fn headings(page: &mut Page, context: &Context, layout: &Layout, name: &str) -> Written {
    page.header(layout.header(), layout.column("label"), &[name])?;
    page.number_header(layout.header(), layout.column("baseline"), &["Baseline ms"])?;
    let styles = page.styles;
    let pruned = styles.number_header.clone().set_num_format("\"Pruned \"0.0##%\" ms\"");
    let even = styles.number_header.clone().set_num_format("\"Pruned \"0%\" ms\"");
    let ratios = &context.sheets.ratios;
    for position in 0..levels(layout) {
        let heading = cell_in_row(ratios.header(), ratios.column("level") + position);
        let heading = format!("'{}'!{heading}", sheet::RATIOS);
        let level = context.projection.at_levels.get(position as usize).map(|level| level.level);
        let is_even = level.is_none_or(|level| percent(level).fract() == 0.0);
        let formula = format!("=IF(ISNUMBER({heading}),{heading},\"\")");
        let value = level.map_or(Cell::None, Cell::Number);
        let place = (layout.header(), layout.column("level") + position);
        page.formula(place, formula, &value, if is_even { &even } else { &pruned })?;
    }
    Ok(())
}

/// A formula for the level in a column, or nothing if the column has none.
fn at_level(model: &Layout, position: u16, formula: &str) -> String {
    let heading = cell_in_row(model.header(), model.column("level") + position);
    format!("=IF({heading}=\"\",\"\",{formula})")
}

fn end_of(key: &str) -> End {
    match key {
        "low" => End::Low,
        "high" => End::High,
        _ => End::Value,
    }
}

/// A figure of the model as it was measured: formula and value.
fn baseline(context: &Context, key: &str) -> (String, Cell) {
    let totals = &context.projection.totals;
    let end = end_of(key);
    let (total, value) = match key {
        "speedup" => {
            return ("=1".to_string(), totals.total.map_or(Cell::Unknown, |_| Cell::Number(1.0)));
        }
        "origin" => {
            let measured = Origins::default().text();
            return (format!("=\"{measured}\""), Cell::text(measured));
        }
        "items" => ("items_per_second", totals.items_per_second),
        "operators" => ("operators_ms", totals.operators),
        _ => ("total_latency_ms", totals.total),
    };
    let formula = format!("={}", context.total_on(total, end));
    (formula, Cell::number(value.map(|value| end.of(value))))
}

/// The value of a figure at a level; nothing in columns that are left for more, where
/// that can be known.
fn model_value(context: &Context, position: usize, key: &str) -> Cell {
    let Projection { at_levels, totals, .. } = context.projection;
    let Some(level) = at_levels.get(position) else {
        return if totals.projected_total.is_some() { Cell::None } else { Cell::Unknown };
    };
    let totals = &level.totals;
    if key == "origin" {
        return totals.projected_total.map_or(Cell::Unknown, |_| Cell::text(level.origins.text()));
    }
    let value: Option<Estimate> = match key {
        "speedup" => totals.speedup,
        "items" => totals.projected_items_per_second,
        "operators" => totals.projected_operators,
        _ => totals.projected_total,
    };
    Cell::number(value.map(|value| end_of(key).of(value)))
}

/// The formula of a figure in the column of a level, without `=`.
fn model_at_level(context: &Context, key: &str, position: u16) -> String {
    let (model, groups) = (&context.sheets.level_model, &context.sheets.level_groups);
    let here = |key| cell(model.row(model.row_of(key)), model.column("level") + position);
    match key {
        "speedup" => {
            quotient(&model.at_in_column("baseline", model.row_of("total")), &here("total"))
        }
        "items" => items_per_second(&context.total_on("batch_size", End::Value), &here("total")),
        "operators" => groups_at_level(context, End::Value, position),
        "origin" => lookup::origins(&groups.nth_span("origin", position)),
        _ => {
            let end = end_of(key);
            let operators = match end {
                End::Value => here("operators"),
                _ => groups_at_level(context, end, position),
            };
            let covered = context.total_on("covered", End::Value);
            format!("{operators}*{covered}+N({})", context.total_on("overhead_ms", end))
        }
    }
}

/// All operators at an end: what the groups change about them.
fn groups_at_level(context: &Context, end: End, position: u16) -> String {
    let groups = &context.sheets.level_groups;
    let [dense, level, _] = keys(end);
    let (own, dense) = (groups.nth_span(level, position), groups.nth_span(dense, 0));
    format!("({}+SUM({own})-SUM({dense}))", context.total_on("operators_ms", end))
}

fn type_columns<'a>(levels: u16) -> [SheetColumn<&'a ProjectedType>; 4] {
    type Column<'a> = SheetColumn<&'a ProjectedType>;
    let ms = |key, value| Column::own(key, "", Look::Milliseconds, value);
    [
        Column::own("label", "", Look::Text, |line| Cell::text(&line.row.operator_type)),
        ms("baseline", |line| Cell::number(line.row.dense.map(|dense| dense.value)))
            .live(|line| line.row.dense.is_some())
            .formula(|line| {
                let all = |key| line.context.operators(key);
                format!("={}", sum_of(line, &all("type_number"), &all("latency_ms")))
            }),
        ms("level", |line| {
            let level = line.context.projection.at_levels.get(line.position as usize);
            let latency = level.and_then(|level| level.types.get(line.number));
            match latency {
                None if line.row.projected.is_some() => Cell::None,
                latency => Cell::number(latency.copied().flatten().map(|latency| latency.value)),
            }
        })
        .times(levels)
        .live(|line| line.row.projected.is_some())
        .formula(|line| {
            let groups = &line.context.sheets.level_groups;
            let sum = |key, position| {
                let values = groups.nth_rows_of(key, position);
                sum_of(line, &groups.rows_of("type_number"), &values)
            };
            let (sparse, dense) = (sum("level", line.position), sum("baseline", 0));
            let formula = format!("{}+{sparse}-{dense}", line.in_column("baseline"));
            at_level(&line.context.sheets.level_model, line.position, &formula)
        }),
        Column::own("type_number", "", Look::Helper, |line| Cell::Number(number_of(line.number))),
    ]
}

/// The sum of what belongs to the type of a row.
fn sum_of(line: &Line<&ProjectedType>, type_numbers: &str, values: &str) -> String {
    format!("SUMIF({type_numbers},{},{values})", line.in_column("type_number"))
}

fn charts(page: &mut Page, context: &Context) -> Written {
    let (model, types) = (&context.sheets.level_model, &context.sheets.level_types);
    let first = model.column("baseline");
    let last = first + context.projection.levels.len() as u16;
    let across = |row| (sheet::LEVELS, row, first, row, last);
    let mut total = Chart::new(ChartType::Column);
    let series = total.add_series().set_name("total latency (ms)").set_gap(60);
    series.set_categories(across(model.header())).set_values(across(model.row(0)));
    total.title().set_name("Latency of the whole model (ms)");
    total.legend().set_hidden();
    total.y_axis().set_min(0.0).set_name("ms");
    total.set_width(560).set_height(340);
    let mut stacked = Chart::new(ChartType::ColumnStacked);
    let shown = context.projection.types.len().min(MOST_IN_CHART);
    let types_left_out = context.projection.types.len() - shown;
    for row in (0..shown).map(|number| types.row(number)) {
        let series = stacked.add_series().set_name((sheet::LEVELS, row, types.column("label")));
        series.set_categories(across(model.header())).set_values(across(row)).set_gap(60);
    }
    stacked.title().set_name(
        match types_left_out {
            0 => "Latency by operator type (ms)".to_string(),
            more => format!("Latency by operator type (ms), without {more} that take least"),
        }
        .as_str(),
    );
    stacked.y_axis().set_min(0.0).set_name("ms");
    stacked.set_width(640).set_height(340);
    let below = context.sheets.level_groups.last_row() + 2;
    page.sheet.insert_chart(below, 0, &total)?;
    if shown > 0 {
        page.sheet.insert_chart(below, 5, &stacked)?;
    }
    Ok(())
}
