//! Comma-separated values with all columns, for programs and spreadsheets.

use crate::document::{Block, Cell, Document, Notes};
use onnxray_text::csv_text::{marked, write_record};
use std::io::{self, Write};

/// A block of a report as CSV: figures and columns go by their keys, and what is
/// unknown is as empty as what does not exist, so that a column of numbers is one to
/// every reader.
pub struct CsvTable {
    key: &'static str,
    /// Those of the headings first.
    records: Vec<Vec<String>>,
}

/// The blocks of a report that CSV can hold; charts and the headline are none.
pub fn csv_tables(document: &Document) -> Vec<CsvTable> {
    document.blocks.iter().filter_map(table).collect()
}

impl CsvTable {
    /// Identifier among those of the report.
    pub fn key(&self) -> &'static str {
        self.key
    }

    /// Writes it.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        self.records.iter().try_for_each(|record| write_record(&mut out, record))?;
        out.flush()
    }
}

fn table(block: &Block) -> Option<CsvTable> {
    let words = |words: [&str; 2]| words.map(str::to_string).to_vec();
    let (key, records) = match block {
        Block::Figures(figures) => {
            let mut records = vec![words(["name", "value"])];
            let figure_records = figures.figures.iter();
            records
                .extend(figure_records.map(|f| vec![f.heading.key.to_string(), value(&f.value)]));
            (figures.key, records)
        }
        Block::Table(table) => {
            let keys = table.columns.iter().map(|column| column.heading.key.to_string());
            let mut records = vec![keys.collect()];
            let record = |row: usize| -> Vec<String> {
                table.columns.iter().map(|column| value(&column.cells[row])).collect()
            };
            records.extend((0..table.len()).map(record));
            (table.key, records)
        }
        Block::Notes(notes) => {
            let mut records = vec![words(["kind", "text"])];
            let lines = notes.notes.iter();
            records.extend(
                lines.map(|note| {
                    vec![note.kind.text().to_string(), marked(&note.text).into_owned()]
                }),
            );
            (Notes::KEY, records)
        }
        _ => return None,
    };
    Some(CsvTable { key, records })
}

fn value(cell: &Cell) -> String {
    match cell {
        // A spreadsheet would run a name that begins like a formula.
        Cell::Text(value) => marked(value).into_owned(),
        Cell::Label { key, .. } => key.to_string(),
        // All digits: the shortest text that is read back as this number.
        Cell::Number(value) => value.to_string(),
        Cell::Whole(value) => value.to_string(),
        Cell::Unknown | Cell::None | Cell::Below { .. } => String::new(),
    }
}
