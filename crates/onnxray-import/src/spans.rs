//! Which of many spans of time, sorted by their begin, reach up to a moment.

/// The ends of spans as a tree of maxima: finding one looks at as many of them as the
/// logarithm of their number, however they overlap.
pub(crate) struct Ends<T> {
    /// Two neighbours' maximum stands at half their position, the ends themselves behind
    /// `leaves`.
    latest: Vec<Option<T>>,
    leaves: usize,
}

impl<T: Copy + PartialOrd> Ends<T> {
    /// Takes the ends in the order of the spans' begins.
    pub(crate) fn new(ends: impl ExactSizeIterator<Item = T>) -> Ends<T> {
        let leaves = ends.len().next_power_of_two();
        let mut latest = vec![None; leaves];
        latest.extend(ends.map(Some));
        latest.resize(2 * leaves, None);
        for node in (1..leaves).rev() {
            let (left, right) = (latest[2 * node], latest[2 * node + 1]);
            latest[node] = if left > right { left } else { right };
        }
        Ends { latest, leaves }
    }

    /// Position of the last of the first `count` spans whose end `reaches` far enough;
    /// later ends reach further.
    pub(crate) fn last(&self, count: usize, reaches: impl Fn(T) -> bool) -> Option<usize> {
        // Nodes to look at, those of later spans first, with their first span and length.
        let mut open = vec![(1, 0, self.leaves)];
        while let Some((node, first, length)) = open.pop() {
            if first >= count || !self.latest[node].is_some_and(&reaches) {
                continue;
            }
            if length == 1 {
                return Some(first);
            }
            let half = length / 2;
            open.push((2 * node, first, half));
            open.push((2 * node + 1, first + half, half));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_last_is_found_as_by_looking_at_all(
            ends in prop::collection::vec(0u8..20, 0..70),
            count in 0usize..80,
            time in 0u8..22,
        ) {
            let expected = ends.iter().take(count).rposition(|&end| end >= time);
            let tree = Ends::new(ends.iter().copied());
            prop_assert_eq!(tree.last(count, |end| end >= time), expected);
        }
    }
}
