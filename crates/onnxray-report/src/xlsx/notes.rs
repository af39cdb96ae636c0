//! The sheet of notes, and of what every figure and column means.

use super::sheet::{SheetWriter, UNKNOWN, UNKNOWN_MEANS, Written};
use crate::document::{Block, Document, Heading};

/// Notes, which are printed, and definitions of figures and columns: each a kind, and a text.
#[derive(Default)]
pub(super) struct Texts {
    pub said: Vec<(String, String)>,
    pub defined: Vec<(String, String)>,
}

/// Writes texts behind their kinds, in columns of these widths, in characters.
pub(super) fn write(writer: &mut SheetWriter, texts: &Texts, widths: [f64; 2]) -> Written {
    let styles = writer.styles;
    for (column, heading) in (0..).zip(["Kind", "Text"]) {
        writer.text((0, column), heading, &styles.header)?;
        writer.sheet.set_column_width(column, widths[usize::from(column)])?;
    }
    for (row, (kind, text)) in (1..).zip(texts.said.iter().chain(&texts.defined)) {
        writer.text((row, 0), kind, &styles.wrapped)?;
        writer.text((row, 1), text, &styles.wrapped)?;
        writer.high(row, [(kind.as_str(), widths[0]), (text.as_str(), widths[1])])?;
    }
    writer.sheet.set_freeze_panes(1, 0)?.set_repeat_rows(0, 0)?;
    // Without notes, the first definition is printed: an area has a row at least.
    writer.sheet.set_print_area(0, 0, texts.said.len().max(1) as u32, 1)?;
    Ok(())
}

/// Texts of a document.
pub(super) fn of_document(document: &Document) -> Texts {
    let notes = document.notes();
    let said = notes.map(|note| (note.kind.text().to_string(), note.text.clone())).collect();
    let mut defined = vec![(UNKNOWN.to_string(), UNKNOWN_MEANS.to_string())];
    for block in &document.blocks {
        let (title, headings): (_, Vec<&Heading>) = match block {
            Block::Figures(figures) => {
                (figures.title, figures.figures.iter().map(|figure| &figure.heading).collect())
            }
            Block::Table(table) => {
                (table.title, table.columns.iter().map(|column| &column.heading).collect())
            }
            _ => continue,
        };
        let name = |heading: &Heading| format!("{title}: {}", heading.heading);
        defined.extend(headings.iter().map(|known| (name(known), known.meaning.to_string())));
    }
    Texts { said, defined }
}
