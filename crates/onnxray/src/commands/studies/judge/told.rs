//! What a judgement tells: its result, its exit code, its command line.

use crate::args::JudgeArguments;
use crate::exit::Ended;
use onnxray_analyzer::study::{Word, judge};
use onnxray_format::JudgeRun;
use onnxray_recorder::study::judge::JudgeJournal;
use onnxray_report::{Evidence, JudgeResult};
use onnxray_study::judge::held_out_of;
use onnxray_text::shell_word;
use std::env;
use std::ffi::OsString;
use std::time::Duration;

/// What a journal says, or why there is none.
pub(super) fn result(
    arguments: &JudgeArguments,
    found: Result<(&JudgeRun, &JudgeJournal), String>,
    spent: Duration,
    launches: usize,
) -> JudgeResult {
    let mut held_out = None;
    let judgement = found.map(|(run, journal)| {
        let found = judge(run, &journal.trials(), arguments.options());
        let known = journal.held_out(&held_out_of(run, &found)).unwrap_or_default();
        let distances = known.iter().flat_map(|own| own.distances.iter().copied());
        held_out = distances.reduce(f64::max);
        Evidence::Measured(Box::new(found))
    });
    JudgeResult {
        judgement,
        held_out,
        verified: None,
        known_cause: None,
        names: arguments.names(),
        expected: arguments.expect,
        spent,
        launches,
        command: repeated(env::args_os().skip(1)),
        first: None,
    }
}

/// The code that says the word.
pub(super) fn ended(result: &JudgeResult) -> Ended {
    // It has no word, and the report says why.
    if result.failed().is_some() {
        return Ended::Told;
    }
    match (result.word(), result.passed()) {
        (_, Some(true)) => Ended::Done,
        (_, Some(false)) => Ended::Failed,
        (Some(Word::Different), None) => Ended::Different,
        (Some(Word::Harness), None) => Ended::Harness,
        (Some(_), None) => Ended::Inconclusive,
        (None, None) => Ended::NotComparable,
    }
}

/// A command line, for a shell.
pub(super) fn repeated(words: impl IntoIterator<Item = OsString>) -> String {
    let words = words.into_iter().map(|word| shell_word(word.as_encoded_bytes()));
    std::iter::once("onnxray".to_string()).chain(words).collect::<Vec<_>>().join(" ")
}
