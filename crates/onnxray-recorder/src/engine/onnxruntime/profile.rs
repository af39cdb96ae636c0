//! The profile that a session writes, read by our own importer.

use onnxray_format::Warning;
use onnxray_import::formats::onnxruntime::read_every_run;
use onnxray_import::{Launch, Options, Source};
use onnxray_text::shown;
use ort::session::Session;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// The file of a session's profile. It is taken out of its folder as soon as the runtime has
/// opened it, so that a process that is killed leaves nothing behind.
pub(super) struct ProfileFile {
    file: File,
    /// Its name as the runtime chose it.
    name: OsString,
}

impl ProfileFile {
    /// Beginning of the file's name, to which the runtime adds the time.
    pub(super) const PREFIX: &str = "profile";

    /// The file that `begin` makes the runtime open in the folder, and what comes of it. The
    /// folder goes as soon as the file is there, however long `begin` takes after that.
    pub(super) fn take<T>(
        folder: TempDir,
        begin: impl FnOnce() -> T,
    ) -> (T, io::Result<ProfileFile>) {
        let has_begun = AtomicBool::new(false);
        thread::scope(|scope| {
            let watcher = thread::Builder::new().spawn_scoped(scope, || {
                loop {
                    // Asked first: what is not there after that will not come.
                    let is_last = has_begun.load(Ordering::Acquire);
                    match find(&folder) {
                        Ok(Some(file)) => return Ok(file),
                        Ok(None) if is_last => {
                            let missing = "the engine writes no profile";
                            return Err(io::Error::new(io::ErrorKind::NotFound, missing));
                        }
                        Ok(None) => thread::sleep(Duration::from_micros(200)),
                        Err(error) => return Err(error),
                    }
                }
            });
            let begun = begin();
            has_begun.store(true, Ordering::Release);
            let file = watcher.and_then(|watcher| {
                watcher.join().unwrap_or_else(|_| Err(io::Error::other("no watcher")))
            });
            (begun, file)
        })
    }

    /// Ends the profile of the session that writes it, and reads it. A copy stays in the
    /// folder `kept`.
    ///
    /// # Errors
    ///
    /// Why it is missing or cannot be read; what was lost of it is in the launch's warnings.
    pub(super) fn read(
        mut self,
        mut session: Session,
        kept: Option<&Path>,
    ) -> Result<Launch, String> {
        session.end_profiling().map_err(|error| error.to_string())?;
        drop(session);
        let mut bytes = Vec::new();
        self.file.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        if let Some(folder) = kept {
            let keep = keep(folder, Path::new(&self.name), &bytes);
            keep.map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        parse(bytes)
    }
}

/// The first file of the folder, opened; then both are removed.
fn find(folder: &TempDir) -> io::Result<Option<ProfileFile>> {
    let Some(entry) = fs::read_dir(folder.path())?.next().transpose()? else { return Ok(None) };
    let file = ProfileFile { file: File::open(entry.path())?, name: entry.file_name() };
    // An open file can be read after its name is gone; a killed process leaves nothing.
    fs::remove_dir_all(folder.path())?;
    Ok(Some(file))
}

/// Writes a profile into the folder, under another name if there is one of its name: older
/// versions name them by the second.
fn keep(folder: &Path, name: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let stem = name.file_stem().unwrap_or_default().to_string_lossy();
    for copy in 0.. {
        let path = match copy {
            0 => folder.join(name),
            copy => folder.join(format!("{stem}_{copy}.json")),
        };
        // Not a look first: another process may keep profiles of the same second there.
        match File::create_new(path) {
            Ok(mut file) => return file.write_all(bytes),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// A profile that is whole or cut.
fn parse(bytes: Vec<u8>) -> Result<Launch, String> {
    let is_whole = bytes.trim_ascii_end().ends_with(b"]");
    let source = Source::from_bytes("profile", bytes).map_err(|error| error.to_string())?;
    // On one core: those of the engine wait for work meanwhile.
    let options = Options { workers: 1, ..Options::default() };
    let mut launch = read_every_run(source, &options).map_err(|error| error.to_string())?;
    if !is_whole {
        // The engine says nothing of it.
        let folder = std::env::temp_dir();
        let message = format!(
            "the engine's profile ends early: is the disk of {} full, where it is written?",
            shown(&folder)
        );
        let cut = Warning { loss: true, ..Warning::note(&folder, message) };
        launch.warnings.insert(0, cut);
    }
    Ok(launch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_that_its_disk_cut_says_so_first() {
        let run = |at| {
            format!(
                "{{\"cat\":\"Session\",\"pid\":1,\"tid\":1,\"dur\":5,\"ts\":{at},\"ph\":\"X\",\
                 \"name\":\"model_run\",\"args\":{{}}}}"
            )
        };
        let whole = format!("[\n{},\n{}\n]\n", run(10), run(20));
        let launch = parse(whole.clone().into_bytes()).unwrap();
        assert_eq!((launch.iterations.len(), launch.warnings.len()), (2, 0));
        let cut = parse(whole.as_bytes()[..whole.len() - 30].to_vec()).unwrap();
        assert_eq!(cut.iterations.len(), 1);
        let warning = &cut.warnings[0];
        assert!(warning.loss && warning.message.starts_with("the engine's profile ends early"));
    }
}
