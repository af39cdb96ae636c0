//! Checks numbers against each other: ends of a range, points of a curve, bounds of the plan.

use super::given::GivenPlan;
use super::header::Part;
use crate::projection::{Estimate, Origin, RatioPoint, RatioRow, SAME_LEVEL, unstated_origin};

/// Points of one curve, which are kept in order.
const MOST_POINTS: usize = 1000;

/// A perf ratio with the ends of its range, which equal it where they are not
/// given. The error names the end that is wrong.
pub(crate) fn range(
    value: f64,
    low: Option<f64>,
    high: Option<f64>,
) -> Result<Estimate, (Part, String)> {
    let wrong = |words: &str, end: f64| {
        format!("expected {words} the perf ratio itself, {value}, found {end}")
    };
    match (low, high) {
        (Some(low), _) if low > value => Err((Part::Low, wrong("at most", low))),
        (_, Some(high)) if high < value => Err((Part::High, wrong("at least", high))),
        _ => Ok(Estimate { value, low: low.unwrap_or(value), high: high.unwrap_or(value) }),
    }
}

/// A point; without a stated origin, a ratio that equals the default is taken as default.
pub(crate) fn of(level: f64, ratio: Estimate, origin: Option<Origin>) -> RatioPoint {
    let origin = origin.unwrap_or_else(|| unstated_origin(level, ratio));
    RatioPoint { level, ratio, origin }
}

/// Adds a point to a row that should have none at this sparsity, or the same.
pub(crate) fn add(row: &mut RatioRow, point: RatioPoint) -> Result<(), String> {
    let RatioPoint { level, ratio, .. } = point;
    match row.point(level) {
        Some(point) if point.ratio != ratio => {
            Err(format!("another perf ratio for the sparsity {level}"))
        }
        None if row.points.len() >= MOST_POINTS => {
            Err(format!("more than {MOST_POINTS} sparsities for one weight shape"))
        }
        _ => {
            row.insert(point);
            Ok(())
        }
    }
}

/// Adds a loss in the order of sparsities.
pub(crate) fn add_loss(points: &mut Vec<(f64, f64)>, level: f64, loss: f64) -> Result<(), String> {
    let place = points.partition_point(|(known, _)| *known < level);
    let near = [place.checked_sub(1), Some(place)].into_iter().flatten();
    let mut near = near.filter_map(|place| points.get(place));
    match near.find(|(known, _)| (known - level).abs() < SAME_LEVEL) {
        Some((_, known)) if *known != loss => Err(format!("another loss for the sparsity {level}")),
        Some(_) => Ok(()),
        None if points.len() >= MOST_POINTS => {
            Err(format!("more than {MOST_POINTS} sparsities for one layer"))
        }
        None => {
            points.insert(place, (level, loss));
            Ok(())
        }
    }
}

/// Refuses bounds that exclude each other, and a loss below that of the dense model.
pub(crate) fn check_bounds(plan: &GivenPlan) -> Result<(), String> {
    if let Some(most) = plan.max_loss.filter(|most| *most < 0.0) {
        return Err(format!("a largest loss of {most}, below 0"));
    }
    match (plan.minimum, plan.maximum) {
        (Some(low), Some(high)) if low > high => {
            Err(format!("a minimum of {low}, above the maximum of {high}"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_stand_on_their_sides() {
        assert_eq!(range(4.0, None, Some(5.0)), Ok(Estimate { value: 4.0, low: 4.0, high: 5.0 }));
        let low = "expected at most the perf ratio itself, 4, found 5".to_string();
        assert_eq!(range(4.0, Some(5.0), None), Err((Part::Low, low)));
        let high = "expected at least the perf ratio itself, 4, found 3".to_string();
        assert_eq!(range(4.0, Some(3.0), Some(3.0)), Err((Part::High, high)));
    }

    #[test]
    fn losses_are_put_in_order() {
        let mut points = Vec::new();
        for (level, loss) in [(0.5, 1.0), (0.9, 3.0), (0.0, 0.0), (0.9, 3.0)] {
            add_loss(&mut points, level, loss).unwrap();
        }
        assert_eq!(points, [(0.0, 0.0), (0.5, 1.0), (0.9, 3.0)]);
        let other = "another loss for the sparsity 0.5".to_string();
        assert_eq!(add_loss(&mut points, 0.5, 2.0), Err(other));
    }
}
