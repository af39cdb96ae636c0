//! The plan of a budget: what it brings, and the level of each layer.

use super::estimates::origins;
use super::lookup::{self, Lookup, NO_LEVEL, row_number, setting_of_group};
use super::model::{Case, Model};
use super::typed;
use crate::document::Unit::{
    Count, Milliseconds, Number, Quantity, Ratio, Scientific, Share, Text,
};
use crate::document::{
    Cell, CellStyle, Column, Figures, Table, UNKNOWN, columns, items_per_second, quotient,
};
use onnxray_analyzer::projection::{
    Estimate, Exclusion, Origins, Plan, PlannedLayer, PlannedLoss, RatioRow,
};
use onnxray_analyzer::statistics::Summary;
use onnxray_analyzer::workbook_words::heading;
use onnxray_format::{Operator, Weight};

/// The whole model as it is, or with the plan.
pub(super) struct At<'a> {
    plan: &'a Plan,
    is_planned: bool,
    case: Case,
}

impl At<'_> {
    fn of(
        &self,
        before: fn(&Plan) -> Option<Estimate>,
        planned: fn(&Plan) -> Option<Estimate>,
    ) -> Cell {
        self.case.cell(if self.is_planned { planned } else { before }(self.plan))
    }
}

const LATENCY: &str = "total_latency_ms";
const ITEMS: &str = "items_per_second";
/// Figures that times or perf ratios are parts of.
const TIMED: [&str; 2] = [LATENCY, ITEMS];
const PRUNABLE: &str = "prunable_parameters";

columns! {
    /// In the order in which reports and the workbook show them.
    fn plan_columns<'a>: At<'a>;

    /// one inference
    LATENCY "total latency (ms)" Milliseconds =
        |at| at.of(|plan| plan.totals.total, |plan| plan.totals.projected_total),
        formula(|at| match at.is_planned {
            false => "=[!totals.value:total_latency_ms]".into(),
            true => "=([!totals.value:operators_ms]-SUM([plan.$latency_ms+])\
                     +SUM([plan.$planned_ms+])+[!totals.value:not_pruned_ms]\
                     *(1/[!totals.value:plan_not_pruned]-1))*[!totals.value:covered]\
                     +N([!totals.value:overhead_ms])"
                .into(),
        });
    /// batch size / total latency
    ITEMS "items per second" Ratio = |at| {
        at.of(
            |plan| plan.totals.items_per_second,
            |plan| plan.totals.projected_items_per_second,
        )
    },
        formula(|at| {
            let latency = if at.is_planned { "planned" } else { "before" };
            let latency = format!("[{latency}:total_latency_ms]");
            format!("={}", items_per_second("[!totals.value:batch_size]", &latency))
        });
    /// operations
    "flops" "FLOPs per iteration" Quantity = |at| {
        at.of(
            |plan| exact(plan.flops.known),
            |plan| exact(plan.planned_flops.known).filter(|_| plan.known.are_known()),
        )
    },
        live(|at| at.is_planned),
        formula(|_| "=[before:flops]-SUM([plan.$flops+])+SUM([plan.$planned_flops+])".into());
    /// elements of weights
    "parameters" "parameters" Quantity = |at| {
        at.of(
            |plan| plan.all_parameters().and_then(exact),
            |plan| plan.parameters_left().and_then(exact),
        )
    },
        live(|at| at.is_planned),
        formula(|_| {
            "=[before:parameters]-SUM([plan.$parameters+])+SUM([plan.$parameters_left+])".into()
        });
    /// those that the budget may take
    PRUNABLE "prunable parameters" Quantity = |at| {
        at.of(
            |plan| exact(plan.prunable as f64).filter(|_| plan.known.are_known()),
            |plan| exact(plan.prunable as f64 - plan.pruned).filter(|_| plan.known.are_known()),
        )
    };
}

fn exact(value: f64) -> Option<Estimate> {
    Some(Estimate::exact(value))
}

/// A figure of the whole model.
pub(super) struct Row<'a> {
    figure: Column<At<'a>>,
    plan: &'a Plan,
}

impl<'a> Row<'a> {
    fn all(plan: &'a Plan) -> impl Iterator<Item = Row<'a>> {
        plan_columns().into_iter().map(move |figure| Row { figure, plan })
    }

    fn at(&self, is_planned: bool) -> At<'a> {
        At { plan: self.plan, is_planned, case: Case::Value }
    }

    fn value(&self, is_planned: bool) -> Cell {
        (self.figure.value)(&self.at(is_planned))
    }

    fn planned(&self, case: Case) -> Cell {
        (self.figure.value)(&At { case, ..self.at(true) })
    }

    fn is_timed(&self) -> bool {
        TIMED.contains(&self.figure.key)
    }

    fn is_live(&self, is_planned: bool) -> bool {
        let live = self.figure.sheet.live;
        let is_live = live.is_none_or(|is_live| is_live(&self.at(is_planned)));
        self.figure.sheet.formula.is_some() && is_live && self.value(is_planned) != Cell::Unknown
    }

    fn formula(&self, is_planned: bool) -> String {
        let formula = self.figure.sheet.formula;
        formula.map_or(String::new(), |of| of(&self.at(is_planned)))
    }

    fn style(&self) -> CellStyle {
        CellStyle::of(self.figure.unit)
    }

    /// What gets smaller and what gets larger, as the figure gets better: of before and planned.
    fn less_and_more<T>(&self, [before, planned]: [T; 2]) -> [T; 2] {
        if self.figure.key == ITEMS { [before, planned] } else { [planned, before] }
    }

    /// How many times better it gets; `None` if that is unknown.
    fn gain(&self) -> Option<f64> {
        let known = |is_planned| self.value(is_planned).as_number().filter(|&value| value > 0.0);
        let [less, more] = self.less_and_more([known(false)?, known(true)?]);
        Some(more / less)
    }
}

columns! {
    pub(super) fn columns<'a>: Row<'a>;

    /// name of the figure
    "figure" "Figure" Text = |row| Cell::label(row.figure.key, row.figure.heading),
        sheet("model"), style(CellStyle::Label);
    /// unchanged model
    "before" "Before" Number = |row| row.value(false), sheet("before"), style_of(Row::style),
        live(|row| row.is_live(false)), formula(|row| row.formula(false));
    /// with the plan
    "planned" "Planned" Number = |row| row.value(true), sheet("planned"), style_of(Row::style),
        live(|row| row.is_live(true)), formula(|row| row.formula(true));
    /// the planned figure
    ends END: Case in ["low" "Low", "high" "High"] Number = |row| row.planned(END);
    /// before / planned; for items per second planned / before
    "gain" "Gain" Number = |row| Cell::number(row.gain()),
        sheet("gain"), live(|row| row.gain().is_some()),
        formula(|row| {
            let [less, more] = row.less_and_more(["[$before]", "[$planned]"]);
            // A text is above every number.
            format!("=IF(ISNUMBER({less}),{},\"{UNKNOWN}\")", quotient(more, less))
        });
    /// origin of its perf ratios; recorded without any
    "origin" "Origin" Text = |row| match row.is_timed() {
        true => origins(row.value(true) != Cell::Unknown, row.plan.origins()),
        false => Cell::None,
    };
}

pub(super) fn figures(plan: &Plan) -> Table {
    Table::new("plan", "Plan", &columns(), Row::all(plan))
}

columns! {
    pub(super) const LOSS: PlannedLoss;

    /// removed share of the L1 norm of all weights
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
    let rows: Vec<Row> = Row::all(plan).filter(|row| row.figure.key != PRUNABLE).collect();
    let keys: Vec<&str> = rows.iter().map(|row| row.figure.key).collect();
    Table::live("plan_model", &columns(), rows).with_rows(keys)
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

    /// Elements of its weight, for each operator that has it.
    fn elements(&self) -> Option<f64> {
        let weight = self.operator.weight.as_ref().filter(|_| self.is_settable());
        weight.map(Weight::elements)
    }

    /// Its level, if that makes more of its weight zero.
    fn zero_level(&self) -> f64 {
        let block = self.model.map(|model| model.projection.block);
        let ratio = self.operator.weight.as_ref().zip(block);
        let ratio = ratio.and_then(|(weight, block)| weight.sparse_ratio(block));
        let is_known = self.ratios().is_some_and(|ratios| !ratios.points.is_empty());
        let level = Some(self.layer.level()).filter(|level| ratio.is_none_or(|own| *level > own));
        level.filter(|_| is_known && can_be_set(self.layer)).unwrap_or(0.0)
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
            formula(|_| format!("={}", typed::level_or("[override]", "[planned_level]")));
        /// sparsity by the budget or the largest loss
        "planned_level" "By plan" Share = |row| Cell::number(row.layer.planned),
            sheet("planned sparsity");
        /// your own sparsity; takes effect at once
        own "override" (heading::OVERRIDE) InputPercent =
            |row| row.layer.fixed.map_or(Cell::None, Cell::Number),
            only(LayerRow::is_settable);
        /// planned, fixed, or why left dense
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
        /// origin of its perf ratios; recorded without any
        "origin" "Origin" Text = |row| match row.layer.origin {
            Some(origin) => Cell::text(origin.to_string()),
            None => Cell::text(Origins::default().text()),
        }, sheet("origin of the perf ratio"), after("perf_ratio"), width(24.0),
            live(LayerRow::is_settable),
            formula(|_| {
                format!("=IF({IS_LEFT},\"{}\",{})", Origins::default().text(), LOOKUP.origin())
            });
        helper "elements" "elements that can be zero" =
            |row| row.elements().map_or(Cell::None, Cell::Number);
        helper "zero_elements" "elements that are zero" = |row| {
            row.elements().map_or(Cell::None, |elements| Cell::Number(elements * row.zero_level()))
        }, only(LayerRow::is_settable),
            formula(|_| {
                format!(
                    "=IF({IS_LEFT},0,IF(INDEX(ratio_levels,[setting],1)>={NO_LEVEL},0,\
                     [elements]*[level]))"
                )
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
        (None, None) => "left dense by the plan",
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
    let figures = Row::all(plan).filter(|row| !row.is_timed());
    let layers = plan.layers.iter().map(|layer| LayerRow::new(profile, layer));
    let layers = Table::new("planned_layers", "Planned layers", &LayerRow::columns(), layers);
    let timed = ["latency_ms", "perf_ratio", "planned_ms", "planned_low_ms", "planned_high_ms"];
    [
        Table::new("plan", "Plan", &columns(), figures).without(&["low", "high", "origin"]),
        layers.without(&timed).without(&["origin"]).hiding(&["planned_level"]).shortened(most),
    ]
}
