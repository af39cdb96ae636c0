//! Comma-separated values with all columns, for programs and spreadsheets.

use crate::report::document::{Block, Cell, Document, Notes};
use onnxray_format::profile_csv::{io_error, text};
use std::io::{self, Write};

/// Writes the blocks one after the other; before each but a single one stands a line
/// `# title`, and between them an empty one. Figures and columns go by
/// their keys. Charts and the headline are left out.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_csv(document: &Document, mut out: impl Write) -> io::Result<()> {
    let blocks = document.blocks.iter().filter_map(records);
    let blocks: Vec<(&str, Vec<Vec<String>>)> = blocks.collect();
    for (index, (title, records)) in blocks.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        if blocks.len() > 1 {
            writeln!(out, "# {title}")?;
        }
        let mut csv = csv::Writer::from_writer(&mut out);
        records.iter().try_for_each(|record| csv.write_record(record)).map_err(io_error)?;
        csv.flush()?;
    }
    Ok(())
}

/// Title and records of a block, those of the headings first.
fn records(block: &Block) -> Option<(&'static str, Vec<Vec<String>>)> {
    let words = |words: [&str; 2]| words.map(str::to_string).to_vec();
    match block {
        Block::Figures(figures) => {
            let mut records = vec![words(["name", "value"])];
            let figure_records = figures.figures.iter();
            records.extend(figure_records.map(|f| vec![text(f.heading.key), value(&f.value)]));
            Some((figures.title, records))
        }
        Block::Table(table) => {
            let keys = table.columns.iter().map(|column| column.heading.key.to_string());
            let mut records = vec![keys.collect()];
            let record = |row: usize| -> Vec<String> {
                table.columns.iter().map(|column| value(&column.cells[row])).collect()
            };
            records.extend((0..table.len()).map(record));
            Some((table.title, records))
        }
        Block::Notes(notes) => {
            let mut records = vec![words(["kind", "text"])];
            let lines = notes.notes.iter();
            records.extend(lines.map(|note| vec![note.kind.text().to_string(), text(&note.text)]));
            Some((Notes::TITLE, records))
        }
        Block::Chart(_) => None,
    }
}

fn value(cell: &Cell) -> String {
    match cell {
        Cell::Text(value) => text(value),
        Cell::Label { key, .. } => key.to_string(),
        Cell::Number(value) => value.to_string(),
        Cell::Whole(value) => value.to_string(),
        Cell::Unknown => "unknown".to_string(),
        Cell::None => String::new(),
    }
}
