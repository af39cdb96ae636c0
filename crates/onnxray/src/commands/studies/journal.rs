//! What commands share that search by launches of their own: processes that serve them, and the
//! journal in the folder of the result.

use crate::commands::signals::serve_parent;
use crate::commands::warn_of_damage;
use crate::exit::Ended;
use crate::message;
use anyhow::anyhow;
use onnxray_recorder::experiment::{Journal, Plan};
use onnxray_text::{counted, shown};
use std::fs;
use std::io::{self, StdinLock, Stdout};
use std::path::Path;

/// Serves the requests that its parent writes to standard input; `verb` names them in errors.
pub(in crate::commands) fn served(
    verb: &str,
    serve: impl FnOnce(StdinLock<'static>, Stdout) -> io::Result<()>,
) -> anyhow::Result<Ended> {
    serve_parent()?;
    match serve(io::stdin().lock(), io::stdout()) {
        // Nobody waits for the answer.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Ended::Done),
        Err(error) => Err(anyhow!("standard input describes nothing to {verb}: {error}")),
        Ok(()) => Ok(Ended::Done),
    }
}

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
    fs::create_dir_all(folder).map_err(|error| anyhow!("{}: {error}", shown(folder)))?;
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
pub(in crate::commands) fn interrupted<P: Plan>(journal: &Journal<P>, known: usize) -> Ended {
    message::line(format_args!(
        "interrupted: {} kept in {}; the same command goes on",
        counted(known as u64, "launch is", "launches are"),
        shown(&journal.path())
    ));
    Ended::Interrupted
}
