//! What matters most of a sweep, in a few sentences.

use super::configuration;
use onnxray_analyzer::statistics::rate_text;
use onnxray_analyzer::sweep::{Candidates, Counted, Saving, Sweep};
use onnxray_text::counted;
use std::collections::BTreeSet;

pub(super) fn headline(sweep: &Sweep) -> Vec<String> {
    if sweep.points.is_empty() {
        let skipped = match sweep.skipped.len() as u64 {
            0 => String::new(),
            count => format!("; {}", counted(count, "was skipped", "were skipped")),
        };
        return vec![format!("No configuration was measured{skipped}.")];
    }
    match &sweep.overall {
        Some(overall) => sentences(sweep, overall, ", of all models"),
        None if sweep.models.len() == 1 => {
            sweep.models.iter().flat_map(|model| sentences(sweep, model, "")).collect()
        }
        None => {
            // Models whose throughputs count different things are not compared.
            let of_model = |model: &Candidates| {
                let name = model.model.as_deref().unwrap_or_default();
                sentences(sweep, model, &format!(" of {name}"))
            };
            sweep.models.iter().flat_map(of_model).collect()
        }
    }
}

fn sentences(sweep: &Sweep, candidates: &Candidates, of: &str) -> Vec<String> {
    let percentile = sweep.options.percentile;
    let counted = candidates.counted.name();
    let threshold = sweep.options.latency_threshold;
    let spots = candidates.may_be_sweet_spot(&sweep.points, threshold);
    // Every other one may be the sweet spot: none is called so.
    let is_open = candidates.points.len() > 1 && spots.len() + 1 == candidates.points.len();
    let named = |what: &str, number: usize| {
        let point = sweep.points.get(number)?;
        let mut rivals = BTreeSet::new();
        if candidates.sweet_spot == Some(number) {
            rivals.extend(spots.iter().copied());
        }
        if number == candidates.best_latency {
            rivals.extend(candidates.may_have_best_latency(&sweep.points));
        }
        if number == candidates.best_throughput {
            rivals.extend(candidates.may_have_best_throughput(&sweep.points));
        }
        let equals = match rivals.len() {
            0 => String::new(),
            count => format!("; {count} more may be as good"),
        };
        Some(format!("{what}{of}: {}{equals}.", configuration::point(point, percentile, counted)))
    };
    let (latency, throughput) = (candidates.best_latency, candidates.best_throughput);
    let bests =
        [("best latency".to_string(), latency), ("best throughput".to_string(), throughput)];
    let [of_latency, of_throughput] = bests;
    let found: Vec<(String, usize)> = match (sweep.options.latency_threshold, candidates.sweet_spot)
    {
        (Some(most), Some(number)) => {
            let name = if is_open { "highest throughput so far" } else { "sweet spot" };
            let spot = format!("{name} within {} ms", configuration::short(most.0));
            vec![(spot, number), of_latency, of_throughput]
        }
        (Some(most), None) => {
            // All exceed the threshold, so the lowest latency is the nearest to it.
            let nearest =
                format!("no point is within {} ms; the nearest", configuration::short(most.0));
            vec![(nearest, latency), of_throughput]
        }
        (None, _) if is_open => vec![of_throughput, of_latency],
        (None, _) => {
            let spot = "sweet spot, which is the best throughput without a threshold".to_string();
            vec![(spot, throughput), of_latency]
        }
    };
    let open = is_open.then(|| {
        format!(
            "Undecided{of}: each of the {} configurations may be the sweet spot; measure for longer \
             (--time-limit).",
            candidates.points.len()
        )
    });
    let lines = merged(found);
    let lines = lines.iter().filter_map(|(what, number)| named(what, *number));
    open.into_iter()
        .chain(lines)
        .chain(saving(sweep, candidates, of))
        .chain(at_pace(sweep, candidates, of))
        .collect()
}

/// What takes far less CPU time than the lowest latency does, for nearly that latency.
fn saving(sweep: &Sweep, candidates: &Candidates, of: &str) -> Option<String> {
    let Saving { point, instead_of } = candidates.saving?;
    let [point, best] = [sweep.points.get(point)?, sweep.points.get(instead_of)?];
    let [least, most] = [point.cpu_time?, best.cpu_time?].map(|of| configuration::short(of.value));
    let one = match candidates.counted {
        Counted::Items => "item",
        Counted::Iterations => "iteration",
    };
    Some(format!(
        "Less CPU time at nearly the best latency{of}: {} takes {least} instead of {most} ms per {one} \
         ({}), at {} {} instead of {} ms.",
        point.profile.name,
        best.profile.name,
        sweep.options.percentile,
        configuration::short(point.latency.value),
        configuration::short(best.latency.value),
    ))
}

/// What takes the least CPU time where calls come at a pace, which says more of a program than
/// iterations that follow each other do.
fn at_pace(sweep: &Sweep, candidates: &Candidates, of: &str) -> Option<String> {
    let least = candidates.at_pace.as_ref()?;
    let point = sweep.points.get(least.point)?;
    let paced = point.profile.costs.as_ref()?.paced.as_ref()?;
    let latency = paced.latency_ms.map_or(String::new(), |latency| {
        format!(", at a median latency of {} ms", configuration::short(latency.value))
    });
    let rivals = match least.rivals.len() {
        0 => String::new(),
        count => format!("; {count} more may take as little"),
    };
    Some(format!(
        "Least CPU time of a call at {}{of}: {} takes {} ms{latency}{rivals}.",
        rate_text(least.rate),
        point.profile.name,
        configuration::short(paced.cpu_time_ms?.value),
    ))
}

/// Merges the lines of a point that is best in several respects.
fn merged(found: Vec<(String, usize)>) -> Vec<(String, usize)> {
    let mut lines: Vec<(String, usize)> = Vec::new();
    for (what, number) in found {
        match lines.iter_mut().find(|(_, other)| *other == number) {
            Some((whats, _)) => *whats = format!("{whats}, {what}"),
            None => lines.push((what, number)),
        }
    }
    lines.into_iter().map(|(what, number)| (capitalized(&what), number)).collect()
}

fn capitalized(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
