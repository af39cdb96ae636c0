//! Random numbers that are the same on every machine and in every version: a
//! report must come out the same when it is made again.
//!
//! SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number
//! generators"): 64 bits of state, a period of 2⁶⁴, any seed is good. Numbers below a
//! bound are made here, because `rand` may change how it makes them.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

#[derive(Clone, Debug)]
pub(crate) struct Generator(SplitMix64);

impl Generator {
    pub(crate) fn new(seed: u64) -> Generator {
        Generator(SplitMix64::seed_from_u64(seed))
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A whole number below `count`, each equally likely; 0 if there is none.
    ///
    /// The high word of bits · count (Lemire 2019, "Fast random integer generation
    /// in an interval"): draws whose low word falls into the remainder of 2⁶⁴ by
    /// `count` are drawn anew, or some numbers would come up more often.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        let count = count as u64;
        // 2⁶⁴ modulo `count`. With 0, every product is 0, and so is the result.
        let remainder = count.wrapping_neg().checked_rem(count).unwrap_or(0);
        loop {
            let product = u128::from(self.bits()) * u128::from(count);
            if product as u64 >= remainder {
                return (product >> 64) as usize;
            }
        }
    }
}

#[cfg(test)]
impl Generator {
    /// Between 0 and 1.
    pub(crate) fn uniform(&mut self) -> f64 {
        ((self.bits() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// Of the normal distribution (Box and Muller).
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.uniform().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sequence for seed 1234567 that is published with the algorithm.
    #[test]
    fn numbers_are_those_of_splitmix64() {
        let mut generator = Generator::new(1_234_567);
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!([(); 5].map(|()| generator.bits()), expected);
    }

    #[test]
    fn indices_are_equally_likely() {
        let mut generator = Generator::new(1);
        for count in [1, 2, 3, 7, 10] {
            let mut seen = vec![0.0; count];
            (0..10_000 * count).for_each(|_| seen[generator.below(count)] += 1.0);
            // Five standard deviations of a binomial count.
            assert!(seen.iter().all(|&times: &f64| (times - 10_000.0).abs() < 500.0), "{seen:?}");
        }
        assert_eq!(generator.below(0), 0);
    }
}
