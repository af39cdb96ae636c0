//! Many configurations, measured in turns: which are worth having, and which is the
//! fastest within a latency threshold.
//!
//! Every figure is defined in `docs/statistics.md`. Nothing here knows files.

mod analyze;
mod candidates;
mod front;
mod paced;
mod pairs;
mod percentile;
mod point;
mod saving;

pub use analyze::{Sweep, SweepOptions, analyze};
pub use candidates::{Candidates, FrontPoint};
pub use paced::LeastAtPace;
pub use pairs::{ComparedPoints, MOST_ROWS, compare_points, front_pairs};
pub use percentile::{Percentile, UnknownPercentile};
pub use point::{Counted, Point, Skipped};
pub use saving::Saving;
