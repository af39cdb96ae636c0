//! Which files a command may write: none that it reads, and none that exists, unless
//! it is told to replace it. All are checked before long work begins, and named once written.

use crate::args::ForceArguments;
use crate::message;
use anyhow::{anyhow, bail};
use onnxray_failsafe::{WholeFile, try_folder};
use onnxray_import::STANDARD_INPUT;
use onnxray_text::shown;
use std::cell::RefCell;
use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Inputs of a command, and permission to replace files.
pub(crate) struct OutputFiles {
    inputs: Vec<(PathBuf, Identity)>,
    /// Whether existing files are replaced, even those that appear after their check.
    pub(crate) force: bool,
    /// A file that this command wrote before, and replaces.
    replaced: Option<PathBuf>,
    /// Files beside the tables that the user is still to be told of.
    written: RefCell<Vec<PathBuf>>,
}

impl OutputFiles {
    /// For a command that reads these files.
    pub(crate) fn new(
        inputs: impl IntoIterator<Item = PathBuf>,
        force: ForceArguments,
    ) -> OutputFiles {
        let (replaced, written) = (None, RefCell::default());
        let mut files = OutputFiles { inputs: Vec::new(), force: force.force, replaced, written };
        files.reads(inputs);
        files
    }

    /// The same, with a file that may be replaced all the same.
    pub(crate) fn replacing(self, replaced: Option<PathBuf>) -> OutputFiles {
        OutputFiles { replaced, ..self }
    }

    /// Adds files that the command turns out to read.
    pub(crate) fn reads(&mut self, more: impl IntoIterator<Item = PathBuf>) {
        // What does not exist has no identity, and nothing in it to protect.
        let known = |input: PathBuf| identity(&input).map(|identity| (input, identity));
        self.inputs.extend(more.into_iter().filter_map(known));
    }

    fn replaces(&self, path: &Path) -> bool {
        self.force || self.replaced.as_deref() == Some(path)
    }

    /// Writes a file that was checked; it appears whole or not at all.
    pub(crate) fn write<E: Display>(
        &self,
        path: &Path,
        write: impl FnOnce(&mut WholeFile) -> Result<(), E>,
    ) -> anyhow::Result<()> {
        write_whole(path, self.replaces(path), write)
    }

    /// Notes that a file beside the tables was written.
    pub(crate) fn written(&self, path: &Path) {
        self.written.borrow_mut().push(path.to_path_buf());
    }

    /// Says which files were written beside the tables.
    pub(crate) fn tell(&self) {
        for path in self.written.take() {
            message::line(format_args!("wrote {}", shown(&path)));
        }
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
        write_whole(path, true, |file| file.write_all(bytes))
    }

    /// Refuses two outputs that are one file.
    pub(crate) fn check_distinct(&self, one: &Path, other: &Path) -> anyhow::Result<()> {
        if is_same_name(one, other) {
            bail!("{}: would be written twice; choose another name", shown(other));
        }
        Ok(())
    }

    /// Refuses a name that does not end in .json, or a file that may not be written.
    pub(crate) fn check_json(&self, path: &Path) -> anyhow::Result<()> {
        if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
            bail!("{}: expected a file name that ends in .json", shown(path));
        }
        self.check(path)
    }

    /// Refuses a name that does not end in .onnx, or a file that may not be written.
    pub(crate) fn check_model(&self, path: &Path) -> anyhow::Result<()> {
        if !is_model(path) {
            bail!("{}: expected a file name that ends in .onnx", shown(path));
        }
        self.check(path)
    }

    /// Refuses a file that may not be written.
    pub(crate) fn check(&self, path: &Path) -> anyhow::Result<()> {
        if path.is_dir() {
            bail!("{}: is a folder", shown(path));
        }
        self.check_file(path)?;
        check_folder(folder_of(path))
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
        if path.symlink_metadata().is_ok() && !self.replaces(path) {
            bail!("{}: already exists; use --force to replace it", shown(path));
        }
        Ok(())
    }
}

/// True if a name is that of a model.
pub(crate) fn is_model(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("onnx"))
}

fn write_whole<E: Display>(
    path: &Path,
    replaces: bool,
    write: impl FnOnce(&mut WholeFile) -> Result<(), E>,
) -> anyhow::Result<()> {
    let failed = |error: &dyn Display| anyhow!("{}: {error}", shown(path));
    let mut whole = WholeFile::create(path, replaces).map_err(|error| failed(&error))?;
    write(&mut whole).map_err(|error| failed(&error))?;
    whole.finish().map_err(|error| failed(&error))
}

/// The folder that a file lies in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    // The parent of a bare file name is empty.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

fn check_folder(folder: &Path) -> anyhow::Result<()> {
    let result = try_folder(folder);
    result.map_err(|error| anyhow::anyhow!("{}: cannot write there: {error}", shown(folder)))
}

/// True if both names are one file, also where case does not count.
fn is_same_name(one: &Path, other: &Path) -> bool {
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().to_lowercase());
    let folder = |path: &Path| {
        let folder = folder_of(path);
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
