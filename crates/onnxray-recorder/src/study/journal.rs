//! The journal of a study: the plan, then a line for each thing that is known.

use super::error::StudyError;
use super::file::{JournalFile, Lines, NotOpened};
use super::plan::{Entry, Plan, differences};
use onnxray_text::printable;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The journal of a study, which no other process opens meanwhile.
pub struct Journal<P: Plan> {
    place: PathBuf,
    /// `None` if it is only looked at.
    file: Option<JournalFile>,
    plan: Option<P>,
    known: BTreeMap<<P::Entry as Entry>::Key, P::Entry>,
    damaged: u64,
    replaced: bool,
}

/// Format and version in the first line of a journal.
#[derive(Deserialize)]
struct Kind {
    format: String,
    version: u32,
}

#[derive(Deserialize)]
struct Header<P> {
    #[serde(alias = "run")]
    plan: P,
}

impl<P: Plan> Serialize for Header<&P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(Some(3))?;
        members.serialize_entry("format", P::FORMAT)?;
        members.serialize_entry("version", &P::VERSION)?;
        members.serialize_entry(P::MEMBER, self.plan)?;
        members.end()
    }
}

impl<P: Plan> Journal<P> {
    /// Opens the journal of a place, whose folder must exist; without one, it is empty. A last
    /// line that was cut is forgotten.
    ///
    /// # Errors
    ///
    /// If another process has it open, or if it cannot be read or is something else.
    pub fn open(place: &Path) -> Result<Journal<P>, StudyError> {
        let (file, lines) = locked::<P>(place)?;
        let mut journal = Journal::of(place, Some(file), &lines)?;
        // The next line must not be added to one that was cut.
        journal.end_at(lines.whole.len())?;
        Ok(journal)
    }

    /// Opens the journal for this plan, and begins it if there is none. A journal of another plan
    /// is refused unless it may be replaced.
    ///
    /// # Errors
    ///
    /// As [`Journal::open`], or if it is of another plan.
    pub fn resume(place: &Path, plan: &P, replaces: bool) -> Result<Journal<P>, StudyError> {
        let (file, lines) = locked::<P>(place)?;
        let mut journal = Journal::of(place, Some(file), &lines)?;
        match journal.plan.as_ref().map(|known| differences(known, plan)) {
            Some(differences) if differences.is_empty() => journal.end_at(lines.whole.len())?,
            Some(differences) if !replaces => {
                let (path, anew) = (journal.path(), P::ANEW);
                return Err(StudyError::OtherRun { path, differences, anew });
            }
            _ => journal.begin(plan.clone())?,
        }
        Ok(journal)
    }

    /// Opens the journal of a place without reading it; its content stays until a plan is begun.
    ///
    /// # Errors
    ///
    /// If another process has it open, or if it cannot be opened.
    pub fn anew(place: &Path) -> Result<Journal<P>, StudyError> {
        let (file, _) = locked::<P>(place)?;
        Journal::of(place, Some(file), &Lines::default())
    }

    /// Looks at the journal of a place, also while a process adds to it; `None` without one.
    ///
    /// # Errors
    ///
    /// If it cannot be read or is something else.
    pub fn look(place: &Path) -> Result<Option<Journal<P>>, StudyError> {
        let lines = JournalFile::read(&P::journal(place)).map_err(failed::<P>(place))?;
        lines.map(|lines| Journal::of(place, None, &lines)).transpose()
    }

    fn of(
        place: &Path,
        file: Option<JournalFile>,
        lines: &Lines,
    ) -> Result<Journal<P>, StudyError> {
        let (place, known) = (place.to_path_buf(), BTreeMap::new());
        let plan = plan::<P>(lines).map_err(|reason| StudyError::NotOurs {
            path: P::journal(&place),
            reason,
            hint: P::HINT,
        })?;
        let mut journal = Journal { place, file, plan, known, damaged: 0, replaced: false };
        // The first one is the plan, which `plan` has read.
        for line in lines.iter().skip(1) {
            match serde_json::from_slice(line) {
                Ok(entry) if journal.plan.as_ref().is_some_and(|plan| plan.has(&entry)) => {
                    journal.take(entry);
                }
                // It is measured again.
                _ => journal.damaged += 1,
            }
        }
        Ok(journal)
    }

    fn take(&mut self, entry: P::Entry) {
        if let Some(outdated) = entry.outdates() {
            self.known.remove(&outdated);
        }
        self.known.insert(entry.key(), entry);
    }

    /// Writes a plan in place of all content.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn begin(&mut self, plan: P) -> Result<(), StudyError> {
        self.end_at(0)?;
        self.add(&Header { plan: &plan }).map_err(failed::<P>(&self.place))?;
        // Only a journal that had a plan is worth a word to the user.
        self.replaced = self.plan.replace(plan).is_some();
        self.known.clear();
        self.damaged = 0;
        Ok(())
    }

    /// Writes down what is known of a variant.
    ///
    /// # Errors
    ///
    /// If it cannot be written, as where a disk is full.
    pub fn keep(&mut self, entry: P::Entry) -> Result<(), StudyError> {
        let path = P::journal(&self.place);
        // To the file first: what is known here is also known after a kill.
        self.add(&entry).map_err(|source| StudyError::NotKept { path, source })?;
        self.take(entry);
        Ok(())
    }

    /// Forgets entries that no longer hold; the file keeps them.
    pub(crate) fn retain(&mut self, holds: impl Fn(&P::Entry) -> bool) {
        self.known.retain(|_, entry| holds(entry));
    }

    fn add(&mut self, line: &impl Serialize) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), |file| file.add(line))
    }

    /// Cuts it to `length` bytes; lines are added there.
    fn end_at(&mut self, length: usize) -> Result<(), StudyError> {
        let ended = self.file.as_mut().map_or(Ok(()), |file| file.end_at(length as u64));
        ended.map_err(failed::<P>(&self.place))
    }

    /// The plan, if one was begun.
    pub fn plan(&self) -> Option<&P> {
        self.plan.as_ref()
    }

    /// The entry with this key.
    pub fn known(&self, key: &<P::Entry as Entry>::Key) -> Option<&P::Entry> {
        self.known.get(key)
    }

    /// All that is known, in the order of keys.
    pub fn entries(&self) -> impl Iterator<Item = &P::Entry> {
        self.known.values()
    }

    /// Number of lines that cannot be read, or that belong to no variant.
    pub fn damaged(&self) -> u64 {
        self.damaged
    }

    /// Whether it replaced a journal of another plan.
    pub fn replaced(&self) -> bool {
        self.replaced
    }

    /// The folder or result that it belongs to.
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// Path of its file.
    pub fn path(&self) -> PathBuf {
        P::journal(&self.place)
    }

    /// Removes it, once the result is written.
    pub fn remove(self) {
        if let Some(file) = &self.file {
            file.remove();
        }
    }
}

impl<P: Plan> Drop for Journal<P> {
    /// Removes the file if no plan was begun.
    fn drop(&mut self) {
        if let Some(file) = &self.file {
            file.remove_empty();
        }
    }
}

fn locked<P: Plan>(place: &Path) -> Result<(JournalFile, Lines), StudyError> {
    JournalFile::open(&P::journal(place)).map_err(|why| match why {
        NotOpened::Locked => StudyError::Locked(P::other(place)),
        NotOpened::Io(source) => failed::<P>(place)(source),
    })
}

fn failed<P: Plan>(place: &Path) -> impl Fn(io::Error) -> StudyError {
    let path = P::journal(place);
    move |source| StudyError::Journal { path: path.clone(), source }
}

/// The plan in the first line; `None` if there is none yet, or if its line was cut.
fn plan<P: Plan>(lines: &Lines) -> Result<Option<P>, String> {
    if !lines.whole.is_empty() {
        return header(lines.iter().next().unwrap_or_default()).map(Some);
    }
    let opening = format!("{{\"format\":\"{}\"", P::FORMAT).into_bytes();
    // A first line of ours, cut at any place; anything else is another's file and stays.
    match opening.starts_with(&lines.cut) || lines.cut.starts_with(&opening) {
        true => Ok(None),
        false => Err("its first line is another's, and cut".to_string()),
    }
}

fn header<P: Plan>(line: &[u8]) -> Result<P, String> {
    let unread = |error: serde_json::Error| printable(&error.to_string());
    let kind: Kind = serde_json::from_slice(line).map_err(unread)?;
    if kind.format != P::FORMAT || kind.version != P::VERSION {
        return Err(format!(
            "expected \"{}\", version {}, and it is \"{}\", version {}",
            P::FORMAT,
            P::VERSION,
            printable(&kind.format),
            kind.version
        ));
    }
    let Header { plan } = serde_json::from_slice::<Header<P>>(line).map_err(unread)?;
    plan.check().map(|()| plan)
}
