//! After how many launches it is decided what a change does.

/// Launches of every change, after which those that cannot gain anything are left.
pub(super) const FIRST_LAUNCHES: usize = 5;
/// Launches of those that may gain something: then the plan is done.
pub(super) const LAUNCHES: usize = 10;
/// Launches of those that may gain still, as long as there is time: after each of these numbers it
/// is decided again.
pub(super) const LOOKS: [usize; 3] = [LAUNCHES, 20, MOST_LAUNCHES];
/// More do not decide what forty do not: the interval is half as wide as after ten.
pub(super) const MOST_LAUNCHES: usize = 40;

/// How often a change of this many launches is decided on, the next time included; `is_early` where
/// one that pays after the first launches has no more.
pub(super) fn looks(launches: usize, is_early: bool) -> usize {
    let early = usize::from(is_early && launches > FIRST_LAUNCHES);
    1 + early + LOOKS.iter().filter(|&&look| launches > look).count()
}

/// Whether a change of this many launches waits for the next look.
pub(super) fn is_between(launches: usize) -> bool {
    (LAUNCHES..MOST_LAUNCHES).contains(&launches) && !LOOKS.contains(&launches)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plan_is_one_look_and_each_doubling_another() {
        let launches = [2, 5, 10, 11, 20, 21, 40];
        assert_eq!(launches.map(|count| looks(count, false)), [1, 1, 1, 2, 2, 3, 3]);
        assert_eq!(launches.map(|count| looks(count, true)), [1, 1, 2, 3, 3, 4, 4]);
        let between = [5, 10, 11, 19, 20, 21, 40, 41].map(is_between);
        assert_eq!(between, [false, false, true, true, false, true, false, false]);
    }
}
