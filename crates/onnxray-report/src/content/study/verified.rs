//! What was found next to a base, in launches that the search did not see.

use crate::content::comparison::{
    ComparisonReport, ComparisonSelection, ComparisonView, differing,
};
use crate::content::report::Report;
use crate::document::Document;
use onnxray_analyzer::comparison::{Change, Comparison, Cost, OUTSIDE, Verdict};
use onnxray_analyzer::study::Verified;

/// Ratio of the latencies without profiling or, where they are unknown, with it; or of a cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct VerifiedRatio {
    pub ratio: Option<f64>,
    pub interval: Option<(f64, f64)>,
    pub verdict: Option<Verdict>,
}

impl VerifiedRatio {
    fn of(change: &Change) -> VerifiedRatio {
        VerifiedRatio {
            ratio: change.ratio,
            interval: change.ratio_interval.map(|interval| (interval.low, interval.high)),
            verdict: change.verdict,
        }
    }

    pub(super) fn is_faster(&self) -> bool {
        self.verdict == Some(Verdict::Faster)
    }
}

/// What reports tell of it.
pub(super) trait Told {
    fn ratio(&self) -> VerifiedRatio;

    /// The ratio of a cost; all is unknown where one of both does not tell of it.
    fn cost(&self, cost: Cost) -> VerifiedRatio;

    /// The largest cause of a difference of this direction, in words: `65 % of it in
    /// blocks.*/mlp/fc1 (x24)`.
    fn largest_cause(&self, is_slower: bool) -> Option<String>;

    /// The costs that differ, in words.
    fn differing_costs(&self) -> Vec<String>;

    /// Where the difference comes from, layer by layer.
    fn document(&self, most: Option<usize>) -> Document;
}

impl Told for Verified {
    fn ratio(&self) -> VerifiedRatio {
        let Comparison { unprofiled, total, .. } = &self.comparison;
        VerifiedRatio::of(&unprofiled.as_ref().unwrap_or(total).change)
    }

    fn cost(&self, cost: Cost) -> VerifiedRatio {
        let known = self.comparison.costs.iter().find(|compared| compared.cost == cost);
        known.map_or(VerifiedRatio::default(), |own| VerifiedRatio::of(&own.change))
    }

    fn largest_cause(&self, is_slower: bool) -> Option<String> {
        let comparison = &self.comparison;
        // A recording that went the other way explains nothing.
        let is_same_way = (comparison.parted_difference()?.0 > 0.0) == is_slower;
        let causes = comparison.causes.iter().filter(|cause| !cause.is_rest && is_same_way);
        let shares = causes.filter_map(|cause| Some((cause, cause.contribution?)));
        let (largest, share) = shares.max_by(|one, other| one.1.total_cmp(&other.1))?;
        let share = (share * 100.0).min(100.0);
        let place = match largest.name.as_str() {
            OUTSIDE => OUTSIDE.to_string(),
            name => format!("in {name}"),
        };
        (share > 0.0).then(|| format!("{share:.0} % of it {place}"))
    }

    fn differing_costs(&self) -> Vec<String> {
        differing(&self.comparison)
    }

    fn document(&self, most: Option<usize>) -> Document {
        let views = vec![ComparisonView::Causes, ComparisonView::Layers];
        let selection = ComparisonSelection {
            views,
            rows: most,
            totals: true,
            sure_causes: true,
            ..Default::default()
        };
        let comparisons = std::slice::from_ref(&self.comparison);
        ComparisonReport { baseline: &self.base, versions: &[&self.found], comparisons }
            .document(&selection)
    }
}
