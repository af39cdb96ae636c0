//! Where a report goes: to standard output, beside a workbook or a page, or into a folder of
//! tables.

use crate::args::{Arguments, ForceArguments, Format, FormatArguments, TableArguments};
use crate::message;
use crate::output_files::{OutputFiles, folder_of};
use crate::print::{print, print_notes, say};
use anyhow::bail;
use onnxray_analyzer::Summary;
use onnxray_failsafe::remove_leftovers;
use onnxray_report::{
    CsvTable, Document, MOST_PAGE_ROWS, MOST_WORKBOOK_ROWS, Page, Report, check_columns,
    csv_tables, write_page, write_workbook,
};
use onnxray_study::journal::make_folder;
use onnxray_text::shown;
use std::path::{Path, PathBuf};

/// Hint on how to choose one table of a report by levels.
pub(crate) const ONE_LEVEL: &str = "--level LEVEL shows one";

/// Destination of a report, and what a command may write.
pub(crate) struct Destination<'a> {
    place: Place<'a>,
    shown: &'a FormatArguments,
    pub(crate) files: OutputFiles,
    /// Hint on how to choose one of its tables for CSV; empty for none.
    one: &'static str,
}

#[derive(Clone, Copy)]
enum Place<'a> {
    /// Nowhere else.
    Standard,
    /// A workbook, beside tables on standard output.
    Workbook(&'a Path),
    /// A page, beside tables on standard output.
    Page(&'a Path),
    /// Into a folder, a file for each table.
    Tables(&'a Path),
}

impl<'a> Place<'a> {
    /// The kind of report that a file's extension asks for; `None` for others.
    fn named(path: &'a Path) -> Option<Place<'a>> {
        if has_ending(path, "xlsx") {
            return Some(Place::Workbook(path));
        }
        has_ending(path, "html").then_some(Place::Page(path))
    }

    /// A workbook or a page.
    fn report(path: &'a Path, files: &OutputFiles) -> anyhow::Result<Place<'a>> {
        let Some(place) = Place::named(path) else {
            bail!(
                "{}: expected a file name that ends in .xlsx or .html\n\
                 hint: -o is for a page or a workbook; onnxray convert -o FILE.csv writes tables",
                shown(path)
            );
        };
        files.check(path)?;
        Ok(place)
    }

    fn tables(path: &'a Path, files: &OutputFiles) -> anyhow::Result<Place<'a>> {
        files.check_tables(path)?;
        Ok(Place::Tables(path))
    }
}

/// True if a name is that of a workbook or a page.
pub(crate) fn is_report(path: &Path) -> bool {
    Place::named(path).is_some()
}

/// Of a command that prints no tables.
static UNSHOWN: FormatArguments =
    FormatArguments { columns: Vec::new(), wide: false, format: Format::Table };

impl<'a> Destination<'a> {
    /// Destination for a command that reads `inputs` and writes a workbook, a page, or tables with
    /// `--format csv`.
    pub(crate) fn of(
        inputs: impl IntoIterator<Item = PathBuf>,
        force: ForceArguments,
        path: &'a Option<PathBuf>,
        shown: &'a FormatArguments,
    ) -> anyhow::Result<Destination<'a>> {
        Destination::continued(inputs, force, path, shown, |_| false)
    }

    /// The same for a command that continues, and replaces its own report.
    pub(crate) fn continued(
        inputs: impl IntoIterator<Item = PathBuf>,
        force: ForceArguments,
        path: &'a Option<PathBuf>,
        shown: &'a FormatArguments,
        is_own: impl FnOnce(&Path) -> bool,
    ) -> anyhow::Result<Destination<'a>> {
        let replaced = path.clone().filter(|path| is_own(path));
        let files = OutputFiles::new(inputs, force).replacing(replaced);
        let place = match path {
            None => Place::Standard,
            Some(path) if shown.format == Format::Csv && !is_report(path) => {
                Place::tables(path, &files)?
            }
            // `-o table.csv` asks for one file, which cannot hold several tables.
            Some(path) if has_ending(path, "csv") => bail!(
                "{}: a report has several tables; `--format csv -o FOLDER` writes a file for each",
                onnxray_text::shown(path)
            ),
            Some(path) => Place::report(path, &files)?,
        };
        Ok(Destination { place, shown, files, one: "" })
    }

    /// Destination for a command that writes tables only.
    pub(crate) fn tables(
        inputs: impl IntoIterator<Item = PathBuf>,
        arguments: &'a TableArguments,
        shown: &'a FormatArguments,
    ) -> anyhow::Result<Destination<'a>> {
        let files = OutputFiles::new(inputs, arguments.force);
        let place = match &arguments.output {
            None => Place::Standard,
            Some(file) if shown.format != Format::Csv && Place::named(file).is_some() => {
                Arguments::refuse(&format!(
                    "this command writes tables; onnxray report RECORDING -o {} writes a page or a \
                     workbook",
                    message::quoted(file)
                ))
            }
            Some(_) if shown.format != Format::Csv => Arguments::refuse(
                "--output is the folder for the tables of --format csv; other formats go to \
                 standard output: `… --format json > FILE`",
            ),
            Some(path) => Place::tables(path, &files)?,
        };
        Ok(Destination { place, shown, files, one: "" })
    }

    /// Destination for a command that prints no tables: a workbook or a page, if any.
    pub(crate) fn file(
        inputs: impl IntoIterator<Item = PathBuf>,
        force: ForceArguments,
        path: Option<&'a Path>,
    ) -> anyhow::Result<Destination<'a>> {
        let files = OutputFiles::new(inputs, force);
        let place = path.map_or(Ok(Place::Standard), |path| Place::report(path, &files))?;
        Ok(Destination { place, shown: &UNSHOWN, files, one: "" })
    }

    /// Refuses columns that no table of the command has, before it measures.
    pub(crate) fn check_columns(&self, command: &str) -> anyhow::Result<()> {
        Ok(check_columns(command, &self.shown.columns)?)
    }

    /// Sets the hint on how to choose one of its tables.
    pub(crate) fn hinting(self, one: &'static str) -> Destination<'a> {
        Destination { one, ..self }
    }

    /// Refuses CSV where a report has several tables, unless they go into a folder, which `option`
    /// names.
    pub(crate) fn check_several(&self, option: &str) -> anyhow::Result<()> {
        if self.shown.format == Format::Csv && self.tables_folder().is_none() {
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
        paths.try_for_each(|path| self.files.check_distinct(&path, other))
    }

    /// Whether CSV is printed, or written.
    pub(crate) fn is_csv(&self) -> bool {
        self.shown.format == Format::Csv
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
        match self.place {
            Place::Tables(folder) => Some(folder),
            _ => None,
        }
    }

    /// Writes the workbook or the page, if there is to be one, and prints the tables.
    pub(crate) fn deliver<R: Report>(
        &self,
        report: &R,
        selection: &R::Selection,
    ) -> anyhow::Result<()> {
        self.write(report)?;
        self.print(report.document(selection))
    }

    /// Writes the workbook or the page, if there is to be one. Hands back the page: it takes long to
    /// make.
    pub(crate) fn write(&self, report: &impl Report) -> anyhow::Result<Option<Page>> {
        let (path, page) = match self.place {
            Place::Standard | Place::Tables(_) => return Ok(None),
            Place::Workbook(path) => {
                let (workbook, folder) = (report.workbook(), folder_of(path));
                self.files.write(path, |file| write_workbook(&workbook, folder, file))?;
                (path, None)
            }
            Place::Page(path) => {
                let page = report.page();
                self.files.write(path, |file| write_page(&page, file))?;
                (path, Some(page))
            }
        };
        self.files.written(path);
        Ok(page)
    }

    /// Prints a report, or writes its tables, and then names the files beside them.
    pub(crate) fn print(&self, document: Document) -> anyhow::Result<()> {
        let printed = self.print_into(self.tables_folder(), document);
        // They are there, however printing ended.
        self.files.tell();
        printed
    }

    /// Prints the report of one of several recordings, whose tables go into a numbered subfolder.
    pub(crate) fn print_part(
        &self,
        number: usize,
        count: usize,
        document: Document,
    ) -> anyhow::Result<()> {
        // Padded with zeros, so that folders sort as the recordings do.
        let digits = count.to_string().len();
        let folder = self.tables_folder();
        let folder = folder.map(|folder| folder.join(format!("{number:0digits$}")));
        self.print_into(folder.as_deref(), document)
    }

    fn print_into(&self, folder: Option<&Path>, mut document: Document) -> anyhow::Result<()> {
        if !self.shown.columns.is_empty() {
            document = document.choosing(&self.shown.columns)?;
        }
        if self.shown.format == Format::Csv {
            print_notes(&mut document);
            let tables = csv_tables(&document);
            if let Some(folder) = folder {
                return write_tables(&tables, folder, &self.files);
            }
            if tables.len() > 1 {
                bail!(several(&tables, self.one));
            }
        }
        print(document, self.shown)
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
    make_folder(folder)?;
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
        let report = Counted(Cell::new(0));
        for (name, expected) in [("a.html", Some("title")), ("a.xlsx", None)] {
            let path = folder.path().join(name);
            let force = ForceArguments { force: false };
            let destination = Destination::file([], force, Some(&path)).unwrap();
            let page = destination.write(&report).unwrap();
            assert_eq!(page.map(|page| page.title).as_deref(), expected);
            assert!(path.metadata().unwrap().len() > 1000);
        }
        assert_eq!(report.0.get(), 1);
    }
}
