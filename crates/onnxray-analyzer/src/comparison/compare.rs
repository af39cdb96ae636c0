//! From two recordings to their comparison.

use super::causes::contribution::Parts;
use super::causes::{conservation, contribution, details, fusions, precision, types};
use super::costs::{self, costs, spins};
use super::judging::change::{Judge, Judged};
use super::judging::{pooling, stability, unprofiled};
use super::pairs::paired::Paired;
use super::pairs::typical::{self, LeftOut, Typical};
use super::recording::type_name;
use super::timing::Measured;
use super::units::identity;
use super::{
    Certainty, Compared, ComparedGroup, Comparison, ComparisonError, Conservation, Group, Modules,
    Options, Recording, Side, align, comparability, notes, patterns,
};
use crate::units::Share;
use onnxray_format::{IterationKind, Operator};

/// Compares `b` to the baseline `a`.
///
/// # Errors
///
/// If a side has no times, or if the parts do not add up to the whole on a side,
/// which would be a defect.
pub fn compare(
    a: &Recording,
    b: &Recording,
    options: &Options,
) -> Result<Comparison, ComparisonError> {
    // Before all else: every time below has this one cost taken out.
    let pooled = pooling::pooled([a, b]);
    let [a, b] = pooled.as_ref().map_or([a, b], |pooled| pooled.each_ref());
    // Recordings that should be pairs and are not are still compared, by launches.
    let (paired, turn_notes) = match Paired::of([a, b]) {
        Ok(paired) => (paired, None),
        Err(reason) => (None, Some(format!("iterations are not compared as pairs: {reason}"))),
    };
    let recordings = paired.as_ref().map_or([a, b], |paired| paired.recordings.each_ref());
    let operators = recordings.map(|recording| {
        recording.summary.operators.iter().map(|o| o.operator.clone()).collect::<Vec<_>>()
    });
    let alignment = align(&operators[0], &operators[1]);
    // Not of the restricted recordings: unprofiled iterations have partners of their own.
    let (unprofiled, unprofiled_left_out) = unprofiled::unprofiled([a, b], options).unzip();
    let typical = Typical::of(recordings, paired.as_ref(), IterationKind::Measured);
    // Means of what is tested, so that whole and latency are of the same unprofiled iterations.
    let means =
        unprofiled.as_ref().map(|unprofiled| unprofiled.sides.each_ref().map(|side| side.mean));
    let measured = Measured::both(recordings, &typical, means);
    for (side, recording) in measured.iter().zip(recordings) {
        if side.sums.iter().all(Option::is_none) {
            return Err(ComparisonError::NoTimes { label: recording.label.clone() });
        }
    }
    let trends = recordings.map(|recording| recording.timeline.as_ref().map(stability::trend));
    let judge = Judge::new(recordings, &measured, &trends, paired.as_ref(), options);
    let main = alignment.groups.iter().map(|group| main_operators(group, &measured, &operators));
    let main: Vec<[Option<&Operator>; 2]> = main.collect();
    let types: Vec<[&str; 2]> =
        main.iter().map(|main| main.map(|operator| operator.map_or("", type_name))).collect();
    let lists = alignment.groups.iter().map(|group| type_lists(group, &operators));
    let lists: Vec<[String; 2]> = lists.collect();
    let folds = patterns::folds(&alignment.groups, &main, &lists);
    let Judged { total, profiling, groups: changes, folded, whole } =
        judge.all(&alignment.groups, &types, &folds, unprofiled.as_ref());
    // Blocks of an x-ray are called by what they hold, also next to a recording's operators.
    let blocks = recordings.map(|recording| recording.summary.run.blocks);
    let groups: Vec<ComparedGroup> = alignment
        .groups
        .into_iter()
        .zip(changes)
        .zip(main)
        .zip(lists)
        .map(|(((group, compared), main), types)| {
            let named = if blocks == [false, true] { Side::B } else { Side::A };
            name(group, compared, (main, named), types, &operators)
        })
        .collect();
    let shift = unprofiled.as_ref().unwrap_or(&total).shift();
    let modules = Modules::of(&groups, &folded, |modules| {
        judge.modules(modules, &groups, profiling.as_ref(), shift)
    });
    let conservation = conservation::check(recordings, &measured, &groups)?;
    // Of all iterations, not only of those with a partner.
    let is_one_recording = identity::is_one([a, b]);
    // A difference of 0 has no causes: what parts seem to differ by is of the estimator.
    let parts = Parts {
        judge: &judge,
        groups: &groups,
        folded: &folded,
        operators: &operators,
        conservation: &conservation,
        whole: whole.unwrap_or(conservation.each_ref().map(Conservation::mean_whole)),
    };
    let has_causes = whole.is_some() && !is_one_recording;
    let causes = if has_causes { contribution::causes(&parts) } else { Vec::new() };
    let types = types::types(&operators, &judge, parts.whole);
    let outside = contribution::outside(&parts, &types);
    let types_whole = parts.whole;
    let [of_a, of_b] = recordings.map(|recording| &recording.summary.run.engine);
    // Another engine fuses otherwise throughout: each layer would be listed.
    let fusions = if of_a == of_b { fusions::fusions(&groups, &operators) } else { Vec::new() };
    let comparability = comparability::comparability(recordings, &operators, &groups, options);
    let aligned = aligned(&groups);
    let [file_a, file_b] = recordings.map(|recording| recording.summary.run.model_sha256.as_ref());
    let notes = notes::notes(recordings, &measured, &trends, judge.basis(), &groups);
    let of_turns = paired.iter().flat_map(|paired| paired.notes.clone()).chain(turn_notes);
    let unprofiled_left_out = unprofiled_left_out.unwrap_or_default();
    // Iterations of an x-ray are of both kinds.
    let [a_blocks, b_blocks] = blocks;
    let of_recording = |left_out: [Option<LeftOut>; 2]| {
        let [a, b] = left_out;
        [a.filter(|_| !a_blocks), b.filter(|_| !b_blocks)]
    };
    let are_x_rays = blocks == [true; 2];
    let kind = if are_x_rays { "" } else { "profiled " };
    let of_means = [("unprofiled ", of_recording(unprofiled_left_out)), (kind, typical.left_out)];
    let of_means = of_means
        .into_iter()
        .flat_map(|(kind, left_out)| typical::notes(&left_out, kind, paired.is_some()));
    let depends_on_load =
        !judge.basis().is_in_turns() && recordings.iter().any(|own| spins(&own.summary.run));
    // Of processes of their own, which no pairs of iterations restrict.
    let costs = costs([a, b].map(|side| side.summary.costs.as_ref()), depends_on_load, options);
    let of_costs = costs::note(&costs);
    let notes = notes.into_iter().chain(of_means).chain(of_turns).chain(of_costs).collect();
    let mut comparison = Comparison {
        labels: recordings.map(|recording| recording.label.clone()),
        is_one_recording,
        are_x_rays,
        is_one_file: file_a.is_some() && file_a == file_b,
        basis: judge.basis(),
        noise_threshold: options.noise_threshold,
        comparability,
        total,
        unprofiled,
        costs,
        profiling,
        total_is: measured[0].whole_is,
        other_load: other_load(&measured),
        left_out: typical.left_out,
        unprofiled_left_out,
        layer_times: judge.layer_times(),
        groups,
        folded,
        modules,
        conservation,
        parted: whole,
        causes,
        hidden_causes: Vec::new(),
        fusions,
        types,
        outside,
        types_whole,
        aligned,
        notes,
    };
    if comparison.hidden_by().is_some() {
        comparison.hidden_causes = std::mem::take(&mut comparison.causes);
    }
    Ok(comparison)
}

fn other_load(measured: &[Measured; 2]) -> Option<[Share; 2]> {
    let loads = measured.each_ref().map(|side| side.other_load);
    loads.iter().any(|load| load.0 != 0.0).then_some(loads)
}

/// Share of the operators' time that is aligned by more than place, by side.
fn aligned(groups: &[ComparedGroup]) -> [Option<Share>; 2] {
    [0, 1].map(|side| {
        let time = |group: &ComparedGroup| group.compared.sides[side].sum_ns.unwrap_or(0.0);
        let sure = |group: &&ComparedGroup| {
            group.group.method().is_some_and(|method| method.certainty() < Certainty::Possible)
        };
        let all: f64 = groups.iter().map(time).sum();
        let found = groups.iter().filter(sure).map(time).fold(0.0, |sum, time| sum + time);
        (all > 0.0).then_some(Share(found / all))
    })
}

/// Operator of a group that takes most time, by side; a conversion only if there is nothing else.
fn main_operators<'a>(
    group: &Group,
    measured: &[Measured; 2],
    operators: &'a [Vec<Operator>; 2],
) -> [Option<&'a Operator>; 2] {
    [Side::A, Side::B].map(|side| {
        let main = measured[side as usize].largest(&group.computing(side))?;
        operators[side as usize].get(main as usize)
    })
}

/// All types of a group, by side.
fn type_lists(group: &Group, operators: &[Vec<Operator>; 2]) -> [String; 2] {
    [Side::A, Side::B].map(|side| {
        let own = &operators[side as usize];
        let members = group.computing(side).into_iter();
        types::list(members.filter_map(|member| own.get(member as usize)))
    })
}

/// A group is called as its operator of a side, or else of the other one.
fn name(
    group: Group,
    compared: Compared,
    (main, named): ([Option<&Operator>; 2], Side),
    types: [String; 2],
    operators: &[Vec<Operator>; 2],
) -> ComparedGroup {
    let details = details::details(main, &group, operators);
    let [first, second] = match named {
        Side::A => main,
        Side::B => [main[1], main[0]],
    };
    let text = |value: Option<&str>| value.unwrap_or_default().to_string();
    ComparedGroup {
        name: text(first.or(second).map(|operator| operator.name.as_str())),
        main_types: main.map(|operator| text(operator.map(type_name))),
        types,
        precisions: main.map(|operator| text(operator.map(precision::precision))),
        group,
        compared,
        details,
    }
}
