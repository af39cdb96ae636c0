//! The journal in the folder of the result, of commands that search by launches of their own.

use crate::commands::warn_of_damage;
use crate::message;
use crate::output_files::make_folder;
use onnxray_recorder::study::{Journal, Plan};
use onnxray_text::{counted, shown};
use std::fs;
use std::path::Path;

/// Begins what is kept in a folder; one that is made for it, with those around it, goes again if
/// nothing begins.
pub(in crate::commands) fn begun<T>(
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
pub(in crate::commands) fn journal<P: Plan>(
    folder: &Path,
    run: &P,
    anew: bool,
) -> anyhow::Result<Journal<P>> {
    make_folder(folder)?;
    if !anew {
        return Ok(Journal::resume(folder, run, false)?);
    }
    let mut journal = Journal::anew(folder)?;
    journal.begin(run.clone())?;
    Ok(journal)
}

/// Reports what a journal holds, if launches are known.
pub(in crate::commands) fn tell<P: Plan>(journal: &Journal<P>, known: usize) {
    let path = journal.path();
    warn_of_damage(&path, journal.damaged());
    if known > 0 {
        message::note(format_args!(
            "{} known from {}; --restart measures anew",
            counted(known as u64, "launch is", "launches are"),
            shown(&path)
        ));
    }
}

/// Reports what an interrupted search left.
pub(super) fn interrupted<P: Plan>(journal: &Journal<P>, known: usize) {
    message::line(format_args!(
        "interrupted: {} kept in {}; the same command goes on",
        counted(known as u64, "launch is", "launches are"),
        shown(&journal.path())
    ));
}
