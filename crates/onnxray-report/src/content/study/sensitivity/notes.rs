//! What a careful reader of a loss profile should know.

use onnxray_analyzer::projection::planned_loss;
use onnxray_analyzer::quantity::percent;
use onnxray_format::{
    LossLayer, LossMeasure, LossOutput, LossPlan, LossProfile, MeasuredLayers, TimedRun,
};
use onnxray_text::counted;
use onnxray_text::first_of;

/// Caveat of all figures that come from random data.
pub(super) const RANDOM: &str = "random data: these say little about accuracy";

/// What a careful reader should know.
pub fn loss_notes(profile: &LossProfile) -> Vec<String> {
    let mut notes: Vec<String> = out_of_time(profile).into_iter().collect();
    if profile.run.data.random && !profile.times_only {
        notes.push(format!("{RANDOM}; --data takes inputs that the model is meant for"));
    }
    let lists = [
        ("layers that cannot be pruned: ", left_out(profile)),
        ("layers that multiply by their zeros: ", multiplying(profile)),
        ("runs that failed: ", failed(profile)),
        ("the sensitivity falls as the sparsity rises: ", falling(profile)),
        (
            "the scale of these weights is unknown: what goes first is what is the fewest steps \
             from zero: ",
            without_scale(profile),
        ),
    ];
    let lists = lists.into_iter().filter(|(_, names)| !names.is_empty());
    notes.extend(lists.map(|(what, names)| format!("{what}{}", first_of(&names, ", "))));
    let not_timed = profile.timed.as_ref().and_then(|timed| timed.left_out.as_ref());
    notes.extend(not_timed.map(|why| format!("layers are not timed: {why}")));
    let failed = profile.timed.as_ref().and_then(|timed| Some((timed, timed.failed.as_ref()?)));
    notes.extend(failed.map(|(timed, why)| {
        let launches = counted(timed.launches.into(), "launch", "launches");
        format!("layers are timed in {launches} only, the next one failed: {why}")
    }));
    notes.extend(mixed_measures(&profile.run.outputs));
    if let Some(plan) = &profile.plan {
        notes.extend(planned_loss(profile, &plan.levels).caveats);
        // On random data, the first note says enough.
        if !profile.run.data.random {
            notes.push(
                "a plan that was chosen by these inputs may lose more on others: give some that \
                 it was not chosen by"
                    .to_string(),
            );
        }
        notes.extend(
            plan.measured.failed.iter().map(|why| format!("the run of the plan failed: {why}")),
        );
    }
    notes
}

/// How much was measured until time ran out, if it did.
pub(super) fn out_of_time(profile: &LossProfile) -> Option<String> {
    let MeasuredLayers { measured, whole, all } = profile.measured_layers();
    let layers = counted(all as u64, "layer", "layers");
    let at_all = match profile.run.levels.last() {
        Some(highest) if profile.run.levels.len() > 1 => {
            format!(" at {} %, {whole} at all sparsities", percent(*highest))
        }
        _ => String::new(),
    };
    let is_open = |plan: &LossPlan| plan.measured.not_measured;
    let plan = match profile.plan.as_ref().is_some_and(is_open) {
        true => ", the plan is not",
        false => "",
    };
    let lacks = |timed: &&TimedRun| profile.lacks_times() && timed.failed.is_none();
    let timed = profile.timed.as_ref().filter(lacks);
    let timed = timed
        .map(|timed| format!("timed in {} of {} launches", timed.launches, timed.planned_launches));
    let losses =
        profile.lacks_losses().then(|| format!("{measured} of {layers} measured{at_all}{plan}"));
    let lacks: Vec<String> = losses.into_iter().chain(timed).collect();
    (!lacks.is_empty()).then(|| {
        format!("Out of time: {}. Run the same command again to continue.", lacks.join("; "))
    })
}

/// Whether sensitivities are of several kinds, in words. With labels all are changes of the loss.
pub fn mixed_sensitivities(profile: &LossProfile) -> Option<String> {
    match profile.run.data.labels_sha256 {
        Some(_) => None,
        None => mixed_measures(&profile.run.outputs),
    }
}

/// What the sensitivities of a profile are, in a few words.
pub(super) fn scale(profile: &LossProfile) -> &'static str {
    let measures: Vec<LossMeasure> =
        profile.run.outputs.iter().filter_map(|output| output.measure).collect();
    let is_l2 = |measure: &LossMeasure| *measure == LossMeasure::RelativeL2;
    match profile.run.data.labels_sha256 {
        Some(_) => "change of the loss in nats",
        None if measures.iter().all(is_l2) => "relative L2 change of the output",
        None if !measures.iter().any(is_l2) => "KL divergence of the output in nats",
        None => "relative L2 change or KL divergence of an output",
    }
}

fn left_out(profile: &LossProfile) -> Vec<String> {
    let reason = |layer: &LossLayer| Some(format!("{} ({})", layer.name, layer.left_out.as_ref()?));
    profile.layers.iter().filter_map(reason).collect()
}

fn multiplying(profile: &LossProfile) -> Vec<String> {
    let reason =
        |layer: &LossLayer| Some(format!("{} ({})", layer.name, layer.multiplies_zeros.as_ref()?));
    profile.layers.iter().filter_map(reason).collect()
}

fn failed(profile: &LossProfile) -> Vec<String> {
    let of = |layer: &LossLayer| -> Vec<String> {
        let points = layer.points.iter();
        let failed =
            points.filter_map(|point| Some((point.level, point.measured.failed.as_ref()?)));
        failed
            .map(|(level, why)| format!("{} at {} % ({why})", layer.name, percent(level)))
            .collect()
    };
    profile.layers.iter().flat_map(of).collect()
}

/// Layers that lose less where more of them goes.
fn falling(profile: &LossProfile) -> Vec<String> {
    let of = |layer: &LossLayer| {
        let points = layer.points.iter();
        let known: Vec<(f64, f64)> =
            points.filter_map(|point| Some((point.level, point.measured.sensitivity()?))).collect();
        let falls = |pair: &&[(f64, f64)]| pair[1].1 < pair[0].1;
        // Points are in the order of their sparsities.
        let pair = known.windows(2).find(falls)?;
        let [low, high] = [pair[0].0, pair[1].0].map(percent);
        Some(format!("{} from {low} % to {high} %", layer.name))
    };
    profile.layers.iter().filter_map(of).collect()
}

fn without_scale(profile: &LossProfile) -> Vec<String> {
    let layers = profile.layers.iter();
    let unknown = layers.filter(|layer| layer.left_out.is_none() && layer.l1_norm.is_none());
    unknown.map(|layer| layer.name.clone()).collect()
}

/// Warns if the largest loss was taken over figures of different measures.
pub(in crate::content) fn mixed_measures(outputs: &[LossOutput]) -> Option<String> {
    let measures: Vec<LossMeasure> = outputs.iter().filter_map(|output| output.measure).collect();
    let is_l2 = |measure: &&LossMeasure| **measure == LossMeasure::RelativeL2;
    let l2 = measures.iter().filter(is_l2).count();
    (l2 > 0 && l2 < measures.len()).then(|| {
        format!(
            "{} of {} by relative L2 and others by KL divergence: the largest number counts, \
             whichever it is",
            l2,
            counted(measures.len() as u64, "output is compared", "outputs are compared")
        )
    })
}
