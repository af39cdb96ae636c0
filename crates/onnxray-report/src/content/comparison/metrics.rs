//! The figures of a comparison that a benchmark tracker keeps.

use super::ComparisonReport;
use crate::document::{Measure, Metric};
use onnxray_analyzer::comparison::Change;
use onnxray_analyzer::statistics::{Interval, Summary};
use std::collections::BTreeSet;
use std::path::Path;

/// Latency of each version and of its layers, and the ratios to the baseline. Only layers with
/// `layer` in their names, if it is given. What is unknown is left out.
pub(super) fn metrics(report: &ComparisonReport, layer: Option<&str>) -> Vec<Metric> {
    let ComparisonReport { versions, comparisons, .. } = *report;
    let models: BTreeSet<String> = versions.iter().map(|own| model(&own.summary)).collect();
    let is_wanted = |name: &str| layer.is_none_or(|layer| name.contains(layer));
    let mut metrics = Vec::new();
    for (version, comparison) in versions.iter().zip(comparisons) {
        let own = model(&version.summary);
        // A model that is there twice, or that has no name, is named after its recording.
        let is_named = models.len() == versions.len() && !own.is_empty();
        let name = if is_named { own } else { version.label.clone() };
        metrics.extend(latency(&name, &version.summary));
        metrics.extend(ratio(name.clone(), &comparison.decisive().change));
        // Names of layers may begin with a slash of their own.
        let of_layer = |layer: &str| format!("{name}/{}", layer.trim_start_matches('/'));
        for summary in &version.summary.operators {
            let known = summary.mean.filter(|_| is_wanted(&summary.operator.name));
            metrics.extend(known.map(|mean| Metric {
                benchmark: of_layer(&summary.operator.name),
                measure: Measure::Latency,
                // Metrics are in nanoseconds.
                value: mean.0 * 1e6,
                interval: summary.interval.map(|interval| ends(interval, 1e6)),
            }));
        }
        let groups = comparison.groups.iter().filter(|group| is_wanted(&group.name));
        metrics.extend(groups.filter_map(|g| ratio(of_layer(&g.name), &g.compared.change)));
    }
    metrics
}

fn latency(name: &str, summary: &Summary) -> Option<Metric> {
    let latency = summary.model.latency()?;
    Some(Metric {
        benchmark: name.to_string(),
        measure: Measure::Latency,
        value: latency.times.median.0 * 1e6,
        interval: latency.interval.map(|known| ends(known.interval, 1e6)),
    })
}

fn ratio(benchmark: String, change: &Change) -> Option<Metric> {
    let interval = change.ratio_interval.map(|interval| ends(interval, 1.0));
    Some(Metric { benchmark, measure: Measure::Ratio, value: change.ratio?, interval })
}

fn ends(interval: Interval, unit: f64) -> [f64; 2] {
    [interval.low * unit, interval.high * unit]
}

/// The file of the model without its ending, which stays the same from commit to commit.
fn model(summary: &Summary) -> String {
    let stem = Path::new(&summary.run.model).file_stem();
    stem.map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}
