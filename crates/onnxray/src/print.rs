//! Prints reports and lines to the standard streams.

use crate::args::{Format, FormatArguments};
use crate::message::{self, terminal_width};
use anstream::{AutoStream, ColorChoice};
use console::Term;
use onnxray_report::{
    Document, NoteKind, TextStyle, csv_tables, shorten_signatures, write_bencher,
    write_benchmark_action, write_json, write_markdown, write_text,
};
use onnxray_text::printable;
use std::cell::Cell;
use std::fmt::{self, Display};
use std::io::{self, BufWriter, ErrorKind, IsTerminal, StdoutLock, Write};

/// Writes a report to standard output.
pub(crate) fn print(mut document: Document, shown: &FormatArguments) -> anyhow::Result<()> {
    let format = shown.format;
    if format.has_no_notes() {
        // Sentences among the figures would be in the way of a program.
        print_notes(&mut document);
    }
    // Quiet means without notes; warnings qualify the figures and stay.
    if format == Format::Table && message::is_quiet() {
        document.keep_warnings();
    }
    if !format.is_for_programs() && !shown.wide {
        shorten_signatures(&mut document);
    }
    standard_output(|out| match format {
        Format::Table => write_text(&document, style(shown.wide), out),
        Format::Json => write_json(&document, out),
        Format::Csv => write_csv(&document, out),
        Format::Markdown => write_markdown(&document, out),
        Format::Bencher => write_bencher(&document, out),
        Format::BenchmarkAction => write_benchmark_action(&document, out),
    })
}

/// Widest line of a first screen; narrower ones are read faster.
const WIDEST: usize = 100;

/// Writes a first screen to standard output.
pub(crate) fn print_first_screen(screen: &Document, shown: &FormatArguments) -> anyhow::Result<()> {
    let style = style(shown.wide);
    let style = if shown.wide { style } else { of_screen(style) };
    standard_output(|out| write_text(screen, style, out))
}

/// Writes a report to standard error, beside other output of a command.
pub(crate) fn show_report(document: &Document) {
    let color = AutoStream::choice(&io::stderr()) != ColorChoice::Never;
    let style = of_screen(TextStyle {
        width: terminal_width(&Term::stderr()),
        color,
        ..TextStyle::default()
    });
    // Laid out first and sent whole, as bars may be drawn at any time.
    let mut text = Vec::new();
    // A vector takes everything.
    if write_text(document, style, &mut text).is_ok() {
        message::laid_out(&text);
    }
}

fn of_screen(style: TextStyle) -> TextStyle {
    TextStyle { width: Some(style.width.unwrap_or(WIDEST).min(WIDEST)), ..style }
}

/// Writes a report to standard output as JSON.
pub(crate) fn print_json(document: &Document) -> anyhow::Result<()> {
    standard_output(|out| write_json(document, out))
}

/// Fields are data, and a terminal is not a place for data that would command it.
fn write_csv(document: &Document, mut out: impl Write) -> io::Result<()> {
    let mut text = Vec::new();
    csv_tables(document).iter().try_for_each(|table| table.write(&mut text))?;
    // Into a file or a pipe, fields go unchanged.
    if io::stdout().is_terminal() {
        let text = String::from_utf8_lossy(&text);
        return text.lines().try_for_each(|line| writeln!(out, "{}", printable(line)));
    }
    out.write_all(&text)
}

/// Standard output could not be written to; what goes into files may still be.
#[derive(Debug)]
pub(crate) struct NotWritten(io::Error);

impl Display for NotWritten {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "cannot write to standard output: {}", self.0)
    }
}

impl std::error::Error for NotWritten {}

/// Standard output, and whether its reader has gone: a writer of a format may say that in words of
/// its own.
struct Listened<'a> {
    out: StdoutLock<'static>,
    is_over: &'a Cell<bool>,
}

impl Listened<'_> {
    fn seen<T>(&self, written: io::Result<T>) -> io::Result<T> {
        written.inspect_err(|error| {
            if error.kind() == ErrorKind::BrokenPipe {
                self.is_over.set(true);
            }
        })
    }
}

impl Write for Listened<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes);
        self.seen(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.out.flush();
        self.seen(flushed)
    }
}

/// Writes to standard output. A closed pipe is not a failure.
fn standard_output(
    write: impl FnOnce(&mut BufWriter<Listened>) -> io::Result<()>,
) -> anyhow::Result<()> {
    let is_over = Cell::new(false);
    let mut out = BufWriter::new(Listened { out: io::stdout().lock(), is_over: &is_over });
    // Flushed here: the buffer would drop its error.
    let written = write(&mut out).and_then(|()| out.flush());
    if written.is_err() {
        // What is left in the buffer has no reader either.
        let _ = out.into_parts();
    }
    match written {
        Err(error) if !is_over.get() => Err(NotWritten(error).into()),
        _ => Ok(()),
    }
}

/// Writes what is for programs alone to standard output.
///
/// # Errors
///
/// If standard output is a terminal.
pub(crate) fn stream(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    if io::stdout().is_terminal() {
        anyhow::bail!(
            "tables on standard output are for programs, and this is a terminal\nhint: write a file, such as -o out.parquet"
        );
    }
    standard_output(|out| write(out))
}

/// Standard output's width and colours.
fn style(wide: bool) -> TextStyle {
    let color = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
    let width = terminal_width(&Term::stdout()).filter(|_| !wide);
    TextStyle { width, sentences: (!wide).then_some(WIDEST), color }
}

/// Moves the notes of a report to standard error.
pub(crate) fn print_notes(document: &mut Document) {
    for note in document.take_notes() {
        match note.kind {
            NoteKind::Note => message::note(note.text),
            NoteKind::Warning => message::warning(note.text),
        }
    }
}

/// Writes a line, such as the name of a file that was made, to standard output.
pub(crate) fn say(line: impl Display) -> anyhow::Result<()> {
    let line = line.to_string();
    // A name may hold sequences that a terminal obeys.
    let line = if io::stdout().is_terminal() { printable(&line) } else { line };
    standard_output(|out| writeln!(out, "{line}"))
}
