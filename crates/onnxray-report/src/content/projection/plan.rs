//! The plan of a budget: what it brings, and the level of each layer.

use super::estimates::{OF_RATIOS, end, origins};
use crate::document::Unit::{Count, Milliseconds, Number, Quantity, Scientific, Share, Text};
use crate::document::{Cell, Column, Figures, Table, column};
use onnxray_analyzer::projection::{Estimate, Origins, Plan, PlannedLayer, PlannedLoss};
use onnxray_analyzer::statistics::Summary;
use onnxray_format::Operator;

/// A figure of the whole model, as it is and with the plan.
pub(crate) struct PlanFigure {
    /// Identifier in machine-readable formats; ends in the unit, if there is one.
    pub(crate) key: &'static str,
    pub(crate) name: &'static str,
    /// What else the workbook says of it.
    pub(crate) remark: &'static str,
    pub(crate) before: fn(&Plan) -> Option<Estimate>,
    pub(crate) planned: fn(&Plan) -> Option<Estimate>,
    /// Whether more is better.
    pub(crate) rises: bool,
    /// Whether it rests on perf ratios.
    pub(crate) timed: bool,
}

const fn exact(value: f64) -> Option<Estimate> {
    Some(Estimate { value, low: value, high: value })
}

/// In the order in which reports and the workbook show them.
pub(crate) static PLAN_FIGURES: [PlanFigure; 5] = [
    PlanFigure {
        key: "total_latency_ms",
        name: "total latency (ms)",
        remark: "",
        before: |plan| plan.totals.total,
        planned: |plan| plan.totals.projected_total,
        rises: false,
        timed: true,
    },
    PlanFigure {
        key: "items_per_second",
        name: "items per second",
        remark: "",
        before: |plan| plan.totals.items_per_second,
        planned: |plan| plan.totals.projected_items_per_second,
        rises: true,
        timed: true,
    },
    PlanFigure {
        key: "flops",
        name: "FLOPs per iteration",
        remark: ", as far as they are known",
        before: |plan| exact(plan.flops.known),
        planned: |plan| exact(plan.planned_flops.known).filter(|_| plan.known.are_known()),
        rises: false,
        timed: false,
    },
    PlanFigure {
        key: "parameters",
        name: "parameters",
        remark: "; the gain is the compression",
        before: |plan| plan.all_parameters().and_then(exact),
        planned: |plan| plan.parameters_left().and_then(exact),
        rises: false,
        timed: false,
    },
    PlanFigure {
        key: "prunable_parameters",
        name: "prunable parameters",
        remark: "",
        before: |plan| exact(plan.prunable as f64).filter(|_| plan.known.are_known()),
        planned: |plan| {
            exact(plan.prunable as f64 - plan.pruned).filter(|_| plan.known.are_known())
        },
        rises: false,
        timed: false,
    },
];

impl PlanFigure {
    /// How many times better it gets; `None` if that is unknown.
    pub(crate) fn gain(&self, plan: &Plan) -> Option<f64> {
        let before = (self.before)(plan)?.value;
        let planned = (self.planned)(plan)?.value;
        let (more, less) = if self.rises { (planned, before) } else { (before, planned) };
        (before > 0.0 && planned > 0.0).then(|| more / less)
    }
}

type Row<'a> = (&'static PlanFigure, &'a Plan);

const fn columns<'a>() -> [Column<Row<'a>>; 7] {
    [
        column("figure", "Figure", Text, "what is stated", |(figure, _)| {
            Cell::label(figure.key, figure.name)
        }),
        column("before", "Before", Number, "as it is", |(figure, plan)| {
            end((figure.before)(plan), |before| before.value)
        }),
        column("planned", "Planned", Number, "with the plan", |(figure, plan)| {
            end((figure.planned)(plan), |planned| planned.value)
        }),
        column("low", "Low", Number, "low end of that", |(figure, plan)| {
            end((figure.planned)(plan), |planned| planned.low)
        }),
        column("high", "High", Number, "high end", |(figure, plan)| {
            end((figure.planned)(plan), |planned| planned.high)
        }),
        column(
            "gain",
            "Gain",
            Number,
            "before by planned; for items per second planned by before",
            |(figure, plan)| Cell::number(figure.gain(plan)),
        ),
        column("origin", "Origin", Text, OF_RATIOS, |(figure, plan)| match figure.timed {
            true => origins((figure.planned)(plan).is_some(), plan.origins()),
            false => Cell::None,
        }),
    ]
}

pub(super) fn figures(plan: &Plan) -> Table {
    let rows = PLAN_FIGURES.iter().map(|figure| (figure, plan));
    Table::new("plan", "Plan", &columns(), rows)
}

const LOSS: &[Column<PlannedLoss>] = &[
    column("l1", "L1 removed", Share, "of the L1 norm of all weights", |loss| {
        Cell::number(loss.l1)
    }),
    column("l2", "L2 removed", Share, "L2 norm of what goes by that of all weights", |loss| {
        Cell::number(loss.l2)
    }),
    column(
        "sensitivity",
        "sum of sensitivities",
        Scientific,
        "of the layers' own at their levels, as if they added up",
        |loss| Cell::number(loss.sensitivity),
    ),
];

/// What a loss profile lets expect of the plan.
pub(super) fn loss(loss: &PlannedLoss) -> Figures {
    Figures::new("planned_loss", "Loss of the plan", LOSS, loss)
}

/// A layer of the plan.
pub(crate) struct LayerRow<'a> {
    pub(crate) operator: &'a Operator,
    pub(crate) layer: &'a PlannedLayer,
}

impl<'a> LayerRow<'a> {
    pub(crate) fn new(summary: &'a Summary, layer: &'a PlannedLayer) -> LayerRow<'a> {
        LayerRow { operator: &summary.operators[layer.operator].operator, layer }
    }

    pub(crate) const COLUMNS: [Column<LayerRow<'a>>; 15] = [
        column("number", "#", Count, "position in the order of execution", |row| {
            Cell::Whole(u64::from(row.operator.number))
        }),
        column("name", "Operator", Text, "name of its ONNX node", |row| {
            Cell::text(&row.operator.name)
        }),
        column("weight_shape", "Weight shape", Text, "outputs x inputs", |row| {
            let weight = row.operator.weight.as_ref();
            weight.map_or(Cell::None, |weight| Cell::text(weight.matrix_shape()))
        }),
        column(
            "parameters",
            "Parameters",
            Quantity,
            "elements of its weight, counted once",
            |row| Cell::Whole(row.layer.parameters),
        ),
        column("level", "Level", Share, "sparse ratio in the plan", |row| {
            Cell::number(row.layer.level())
        }),
        column("planned_level", "By budget", Share, "where the budget put it", |row| {
            Cell::number(row.layer.planned)
        }),
        column("why", "Why", Text, "planned, fixed, or why it is left dense", |row| {
            Cell::text(why(row.layer))
        }),
        column("latency_ms", "Latency ms", Milliseconds, "as measured", |row| {
            end(row.layer.dense, |dense| dense.value)
        }),
        column("perf_ratio", "Perf ratio", Number, "dense latency by sparse latency", |row| {
            Cell::number(row.layer.ratio.value)
        }),
        column("planned_ms", "Planned ms", Milliseconds, "latency by perf ratio", |row| {
            end(row.layer.projected, |planned| planned.value)
        }),
        column("planned_low_ms", "Low ms", Milliseconds, "low end", |row| {
            end(row.layer.projected, |planned| planned.low)
        }),
        column("planned_high_ms", "High ms", Milliseconds, "high end", |row| {
            end(row.layer.projected, |planned| planned.high)
        }),
        column("flops", "FLOPs", Quantity, "operations per iteration", |row| {
            Cell::number(row.layer.flops)
        }),
        column(
            "planned_flops",
            "Planned FLOPs",
            Quantity,
            "without those of zero weights",
            |row| Cell::number(row.layer.planned_flops),
        ),
        column("origin", "Origin", Text, OF_RATIOS, |row| match row.layer.origin {
            Some(origin) => Cell::text(origin.to_string()),
            None => Cell::text(Origins::default().text()),
        }),
    ];
}

/// Why a layer has its level.
fn why(layer: &PlannedLayer) -> &'static str {
    match (layer.exclusion, layer.fixed) {
        (Some(exclusion), _) => exclusion.text(),
        (None, Some(_)) => "fixed",
        (None, None) if layer.planned > 0.0 => "planned",
        (None, None) => "left dense by the budget",
    }
}

pub(super) fn layers(summary: &Summary, plan: &Plan, most: Option<usize>) -> Table {
    let rows = plan.layers.iter().map(|layer| LayerRow::new(summary, layer));
    Table::new("planned_layers", "Planned layers", &LayerRow::COLUMNS, rows)
        .hiding(&["planned_level", "planned_low_ms", "planned_high_ms", "flops", "planned_flops"])
        .shortened(most)
}

/// A budget spread over the layers of a model that was not run, and what of the model is left:
/// nothing that a time or a perf ratio is part of. Steps of layers are worth the FLOPs they save.
pub fn flops_plan(profile: &Summary, plan: &Plan, most: Option<usize>) -> [Table; 2] {
    let figures = PLAN_FIGURES.iter().filter(|figure| !figure.timed).map(|figure| (figure, plan));
    let layers = plan.layers.iter().map(|layer| LayerRow::new(profile, layer));
    let layers = Table::new("planned_layers", "Planned layers", &LayerRow::COLUMNS, layers);
    let timed = ["latency_ms", "perf_ratio", "planned_ms", "planned_low_ms", "planned_high_ms"];
    [
        Table::new("plan", "Plan", &columns(), figures).without(&["low", "high", "origin"]),
        layers.without(&timed).without(&["origin"]).hiding(&["planned_level"]).shortened(most),
    ]
}
