//! The whole model before and after, as figures with their ends.

use super::estimates::{OF_RATIOS, end, origins};
use super::lookup;
use super::model::{End, Model};
use crate::document::Unit::{Ratio, Text};
use crate::document::{
    Cell, CellStyle, Column, SheetTable, Table, UNKNOWN, column, items_per_second, quotient,
};
use onnxray_analyzer::projection::{
    Basis, Estimate, Origins, Outcome, ProjectedOperator, Projection, Totals,
};

/// A figure of the whole model.
pub(crate) struct TotalFigure {
    /// Identifier in machine-readable formats; ends in the unit, if there is one.
    pub(crate) key: &'static str,
    /// What tables call it.
    pub(crate) name: &'static str,
    pub(crate) meaning: &'static str,
    pub(crate) estimate: fn(&Totals) -> Option<Estimate>,
    /// What the workbook computes it by; `None` for what no setting changes.
    formula: fn(&Model, End) -> Option<String>,
}

/// In the order in which reports and the workbook show them.
pub(crate) static TOTAL_FIGURES: [TotalFigure; 14] = [
    TotalFigure {
        key: "total_latency_ms",
        name: "total latency (ms)",
        meaning: "one inference before: operators - concurrent + framework overhead",
        estimate: |totals| totals.total,
        formula: |_, end| Some(total(end, "operators_ms", "concurrent_ms")),
    },
    TotalFigure {
        key: "projected_total_latency_ms",
        name: "projected total latency (ms)",
        meaning: "one inference with the sparse operators",
        estimate: |totals| totals.projected_total,
        formula: |_, end| Some(total(end, "projected_operators_ms", "projected_concurrent_ms")),
    },
    TotalFigure {
        key: "sparse_support_latency_ms",
        name: "sparse support latency (ms)",
        meaning: "all operators with sparse support, before",
        estimate: |totals| totals.support,
        formula: |model, end| Some(supported(model.latency(end))),
    },
    TotalFigure {
        key: "projected_sparse_support_latency_ms",
        name: "projected sparse support latency (ms)",
        meaning: "the same operators, after",
        estimate: |totals| totals.projected_support,
        formula: |_, end| Some(supported(projected(end))),
    },
    TotalFigure {
        key: "sparse_support_share",
        name: "sparse support share",
        meaning: "their share of the total, before",
        estimate: |totals| totals.support_ratio,
        formula: |_, end| {
            let share = share(end, "sparse_support_latency_ms", "total_latency_ms");
            Some(guarded("sparse_support_share", end, share))
        },
    },
    TotalFigure {
        key: "projected_sparse_support_share",
        name: "projected sparse support share",
        meaning: "their share of the total, after",
        estimate: |totals| totals.projected_support_ratio,
        formula: |_, end| {
            let part = "projected_sparse_support_latency_ms";
            let share = share(end, part, "projected_total_latency_ms");
            Some(guarded("projected_sparse_support_share", end, share))
        },
    },
    TotalFigure {
        key: "speedup",
        name: "speedup",
        meaning: "total latency / projected total latency",
        estimate: |totals| totals.speedup,
        formula: |_, end| Some(guarded("speedup", end, speedup(end))),
    },
    TotalFigure {
        key: "items_per_second",
        name: "items per second",
        meaning: "batch size / total latency",
        estimate: |totals| totals.items_per_second,
        formula: |_, end| Some(guarded("items_per_second", end, items(end, "total_latency_ms"))),
    },
    TotalFigure {
        key: "projected_items_per_second",
        name: "projected items per second",
        meaning: "batch size / projected total latency",
        estimate: |totals| totals.projected_items_per_second,
        formula: |_, end| {
            let items = items(end, "projected_total_latency_ms");
            Some(guarded("projected_items_per_second", end, items))
        },
    },
    TotalFigure {
        key: "operators_ms",
        name: "operators (ms)",
        meaning: "exclusive time of all operators",
        estimate: |totals| totals.operators,
        formula: |model, end| Some(format!("SUM([!operators.{}])", model.latency(end))),
    },
    TotalFigure {
        key: "projected_operators_ms",
        name: "projected operators (ms)",
        meaning: "the same, after",
        estimate: |totals| totals.projected_operators,
        formula: |model, end| {
            // Where nobody knows of a weight, the latency stays.
            Some(format!(
                "SUM([!operators.{}])+SUMIF([!operators.projection],\"{}\",[!operators.{}])",
                projected(end),
                Outcome::WeightUnknown.text(),
                model.latency(end)
            ))
        },
    },
    TotalFigure {
        key: "concurrent_ms",
        name: "concurrent (ms)",
        meaning: "time of operators that ran beside others; taken off",
        estimate: |totals| totals.concurrent,
        formula: |_, end| (end != End::Value).then(|| concurrent(end, "operators_ms")),
    },
    TotalFigure {
        key: "projected_concurrent_ms",
        name: "projected concurrent (ms)",
        meaning: "as large a part of the operators' time as before",
        estimate: |totals| totals.projected_concurrent,
        formula: |_, end| Some(concurrent(end, "projected_operators_ms")),
    },
    TotalFigure {
        key: "overhead_ms",
        name: "framework overhead (ms)",
        meaning: "wall time that no operator covers; stays as it is",
        estimate: |totals| totals.overhead,
        formula: |_, _| None,
    },
];

impl TotalFigure {
    /// How the workbook shows it.
    fn style(&self) -> CellStyle {
        if self.key.ends_with("_ms") { CellStyle::MILLISECONDS } else { CellStyle::RATIO }
    }

    /// Whether it is of the model after, and so rests on perf ratios.
    pub(crate) fn is_projected(&self) -> bool {
        self.key.starts_with("projected_") || self.key == "speedup"
    }
}

pub(super) type Row = (&'static TotalFigure, Option<Estimate>, Origins);

pub(super) const COLUMNS: [Column<Row>; 5] = [
    column("figure", "Figure", Text, "what is stated", |(figure, ..)| {
        Cell::label(figure.key, figure.name)
    }),
    column("value", "Value", Ratio, "its value", |row| end(row.1, |e| e.value)),
    column("low", "Low", Ratio, "low end", |row| end(row.1, |e| e.low)),
    column("high", "High", Ratio, "high end", |row| end(row.1, |e| e.high)),
    column("origin", "Origin", Text, OF_RATIOS, |row| origins(row.1.is_some(), row.2)),
];

pub(super) fn table(projection: &Projection) -> Table {
    let totals = &projection.totals;
    let concurrent = ["concurrent_ms", "projected_concurrent_ms"];
    let is_concurrent = totals.concurrent.is_some_and(|concurrent| concurrent.value > 0.0);
    let applies = |figure: &&TotalFigure| is_concurrent || !concurrent.contains(&figure.key);
    let row = |figure: &'static TotalFigure| -> Row {
        let origins = Some(projection.origins()).filter(|_| figure.is_projected());
        (figure, (figure.estimate)(totals), origins.unwrap_or_default())
    };
    let rows = TOTAL_FIGURES.iter().filter(applies).map(row);
    let table = Table::new("projection", "Total profiling", &COLUMNS, rows);
    match projection.spread.parts.is_some() || projection.spread.ratios {
        true => table,
        // The ends would say nothing.
        false => table.showing(&["figure", "value", "origin"]),
    }
}

/// A figure that stands in the workbook alone: a step to others.
struct Step {
    key: &'static str,
    label: &'static str,
    meaning: &'static str,
    style: CellStyle,
    value: fn(&Model, End) -> Cell,
    formula: fn(&Model, End) -> Option<String>,
}

const STEPS: [Step; 7] = [
    Step {
        key: "batch_size",
        label: "batch size",
        meaning: "items of one inference",
        style: CellStyle::QUANTITY,
        value: |model, end| match model.projection.basis {
            _ if end != End::Value => Cell::None,
            Basis::Trace => Cell::Unknown,
            Basis::Iteration => Cell::whole(model.summary.run.batch_size),
        },
        formula: |_, _| None,
    },
    Step {
        key: "origin",
        label: "perf ratios",
        meaning: "where those come from that the projected figures rest on",
        style: CellStyle::Word,
        value: |model, end| match model.projection.totals.projected_total {
            _ if end != End::Value => Cell::None,
            None => Cell::Unknown,
            Some(_) => Cell::text(model.projection.origins().text()),
        },
        formula: |_, _| Some(lookup::origins("[!operators.origin]")),
    },
    Step {
        key: "projected",
        label: "operators projected",
        meaning: "their latency is divided by a perf ratio",
        style: CellStyle::QUANTITY,
        value: |model, end| count(model, end, |o| o.outcome == Outcome::Projected),
        formula: |_, _| Some(counted("projection", Outcome::Projected.text())),
    },
    Step {
        key: "unknown",
        label: "operators of unknown latency",
        meaning: "they are in no total",
        style: CellStyle::QUANTITY,
        value: |model, end| count(model, end, |o| o.dense.is_none()),
        formula: |_, _| Some(counted("latency_ms", UNKNOWN)),
    },
    Step {
        key: "at_low_ms",
        label: "sparse support at low ratios (ms)",
        meaning: "for the low end of the speedup",
        style: CellStyle::MILLISECONDS,
        value: |model, end| corner(model, end, 0),
        formula: |_, end| {
            Some(supported(if end == End::Low { "low_at_low_ms" } else { projected(end) }))
        },
    },
    Step {
        key: "at_high_ms",
        label: "sparse support at high ratios (ms)",
        meaning: "for its high end",
        style: CellStyle::MILLISECONDS,
        value: |model, end| corner(model, end, 2),
        formula: |_, end| {
            Some(supported(if end == End::High { "high_at_high_ms" } else { projected(end) }))
        },
    },
    Step {
        key: "covered",
        label: "part that is not concurrent",
        meaning: "1 - concurrent / operators; the same everywhere",
        style: CellStyle::RATIO,
        value: |model, end| match end {
            End::Value => {
                let totals = &model.projection.totals;
                Cell::number(totals.operators.map(|_| totals.covered))
            }
            _ => Cell::None,
        },
        formula: |_, end| {
            let [operators, concurrent] = ["operators_ms", "concurrent_ms"].map(|key| at(key, end));
            Some(format!("IF({operators}>0,1-{concurrent}/{operators},1)"))
        },
    },
];

fn count(model: &Model, end: End, is_meant: fn(&&ProjectedOperator) -> bool) -> Cell {
    let counted = || model.projection.operators.iter().filter(is_meant).count() as u64;
    if end == End::Value { Cell::Whole(counted()) } else { Cell::None }
}

fn corner(model: &Model, end: End, first: usize) -> Cell {
    let corners = &model.projection.totals.corners;
    match end {
        End::Value => Cell::None,
        End::Low => Cell::Number(corners[first]),
        End::High => Cell::Number(corners[first + 1]),
    }
}

type Declared = Column<TotalRow>;

/// A row of the sheet *Total profiling*.
struct TotalRow {
    /// Empty in a row without figures.
    key: &'static str,
    label: &'static str,
    meaning: String,
    style: CellStyle,
    values: [Cell; 3],
    formulas: [Option<String>; 3],
}

impl TotalRow {
    fn is_live(&self, end: usize) -> bool {
        let is_known = !matches!(self.values[end], Cell::None | Cell::Unknown);
        is_known && self.formulas[end].is_some()
    }

    fn formula(&self, end: usize) -> String {
        format!("={}", self.formulas[end].as_deref().unwrap_or_default())
    }

    fn has_label(&self) -> bool {
        !self.label.is_empty()
    }

    const COLUMNS: [Column<TotalRow>; 5] = [
        Declared::own("label", "Figure", CellStyle::Label, "", |row| Cell::text(row.label))
            .width(36.0)
            .only(TotalRow::has_label),
        // Wide enough for where perf ratios come from.
        Declared::own("value", "Value", CellStyle::RATIO, "", |row| row.values[0].clone())
            .width(22.0)
            .style_of(|row| row.style)
            .live(|row| row.is_live(0))
            .formula(|row| row.formula(0)),
        Declared::own("low", "Low", CellStyle::RATIO, "", |row| row.values[1].clone())
            .style_of(|row| row.style)
            .live(|row| row.is_live(1))
            .formula(|row| row.formula(1)),
        Declared::own("high", "High", CellStyle::RATIO, "", |row| row.values[2].clone())
            .style_of(|row| row.style)
            .live(|row| row.is_live(2))
            .formula(|row| row.formula(2)),
        Declared::own("description", "Description", CellStyle::Remark, "", |row| {
            Cell::text(&row.meaning)
        })
        .width(60.0)
        .only(TotalRow::has_label),
    ];
}

/// What the operators add up to, before and after: the figures of reports, and what
/// the sheet needs beyond them.
pub(crate) fn totals_sheet(model: &Model) -> SheetTable<'static> {
    let mut rows = Vec::new();
    for figure in &TOTAL_FIGURES {
        if figure.key == "operators_ms" {
            rows.extend(["", "What it is made of"].map(|label| TotalRow {
                key: "",
                label,
                meaning: String::new(),
                style: CellStyle::RATIO,
                values: [const { Cell::None }; 3],
                formulas: [const { None }; 3],
            }));
        }
        let estimate = (figure.estimate)(&model.projection.totals);
        rows.push(TotalRow {
            key: figure.key,
            label: figure.name,
            meaning: figure.meaning.to_string(),
            style: figure.style(),
            values: End::ALL.map(|end| Cell::number(estimate.map(|estimate| end.of(estimate)))),
            formulas: End::ALL.map(|end| (figure.formula)(model, end)),
        });
    }
    rows.extend(STEPS.iter().map(|step| TotalRow {
        key: step.key,
        label: step.label,
        meaning: step.meaning.to_string(),
        style: step.style,
        values: End::ALL.map(|end| (step.value)(model, end)),
        formulas: End::ALL.map(|end| (step.formula)(model, end)),
    }));
    let keys: Vec<&str> = rows.iter().map(|row| row.key).collect();
    SheetTable::new("totals", &TotalRow::COLUMNS, rows).with_rows(keys).with_width(13.0)
}

/// The cell of a total at an end.
fn at(key: &str, end: End) -> String {
    format!("[{}:{key}]", end.key())
}

/// Key of the operators' projected latencies at an end.
fn projected(end: End) -> &'static str {
    match end {
        End::Value => "projected_ms",
        End::Low => "projected_low_ms",
        End::High => "projected_high_ms",
    }
}

fn total(end: End, operators: &str, concurrent: &str) -> String {
    // What is unknown is text, which N takes for nothing.
    format!("{}-{}+N({})", at(operators, end), at(concurrent, end), at("overhead_ms", end))
}

fn concurrent(end: End, operators: &str) -> String {
    format!("{}*(1-[value:covered])", at(operators, end))
}

/// The sum over operators with sparse support.
fn supported(key: &str) -> String {
    format!("SUMIF([!operators.sparse_support],TRUE,[!operators.{key}])")
}

fn counted(key: &str, text: &str) -> String {
    format!("COUNTIF([!operators.{key}],\"{text}\")")
}

/// An end that cannot be computed is the value.
fn guarded(key: &str, end: End, formula: String) -> String {
    if end == End::Value {
        return formula;
    }
    format!("IF(ISNUMBER([value:{key}]),IFERROR({formula},[value:{key}]),\"{UNKNOWN}\")")
}

/// Part by whole; the rest of the whole is at its other end.
fn share(end: End, part: &str, whole: &str) -> String {
    let (own, rest) = (at(part, end), at(part, end.opposite()));
    let whole = at(whole, end.opposite());
    match end {
        End::Value => quotient(&own, &whole),
        _ => format!("{own}/({own}*[value:covered]+({whole}-{rest}*[value:covered]))"),
    }
}

/// Most time, fewest items.
fn items(end: End, latency: &str) -> String {
    let latency = at(latency, end.opposite());
    match end {
        End::Value => items_per_second("[value:batch_size]", &latency),
        _ => format!("[value:batch_size]*1000/{latency}"),
    }
}

/// The least or most of the value and four cases; see `projection::total`.
fn speedup(end: End) -> String {
    let (total, projected) = ("total_latency_ms", "projected_total_latency_ms");
    let (pick, corner) = match end {
        End::Value => return quotient(&at(total, end), &at(projected, end)),
        End::Low => ("MIN", "at_low_ms"),
        End::High => ("MAX", "at_high_ms"),
    };
    let (support, projected_support) =
        ("sparse_support_latency_ms", "projected_sparse_support_latency_ms");
    let case = |of_support: End, of_rest: End| {
        let covered = |key, end| format!("{}*[value:covered]", at(key, end));
        let rest = |whole, part| format!("({}-{})", at(whole, of_rest), covered(part, of_rest));
        let (before, after) = (rest(total, support), rest(projected, projected_support));
        let (dense, sparse) = (covered(support, of_support), covered(corner, of_support));
        format!("({dense}+{before})/({sparse}+{after})")
    };
    let (low, high) = (End::Low, End::High);
    let cases = [case(low, low), case(low, high), case(high, low), case(high, high)];
    format!("{pick}([value:speedup],{})", cases.join(","))
}
