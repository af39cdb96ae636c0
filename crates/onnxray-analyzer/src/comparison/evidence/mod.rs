//! What the figures of two recordings say about each other: intervals, tests
//! and verdicts.
//!
//! Values are medians of blocks of iterations; blocks lie in launches. The
//! launch is the unit of analysis: blocks of one launch share what befell it.

mod bootstrap;
mod both_orders;
mod drift;
mod false_discovery;
mod outliers;
mod paired_test;
mod rate;
mod ratio;
mod u_test;
mod verdict;

pub(crate) use bootstrap::{Resamples, launch_values, location};
pub(crate) use both_orders::{Ordered, middle_third, of_both_orders};
pub(crate) use drift::{Correlation, autocorrelation, inflation, spearman};
pub(crate) use false_discovery::adjust;
pub(crate) use outliers::{fences, outliers};
pub(crate) use paired_test::paired_test;
#[cfg(test)]
pub(crate) use paired_test::smallest_paired_p;
pub(crate) use rate::wilson;
pub(crate) use ratio::{IntervalMethod, RatioEstimate, Sample, estimate};
pub(crate) use u_test::{UTest, smallest_p};
pub use verdict::Verdict;
pub(crate) use verdict::{Band, verdict};
