//! Operator types before and after.

use super::estimates::{before_and_after, origins};
use super::model::{Case, Model, number_of};
use super::typed;
use crate::document::Unit::{Count, Milliseconds, Number, Share, Text};
use crate::document::{
    Cell, CellStyle, Chart, ChartKind, Entry, Table, TableColumn, columns, quotient,
};
use onnxray_analyzer::projection::{Estimate, Origins, ProjectedType, Projection, TargetOrigin};
use onnxray_analyzer::workbook_words::heading;

/// What makes the types add up to the total.
struct Rest {
    name: &'static str,
    sign: &'static str,
    /// Keys of the totals before and after.
    before: &'static str,
    after: &'static str,
}

/// A type, or what else the total is made of.
pub(super) struct TypeRow<'a> {
    number: usize,
    /// `None` if it is not a type.
    of_type: Option<&'a ProjectedType>,
    rest: Option<&'static Rest>,
    dense: Option<Estimate>,
    projected: Option<Estimate>,
    origins: Origins,
    /// Total latency of the model, before.
    total: Option<f64>,
}

impl<'a> TypeRow<'a> {
    fn all(projection: &'a Projection) -> impl Iterator<Item = TypeRow<'a>> {
        let total = projection.totals.total.map(|total| total.value);
        projection.types.iter().enumerate().map(move |(number, of_type)| TypeRow {
            number,
            of_type: Some(of_type),
            rest: None,
            dense: of_type.dense,
            projected: of_type.projected,
            origins: of_type.origins,
            total,
        })
    }

    fn count(&self, pick: fn(&ProjectedType) -> u64) -> Cell {
        self.of_type.map_or(Cell::None, |of_type| Cell::Whole(pick(of_type)))
    }

    /// A target that was set for the type.
    fn own_target(&self) -> Cell {
        match self.of_type.map(|of_type| of_type.target) {
            Some(target) if target.from == TargetOrigin::Type => Cell::Number(target.level),
            _ => Cell::None,
        }
    }

    fn is_settable(&self) -> bool {
        let settable = self.of_type.is_some_and(|of_type| of_type.settable > 0);
        settable || self.own_target() != Cell::None
    }

    fn is_timed(&self) -> bool {
        self.dense.is_some() && self.total.is_some()
    }

    fn is_projected(&self) -> bool {
        self.is_timed() && self.projected.is_some()
    }

    /// The formula of the sum over the operators of a type, or of one of the totals.
    fn sum(&self, of: Case, key: &str) -> String {
        let Some(Rest { sign, before, after, .. }) = self.rest else {
            // By number: a name may hold what a condition takes for a pattern.
            return format!("=SUMIF([!operators.type_number],[type_number],[!operators.{key}])");
        };
        let total = if key == "latency_ms" { before } else { after };
        format!("={sign}[!totals.{}:{total}]", of.key())
    }

    columns! {
        pub(super) fn columns: TypeRow<'a>;

        /// operator type
        "type" "Type" Text =
            |row| row.of_type.map_or(Cell::None, |of_type| Cell::text(&of_type.operator_type)),
            sheet(heading::OPERATOR_TYPE), style(CellStyle::Name), width(28.0);
        /// operators of this type
        "operators" "Operators" Count = |row| row.count(|of_type| of_type.operators),
            sheet(heading::OPERATORS);
        /// operators that a target can change
        "settable" "Settable" Count = |row| row.count(|of_type| of_type.settable),
            sheet("of them settable");
        /// target sparsity of operators without their own; blank if all have one
        "target" "Target" Share = |row| match row.of_type.filter(|of_type| of_type.inheriting > 0) {
            Some(of_type) => Cell::number(of_type.target.level),
            None => Cell::None,
        }, sheet(heading::TARGET), after("share"), style(CellStyle::InputPercent),
            value(TypeRow::own_target), only(TypeRow::is_settable);
        /// as measured
        "latency_ms" "Latency ms" Milliseconds = |row| Case::Value.cell(row.dense),
            sheet("latency (ms)"), live(TypeRow::is_timed),
            formula(|row| row.sum(Case::Value, "latency_ms"));
        /// share of the total latency, before
        "share" "Share" Share = |row| {
            let total = row.total.filter(|&total| total > 0.0);
            Cell::number(total.zip(row.dense).map(|(total, dense)| dense.value / total))
        }, sheet("share"), live(TypeRow::is_timed),
            formula(|_| {
                format!("={}", quotient("[latency_ms]", "[!totals.value:total_latency_ms]"))
            });
        /// with the sparse operators
        "projected_ms" "Projected ms" Milliseconds = |row| Case::Value.cell(row.projected),
            sheet("projected latency (ms)"), live(TypeRow::is_projected),
            formula(|row| row.sum(Case::Value, "projected_ms"));
        /// the projected latency
        ends END: Case in ["projected_low_ms" "Low ms", "projected_high_ms" "High ms"] Milliseconds =
            |row| END.cell(row.projected),
            sheet(END.either("low (ms)", "high (ms)")), live(TypeRow::is_projected),
            formula(|row| row.sum(END, END.either("projected_low_ms", "projected_high_ms")));
        /// before minus after
        own "saved_ms" "saved (ms)" MILLISECONDS = |row| {
            let ends = row.dense.zip(row.projected);
            Cell::number(ends.map(|(dense, projected)| dense.value - projected.value))
        }, live(TypeRow::is_projected), formula(|_| "=[latency_ms]-[projected_ms]".into());
        /// before / after
        "speedup" "Speedup" Number = |row| {
            let after = row.projected.filter(|after| after.value > 0.0);
            Cell::number(row.dense.zip(after).map(|(dense, after)| dense.value / after.value))
        }, sheet("speedup"), live(TypeRow::is_projected),
            formula(|_| format!("={}", quotient("[latency_ms]", "[projected_ms]")));
        /// origin of its perf ratios; recorded without any
        "origin" "Origin" Text = |row| origins(row.projected.is_some(), row.origins);
        // What the operators refer to their type by, wherever its row is sorted to.
        helper "type_number" "type number" = |row| number_of(row.number),
            only(|row| row.of_type.is_some());
        helper "level" "target, or the model's" =
            |row| row.of_type.map_or(Cell::None, |of_type| Cell::Number(of_type.target.level)),
            only(|row| row.of_type.is_some()),
            formula(|_| {
                let of_model = format!("N({})", typed::level("model_target"));
                format!("={}", typed::level_or("[target]", &of_model))
            });
    }
}

/// The sheet *By type*: operator types before and after, and their targets to set.
pub(crate) fn types_sheet(model: &Model) -> Table {
    Table::live("types", &TypeRow::columns(), TypeRow::all(model.projection)).with_width(12.0)
}

/// What stands below the types on their sheet, so that they add up to the total.
pub(crate) fn types_rest(model: &Model) -> Table {
    const CONCURRENT: Rest = Rest {
        name: "concurrent",
        sign: "-",
        before: "concurrent_ms",
        after: "projected_concurrent_ms",
    };
    const OVERHEAD: Rest =
        Rest { name: "framework overhead", sign: "", before: "overhead_ms", after: "overhead_ms" };
    const TOTAL: Rest = Rest {
        name: heading::TOTAL,
        sign: "",
        before: "total_latency_ms",
        after: "projected_total_latency_ms",
    };
    let totals = &model.projection.totals;
    let minus = |time: Option<Estimate>| time.map(|time| time.times(-1.0));
    let is_concurrent = totals.concurrent.is_some_and(|concurrent| concurrent.value > 0.0);
    let concurrent = (minus(totals.concurrent), minus(totals.projected_concurrent));
    let rest = [
        is_concurrent.then_some((&CONCURRENT, concurrent)),
        totals.overhead.map(|overhead| (&OVERHEAD, (Some(overhead), Some(overhead)))),
        Some((&TOTAL, (totals.total, totals.projected_total))),
    ];
    let rest: Vec<_> = rest.into_iter().flatten().collect();
    // Labels of ours, not names from a trace.
    let labels = rest.iter().map(|(rest, _)| Entry::from(Cell::label("", rest.name)));
    let labels = TableColumn::live("type", "", CellStyle::Total, labels);
    let rows = rest.into_iter().map(|(rest, (dense, projected))| TypeRow {
        number: 0,
        of_type: None,
        rest: Some(rest),
        dense,
        projected,
        origins: model.projection.origins(),
        total: totals.total.map(|total| total.value),
    });
    let mut table = Table::live("types_rest", &TypeRow::columns(), rows);
    table.columns[0] = labels;
    table
}

pub(super) fn table(projection: &Projection) -> Table {
    let rows = TypeRow::all(projection);
    Table::new("projected_types", "By type", &TypeRow::columns(), rows).hiding(&[
        "settable",
        "projected_low_ms",
        "projected_high_ms",
    ])
}

pub(crate) fn types_chart() -> Chart {
    Chart {
        title: "Latency by operator type (ms)".to_string(),
        kind: ChartKind::Bars,
        table: "projected_types",
        categories: "type",
        series: before_and_after(),
        shows: "which operator types take the time, and what sparse weights change about it",
    }
}
