//! Which files a command may write: none that it reads, and none that exists, unless
//! it is told to replace it. All are checked before long work begins.

use crate::args::ForceArguments;
use anyhow::{anyhow, bail};
use onnxray_analyzer::Summary;
use onnxray_failsafe::{OutputFile, WholeFile, try_folder};
use onnxray_import::STANDARD_INPUT;
use onnxray_report::{MOST_PAGE_ROWS, MOST_WORKBOOK_ROWS, Page, ReportError, write_page};
use onnxray_text::shown;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Inputs of a command, and permission to replace files.
pub(crate) struct OutputFiles {
    inputs: Vec<(PathBuf, Identity)>,
    force: bool,
}

impl OutputFiles {
    /// For a command that reads these files.
    pub(crate) fn new(
        inputs: impl IntoIterator<Item = PathBuf>,
        force: ForceArguments,
    ) -> OutputFiles {
        // What does not exist has no identity, and nothing in it to protect.
        let known = |input: PathBuf| identity(&input).map(|identity| (input, identity));
        OutputFiles { inputs: inputs.into_iter().filter_map(known).collect(), force: force.force }
    }

    /// A file that was checked, and whether it may replace another one still.
    pub(crate) fn file<'a>(&self, path: &'a Path) -> OutputFile<'a> {
        OutputFile { path, replaces: self.force }
    }

    /// Writes a file that was checked.
    pub(crate) fn write(&self, path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
        write_whole(self.file(path), bytes)
    }

    /// Refuses a file in the folder of a result that is not this study's own. With `begun`, files
    /// of an earlier run may be replaced.
    pub(crate) fn check_own(&self, path: &Path, begun: bool) -> anyhow::Result<()> {
        match begun {
            true => self.check_input(path),
            false => self.check_file(path),
        }
    }

    /// Writes a file in the folder of a result, after its check: an existing one is this study's
    /// own.
    pub(crate) fn write_own(&self, path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
        self.check_input(path)?;
        write_whole(OutputFile { path, replaces: true }, bytes)
    }

    /// Refuses two outputs that are one file.
    pub(crate) fn check_distinct(&self, one: &Path, other: &Path) -> anyhow::Result<()> {
        if is_same_name(one, other) {
            bail!("{}: would be written twice; choose another name", shown(other));
        }
        Ok(())
    }

    /// The report that a name asks for, if it may be written there.
    pub(crate) fn check_report<'a>(&self, path: &'a Path) -> anyhow::Result<ReportFile<'a>> {
        let Some(file) = ReportFile::named(path) else {
            bail!("{}: expected a file name that ends in .xlsx or .html", shown(path));
        };
        self.check(path)?;
        Ok(file)
    }

    /// Refuses a name that does not end in .json, or a file that may not be written.
    pub(crate) fn check_json(&self, path: &Path) -> anyhow::Result<()> {
        if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
            bail!("{}: expected a file name that ends in .json", shown(path));
        }
        self.check(path)
    }

    /// Refuses a file that may not be written.
    pub(crate) fn check(&self, path: &Path) -> anyhow::Result<()> {
        if path.is_dir() {
            bail!("{}: is a folder", shown(path));
        }
        self.check_file(path)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        check_folder(folder.unwrap_or(Path::new(".")))
    }

    /// Refuses a folder that files cannot be written into; it may be missing.
    pub(crate) fn check_tables(&self, folder: &Path) -> anyhow::Result<()> {
        let extension = folder.extension().and_then(|extension| extension.to_str());
        // `-o tables.csv` was meant as one file: the tables would go into a folder of that name.
        if let Some("csv" | "xlsx" | "html" | "json" | "md") = extension
            && !folder.is_dir()
        {
            bail!(
                "{}: expected the name of a folder, into which each table goes as a file",
                shown(folder)
            );
        }
        match folder.is_dir() {
            true => check_folder(folder),
            // `is_dir` follows links; this one finds what is there and is not a folder.
            false if folder.symlink_metadata().is_ok() => {
                bail!("{}: is a file; expected a folder for the tables", shown(folder))
            }
            // What of its path exists must be a folder.
            false => {
                let mut above = folder.ancestors().skip(1);
                let above = above.find(|above| above.as_os_str().is_empty() || above.exists());
                let above = above.filter(|above| !above.as_os_str().is_empty());
                check_folder(above.unwrap_or(Path::new(".")))
            }
        }
    }

    /// Refuses a file that the command reads.
    pub(crate) fn check_input(&self, path: &Path) -> anyhow::Result<()> {
        if let Some(identity) = identity(path)
            // By identity, not by name: links and other spellings lead to the same file.
            && let Some((input, _)) = self.inputs.iter().find(|(_, input)| *input == identity)
        {
            let name = match input == path {
                true => "is".to_string(),
                false if input.as_os_str() == STANDARD_INPUT => "is standard input,".to_string(),
                false => format!("is the same file as {},", shown(input)),
            };
            bail!("{}: {name} an input of this command; choose another name", shown(path));
        }
        Ok(())
    }

    /// Refuses a file that exists or is read, in a folder that was checked.
    pub(crate) fn check_file(&self, path: &Path) -> anyhow::Result<()> {
        self.check_input(path)?;
        // A link whose target is gone is something, too.
        if path.symlink_metadata().is_ok() && !self.force {
            bail!("{}: already exists; use --force to replace it", shown(path));
        }
        Ok(())
    }
}

/// Writes a file that appears whole or not at all.
fn write_whole(file: OutputFile, bytes: &[u8]) -> anyhow::Result<()> {
    let path = file.path;
    let written = WholeFile::create(file).and_then(|mut whole| {
        whole.write_all(bytes)?;
        whole.finish()
    });
    written.map_err(|error| anyhow!("{}: {error}", shown(path)))
}

/// A report to look at: a name says which kind.
#[derive(Clone, Copy)]
pub(crate) enum ReportFile<'a> {
    /// A spreadsheet.
    Workbook(&'a Path),
    /// For a browser.
    Page(&'a Path),
}

impl<'a> ReportFile<'a> {
    /// Kind of report by its extension; `None` for others.
    pub(crate) fn named(path: &'a Path) -> Option<ReportFile<'a>> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "xlsx" => Some(ReportFile::Workbook(path)),
            "html" => Some(ReportFile::Page(path)),
            _ => None,
        }
    }

    /// Writes it, by `workbook`, or of what `page` makes, which is handed back: a page takes long
    /// to make.
    pub(crate) fn write(
        self,
        outputs: &OutputFiles,
        workbook: impl FnOnce(OutputFile) -> Result<(), ReportError>,
        page: impl FnOnce() -> Page,
    ) -> Result<Option<Page>, ReportError> {
        match self {
            ReportFile::Workbook(path) => workbook(outputs.file(path)).map(|()| None),
            ReportFile::Page(path) => {
                let page = page();
                write_page(&page, outputs.file(path))?;
                Ok(Some(page))
            }
        }
    }

    /// Refuses more rows than fit, before tables are built.
    pub(crate) fn check_rows(self, summaries: &[&Summary]) -> anyhow::Result<()> {
        let operators: usize = summaries.iter().map(|summary| summary.operators.len()).sum();
        let iterations: usize = summaries.iter().map(|summary| summary.iterations.len()).sum();
        // Of very many iterations, some stand for all on a page.
        let (rows, most, what) = match self {
            ReportFile::Workbook(_) => (operators + iterations, MOST_WORKBOOK_ROWS, "workbook"),
            ReportFile::Page(_) => (operators, MOST_PAGE_ROWS, "page"),
        };
        if rows > most {
            bail!(
                "{}: {operators} operators and {iterations} iterations are more than a {what} has \
                 room for, {most} rows\n\
                 hint: `onnxray summary --top N` shows those that take most time, and `onnxray \
                 convert` writes all as Parquet",
                shown(self.path())
            );
        }
        Ok(())
    }

    pub(crate) fn path(self) -> &'a Path {
        let (ReportFile::Workbook(path) | ReportFile::Page(path)) = self;
        path
    }
}

fn check_folder(folder: &Path) -> anyhow::Result<()> {
    let result = try_folder(folder);
    result.map_err(|error| anyhow::anyhow!("{}: cannot write there: {error}", shown(folder)))
}

/// True if both names are one file, also where case does not count.
fn is_same_name(one: &Path, other: &Path) -> bool {
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().to_lowercase());
    let folder = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        // Of one that is still to be made, the name is all there is.
        identity(folder).ok_or_else(|| folder.to_string_lossy().to_lowercase())
    };
    name(one) == name(other) && folder(one) == folder(other)
}

/// Identity of a file, whatever name or link leads to it.
#[cfg(unix)]
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    let of = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
    // Standard input may be redirected from the file that is to be written.
    if path.as_os_str() == STANDARD_INPUT {
        let file = std::io::stdin().as_fd().try_clone_to_owned().map(std::fs::File::from);
        return file.and_then(|file| file.metadata()).ok().map(of);
    }
    path.metadata().ok().map(of)
}

#[cfg(not(unix))]
type Identity = PathBuf;

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<Identity> {
    path.canonicalize().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_report::Document;

    #[test]
    fn a_page_is_made_once_and_a_workbook_makes_none() {
        let folder = tempfile::tempdir().unwrap();
        let outputs = OutputFiles::new([], ForceArguments { force: false });
        let mut made = 0;
        for (name, expected) in [("a.html", Some("title")), ("a.xlsx", None)] {
            let path = folder.path().join(name);
            let page = || {
                made += 1;
                let [report, noscript] = [Document::default(), Document::default()];
                Page {
                    title: "title".to_string(),
                    measured: vec![],
                    views: &[],
                    report,
                    noscript,
                    later: &[],
                }
            };
            let file = ReportFile::named(&path).unwrap();
            let written = file.write(&outputs, |_| Ok(()), page).unwrap();
            assert_eq!(written.map(|page| page.title).as_deref(), expected);
        }
        assert_eq!(made, 1);
    }
}
