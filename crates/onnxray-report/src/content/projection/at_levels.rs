//! The sheet *Summary type*: the whole model and its operator types dense, and with every
//! weight at each level, from the [`groups`](super::groups) below them.

use super::groups::{Group, keys};
use super::lookup;
use super::model::{End, Model, number_of};
use super::setting::level_columns;
use crate::document::Unit::{Milliseconds, Ratio};
use crate::document::{
    Cell, CellStyle, Column, Entry, SheetColumn, SheetTable, columns, items_per_second, quotient,
};
use onnxray_analyzer::projection::{Estimate, Origins, Projection, Totals};
use std::rc::Rc;

/// The whole model as it was measured, or in the column of a level.
struct At<'a> {
    projection: &'a Projection,
    position: Option<u16>,
}

impl At<'_> {
    fn of(
        &self,
        end: End,
        measured: fn(&Totals) -> Option<Estimate>,
        projected: fn(&Totals) -> Option<Estimate>,
    ) -> Cell {
        let Some(position) = self.position else {
            return end.cell(measured(&self.projection.totals));
        };
        let is_known = self.projection.totals.projected_total.is_some();
        match self.projection.at_levels.get(usize::from(position)) {
            Some(level) => end.cell(projected(&level.totals)),
            // Nothing in columns that are left for more, where that can be known.
            None if is_known => Cell::None,
            None => Cell::Unknown,
        }
    }

    /// A formula without `=`, which says nothing in the column of no level.
    fn formula(&self, measured: &str, projected: impl FnOnce(u16) -> String) -> String {
        match self.position {
            None => format!("={measured}"),
            Some(position) => at_level(position, &projected(position)),
        }
    }

    fn total(&self, end: End) -> String {
        let totals = format!("[!totals.{}:total_latency_ms]", end.key());
        self.formula(&totals, |position| {
            let operators = match end {
                End::Value => format!("[level#{position}:operators]"),
                end => operators(end, position),
            };
            // `N` takes an unknown overhead as 0.
            let overhead = format!("[!totals.{}:overhead_ms]", end.key());
            format!("{operators}*[!totals.value:covered]+N({overhead})")
        })
    }
}

columns! {
    fn figures<'a>: At<'a>;

    /// one inference
    for END: End in [
        "total" "total latency (ms)" = End::Value,
        "low" "low" = End::Low,
        "high" "high" = End::High,
    ] Milliseconds = |at| at.of(END, |totals| totals.total, |totals| totals.projected_total),
        formula(|at| at.total(END));
    /// total latency of the baseline / that of the level
    "speedup" "speedup" Ratio = |at| {
        let baseline: fn(&Totals) -> _ = |totals| totals.total.map(|_| Estimate::exact(1.0));
        at.of(End::Value, baseline, |totals| totals.speedup)
    },
        formula(|at| at.formula("1", |position| {
            quotient("[$baseline:total]", &format!("[level#{position}:total]"))
        }));
    /// batch size / total latency
    "items" "items per second" Ratio = |at| {
        at.of(
            End::Value,
            |totals| totals.items_per_second,
            |totals| totals.projected_items_per_second,
        )
    },
        formula(|at| at.formula("[!totals.value:items_per_second]", |position| {
            items_per_second("[!totals.value:batch_size]", &format!("[level#{position}:total]"))
        }));
    /// exclusive time of all operators
    "operators" "operators (ms)" Milliseconds =
        |at| at.of(End::Value, |totals| totals.operators, |totals| totals.projected_operators),
        formula(|at| at.formula("[!totals.value:operators_ms]", |position| {
            operators(End::Value, position)
        }));
}

/// What stands in the cell of a figure.
fn entry<'a>(figure: &Column<At<'a>>, at: &At<'a>) -> Entry {
    let formula = figure.sheet.formula.map(|of| of(at));
    Entry::known((figure.value)(at), formula).style(CellStyle::of(figure.unit))
}

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
    let figures: Rc<[Column<At>]> = figures().into();
    let length = figures.len() + 1;
    let keys: Vec<&str> = figures.iter().map(|figure| figure.key).chain(["origin"]).collect();
    let labels = Rc::clone(&figures);
    let measured = Rc::clone(&figures);
    let mut columns = vec![
        SheetColumn::new("label", "", CellStyle::Label, move |row| {
            let label = labels.get(row).map_or("perf ratios", |figure| figure.heading);
            Some(Cell::label("", label).into())
        }),
        SheetColumn::new("baseline", "", CellStyle::Aside, move |row| {
            let Some(figure) = measured.get(row) else {
                // The baseline rests on no perf ratio.
                let origin = Origins::default().text();
                return Some(Entry::live(Cell::text(origin), format!("=\"{origin}\"")));
            };
            Some(entry(figure, &At { projection, position: None }))
        }),
    ];
    columns.extend((0..level_columns(projection)).map(|position| {
        let figures = Rc::clone(&figures);
        SheetColumn::new("level", "", CellStyle::Aside, move |row| match figures.get(row) {
            Some(figure) => Some(entry(figure, &At { projection, position: Some(position) })),
            None if projection.totals.projected_total.is_none() => {
                Some(Entry::from(Cell::Unknown).style(CellStyle::Word))
            }
            None => {
                let level = projection.at_levels.get(usize::from(position));
                let value = level.map_or(Cell::None, |level| Cell::text(level.origins.text()));
                let origins = lookup::origins(&format!("[level_groups.origin#{position}*]"));
                Some(Entry::live(value, at_level(position, &origins)))
            }
        })
    }));
    SheetTable::of("level_model", columns, length).with_rows(keys)
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
                // A column for a level that a user adds: blank, not unknown.
                None if is_known => Cell::None,
                latency => Cell::number(latency.copied().flatten().map(|latency| latency.value)),
            };
            let of_groups = |key: &str| sum("[level_groups.$type_number*]", key);
            let sparse = of_groups(&format!("[level_groups.$level#{position}*]"));
            let dense = of_groups("[level_groups.$baseline*]");
            // Operators without ratios are in no group: only the baseline has their latency.
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
