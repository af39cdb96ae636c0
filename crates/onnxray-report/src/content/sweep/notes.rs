//! What a careful reader should know of a sweep.

use super::configuration;
use crate::document::Note;
use onnxray_analyzer::sweep::{Counted, Percentile, Point, Sweep};
use onnxray_text::first_of;
use std::collections::{BTreeMap, BTreeSet};

/// Notes that depend on the percentile or the threshold name it, so that they stay true
/// in a workbook in which these are changed.
pub(super) fn notes(sweep: &Sweep) -> Vec<Note> {
    let notes = [
        rates(sweep),
        sizes(sweep),
        without_interval(sweep),
        costs_unknown(sweep),
        paced(sweep),
        loaded(sweep),
        few_rounds(sweep),
        few_iterations(sweep),
        threshold(sweep),
        above(sweep),
        machines(sweep),
        left_out_of_names(sweep),
    ];
    notes.into_iter().flatten().map(Note::note).collect()
}

/// Models whose throughput counts iterations, not items.
fn rates(sweep: &Sweep) -> Option<String> {
    let models = sweep.models.iter().filter(|model| model.counted == Counted::Iterations);
    let names: Vec<String> = models.filter_map(|model| model.model.clone()).collect();
    if names.is_empty() {
        return None;
    }
    let apart = match sweep.overall.is_none() && sweep.models.len() > 1 {
        true => "; models are not compared with each other",
        false => "",
    };
    let names = first_of(&names, ", ");
    Some(format!(
        "throughput of {names} is in iterations per second, since a batch size is unknown{apart}"
    ))
}

/// Items of other sizes are other work.
fn sizes(sweep: &Sweep) -> Option<String> {
    let sizes = |point: &Point| point.profile.configuration.dimensions.clone();
    let first = sweep.points.first().map(sizes)?;
    let differ = sweep.points.iter().any(|point| sizes(point) != first);
    differ.then(|| "points of different sizes are not compared with each other".to_string())
}

/// What calls at a pace do not change.
fn paced(sweep: &Sweep) -> Option<String> {
    let is_paced =
        |point: &Point| point.profile.costs.as_ref().is_some_and(|costs| costs.paced.is_some());
    sweep.points.iter().any(is_paced).then(|| {
        "sweet spot, best points and fronts are of iterations back to back, not of calls at a pace"
            .to_string()
    })
}

/// Other programs that use fewer cores are not mentioned.
const MENTIONED: f64 = 0.25;

/// Other programs beside which the points were measured.
fn loaded(sweep: &Sweep) -> Option<String> {
    let cores = |point: &Point| point.profile.other_cores.filter(|&cores| cores >= MENTIONED);
    let points = sweep.points.iter().enumerate();
    let found = points.filter_map(|(number, point)| Some((number, cores(point)?)));
    let (numbers, amounts): (Vec<usize>, Vec<f64>) = found.unzip();
    let most = amounts.into_iter().reduce(f64::max)?;
    Some(format!(
        "other programs used up to {most:.1} cores: on a quiet machine, other points may be better: {}",
        configuration::short_names(sweep, &numbers)
    ))
}

/// Points whose intervals are over blocks of iterations.
fn few_rounds(sweep: &Sweep) -> Option<String> {
    let points = sweep.points.iter().enumerate();
    let few = points.filter(|(_, point)| point.profile.rounds < 3 && point.has_intervals());
    let numbers: Vec<usize> = few.map(|(number, _)| number).collect();
    (!numbers.is_empty()).then(|| {
        format!(
            "with fewer than three rounds, intervals are over blocks of iterations, and say \
             nothing about other launches: {}",
            configuration::short_names(sweep, &numbers)
        )
    })
}

/// Points with too few iterations for the percentile.
fn few_iterations(sweep: &Sweep) -> Option<String> {
    let percentile = sweep.options.percentile;
    let enough = match percentile {
        Percentile::P50 => return None,
        // With fewer, none lies beyond the percentile.
        Percentile::P90 => 10,
        Percentile::P99 => 100,
    };
    let points = sweep.points.iter().enumerate();
    let few = points.filter(|(_, point)| point.profile.iterations < enough);
    let numbers: Vec<usize> = few.map(|(number, _)| number).collect();
    (!numbers.is_empty()).then(|| {
        format!(
            "with fewer than {enough} iterations, {percentile} is close to the slowest of them: {}",
            configuration::short_names(sweep, &numbers)
        )
    })
}

/// Points that nothing is decided about.
fn without_interval(sweep: &Sweep) -> Option<String> {
    let points = sweep.points.iter().enumerate();
    let numbers: Vec<usize> =
        points.filter(|(_, point)| !point.has_intervals()).map(|(number, _)| number).collect();
    let percentile = sweep.options.percentile;
    (!numbers.is_empty()).then(|| {
        format!(
            "without an interval of latency {percentile} or throughput, for want of iterations: not \
             shown to be better or worse than others: {}",
            configuration::short_names(sweep, &numbers)
        )
    })
}

/// Points whose CPU time, memory or start is unknown, where others have these.
fn costs_unknown(sweep: &Sweep) -> Option<String> {
    if sweep.points.iter().all(|point| point.profile.costs.is_none()) {
        return None;
    }
    let mut of_reason: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, point) in sweep.points.iter().enumerate() {
        if let Some(reason) = point.costs_unknown() {
            of_reason.entry(reason).or_default().push(number);
        }
    }
    let parts = of_reason.iter().map(|(reason, numbers)| {
        format!("{} ({reason})", configuration::short_names(sweep, numbers))
    });
    let parts: Vec<String> = parts.collect();
    (!parts.is_empty())
        .then(|| format!("CPU time, memory or start is unknown: {}", parts.join("; ")))
}

fn threshold(sweep: &Sweep) -> Option<String> {
    if sweep.points.is_empty() {
        return None;
    }
    let Some(most) = sweep.options.latency_threshold else {
        return Some("without a latency threshold, the sweet spot is the best throughput".into());
    };
    let without = sweep.all_candidates().filter(|of| of.sweet_spot.is_none());
    let nearest = without.filter_map(|of| {
        let point = sweep.points.get(of.best_latency)?;
        let model = of.model.as_deref().unwrap_or("all models");
        let latency = configuration::short(point.latency.value);
        Some(format!(
            "{model}: {} with {latency} ms",
            configuration::short_names(sweep, &[of.best_latency])
        ))
    });
    let nearest: Vec<String> = nearest.collect();
    let percentile = sweep.options.percentile;
    (!nearest.is_empty()).then(|| {
        format!(
            "no point has a latency {percentile} within {} ms; the nearest of {}",
            configuration::short(most.0),
            first_of(&nearest, ", ")
        )
    })
}

/// Points within the threshold that may lie above it.
fn above(sweep: &Sweep) -> Option<String> {
    let most = sweep.options.latency_threshold?.0;
    let points = sweep.points.iter().enumerate();
    let straddling =
        points.filter(|(_, point)| point.latency.value <= most && point.latency.ends().high > most);
    // A note of its own names the others.
    let straddling = straddling.filter(|(_, point)| point.latency.interval.is_some());
    let numbers: Vec<usize> = straddling.map(|(number, _)| number).collect();
    let percentile = sweep.options.percentile;
    (!numbers.is_empty()).then(|| {
        format!(
            "within {} ms, but may be above it, since the interval of latency {percentile} \
             reaches beyond: {}",
            configuration::short(most),
            configuration::short_names(sweep, &numbers)
        )
    })
}

/// Who wants to compare points needs their names.
fn left_out_of_names(sweep: &Sweep) -> Option<String> {
    let shared = configuration::shared_sizes(sweep).concat();
    (!shared.is_empty())
        .then(|| format!("profiles are called by their names without {shared}, which all have"))
}

/// Points of other machines say more of these than of configurations.
fn machines(sweep: &Sweep) -> Option<String> {
    let machine = |point: &Point| {
        let configuration = &point.profile.configuration;
        configuration.cpu.clone().or_else(|| configuration.host.clone())
    };
    let machines: BTreeSet<String> = sweep.points.iter().filter_map(machine).collect();
    let machines: Vec<String> = machines.into_iter().collect();
    (machines.len() > 1)
        .then(|| format!("points are of several machines: {}", first_of(&machines, ", ")))
}
