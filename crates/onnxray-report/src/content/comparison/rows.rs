//! A version next to the baseline, and tables whose rows say which version they are of.

use super::end_to_end_figure::EndToEndFigure;
use super::verdict::has_one_unit;
use crate::document::{Cell, CellStyle, Column, End, Table, UNKNOWN, Unit, column};
use onnxray_analyzer::comparison::{Change, Comparison, Member, Recording, Side};
use onnxray_analyzer::statistics::Interval;
use onnxray_format::Operator;

/// The column that every table of comparisons begins with.
pub(crate) use onnxray_analyzer::comparison::keys::VERSION;
pub(super) const VERSION_MEANING: &str = "what is compared to the baseline A";
/// What A is called.
pub(crate) use onnxray_analyzer::comparison::keys::BASELINE;

/// Key of the column of minimum detectable effects.
pub(super) const DETECTABLE: &str = "minimum_detectable_effect_share";

/// A version and the baseline to which it is compared.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'a> {
    pub(crate) comparison: &'a Comparison,
    /// By side.
    pub(crate) recordings: [&'a Recording; 2],
    /// Letter of the version beside others: `B` for the first.
    pub(crate) letter: &'a str,
}

impl<'a> Pair<'a> {
    /// Whether layers of a side are blocks of an x-ray.
    pub(super) fn has_blocks(&self) -> bool {
        self.recordings.iter().any(|recording| recording.summary.run.blocks)
    }

    pub(super) fn operator(&self, side: Side, member: &Member) -> Option<&'a Operator> {
        let operators = &self.recordings[side as usize].summary.operators;
        operators.get(member.operator as usize).map(|summary| &summary.operator)
    }
}

impl Pair<'_> {
    /// A text of ours, not of a trace, with this version's letter for B.
    pub(crate) fn named(&self, text: &str) -> String {
        let words = text.split(' ').map(|word| if word == "B" { self.letter } else { word });
        words.collect::<Vec<_>>().join(" ")
    }

    /// The cell with the mean of a side of the whole, or with the difference of both.
    pub(crate) fn whole(&self, key: &str) -> String {
        format!("[!inference.{key}:{}]", self.whole_row())
    }

    /// Row of the mean that layers and what is beyond them add up to.
    pub(crate) fn whole_row(&self) -> usize {
        self.row_of(EndToEndFigure::of_parts(self.comparison))
    }

    /// The cell with the typical time of a side that layers and causes are parts of, or with the
    /// difference of both.
    pub(crate) fn parted(&self, key: &str) -> String {
        format!("[!inference.{key}:{}]", self.parted_row())
    }

    /// The cell with the time of a side that types are parts of.
    pub(crate) fn types_whole(&self, key: &str) -> String {
        match self.comparison.parted {
            Some(_) => self.parted(key),
            None => self.whole(key),
        }
    }

    /// Row of that typical time.
    pub(crate) fn parted_row(&self) -> usize {
        self.row_of(EndToEndFigure::of_typical_parts(self.comparison))
    }

    fn row_of(&self, wanted: EndToEndFigure) -> usize {
        let figures = EndToEndFigure::of(self.comparison);
        // Always among them, whatever `EndToEndFigure::of` lists.
        figures.iter().position(|figure| *figure == wanted).unwrap_or(0)
    }

    /// True if times of both sides measure the same thing.
    pub(crate) fn has_one_unit(&self) -> bool {
        has_one_unit(self.comparison)
    }
}

/// Shown in a workbook for a time of a side that does not run it.
pub(super) const NOT_EXECUTED: &str = "not executed";

/// The cell, or other words if it is empty.
pub(super) fn or(cell: Cell, otherwise: &str) -> Cell {
    if cell == Cell::None { Cell::text(otherwise) } else { cell }
}

/// The formula of part by whole, without `=`, where the whole may be below 0.
pub(crate) fn part(part: &str, whole: &str) -> String {
    format!("IF({whole}<>0,{part}/{whole},\"{UNKNOWN}\")")
}

/// The formula of the share that a time has of a whole, or why there is none.
pub(super) fn share_of(time: &str, whole: &str) -> String {
    format!("=IF(ISNUMBER({time}),{},{time})", part(time, whole))
}

/// The formula of B - A, or of other words where one is not a number.
pub(super) fn minus([a, b]: [&str; 2], otherwise: &str) -> String {
    format!("=IF(COUNT([{a}],[{b}])=2,[{b}]-[{a}],{otherwise})")
}

/// The formula of B / A, or of other words where one is not a number.
pub(super) fn by([a, b]: [&str; 2], otherwise: &str) -> String {
    format!("=IF(COUNT([{a}],[{b}])=2,IF([{a}]>0,[{b}]/[{a}],\"{UNKNOWN}\"),{otherwise})")
}

/// Rows that a sheet has room for, beside totals and charts.
const MOST_ROWS: usize = 1_048_470;

/// Rows of a version on its sheet. The sheet is about one version, so it has no column of labels.
pub(super) fn sheet<'a, Subject: 'a>(
    (key, title): (&'static str, &'static str),
    columns: Vec<Column<Row<'a, Subject>>>,
    pair: Pair<'a>,
    subjects: Vec<Subject>,
    style: fn(Unit) -> CellStyle,
) -> Table {
    let columns: Vec<_> = columns.into_iter().filter(|c| c.key != BASELINE).collect();
    let left_out = subjects.len().saturating_sub(MOST_ROWS);
    let rows = subjects.into_iter().take(MOST_ROWS).map(|subject| Row { pair, subject });
    let mut table = Table::reported(key, &columns, rows, style);
    for column in &mut table.columns {
        column.heading.heading = pair.named(&column.heading.heading).into();
    }
    (table.title, table.left_out) = (title, left_out);
    table
}

/// A row about a version.
pub(super) struct Row<'a, Subject> {
    pub(super) pair: Pair<'a>,
    pub(super) subject: Subject,
}

/// The rows of all versions. With a single one, people need not be told which.
pub(super) fn table<'a, Subject>(
    key: &'static str,
    title: &'static str,
    columns: Vec<Column<Row<'a, Subject>>>,
    pairs: &[Pair<'a>],
    rows: impl Fn(Pair<'a>) -> Vec<Subject>,
) -> Table {
    shortened(key, title, columns, pairs, None, rows)
}

/// Like [`table`], with at most this many rows of each version.
pub(super) fn shortened<'a, Subject>(
    key: &'static str,
    title: &'static str,
    columns: Vec<Column<Row<'a, Subject>>>,
    pairs: &[Pair<'a>],
    most: Option<usize>,
    rows: impl Fn(Pair<'a>) -> Vec<Subject>,
) -> Table {
    let label = |row: &Row<'a, Subject>| Cell::text(&row.pair.comparison.labels[1]);
    let mut all = vec![column(VERSION, "Version", Unit::Text, VERSION_MEANING, label)];
    all.extend(columns);
    let mut left_out = 0;
    let rows = pairs.iter().flat_map(|&pair| {
        let rows = rows(pair);
        let most = most.map_or(rows.len(), |most| most.min(rows.len()));
        left_out += rows.len() - most;
        rows.into_iter().take(most).map(move |subject| Row { pair, subject })
    });
    let mut table = Table::new(key, title, &all, rows);
    // It was counted as the table took its rows.
    table.left_out = left_out;
    table.hiding_unless(pairs.len() > 1, &[VERSION])
}

/// A number, or nothing where none was computed.
pub(super) fn computed(value: Option<f64>) -> Cell {
    value.map_or(Cell::None, Cell::Number)
}

/// The minimum detectable effect.
pub(super) fn detectable(change: &Change) -> Cell {
    computed(change.minimum_detectable_effect.map(|share| share.0))
}

/// An end of an interval, or nothing where none was computed.
pub(super) fn end(end: End, interval: Option<Interval>) -> Cell {
    computed(interval.map(|interval| end.of(interval)))
}

/// The columns, with others in the place of those with their keys.
pub(super) fn replaced<R>(mut columns: Vec<Column<R>>, others: Vec<Column<R>>) -> Vec<Column<R>> {
    for other in others {
        if let Some(column) = columns.iter_mut().find(|column| column.key == other.key) {
            *column = other;
        }
    }
    columns
}
