//! JSON with all columns, in the units that their keys name.

use crate::document::{
    Answer, Block, Cell, Document, Figures, Graph, Note, Notes, SCHEMA_VERSION, Table, Timeline,
};
use onnxray_text::is_hidden;
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// Writes one object: the version of the schema, the name of the report, its
/// headline and its answer in a word, if there are any, and a member per block, under its key: figures as an
/// object, tables and notes as arrays of objects, timelines, graphs and histograms as columns.
/// Unknown values are `null`; what does not apply is left out, and so are charts, whose
/// tables have the numbers. What would command a terminal is escaped.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_json(document: &Document, mut out: impl Write) -> io::Result<()> {
    let mut object = Map::new();
    object.insert("schema_version".to_string(), Value::from(SCHEMA_VERSION));
    object.insert("report".to_string(), Value::from(document.name));
    if !document.headline.is_empty() {
        object.insert("headline".to_string(), Value::from(document.headline.clone()));
    }
    if let Some(Answer { verdict, passed }) = document.answer {
        object.insert("verdict".to_string(), Value::from(verdict));
        object.insert("passed".to_string(), Value::from(passed));
    }
    for block in &document.blocks {
        let (key, content) = match block {
            Block::Figures(block) => (block.key, figures(block)),
            Block::Table(block) => (block.key, table(block)),
            Block::Notes(block) => (Notes::KEY, notes(block)),
            Block::Timeline(block) => (Timeline::KEY, serde_json::to_value(block)?),
            Block::Graph(block) => (Graph::KEY, serde_json::to_value(block)?),
            Block::Histograms(block) => (block.key, serde_json::to_value(block)?),
            // Tables and figures have their numbers.
            Block::Lines(_) | Block::Chart(_) | Block::Ladder(_) | Block::Projection(_) => continue,
        };
        object.insert(key.to_string(), content);
    }
    let text = serde_json::to_string_pretty(&Value::Object(object))?;
    // Outside of texts there are none, and to a program both are the same.
    let is_escaped = |letter: char| letter != '\n' && is_hidden(letter);
    for piece in text.split_inclusive(is_escaped) {
        match piece.char_indices().next_back() {
            Some((end, letter)) if is_escaped(letter) => {
                write!(out, "{}\\u{:04x}", &piece[..end], u32::from(letter))?;
            }
            _ => out.write_all(piece.as_bytes())?,
        }
    }
    writeln!(out)
}

fn figures(figures: &Figures) -> Value {
    let members = figures.figures.iter();
    members.filter_map(|figure| member(figure.heading.key, &figure.value)).collect()
}

fn table(table: &Table) -> Value {
    let row = |row: usize| -> Value {
        let columns = table.columns.iter();
        columns.filter_map(|column| member(column.heading.key, &column.cells[row])).collect()
    };
    (0..table.len()).map(row).collect()
}

fn notes(notes: &Notes) -> Value {
    let note = |note: &Note| json!({ "kind": note.kind.text(), "text": note.text });
    notes.notes.iter().map(note).collect()
}

fn member(key: &str, cell: &Cell) -> Option<(String, Value)> {
    let value = match cell {
        Cell::Text(text) => Value::from(text.as_str()),
        Cell::Label { key, .. } => Value::from(*key),
        Cell::Number(number) => Value::from(*number),
        Cell::Whole(number) => Value::from(*number),
        Cell::Unknown | Cell::Below { .. } => Value::Null,
        Cell::None => return None,
    };
    Some((key.to_string(), value))
}
