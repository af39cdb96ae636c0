//! Operators before and after.

use super::estimates::before_and_after;
use super::lookup::{self, Lookup, NO_LEVEL, row_number, setting_of_not_pruned};
use super::model::{Case, Model};
use super::typed;
use crate::document::Unit::{Count, Milliseconds, Number, Share, Text};
use crate::document::{Cell, CellStyle, Chart, ChartKind, Table, UNKNOWN, columns};
use onnxray_analyzer::projection::{
    Estimate, Origins, Outcome, ProjectedOperator, RatioRow, TargetOrigin,
};
use onnxray_analyzer::workbook_words::heading;
use onnxray_format::profile_csv::OPERATOR_HEADER;
use onnxray_format::{Operator, Tensor, Weight};

/// An operator of a model that was projected.
pub(crate) struct OperatorRow<'a> {
    operator: &'a Operator,
    projected: &'a ProjectedOperator,
    model: &'a Model<'a>,
    number: usize,
}

impl<'a> OperatorRow<'a> {
    fn new(model: &'a Model, number: usize) -> Self {
        let operator = &model.summary.operators[number].operator;
        OperatorRow { operator, projected: &model.projection.operators[number], model, number }
    }

    /// What is said of its weight, if it has one.
    fn weight(&self, cell: impl Fn(&Weight) -> Cell) -> Cell {
        self.operator.weight.as_ref().map_or(Cell::None, cell)
    }

    /// Of its weight, or for what is not pruned of all weights.
    fn level(&self) -> Option<f64> {
        match self.is_settable() {
            true => self.projected.target.map(|target| target.level),
            false => self.projected.row.map(|_| self.model.projection.sparsity),
        }
    }

    /// Elements of a weight that a target can change.
    fn elements(&self) -> Option<f64> {
        let weight = self.operator.weight.as_ref().filter(|_| self.is_settable());
        weight.map(Weight::elements)
    }

    fn ratios(&self) -> Option<&'a RatioRow> {
        self.model.ratios(self.number)
    }

    /// A latency by a perf ratio.
    fn corner(&self, pick: fn(Estimate) -> f64) -> Cell {
        let both = self.projected.dense.zip(self.projected.ratio);
        Cell::number(both.map(|(dense, ratio)| pick(dense) / pick(ratio)))
    }

    /// The formula of a latency by a perf ratio.
    fn quotient(&self, of: Case, ratio: &str) -> String {
        let dense = self.model.latency(of);
        format!("=IF(ISNUMBER([{dense}]),[{dense}]/[{ratio}],\"{UNKNOWN}\")")
    }

    /// Whether a target can change its latency.
    fn is_settable(&self) -> bool {
        self.projected.outcome.is_settable()
    }

    /// Whether it looks its perf ratio up.
    fn looks_up(&self) -> bool {
        self.is_settable() || self.projected.row.is_some()
    }

    /// Whether anybody knows whether it has a weight.
    fn has_ratio(&self) -> bool {
        self.projected.ratio.is_some()
    }

    /// Whether it inherits its target.
    fn inherits(&self) -> bool {
        self.projected.target.is_some_and(|target| target.from != TargetOrigin::Operator)
    }

    fn has_ends(&self) -> bool {
        self.model.projection.spread.parts.is_some() && self.projected.dense.is_some()
    }

    columns! {
        pub(crate) fn columns: OperatorRow<'a>;

        /// position in the order of execution
        "number" "#" Count = |row| Cell::Whole(u64::from(row.operator.number));
        /// name of its ONNX node
        "name" "Operator" Text = |row| Cell::text(&row.operator.name),
            sheet(OPERATOR_HEADER[2]), after("post_ops"), style(CellStyle::Name), width(40.0);
        /// operator type
        "type" "Type" Text = |row| Cell::text(&row.operator.operator_type),
            sheet(OPERATOR_HEADER[0]), style(CellStyle::Name), width(16.0);
        own "post_ops" (OPERATOR_HEADER[1]) Text =
            |row| Cell::some_text(row.operator.post_ops.join(","));
        own "inputs" (OPERATOR_HEADER[3]) Text =
            |row| join(&row.operator.inputs, |tensor| tensor.name.clone()),
            folded();
        own "input_shapes" (OPERATOR_HEADER[4]) Text =
            |row| join(&row.operator.inputs, |tensor| tensor.shape_text("x")),
            folded();
        own "input_types" (OPERATOR_HEADER[5]) Text =
            |row| join(&row.operator.inputs, |tensor| tensor.type_text().to_string()),
            folded();
        own "outputs" (OPERATOR_HEADER[6]) Text =
            |row| join(&row.operator.outputs, |tensor| tensor.name.clone()),
            folded();
        own "output_shapes" (OPERATOR_HEADER[7]) Text =
            |row| join(&row.operator.outputs, |tensor| tensor.shape_text("x")),
            folded();
        own "output_types" (OPERATOR_HEADER[8]) Text =
            |row| join(&row.operator.outputs, |tensor| tensor.type_text().to_string()),
            folded();
        /// outputs x inputs
        "weight_shape" "Weight shape" Text =
            |row| row.weight(|weight| Cell::text(weight.matrix_shape())),
            sheet(OPERATOR_HEADER[9]);
        /// element type of the weight
        "data_type" "Data type" Text =
            |row| row.weight(|weight| Cell::text(weight.data_type.name())),
            sheet("weight data type"), hidden();
        /// sparsity: share of zero blocks of its weight
        "sparse_ratio" "Sparsity" Share = |row| {
            row.weight(|weight| Cell::number(weight.sparse_ratio(row.model.projection.block)))
        }, sheet(OPERATOR_HEADER[10]), style(CellStyle::Percent);
        /// whether block-sparse kernels apply
        "sparse_support" "Sparse support" Text =
            |row| match (row.projected.outcome, row.operator.sparse_support) {
                (Outcome::WeightUnknown, false) => Cell::Unknown,
                (_, true) => Cell::text("yes"),
                (_, false) => Cell::text("no"),
            },
            sheet(OPERATOR_HEADER[11]), style(CellStyle::Truth);
        /// as measured
        "latency_ms" "Latency ms" Milliseconds = |row| Case::Value.cell(row.projected.dense),
            sheet(OPERATOR_HEADER[12]);
        /// a 95 % interval
        ends END: Case in ["latency_low_ms" "Low ms", "latency_high_ms" "High ms"] Milliseconds =
            |row| END.cell(row.projected.dense.filter(|_| row.has_ends())),
            sheet(END.either("latency, low (ms)", "latency, high (ms)")),
            after(END.either("origin", "latency_low_ms")), only(OperatorRow::has_ends);
        /// target sparsity
        "target" "Target" Share =
            |row| row.projected.target.map_or(Cell::None, |target| Cell::number(target.level)),
            sheet(heading::TARGET), style(CellStyle::InputPercent), only(OperatorRow::is_settable),
            live(OperatorRow::inherits), formula(|_| "=[inherited]".into());
        /// dense latency / sparse latency
        "perf_ratio" "Perf ratio" Number = |row| Case::Value.cell(row.projected.ratio),
            sheet("perf ratio"), live(OperatorRow::looks_up),
            formula(|_| ratio("ratio_values"));
        /// latency / perf ratio
        "projected_ms" "Projected ms" Milliseconds = |row| Case::Value.cell(row.projected.projected),
            sheet("projected latency (ms)"), live(OperatorRow::has_ratio),
            formula(|row| row.quotient(Case::Value, "perf_ratio"));
        /// low latency / high perf ratio
        "projected_low_ms" "Projected low" Milliseconds =
            |row| Case::Low.cell(row.projected.projected),
            sheet("projected latency, low (ms)"), after("latency_high_ms"),
            live(OperatorRow::has_ratio), formula(|row| row.quotient(Case::Low, "ratio_high"));
        /// high latency / low perf ratio
        "projected_high_ms" "Projected high" Milliseconds =
            |row| Case::High.cell(row.projected.projected),
            sheet("projected latency, high (ms)"), after("projected_low_ms"),
            live(OperatorRow::has_ratio), formula(|row| row.quotient(Case::High, "ratio_low"));
        /// projected, or why not
        "projection" "Projection" Text = |row| Cell::text(row.projected.outcome.text()),
            sheet("projection"), width(20.0), live(OperatorRow::is_settable),
            formula(|_| outcome());
        /// origin of its perf ratios; recorded without any
        "origin" "Origin" Text = |row| match (row.projected.ratio, row.projected.origin) {
            (None, _) => Cell::Unknown,
            (Some(_), None) => Cell::text(Origins::default().text()),
            (Some(_), Some(origin)) => Cell::text(origin.to_string()),
        }, sheet("origin of the perf ratio"), width(24.0), live(OperatorRow::looks_up),
            formula(|row| {
                let origin = match row.is_settable() {
                    true => LOOKUP.origin(),
                    false => LOOKUP.origin_of_not_pruned(),
                };
                format!("=IF({},\"{}\",{origin})", is_left(), Origins::default().text())
            });
        helper "inherited" (heading::INHERITED_TARGET) = |row| {
            Cell::Number(row.model.projection.types[row.model.types[row.number]].target.level)
        }, only(OperatorRow::is_settable), formula(|_| inherited());
        helper "level" "target, as a number" =
            |row| row.level().map_or(Cell::None, Cell::Number),
            only(OperatorRow::looks_up), formula(|row| match row.is_settable() {
                true => format!("={}", typed::level_or("[target]", "0")),
                false => "=[!totals.value:sparsity]".into(),
            });
        helper "elements" "elements that can be zero" =
            |row| row.elements().map_or(Cell::None, Cell::Number);
        helper "zero_elements" "elements that are zero" = |row| {
            let is_pruned = row.projected.outcome == Outcome::Projected;
            let level = row.level().filter(|_| is_pruned).unwrap_or(0.0);
            row.elements().map_or(Cell::None, |elements| Cell::Number(elements * level))
        }, only(OperatorRow::is_settable), formula(|_| {
            format!("=IF([projection]=\"{}\",[elements]*[level],0)", Outcome::Projected.text())
        });
        helper "type_number" "type number" = |row| row.model.type_number(row.number);
        helper "group" "group" = |row| row.model.group_number(row.number).unwrap_or(Cell::None);
        helper "setting" "setting row" = |row| row_number(row.projected.row),
            only(OperatorRow::looks_up), formula(|row| match row.is_settable() {
                true => setting(),
                false => format!("={}", setting_of_not_pruned()),
            });
        helper "point" "point" = |row| lookup::point(row.ratios(), row.level()),
            only(OperatorRow::looks_up), formula(|_| LOOKUP.point());
        helper "fraction" "fraction to next point" =
            |row| lookup::fraction(row.ratios(), row.level()),
            only(OperatorRow::looks_up), formula(|_| LOOKUP.fraction());
        helper "ratio_low" "perf ratio, low" = |row| Case::Low.cell(row.projected.ratio),
            style(CellStyle::RATIO), live(OperatorRow::looks_up),
            formula(|_| ratio("ratio_lows"));
        helper "ratio_high" "perf ratio, high" = |row| Case::High.cell(row.projected.ratio),
            style(CellStyle::RATIO), live(OperatorRow::looks_up),
            formula(|_| ratio("ratio_highs"));
        helper "low_at_low_ms" "low at low ratio (ms)" = |row| row.corner(|ends| ends.low),
            style(CellStyle::MILLISECONDS), live(OperatorRow::has_ratio),
            formula(|row| row.quotient(Case::Low, "ratio_low"));
        helper "high_at_high_ms" "high at high ratio (ms)" = |row| row.corner(|ends| ends.high),
            style(CellStyle::MILLISECONDS), live(OperatorRow::has_ratio),
            formula(|row| row.quotient(Case::High, "ratio_high"));
    }
}

fn join(tensors: &[Tensor], part: fn(&Tensor) -> String) -> Cell {
    Cell::some_text(tensors.iter().map(part).collect::<Vec<_>>().join(";"))
}

const LOOKUP: Lookup = Lookup::at("[level]");

/// The target of the operator's type, or else the model's.
fn inherited() -> String {
    let place = "MATCH([type_number],type_numbers,0)";
    format!("=IF(ISNA({place}),N(model_target),INDEX(type_targets,{place}))")
}

/// Looks for a row of ratios for this type and element type, then for one of all
/// element types, then for one of all types.
fn setting() -> String {
    // A name with a wildcard would match others.
    let name = ["~", "*", "?"].iter().fold("[$type]".to_string(), |text, wildcard| {
        format!("SUBSTITUTE({text},\"{wildcard}\",\"~{wildcard}\")")
    });
    let find = |of_type: &str, of_data: &str| {
        let key = format!("{of_type}\"|\"&[$weight_shape]&\"|\"&{of_data}\"|\"&ratio_block");
        format!("IFERROR(MATCH({key},ratio_keys,0),")
    };
    let (of_type, of_data) = (format!("{name}&"), "[$data_type]&");
    let tries = [find(&of_type, of_data), find(&of_type, ""), find("", of_data), find("", "")];
    format!("={}0))))", tries.concat())
}

fn outcome() -> String {
    let texts = [Outcome::NoTarget, Outcome::AtTarget, Outcome::NoRatio, Outcome::Projected];
    let [no_target, at_target, no_ratio, projected] = texts.map(Outcome::text);
    // The cases in the order of the analyzer, so that formulas and values agree.
    format!(
        "=IF([level]=\"\",\"{no_target}\",IF([level]<=0,\"{no_target}\",\
         IF(AND(ISNUMBER([$sparse_ratio]),[level]<=[$sparse_ratio]),\"{at_target}\",\
         IF([setting]=0,\"{no_ratio}\",\
         IF(INDEX(ratio_levels,[setting],1)>={NO_LEVEL},\"{no_ratio}\",\"{projected}\")))))"
    )
}

/// Whether its ratio is looked up nowhere.
fn is_left() -> String {
    let [no_target, at_target] = [Outcome::NoTarget, Outcome::AtTarget].map(Outcome::text);
    format!("OR([projection]=\"{no_target}\",[projection]=\"{at_target}\",[setting]=0,[level]<=0)")
}

/// The perf ratio, or one of its ends, as `name` says.
fn ratio(name: &str) -> String {
    format!("=IF({},1,{})", is_left(), LOOKUP.ratio(name))
}

/// The sheet *Projected operators*: the sixteen columns that users of the Neural Engine's
/// profile know, then the ends of their intervals, then, hidden, the steps of the lookup.
pub(crate) fn operators_sheet(model: &Model) -> Table {
    let rows = (0..model.summary.operators.len()).map(|number| OperatorRow::new(model, number));
    Table::live("operators", &OperatorRow::columns(), rows).with_width(12.0)
}

pub(super) fn table(model: &Model, most: Option<usize>) -> Table {
    let projection = model.projection;
    let mut order: Vec<usize> = (0..projection.operators.len()).collect();
    if most.is_some() {
        // A choice shows what takes most time; all of them stand as executed.
        // Unknown latencies come last.
        let latency = |number: usize| projection.operators[number].dense.map_or(-1.0, |d| d.value);
        order.sort_by(|&a, &b| latency(b).total_cmp(&latency(a)));
    }
    let rows = order.into_iter().map(|number| OperatorRow::new(model, number));
    Table::new("projected_operators", "Projected operators", &OperatorRow::columns(), rows)
        .hiding(&[
            "data_type",
            "sparse_support",
            "latency_low_ms",
            "latency_high_ms",
            "projected_low_ms",
            "projected_high_ms",
        ])
        .shortened(most)
}

/// All operators, before and after.
pub(crate) fn operators_chart() -> Chart {
    Chart {
        title: "Latency of each operator (ms), in order of execution".to_string(),
        kind: ChartKind::Columns,
        table: "projected_operators",
        categories: "name",
        series: before_and_after(),
        shows: "where in the model the time goes, and where sparse weights would save some",
    }
}
