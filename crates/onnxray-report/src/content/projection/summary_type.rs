//! The sheet *By sparsity*: the whole model and its operator types dense, and with every
//! weight at each level, from the [`groups`](super::groups) below them.

use super::groups::{Group, keys};
use super::lookup;
use super::model::{Case, Model, number_of};
use super::setting::level_columns;
use crate::document::Unit::{Milliseconds, Ratio};
use crate::document::{
    Cell, CellStyle, Column, Entry, Table, TableColumn, columns, items_per_second, quotient,
};
use onnxray_analyzer::projection::{Estimate, Origins, Projection, Totals};

/// The whole model as it was measured, or in the column of a level.
struct At<'a> {
    projection: &'a Projection,
    position: Option<u16>,
}

impl At<'_> {
    fn of(
        &self,
        end: Case,
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

    fn total(&self, end: Case) -> String {
        let totals = format!("[!totals.{}:total_latency_ms]", end.key());
        self.formula(&totals, |position| {
            let operators = match end {
                Case::Value => format!("[level#{position}:operators]"),
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
    for END: Case in [
        "total" "total latency (ms)" = Case::Value,
        "low" "low" = Case::Low,
        "high" "high" = Case::High,
    ] Milliseconds = |at| at.of(END, |totals| totals.total, |totals| totals.projected_total),
        formula(|at| at.total(END));
    /// total latency of the baseline / that of the level
    "speedup" "speedup" Ratio = |at| {
        let baseline: fn(&Totals) -> _ = |totals| totals.total.map(|_| Estimate::exact(1.0));
        at.of(Case::Value, baseline, |totals| totals.speedup)
    },
        formula(|at| at.formula("1", |position| {
            quotient("[$baseline:total]", &format!("[level#{position}:total]"))
        }));
    /// batch size / total latency
    "items" "items per second" Ratio = |at| {
        at.of(
            Case::Value,
            |totals| totals.items_per_second,
            |totals| totals.projected_items_per_second,
        )
    },
        formula(|at| at.formula("[!totals.value:items_per_second]", |position| {
            items_per_second("[!totals.value:batch_size]", &format!("[level#{position}:total]"))
        }));
    /// elements of weights that are zero
    "sparsity" "mean sparsity" Ratio = |at| match at.position {
        None => Cell::Number(0.0),
        Some(position) => {
            let level = at.projection.at_levels.get(usize::from(position));
            level.map_or(Cell::None, |level| Cell::Number(level.sparsity))
        }
    },
        formula(|at| at.formula("0", |position| {
            let elements = "SUM([!operators.elements])";
            format!("IF({elements}>0,SUM([level_groups.zero_elements#{position}*])/{elements},0)")
        }));
    /// exclusive time of all operators
    "operators" "operators (ms)" Milliseconds =
        |at| at.of(Case::Value, |totals| totals.operators, |totals| totals.projected_operators),
        formula(|at| at.formula("[!totals.value:operators_ms]", |position| {
            operators(Case::Value, position)
        }));
}

/// What stands in the cell of a figure.
fn entry<'a>(figure: &Column<At<'a>>, at: &At<'a>) -> Entry {
    let formula = figure.sheet.formula.map(|of| of(at));
    Entry::known((figure.value)(at), formula).style(CellStyle::of(figure.unit))
}

/// All operators at an end: what the groups change about them.
fn operators(end: Case, position: u16) -> String {
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
pub(crate) fn model_levels(model: &Model) -> Table {
    let (projection, figures) = (model.projection, figures());
    let column = |key, position, origins: Entry| {
        let at = At { projection, position };
        let entries = figures.iter().map(|figure| entry(figure, &at)).chain([origins]);
        TableColumn::live(key, "", CellStyle::Aside, entries)
    };
    let labels = figures.iter().map(|figure| figure.heading).chain(["perf ratios"]);
    let labels = labels.map(|label| Entry::from(Cell::label("", label)));
    // The baseline rests on no perf ratio.
    let measured = Origins::default().text();
    let measured = Entry::live(Cell::text(measured), format!("=\"{measured}\""));
    let mut columns = vec![
        TableColumn::live("label", "", CellStyle::Label, labels),
        column("baseline", None, measured),
    ];
    columns.extend((0..level_columns(projection)).map(|position| {
        let level = projection.at_levels.get(usize::from(position));
        let value = level.map_or(Cell::None, |level| Cell::text(level.origins.text()));
        let origins = lookup::origins(&format!("[level_groups.origin#{position}*]"));
        let origins = match projection.totals.projected_total {
            Some(_) => Entry::live(value, at_level(position, &origins)),
            None => Entry::from(Cell::Unknown).style(CellStyle::Word),
        };
        column("level", Some(position), origins)
    }));
    let keys = figures.iter().map(|figure| figure.key).chain(["origin"]);
    Table::made("level_model", columns, figures.len() + 1).with_rows(keys)
}

/// Its operator types.
pub(crate) fn type_levels(model: &Model) -> Table {
    let (projection, types) = (model.projection, &model.projection.types);
    let sum = |numbers: &str, values: &str| format!("SUMIF({numbers},[$type_number],{values})");
    let names = types.iter().map(|of_type| Entry::from(Cell::text(&of_type.operator_type)));
    let measured = types.iter().map(|of_type| {
        let sum = sum("[!operators.type_number]", "[!operators.latency_ms]");
        Entry::known(Case::Value.cell(of_type.dense), Some(format!("={sum}")))
    });
    let mut columns = vec![
        TableColumn::live("label", "", CellStyle::Text, names),
        TableColumn::live("baseline", "", CellStyle::MILLISECONDS, measured),
    ];
    columns.extend((0..level_columns(projection)).map(|position| {
        let level = projection.at_levels.get(usize::from(position));
        let of_groups = |key: &str| sum("[level_groups.$type_number*]", key);
        let sparse = of_groups(&format!("[level_groups.$level#{position}*]"));
        let dense = of_groups("[level_groups.$baseline*]");
        // Operators without ratios are in no group: only the baseline has their latency.
        let formula = at_level(position, &format!("[$baseline]+{sparse}-{dense}"));
        let latencies = types.iter().enumerate().map(|(row, of_type)| {
            let is_known = of_type.projected.is_some();
            let value = match level.and_then(|level| level.types.get(row)) {
                // A column for a level that a user adds: blank, not unknown.
                None if is_known => Cell::None,
                latency => Case::Value.cell(latency.copied().flatten()),
            };
            Entry::from(value).computed(is_known.then(|| formula.clone()))
        });
        TableColumn::live("level", "", CellStyle::MILLISECONDS, latencies)
    }));
    let numbers = (0..types.len()).map(|row| Entry::from(number_of(row)));
    columns.push(TableColumn::live("type_number", "", CellStyle::Helper, numbers));
    Table::made("level_types", columns, types.len())
}

/// Operators that look up the same ratios, summed as groups, so that the sheet grows with the
/// distinct weight shapes and not with the operators.
pub(crate) fn group_levels(model: &Model) -> Table {
    let groups = (0..model.groups.first.len()).map(|group| Group::new(model, group));
    let groups: Vec<Group> = groups.collect();
    let columns = Group::columns(&groups, level_columns(model.projection));
    Table::made("level_groups", columns, groups.len()).with_width(20.0)
}
