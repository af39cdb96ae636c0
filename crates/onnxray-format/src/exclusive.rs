//! Exclusive times: what an operator spends itself, without those inside it.
//!
//! ```text
//!   Scan      |================================|   inclusive 32
//!   MatMul      |=======|      |=======|           2 x 9
//!   exclusive |=|       |======|       |=======|   32 - 18 = 14
//! ```
//!
//! Executions of a lane (a thread in an iteration) are walked in order of their
//! starts, longer ones first; a stack holds those that are still open. Each takes
//! its duration from the one it lies in.
//!
//! Where operators run side by side, on several threads or streams, their
//! exclusive times add up to more than the time that they cover:
//!
//! ```text
//!   thread 1  |=======|    |====|        7 + 4 = 11
//!   thread 2     |=======|               7
//!   covered   |==========| |====|        14, of 18
//! ```

use std::cmp::Reverse;

/// Exclusive times of executions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exclusive {
    /// Nanoseconds, by execution.
    pub times: Vec<u64>,
    /// Executions that overlap another of their lane without lying in it.
    pub overlapping: u64,
    /// Executions that reach beyond all that were open when they began: together
    /// they cover what all executions cover. Lane by lane, in order of start.
    pub outermost: Vec<u32>,
    /// Which of two coinciding executions was taken for the outer one.
    pub coinciding: Coinciding,
}

/// Which of two executions that coincide holds the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Coinciding {
    /// The later one, where executions are in order of their ends.
    #[default]
    LaterIsOuter,
    /// The earlier one, where executions are in order of their starts.
    EarlierIsOuter,
}

/// Exclusive times of executions, whose `starts` and `durations` are in nanoseconds. An execution
/// can only be inside another one of its lane; `lane` is called with positions. At most 2³²
/// executions.
pub fn exclusive<Lane: Ord>(
    starts: &[u64],
    durations: &[u64],
    lane: impl Fn(usize) -> Lane,
) -> Exclusive {
    let end = |event: usize| starts[event].saturating_add(durations[event]);
    let mut times = durations.to_vec();
    let (mut overlapping, mut outermost) = (0, Vec::new());
    let (order, coinciding) = order(starts, durations, &lane);
    walk(&order, starts, durations, lane, |event, open| {
        let Some(&outer) = open.last() else { return outermost.push(event as u32) };
        // An execution that outlasts the one around it is inside it in part only.
        let inside = end(event).min(end(outer)) - starts[event];
        times[outer] = times[outer].saturating_sub(inside);
        if inside < durations[event] {
            overlapping += 1;
            outermost.push(event as u32);
        }
    });
    Exclusive { times, overlapping, outermost, coinciding }
}

/// Number of executions of its lane around each execution, including those that it overlaps from
/// inside: two of a lane and depth never overlap. The executions may be a subset of those that
/// `coinciding` was found for, in the same order.
pub fn depths<Lane: Ord>(
    starts: &[u64],
    durations: &[u64],
    lane: impl Fn(usize) -> Lane,
    coinciding: Coinciding,
) -> Vec<u32> {
    let mut order: Vec<u32> = (0..starts.len() as u32).collect();
    sort(&mut order, starts, durations, &lane, coinciding);
    let mut depths = vec![0; starts.len()];
    walk(&order, starts, durations, lane, |event, open| depths[event] = open.len() as u32);
    depths
}

/// Visits executions in an order of [`sort`], each with those that are open when it begins,
/// the innermost last.
fn walk<Lane: PartialEq>(
    order: &[u32],
    starts: &[u64],
    durations: &[u64],
    lane: impl Fn(usize) -> Lane,
    mut visit: impl FnMut(usize, &[usize]),
) {
    let end = |event: usize| starts[event].saturating_add(durations[event]);
    let mut open: Vec<usize> = Vec::new();
    let mut current = None;
    for &event in order {
        let event = event as usize;
        let here = Some(lane(event));
        // Lanes follow each other in the order: what is open in one holds nothing of the next.
        if current != here {
            current = here;
            open.clear();
        }
        while open.pop_if(|outer| end(*outer) <= starts[event]).is_some() {}
        visit(event, &open);
        if durations[event] > 0 {
            open.push(event);
        }
    }
}

/// Executions lane by lane in order of start, outer ones first, and which of two that
/// coincide is the outer one. Those that do not coincide tell.
fn order<Lane: Ord>(
    starts: &[u64],
    durations: &[u64],
    lane: &impl Fn(usize) -> Lane,
) -> (Vec<u32>, Coinciding) {
    let end = |event: usize| starts[event].saturating_add(durations[event]);
    let place = |event: u32| place(event, starts, durations, lane);
    let mut order: Vec<u32> = (0..starts.len() as u32).collect();
    sort(&mut order, starts, durations, lane, Coinciding::LaterIsOuter);
    let coincide = |pair: &[u32]| {
        starts[pair[0] as usize] == starts[pair[1] as usize] && place(pair[0]) == place(pair[1])
    };
    // The usual case: without coincidences, both orders are the same.
    if !order.windows(2).any(coincide) {
        return (order, Coinciding::LaterIsOuter);
    }
    let (mut by_start, mut by_end) = (0u64, 0u64);
    for pair in order.windows(2) {
        let (outer, inner) = (place(pair[0]), place(pair[1]));
        let nested =
            outer.0 == inner.0 && outer != inner && end(pair[1] as usize) <= end(pair[0] as usize);
        if nested {
            *if pair[0] < pair[1] { &mut by_start } else { &mut by_end } += 1;
        }
    }
    // By majority, since single events may be out of order. Ours are in order of their ends.
    if by_start <= by_end {
        return (order, Coinciding::LaterIsOuter);
    }
    sort(&mut order, starts, durations, lane, Coinciding::EarlierIsOuter);
    (order, Coinciding::EarlierIsOuter)
}

fn sort<Lane: Ord>(
    order: &mut [u32],
    starts: &[u64],
    durations: &[u64],
    lane: &impl Fn(usize) -> Lane,
    coinciding: Coinciding,
) {
    let place = |event: u32| place(event, starts, durations, lane);
    match coinciding {
        // Not left to the sort's stability: `order` may sort twice, the second time from the other.
        Coinciding::LaterIsOuter => order.sort_by_key(|&event| (place(event), Reverse(event))),
        Coinciding::EarlierIsOuter => order.sort_by_key(|&event| (place(event), event)),
    }
}

/// Sort key of an execution: lane, then start, then the longest first.
fn place<Lane>(
    event: u32,
    starts: &[u64],
    durations: &[u64],
    lane: &impl Fn(usize) -> Lane,
) -> (Lane, u64, Reverse<u64>) {
    let event = event as usize;
    (lane(event), starts[event], Reverse(durations[event]))
}

/// Time within each window that spans cover, however many at once, in nanoseconds.
///
/// Windows have a key, a start and a duration, spans a key, a start and an end;
/// spans in order of both, windows in order of keys that no two share. A span counts in
/// the window of its key.
pub fn covered<Key: Ord>(
    spans: impl IntoIterator<Item = (Key, u64, u64)>,
    windows: impl IntoIterator<Item = (Key, u64, u64)>,
) -> Vec<u64> {
    let mut spans = spans.into_iter().peekable();
    let cover = |(key, start, duration): (Key, u64, u64)| {
        let end = start.saturating_add(duration);
        let mut covered = 0;
        // Up to where the window is covered.
        let mut until = start;
        while let Some((of, from, to)) = spans.next_if(|span| span.0 <= key) {
            // Spans are in order of start: what lies before `until` is counted already.
            let (from, to) = (from.max(until), to.min(end));
            if of == key && to > from {
                covered += to - from;
                until = to;
            }
        }
        covered
    };
    windows.into_iter().map(cover).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    /// Thread, iteration, start and duration of each execution; start and duration
    /// of each iteration.
    fn run(
        executions: &[(u32, u32, u64, u64)],
        iterations: &[(u64, u64)],
    ) -> (Exclusive, Vec<u64>) {
        let starts: Vec<u64> = executions.iter().map(|execution| execution.2).collect();
        let durations: Vec<u64> = executions.iter().map(|execution| execution.3).collect();
        let exclusive =
            exclusive(&starts, &durations, |row| (executions[row].0, executions[row].1));
        let mut spans: Vec<(u32, u64, u64)> = exclusive
            .outermost
            .iter()
            .map(|&row| executions[row as usize])
            .map(|(_, iteration, start, duration)| (iteration, start, start + duration))
            .collect();
        spans.sort_unstable();
        let windows = (0..).zip(iterations).map(|(key, &(start, duration))| (key, start, duration));
        (exclusive, covered(spans, windows))
    }

    /// Iteration, start and duration of each execution, all of one thread.
    fn check(executions: &[(u32, u64, u64)], expected: &[u64], overlapping: u64) {
        let executions: Vec<_> =
            executions.iter().map(|&(i, start, time)| (0, i, start, time)).collect();
        let (exclusive, _) = run(&executions, &[(0, 100)]);
        assert_eq!(exclusive.times, expected);
        assert_eq!(exclusive.overlapping, overlapping);
    }

    #[test]
    fn children_are_taken_from_their_parent_only() {
        // In order of their ends, as recordings hold them.
        check(&[(0, 2, 9), (0, 16, 9), (0, 0, 32), (0, 40, 5)], &[9, 9, 14, 5], 0);
        // Three levels: the innermost is taken from the middle one.
        check(&[(0, 0, 10), (0, 1, 8), (0, 2, 3)], &[2, 5, 3], 0);
        // A child that takes all of its parent's time.
        check(&[(0, 5, 7), (0, 5, 7)], &[7, 0], 0);
        // The same in order of starts, which another pair shows.
        check(&[(0, 5, 7), (0, 5, 7), (0, 20, 9), (0, 21, 2)], &[0, 7, 7, 2], 0);
    }

    #[test]
    fn some_of_the_executions_are_as_deep_as_among_all() {
        // In order of starts, which the last pair shows; the first one alone does not tell.
        let (starts, durations) = ([5, 5, 20, 21, 21], [7, 7, 9, 2, 0]);
        let all = exclusive(&starts, &durations, |_| ());
        assert_eq!(all.coinciding, Coinciding::EarlierIsOuter);
        let depths =
            |events: usize| depths(&starts[..events], &durations[..events], |_| (), all.coinciding);
        assert_eq!(depths(2), [0, 1]);
        assert_eq!(depths(5), [0, 1, 0, 1, 2]);
    }

    #[test]
    fn iterations_do_not_mix_and_neighbours_are_not_nested() {
        check(&[(0, 0, 10), (1, 5, 3)], &[10, 3], 0);
        check(&[(0, 0, 10), (0, 10, 5), (0, 10, 0)], &[10, 5, 0], 0);
    }

    #[test]
    fn an_overlap_is_counted_and_nothing_is_counted_twice() {
        // 0..10 and 6..14 cover 14 ticks together.
        check(&[(0, 0, 10), (0, 6, 8)], &[6, 8], 1);
        assert_eq!(run(&[(0, 0, 0, 10), (0, 0, 6, 8)], &[(0, 20)]).1, [14]);
    }

    #[test]
    fn threads_do_not_mix_and_cover_what_they_cover_once() {
        let executions = [(0, 0, 0, 10), (1, 0, 4, 10), (0, 0, 16, 4), (1, 1, 30, 5)];
        let (exclusive, covered) = run(&executions, &[(0, 18), (25, 10), (40, 5)]);
        assert_eq!(exclusive.times, [10, 10, 4, 5], "nothing lies in another thread's");
        // 0..14 and 16..18, because the iteration ends there.
        assert_eq!(covered, [16, 5, 0]);
    }

    #[test]
    fn spans_without_a_window_count_nowhere() {
        let spans = [(0u32, 0, 5), (1, 3, 9), (2, 0, 4), (7, 0, 9)];
        assert_eq!(covered(spans, [(1, 0, 10), (2, 0, 3)]), [6, 3]);
    }

    proptest! {
        #[test]
        fn cover_equals_counting_tick_by_tick(
            executions in vec((0u32..3, 0u32..2, 0u64..40, 0u64..20), 0..20),
        ) {
            let iterations = [(10, 40), (60, 40)];
            let executions: Vec<_> = executions
                .into_iter()
                .map(|(t, i, start, time)| (t, i, iterations[i as usize].0 + start, time))
                .collect();
            let (_, covered) = run(&executions, &iterations);
            for (row, &(start, duration)) in iterations.iter().enumerate() {
                let ticks = (start..start + duration).filter(|&tick| {
                    executions.iter().any(|&(_, i, from, time)| {
                        i as usize == row && from <= tick && tick < from + time
                    })
                });
                prop_assert_eq!(covered[row], ticks.count() as u64);
            }
        }

        #[test]
        fn times_of_nested_executions_equal_counting_tick_by_tick(
            cuts in vec((0u64..60, 0u64..60), 0..12),
        ) {
            // Those that would overlap another in part are left out.
            let mut spans: Vec<(u64, u64)> = Vec::new();
            for (a, b) in cuts {
                let (from, to) = (a.min(b), a.max(b));
                let nests = |&(other, end): &(u64, u64)| {
                    to <= other || end <= from
                        || (other < from && to < end) || (from < other && end < to)
                };
                if from < to && spans.iter().all(nests) {
                    spans.push((from, to));
                }
            }
            let starts: Vec<u64> = spans.iter().map(|span| span.0).collect();
            let durations: Vec<u64> = spans.iter().map(|span| span.1 - span.0).collect();
            let exclusive = exclusive(&starts, &durations, |_| ());
            let mut ticks = vec![0; spans.len()];
            for tick in 0..60 {
                let holding = (0..spans.len()).filter(|&at| (spans[at].0..spans[at].1).contains(&tick));
                if let Some(innermost) = holding.min_by_key(|&at| durations[at]) {
                    ticks[innermost] += 1;
                }
            }
            let depths = depths(&starts, &durations, |_| (), exclusive.coinciding);
            prop_assert_eq!((exclusive.times, exclusive.overlapping), (ticks, 0));
            for (at, &(from, to)) in spans.iter().enumerate() {
                let around = (0..spans.len()).filter(|&other| {
                    let (start, end) = spans[other];
                    other != at && start <= from && to <= end
                        // Of those that coincide, the later one is around the other.
                        && ((start, end) != (from, to) || (exclusive.coinciding == Coinciding::LaterIsOuter) == (other > at))
                });
                prop_assert_eq!(depths[at], around.count() as u32);
            }
        }

        #[test]
        fn executions_of_a_lane_and_a_depth_never_overlap(
            executions in vec((0u32..2, 0u64..40, 0u64..20), 0..20),
        ) {
            let starts: Vec<u64> = executions.iter().map(|execution| execution.1).collect();
            let durations: Vec<u64> = executions.iter().map(|execution| execution.2).collect();
            let lane = |event: usize| executions[event].0;
            let coinciding = exclusive(&starts, &durations, lane).coinciding;
            let depths = depths(&starts, &durations, lane, coinciding);
            for (a, b) in (0..depths.len()).flat_map(|a| (0..a).map(move |b| (a, b))) {
                let apart = starts[a] + durations[a] <= starts[b] || starts[b] + durations[b] <= starts[a];
                prop_assert!(apart || lane(a) != lane(b) || depths[a] != depths[b]);
            }
        }
    }
}
