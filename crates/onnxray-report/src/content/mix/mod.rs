//! Decides what a report says of a mix of two models: which one pays, and what each change does.

mod changes;
mod headline;
mod mixes;
mod notes;
mod page;
mod result;
mod run;
mod words;

pub use result::{MixResult, MixVerified, Pair};

use super::searches::verifying;
use crate::document::{Block, Document, Note, Notes};

/// The report of a mix, with at most this many rows of long tables; `None` for all.
fn mix_report(result: &MixResult, most: Option<usize>) -> Document {
    let mut blocks: Vec<Block> = vec![
        mixes::models(result).into(),
        mixes::latencies().into(),
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
        let sides = sides(result);
        notes.push(Note::note(format!("in the launches that verify the mix, {sides}")));
        notes.extend(compared.take_notes());
        blocks.extend(compared.blocks.into_iter().map(|block| of_sides(block, &sides)));
    }
    if !notes.is_empty() {
        blocks.push(Notes { notes }.into());
    }
    Document { name: "mix", headline: headline::headline(result), blocks, ..Document::default() }
}

/// Names A and B of the recordings that verify: B is the mix here, not the second model.
fn sides(result: &MixResult) -> String {
    let [a, b] = words::models(&result.mixing.run);
    format!("A is {} and B the mix", if result.mixing.is_b_better() { b } else { a })
}

fn of_sides(block: Block, sides: &str) -> Block {
    match block {
        Block::Table(table) => {
            let known = table.caveat.iter().map(String::as_str);
            let caveat = std::iter::once(sides).chain(known).collect::<Vec<_>>().join("; ");
            table.with_caveat(Some(caveat)).into()
        }
        other => other,
    }
}

/// The tables, for their documentation and for schemas.
pub(super) fn declared() -> Vec<super::declared::Declared> {
    use super::declared::Declared;
    vec![
        Declared::of("Mixing: run, models and mixes", run::RUN).and(&mixes::Row::columns()),
        Declared::of("Mixing: changes", &changes::Row::columns()),
    ]
}

#[cfg(test)]
mod tests;
