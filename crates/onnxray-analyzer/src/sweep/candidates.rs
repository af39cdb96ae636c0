//! Points that are compared with each other: those of a model, or all.

use super::front::{Ends, equals, front};
use super::point::{Counted, Point};
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
    /// Lowest latency.
    pub best_latency: usize,
    /// Highest throughput.
    pub best_throughput: usize,
    /// Highest throughput within the latency threshold, or of all without one; `None` if
    /// all are above it.
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
        // Ties go to the better in the other figure (docs/statistics.md#sweet-spot).
        let most = |a: &Point, b: &Point| throughput(a, b).then_with(|| latency(a, b));
        let least = |a: &Point, b: &Point| latency(a, b).then_with(|| throughput(a, b));
        Some(Candidates {
            model,
            counted,
            front: front_of(&all),
            best_latency: first(&all, |_| true, least)?,
            best_throughput: first(&all, |_| true, most)?,
            sweet_spot: first(&all, within, most),
            points: numbers,
        })
    }

    /// A point as one of the front; `None` if it is not.
    pub fn on_front(&self, point: usize) -> Option<&FrontPoint> {
        // `front` keeps the order of its points.
        let found = self.front.binary_search_by_key(&point, |front| front.point);
        found.ok().and_then(|position| self.front.get(position))
    }
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

fn front_of(points: &[(usize, &Point)]) -> Vec<FrontPoint> {
    let ends =
        |point: &Point| Ends { latency: point.latency.ends(), throughput: point.throughput.ends() };
    let all: Vec<Ends> = points.iter().map(|(_, point)| ends(point)).collect();
    let kept: Vec<(usize, Ends)> = front(&all)
        .into_iter()
        .filter_map(|position| Some((points.get(position)?.0, *all.get(position)?)))
        .collect();
    let kept_ends: Vec<Ends> = kept.iter().map(|(_, ends)| *ends).collect();
    let number = |position: usize| kept.get(position).map(|(number, _)| *number);
    let named = equals(&kept_ends).into_iter().map(|equals| equals.into_iter().filter_map(number));
    let named: Vec<Vec<usize>> = named.map(Iterator::collect).collect();
    kept.iter().zip(named).map(|(&(point, _), equals)| FrontPoint { point, equals }).collect()
}
