//! Decides what a report says of a mix of two models: which one pays, and what each change does.

mod changes;
mod headline;
mod mixes;
mod notes;
mod result;
mod run;
mod words;

pub use result::{MixResult, MixVerified};

use super::report::{CAUSES, LAYERS, StudyReport};
use crate::content::declared::Declared;
use crate::content::report::{Arrangement, TableSheet};
use crate::document::{Block, Note};
use onnxray_analyzer::study::Verified;

impl StudyReport for MixResult {
    const NAME: &'static str = "mix";
    const TITLE: &'static str = "Mix";
    const ARRANGEMENT: &'static Arrangement = &Arrangement {
        title: "onnxray: mix",
        sheets: &[
            TableSheet::on_summary("mix_models"),
            TableSheet { fold: true, ..TableSheet::new("mix_changes", "Changes") },
            TableSheet::new("mix_front", "Front"),
            TableSheet::new("mixes", "Mixes"),
            CAUSES,
            LAYERS,
        ],
    };

    fn about(&self) -> String {
        words::models(&self.mixing.run).join(" + ")
    }

    fn headline(&self) -> Vec<String> {
        headline::headline(self)
    }

    fn blocks(&self, most: Option<usize>) -> Vec<Block> {
        let mut blocks: Vec<Block> = vec![
            mixes::models(self).into(),
            mixes::latencies().into(),
            run::figures(self).into(),
            changes::table(&self.mixing, most).into(),
            mixes::front(self, most).into(),
            mixes::chart().into(),
        ];
        // Of hundreds, few are worth while: who wants them asks for all rows.
        if most.is_none() {
            blocks.push(mixes::all(self).into());
        }
        blocks
    }

    fn notes(&self) -> Vec<Note> {
        let mut notes = notes::notes(self);
        if let Some(sides) = self.sides().filter(|_| self.verified.is_some()) {
            notes.push(Note::note(format!("in the launches that verify the mix, {sides}")));
        }
        notes
    }

    fn verified(&self) -> Option<&Verified> {
        self.verifying()
    }

    /// B is the mix there, not the second model.
    fn sides(&self) -> Option<String> {
        let [a, b] = words::models(&self.mixing.run);
        Some(format!("A is {} and B the mix", if self.mixing.is_b_better() { b } else { a }))
    }
}

/// The tables, for their documentation and for schemas.
pub(in crate::content) fn declared() -> Vec<Declared> {
    vec![
        Declared::of("Mixing: run, models and mixes", run::RUN).and(&mixes::Row::columns()),
        Declared::of("Mixing: changes", &changes::Row::columns()),
    ]
}

#[cfg(test)]
mod tests;
