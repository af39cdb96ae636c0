//! The whole model before and after, as figures with their ends.

use super::estimates::origins;
use super::lookup::{self, Lookup, setting_of_not_pruned};
use super::model::{Case, Model};
use crate::document::Unit::{Milliseconds, Ratio, Text};
use crate::document::{
    Cell, CellStyle, Column, Table, UNKNOWN, columns, items_per_second, quotient,
};
use onnxray_analyzer::projection::{
    AppliedRow, Basis, Estimate, Outcome, Plan, ProjectedOperator, RatioRow, Totals,
};

/// A figure of the whole model has a value and two ends.
pub(super) struct At<'a> {
    model: &'a Model<'a>,
    /// Of a workbook.
    plan: Option<&'a Plan>,
    end: Case,
}

impl At<'_> {
    fn of(&self, estimate: fn(&Totals) -> Option<Estimate>) -> Cell {
        self.end.cell(estimate(&self.model.projection.totals))
    }

    /// What has no ends.
    fn once(&self, value: fn(&Model) -> Cell) -> Cell {
        if self.end == Case::Value { value(self.model) } else { Cell::None }
    }

    fn count(&self, is_meant: fn(&&ProjectedOperator) -> bool) -> Cell {
        let operators = self.model.projection.operators.iter();
        if self.end != Case::Value {
            return Cell::None;
        }
        Cell::Whole(operators.filter(is_meant).count() as u64)
    }

    /// The latency of the operators with sparse support, both ends of it by one end of the ratios.
    fn corner(&self, first: usize) -> Cell {
        self.corner_of(&self.model.projection.totals.corners, first)
    }

    /// That of all other operators.
    fn others(&self, first: usize) -> Cell {
        self.corner_of(&self.model.projection.totals.other_corners, first)
    }

    fn not_pruned_ratios(&self) -> Option<&RatioRow> {
        not_pruned_row(self.model).map(|row| &self.model.projection.rows[row].ratios)
    }

    /// The latency of operators that no target changes.
    fn not_pruned(&self) -> Cell {
        let (operators, row) = (&self.model.projection.operators, not_pruned_row(self.model));
        let own = operators.iter().filter(|own| row.is_some() && own.row == row);
        Cell::Number(own.filter_map(|own| own.dense).map(|dense| self.end.of(dense)).sum())
    }

    /// A figure of the plan, which has no ends.
    fn of_plan(&self, figure: impl FnOnce(&Plan) -> Cell) -> Cell {
        self.plan.filter(|_| self.end == Case::Value).map_or(Cell::None, figure)
    }

    /// A step of the lookup of the perf ratio of what is not pruned in the plan.
    fn plan_lookup(formula: impl FnOnce(Lookup) -> String) -> String {
        let formula = formula(Lookup {
            level: "[value:plan_sparsity]",
            setting: &setting_of_not_pruned(),
            point: "[value:plan_point]",
            fraction: "[value:plan_fraction]",
        });
        formula.trim_start_matches('=').to_string()
    }

    fn corner_of(&self, corners: &[f64; 4], first: usize) -> Cell {
        // Low and high ends, first by the low ratios, then by the high ones.
        match self.end {
            Case::Value => Cell::None,
            Case::Low => Cell::Number(corners[first]),
            Case::High => Cell::Number(corners[first + 1]),
        }
    }
}

columns! {
    /// In the order in which reports and the workbook show them. The workbook alone has steps to
    /// others; formulas are without `=`.
    pub(super) fn figures<'a>: At<'a>;

    /// one inference before: operators - concurrent + framework overhead
    "total_latency_ms" "total latency (ms)" Milliseconds = |at| at.of(|totals| totals.total),
        formula(|at| total(at.end, "operators_ms", "concurrent_ms"));
    /// one inference with the sparse operators
    "projected_total_latency_ms" "projected total latency (ms)" Milliseconds =
        |at| at.of(|totals| totals.projected_total),
        formula(|at| total(at.end, "projected_operators_ms", "projected_concurrent_ms"));
    /// all operators with sparse support, before
    "sparse_support_latency_ms" "sparse support latency (ms)" Milliseconds =
        |at| at.of(|totals| totals.support),
        formula(|at| supported(at.model.latency(at.end)));
    /// the same operators, after
    "projected_sparse_support_latency_ms" "projected sparse support latency (ms)" Milliseconds =
        |at| at.of(|totals| totals.projected_support),
        formula(|at| supported(projected(at.end)));
    /// their share of the total, before
    "sparse_support_share" "sparse support share" Ratio = |at| at.of(|totals| totals.support_ratio),
        formula(|at| {
            let share = share(at.end, "sparse_support_latency_ms", "total_latency_ms");
            guarded("sparse_support_share", at.end, share)
        });
    /// their share of the total, after
    "projected_sparse_support_share" "projected sparse support share" Ratio =
        |at| at.of(|totals| totals.projected_support_ratio),
        formula(|at| {
            let part = "projected_sparse_support_latency_ms";
            let share = share(at.end, part, "projected_total_latency_ms");
            guarded("projected_sparse_support_share", at.end, share)
        });
    /// total latency / projected total latency
    "speedup" "speedup" Ratio = |at| at.of(|totals| totals.speedup),
        formula(|at| guarded("speedup", at.end, speedup(at.end)));
    /// batch size / total latency
    "items_per_second" "items per second" Ratio = |at| at.of(|totals| totals.items_per_second),
        formula(|at| guarded("items_per_second", at.end, items(at.end, "total_latency_ms")));
    /// batch size / projected total latency
    "projected_items_per_second" "projected items per second" Ratio =
        |at| at.of(|totals| totals.projected_items_per_second),
        formula(|at| {
            let items = items(at.end, "projected_total_latency_ms");
            guarded("projected_items_per_second", at.end, items)
        });
    /// exclusive time of all operators
    OPERATORS "operators (ms)" Milliseconds = |at| at.of(|totals| totals.operators),
        formula(|at| format!("SUM([!operators.{}])", at.model.latency(at.end)));
    /// the same, after
    "projected_operators_ms" "projected operators (ms)" Milliseconds =
        |at| at.of(|totals| totals.projected_operators),
        // Where nobody knows of a weight, the latency stays.
        formula(|at| {
            format!(
                "SUM([!operators.{}])+SUMIF([!operators.projection],\"{}\",[!operators.{}])",
                projected(at.end),
                Outcome::WeightUnknown.text(),
                at.model.latency(at.end)
            )
        });
    /// overlap of operators; subtracted
    CONCURRENT "concurrent (ms)" Milliseconds = |at| at.of(|totals| totals.concurrent),
        live(|at| at.end != Case::Value), formula(|at| concurrent(at.end, "operators_ms"));
    /// the same part of the operators' time as before
    PROJECTED_CONCURRENT "projected concurrent (ms)" Milliseconds =
        |at| at.of(|totals| totals.projected_concurrent),
        formula(|at| concurrent(at.end, "projected_operators_ms"));
    /// wall time outside operators; unchanged
    "overhead_ms" "framework overhead (ms)" Milliseconds = |at| at.of(|totals| totals.overhead);
    /// items of one inference
    own "batch_size" "batch size" QUANTITY = |at| {
        at.once(|model| match model.projection.basis {
            Basis::Trace => Cell::Unknown,
            Basis::Iteration => Cell::whole(model.summary.run.batch_size),
        })
    };
    /// where those come from that the projected figures rest on
    own "origin" "perf ratios" Word = |at| {
        at.once(|model| match model.projection.totals.projected_total {
            None => Cell::Unknown,
            Some(_) => Cell::text(model.projection.origins().text()),
        })
    }, formula(|_| lookup::origins("[!operators.origin]"));
    /// their latency is divided by a perf ratio
    own "projected" "operators projected" QUANTITY =
        |at| at.count(|operator| operator.outcome == Outcome::Projected),
        formula(|_| counted("projection", Outcome::Projected.text()));
    /// they are in no total
    own "unknown" "operators of unknown latency" QUANTITY =
        |at| at.count(|operator| operator.dense.is_none()),
        formula(|_| counted("latency_ms", UNKNOWN));
    /// of the elements of weights that a target can change, the share that targets make zero
    own "sparsity" "mean sparsity" Percent =
        |at| at.once(|model| Cell::Number(model.projection.sparsity)),
        formula(|_| {
            let elements = "SUM([!operators.elements])";
            format!("IF({elements}>0,SUM([!operators.zero_elements])/{elements},0)")
        });
    /// operators that no target changes, and whose perf ratio is known
    own "not_pruned_ms" "not pruned (ms)" MILLISECONDS = |at| at.not_pruned(),
        formula(|at| {
            let (row, latency) = (setting_of_not_pruned(), at.model.latency(at.end));
            format!("IF({row}=0,0,SUMIF([!operators.setting],{row},[!operators.{latency}]))")
        });
    /// the same with the plan
    own "plan_sparsity" "mean sparsity of the plan" Percent =
        |at| at.of_plan(|plan| Cell::Number(plan.sparsity)),
        formula(|_| {
            let elements = "SUM([!plan.elements])";
            format!("IF({elements}>0,SUM([!plan.zero_elements])/{elements},0)")
        });
    /// of the perf ratios of what is not pruned
    own "plan_point" "point of the plan" Helper =
        |at| at.of_plan(|plan| lookup::point(at.not_pruned_ratios(), Some(plan.sparsity))),
        formula(|_| At::plan_lookup(|lookup| lookup.point()));
    /// to the next one
    own "plan_fraction" "fraction of the plan" Helper =
        |at| at.of_plan(|plan| lookup::fraction(at.not_pruned_ratios(), Some(plan.sparsity))),
        formula(|_| At::plan_lookup(|lookup| lookup.fraction()));
    /// before / with the plan
    own "plan_not_pruned" "perf ratio of what is not pruned" RATIO = |at| at.of_plan(|plan| {
        let ratios = at.not_pruned_ratios().filter(|_| plan.sparsity > 0.0);
        Cell::Number(ratios.map_or(1.0, |ratios| ratios.at(plan.sparsity).value))
    }),
        formula(|_| At::plan_lookup(|lookup| {
            let Lookup { level, setting, .. } = lookup;
            format!("IF(OR({setting}=0,{level}<=0),1,{})", lookup.ratio("ratio_values"))
        }));
    /// for the low end of the speedup
    own "at_low_ms" "sparse support at low ratios (ms)" MILLISECONDS = |at| at.corner(0),
        formula(|at| match at.end {
            Case::Low => supported("low_at_low_ms"),
            end => supported(projected(end)),
        });
    /// for its high end
    own "at_high_ms" "sparse support at high ratios (ms)" MILLISECONDS = |at| at.corner(2),
        formula(|at| match at.end {
            Case::High => supported("high_at_high_ms"),
            end => supported(projected(end)),
        });
    /// all other operators, for the low end of the speedup
    own "others_at_low_ms" "other operators at low ratios (ms)" MILLISECONDS = |at| at.others(0),
        formula(|at| match at.end {
            Case::Low => others(at, "low_at_low_ms"),
            end => others(at, projected(end)),
        });
    /// for its high end
    own "others_at_high_ms" "other operators at high ratios (ms)" MILLISECONDS = |at| at.others(2),
        formula(|at| match at.end {
            Case::High => others(at, "high_at_high_ms"),
            end => others(at, projected(end)),
        });
    /// 1 - concurrent / operators; the same everywhere
    own "covered" "part that is not concurrent" RATIO = |at| {
        at.once(|Model { projection: of, .. }| {
            Cell::number(of.totals.operators.map(|_| of.totals.covered))
        })
    },
        formula(|at| {
            let [operators, concurrent] = [OPERATORS, CONCURRENT].map(|key| cell_of(key, at.end));
            format!("IF({operators}>0,1-{concurrent}/{operators},1)")
        });
}

const OPERATORS: &str = "operators_ms";
const CONCURRENT: &str = "concurrent_ms";
const PROJECTED_CONCURRENT: &str = "projected_concurrent_ms";

/// A row of figures; one without parts others on a sheet.
pub(super) struct Row<'a> {
    model: &'a Model<'a>,
    plan: Option<&'a Plan>,
    label: &'static str,
    figure: Option<Column<At<'a>>>,
}

impl<'a> Row<'a> {
    fn of(model: &'a Model<'a>, plan: Option<&'a Plan>, figure: Column<At<'a>>) -> Row<'a> {
        Row { model, plan, label: figure.heading, figure: Some(figure) }
    }

    fn key(&self) -> &'static str {
        self.figure.as_ref().map_or("", |figure| figure.key)
    }

    fn has_label(&self) -> bool {
        !self.label.is_empty()
    }

    fn style(&self) -> CellStyle {
        let style = |figure: &Column<_>| figure.sheet.style.unwrap_or(CellStyle::of(figure.unit));
        self.figure.as_ref().map_or(CellStyle::RATIO, style)
    }

    fn at(&self, end: Case) -> At<'a> {
        At { model: self.model, plan: self.plan, end }
    }

    fn value(&self, end: Case) -> Cell {
        self.figure.as_ref().map_or(Cell::None, |figure| (figure.value)(&self.at(end)))
    }

    fn is_known(&self, end: Case) -> bool {
        !matches!(self.value(end), Cell::None | Cell::Unknown)
    }

    fn is_live(&self, end: Case) -> bool {
        let Some(Column { sheet, .. }) = &self.figure else { return false };
        let is_live = sheet.live.is_none_or(|is_live| is_live(&self.at(end)));
        sheet.formula.is_some() && is_live && self.is_known(end)
    }

    fn formula(&self, end: Case) -> String {
        let formula = self.figure.as_ref().and_then(|figure| figure.sheet.formula);
        formula.map_or(String::new(), |of| format!("={}", of(&self.at(end))))
    }

    /// Figures of the model after rest on perf ratios.
    fn origin(&self) -> Cell {
        let projected = self.key().starts_with("projected_") || self.key() == "speedup";
        let rests_on = projected.then(|| self.model.projection.origins());
        origins(self.is_known(Case::Value), rests_on.unwrap_or_default())
    }
}

columns! {
    pub(super) fn columns<'a>: Row<'a>;

    /// name of the figure
    "figure" "Figure" Text = |row| Cell::label(row.key(), row.label),
        in_sheet(), style(CellStyle::Label), width(36.0), only(Row::has_label);
    /// value
    "value" "Value" Ratio = |row| row.value(Case::Value),
        // Wide enough for where perf ratios come from.
        in_sheet(), width(22.0), style_of(Row::style),
        live(|row| row.is_live(Case::Value)), formula(|row| row.formula(Case::Value));
    /// the value
    ends END: Case in ["low" "Low", "high" "High"] Ratio = |row| row.value(END),
        in_sheet(), style_of(Row::style),
        live(|row| row.is_live(END)), formula(|row| row.formula(END));
    /// origin of its perf ratios; recorded without any
    "origin" "Origin" Text = |row| row.origin();
    own "description" "Description" Remark =
        |row| Cell::text(row.figure.as_ref().map_or("", |figure| figure.meaning)),
        width(60.0), only(Row::has_label);
}

pub(super) fn table(model: &Model) -> Table {
    let (totals, spread) = (&model.projection.totals, &model.projection.spread);
    let is_concurrent = totals.concurrent.is_some_and(|concurrent| concurrent.value > 0.0);
    let figures = figures().into_iter().filter(|figure| {
        let applies = is_concurrent || ![CONCURRENT, PROJECTED_CONCURRENT].contains(&figure.key);
        applies && !figure.sheet.alone
    });
    let rows: Vec<Row> = figures.map(|figure| Row::of(model, None, figure)).collect();
    // Without a spread, the ends would say nothing.
    Table::new("projection", "Projected total", &columns(), rows)
        .hiding_unless(spread.parts.is_some() || spread.ratios, &["low", "high"])
}

/// What the operators add up to, before and after: the figures of reports, and what
/// the sheet needs beyond them.
pub(crate) fn totals_sheet<'a>(model: &'a Model<'a>, plan: &'a Plan) -> Table {
    let plan = Some(plan);
    let mut rows = Vec::new();
    for figure in figures() {
        // What follows are steps: a blank line and a heading part them from the figures.
        if figure.key == OPERATORS {
            rows.extend(["", "What it is made of"].map(|label| Row {
                model,
                plan,
                label,
                figure: None,
            }));
        }
        rows.push(Row::of(model, plan, figure));
    }
    let keys: Vec<&str> = rows.iter().map(Row::key).collect();
    Table::live("totals", &columns(), rows).with_rows(keys).with_width(13.0)
}

/// The cell of a total at an end.
fn cell_of(key: &str, end: Case) -> String {
    format!("[{}:{key}]", end.key())
}

/// Key of the operators' projected latencies at an end.
fn projected(end: Case) -> &'static str {
    match end {
        Case::Value => "projected_ms",
        Case::Low => "projected_low_ms",
        Case::High => "projected_high_ms",
    }
}

fn total(end: Case, operators: &str, concurrent: &str) -> String {
    // What is unknown is text, which N takes for nothing.
    format!(
        "{}-{}+N({})",
        cell_of(operators, end),
        cell_of(concurrent, end),
        cell_of("overhead_ms", end)
    )
}

fn concurrent(end: Case, operators: &str) -> String {
    format!("{}*(1-[value:covered])", cell_of(operators, end))
}

/// Row of the ratios of operators that no target changes.
fn not_pruned_row(model: &Model) -> Option<usize> {
    model.projection.rows.iter().position(AppliedRow::is_of_not_pruned)
}

/// The sum over operators without sparse support, and those whose weight is unknown.
fn others(at: &At, key: &str) -> String {
    format!(
        "SUM([!operators.{key}])-{}+SUMIF([!operators.projection],\"{}\",[!operators.{}])",
        supported(key),
        Outcome::WeightUnknown.text(),
        at.model.latency(at.end)
    )
}

/// The sum over operators with sparse support.
fn supported(key: &str) -> String {
    format!("SUMIF([!operators.sparse_support],TRUE,[!operators.{key}])")
}

fn counted(key: &str, text: &str) -> String {
    format!("COUNTIF([!operators.{key}],\"{text}\")")
}

/// An end that cannot be computed, such as items within no time, is unknown.
fn guarded(key: &str, end: Case, formula: String) -> String {
    if end == Case::Value {
        return formula;
    }
    format!("IF(ISNUMBER([value:{key}]),IFERROR({formula},\"{UNKNOWN}\"),\"{UNKNOWN}\")")
}

/// Part by whole; the rest of the whole is at its other end.
fn share(end: Case, part: &str, whole_key: &str) -> String {
    let (own, rest) = (cell_of(part, end), cell_of(part, end.opposite()));
    let whole = cell_of(whole_key, end.opposite());
    match end {
        Case::Value => quotient(&own, &whole),
        // Of nothing in no time: the share does not vary.
        _ => format!(
            "IFERROR({own}/({own}*[value:covered]+({whole}-{rest}*[value:covered])),{})",
            quotient(&cell_of(part, Case::Value), &cell_of(whole_key, Case::Value))
        ),
    }
}

/// Most time, fewest items.
fn items(end: Case, latency: &str) -> String {
    let latency = cell_of(latency, end.opposite());
    match end {
        Case::Value => items_per_second("[value:batch_size]", &latency),
        _ => format!("[value:batch_size]*1000/{latency}"),
    }
}

/// The least or most of the value and four cases; see `projection::total`.
fn speedup(end: Case) -> String {
    let (total, projected) = ("total_latency_ms", "projected_total_latency_ms");
    let (pick, corner, others) = match end {
        Case::Value => return quotient(&cell_of(total, end), &cell_of(projected, end)),
        Case::Low => ("MIN", "at_low_ms", "others_at_low_ms"),
        Case::High => ("MAX", "at_high_ms", "others_at_high_ms"),
    };
    // Nothing by nothing is between the other cases.
    let value = cell_of("speedup", Case::Value);
    let support = "sparse_support_latency_ms";
    // Before and after take the same end: both are of the same measured times.
    let case = |of_support: Case, of_rest: Case| {
        let covered = |key, end| format!("{}*[value:covered]", cell_of(key, end));
        let before = format!("({}-{})", cell_of(total, of_rest), covered(support, of_rest));
        let overhead = cell_of("overhead_ms", of_rest);
        let after = format!("({}+N({overhead}))", covered(others, of_rest));
        let (dense, sparse) = (covered(support, of_support), covered(corner, of_support));
        format!("IFERROR(({dense}+{before})/({sparse}+{after}),{value})")
    };
    let (low, high) = (Case::Low, Case::High);
    let cases = [case(low, low), case(low, high), case(high, low), case(high, high)];
    format!("{pick}({value},{})", cases.join(","))
}
