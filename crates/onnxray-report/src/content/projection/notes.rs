//! What the figures rest on, and what was passed over.

use crate::document::Note;
use onnxray_analyzer::projection::{
    AppliedRow, Estimate, LossBasis, MeasuredOn, Origin, Outcome, Plan, Projection, RatioOrigin,
    TargetOrigin,
};
use onnxray_analyzer::quantity::percent;
use onnxray_analyzer::statistics::{Advice, FEWEST_UNITS, Parts, Summary};
use onnxray_text::{counted, first_of, printable};

/// Tables beside those of the targets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    /// The whole model at each level.
    pub(crate) levels_table: bool,
    /// The plan of the budget.
    pub(crate) plan: bool,
}

pub(crate) fn projection_notes(
    summary: &Summary,
    projection: &Projection,
    plan: &Plan,
    shown: Shown,
) -> Vec<Note> {
    let texts = [
        blocks(summary),
        weights(summary, projection),
        defaults(projection, plan, shown),
        measured(summary, projection),
        targets(projection),
        no_faster(summary, projection, plan, shown),
        vec![spread(projection, summary.advice)],
        unused(projection),
    ];
    let texts = texts.into_iter().flatten().chain(planned(plan)).chain(summary.caveats.clone());
    texts.map(Note::note).collect()
}

/// Why nothing of an x-ray is projected.
fn blocks(summary: &Summary) -> Vec<String> {
    let why = "the recording is an x-ray: a block is several operators, and no perf ratio is for it; \
               `onnxray record` times them one by one";
    if summary.run.blocks { vec![why.to_string()] } else { Vec::new() }
}

/// Operators whose weights are unknown.
fn weights(summary: &Summary, projection: &Projection) -> Vec<String> {
    let known = projection.weights();
    if known.unknown == 0 {
        return Vec::new();
    }
    // A model that was joined tells its parameters.
    let advice = match summary.run.parameters {
        Some(_) => "",
        None => "; add them with --model MODEL.onnx",
    };
    if !known.are_known() {
        return vec![format!(
            "the trace has no weights, so the gain of sparse ones is unknown{advice}"
        )];
    }
    let mut types: Vec<String> = Vec::new();
    let operators = summary.operators.iter().zip(&projection.operators);
    for (summary, _) in operators.filter(|(_, o)| o.outcome == Outcome::WeightUnknown) {
        if !types.contains(&summary.operator.operator_type) {
            types.push(summary.operator.operator_type.clone());
        }
    }
    vec![format!(
        "the weights of {} are unknown ({}); the projected totals have their measured latency{advice}",
        operators_of(known.unknown),
        first_of(&types, ", ")
    )]
}

fn operators_of(number: u64) -> String {
    if number == 1 { "1 operator".to_string() } else { format!("{number} operators") }
}

/// Figures that rest on default perf ratios.
fn defaults(projection: &Projection, plan: &Plan, shown: Shown) -> Vec<String> {
    let mut notes = Vec::new();
    let operators = projection.operators.iter();
    let operators = operators.map(|o| (o.row, o.origin, o.target.map(|target| target.level)));
    let (cells, number) = default_cells(projection, operators);
    if number > 0 {
        notes.push(format!(
            "the perf ratios of {}, and so the projected totals, rest on defaults that were not \
             measured: {}; set them with --ratio, --ratios or in the workbook",
            operators_of(number),
            first_of(&cells, ", "),
        ));
    }
    let levels = projection.at_levels.iter().filter(|level| level.origins.default);
    let levels: Vec<String> = levels.map(|at| format!("{} %", percent(at.level))).collect();
    if shown.levels_table && !levels.is_empty() {
        notes.push(format!(
            "the model with all weights at {} rests on default perf ratios",
            first_of(&levels, ", ")
        ));
    }
    let layers = plan
        .layers
        .iter()
        .map(|layer| (projection.operators[layer.operator].row, layer.origin, Some(layer.level())));
    let (cells, number) = default_cells(projection, layers);
    if shown.plan && number > 0 {
        notes.push(format!("the plan rests on default perf ratios: {}", first_of(&cells, ", ")));
    }
    notes
}

/// Where measured perf ratios are from, and what is different in the recording.
fn measured(summary: &Summary, projection: &Projection) -> Vec<String> {
    let texts = |on: &MeasuredOn| match projection.has_measured_ratios() {
        true => [Some(on.text()), on.other_conditions(summary)].into_iter().flatten().collect(),
        false => vec![format!(
            "the measured perf ratios apply to no operator: they are for blocks of {}, and for types \
             and weight shapes of {}; --block sets the blocks of the projection",
            on.block,
            printable(&on.file.model)
        )],
    };
    projection.measured_on.iter().flat_map(texts).collect()
}

/// The default cells that figures rest on, each once, and how many figures do.
fn default_cells(
    projection: &Projection,
    figures: impl Iterator<Item = (Option<usize>, Option<RatioOrigin>, Option<f64>)>,
) -> (Vec<String>, u64) {
    let (mut cells, mut number): (Vec<String>, u64) = (Vec::new(), 0);
    for (row, origin, target) in figures {
        let (Some(row), Some(origin)) = (row, origin) else { continue };
        if !origin.origins().default {
            continue;
        }
        // Figures that share a cell count one by one.
        number += 1;
        let shape = projection.rows[row].ratios.key.shape;
        let at = |level: f64| format!("{shape} at {} %", percent(level));
        let of_default =
            |(level, origin): (f64, Origin)| (origin == Origin::Default).then(|| at(level));
        let used = match origin {
            RatioOrigin::At(_) => vec![target.map(at)],
            RatioOrigin::Between(points) => points.map(of_default).to_vec(),
            RatioOrigin::Above(level, _) => vec![Some(at(level))],
            RatioOrigin::Below(_) => vec![Some(format!("{shape} below all levels"))],
        };
        for cell in used.into_iter().flatten() {
            if !cells.contains(&cell) {
                cells.push(cell);
            }
        }
    }
    (cells, number)
}

fn targets(projection: &Projection) -> Vec<String> {
    let mut notes = Vec::new();
    let mut inheriting = projection.types.iter().filter(|of_type| of_type.inheriting > 0);
    if inheriting.any(|of_type| of_type.target.from == TargetOrigin::Default) {
        notes.push(format!(
            "the target of {} % is the default; set it with --target",
            projection.model_target.level * 100.0
        ));
    }
    notes
}

/// Operators that do not get faster for certain, at their targets and in the plan.
fn no_faster(summary: &Summary, projection: &Projection, plan: &Plan, shown: Shown) -> Vec<String> {
    let layers = plan.layers.iter().filter(|own| shown.plan && own.exclusion.is_none());
    let pruned = layers.filter(|own| is_doubtful(own.level(), own.ratio, own.origin));
    let planned: Vec<String> =
        pruned.map(|own| pruned_to(summary, own.operator, own.level(), own.ratio)).collect();
    // Targets may be those of the plan.
    let mut targets = doubtful_targets(summary, projection);
    targets.retain(|own| !planned.contains(own));
    let planned = not_faster(&planned, "in the plan", "--plan-op");
    not_faster(&targets, AT_TARGETS, OF_TARGETS).into_iter().chain(planned).collect()
}

/// Says which operators do not get faster for certain at their targets; `None` if all do.
pub fn no_faster_at_targets(summary: &Summary, projection: &Projection) -> Option<String> {
    not_faster(&doubtful_targets(summary, projection), AT_TARGETS, OF_TARGETS)
}

const AT_TARGETS: &str = "at their targets";
const OF_TARGETS: &str = "--target-op";

fn not_faster(names: &[String], place: &str, option: &str) -> Option<String> {
    let operators = counted(names.len() as u64, "operator is", "operators are");
    (!names.is_empty()).then(|| {
        let names = first_of(names, ", ");
        format!(
            "{operators} not measurably faster {place}: {names}; {option} NAME=0 keeps one dense"
        )
    })
}

fn doubtful_targets(summary: &Summary, projection: &Projection) -> Vec<String> {
    let operators = projection.operators.iter().enumerate();
    let projected = operators.filter(|(_, own)| own.outcome == Outcome::Projected);
    let doubtful = projected.filter_map(|(number, own)| {
        let (level, ratio) = (own.target?.level, own.ratio?);
        is_doubtful(level, ratio, own.origin).then(|| pruned_to(summary, number, level, ratio))
    });
    doubtful.collect()
}

/// Whether a perf ratio was measured or given, and may be 1 or less.
fn is_doubtful(level: f64, ratio: Estimate, origin: Option<RatioOrigin>) -> bool {
    let is_known = origin.is_some_and(|origin| !origin.origins().default);
    level > 0.0 && is_known && ratio.low <= 1.0
}

fn pruned_to(summary: &Summary, operator: usize, level: f64, ratio: Estimate) -> String {
    let name = printable(&summary.operators[operator].operator.name);
    format!("{name} ({} %, {:.2}x)", percent(level), ratio.value)
}

/// Meaning of low and high ends.
fn spread(projection: &Projection, advice: Advice) -> String {
    match projection.spread.parts {
        Some(Parts::Launches(launches)) => format!(
            "low and high latencies are 95 % intervals of the mean over {launches} launches; intervals \
             of totals add the intervals of their parts"
        ),
        Some(Parts::Rounds(rounds)) => format!(
            "low and high latencies are 95 % intervals of the mean over {rounds} rounds of instances; \
             intervals of totals add the intervals of their parts"
        ),
        Some(Parts::Blocks(blocks)) => format!(
            "low and high latencies are 95 % intervals of the mean over {blocks} blocks of iterations, \
             which says little about other launches; {}",
            advice.launches(FEWEST_UNITS)
        ),
        None if projection.spread.ratios => {
            "low and high ends come from the ranges of perf ratios alone: how far the latencies may \
             be off is unknown"
                .to_string()
        }
        None => "how far the latencies may be off is unknown".to_string(),
    }
}

/// Unknown parts of the total, and settings without effect.
fn unused(projection: &Projection) -> Vec<String> {
    let mut notes = Vec::new();
    if projection.totals.overhead.is_none() {
        notes.push("the framework overhead is unknown: totals are of operators only".to_string());
    }
    let ratios = |filter: fn(&&AppliedRow) -> bool| -> Vec<String> {
        projection.rows.iter().filter(filter).map(|row| row.ratios.key.to_string()).collect()
    };
    let lists = [
        ("perf ratios that apply to no weight of this model: ", ratios(|row| row.operators == 0)),
        (
            "no perf ratio is given for ",
            ratios(|row| row.operators > 0 && row.ratios.points.is_empty()),
        ),
        (
            "targets of operators or types that this model does not have: ",
            projection.unmatched_targets.clone(),
        ),
    ];
    let lists = lists.into_iter().filter(|(_, names)| !names.is_empty());
    notes.extend(lists.map(|(what, names)| format!("{what}{}", first_of(&names, ", "))));
    notes
}

fn planned(plan: &Plan) -> Vec<String> {
    let mut notes = Vec::new();
    if !plan.unmatched.is_empty() {
        let names = first_of(&plan.unmatched, ", ");
        notes.push(format!(
            "fixed sparsities of layers that are not there or cannot be pruned: {names}"
        ));
    }
    notes.extend(plan.caveats.iter().cloned());
    notes.extend(plan.loss.iter().flat_map(|loss| loss.caveats.iter().cloned()));
    if plan.basis == LossBasis::Level && plan.prunable > 0 {
        notes.push(
            "the plan knows nothing of the loss: neither sensitivities nor weight magnitudes are \
             there for all layers"
                .to_string(),
        );
    }
    if let Some(most) = plan.settings.max_loss.filter(|_| !plan.reached && plan.prunable > 0) {
        let why = match plan.basis {
            LossBasis::Sensitivity => "the fixed sparsities alone lose more",
            LossBasis::Magnitude | LossBasis::Level => {
                "the losses of layers are unknown, which --sensitivity FILE.json adds"
            }
        };
        notes.push(format!("the loss of {most} cannot be kept: {why}"));
    // Without prunable parameters, the share would be 0 / 0.
    } else if !plan.reached && plan.prunable > 0 {
        notes.push(format!(
            "the budget of {} % cannot be reached within the plan's bounds: {:.1} % are pruned",
            plan.settings.budget * 100.0,
            100.0 * plan.pruned / plan.prunable as f64
        ));
    }
    notes
}
