//! Decides what a report says of a projection.

use crate::printable::first_of;
use crate::projection::{
    Estimate, LossBasis, Origin, Outcome, Plan, PlannedLayer, ProjectedType, Projection,
    TargetOrigin,
};
use crate::report::table::{Cell, Report, Table};
use crate::schema;
use crate::statistics::{Parts, Summary};
use onnxray_format::Weight;

/// What of a projection is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProjectionSelection {
    /// At most so many operators and layers; `None` for all.
    pub operators: Option<usize>,
    /// The whole model at each level.
    pub sweep: bool,
    /// The plan of the budget.
    pub plan: bool,
    /// Long tables as well: perf ratios, and operator types at each level.
    pub details: bool,
}

/// The report of a projection.
pub fn projection_report(
    summary: &Summary,
    projection: &Projection,
    plan: &Plan,
    selection: ProjectionSelection,
) -> Report {
    let mut tables = vec![
        totals(projection),
        types(projection),
        operators(summary, projection, selection.operators),
    ];
    if selection.details {
        tables.push(ratios(projection));
    }
    if selection.sweep {
        tables.push(levels(projection));
    }
    if selection.sweep && selection.details {
        tables.push(level_types(projection));
    }
    if selection.plan {
        tables.extend([plan_totals(plan), layers(summary, plan, selection.operators)]);
    }
    let notes = projection_notes(summary, projection, plan);
    let notes = notes.into_iter().map(|(kind, text)| vec![Cell::Text(kind), Cell::Text(text)]);
    tables.push(Table::new(&schema::NOTES, notes.collect()));
    Report { tables, ..Report::default() }
}

fn number(value: f64) -> Cell {
    Cell::number(Some(value))
}

fn ends(estimate: Option<Estimate>) -> [Cell; 3] {
    [
        Cell::number(estimate.map(|estimate| estimate.value)),
        Cell::number(estimate.map(|estimate| estimate.low)),
        Cell::number(estimate.map(|estimate| estimate.high)),
    ]
}

fn totals(projection: &Projection) -> Table {
    let totals = &projection.totals;
    let mut figures = vec![
        ("total latency(ms)", Some(totals.total)),
        ("total aim to sparse latency(ms)", Some(totals.projected_total)),
        ("sparse support latency(ms)", Some(totals.support)),
        ("aim to sparse support latency(ms)", Some(totals.projected_support)),
        ("sparse support latency ratio", totals.support_ratio),
        ("aim to sparse support latency ratio", totals.projected_support_ratio),
        ("sparse improve", totals.improvement),
        ("items per second", totals.items_per_second),
        ("aim to sparse items per second", totals.projected_items_per_second),
        ("operators (ms)", Some(totals.operators)),
        ("aim to sparse operators (ms)", Some(totals.projected_operators)),
    ];
    if totals.concurrent.value > 0.0 {
        figures.push(("concurrent (ms)", Some(totals.concurrent)));
        figures.push(("aim to sparse concurrent (ms)", Some(totals.projected_concurrent)));
    }
    figures.push(("overhead (ms)", totals.overhead));
    let row = |(name, estimate): (&str, Option<Estimate>)| {
        std::iter::once(Cell::text(name)).chain(ends(estimate)).collect()
    };
    let table = Table::new(&schema::PROJECTION, figures.into_iter().map(row).collect());
    match has_ends(projection) {
        true => table,
        false => table.showing(&["figure", "value"]),
    }
}

/// Whether low and high ends tell anything.
fn has_ends(projection: &Projection) -> bool {
    projection.spread.parts.is_some() || projection.spread.ratios
}

fn types(projection: &Projection) -> Table {
    let whole = projection.totals.total.value;
    let rows = projection.types.iter().map(|known| {
        let [projected, low, high] = ends(Some(known.projected));
        let gain = (known.projected.value > 0.0).then(|| known.dense.value / known.projected.value);
        vec![
            Cell::text(&known.operator_type),
            Cell::Whole(known.operators),
            Cell::Whole(known.settable),
            match known.inheriting {
                0 => Cell::None,
                _ => number(known.target.level),
            },
            number(known.dense.value),
            Cell::number((whole > 0.0).then(|| known.dense.value / whole)),
            projected,
            low,
            high,
            Cell::number(gain),
        ]
    });
    let keys =
        ["type", "operators", "target", "latency_ms", "share", "projected_ms", "improvement"];
    Table::new(&schema::PROJECTED_TYPES, rows.collect()).showing(&keys)
}

fn operators(summary: &Summary, projection: &Projection, most: Option<usize>) -> Table {
    let mut order: Vec<usize> = (0..projection.operators.len()).collect();
    if most.is_some() {
        // A choice shows what takes most time; all of them stand as executed.
        let time = |at: usize| projection.operators[at].dense.map_or(-1.0, |dense| dense.value);
        order.sort_by(|&a, &b| time(b).total_cmp(&time(a)));
    }
    let kept = most.unwrap_or(usize::MAX).min(order.len());
    let rows = order[..kept].iter().map(|&at| operator(summary, projection, at)).collect();
    let mut table = Table::new(&schema::PROJECTED_OPERATORS, rows).showing(&[
        "number",
        "name",
        "type",
        "weight_shape",
        "sparse_ratio",
        "latency_ms",
        "target",
        "perf_ratio",
        "projected_ms",
        "projection",
    ]);
    table.left_out = order.len() - kept;
    table
}

fn operator(summary: &Summary, projection: &Projection, at: usize) -> Vec<Cell> {
    let (operator, projected) = (&summary.operators[at].operator, &projection.operators[at]);
    let weight = operator.weight.as_ref();
    let of_weight = |cell: &dyn Fn(&Weight) -> Cell| weight.map_or(Cell::None, cell);
    let [dense, dense_low, dense_high] = ends(projected.dense);
    let [sparse, sparse_low, sparse_high] = ends(projected.projected);
    let interval = |end: Cell| match projection.spread.parts {
        Some(_) => end,
        None => Cell::Unknown,
    };
    vec![
        Cell::Whole(u64::from(operator.number)),
        Cell::text(&operator.name),
        Cell::text(&operator.operator_type),
        of_weight(&|weight| Cell::text(weight.matrix_shape())),
        of_weight(&|weight| Cell::text(weight.data_type.name())),
        of_weight(&|weight| Cell::number(weight.sparse_ratio(projection.block))),
        match projected.outcome {
            Outcome::WeightUnknown => Cell::Unknown,
            _ => Cell::text(if operator.sparse_support { "yes" } else { "no" }),
        },
        dense,
        interval(dense_low),
        interval(dense_high),
        projected.target.map_or(Cell::None, |target| number(target.level)),
        number(projected.ratio.value),
        sparse,
        sparse_low,
        sparse_high,
        Cell::text(projected.outcome.text()),
    ]
}

fn ratios(projection: &Projection) -> Table {
    let mut rows = Vec::new();
    for row in &projection.rows {
        let key = &row.ratios.key;
        let origin = row.ratios.origin.text();
        let mut push = |level: Cell, ratio: Estimate| {
            let [value, low, high] = ends(Some(ratio));
            rows.push(vec![
                Cell::text(key.shape.to_string()),
                key.operator_type.clone().map_or(Cell::None, Cell::Text),
                key.data_type.map_or(Cell::None, |data_type| Cell::text(data_type.name())),
                Cell::text(key.block.to_string()),
                level,
                value,
                low,
                high,
                Cell::Whole(row.operators),
                Cell::text(origin),
            ]);
        };
        push(Cell::None, Estimate::exact(row.ratios.others));
        row.ratios.points.iter().for_each(|point| push(number(point.level), point.ratio));
    }
    let keys =
        ["weight_shape", "type", "data_type", "sparse_ratio", "perf_ratio", "operators", "origin"];
    Table::new(&schema::RATIOS, rows).showing(&keys)
}

fn levels(projection: &Projection) -> Table {
    let baseline = &projection.totals;
    let row = |level: Cell, total, improvement: Cell, items: Option<Estimate>| {
        let [value, low, high] = ends(Some(total));
        let items = Cell::number(items.map(|items| items.value));
        vec![level, value, low, high, improvement, items]
    };
    let mut rows = vec![row(Cell::None, baseline.total, number(1.0), baseline.items_per_second)];
    rows.extend(projection.sweep.iter().map(|level| {
        let totals = &level.totals;
        let improvement = Cell::number(totals.improvement.map(|improvement| improvement.value));
        row(
            number(level.level),
            totals.projected_total,
            improvement,
            totals.projected_items_per_second,
        )
    }));
    Table::new(&schema::LEVELS, rows)
}

fn level_types(projection: &Projection) -> Table {
    let row = |level: Cell, name: &str, time: Estimate| {
        let [value, low, high] = ends(Some(time));
        vec![level, Cell::text(name), value, low, high]
    };
    let baseline =
        projection.types.iter().map(|known| row(Cell::None, &known.operator_type, known.dense));
    let mut rows: Vec<Vec<Cell>> = baseline.collect();
    for level in &projection.sweep {
        for (known, time) in projection.types.iter().zip(&level.types) {
            rows.push(row(number(level.level), &known.operator_type, *time));
        }
    }
    Table::new(&schema::LEVEL_TYPES, rows)
}

fn plan_totals(plan: &Plan) -> Table {
    let totals = &plan.totals;
    let estimates = |name: &str, before: Option<Estimate>, after: Option<Estimate>, up: bool| {
        let before = before.map(|before| before.value);
        let [planned, low, high] = ends(after);
        let gain = before.zip(after).filter(|(before, after)| *before > 0.0 && after.value > 0.0);
        let gain = gain.map(|(b, a)| if up { a.value / b } else { b / a.value });
        vec![Cell::text(name), Cell::number(before), planned, low, high, Cell::number(gain)]
    };
    let exact = |name: &str, before: f64, after: f64| {
        estimates(name, Some(Estimate::exact(before)), Some(Estimate::exact(after)), false)
    };
    let parameters = plan.parameters.unwrap_or(plan.weights) as f64;
    let rows = vec![
        estimates("total latency (ms)", Some(totals.total), Some(totals.projected_total), false),
        estimates(
            "items per second",
            totals.items_per_second,
            totals.projected_items_per_second,
            true,
        ),
        exact("FLOPs per iteration", plan.flops.known, plan.planned_flops.known),
        exact("parameters", parameters, parameters - plan.pruned),
        exact("prunable parameters", plan.prunable as f64, plan.prunable as f64 - plan.pruned),
    ];
    Table::new(&schema::PLAN, rows)
}

/// Why a layer has its level.
pub fn why(layer: &PlannedLayer) -> &'static str {
    match (layer.exclusion, layer.fixed) {
        (Some(exclusion), _) => exclusion.text(),
        (None, Some(_)) => "fixed",
        (None, None) if layer.planned > 0.0 => "planned",
        (None, None) => "left dense by the budget",
    }
}

fn layers(summary: &Summary, plan: &Plan, most: Option<usize>) -> Table {
    let kept = most.unwrap_or(usize::MAX).min(plan.layers.len());
    let row = |layer: &PlannedLayer| {
        let operator = &summary.operators[layer.operator].operator;
        let [planned, low, high] = ends(layer.projected);
        vec![
            Cell::Whole(u64::from(operator.number)),
            Cell::text(&operator.name),
            operator.weight.as_ref().map_or(Cell::None, |w| Cell::text(w.matrix_shape())),
            Cell::Whole(layer.parameters),
            number(layer.level()),
            number(layer.planned),
            Cell::text(why(layer)),
            Cell::number(layer.dense.map(|dense| dense.value)),
            number(layer.ratio.value),
            planned,
            low,
            high,
            Cell::number(layer.flops),
            Cell::number(layer.planned_flops),
        ]
    };
    let rows = plan.layers[..kept].iter().map(row).collect();
    let mut table = Table::new(&schema::PLANNED_LAYERS, rows).showing(&[
        "number",
        "name",
        "weight_shape",
        "parameters",
        "level",
        "why",
        "latency_ms",
        "perf_ratio",
        "planned_ms",
    ]);
    table.left_out = plan.layers.len() - kept;
    table
}

/// What the figures rest on, and what was passed over: kind and text.
pub fn projection_notes(
    summary: &Summary,
    projection: &Projection,
    plan: &Plan,
) -> Vec<(String, String)> {
    let mut notes = Vec::new();
    let mut note = |text: String| notes.push(("note".to_string(), text));
    let defaults: u64 = applied(projection, Origin::Default);
    if defaults > 0 {
        note(format!(
            "the perf ratios of {defaults} operators are defaults: placeholders of a plausible size \
             that nobody measured; set them with --ratio, --ratios or in the workbook"
        ));
    }
    let from_default =
        |known: &ProjectedType| known.inheriting > 0 && known.target.from == TargetOrigin::Default;
    if projection.types.iter().any(from_default) {
        note(format!(
            "the target of {} % is the default; set it with --target",
            projection.model_target.level * 100.0
        ));
    }
    match projection.spread.parts {
        Some(Parts::Launches(launches)) => note(format!(
            "low and high latencies are 95 % intervals of the mean over {launches} launches; the ends \
             of sums are sums of ends"
        )),
        Some(Parts::Blocks(blocks)) => note(format!(
            "low and high latencies are 95 % intervals of the mean over {blocks} blocks of iterations, \
             which says little about other launches; record with --launches 3 or more"
        )),
        None if projection.spread.ratios => note(
            "low and high ends come from the ranges of perf ratios alone: how far the latencies may \
             be off is unknown"
                .to_string(),
        ),
        None => note("how far the latencies may be off is unknown".to_string()),
    }
    if projection.totals.overhead.is_none() {
        note("the overhead is unknown: totals are of operators only".to_string());
    }
    let unused: Vec<String> = projection
        .rows
        .iter()
        .filter(|row| row.operators == 0)
        .map(|row| row.ratios.key.to_string())
        .collect();
    if !unused.is_empty() {
        note(format!("perf ratios that apply to no weight of this model: {}", first_of(&unused)));
    }
    let empty: Vec<String> = projection
        .rows
        .iter()
        .filter(|row| row.operators > 0 && row.ratios.points.is_empty())
        .map(|row| row.ratios.key.to_string())
        .collect();
    if !empty.is_empty() {
        note(format!("no perf ratio is given for {}", first_of(&empty)));
    }
    if !projection.unmatched_targets.is_empty() {
        let names = first_of(&projection.unmatched_targets);
        note(format!("targets of operators or types that this model does not have: {names}"));
    }
    if !plan.unmatched.is_empty() {
        let names = first_of(&plan.unmatched);
        note(format!("fixed levels of layers that are not there or cannot be pruned: {names}"));
    }
    plan.doubts.iter().for_each(|doubt| note(doubt.clone()));
    if plan.basis == LossBasis::Level && plan.prunable > 0 {
        note(
            "the plan knows nothing of the loss: neither sensitivities nor weight magnitudes are \
             there for all layers"
                .to_string(),
        );
    }
    if !plan.reached && plan.prunable > 0 {
        note(format!(
            "the budget of {} % cannot be reached within the plan's bounds: {:.1} % are pruned",
            plan.settings.budget * 100.0,
            100.0 * plan.pruned / plan.prunable as f64
        ));
    }
    notes.extend(summary.doubts.iter().map(|doubt| ("note".to_string(), doubt.clone())));
    notes
}

fn applied(projection: &Projection, origin: Origin) -> u64 {
    let rows = projection.rows.iter().filter(|row| row.ratios.origin == origin);
    rows.map(|row| row.operators).sum()
}
