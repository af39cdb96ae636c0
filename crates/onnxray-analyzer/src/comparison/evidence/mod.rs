//! What the figures of two recordings say about each other: intervals, tests
//! and verdicts.
//!
//! Values are medians of blocks of iterations; blocks lie in launches. The
//! launch is the unit of analysis: blocks of one launch share what befell it.

mod drift;
mod launch_values;
mod order_effect;
mod rate;
mod ratio;
pub(super) mod t_test;
mod verdict;

pub(crate) use drift::{Correlation, autocorrelation, inflation, spearman};
pub(crate) use launch_values::{launch_values, location};
pub(crate) use order_effect::{Ordered, middle_third, without_order_effect};
pub(crate) use rate::wilson;
pub(crate) use ratio::{RatioEstimate, typical};
pub use verdict::Verdict;
pub(crate) use verdict::{Band, TICKS, verdict};
