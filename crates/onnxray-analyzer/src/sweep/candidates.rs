//! Points that are compared with each other: those of a model, or all.

use super::front::{Ends, equals, front};
use super::paced::LeastAtPace;
use super::point::{Counted, Point, known_first};
use super::saving::Saving;
use crate::statistics::Interval;
use crate::units::Milliseconds;
use std::cmp::Ordering;

/// Points that are compared with each other, at least one. Numbers are positions in
/// [`Sweep::points`](super::Sweep::points).
#[derive(Clone, Debug, PartialEq)]
pub struct Candidates {
    /// File name of the model, with the start of its hash where another has the same;
    /// `None` for all models.
    pub model: Option<String>,
    /// Unit of throughput.
    pub counted: Counted,
    /// Points in the order of the sweep.
    pub points: Vec<usize>,
    /// Points that no other beats in both latency and throughput beyond the intervals, in order.
    pub front: Vec<FrontPoint>,
    /// The same of latency and CPU time, of points whose CPU time is known.
    pub cpu_front: Vec<FrontPoint>,
    /// What takes far less CPU time than the lowest latency does.
    pub saving: Option<Saving>,
    /// Whose calls at a pace take the least CPU time.
    pub at_pace: Option<LeastAtPace>,
    /// Lowest latency, of those that have an interval if one has.
    pub best_latency: usize,
    /// Highest throughput, of those that have an interval if one has.
    pub best_throughput: usize,
    /// Highest throughput within the latency threshold, or of all without one, and of those that
    /// have an interval if one has; `None` if all are above it.
    pub sweet_spot: Option<usize>,
}

/// A point of a front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrontPoint {
    /// Position of the point.
    pub point: usize,
    /// Others of the front whose intervals overlap with its own in both latency and
    /// throughput, in their order.
    pub equals: Vec<usize>,
}

impl Candidates {
    /// `None` if there are no points.
    pub(super) fn of(
        model: Option<String>,
        counted: Counted,
        numbers: Vec<usize>,
        points: &[Point],
        threshold: Option<Milliseconds>,
    ) -> Option<Candidates> {
        let all: Vec<(usize, &Point)> =
            numbers.iter().filter_map(|&number| Some((number, points.get(number)?))).collect();
        let within = |point: &Point| threshold.is_none_or(|most| point.latency.value <= most.0);
        // What has no interval proves nothing, and ties go to the better in the other figure
        // (docs/statistics.md#sweet-spot).
        let most = |a: &Point, b: &Point| {
            let known = known_first(a.throughput, b.throughput);
            known.then_with(|| throughput(a, b)).then_with(|| latency(a, b))
        };
        let least = |a: &Point, b: &Point| {
            let known = known_first(a.latency, b.latency);
            known.then_with(|| latency(a, b)).then_with(|| throughput(a, b))
        };
        let best_latency = first(&all, |_| true, least)?;
        let throughput_ends = |point: &Point| Some(point.throughput.ends());
        let cpu_ends = |point: &Point| {
            // Less is better.
            let Interval { low, high } = point.cpu_time?.ends();
            Some(Interval { low: -high, high: -low })
        };
        Some(Candidates {
            model,
            counted,
            front: front_of(&all, throughput_ends),
            cpu_front: front_of(&all, cpu_ends),
            saving: Saving::of(&all, best_latency),
            at_pace: LeastAtPace::of(&all),
            best_latency,
            best_throughput: first(&all, |_| true, most)?,
            sweet_spot: first(&all, within, most),
            points: numbers,
        })
    }

    /// Others of the front whose latency is not shown to be higher than the best one's.
    pub fn may_have_best_latency(&self, points: &[Point]) -> Vec<usize> {
        self.others(self.best_latency, points, |other, best| {
            other.latency.ends().low <= best.latency.ends().high
        })
    }

    /// Others of the front whose throughput is not shown to be lower than the best one's.
    pub fn may_have_best_throughput(&self, points: &[Point]) -> Vec<usize> {
        self.others(self.best_throughput, points, |other, best| {
            other.throughput.ends().high >= best.throughput.ends().low
        })
    }

    /// Others of the front that are not shown to be above the threshold, nor to have a lower
    /// throughput than the sweet spot. None without a sweet spot.
    pub fn may_be_sweet_spot(
        &self,
        points: &[Point],
        threshold: Option<Milliseconds>,
    ) -> Vec<usize> {
        let Some(spot) = self.sweet_spot else { return Vec::new() };
        self.others(spot, points, |other, best| {
            let may_be_within = threshold.is_none_or(|most| other.latency.ends().low <= most.0);
            may_be_within && other.throughput.ends().high >= best.throughput.ends().low
        })
    }

    /// Who is not on the front is shown to be worse than another, if not than this one.
    fn others(
        &self,
        best: usize,
        points: &[Point],
        may_be: impl Fn(&Point, &Point) -> bool,
    ) -> Vec<usize> {
        let Some(of) = points.get(best) else { return Vec::new() };
        let numbers = self.front.iter().map(|front| front.point).filter(|&other| other != best);
        numbers.filter(|&other| points.get(other).is_some_and(|other| may_be(other, of))).collect()
    }

    /// A point as one of the front; `None` if it is not.
    pub fn on_front(&self, point: usize) -> Option<&FrontPoint> {
        find(&self.front, point)
    }

    /// A point as one of the front of CPU time; `None` if it is not.
    pub fn on_cpu_front(&self, point: usize) -> Option<&FrontPoint> {
        find(&self.cpu_front, point)
    }
}

fn find(front: &[FrontPoint], point: usize) -> Option<&FrontPoint> {
    // A front keeps the order of its points.
    let found = front.binary_search_by_key(&point, |front| front.point);
    found.ok().and_then(|position| front.get(position))
}

/// The first by `order`; ties go to the earlier point.
fn first(
    points: &[(usize, &Point)],
    is_meant: impl Fn(&Point) -> bool,
    order: impl Fn(&Point, &Point) -> Ordering,
) -> Option<usize> {
    let meant = points.iter().filter(|(_, point)| is_meant(point));
    meant.min_by(|(_, a), (_, b)| order(a, b)).map(|(number, _)| *number)
}

/// Higher throughput first.
fn throughput(a: &Point, b: &Point) -> Ordering {
    b.throughput.value.total_cmp(&a.throughput.value)
}

/// Lower latency first.
fn latency(a: &Point, b: &Point) -> Ordering {
    a.latency.value.total_cmp(&b.latency.value)
}

/// The front of the points whose worth is known.
fn front_of(
    points: &[(usize, &Point)],
    worth: impl Fn(&Point) -> Option<Interval>,
) -> Vec<FrontPoint> {
    let ends = |&(number, point): &(usize, &Point)| {
        Some((number, Ends { latency: point.latency.ends(), worth: worth(point)? }))
    };
    let (points, all): (Vec<usize>, Vec<Ends>) = points.iter().filter_map(ends).unzip();
    let kept: Vec<(usize, Ends)> = front(&all)
        .into_iter()
        .filter_map(|position| Some((*points.get(position)?, *all.get(position)?)))
        .collect();
    let kept_ends: Vec<Ends> = kept.iter().map(|(_, ends)| *ends).collect();
    let number = |position: usize| kept.get(position).map(|(number, _)| *number);
    let named = equals(&kept_ends).into_iter().map(|equals| equals.into_iter().filter_map(number));
    let named: Vec<Vec<usize>> = named.map(Iterator::collect).collect();
    kept.iter().zip(named).map(|(&(point, _), equals)| FrontPoint { point, equals }).collect()
}
