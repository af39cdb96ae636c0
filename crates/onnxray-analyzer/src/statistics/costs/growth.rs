//! Whether memory grows with each inference.

use crate::probability::NORMAL_975;
use crate::statistics::Interval;
use crate::statistics::spread::distribution::median;

/// A robust slope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// Bytes per inference.
    pub slope: f64,
    /// Of the slope.
    pub interval: Interval,
}

impl Growth {
    /// `processes` have inferences so far and resident bytes of each block.
    ///
    /// The median of the slopes between any two blocks of one process (Theil 1950; Sen 1968,
    /// "Estimates of the regression coefficient based on Kendall's tau"), with Sen's interval: the
    /// variance of Kendall's S is summed over processes, with its correction for equal values.
    /// `None` without two blocks.
    pub(super) fn of<'a>(processes: impl Iterator<Item = &'a [(f64, f64)]>) -> Option<Growth> {
        let mut slopes = Vec::new();
        let mut variance = 0.0;
        for resident in processes {
            for (index, (x, y)) in resident.iter().enumerate() {
                let later = resident[index + 1..].iter();
                slopes.extend(later.map(|(later_x, later_y)| (later_y - y) / (later_x - x)));
            }
            let bytes: Vec<f64> = resident.iter().map(|(_, bytes)| *bytes).collect();
            variance += variance_of_s(bytes);
        }
        let slope = median(&slopes)?;
        slopes.sort_by(f64::total_cmp);
        let (pairs, reach) = (slopes.len() as f64, NORMAL_975 * variance.sqrt());
        // Ranks from 1, outward to whole ones: the interval covers at least as often as it says.
        let low = (((pairs - reach) / 2.0).floor().max(1.0) as usize).min(slopes.len());
        let high = (((pairs + reach) / 2.0 + 1.0).ceil() as usize).clamp(1, slopes.len());
        Some(Growth { slope, interval: Interval { low: slopes[low - 1], high: slopes[high - 1] } })
    }
}

/// Of Kendall's S for one series (Kendall 1970, "Rank correlation methods", chapter 4).
fn variance_of_s(mut values: Vec<f64>) -> f64 {
    let of = |count: usize| {
        let count = count as f64;
        count * (count - 1.0) * (2.0 * count + 5.0) / 18.0
    };
    values.sort_by(f64::total_cmp);
    let ties: f64 = values.chunk_by(|a, b| a == b).map(|equal| of(equal.len())).sum();
    of(values.len()) - ties
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probability::Generator;

    /// Of 2,000 made-up recordings without growth, about 1 in 20 has an interval without 0.
    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let mut random = Generator::new(7);
        for truth in [0.0, 3.0] {
            let mut held = 0;
            for _ in 0..2000 {
                let processes: Vec<Vec<(f64, f64)>> = (0..3)
                    .map(|_| {
                        (0..12)
                            .map(|x| (f64::from(x), truth * f64::from(x) + 5.0 * random.normal()))
                            .collect()
                    })
                    .collect();
                let found = Growth::of(processes.iter().map(|process| &process[..]));
                let Interval { low, high } = found.unwrap().interval;
                held += u32::from(low <= truth && truth <= high);
            }
            assert!((1870..1980).contains(&held), "{held}");
        }
    }

    #[test]
    fn ties_take_variance_away() {
        // 5·4·15/18, and for two pairs of equal values 2·(2·1·9/18) less.
        assert_eq!(variance_of_s(vec![1.0, 2.0, 3.0, 4.0, 5.0]), 300.0 / 18.0);
        assert_eq!(variance_of_s(vec![1.0, 1.0, 2.0, 2.0, 3.0]), 300.0 / 18.0 - 2.0);
        assert_eq!(variance_of_s(vec![4.0; 9]), 0.0);
    }
}
