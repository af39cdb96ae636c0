//! The sentences for readers in a hurry.

use crate::document::milliseconds_within;
use onnxray_analyzer::Share;
use onnxray_analyzer::statistics::{
    LatencySummary, ModelSummary, Stragglers, Summary, TypeSummary,
};
use onnxray_text::counted;

/// Latency of an iteration, and the type that takes most of it; unknown figures are left out.
pub(crate) fn headline(summary: &Summary) -> Vec<String> {
    let latency = summary.model.latency().map(|LatencySummary { times, interval, .. }| {
        let median = times.median.0;
        let about = interval.map_or(String::new(), |known| format!(" {}", known.about(median)));
        let is_profiled = summary.model.unprofiled.is_none() && !summary.run.blocks;
        let profiled = if is_profiled { "profiled " } else { "" };
        let reach = interval.map(|known| known.interval.high - median);
        let time = milliseconds_within(median, reach);
        format!("The median {profiled}latency is {time} ms{about}.")
    });
    let largest = |share: fn(&TypeSummary) -> Option<Share>, clock: &str| {
        let share = |of_type: &TypeSummary| share(of_type).map_or(0.0, |share| share.0);
        let largest = summary.types.iter().max_by(|a, b| share(a).total_cmp(&share(b)))?;
        let percent = share(largest) * 100.0;
        let of_type = match largest.operator_type.as_str() {
            "" => "What has no type",
            of_type => of_type,
        };
        (percent > 0.0).then(|| match summary.run.blocks {
            // A block has nodes of several types, and is listed under the one with most work.
            true => {
                format!("Blocks whose main type is {of_type} take {percent:.1} % of the {clock}.")
            }
            false => format!("{of_type} takes {percent:.1} % of the {clock}."),
        })
    };
    // Two clocks: a share of one says nothing about the other.
    let largest = match summary.model.device {
        Some(_) => [
            largest(|of_type| of_type.device?.share, "device time"),
            largest(|of_type| of_type.share, "CPU time"),
        ],
        None => [largest(|of_type| of_type.share, "time"), None],
    };
    latency.into_iter().chain(largest.into_iter().flatten()).collect()
}

/// Which iterations times of operators are not of, where that matters.
pub(crate) fn left_out(summary: &Summary) -> Option<String> {
    let Stragglers { count, of, shortest, longest } = notable_stragglers(summary)?;
    let (times, without) = match count {
        1 => (format!("{:.3} ms", longest.0), "it and the fastest one".to_string()),
        _ => (
            format!("{:.3} to {:.3} ms", shortest.0, longest.0),
            format!("them and {count} of the fastest"),
        ),
    };
    let iterations = iterations_of(summary, of);
    Some(format!("{count} of {iterations} took {times}; operator times are without {without}."))
}

/// Iterations that tell times of operators; those of blocks have no profiler.
pub(super) fn iterations_of(summary: &Summary, count: u64) -> String {
    match summary.run.blocks {
        true => counted(count, "iteration", "iterations"),
        false => counted(count, "profiled iteration", "profiled iterations"),
    }
}

/// Stragglers that are worth a word.
pub(super) fn notable_stragglers(summary: &Summary) -> Option<Stragglers> {
    let ModelSummary { stragglers, whole, .. } = &summary.model;
    stragglers.filter(|stragglers| whole.is_none_or(|mean| stragglers.is_notable(mean)))
}
