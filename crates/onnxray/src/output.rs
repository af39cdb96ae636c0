//! Writes reports where the user wants them.

use crate::args::{Format, FormatArguments};
use crate::message;
use anstream::{AutoStream, ColorChoice};
use console::Term;
use onnxray_analyzer::report::{
    Document, NoteKind, TextStyle, csv_tables, write_json, write_markdown, write_text,
};
use std::fmt::Display;
use std::io::{self, BufWriter, Write};

/// Writes a report to standard output.
pub(crate) fn print(mut document: Document, shown: &FormatArguments) -> io::Result<()> {
    let format = shown.format;
    if format == Format::Csv {
        // Sentences among the figures would be in the way of a program.
        print_notes(&mut document);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    match format {
        Format::Table => write_text(&document, style(shown.wide), &mut out)?,
        Format::Json => write_json(&document, &mut out)?,
        Format::Csv => csv_tables(&document).iter().try_for_each(|table| table.write(&mut out))?,
        Format::Markdown => write_markdown(&document, &mut out)?,
    }
    out.flush()
}

/// A terminal's width and colours; COLUMNS sets the width of whatever is written to.
fn style(wide: bool) -> TextStyle {
    let color = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
    let given = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = || Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
    let width = given.or_else(terminal).filter(|&columns| columns > 0 && !wide);
    TextStyle { width, color }
}

/// Takes the notes out of a report and writes them to standard error.
pub(crate) fn print_notes(document: &mut Document) {
    for note in document.take_notes() {
        match note.kind {
            NoteKind::Note => message::note(note.text),
            NoteKind::Warning => message::warning(note.text),
        }
    }
}

/// Writes a line, such as the name of a file that was made, to standard output.
pub(crate) fn say(line: impl Display) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}
