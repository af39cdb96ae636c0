//! The journal in the folder of the result, of commands that search by launches of their own.

use crate::host::{Host, Said};
use anyhow::{anyhow, bail};
use onnxray_recorder::study::{Journal, Plan};
use onnxray_text::{counted, shown};
use std::fs;
use std::path::Path;

/// Begins what is kept in a folder; one that is made for it, with those around it, goes again if
/// nothing begins.
///
/// # Errors
///
/// As `begin`.
pub fn begun<T>(
    folder: &Path,
    begin: impl FnOnce() -> anyhow::Result<Option<T>>,
) -> anyhow::Result<Option<T>> {
    let missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    // Inner folders first, the order in which they can be removed.
    let made: Vec<&Path> = folder.ancestors().take_while(missing).collect();
    let begun = begin();
    if !matches!(begun, Ok(Some(_))) {
        for folder in made {
            let _ = fs::remove_dir(folder); // fails if it holds something
        }
    }
    begun
}

/// The journal of a run in a folder, which is made if there is none; a new one if it is to begin
/// anew.
///
/// # Errors
///
/// If it is of another run, or if it cannot be read or written.
pub fn journal<P: Plan>(folder: &Path, run: &P, anew: bool) -> anyhow::Result<Journal<P>> {
    make_folder(folder)?;
    if !anew {
        return Ok(Journal::resume(folder, run, false)?);
    }
    let mut journal = Journal::anew(folder)?;
    journal.begin(run.clone())?;
    Ok(journal)
}

/// Reports what a journal holds, if launches are known.
pub(crate) fn tell<P: Plan>(journal: &Journal<P>, known: usize, host: &Host) {
    let path = journal.path();
    warn_of_damage(&path, journal.damaged(), host);
    if known > 0 {
        let known = counted(known as u64, "launch is", "launches are");
        host.teller.say(
            Said::Note,
            format_args!("{known} known from {}; --restart measures anew", shown(&path)),
        );
    }
}

/// Reports what an interrupted search left.
pub(crate) fn interrupted<P: Plan>(journal: &Journal<P>, known: usize, host: &Host) {
    let (known, path) = (counted(known as u64, "launch is", "launches are"), journal.path());
    host.teller.say(
        Said::Line,
        format_args!("interrupted: {known} kept in {}; the same command goes on", shown(&path)),
    );
}

/// Warns of lines of a journal that say nothing.
pub(crate) fn warn_of_damage(journal: &Path, damaged: u64, host: &Host) {
    if damaged > 0 {
        let lines = counted(damaged, "line cannot be read and is", "lines cannot be read and are");
        let journal = shown(journal);
        host.teller.say(Said::Warning, format_args!("{journal}: {lines} measured again"));
    }
}

/// Makes a folder that results go into, if it is not there.
///
/// # Errors
///
/// If a file has the name of one of its folders, or if the system refuses.
pub fn make_folder(folder: &Path) -> anyhow::Result<()> {
    if let Some(file) = folder.ancestors().find(|part| part.is_file()) {
        bail!("{}: is a file, and a folder is needed here\nhint: name another", shown(file));
    }
    fs::create_dir_all(folder).map_err(|error| anyhow!("{}: {error}", shown(folder)))
}
