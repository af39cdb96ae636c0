//! What was measured already, in a file beside the result, so that a run that was killed goes
//! on: a line each, after a line that says which run it is.

use crate::model::pruning::Pruning;
use crate::study::{Entry, Journal, Plan};
use onnxray_format::{LossRun, Measured, TimedLevel};
use onnxray_text::shown;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The journal of a loss profile, beside it.
pub type LossJournal = Journal<LossRun>;

/// Measurement of a pruning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum LossEntry {
    /// What it costs.
    Loss {
        /// Weights and levels.
        pruned: Pruning,
        /// The outcome.
        measured: Measured,
    },
    /// How long its layers take, in a launch.
    Times {
        /// Weights and levels.
        pruned: Pruning,
        /// Number of the launch.
        launch: u32,
        /// Threads that a kernel may use.
        threads: u32,
        /// The layers, and what is in none.
        #[serde(flatten)]
        timed: TimedLevel,
    },
}

/// Key of a pruning. A text, since levels are floats, which have no total order.
pub(super) fn key(pruning: &Pruning) -> String {
    serde_json::to_string(pruning).unwrap_or_default()
}

/// Key of its times in a launch.
pub(super) fn key_of_times(pruning: &Pruning, launch: u32, threads: u32) -> String {
    format!("{launch} {threads} {}", key(pruning))
}

impl Entry for LossEntry {
    type Key = String;

    fn key(&self) -> String {
        match self {
            LossEntry::Loss { pruned, .. } => key(pruned),
            LossEntry::Times { pruned, launch, threads, .. } => {
                key_of_times(pruned, *launch, *threads)
            }
        }
    }
}

impl Plan for LossRun {
    const FORMAT: &'static str = "onnxray loss journal";
    const VERSION: u32 = 1;
    const MEMBER: &'static str = "run";
    const HINT: &'static str = "move it away";
    const ANEW: &'static str = "--force";

    type Entry = LossEntry;

    fn journal(result: &Path) -> PathBuf {
        let mut name = result.as_os_str().to_owned();
        name.push(OsString::from(".journal"));
        PathBuf::from(name)
    }

    fn other(result: &Path) -> String {
        format!("{}: another run is writing it", shown(&LossRun::journal(result)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::StudyError;
    use onnxray_format::{Block, LossData, ModelFile, Setup};

    fn run(levels: &[f64]) -> LossRun {
        LossRun {
            file: ModelFile { model: "m.onnx".to_string(), ..ModelFile::default() },
            setup: Setup { engine: "tract".to_string(), batch_size: Some(1), ..Setup::default() },
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
        let result = folder.path().join("loss.json");
        let path = folder.path().join("loss.json.journal");
        let run = run(&[0.1, 0.95]);
        let pruning = |weight: &str| -> Pruning { vec![(weight.to_string(), 0.95)] };
        let measured = |value: f64| Measured { divergence: Some(value), ..Measured::default() };
        let keep = |journal: &mut LossJournal, weight: &str, value: f64| {
            let (pruned, measured) = (pruning(weight), measured(value));
            journal.keep(LossEntry::Loss { pruned, measured })
        };
        let mut journal = LossJournal::resume(&result, &run, false).unwrap();
        assert!(matches!(LossJournal::resume(&result, &run, true), Err(StudyError::Locked { .. })));
        keep(&mut journal, "a", 1.0 / 3.0).unwrap();
        keep(&mut journal, "b", 1e-300).unwrap();
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        let ends: Vec<usize> = (0..whole.len()).filter(|&at| whole[at] == b'\n').collect();
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let mut journal = LossJournal::resume(&result, &run, false).unwrap();
            assert_eq!((journal.damaged(), journal.replaced()), (0, false));
            let known = |journal: &LossJournal, weight| {
                journal.known(&key(&pruning(weight))).map(|entry| match entry {
                    LossEntry::Loss { measured, .. } => measured.clone(),
                    LossEntry::Times { .. } => panic!("{entry:?}"),
                })
            };
            let expected = |line: usize, value| (length > ends[line]).then(|| measured(value));
            assert_eq!(known(&journal, "a"), expected(1, 1.0 / 3.0), "{length}");
            assert_eq!(known(&journal, "b"), expected(2, 1e-300), "{length}");
            keep(&mut journal, "c", 2.0).unwrap();
            drop(journal);
            let journal = LossJournal::resume(&result, &run, false).unwrap();
            assert_eq!((journal.damaged(), known(&journal, "c")), (0, Some(measured(2.0))));
        }
        let other = LossJournal::resume(&result, &self::run(&[0.5]), false);
        assert!(
            matches!(other, Err(StudyError::OtherRun { differences, .. }) if differences == ["levels"])
        );
        std::fs::write(&path, "{\"somebody\": \"else's\"}").unwrap();
        for replaces in [false, true] {
            let found = LossJournal::resume(&result, &run, replaces);
            assert!(matches!(found, Err(StudyError::NotOurs { .. })), "{replaces}");
        }
        assert_eq!(std::fs::read(&path).unwrap(), b"{\"somebody\": \"else's\"}");
    }

    #[test]
    fn runs_differ_in_what_one_of_them_lacks() {
        let unprofiled = run(&[0.5]);
        let external = |hash: &str| {
            let mut run = unprofiled.clone();
            run.file.external_sha256 = Some(hash.to_string());
            run
        };
        for (one, other) in [
            (unprofiled.clone(), external("a")),
            (external("a"), unprofiled.clone()),
            (external("a"), external("b")),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let result = folder.path().join("loss.json");
            drop(LossJournal::resume(&result, &one, false).unwrap());
            assert!(LossJournal::resume(&result, &one, false).is_ok());
            let refused = LossJournal::resume(&result, &other, false);
            let Err(StudyError::OtherRun { differences, .. }) = refused else {
                panic!("one run was taken for another")
            };
            assert_eq!(differences, ["external sha256"]);
        }
    }
}
