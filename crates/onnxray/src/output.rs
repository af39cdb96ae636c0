//! Writes reports where the user wants them.

use onnxray_analyzer::report::{Document, csv_tables, write_json, write_markdown, write_text};
use std::fmt::Display;
use std::io::{self, BufWriter, Write};

/// How a report is written to standard output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Table,
    Json,
    Csv,
    Markdown,
}

/// Writes a report to standard output.
pub(crate) fn print(mut document: Document, format: Format) -> io::Result<()> {
    if format == Format::Csv {
        // Sentences among the figures would be in the way of a program.
        print_notes(&mut document);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    match format {
        Format::Table => write_text(&document, &mut out)?,
        Format::Json => write_json(&document, &mut out)?,
        Format::Csv => csv_tables(&document).iter().try_for_each(|table| table.write(&mut out))?,
        Format::Markdown => write_markdown(&document, &mut out)?,
    }
    out.flush()
}

/// Takes the notes out of a report and writes them to standard error.
pub(crate) fn print_notes(document: &mut Document) {
    document.take_notes().iter().for_each(|note| eprintln!("{note}"));
}

/// Writes a line, such as the name of a file that was made, to standard output.
pub(crate) fn say(line: impl Display) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}
