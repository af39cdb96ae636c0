//! Where a report goes: to standard output, beside a workbook or a page, or into a folder of
//! tables.

use crate::args::{Arguments, Format, FormatArguments, TableArguments};
use crate::output::{print, print_notes, say};
use crate::output_files::{OutputFiles, folder_of};
use anyhow::{anyhow, bail};
use onnxray_analyzer::Summary;
use onnxray_failsafe::remove_leftovers;
use onnxray_report::{
    CsvTable, Document, MOST_PAGE_ROWS, MOST_WORKBOOK_ROWS, Page, Report, csv_tables, write_page,
    write_workbook,
};
use onnxray_text::shown;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Hint on how to choose one table of a report by levels.
pub(crate) const ONE_LEVEL: &str = "--level LEVEL shows one";

/// Destination of a report.
pub(crate) struct Destination<'a> {
    place: Place<'a>,
    outputs: &'a OutputFiles,
    /// Hint on how to choose one of its tables for CSV; empty for none.
    one: &'static str,
}

enum Place<'a> {
    /// Nowhere else.
    Standard,
    /// A workbook, beside tables on standard output.
    Workbook(&'a Path),
    /// A page, beside tables on standard output.
    Page(&'a Path),
    /// Into a folder, a file for each table.
    Tables(Cow<'a, Path>),
}

impl<'a> Place<'a> {
    /// The kind of report that a file's extension asks for; `None` for others.
    fn named(path: &'a Path) -> Option<Place<'a>> {
        if has_ending(path, "xlsx") {
            return Some(Place::Workbook(path));
        }
        has_ending(path, "html").then_some(Place::Page(path))
    }
}

/// True if a name is that of a workbook or a page.
pub(crate) fn is_report(path: &Path) -> bool {
    Place::named(path).is_some()
}

impl<'a> Destination<'a> {
    /// Destination for a command that writes a workbook, a page, or tables with `--format csv`.
    pub(crate) fn of(
        path: &'a Option<PathBuf>,
        format: Format,
        outputs: &'a OutputFiles,
    ) -> anyhow::Result<Destination<'a>> {
        match path {
            None => Ok(Destination { place: Place::Standard, outputs, one: "" }),
            Some(path) if format == Format::Csv && !is_report(path) => {
                Destination::folder(path, outputs)
            }
            // `-o table.csv` asks for one file, which cannot hold several tables.
            Some(path) if has_ending(path, "csv") => bail!(
                "{}: a report has several tables; `--format csv -o FOLDER` writes a file for each",
                shown(path)
            ),
            Some(path) => Destination::file(path, outputs),
        }
    }

    /// Destination for a command that writes tables only.
    pub(crate) fn tables(
        arguments: &'a TableArguments,
        format: Format,
        outputs: &'a OutputFiles,
    ) -> anyhow::Result<Destination<'a>> {
        match &arguments.output {
            Some(_) if format != Format::Csv => Arguments::refuse(
                "--output is the folder for the tables of --format csv; other formats go to \
                 standard output: `… --format json > FILE`",
            ),
            Some(path) => Destination::folder(path, outputs),
            None => Ok(Destination { place: Place::Standard, outputs, one: "" }),
        }
    }

    /// A workbook or a page, as the name asks for.
    pub(crate) fn file(
        path: &'a Path,
        outputs: &'a OutputFiles,
    ) -> anyhow::Result<Destination<'a>> {
        let Some(place) = Place::named(path) else {
            bail!("{}: expected a file name that ends in .xlsx or .html", shown(path));
        };
        outputs.check(path)?;
        Ok(Destination { place, outputs, one: "" })
    }

    fn folder(path: &'a Path, outputs: &'a OutputFiles) -> anyhow::Result<Destination<'a>> {
        outputs.check_tables(path)?;
        Ok(Destination { place: Place::Tables(Cow::Borrowed(path)), outputs, one: "" })
    }

    /// Sets the hint on how to choose one of its tables.
    pub(crate) fn hinting(self, one: &'static str) -> Destination<'a> {
        Destination { one, ..self }
    }

    /// Refuses CSV where a report has several tables, unless they go into a folder, which `option`
    /// names.
    pub(crate) fn check_several(&self, format: Format, option: &str) -> anyhow::Result<()> {
        if format == Format::Csv && self.tables_folder().is_none() {
            bail!(
                "CSV has one table, and this report has several\n\
                 hint: {option} FOLDER writes each into a file of its own"
            );
        }
        Ok(())
    }

    /// Refuses more rows than a workbook or a page has room for, before tables are built.
    pub(crate) fn check_rows(&self, summaries: &[&Summary]) -> anyhow::Result<()> {
        let operators: usize = summaries.iter().map(|summary| summary.operators.len()).sum();
        let iterations: usize = summaries.iter().map(|summary| summary.iterations.len()).sum();
        // Of very many iterations, some stand for all on a page.
        let (path, rows, most, what) = match self.place {
            Place::Workbook(path) => (path, operators + iterations, MOST_WORKBOOK_ROWS, "workbook"),
            Place::Page(path) => (path, operators, MOST_PAGE_ROWS, "page"),
            Place::Standard | Place::Tables(_) => return Ok(()),
        };
        if rows > most {
            bail!(
                "{}: {operators} operators and {iterations} iterations are more than a {what} has \
                 room for, {most} rows\n\
                 hint: `onnxray summary --top N` shows those that take most time, and `onnxray \
                 convert` writes all as Parquet",
                shown(path)
            );
        }
        Ok(())
    }

    /// Refuses `other` if a table would be written to it, too.
    pub(crate) fn check(&self, document: &Document, other: &Path) -> anyhow::Result<()> {
        let Some(folder) = self.tables_folder() else { return Ok(()) };
        let tables = csv_tables(document);
        let mut paths = tables.iter().map(|table| table_path(folder, table));
        paths.try_for_each(|path| self.outputs.check_distinct(&path, other))
    }

    pub(crate) fn is_page(&self) -> bool {
        matches!(self.place, Place::Page(_))
    }

    /// The workbook or the page.
    pub(crate) fn report_file(&self) -> Option<&Path> {
        match self.place {
            Place::Workbook(path) | Place::Page(path) => Some(path),
            Place::Standard | Place::Tables(_) => None,
        }
    }

    /// The folder that tables go into.
    pub(crate) fn tables_folder(&self) -> Option<&Path> {
        match &self.place {
            Place::Tables(folder) => Some(folder),
            _ => None,
        }
    }

    /// Destination of one of several recordings: a numbered subfolder.
    pub(crate) fn part(&self, number: usize, count: usize) -> Destination<'_> {
        let place = match self.place {
            Place::Standard => Place::Standard,
            Place::Workbook(path) => Place::Workbook(path),
            Place::Page(path) => Place::Page(path),
            Place::Tables(ref folder) => {
                // Padded with zeros, so that folders sort as the recordings do.
                let digits = count.to_string().len();
                Place::Tables(Cow::Owned(folder.join(format!("{number:0digits$}"))))
            }
        };
        Destination { place, ..*self }
    }

    /// Writes the workbook or the page, if there is to be one, and prints the tables.
    pub(crate) fn deliver<R: Report>(
        &self,
        report: &R,
        selection: &R::Selection,
        shown: &FormatArguments,
    ) -> anyhow::Result<()> {
        self.write(report)?;
        self.print(report.document(selection), shown)
    }

    /// Writes the workbook or the page, if there is to be one. Hands back the page: it takes long to
    /// make.
    pub(crate) fn write(&self, report: &impl Report) -> anyhow::Result<Option<Page>> {
        let (path, page) = match self.place {
            Place::Standard | Place::Tables(_) => return Ok(None),
            Place::Workbook(path) => {
                let (workbook, folder) = (report.workbook(), folder_of(path));
                self.outputs.write(path, |file| write_workbook(&workbook, folder, file))?;
                (path, None)
            }
            Place::Page(path) => {
                let page = report.page();
                self.outputs.write(path, |file| write_page(&page, file))?;
                (path, Some(page))
            }
        };
        self.outputs.written(path);
        Ok(page)
    }

    /// Prints a report, or writes its tables, and then names the files beside them.
    pub(crate) fn print(&self, document: Document, shown: &FormatArguments) -> anyhow::Result<()> {
        let printed = self.try_print(document, shown);
        // They are there, however printing ended.
        self.outputs.tell();
        printed
    }

    fn try_print(&self, mut document: Document, shown: &FormatArguments) -> anyhow::Result<()> {
        if !shown.columns.is_empty() {
            document = document.choosing(&shown.columns)?;
        }
        if shown.format == Format::Csv {
            print_notes(&mut document);
            let tables = csv_tables(&document);
            if let Some(folder) = self.tables_folder() {
                return write_tables(&tables, folder, self.outputs);
            }
            if tables.len() > 1 {
                bail!(several(&tables, self.one));
            }
        }
        print(document, shown)
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
        outputs.write(path, |file| table.write(file))?;
    }
    // Not before all is written: nothing is to be lost because nobody listens.
    paths.iter().try_for_each(|path| say(path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::ForceArguments;
    use onnxray_report::Workbook;
    use std::cell::Cell;

    /// Counts the pages that are made of it.
    struct Counted(Cell<u32>);

    impl Report for Counted {
        type Selection = ();

        fn document(&self, (): &()) -> Document {
            Document::default()
        }

        fn page(&self) -> Page {
            self.0.set(self.0.get() + 1);
            let [report, noscript] = [Document::default(), Document::default()];
            let title = "title".to_string();
            Page { title, measured: vec![], views: &[], report, noscript, later: &[] }
        }

        fn workbook(&self) -> Workbook<'_> {
            Workbook::of(Document::default())
        }
    }

    #[test]
    fn a_page_is_made_once_and_a_workbook_makes_none() {
        let folder = tempfile::tempdir().unwrap();
        let outputs = OutputFiles::new([], ForceArguments { force: false });
        let report = Counted(Cell::new(0));
        for (name, expected) in [("a.html", Some("title")), ("a.xlsx", None)] {
            let path = folder.path().join(name);
            let page = Destination::file(&path, &outputs).unwrap().write(&report).unwrap();
            assert_eq!(page.map(|page| page.title).as_deref(), expected);
            assert!(path.metadata().unwrap().len() > 1000);
        }
        assert_eq!(report.0.get(), 1);
    }
}
