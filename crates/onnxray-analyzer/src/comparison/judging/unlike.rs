//! Members of a pattern that differ from what the pattern is.

use super::draft::Draft;
use crate::comparison::evidence::t_test::{CONFIDENCE, Tested};
use crate::comparison::patterns::{Fold, Unlike};
use crate::probability::quantile;

/// The member that is farthest from its pattern, where an interval of its ratio leaves out that of
/// the pattern and the median of all members, by more than the band of differences that do not
/// matter.
///
/// The median, since a member that is far off moves the pattern away from all others. Intervals are
/// of `alpha` over all members: of 40 intervals of 95 %, two would leave it out by chance.
pub(super) fn unlike(fold: &Fold, pattern: &Draft, drafts: &[Draft], alpha: f64) -> Option<Unlike> {
    if !fold.is_pattern() || pattern.basis.is_few() {
        return None;
    }
    let members = fold.members.iter().filter_map(|&member| drafts.get(member)?.tested);
    let mut means: Vec<f64> = members.map(|tested| tested.student.mean).collect();
    means.sort_unstable_by(f64::total_cmp);
    let of_pattern = pattern.tested?.student;
    let expected = [of_pattern.mean, means.get(means.len() / 2).copied()?];
    let level = 1.0 - alpha / fold.members.len() as f64;
    let apart = fold.members.iter().filter_map(|&member| {
        let draft = drafts.get(member)?;
        let Tested { student, typical: [a, b], .. } = draft.tested?;
        let reach = student.half_width * quantile(level, student.degrees)
            / quantile(CONFIDENCE, student.degrees);
        // The others are known no better than the pattern is.
        let reach = reach + of_pattern.half_width;
        // In nanoseconds, as the band has the steps of the clock.
        let missed = expected.map(|expected| (b - a * expected.exp()).abs());
        let most = draft.band.half_width(a) + draft.profiling;
        let is_beyond = missed
            .iter()
            .zip(expected)
            .all(|(&missed, expected)| (student.mean - expected).abs() > reach && missed > most);
        is_beyond.then_some((missed[0], member))
    });
    let apart: Vec<(f64, usize)> = apart.collect();
    let farthest = apart.iter().copied().reduce(|a, b| if b.0 > a.0 { b } else { a });
    farthest.map(|(_, member)| Unlike { member, count: apart.len() })
}
