//! The plan of a budget: what it brings, and the level of each layer.

use super::estimates::origins;
use super::lookup::{self, Lookup, row_number, setting_of_group};
use super::model::{Case, Model};
use crate::document::Unit::{Count, Milliseconds, Number, Quantity, Scientific, Share, Text};
use crate::document::{Cell, CellStyle, Figures, Table, UNKNOWN, columns, quotient};
use onnxray_analyzer::projection::{
    Estimate, Exclusion, Origins, Plan, PlannedLayer, PlannedLoss, RatioRow,
};
use onnxray_analyzer::statistics::Summary;
use onnxray_analyzer::workbook_words::heading;
use onnxray_format::Operator;

/// A figure of the whole model, as it is and with the plan.
pub(crate) struct PlanFigure {
    /// Identifier in machine-readable formats; ends in the unit, if there is one.
    pub(crate) key: &'static str,
    pub(crate) name: &'static str,
    pub(crate) before: fn(&Plan) -> Option<Estimate>,
    pub(crate) planned: fn(&Plan) -> Option<Estimate>,
    /// Whether more is better.
    pub(crate) rises: bool,
    /// Whether it rests on perf ratios.
    pub(crate) timed: bool,
    /// How the workbook shows it.
    style: CellStyle,
    /// What it follows from before and with the plan; `None` for what no setting changes.
    formulas: [Option<&'static str>; 2],
}

const fn exact(value: f64) -> Option<Estimate> {
    Some(Estimate { value, low: value, high: value })
}

/// In the order in which reports and the workbook show them.
pub(crate) static PLAN_FIGURES: [PlanFigure; 5] = [
    PlanFigure {
        key: "total_latency_ms",
        name: "total latency (ms)",
        before: |plan| plan.totals.total,
        planned: |plan| plan.totals.projected_total,
        rises: false,
        timed: true,
        style: CellStyle::MILLISECONDS,
        formulas: [
            Some("=[!totals.value:total_latency_ms]"),
            Some(
                "=([!totals.value:operators_ms]-SUM([plan.$latency_ms+])+SUM([plan.$planned_ms+]))*[!totals.value:covered]+N([!totals.value:overhead_ms])",
            ),
        ],
    },
    PlanFigure {
        key: "items_per_second",
        name: "items per second",
        before: |plan| plan.totals.items_per_second,
        planned: |plan| plan.totals.projected_items_per_second,
        rises: true,
        timed: true,
        style: CellStyle::RATIO,
        formulas: [
            Some(
                "=IF(AND(ISNUMBER([!totals.value:batch_size]),[before:total_latency_ms]>0),[!totals.value:batch_size]*1000/[before:total_latency_ms],\"–\")",
            ),
            Some(
                "=IF(AND(ISNUMBER([!totals.value:batch_size]),[planned:total_latency_ms]>0),[!totals.value:batch_size]*1000/[planned:total_latency_ms],\"–\")",
            ),
        ],
    },
    PlanFigure {
        key: "flops",
        name: "FLOPs per iteration",
        before: |plan| exact(plan.flops.known),
        planned: |plan| exact(plan.planned_flops.known).filter(|_| plan.known.are_known()),
        rises: false,
        timed: false,
        style: CellStyle::QUANTITY,
        formulas: [None, Some("=[before:flops]-SUM([plan.$flops+])+SUM([plan.$planned_flops+])")],
    },
    PlanFigure {
        key: "parameters",
        name: "parameters",
        before: |plan| plan.all_parameters().and_then(exact),
        planned: |plan| plan.parameters_left().and_then(exact),
        rises: false,
        timed: false,
        style: CellStyle::QUANTITY,
        formulas: [
            None,
            Some("=[before:parameters]-SUM([plan.$parameters+])+SUM([plan.$parameters_left+])"),
        ],
    },
    PlanFigure {
        key: "prunable_parameters",
        name: "prunable parameters",
        before: |plan| exact(plan.prunable as f64).filter(|_| plan.known.are_known()),
        planned: |plan| {
            exact(plan.prunable as f64 - plan.pruned).filter(|_| plan.known.are_known())
        },
        rises: false,
        timed: false,
        style: CellStyle::QUANTITY,
        formulas: [None, None],
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

pub(super) type Row<'a> = (&'static PlanFigure, &'a Plan);

columns! {
    pub(super) fn columns<'a>: Row<'a>;

    /// what is stated
    "figure" "Figure" Text = |(figure, _)| Cell::label(figure.key, figure.name),
        sheet("model"), style(CellStyle::Label);
    /// as it is
    "before" "Before" Number = |(figure, plan)| Case::Value.cell((figure.before)(plan)),
        sheet("before"), style_of(|(figure, _)| figure.style),
        live(|(figure, plan)| figure.formulas[0].is_some() && (figure.before)(plan).is_some()),
        formula(|(figure, _)| figure.formulas[0].unwrap_or_default().to_string());
    /// with the plan
    "planned" "Planned" Number = |(figure, plan)| Case::Value.cell((figure.planned)(plan)),
        sheet("planned"), style_of(|(figure, _)| figure.style),
        live(|(figure, plan)| figure.formulas[1].is_some() && (figure.planned)(plan).is_some()),
        formula(|(figure, _)| figure.formulas[1].unwrap_or_default().to_string());
    /// the planned figure
    ends END: Case in ["low" "Low", "high" "High"] Number =
        |(figure, plan)| END.cell((figure.planned)(plan));
    /// before / planned; for items per second planned / before
    "gain" "Gain" Number = |(figure, plan)| Cell::number(figure.gain(plan)),
        sheet("gain"), live(|(figure, plan)| figure.gain(plan).is_some()),
        formula(|(figure, _)| {
            let keys = if figure.rises { ["planned", "before"] } else { ["before", "planned"] };
            let [more, less] = keys.map(|key| format!("[${key}]"));
            // A text is above every number.
            format!("=IF(ISNUMBER({less}),{},\"{UNKNOWN}\")", quotient(&more, &less))
        });
    /// origin of its perf ratios; measured if there are none
    "origin" "Origin" Text = |(figure, plan)| match figure.timed {
        true => origins((figure.planned)(plan).is_some(), plan.origins()),
        false => Cell::None,
    };
}

pub(super) fn figures(plan: &Plan) -> Table {
    let rows = PLAN_FIGURES.iter().map(|figure| (figure, plan));
    Table::new("plan", "Plan", &columns(), rows)
}

columns! {
    pub(super) const LOSS: PlannedLoss;

    /// share of the L1 norm of all weights
    "l1" "L1 removed" Share = |loss| Cell::number(loss.l1);
    /// L2 norm of the removed weights / that of all weights
    "l2" "L2 removed" Share = |loss| Cell::number(loss.l2);
    /// sum of the layers' sensitivities, as if they added up
    "sensitivity" "sum of sensitivities" Scientific = |loss| Cell::number(loss.sensitivity);
}

/// What a loss profile lets expect of the plan.
pub(super) fn loss(loss: &PlannedLoss) -> Figures {
    Figures::new("planned_loss", "Loss of the plan", LOSS, loss)
}

/// The figures of the model on the sheet of the plan; what the plan could prune at most is
/// none of them.
pub(crate) fn plan_figures(plan: &Plan) -> Table {
    let figures = || PLAN_FIGURES.iter().filter(|figure| figure.key != "prunable_parameters");
    let rows = figures().map(|figure| (figure, plan));
    Table::live("plan_model", &columns(), rows).with_rows(figures().map(|figure| figure.key))
}

/// A layer of the plan.
pub(super) struct LayerRow<'a> {
    operator: &'a Operator,
    layer: &'a PlannedLayer,
    /// Of a model that was run.
    model: Option<&'a Model<'a>>,
}

impl<'a> LayerRow<'a> {
    fn new(summary: &'a Summary, layer: &'a PlannedLayer) -> LayerRow<'a> {
        LayerRow { operator: &summary.operators[layer.operator].operator, layer, model: None }
    }

    fn is_settable(&self) -> bool {
        can_be_set(self.layer)
    }

    fn ratios(&self) -> Option<&'a RatioRow> {
        self.model?.ratios(self.layer.operator)
    }

    columns! {
        pub(super) fn columns: LayerRow<'a>;

        /// position in the order of execution
        "number" "#" Count = |row| Cell::Whole(u64::from(row.operator.number));
        /// name of its ONNX node
        "name" "Operator" Text = |row| Cell::text(&row.operator.name),
            sheet(heading::OPERATOR_NAME), style(CellStyle::Name), width(44.0);
        /// outputs x inputs
        "weight_shape" "Weight shape" Text = |row| {
            let weight = row.operator.weight.as_ref();
            weight.map_or(Cell::None, |weight| Cell::text(weight.matrix_shape()))
        }, sheet(heading::WEIGHT_SHAPE);
        /// elements of its weight, counted once
        "parameters" "Parameters" Quantity = |row| Cell::Whole(row.layer.parameters),
            sheet("parameters");
        /// sparsity in the plan
        "level" "Sparsity" Share = |row| Cell::number(row.layer.level()),
            sheet("sparsity"), after("override"), live(LayerRow::is_settable),
            formula(|_| "=IF(ISNUMBER([override]),[override],[planned_level])".into());
        /// where the budget put it
        "planned_level" "By budget" Share = |row| Cell::number(row.layer.planned),
            sheet("planned sparsity");
        /// a sparsity of your own; counts at once
        own "override" (heading::OVERRIDE) InputPercent =
            |row| row.layer.fixed.map_or(Cell::None, Cell::Number),
            only(LayerRow::is_settable);
        /// planned, fixed, or why it is left dense
        "why" "Why" Text = |row| Cell::text(why(row.layer)),
            sheet("why"), after("parameters"), width(22.0);
        /// as measured
        "latency_ms" "Latency ms" Milliseconds = |row| Case::Value.cell(row.layer.dense),
            sheet("latency (ms)");
        /// dense latency / sparse latency
        "perf_ratio" "Perf ratio" Number = |row| Cell::number(row.layer.ratio.value),
            sheet("perf ratio"), live(LayerRow::is_settable),
            formula(|_| format!("=IF({IS_LEFT},1,{})", LOOKUP.ratio("ratio_values")));
        /// latency / perf ratio
        "planned_ms" "Planned ms" Milliseconds = |row| Case::Value.cell(row.layer.projected),
            sheet("planned latency (ms)"), formula(|_| known("latency_ms", "/[perf_ratio]"));
        /// the planned latency
        ends END: Case in ["planned_low_ms" "Low ms", "planned_high_ms" "High ms"] Milliseconds =
            |row| END.cell(row.layer.projected);
        /// before / planned
        own "speedup" "speedup" RATIO = |row| Cell::Number(row.layer.ratio.value),
            formula(|_| "=[perf_ratio]".into());
        /// without the pruned ones
        own "parameters_left" "parameters left" QUANTITY =
            |row| Cell::Number(row.layer.parameters as f64 * (1.0 - row.layer.level())),
            formula(|_| "=[parameters]*(1-[level])".into());
        /// operations per iteration
        "flops" "FLOPs" Quantity = |row| Cell::number(row.layer.flops), sheet("FLOPs");
        /// without those of zero weights
        "planned_flops" "Planned FLOPs" Quantity = |row| Cell::number(row.layer.planned_flops),
            sheet("planned FLOPs"), formula(|_| known("flops", "*(1-[level])"));
        /// origin of its perf ratios; measured if there are none
        "origin" "Origin" Text = |row| match row.layer.origin {
            Some(origin) => Cell::text(origin.to_string()),
            None => Cell::text(Origins::default().text()),
        }, sheet("origin of the perf ratio"), after("perf_ratio"), width(24.0),
            live(LayerRow::is_settable),
            formula(|_| {
                format!("=IF({IS_LEFT},\"{}\",{})", Origins::default().text(), LOOKUP.origin())
            });
        helper "group" "group" = |row| {
            let group = row.model.and_then(|model| model.group_number(row.layer.operator));
            // No group has the number 0: the lookup finds no row of ratios.
            group.unwrap_or(Cell::Number(0.0))
        }, only(LayerRow::is_settable);
        helper "setting" "setting row" = |row| {
            row_number(row.model.and_then(|m| m.projection.operators[row.layer.operator].row))
        }, only(LayerRow::is_settable), formula(|_| setting_of_group("[group]"));
        helper "point" "point" = |row| lookup::point(row.ratios(), Some(row.layer.level())),
            only(LayerRow::is_settable), formula(|_| LOOKUP.point());
        helper "fraction" "fraction to next point" =
            |row| lookup::fraction(row.ratios(), Some(row.layer.level())),
            only(LayerRow::is_settable), formula(|_| LOOKUP.fraction());
        helper "sparse_ratio" "weight sparse ratio" = |row| {
            let block = row.model.map(|model| model.projection.block);
            let ratio = row.operator.weight.as_ref().zip(block);
            let ratio = ratio.and_then(|(weight, block)| weight.sparse_ratio(block));
            ratio.map_or(Cell::None, Cell::Number)
        };
    }
}

const LOOKUP: Lookup = Lookup::at("[level]");

/// Whether its ratio is looked up nowhere.
const IS_LEFT: &str =
    "OR([level]<=0,AND(ISNUMBER([sparse_ratio]),[level]<=[sparse_ratio]),[setting]=0)";

/// What follows from a figure, if it is known.
fn known(figure: &str, changed: &str) -> String {
    format!("=IF(ISNUMBER([{figure}]),[{figure}]{changed},\"{UNKNOWN}\")")
}

/// Whether a level could change its latency.
pub(crate) fn can_be_set(layer: &PlannedLayer) -> bool {
    !matches!(layer.exclusion, Some(Exclusion::Outcome(_)))
}

/// The layers on the sheet *Plan*. Levels are found by the analyzer; what follows from them,
/// and from fixed ones that are typed in, is live.
pub(crate) fn plan_sheet<'a>(model: &'a Model, plan: &'a Plan) -> Table {
    let rows = plan.layers.iter();
    let rows =
        rows.map(|layer| LayerRow { model: Some(model), ..LayerRow::new(model.summary, layer) });
    Table::live("plan", &LayerRow::columns(), rows).with_width(13.0)
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
    Table::new("planned_layers", "Planned layers", &LayerRow::columns(), rows)
        .hiding(&["planned_level", "planned_low_ms", "planned_high_ms", "flops", "planned_flops"])
        .shortened(most)
}

/// A budget spread over the layers of a model that was not run, and what of the model is left:
/// nothing that a time or a perf ratio is part of. Steps of layers are worth the FLOPs they save.
pub(crate) fn flops_plan(profile: &Summary, plan: &Plan, most: Option<usize>) -> [Table; 2] {
    let figures = PLAN_FIGURES.iter().filter(|figure| !figure.timed).map(|figure| (figure, plan));
    let layers = plan.layers.iter().map(|layer| LayerRow::new(profile, layer));
    let layers = Table::new("planned_layers", "Planned layers", &LayerRow::columns(), layers);
    let timed = ["latency_ms", "perf_ratio", "planned_ms", "planned_low_ms", "planned_high_ms"];
    [
        Table::new("plan", "Plan", &columns(), figures).without(&["low", "high", "origin"]),
        layers.without(&timed).without(&["origin"]).hiding(&["planned_level"]).shortened(most),
    ]
}
