//! Decides what a report says of a tuning: what pays, what was tried, and the lines to paste.

mod headline;
mod result;
mod run;
mod snippet;

pub use result::TuneResult;

use super::objective::Words;
use super::report::{CAUSES, LAYERS, StudyReport};
use super::setting::{self, MODEL};
use super::variants;
use crate::content::declared::Declared;
use crate::content::report::{Arrangement, TableSheet};
use crate::document::{Block, Note};
use onnxray_analyzer::study::Verified;

impl StudyReport for TuneResult {
    const NAME: &'static str = "tune";
    const TITLE: &'static str = "Tuning";
    const ARRANGEMENT: &'static Arrangement = &Arrangement {
        title: "onnxray: tuning",
        sheets: &[
            TableSheet {
                bars: &["ratio"],
                in_front: true,
                ..TableSheet::new("tune_changes", "Changes")
            },
            TableSheet::on_summary("tune_combinations"),
            CAUSES,
            LAYERS,
        ],
    };

    fn about(&self) -> String {
        self.tuning.run.file.model.clone()
    }

    fn headline(&self) -> Vec<String> {
        headline::headline(self)
    }

    fn blocks(&self, most: Option<usize>) -> Vec<Block> {
        let mut blocks: Vec<Block> = vec![run::figures(self).into()];
        if let Some(best) = self.recommended().or_else(|| self.undecided()) {
            blocks.push(snippet::lines(self, best).into());
        }
        blocks.push(variants::single("tune_changes", &self.tuning, most).into());
        blocks.push(variants::chart("tune_changes", &self.tuning.run).into());
        if !self.tuning.combined.is_empty() {
            blocks.push(variants::combined("tune_combinations", &self.tuning, most).into());
        }
        blocks
    }

    fn notes(&self) -> Vec<Note> {
        let run = &self.tuning.run;
        let mut notes = setting::notes(&run.search, self.tuning.other_cores);
        if let Some((searched, verified)) = self.search_disagrees() {
            let Words { name, adjectives, .. } = Words::deciding(run);
            notes.push(Note::note(format!(
                "{name} of what was found was {} in the search, and is {} in the launches that verify it, \
                 which decide: the machine was another one, or the search took the best of many by chance",
                adjectives.of(searched),
                adjectives.difference(verified.ratio.unwrap_or(searched), verified.interval),
            )));
        }
        if run.idle_optimizers > 0 {
            notes.push(Note::note(format!(
                "{} graph optimizers of {} {} did not change this model and were not tried",
                run.idle_optimizers, run.setup.engine, run.setup.engine_version
            )));
        }
        notes
    }

    fn verified(&self) -> Option<&Verified> {
        self.verified.as_ref()
    }
}

/// The tables, for their documentation and for schemas.
pub(in crate::content) fn declared() -> Vec<Declared> {
    vec![
        Declared::of("Tuning: run", MODEL).and(run::RUN),
        Declared::of("Tuning: changes", &variants::columns()),
        Declared::of("Tuning: lines to paste", snippet::LINES),
    ]
}
