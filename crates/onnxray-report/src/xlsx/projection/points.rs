//! Hidden columns of the sheet *Sparse ratio setting*: by what a row of ratios is
//! found, and its points in ascending order of their levels.

use super::columns::{Line, SheetColumn};
use super::look::Look;
use super::lookup::NO_LEVEL;
use crate::document::Cell;
use crate::xlsx::page::{cell_in_column, column};
use onnxray_analyzer::projection::{AppliedRow, Estimate, RatioPoint};

/// A row of ratios, or one that is left for another.
pub(super) type Row<'a> = Option<&'a AppliedRow>;
pub(super) type Ratios<'l, 'a> = Line<'l, Row<'a>>;

pub(super) const KEYS: [&str; 7] =
    ["key", "below", "point_level", "point_ratio", "point_low", "point_high", "point_origin"];

pub(super) fn columns<'a>(levels: u16) -> [SheetColumn<Row<'a>>; 7] {
    let helper = |key, heading, value| SheetColumn::own(key, heading, Look::Helper, value);
    let [key, below, point_level, point_ratio, point_low, point_high, point_origin] = KEYS;
    // Behind the last point its ratios go on, which holds them above the highest level.
    let count = levels + 1;
    [
        helper(key, "key", key_text).formula(key_formula),
        helper(below, "below", |line| Cell::Number(others(line))).formula(|line| {
            let others = line.in_column("others");
            format!("=IF(ISNUMBER({others}),IF({others}>0,{others},1),1)")
        }),
        helper(point_level, "level", |line| {
            Cell::Number(point(line).map_or(NO_LEVEL, |point| point.level))
        })
        .times(count)
        .array(level_formula),
        helper(point_ratio, "ratio", |line| Cell::Number(ratio(line).value))
            .times(count)
            .formula(ratio_formula),
        helper(point_low, "low", |line| Cell::Number(ratio(line).low))
            .times(count)
            .formula(|line| end_formula(line, "low", "point_low")),
        helper(point_high, "high", |line| Cell::Number(ratio(line).high))
            .times(count)
            .formula(|line| end_formula(line, "high", "point_high")),
        helper(point_origin, "origin", |line| {
            point(line).map_or(Cell::None, |point| Cell::text(point.origin.key()))
        })
        .times(count)
        .formula(origin_formula),
    ]
}

fn key_text(line: &Ratios) -> Cell {
    let Some(row) = line.row else { return Cell::None };
    let key = &row.ratios.key;
    let operator_type = key.operator_type.as_deref().unwrap_or_default();
    let data_type = key.data_type.map_or(String::new(), |data_type| data_type.to_string());
    Cell::Text(format!("{operator_type}|{}|{data_type}|{}", key.shape, key.block))
}

fn key_formula(line: &Ratios) -> String {
    let [shape, of_type, of_data, block] =
        ["weight_shape", "type", "data_type", "block"].map(|key| line.in_column(key));
    let block = format!("IF({block}=\"\",ratio_block,{block})");
    format!("=IF({shape}=\"\",\"\",{of_type}&\"|\"&{shape}&\"|\"&{of_data}&\"|\"&{block})")
}

/// The ratio below the lowest level.
fn others(line: &Ratios) -> f64 {
    line.row.map_or(1.0, |row| row.ratios.others)
}

fn point<'a>(line: &Ratios<'_, 'a>) -> Option<&'a RatioPoint> {
    line.row.and_then(|row| row.ratios.points.get(line.position as usize))
}

fn ratio(line: &Ratios) -> Estimate {
    let last = || line.row.and_then(|row| row.ratios.points.last());
    let point = point(line).or_else(last);
    point.map_or(Estimate::exact(others(line)), |point| point.ratio)
}

/// `$G7:$N7`: the cells of a key in this row.
pub(super) fn across(line: &Ratios, key: &str) -> String {
    let row = line.layout.row(line.number);
    let (first, last) = line.layout.columns(key);
    format!("{}:{}", cell_in_column(row, first), cell_in_column(row, last))
}

/// `$G$6:$N$6`: the levels above them.
fn levels(line: &Ratios, key: &str) -> String {
    let (first, last) = line.layout.columns(key);
    let header = line.layout.header() + 1;
    format!("${}${header}:${}${header}", column(first), column(last))
}

fn level_formula(line: &Ratios) -> String {
    let (levels, values) = (levels(line, "level"), across(line, "level"));
    format!(
        "=IFERROR(SMALL(IF(ISNUMBER({levels})*ISNUMBER({values})*({values}>0),{levels}),{}),{NO_LEVEL})",
        line.position + 1
    )
}

/// What stands before this point, or below all.
fn before(line: &Ratios, key: &str) -> String {
    match line.position.checked_sub(1) {
        Some(position) => line.nth(key, position),
        None => line.at("below"),
    }
}

fn ratio_formula(line: &Ratios) -> String {
    let (levels, values) = (levels(line, "level"), across(line, "level"));
    let (level, before) = (line.nth("point_level", line.position), before(line, "point_ratio"));
    format!("=IF({level}<{NO_LEVEL},INDEX({values},MATCH({level},{levels},0)),{before})")
}

/// An end of the range, or the ratio where none is given.
fn end_formula(line: &Ratios, ends: &str, key: &str) -> String {
    let (levels, ends) = (levels(line, ends), across(line, ends));
    let (level, middle) =
        (line.nth("point_level", line.position), line.nth("point_ratio", line.position));
    let end = format!("INDEX({ends},MATCH({level},{levels},0))");
    format!(
        "=IF({level}<{NO_LEVEL},IFERROR(IF(ISNUMBER({end}),{end},{middle}),{middle}),{})",
        before(line, key)
    )
}

fn origin_formula(line: &Ratios) -> String {
    let (levels, origins) = (levels(line, "level"), across(line, "origin_at"));
    let level = line.nth("point_level", line.position);
    format!("=IF({level}<{NO_LEVEL},INDEX({origins},MATCH({level},{levels},0)),\"\")")
}
