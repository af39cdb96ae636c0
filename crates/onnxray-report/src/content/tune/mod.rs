//! Decides what a report says of a tuning: what pays, what was tried, and the lines to paste.

mod changes;
mod headline;
mod page;
mod result;
mod run;
mod snippet;

pub use result::{TuneResult, Verified};

use super::searches::{RANDOM, verifying};
use crate::document::{Block, Document, Note, Notes};

/// The report of a tuning, with at most this many rows of long tables; `None` for all.
fn tune_report(result: &TuneResult, most: Option<usize>) -> Document {
    let tuning = &result.tuning;
    let mut blocks: Vec<Block> = vec![run::figures(result).into()];
    if let Some(best) = result.recommended() {
        blocks.push(snippet::lines(tuning, best).into());
    }
    blocks.push(changes::single(tuning, most).into());
    blocks.push(changes::chart().into());
    if !tuning.combined.is_empty() {
        blocks.push(changes::combined(tuning, most).into());
    }
    let mut notes = notes(result);
    if let Some(verified) = &result.verified {
        let Verified { base, tuned, comparison } = verified;
        let mut compared = verifying(base, tuned, comparison, most);
        // All notes stand together, below the tables of the comparison.
        notes.extend(compared.take_notes());
        blocks.extend(compared.blocks);
    }
    if !notes.is_empty() {
        blocks.push(Notes { notes }.into());
    }
    Document { name: "tune", headline: headline::headline(result), blocks, ..Document::default() }
}

fn notes(result: &TuneResult) -> Vec<Note> {
    let run = &result.tuning.run;
    let mut notes = Vec::new();
    if run.search.inputs.contains("random") {
        notes.push(Note::note(RANDOM));
    }
    if run.idle_optimizers > 0 {
        notes.push(Note::note(format!(
            "{} graph optimizers of {} {} did not change this model and were not tried",
            run.idle_optimizers, run.setup.engine, run.setup.engine_version
        )));
    }
    notes
}

/// The tables, for their documentation and for schemas.
pub(super) fn declared() -> Vec<super::declared::Declared> {
    use super::declared::Declared;
    vec![
        Declared::of("Tuning: run", run::MODEL).and(run::RUN),
        Declared::of("Tuning: changes", &changes::columns()),
        Declared::of("Tuning: lines to paste", snippet::LINES),
    ]
}
