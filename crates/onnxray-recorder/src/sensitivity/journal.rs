//! What was measured already, in a file beside the result, so that a run that was killed goes
//! on: a line each, behind a line that says of which run.

use super::layers::Pruning;
use crate::journal_file::{JournalFile, NotOpened};
use onnxray_format::{LossRun, Measured, shown};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// What the first line says that it is.
const FORMAT: &str = "onnxray loss journal";
const VERSION: u32 = 1;

/// An open journal, which no other process opens meanwhile.
pub struct Journal {
    file: JournalFile,
    known: HashMap<String, Measured>,
    /// Whole lines that are no results; they are measured again.
    pub damaged: usize,
    /// Whether there was a journal of another run.
    pub replaced: bool,
}

/// Why there is no journal.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // fields are what their message calls them
pub enum JournalError {
    /// It cannot be read or written.
    #[error("{}: {source}", shown(path))]
    Io { path: PathBuf, source: io::Error },
    /// Another process writes it.
    #[error("{}: another run is writing it", shown(path))]
    Locked { path: PathBuf },
    /// It is something else.
    #[error(
        "{}: is in the place of the journal, and is none\n\
         hint: move it away",
        shown(path)
    )]
    NotOurs { path: PathBuf },
    /// It is of another run.
    #[error(
        "{}: is the journal of a run that differs in: {}\n\
         hint: repeat that run to go on with it, or begin anew with --force",
        shown(path),
        differences.join(", ")
    )]
    OtherRun { path: PathBuf, differences: Vec<String> },
}

impl JournalError {
    fn is_of_other_run(&self) -> bool {
        matches!(self, JournalError::OtherRun { .. })
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    run: LossRun,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    pruned: Pruning,
    measured: Measured,
}

/// The journal of a result.
pub fn journal_path(result: &Path) -> PathBuf {
    let mut name = result.as_os_str().to_owned();
    name.push(OsString::from(".journal"));
    PathBuf::from(name)
}

impl Journal {
    /// Opens the journal of that run, or begins it. One of another run is refused unless it
    /// may be replaced. A last line that was cut is forgotten.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, if another process has it open, or if it is of another run.
    pub fn open(path: &Path, run: &LossRun, replaces: bool) -> Result<Journal, JournalError> {
        let failed = |source| JournalError::Io { path: path.to_path_buf(), source };
        let (file, lines) = JournalFile::open(path).map_err(|why| match why {
            NotOpened::Locked => JournalError::Locked { path: path.to_path_buf() },
            NotOpened::Io(source) => failed(source),
        })?;
        let (known, damaged) = (HashMap::new(), 0);
        let mut journal = Journal { file, known, damaged, replaced: false };
        let mut own = lines.iter();
        let first = own.next();
        // A cut first line is a beginning of what is written anew.
        let opening = format!("{{\"format\":\"{FORMAT}\"").into_bytes();
        let is_beginning = opening.starts_with(&lines.cut) || lines.cut.starts_with(&opening);
        let is_new = first.is_none() && is_beginning;
        match journal.check(first, run) {
            Ok(()) => {
                journal.file.end_at(lines.whole.len() as u64).map_err(failed)?;
                own.for_each(|line| journal.read(line));
            }
            // What is no journal stays whatever is asked for: it is somebody's.
            Err(error) if is_new || replaces && error.is_of_other_run() => {
                journal.replaced = !is_new;
                journal.file.end_at(0).map_err(failed)?;
                journal.begin(run).map_err(failed)?;
            }
            Err(error) => return Err(error),
        }
        Ok(journal)
    }

    /// Whether the first line is of that run.
    fn check(&self, first: Option<&[u8]>, run: &LossRun) -> Result<(), JournalError> {
        let path = self.path().to_path_buf();
        let header = first.and_then(|line| serde_json::from_slice::<Header>(line).ok());
        let ours = header.filter(|header| header.format == FORMAT && header.version == VERSION);
        let Some(header) = ours else { return Err(JournalError::NotOurs { path }) };
        match differences(&header.run, run) {
            differences if differences.is_empty() => Ok(()),
            differences => Err(JournalError::OtherRun { path, differences }),
        }
    }

    fn begin(&mut self, run: &LossRun) -> io::Result<()> {
        self.file.add(&Header { format: FORMAT.to_string(), version: VERSION, run: run.clone() })
    }

    fn read(&mut self, line: &[u8]) {
        match serde_json::from_slice::<Entry>(line) {
            Ok(entry) => drop(self.known.insert(key(&entry.pruned), entry.measured)),
            Err(_) => self.damaged += 1,
        }
    }

    /// What was measured of a pruning.
    pub fn known(&self, pruning: &Pruning) -> Option<&Measured> {
        self.known.get(&key(pruning))
    }

    /// Keeps what was measured.
    ///
    /// # Errors
    ///
    /// If it cannot be written, as where a disk is full.
    pub fn keep(&mut self, pruning: &Pruning, measured: &Measured) -> io::Result<()> {
        let written = self.file.add(&Entry { pruned: pruning.clone(), measured: measured.clone() });
        written.map_err(|error| {
            let text = format!("{}: cannot keep a result: {error}", shown(self.path()));
            io::Error::new(error.kind(), text)
        })?;
        self.known.insert(key(pruning), measured.clone());
        Ok(())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Removes it, once the result is written.
    pub fn remove(self) {
        self.file.remove();
    }
}

fn key(pruning: &Pruning) -> String {
    serde_json::to_string(pruning).unwrap_or_default()
}

/// In what two runs differ, in the words of the file.
fn differences(one: &LossRun, other: &LossRun) -> Vec<String> {
    let members = |run: &LossRun| match serde_json::to_value(run) {
        Ok(Value::Object(members)) => members,
        _ => Default::default(),
    };
    let (one, other) = (members(one), members(other));
    // One may have a member that the other lacks.
    let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    let differ = names.into_iter().filter(|&name| one.get(name) != other.get(name));
    differ.map(|name| name.replace('_', " ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::{Block, LossData};

    fn run(levels: &[f64]) -> LossRun {
        LossRun {
            model: "m.onnx".to_string(),
            model_sha256: None,
            external_sha256: None,
            engine: "tract".to_string(),
            engine_version: String::new(),
            engine_options: Default::default(),
            batch_size: Some(1),
            dimensions: Vec::new(),
            data: LossData {
                random: true,
                seed: Some(1),
                batches: 1,
                items: None,
                sha256: None,
                labels_sha256: None,
            },
            block: Block::new(1, 1),
            levels: levels.to_vec(),
            outputs: Vec::new(),
        }
    }

    #[test]
    fn a_journal_that_is_cut_anywhere_has_what_was_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("loss.json.journal");
        let run = run(&[0.1, 0.95]);
        let pruning = |weight: &str| -> Pruning { vec![(weight.to_string(), 0.95)] };
        let measured = |value: f64| Measured { divergence: Some(value), ..Measured::default() };
        let mut journal = Journal::open(&path, &run, false).unwrap();
        assert!(matches!(Journal::open(&path, &run, true), Err(JournalError::Locked { .. })));
        journal.keep(&pruning("a"), &measured(1.0 / 3.0)).unwrap();
        journal.keep(&pruning("b"), &measured(1e-300)).unwrap();
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        let ends: Vec<usize> = (0..whole.len()).filter(|&at| whole[at] == b'\n').collect();
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let mut journal = Journal::open(&path, &run, false).unwrap();
            assert_eq!((journal.damaged, journal.replaced), (0, false));
            let known = |journal: &Journal, weight| journal.known(&pruning(weight)).cloned();
            let expected = |line: usize, value| (length > ends[line]).then(|| measured(value));
            assert_eq!(known(&journal, "a"), expected(1, 1.0 / 3.0), "{length}");
            assert_eq!(known(&journal, "b"), expected(2, 1e-300), "{length}");
            journal.keep(&pruning("c"), &measured(2.0)).unwrap();
            drop(journal);
            let journal = Journal::open(&path, &run, false).unwrap();
            assert_eq!((journal.damaged, known(&journal, "c")), (0, Some(measured(2.0))));
        }
        let other = Journal::open(&path, &self::run(&[0.5]), false);
        assert!(
            matches!(other, Err(JournalError::OtherRun { differences, .. }) if differences == ["levels"])
        );
        std::fs::write(&path, "{\"somebody\": \"else's\"}").unwrap();
        for replaces in [false, true] {
            let found = Journal::open(&path, &run, replaces);
            assert!(matches!(found, Err(JournalError::NotOurs { .. })), "{replaces}");
        }
        assert_eq!(std::fs::read(&path).unwrap(), b"{\"somebody\": \"else's\"}");
    }

    #[test]
    fn runs_differ_in_what_one_of_them_lacks() {
        let plain = run(&[0.5]);
        let external =
            |hash: &str| LossRun { external_sha256: Some(hash.to_string()), ..plain.clone() };
        for (one, other) in [
            (plain.clone(), external("a")),
            (external("a"), plain.clone()),
            (external("a"), external("b")),
        ] {
            assert_eq!(differences(&one, &other), ["external sha256"]);
        }
        assert!(differences(&external("a"), &external("a")).is_empty());
    }
}
