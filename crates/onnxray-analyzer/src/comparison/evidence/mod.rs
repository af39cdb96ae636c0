//! What the figures of two recordings say about each other: intervals, tests
//! and verdicts.
//!
//! Values are medians of blocks of iterations; blocks lie in launches. The
//! launch is the unit of analysis: blocks of one launch share what befell it.

mod bootstrap;
mod drift;
mod false_discovery;
mod launches_needed;
mod outliers;
mod paired_test;
mod ranks;
mod rate;
mod ratio;
mod u_test;
mod verdict;

#[cfg(test)]
mod simulation;

pub use bootstrap::{Resamples, launch_values, location};
pub use drift::{Correlation, autocorrelation, inflation, spearman};
pub use false_discovery::adjust;
pub use launches_needed::launches_needed;
pub use outliers::outliers;
pub use paired_test::paired_test;
pub use rate::wilson;
pub use ratio::{IntervalMethod, RatioEstimate, Sample, estimate};
pub use u_test::{UTest, smallest_p};
pub use verdict::{Band, Verdict, verdict};
