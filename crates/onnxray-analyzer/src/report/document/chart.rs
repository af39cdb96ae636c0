//! A chart of a table's columns, for formats that can draw.

/// What to draw; formats that cannot draw leave it out, since its table has the
/// numbers.
#[derive(Clone, Debug)]
pub struct Chart {
    pub title: String,
    pub kind: ChartKind,
    /// Key of the table whose columns are drawn.
    pub table: &'static str,
    /// Key of the column that names the bars or the points.
    pub categories: &'static str,
    /// Keys of the columns that are drawn, one series each.
    pub series: Vec<&'static str>,
    /// A sentence that says what it shows.
    pub shows: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartKind {
    /// Horizontal bars, the first row on top.
    Bars,
    /// Bars whose series are put on top of each other.
    StackedBars,
    Line,
}
