//! A chart of a table's columns, for formats that can draw.

use serde::{Serialize, Serializer};
use std::ops::Range;

/// What to draw; formats that cannot draw leave it out, since its table has the
/// numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Chart {
    /// What people read above it, with the unit.
    pub title: String,
    #[serde(flatten)]
    pub kind: ChartKind,
    /// Key of the table whose columns are drawn.
    pub table: &'static str,
    /// Key of the column that names the bars or the points; of those of a scatter chart,
    /// how far to the right they lie.
    pub categories: &'static str,
    /// What is drawn, in this order.
    pub series: Vec<Series>,
    /// A sentence that says what it shows, for who cannot see it.
    pub shows: &'static str,
}

/// Values that are drawn alike: a column, or some rows of it.
#[derive(Clone, Debug, Serialize)]
pub struct Series {
    /// What people call it; `None` for the heading of the column.
    pub name: Option<String>,
    pub column: &'static str,
    /// Rows of the table, from 0 on; `None` for all.
    #[serde(serialize_with = "ends")]
    pub rows: Option<Range<usize>>,
}

impl Series {
    /// All of a column, under its heading.
    pub fn of(column: &'static str) -> Series {
        Series { name: None, column, rows: None }
    }
}

/// Writes the first row, and the one after the last.
fn ends<S: Serializer>(rows: &Option<Range<usize>>, serializer: S) -> Result<S::Ok, S::Error> {
    rows.as_ref().map(|rows| [rows.start, rows.end]).serialize(serializer)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ChartKind {
    /// Horizontal bars, the first row on top.
    Bars,
    /// Bars whose series are put on top of each other.
    StackedBars,
    /// Upright bars in the order of rows, from left to right.
    Columns,
    /// Dots in the order of rows, from left to right.
    Dots,
    /// The same on a logarithmic axis, on which 0 has no place.
    LogarithmicDots,
    /// Points in the order of rows, from left to right, joined by lines.
    Line,
    /// Points where two columns say.
    Scatter(Scatter),
}

impl ChartKind {
    /// True for horizontal bars, one below the other.
    pub(crate) const fn is_across(self) -> bool {
        matches!(self, ChartKind::Bars | ChartKind::StackedBars)
    }
}

/// What is said of the points of a scatter chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Scatter {
    /// What stands along the axis from left to right, with the unit.
    pub across: &'static str,
    /// The same of the axis upwards.
    pub up: &'static str,
    /// Key of the column of texts beside the points that the first of `marks` marks.
    pub labels: &'static str,
    /// Keys of columns of yes and no: points with yes are marked, under the heading.
    pub marks: &'static [&'static str],
    /// Whether both axes begin at 0.
    #[serde(skip)]
    pub from_zero: bool,
}
