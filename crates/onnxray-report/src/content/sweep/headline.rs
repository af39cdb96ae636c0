//! What matters most of a sweep, in a few sentences.

use super::words;
use onnxray_analyzer::sweep::{Candidates, Sweep};
use onnxray_format::counted;

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
    let named = |what: &str, number: usize| {
        let point = sweep.points.get(number)?;
        let equals = candidates.on_front(number).map_or(0, |front| front.equals.len());
        let equals = match equals as u64 {
            0 => String::new(),
            count => format!("; the intervals do not part it from {count} more"),
        };
        Some(format!("{what}{of}: {}{equals}.", words::point(point, percentile, counted)))
    };
    let mut lines = Vec::new();
    match (sweep.options.latency_threshold, candidates.sweet_spot) {
        (Some(most), Some(number)) => {
            let what = format!("Sweet spot within {} ms", words::short(most.0));
            lines.extend(named(&what, number));
        }
        (Some(most), None) => {
            let what = format!("No point is within {} ms; the nearest", words::short(most.0));
            lines.extend(named(&what, candidates.best_latency));
            lines.extend(named("Best throughput", candidates.best_throughput));
            return lines;
        }
        (None, _) => {
            let what = "Sweet spot, which is the best throughput without a threshold";
            lines.extend(named(what, candidates.best_throughput));
            lines.extend(named("Best latency", candidates.best_latency));
            return lines;
        }
    }
    lines.extend(named("Best latency", candidates.best_latency));
    lines.extend(named("Best throughput", candidates.best_throughput));
    lines
}
