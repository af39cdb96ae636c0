//! What holds of any journal of a search that is taken up.

use super::lines::Lines;
use onnxray_recorder::study::{Entry, Journal, Plan, StudyError};
use std::fmt::Debug;
use std::fs;
use std::path::Path;

/// The first line of a journal.
pub(crate) fn head<P: Plan>(run: &str) -> String {
    let (format, version, member) = (P::FORMAT, P::VERSION, P::MEMBER);
    format!("{{\"format\":\"{format}\",\"version\":{version},\"{member}\":{run}}}\n")
}

/// Takes a journal up that is in this folder. What is refused stays as it is; what is known is of
/// the run; what is kept is known again.
pub(crate) fn check<P: Plan>(folder: &Path, lines: &Lines)
where
    P::Entry: Clone + PartialEq + Debug,
{
    let run: P = serde_json::from_str(lines.run).expect("a run");
    let entry: P::Entry = serde_json::from_str(lines.entries[0]).expect("an entry");
    assert!(run.has(&entry));
    let path = P::journal(folder);
    let text = fs::read(&path).expect("a journal");
    for replaces in [false, true] {
        let mut journal = match Journal::<P>::resume(folder, &run, replaces) {
            Ok(journal) => journal,
            Err(error) => {
                assert_eq!(fs::read(&path).expect("it"), text, "what is refused stays");
                assert!(!replaces || !matches!(error, StudyError::OtherRun { .. }));
                continue;
            }
        };
        assert!(journal.entries().all(|entry| run.has(entry)), "an entry of nothing is known");
        journal.keep(entry.clone()).expect("room for it");
        let (damaged, count) = (journal.damaged(), journal.entries().count());
        drop(journal);
        let again = Journal::<P>::resume(folder, &run, false).expect("it goes on");
        assert_eq!(again.known(&entry.key()), Some(&entry));
        assert_eq!((again.damaged(), again.entries().count()), (damaged, count));
        return;
    }
}
