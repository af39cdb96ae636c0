//! The sheet *Summary type*: the whole model and its operator types dense, and with every
//! weight at each level, from the [`groups`](super::groups) below them.

use super::groups::{Group, keys};
use super::lookup;
use super::model::{End, Model, number_of};
use super::setting::level_columns;
use crate::document::{
    Cell, CellStyle, Entry, SheetColumn, SheetTable, items_per_second, quotient,
};
use onnxray_analyzer::projection::{Estimate, Origins, Totals};
use std::rc::Rc;

/// A figure of the whole model.
struct Figure {
    key: &'static str,
    label: &'static str,
    style: CellStyle,
    /// Which end of it.
    end: End,
    /// As it was measured, and by what that is computed.
    measured: fn(&Totals) -> Option<Estimate>,
    baseline: &'static str,
    /// At a level, and by what that is computed in the column of a level, without `=`.
    projected: fn(&Totals) -> Option<Estimate>,
    formula: fn(&Figure, u16) -> String,
}

const TOTAL: Figure = Figure {
    key: "total",
    label: "total latency (ms)",
    style: CellStyle::MILLISECONDS,
    end: End::Value,
    measured: |totals| totals.total,
    baseline: "=[!totals.value:total_latency_ms]",
    projected: |totals| totals.projected_total,
    formula: |figure, position| {
        let operators = match figure.end {
            End::Value => format!("[level#{position}:operators]"),
            end => operators(end, position),
        };
        let overhead = format!("[!totals.{}:overhead_ms]", figure.end.key());
        format!("{operators}*[!totals.value:covered]+N({overhead})")
    },
};

const FIGURES: [Figure; 6] = [
    TOTAL,
    Figure {
        key: "low",
        label: "low",
        end: End::Low,
        baseline: "=[!totals.low:total_latency_ms]",
        ..TOTAL
    },
    Figure {
        key: "high",
        label: "high",
        end: End::High,
        baseline: "=[!totals.high:total_latency_ms]",
        ..TOTAL
    },
    Figure {
        key: "speedup",
        label: "speedup",
        style: CellStyle::RATIO,
        measured: |totals| totals.total.map(|_| Estimate::exact(1.0)),
        baseline: "=1",
        projected: |totals| totals.speedup,
        formula: |_, position| quotient("[$baseline:total]", &format!("[level#{position}:total]")),
        ..TOTAL
    },
    Figure {
        key: "items",
        label: "items per second",
        style: CellStyle::RATIO,
        measured: |totals| totals.items_per_second,
        baseline: "=[!totals.value:items_per_second]",
        projected: |totals| totals.projected_items_per_second,
        formula: |_, position| {
            items_per_second("[!totals.value:batch_size]", &format!("[level#{position}:total]"))
        },
        ..TOTAL
    },
    Figure {
        key: "operators",
        label: "operators (ms)",
        measured: |totals| totals.operators,
        baseline: "=[!totals.value:operators_ms]",
        projected: |totals| totals.projected_operators,
        formula: |_, position| operators(End::Value, position),
        ..TOTAL
    },
];

/// All operators at an end: what the groups change about them.
fn operators(end: End, position: u16) -> String {
    let [dense, level, _] = keys(end);
    format!(
        "([!totals.{}:operators_ms]+SUM([level_groups.{level}#{position}*])\
         -SUM([level_groups.{dense}*]))",
        end.key()
    )
}

/// A formula for the level in a column, or nothing if the column has none.
fn at_level(position: u16, formula: &str) -> String {
    format!("=IF([level_model.level#{position}^]=\"\",\"\",{formula})")
}

/// The whole model.
pub(crate) fn model_levels<'a>(model: &'a Model) -> SheetTable<'a> {
    let projection = model.projection;
    let keys = FIGURES.iter().map(|figure| figure.key).chain(["origin"]);
    let mut columns = vec![
        SheetColumn::new("label", "", CellStyle::Label, |row| {
            let label = FIGURES.get(row).map_or("perf ratios", |figure| figure.label);
            Some(Cell::label("", label).into())
        }),
        SheetColumn::new("baseline", "", CellStyle::Aside, |row| {
            let Some(figure) = FIGURES.get(row) else {
                let measured = Origins::default().text();
                return Some(Entry::live(Cell::text(measured), format!("=\"{measured}\"")));
            };
            let value = (figure.measured)(&projection.totals);
            let value = Cell::number(value.map(|value| figure.end.of(value)));
            Some(Entry::known(value, Some(figure.baseline)).style(figure.style))
        }),
    ];
    let is_known = projection.totals.projected_total.is_some();
    columns.extend((0..level_columns(projection)).map(|position| {
        let level = projection.at_levels.get(usize::from(position));
        SheetColumn::new("level", "", CellStyle::Aside, move |row| {
            let Some(figure) = FIGURES.get(row) else {
                if !is_known {
                    return Some(Entry::from(Cell::Unknown).style(CellStyle::Word));
                }
                let value = level.map_or(Cell::None, |level| Cell::text(level.origins.text()));
                let origins = lookup::origins(&format!("[level_groups.origin#{position}*]"));
                return Some(Entry::live(value, at_level(position, &origins)));
            };
            let value = match level.map(|level| (figure.projected)(&level.totals)) {
                // Nothing in columns that are left for more, where that can be known.
                None => {
                    if is_known {
                        Cell::None
                    } else {
                        Cell::Unknown
                    }
                }
                Some(value) => Cell::number(value.map(|value| figure.end.of(value))),
            };
            let formula = at_level(position, &(figure.formula)(figure, position));
            Some(Entry::known(value, Some(formula)).style(figure.style))
        })
    }));
    SheetTable::of("level_model", columns, FIGURES.len() + 1).with_rows(keys)
}

/// Its operator types.
pub(crate) fn type_levels<'a>(model: &'a Model) -> SheetTable<'a> {
    let (projection, types) = (model.projection, &model.projection.types);
    let sum = |numbers: &str, values: &str| format!("SUMIF({numbers},[$type_number],{values})");
    let mut columns = vec![
        SheetColumn::new("label", "", CellStyle::Text, |row| {
            Some(Cell::text(&types[row].operator_type).into())
        }),
        SheetColumn::new("baseline", "", CellStyle::MILLISECONDS, move |row| {
            let latency = Cell::number(types[row].dense.map(|dense| dense.value));
            let sum = sum("[!operators.type_number]", "[!operators.latency_ms]");
            Some(Entry::known(latency, Some(format!("={sum}"))))
        }),
    ];
    columns.extend((0..level_columns(projection)).map(|position| {
        SheetColumn::new("level", "", CellStyle::MILLISECONDS, move |row| {
            let level = projection.at_levels.get(usize::from(position));
            let is_known = types[row].projected.is_some();
            let value = match level.and_then(|level| level.types.get(row)) {
                None if is_known => Cell::None,
                latency => Cell::number(latency.copied().flatten().map(|latency| latency.value)),
            };
            let of_groups = |key: &str| sum("[level_groups.$type_number*]", key);
            let sparse = of_groups(&format!("[level_groups.$level#{position}*]"));
            let dense = of_groups("[level_groups.$baseline*]");
            let formula = at_level(position, &format!("[$baseline]+{sparse}-{dense}"));
            let formula = is_known.then_some(formula);
            Some(Entry { formula, ..value.into() })
        })
    }));
    columns.push(SheetColumn::new("type_number", "", CellStyle::Helper, |row| {
        Some(number_of(row).into())
    }));
    SheetTable::of("level_types", columns, types.len())
}

/// Operators that look up the same ratios, summed as groups, so that the sheet grows with the
/// distinct weight shapes and not with the operators.
pub(crate) fn group_levels<'a>(model: &'a Model) -> SheetTable<'a> {
    let groups = (0..model.groups.first.len()).filter_map(|group| Group::new(model, group));
    let groups: Rc<[Group]> = groups.collect();
    let columns = Group::columns(&groups, level_columns(model.projection));
    SheetTable::of("level_groups", columns, groups.len()).with_width(20.0)
}
