//! Decides what a report says of a mix of two models: which one pays, and what each change does.

mod changes;
mod headline;
mod mixes;
mod notes;
mod page;
mod result;
mod run;
mod words;

pub use page::mix_page;
pub use result::{MixResult, MixVerified, Pair};

use super::searches::verifying;
use crate::document::{Block, Document, Notes};

/// The report of a mix, with at most this many rows of long tables; `None` for all.
pub fn mix_report(result: &MixResult, most: Option<usize>) -> Document {
    let mut blocks: Vec<Block> = vec![
        mixes::models(result).into(),
        run::figures(result).into(),
        changes::table(&result.mixing, most).into(),
        mixes::front(result, most).into(),
        mixes::chart().into(),
    ];
    // Of hundreds, few are worth while: who wants them asks for all rows.
    if most.is_none() {
        blocks.push(mixes::all(result).into());
    }
    let mut notes = notes::notes(result);
    if let Some(Pair { base, mixed, comparison }) = result.verifying() {
        let mut compared = verifying(base, mixed, comparison, most);
        notes.extend(compared.take_notes());
        blocks.extend(compared.blocks);
    }
    if !notes.is_empty() {
        blocks.push(Notes { notes }.into());
    }
    Document { name: "mix", headline: headline::headline(result), blocks }
}

/// The tables, for their documentation.
#[cfg(test)]
pub(super) fn declared() -> Vec<super::declared::Declared> {
    use super::declared::Declared;
    vec![
        Declared::of("Mixing: run, models and mixes", run::RUN).and(&mixes::Row::COLUMNS),
        Declared::of("Mixing: changes", &changes::Row::COLUMNS),
    ]
}

#[cfg(test)]
mod tests;
