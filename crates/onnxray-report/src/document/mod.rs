//! What a report is before any format: blocks of lines, figures, tables, charts, timelines,
//! histograms and notes.
//!
//! A column is declared once, with the value that it takes of a row; writers ask a
//! table for columns by key, or walk all of them.

mod cell;
mod column;
mod column_list;
mod drawn;
mod ends;
mod entry;
mod figures;
mod left_out;
mod line;
mod live;
mod metric;
mod notes;
mod page;
mod sheet_part;
mod table;
mod time_unit;
mod unit;

pub use cell::{Cell, Tone};
pub use column::{Column, Heading, column};
pub(crate) use column_list::columns;
pub use drawn::{
    Chart, ChartKind, Graph, Histograms, Ladder, Rung, RungFigures, Scatter, Series, SpanColumns,
    Timeline, TimelineIteration,
};
pub(crate) use ends::{End, HasEnds};
pub(crate) use entry::{Entry, Mark};
pub use figures::{Figure, Figures};
pub(crate) use left_out::{more, others, shown_of};
pub(crate) use line::side_by_side;
pub use line::{Line, Lines, Part};
pub use metric::{Measure, Metric};
pub use notes::{Note, NoteKind, Notes};
pub(crate) use page::view;
pub use page::{Measured, Page, View};
pub(crate) use sheet_part::{CellStyle, UNKNOWN, Visibility, items_per_second, quotient};
pub(crate) use table::Compact;
pub use table::{Importance, Table, TableColumn};
pub(crate) use time_unit::{TimeUnit, milliseconds_within};
pub use unit::Unit;

use onnxray_text::{did_you_mean, nearest, printable};
use serde::Serialize;
use serde_json::Value;

/// Version of the keys and blocks of all reports in machine-readable formats. It
/// goes up when a key goes or changes its meaning, not when one is added.
pub const SCHEMA_VERSION: u32 = 1;

/// A report, in the order in which it is read.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// Which report it is: an identifier.
    pub name: &'static str,
    /// What matters most, in a sentence or a few.
    pub headline: Vec<String>,
    /// What a program acts on, if it is one word.
    pub answer: Option<Answer>,
    /// Keys of figures and tables are unique among them.
    pub blocks: Vec<Block>,
    /// What a benchmark tracker keeps of it.
    pub metrics: Vec<Metric>,
}

/// A word that a program can act on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    pub verdict: &'static str,
    /// Whether it is what was asked for; `None` if nothing was, or if the word does not say so.
    pub passed: Option<bool>,
}

/// A part of a report.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "block", rename_all = "snake_case")]
pub enum Block {
    /// Short texts side by side, line by line.
    Lines(Lines),
    /// Names and values of one thing.
    Figures(Figures),
    Table(Table),
    /// A picture of a table's columns.
    Chart(Chart),
    /// When operators ran.
    #[serde(serialize_with = "Timeline::named")]
    Timeline(Timeline),
    /// Which rows of a table read what others write.
    #[serde(serialize_with = "Graph::named")]
    Graph(Graph),
    /// Modules and their operators, as a tree.
    #[serde(serialize_with = "Ladder::named")]
    Ladder(Ladder),
    /// How values are spread, for each row of a table.
    #[serde(serialize_with = "Histograms::named")]
    Histograms(Histograms),
    Notes(Notes),
    /// What a page projects from when settings are edited, as its data; other formats have no use
    /// for it.
    Projection(Value),
}

impl Document {
    /// A report without any block.
    pub fn new(name: &'static str) -> Document {
        Document { name, ..Document::default() }
    }

    /// A report of a single block.
    pub fn of(name: &'static str, block: impl Into<Block>) -> Document {
        Document { name, blocks: vec![block.into()], ..Document::default() }
    }

    /// Adds a block at the end.
    pub fn push(&mut self, block: impl Into<Block>) {
        self.blocks.push(block.into());
    }

    /// Adds blocks at the end.
    pub fn extend(&mut self, blocks: impl IntoIterator<Item: Into<Block>>) {
        self.blocks.extend(blocks.into_iter().map(Into::into));
    }

    /// The table with a key, if the document has it.
    pub fn table(&self, key: &str) -> Option<&Table> {
        self.tables().find(|table| table.key == key)
    }

    /// The figures with a key, if the document has them.
    pub fn figures(&self, key: &str) -> Option<&Figures> {
        self.blocks.iter().find_map(|block| match block {
            Block::Figures(figures) if figures.key == key => Some(figures),
            _ => None,
        })
    }

    /// Its tables.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &Table> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Table(table) => Some(table),
            _ => None,
        })
    }

    /// The same report; tables that have any of these columns show them alone, in
    /// this order.
    ///
    /// # Errors
    /// If no table has a column with one of the keys: the key, and those that there are.
    pub fn choosing(mut self, keys: &[String]) -> Result<Document, NoSuchColumn> {
        let mut known: Vec<&'static str> = Vec::new();
        for column in self.tables().flat_map(|table| &table.columns) {
            if !known.contains(&column.heading.key) {
                known.push(column.heading.key);
            }
        }
        // A key that no table has is a mistake; one that only some have is not.
        if let Some(key) = keys.iter().find(|key| !known.contains(&key.as_str())) {
            return Err(NoSuchColumn { key: key.clone(), known });
        }
        for block in &mut self.blocks {
            if let Block::Table(table) = block {
                *table = table.clone().choosing(keys);
            }
        }
        Ok(self)
    }

    /// All notes, in their order.
    pub fn notes(&self) -> impl Iterator<Item = &Note> {
        self.blocks.iter().flat_map(|block| match block {
            Block::Notes(notes) => notes.notes.as_slice(),
            _ => &[],
        })
    }

    /// Takes out the notes that are not warnings.
    pub fn keep_warnings(&mut self) {
        for block in &mut self.blocks {
            if let Block::Notes(notes) = block {
                notes.notes.retain(|note| note.kind == NoteKind::Warning);
            }
        }
        // A block whose notes are gone would be a bare heading.
        self.blocks
            .retain(|block| !matches!(block, Block::Notes(Notes { notes }) if notes.is_empty()));
    }

    /// Takes the notes out, for a place of their own.
    pub fn take_notes(&mut self) -> Vec<Note> {
        let notes = self.notes().cloned().collect();
        self.blocks.retain(|block| !matches!(block, Block::Notes(_)));
        notes
    }
}

/// No table of a report has a column with this key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no column `{}`\nhint: {}", printable(key), near_columns(key, known))]
pub struct NoSuchColumn {
    /// What was asked for.
    pub key: String,
    /// Keys of all columns.
    pub known: Vec<&'static str>,
}

/// The nearest columns, or all.
fn near_columns(key: &str, known: &[&str]) -> String {
    match nearest(key, known.iter().copied())[..] {
        [] if known.is_empty() => "there is no table to choose columns of".to_string(),
        [] => format!("there are {}", known.join(", ")),
        _ => did_you_mean(key, "columns", known),
    }
}

/// Makes blocks of what has the name of a kind.
macro_rules! blocks {
    ($($kind:ident),*) => {$(
        impl From<$kind> for Block {
            fn from(block: $kind) -> Block {
                Block::$kind(block)
            }
        }
    )*};
}

blocks!(Lines, Table, Figures, Chart, Notes, Timeline, Graph, Ladder, Histograms);
