//! How closely the latency is known.

use super::finding::{Finding, Grade, TOO_FEW, finding};
use crate::comparison::judging::power::ENOUGH_LAUNCHES;
use crate::statistics::{Advice, ModelSummary};

/// Reach of the latency's interval, as its share: doubtful beyond the first, bad beyond the second.
const CLOSE: f64 = 0.05;
const VAGUE: f64 = 0.25;

/// Width of the latency's interval; `by_pairs` is the smallest difference that pairs of iterations
/// detect, a share, where the recording took turns with another one.
pub(super) fn precision(
    model: &ModelSummary,
    by_pairs: Option<f64>,
    launches: usize,
    advice: Advice,
) -> Finding {
    let subject = "precision";
    let known =
        model.latency().and_then(|latency| Some((latency.times.median.0, latency.interval?)));
    let Some((median, interval)) = known.filter(|&(median, _)| median > 0.0) else {
        return finding(subject, Grade::Unknown, TOO_FEW.to_string(), advice.iterations());
    };
    let reach = interval.interval.high / median - 1.0;
    let grade = grade(reach, by_pairs);
    let mut found = format!("latency {}; over {}", interval.reach(median), interval.parts.text());
    if let Some(effect) = by_pairs.filter(|_| reach > VAGUE) {
        found = format!("{found}; its pairs of iterations detect {:.1} %", effect * 100.0);
    }
    let mut remedy = "stop other programs, pin threads".to_string();
    if launches < ENOUGH_LAUNCHES {
        remedy = format!("{remedy}; {}", advice.launches(ENOUGH_LAUNCHES));
    }
    finding(subject, grade, found, remedy)
}

/// A wider interval never gets a better grade, and neither do pairs that detect less.
fn grade(reach: f64, by_pairs: Option<f64>) -> Grade {
    // What moves both sides cancels in the ratio of pairs: a vague latency alone does not mislead.
    let misleads = by_pairs.is_none_or(|effect| effect.is_nan() || effect > VAGUE);
    match reach {
        _ if reach > VAGUE && misleads => Grade::Bad,
        _ if reach > CLOSE => Grade::Doubtful,
        _ => Grade::Good,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worse_precision_never_gets_a_better_grade() {
        let shares: Vec<f64> = (0..=200).map(|step| f64::from(step) * 0.005).collect();
        // From the best to none at all, as in recordings that took no turns.
        let by_pairs: Vec<Option<f64>> = shares.iter().copied().map(Some).chain([None]).collect();
        for reaches in shares.windows(2) {
            for effects in by_pairs.windows(2) {
                let better = grade(reaches[0], effects[0]);
                assert!(better <= grade(reaches[1], effects[0]), "{reaches:?} {effects:?}");
                assert!(better <= grade(reaches[0], effects[1]), "{reaches:?} {effects:?}");
            }
        }
        let of = [(0.04, None), (0.1, None), (0.84, None), (0.84, Some(0.02)), (0.84, Some(0.6))];
        use Grade::{Bad, Doubtful, Good};
        let grades = of.map(|(reach, by_pairs)| grade(reach, by_pairs));
        assert_eq!(grades, [Good, Doubtful, Bad, Doubtful, Bad]);
    }
}
