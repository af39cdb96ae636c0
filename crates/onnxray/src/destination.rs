//! Where a report goes: to standard output, beside a workbook or a page, or into a folder of
//! tables.

use crate::args::{Arguments, Format, FormatArguments, TableArguments};
use crate::output::{print, print_notes, say};
use crate::output_files::{OutputFiles, ReportFile};
use anyhow::{anyhow, bail};
use onnxray_failsafe::remove_leftovers;
use onnxray_report::{CsvTable, Document, csv_tables};
use onnxray_text::shown;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Hint on how to choose one table of a report by levels.
pub(crate) const ONE_LEVEL: &str = "--level LEVEL shows one";

/// Destination of a report.
pub(crate) enum Destination<'a> {
    /// Nowhere else.
    Standard,
    /// A workbook or a page, beside tables on standard output.
    Report(ReportFile<'a>),
    /// Into a folder, a file for each table.
    Tables(Cow<'a, Path>, &'a OutputFiles),
}

impl<'a> Destination<'a> {
    /// Destination for a command that writes a workbook, a page, or tables with `--format csv`.
    pub(crate) fn of(
        path: &'a Option<PathBuf>,
        format: Format,
        outputs: &'a OutputFiles,
    ) -> anyhow::Result<Destination<'a>> {
        match path {
            None => Ok(Destination::Standard),
            Some(path) if format == Format::Csv && ReportFile::named(path).is_none() => {
                outputs.check_tables(path)?;
                Ok(Destination::Tables(Cow::Borrowed(path), outputs))
            }
            // `-o table.csv` asks for one file, which cannot hold several tables.
            Some(path) if has_ending(path, "csv") => bail!(
                "{}: a report has several tables; `--format csv -o FOLDER` writes a file for each",
                shown(path)
            ),
            Some(path) => Ok(Destination::Report(outputs.check_report(path)?)),
        }
    }

    /// Destination for a command that writes tables only.
    pub(crate) fn tables(
        arguments: &'a TableArguments,
        format: Format,
        outputs: &'a OutputFiles,
    ) -> anyhow::Result<Destination<'a>> {
        match &arguments.output {
            None => Ok(Destination::Standard),
            Some(_) if format != Format::Csv => Arguments::refuse(
                "--output is the folder for the tables of --format csv; other formats go to \
                 standard output: `… --format json > FILE`",
            ),
            Some(path) => {
                outputs.check_tables(path)?;
                Ok(Destination::Tables(Cow::Borrowed(path), outputs))
            }
        }
    }

    /// Refuses CSV where a report has several tables, unless they go into a folder, which `option`
    /// names.
    pub(crate) fn check_several(&self, format: Format, option: &str) -> anyhow::Result<()> {
        if format == Format::Csv && !matches!(self, Destination::Tables(..)) {
            bail!(
                "CSV has one table, and this report has several\n\
                 hint: {option} FOLDER writes each into a file of its own"
            );
        }
        Ok(())
    }

    /// The workbook or the page that is to be written.
    pub(crate) fn report(&self) -> Option<ReportFile<'a>> {
        match self {
            Destination::Report(file) => Some(*file),
            _ => None,
        }
    }

    /// Destination of one of several recordings: a numbered subfolder.
    pub(crate) fn part(&self, number: usize, count: usize) -> Destination<'_> {
        match self {
            Destination::Standard => Destination::Standard,
            Destination::Report(file) => Destination::Report(*file),
            Destination::Tables(folder, outputs) => {
                // Padded with zeros, so that folders sort as the recordings do.
                let digits = count.to_string().len();
                Destination::Tables(Cow::Owned(folder.join(format!("{number:0digits$}"))), outputs)
            }
        }
    }

    /// Refuses `other` if a table would be written to it, too.
    pub(crate) fn check(&self, document: &Document, other: &Path) -> anyhow::Result<()> {
        let Destination::Tables(folder, outputs) = self else { return Ok(()) };
        let tables = csv_tables(document);
        let paths = tables.iter().map(|table| table_path(folder, table));
        paths.into_iter().try_for_each(|path| outputs.check_distinct(&path, other))
    }

    /// Writes a report. `one` tells the user how to choose one of its tables.
    pub(crate) fn write(
        &self,
        mut document: Document,
        format: &FormatArguments,
        one: &str,
    ) -> anyhow::Result<()> {
        if !format.columns.is_empty() {
            document = document.choosing(&format.columns)?;
        }
        if format.format == Format::Csv {
            print_notes(&mut document);
            let tables = csv_tables(&document);
            if let Destination::Tables(folder, outputs) = self {
                return write_tables(&tables, folder, outputs);
            }
            if tables.len() > 1 {
                bail!(several(&tables, one));
            }
        }
        print(document, format)
    }
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
}

/// The message that CSV cannot hold several tables.
fn several(tables: &[CsvTable], one: &str) -> String {
    let keys: Vec<&str> = tables.iter().map(CsvTable::key).collect();
    let one = if one.is_empty() { String::new() } else { format!("; {one}") };
    format!(
        "CSV has one table, and this report has {}: {}\n\
         hint: -o FOLDER writes each into a file of its own{one}",
        keys.len(),
        keys.join(", ")
    )
}

fn table_path(folder: &Path, table: &CsvTable) -> PathBuf {
    folder.join(format!("{}.csv", table.key()))
}

fn write_tables(tables: &[CsvTable], folder: &Path, outputs: &OutputFiles) -> anyhow::Result<()> {
    let path = |table: &CsvTable| table_path(folder, table);
    // All are checked before the first is written.
    tables.iter().try_for_each(|table| outputs.check_file(&path(table)))?;
    std::fs::create_dir_all(folder).map_err(|error| anyhow!("{}: {error}", shown(folder)))?;
    // What a crashed run left unfinished must not pass for a table.
    remove_leftovers(folder);
    let paths: Vec<PathBuf> = tables.iter().map(path).collect();
    for (table, path) in tables.iter().zip(&paths) {
        let written = table.write_file(outputs.file(path));
        written.map_err(|error| anyhow!("{}: {error}", shown(path)))?;
    }
    // Not before all is written: nothing is to be lost because nobody listens.
    paths.iter().try_for_each(|path| say(path.display()))
}
