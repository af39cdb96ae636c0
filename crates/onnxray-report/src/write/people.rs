//! What people see of figures and tables: what is known, in units that suit it.

use super::cells::show_in;
use crate::document::{Cell, Figures, Importance, Table, TableColumn, TimeUnit, Tone, Unit};

/// A table as people see it.
pub(crate) struct Shown {
    pub columns: Vec<ShownColumn>,
    /// The row of the sums of what was left out.
    pub others: Option<usize>,
}

/// A column as people see it.
pub(crate) struct ShownColumn {
    pub heading: String,
    pub is_text: bool,
    pub importance: Importance,
    pub wraps: bool,
    /// Whether it is the end of an interval that the column before it begins: half an
    /// interval says nothing.
    pub ends_interval: bool,
    /// Shares to be drawn in its cells, which are blank.
    pub bars: Option<Vec<f64>>,
    /// A cell per row, the one of the sums included.
    pub cells: Vec<String>,
    pub accents: Vec<Accent>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accent {
    Plain,
    Strong,
    Faint,
    Good,
    Bad,
    Doubtful,
}

/// Shares from which on they are seen first, and below which last.
const LARGE_SHARE: f64 = 0.1;
const SMALL_SHARE: f64 = 0.01;

/// Columns of which something is known; those that were asked for, whatever is known.
pub(crate) fn table(table: &Table) -> Shown {
    let is_known = |column: &&TableColumn| {
        let known = |cell: &Cell| !matches!(cell, Cell::Unknown | Cell::None);
        match column.importance {
            Importance::Hidden => false,
            Importance::Chosen => true,
            // A table without rows keeps its headings.
            _ => table.is_empty() || column.cells.iter().chain([&column.others]).any(known),
        }
    };
    let columns: Vec<&TableColumn> = table.columns.iter().filter(is_known).collect();
    let times = columns.iter().filter(|column| column.heading.unit == Unit::Milliseconds);
    let fitting = || TimeUnit::fitting(times.clone().flat_map(|column| numbers(column)));
    let unit = table.compact.map_or_else(fitting, |compact| compact.unit);
    let is_end = |heading: &str| heading.starts_with("Low") || heading.starts_with("High");
    let unit_of = |column: &TableColumn| match is_end(&column.heading.heading) {
        // The ends of an interval are read beside each other, and beside what they are ends of.
        true => unit,
        false => unit.or_fitting(numbers(column)),
    };
    // The same decimals in all columns of times of one unit, so that digits can be compared.
    let decimals_in = |unit: TimeUnit| {
        let same = times.clone().filter(|column| unit_of(column) == unit);
        same.map(|column| unit.decimals(numbers(column))).max().unwrap_or(0)
    };
    let columns = columns.iter().flat_map(|column| {
        let unit = match column.heading.unit {
            Unit::Milliseconds => unit_of(column),
            _ => unit,
        };
        let decimals = decimals_in(unit);
        let mut cells: Vec<&Cell> = column.cells.iter().collect();
        if let Some(place) = table.others {
            cells.insert(place.min(cells.len()), &column.others);
        }
        let of = column.heading.unit;
        let shown = ShownColumn {
            heading: heading(&column.heading.heading, of, unit),
            is_text: of == Unit::Text,
            importance: column.importance,
            wraps: column.wraps,
            // By convention, the ends of an interval are headed Low and High.
            ends_interval: column.heading.heading.starts_with("High"),
            bars: None,
            cells: cells.iter().map(|cell| show_in(cell, of, unit, decimals)).collect(),
            accents: cells.iter().map(|cell| accent(cell, of)).collect(),
        };
        let bars = column.bars.then(|| bars(&cells));
        [shown].into_iter().chain(bars)
    });
    Shown { columns: columns.collect(), others: table.others }
}

/// Bars to draw beside a column of shares.
fn bars(cells: &[&Cell]) -> ShownColumn {
    let shares = cells.iter().map(|cell| cell.summand().unwrap_or(0.0));
    ShownColumn {
        heading: String::new(),
        is_text: true,
        importance: Importance::Shown,
        wraps: false,
        ends_interval: false,
        bars: Some(shares.collect()),
        cells: vec![String::new(); cells.len()],
        accents: vec![Accent::Plain; cells.len()],
    }
}

/// Names and values of figures that are known, and the names of the others.
pub(crate) fn figures(figures: &Figures) -> (Vec<(String, String)>, Vec<&str>) {
    let is_time = |unit: Unit| unit == Unit::Milliseconds;
    let times = figures.figures.iter().filter(|figure| is_time(figure.heading.unit));
    let unit = TimeUnit::fitting(times.filter_map(|figure| figure.value.as_number()));
    let mut unknown = Vec::new();
    let mut known = Vec::new();
    for figure in &figures.figures {
        let of = figure.heading.unit;
        if figure.value == Cell::Unknown {
            let name = without_unit(&figure.heading.heading);
            // Without units, neighbours such as two rates have one name.
            if unknown.last() != Some(&name) {
                unknown.push(name);
            }
            continue;
        }
        let decimals = unit.decimals(figure.value.as_number().into_iter());
        let value = show_in(&figure.value, of, unit, decimals);
        known.push((heading(&figure.heading.heading, of, unit), value));
    }
    (known, unknown)
}

fn heading(heading: &str, of: Unit, unit: TimeUnit) -> String {
    match of {
        Unit::Milliseconds => unit.heading(heading),
        _ => heading.to_string(),
    }
}

/// Drops the unit: it says nothing about an unknown value.
fn without_unit(heading: &str) -> &str {
    heading.split_once(" (").map_or(heading, |(name, _)| name)
}

fn numbers(column: &TableColumn) -> impl Iterator<Item = f64> + Clone {
    column.cells.iter().filter_map(Cell::as_number)
}

fn accent(cell: &Cell, unit: Unit) -> Accent {
    match (cell, unit) {
        (Cell::Unknown, _) => Accent::Faint,
        (Cell::Label { tone: Tone::Good, .. }, _) => Accent::Good,
        (Cell::Label { tone: Tone::Bad, .. }, _) => Accent::Bad,
        (Cell::Label { tone: Tone::Doubtful, .. }, _) => Accent::Doubtful,
        (Cell::Number(share), Unit::Share) if share.abs() >= LARGE_SHARE => Accent::Strong,
        (Cell::Number(share), Unit::Share) if share.abs() < SMALL_SHARE => Accent::Faint,
        _ => Accent::Plain,
    }
}
