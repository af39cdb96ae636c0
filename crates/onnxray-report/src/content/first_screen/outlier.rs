//! The operator that takes far longer than those that it should be like.

use crate::document::Line;
use onnxray_analyzer::statistics::{Outlier, PatternSummary, Summary};
use onnxray_text::counted;

/// The outlier of a pattern that costs most, and how many others there are.
pub(super) fn outlier(summary: &Summary) -> Option<Line> {
    let all = summary.patterns.iter();
    let all = all.flat_map(|pattern| pattern.outliers.iter().map(move |one| (pattern, one)));
    let cost = |(_, outlier): &(&PatternSummary, &Outlier)| {
        let time = summary.operators.get(outlier.operator as usize).map(|one| one.sort_key());
        time.unwrap_or(0.0) * (1.0 - 1.0 / outlier.factor)
    };
    let others = all.clone().count().saturating_sub(1) as u64;
    let (pattern, outlier) = all.max_by(|a, b| cost(a).total_cmp(&cost(b)))?;
    let name = &summary.operators.get(outlier.operator as usize)?.operator.name;
    let takes = format!("{name} takes {:.2}x the others of its pattern", outlier.factor);
    let more = (others > 0).then(|| counted(others, "other outlier", "other outliers"));
    Some(
        Line::new("Outlier")
            .part(0, takes)
            .behind(", ", 2, pattern.sum.operator.name.clone())
            .behind("; ", 1, more),
    )
}
