//! What pages and workbooks draw beside tables.

mod chart;
mod graph;
mod histograms;
mod ladder;
mod named;
mod timeline;

pub use chart::{Chart, ChartKind, Scatter, Series};
pub use graph::Graph;
pub use histograms::Histograms;
pub use ladder::{Ladder, Rung, RungFigures};
pub use timeline::{SpanColumns, Timeline, TimelineIteration};
