//! Writes reports where the user wants them.

use crate::args::{FormatArgument, LevelArgument, SortArgument, ViewArguments};
use anyhow::bail;
use onnxray_analyzer::report::{
    Document, Level, Order, Selection, write_csv, write_json, write_markdown, write_text,
};
use std::fmt::Display;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes a report to standard output.
pub fn print(report: impl Into<Document>, format: FormatArgument) -> io::Result<()> {
    let mut document = report.into();
    if format == FormatArgument::Csv {
        // Sentences among the figures would be in the way of a program.
        print_notes(&mut document);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    match format {
        FormatArgument::Table => write_text(&document, &mut out)?,
        FormatArgument::Json => write_json(&document, &mut out)?,
        FormatArgument::Csv => write_csv(&document, &mut out)?,
        FormatArgument::Markdown => write_markdown(&document, &mut out)?,
    }
    out.flush()
}

/// Takes the notes out of a report and writes them to standard error.
pub fn print_notes(document: &mut Document) {
    document.take_notes().iter().for_each(|note| eprintln!("{note}"));
}

/// Writes a line, such as the name of a file that was made, to standard output.
pub fn say(line: impl Display) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}

/// What a view shows; without levels, those of the default.
pub fn selection(view: &ViewArguments) -> Selection {
    let levels = view.level.iter().map(|level| match level {
        LevelArgument::Model => Level::Model,
        LevelArgument::Launch => Level::Launch,
        LevelArgument::Iteration => Level::Iteration,
        LevelArgument::Type => Level::Type,
        LevelArgument::Operator => Level::Operator,
        LevelArgument::Resource => Level::Resource,
    });
    let mut selection = Selection {
        order: match view.sort {
            SortArgument::Time => Order::Time,
            SortArgument::Execution => Order::Execution,
            SortArgument::Name => Order::Name,
            SortArgument::Flops => Order::Flops,
            SortArgument::Bytes => Order::Bytes,
        },
        operators: (!view.all).then_some(view.top),
        ..Selection::default()
    };
    if !view.level.is_empty() {
        selection.levels = levels.collect();
    }
    selection
}

/// Finds out before long work whether a workbook can be written there.
pub fn check_workbook(path: &Path) -> anyhow::Result<()> {
    if path.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("xlsx")) {
        bail!("{}: expected a file name that ends in .xlsx", path.display());
    }
    if path.is_dir() {
        bail!("{}: is a folder", path.display());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    check_folder(folder.unwrap_or(Path::new(".")))
}

/// Finds out whether files can be created in an existing folder.
pub fn check_folder(folder: &Path) -> anyhow::Result<()> {
    let probe = folder.join(format!(".onnxray-{}", std::process::id()));
    let result = std::fs::File::create(&probe).and_then(|_| std::fs::remove_file(&probe));
    result.map_err(|error| anyhow::anyhow!("{}: cannot write there: {error}", folder.display()))
}
