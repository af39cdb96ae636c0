//! The sheet *Sparse ratio setting*: perf ratios to set, one row per weight shape and type,
//! one column per level; behind them, hidden, by what a row of ratios is found, and its points
//! in ascending order of their levels.

use super::lookup::{self, NO_LEVEL};
use super::model::Model;
use super::typed;
use crate::document::{Cell, CellStyle, Entry, Table, TableColumn};
use onnxray_analyzer::projection::{
    AppliedRow, Estimate, Origin, Projection, RatioKey, RatioPoint,
};
use onnxray_analyzer::workbook_words::heading;

/// Rows that are left for more ratios.
const SPARE_ROWS: usize = 10;
/// Stands where an origin would, in a row without ratios.
const NO_RATIO: &str = "no ratio given";

/// Columns for levels, those to be filled included.
pub(crate) fn level_columns(projection: &Projection) -> u16 {
    // Three are for levels that a user adds; a small workbook has eight.
    (projection.levels.len() as u16 + 3).max(8)
}

/// A row of ratios, or one that is left for another.
type Row<'a> = Option<&'a AppliedRow>;

pub(crate) fn ratios_sheet<'a>(model: &'a Model) -> Table {
    let projection = model.projection;
    let spare = std::iter::repeat_n(None, SPARE_ROWS);
    let rows: Vec<Row> = projection.rows.iter().map(Some).chain(spare).collect();
    let levels = level_columns(projection);
    let stated = |key, heading, style, cell: &dyn Fn(&AppliedRow) -> Cell| {
        let cells = rows.iter().map(|row| Entry::from(row.map_or(Cell::None, cell)));
        TableColumn::live(key, heading, style, cells)
    };
    let word = |key, heading, part: fn(&RatioKey) -> Option<String>| {
        stated(key, heading, CellStyle::Input, &|row| {
            part(&row.ratios.key).map_or(Cell::None, Cell::Text)
        })
    };
    // The point at the level of a column.
    let point_at = |row: Row<'a>, position: u16| -> Option<&'a RatioPoint> {
        let level = projection.levels.get(usize::from(position))?;
        row?.ratios.point(*level)
    };
    // Headings of levels are numbers, which do not wrap.
    let ratio = |key, pick: fn(Estimate) -> Option<f64>| {
        let column = |position| {
            let ratios = rows.iter().map(|row| {
                let ratio = point_at(*row, position).and_then(|point| pick(point.ratio));
                Entry::from(ratio.map_or(Cell::None, Cell::Number))
            });
            TableColumn::live(key, "", CellStyle::InputRatio, ratios).width(15.0)
        };
        (0..levels).map(column).collect::<Vec<_>>()
    };
    let end = |key, pick| {
        // Folded away until somebody wants to give a range.
        let is_given = projection.spread.ratios;
        let columns = ratio(key, pick).into_iter();
        columns.map(move |column| if is_given { column } else { column.folded() })
    };
    let origins = rows.iter().map(|row| {
        let ratios = Some(&row.as_ref()?.ratios).filter(|ratios| !ratios.points.is_empty());
        let origin = ratios.map_or(NO_RATIO, |ratios| ratios.origins().text());
        let origins = lookup::origins("[$origin_at#]");
        // Not the ratios are counted, as `COUNT` leaves out those that are typed as text.
        let formula = format!("=IF(COUNTIF([$origin_at#],\"?*\")=0,\"{NO_RATIO}\",{origins})");
        Some(Entry::live(Cell::text(origin), formula))
    });
    let mut columns = vec![
        word("weight_shape", heading::WEIGHT_SHAPE, |key| Some(key.shape.to_string())).width(36.0),
        word("type", heading::OPERATOR_TYPE, |key| key.operator_type.clone()).width(16.0),
        word("data_type", heading::DATA_TYPE, |key| key.data_type.map(|known| known.to_string()))
            .width(10.0),
        word("block", heading::BLOCK, |key| Some(key.block.to_string())).width(8.0),
        stated("operators", heading::OPERATORS, CellStyle::QUANTITY, &|row| {
            Cell::Whole(row.operators)
        })
        .width(10.0),
        TableColumn::live("origin", heading::ORIGIN, CellStyle::Aside, origins).width(22.0),
    ];
    columns.extend(ratio("level", |ratio| Some(ratio.value)));
    columns.push(
        stated("others", heading::OTHERS, CellStyle::InputRatio, &|row| {
            Cell::Number(row.ratios.others)
        })
        .width(15.0),
    );
    columns.extend(end("low", |ratio| (ratio.low < ratio.high).then_some(ratio.low)));
    columns.extend(end("high", |ratio| (ratio.low < ratio.high).then_some(ratio.high)));
    columns.extend((0..levels).map(|position| {
        let origins = rows.iter().map(|row| {
            let point = point_at(*row, position);
            let value = point.map_or(Cell::None, |point| Cell::text(point.origin.key()));
            Entry::live(value, origin_at(point, position))
        });
        TableColumn::live("origin_at", "", CellStyle::Helper, origins).hidden()
    }));
    columns.extend(points(&rows, levels).into_iter().map(TableColumn::hidden));
    Table::made("ratios", columns, rows.len())
}

/// A measured ratio or a default that is still there as it was written, and its range, is one; all
/// else is given.
fn origin_at(point: Option<&RatioPoint>, position: u16) -> String {
    let given = Origin::Given.key();
    let origin = match point.filter(|point| point.origin != Origin::Given) {
        Some(RatioPoint { ratio, origin, .. }) => {
            let cell = |kind| format!("[{kind}#{position}]");
            let is = |kind, value: f64| format!("{}={value}", typed::number(&cell(kind)));
            // An end is left out where it equals the ratio.
            let is_end = |kind, end: f64| match ratio.low < ratio.high {
                true => is(kind, end),
                false => format!("OR({},{})", typed::is_blank(&cell(kind)), is(kind, end)),
            };
            format!(
                "IF(AND({},{},{}),\"{}\",\"{given}\")",
                is("level", ratio.value),
                is_end("low", ratio.low),
                is_end("high", ratio.high),
                origin.key()
            )
        }
        None => format!("\"{given}\""),
    };
    let blank = typed::is_blank(&format!("[level#{position}]"));
    format!("=IF({blank},\"\",{origin})")
}

/// Keys of what formulas find ratios by.
pub(crate) const POINTS: [&str; 7] =
    ["key", "below", "point_level", "point_ratio", "point_low", "point_high", "point_origin"];

fn points(rows: &[Row], levels: u16) -> Vec<TableColumn> {
    let [key, below, point_level, point_ratio, point_low, point_high, point_origin] = POINTS;
    // After the last point its ratios go on, which holds them above the highest level.
    let each = |key, heading: &str, entry: fn(&Row, u16) -> Entry| {
        let column = |position: u16| {
            let heading = format!("{heading} {}", position + 1);
            let entries = rows.iter().map(|row| entry(row, position));
            TableColumn::live(key, heading, CellStyle::Helper, entries)
        };
        (0..=levels).map(column).collect::<Vec<_>>()
    };
    // A ratio that is not above 0 is a slip, and counts as not given.
    let given = typed::number("[$others]");
    let formula = format!("=IF({given}>0,{given},1)");
    let ratios = rows.iter().map(|row| Entry::live(Cell::Number(others(row)), formula.clone()));
    let mut columns = vec![
        TableColumn::live(key, "key", CellStyle::Helper, rows.iter().map(key_of)),
        TableColumn::live(below, "below", CellStyle::Helper, ratios),
    ];
    columns.extend(each(point_level, "level", |row, position| {
        let level = point(row, position).map_or(NO_LEVEL, |point| point.level);
        // The nth smallest level that has a ratio, as columns may be in any order.
        let formula = format!(
            "=IFERROR(SMALL(IF(ISNUMBER([$origin_at#^])*({}>0),[$origin_at#^]),{}),{NO_LEVEL})",
            typed::number("[$level#]"),
            position + 1
        );
        Entry::array(Cell::Number(level), formula)
    }));
    columns.extend(each(point_ratio, "ratio", |row, position| {
        let formula = format!(
            "=IF([point_level#{position}]<{NO_LEVEL},\
             {},{})",
            typed::number(&at("level", &format!("[point_level#{position}]"))),
            before("point_ratio", position)
        );
        Entry::live(Cell::Number(ratio(row, position).value), formula)
    }));
    columns.extend(each(point_low, "low", |row, position| {
        let formula = end_formula(position, "low", "point_low");
        Entry::array(Cell::Number(ratio(row, position).low), formula)
    }));
    columns.extend(each(point_high, "high", |row, position| {
        let formula = end_formula(position, "high", "point_high");
        Entry::array(Cell::Number(ratio(row, position).high), formula)
    }));
    columns.extend(each(point_origin, "origin", |row, position| {
        let origin = point(row, position).map(|point| Cell::text(point.origin.key()));
        let formula = format!(
            "=IF([point_level#{position}]<{NO_LEVEL},\
             {},\"\")",
            at("origin_at", &format!("[point_level#{position}]"))
        );
        Entry::live(origin.unwrap_or(Cell::None), formula)
    }));
    columns
}

/// Lookup key of a row of perf ratios.
fn key_of(row: &Row) -> Entry {
    let text = row.map(|row| {
        let key = &row.ratios.key;
        let operator_type = key.operator_type.as_deref().unwrap_or_default();
        let data_type = key.data_type.map_or(String::new(), |data_type| data_type.to_string());
        format!("{operator_type}|{}|{data_type}|{}", key.shape, key.block)
    });
    let formula = "=IF([$weight_shape]=\"\",\"\",[$type]&\"|\"&[$weight_shape]&\"|\"&[$data_type]\
                   &\"|\"&IF([$block]=\"\",ratio_block,[$block]))";
    Entry::live(text.map_or(Cell::None, Cell::Text), formula)
}

/// The ratio below the lowest level.
fn others(row: &Row) -> f64 {
    row.map_or(1.0, |row| row.ratios.others)
}

fn point<'a>(row: &Row<'a>, position: u16) -> Option<&'a RatioPoint> {
    row.and_then(|row| row.ratios.points.get(usize::from(position)))
}

fn ratio(row: &Row, position: u16) -> Estimate {
    let last = || row.and_then(|row| row.ratios.points.last());
    // After the last point its ratio goes on, as in the formulas.
    let point = point(row, position).or_else(last);
    point.map_or(Estimate::exact(others(row)), |point| point.ratio)
}

/// The same cell of the point before, or the ratio below all points.
fn before(key: &str, position: u16) -> String {
    position.checked_sub(1).map_or("[below]".to_string(), |before| format!("[{key}#{before}]"))
}

/// The cell of a row in the column of a level, among those of one kind.
fn at(kind: &str, level: &str) -> String {
    // Headings of origins are numbers; an end has a heading of its own to type.
    let levels = match kind {
        "low" | "high" => typed::level(&format!("[${kind}#^]")),
        _ => "[$origin_at#^]".to_string(),
    };
    format!("INDEX([${kind}#],MATCH({level},{levels},0))")
}

/// An end of the range, or the ratio where none is given.
fn end_formula(position: u16, ends: &str, key: &str) -> String {
    let (level, middle) =
        (format!("[point_level#{position}]"), format!("[point_ratio#{position}]"));
    let end = at(ends, &level);
    let number = typed::number(&end);
    format!(
        "=IF({level}<{NO_LEVEL},IF({},{middle},{number}),{})",
        typed::is_blank(&end),
        before(key, position)
    )
}
