//! Where a report goes: to standard output, beside a workbook, or into a folder of tables.

use crate::args::{Arguments, Format, FormatArguments, TableArguments};
use crate::output::{print, print_notes, say};
use crate::output_files::{OutputFiles, is_workbook};
use anyhow::{anyhow, bail};
use onnxray_analyzer::report::{CsvTable, Document, csv_tables};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// How one table is chosen of a report by levels.
pub(crate) const ONE_LEVEL: &str = "--level LEVEL shows one";

/// Where a report goes.
pub(crate) enum Destination<'a> {
    /// Nowhere else.
    Standard,
    /// To standard output, beside a workbook.
    Workbook(&'a Path),
    /// Into a folder, a file for each table.
    Tables(Cow<'a, Path>, &'a OutputFiles),
}

impl<'a> Destination<'a> {
    /// Of a command that writes a workbook, or tables with `--format csv`.
    pub(crate) fn of(
        path: &'a Option<PathBuf>,
        format: Format,
        outputs: &'a OutputFiles,
    ) -> anyhow::Result<Destination<'a>> {
        match path {
            None => Ok(Destination::Standard),
            Some(path) if format == Format::Csv && !is_workbook(path) => {
                outputs.check_tables(path)?;
                Ok(Destination::Tables(Cow::Borrowed(path), outputs))
            }
            Some(path) => {
                outputs.check_workbook(path)?;
                Ok(Destination::Workbook(path))
            }
        }
    }

    /// Of a command that writes tables only.
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

    /// Of a recording among several: a folder of its own in that of all.
    pub(crate) fn part(&self, number: usize, count: usize) -> Destination<'_> {
        match self {
            Destination::Standard => Destination::Standard,
            Destination::Workbook(path) => Destination::Workbook(path),
            Destination::Tables(folder, outputs) => {
                let digits = count.to_string().len();
                Destination::Tables(Cow::Owned(folder.join(format!("{number:0digits$}"))), outputs)
            }
        }
    }

    /// Writes a report. `one` is how the user can choose one table of it.
    pub(crate) fn write(
        &self,
        mut document: Document,
        shown: &FormatArguments,
        one: &str,
    ) -> anyhow::Result<()> {
        if !shown.columns.is_empty() {
            document = document.choosing(&shown.columns)?;
        }
        if shown.format == Format::Csv {
            print_notes(&mut document);
            let tables = csv_tables(&document);
            if let Destination::Tables(folder, outputs) = self {
                return write_tables(&tables, folder, outputs);
            }
            if tables.len() > 1 {
                bail!(several(&tables, one));
            }
        }
        Ok(print(document, shown)?)
    }
}

/// Columns of one table cannot follow those of another in one CSV.
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

fn write_tables(tables: &[CsvTable], folder: &Path, outputs: &OutputFiles) -> anyhow::Result<()> {
    let path = |table: &CsvTable| folder.join(format!("{}.csv", table.key()));
    tables.iter().try_for_each(|table| outputs.check_file(&path(table)))?;
    std::fs::create_dir_all(folder).map_err(|error| anyhow!("{}: {error}", folder.display()))?;
    for table in tables {
        let path = path(table);
        table.write_file(&path).map_err(|error| anyhow!("{}: {error}", path.display()))?;
        say(path.display())?;
    }
    Ok(())
}
