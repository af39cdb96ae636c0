//! The unit in which times are read best.

/// A unit of time, for people.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TimeUnit {
    /// Its symbol.
    pub name: &'static str,
    /// Units per millisecond.
    per_millisecond: f64,
}

/// From small to large.
const UNITS: [TimeUnit; 4] = [
    TimeUnit { name: "ns", per_millisecond: 1e6 },
    TimeUnit { name: "µs", per_millisecond: 1e3 },
    TimeUnit { name: "ms", per_millisecond: 1.0 },
    TimeUnit { name: "s", per_millisecond: 1e-3 },
];

/// From here on a larger unit is read more easily, whatever the other times are.
const MOST: f64 = 1e5;

impl TimeUnit {
    /// What times of pages and workbooks are in.
    pub(crate) const MILLISECONDS: TimeUnit = UNITS[2];

    /// The largest in which the largest of times in milliseconds is at least 1, and the
    /// typical one still has two digits: what is read side by side has one unit.
    pub(crate) fn fitting(milliseconds: impl Iterator<Item = f64>) -> TimeUnit {
        let sizes: Vec<f64> = milliseconds.map(f64::abs).collect();
        let largest = sizes.iter().copied().fold(0.0, f64::max);
        // Zeros only: any unit does, and ms is what the columns are in.
        let Some(typical) = typical(sizes.into_iter()) else { return TimeUnit::MILLISECONDS };
        // 0.01 is the smallest that has two digits in three decimals.
        let fits = |unit: &&TimeUnit| unit.of(largest) >= 1.0 && unit.of(typical) >= 0.01;
        let found = UNITS.iter().rposition(|unit| fits(&unit)).unwrap_or(0);
        // Nobody reads 111223.5 µs: rather few digits of what is short.
        let is_readable = |unit: &&TimeUnit| unit.of(largest) < MOST;
        *UNITS[found..].iter().find(is_readable).unwrap_or(&UNITS[3])
    }

    /// The unit for some of the times that it was chosen for: another one where they would be all
    /// below 0.1, or too long to read.
    pub(crate) fn or_fitting(self, milliseconds: impl Iterator<Item = f64> + Clone) -> TimeUnit {
        let largest = milliseconds.clone().map(f64::abs).fold(0.0, f64::max);
        let suits = largest <= 0.0 || (0.1..MOST).contains(&self.of(largest));
        if suits { self } else { TimeUnit::fitting(milliseconds) }
    }

    /// A time in milliseconds, in this unit.
    pub(crate) fn of(self, milliseconds: f64) -> f64 {
        milliseconds * self.per_millisecond
    }

    /// A time in milliseconds, alone, with the unit.
    pub(crate) fn text(self, milliseconds: f64) -> String {
        let decimals = self.decimals([milliseconds].into_iter());
        format!("{:.decimals$} {}", self.of(milliseconds), self.name)
    }

    /// Decimals with which times in milliseconds have about four digits, and never a
    /// digit below the nanosecond, in which traces count.
    pub(crate) fn decimals(self, milliseconds: impl Iterator<Item = f64>) -> usize {
        let wanted = match typical(milliseconds).map(|typical| self.of(typical)) {
            Some(100.0..) => 1,
            Some(10.0..) => 2,
            _ => 3,
        };
        if self.name == "ns" { 0 } else { wanted }
    }

    /// Like [`decimals`](Self::decimals), for a time that is known to `reach` milliseconds: none
    /// below the second digit of that.
    pub(crate) fn decimals_within(self, milliseconds: f64, reach: Option<f64>) -> usize {
        let decimals = self.decimals([milliseconds].into_iter());
        let reach = reach.map(|reach| self.of(reach)).filter(|&reach| reach > 0.0);
        match reach.map(|reach| 1.0 - reach.log10().floor()) {
            Some(known) if known.is_finite() => decimals.min(known.max(0.0) as usize),
            _ => decimals,
        }
    }

    /// Heading of times in this unit, made from one that ends in ms.
    pub(crate) fn heading(self, heading: &str) -> String {
        let stem = heading.strip_suffix("ms)").map(|stem| (stem, ")"));
        match stem.or_else(|| heading.strip_suffix("ms").map(|stem| (stem, ""))) {
            Some((stem, end)) => format!("{stem}{}{end}", self.name),
            None => heading.to_string(),
        }
    }
}

/// A time in milliseconds with up to three decimals, none below the second digit of its `reach`.
pub(crate) fn milliseconds_within(time: f64, reach: Option<f64>) -> String {
    let known = reach.filter(|&reach| reach > 0.0).map(|reach| 1.0 - reach.log10().floor());
    let decimals = match known {
        Some(known) if known.is_finite() => known.clamp(0.0, 3.0) as usize,
        _ => 3,
    };
    format!("{time:.decimals$}")
}

/// The median of sizes that are not zero.
fn typical(milliseconds: impl Iterator<Item = f64>) -> Option<f64> {
    let sizes = milliseconds.map(f64::abs).filter(|size| *size > 0.0 && size.is_finite());
    let mut sizes: Vec<f64> = sizes.collect();
    let middle = sizes.len() / 2;
    (!sizes.is_empty()).then(|| *sizes.select_nth_unstable_by(middle, f64::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_time_is_at_least_one_and_typical_ones_have_digits() {
        let name = |times: &[f64]| TimeUnit::fitting(times.iter().copied()).name;
        assert_eq!(name(&[0.002, 0.5, 12.0]), "ms");
        assert_eq!(name(&[0.002, 0.005, 12.0]), "µs");
        assert_eq!(name(&[0.002, 0.5]), "µs");
        assert_eq!(name(&[0.0, 1.5, 2.5]), "ms");
        assert_eq!(name(&[-2000.0, 2500.0]), "s");
        assert_eq!(name(&[4e-6]), "ns");
        assert_eq!(name(&[0.0]), "ms");
        assert_eq!(name(&[]), "ms");
        assert_eq!(name(&[0.002, 0.005, 111.2235]), "ms");
    }

    #[test]
    fn what_the_unit_does_not_suit_has_its_own() {
        let name = |times: &[f64]| UNITS[3].or_fitting(times.iter().copied()).name;
        assert_eq!(name(&[56.0, 12.0]), "ms");
        assert_eq!(name(&[0.0]), "s");
        assert_eq!(name(&[560.0, 2.0]), "s");
        assert_eq!(UNITS[1].or_fitting([111.2235].into_iter()).name, "ms");
    }

    #[test]
    fn headings_have_the_unit_of_their_times() {
        let heading = |heading| UNITS[1].heading(heading);
        assert_eq!(heading("Time ms"), "Time µs");
        assert_eq!(heading("latency p90 (ms)"), "latency p90 (µs)");
        assert_eq!(heading("Latency"), "Latency");
    }

    /// A digit more than the first one of the reach, as 103.344 ± 84 % would claim six.
    #[test]
    fn digits_follow_the_interval() {
        let text = |time: f64, reach: f64| {
            let decimals = UNITS[2].decimals_within(time, Some(reach));
            format!("{time:.decimals$}")
        };
        for (time, reach, expected) in [
            (103.344, 86.8, "103"),
            (103.344, 9.4, "103.3"),
            (12.344, 0.5, "12.34"),
            (12.344, 1.5, "12.3"),
            (1.2344, 0.0004, "1.234"),
            (1034.4, 900.0, "1034"),
            (1.2344, f64::INFINITY, "1.234"),
            (1.2344, f64::NAN, "1.234"),
        ] {
            assert_eq!(text(time, reach), expected, "{time} {reach}");
        }
        assert_eq!(UNITS[2].decimals_within(1.2, None), 3);
    }

    #[test]
    fn decimals_keep_about_four_digits() {
        let decimals = |time: f64| UNITS[2].decimals([time].into_iter());
        assert_eq!([123.4, 12.34, 1.234, 0.05].map(decimals), [1, 2, 3, 3]);
        assert_eq!(UNITS[0].decimals([5.0].into_iter()), 0);
    }
}
