//! Decides what a report says of a loss profile.

mod layers;
mod list;
mod notes;
mod page;
mod run;

pub(in crate::content) use list::list;
pub use notes::{loss_notes, mixed_sensitivities};
pub use page::loss_page;

use crate::document::{Block, Document, Note, Notes};
use notes::RANDOM;
use onnxray_format::LossProfile;

/// The report of a loss profile, with at most so many layers; `None` for all, and their points.
pub fn loss_report(profile: &LossProfile, most: Option<usize>) -> Document {
    let mut blocks: Vec<Block> = vec![run::figures(profile).into()];
    blocks.extend(run::plan(profile).map(Block::from));
    blocks.push(run::outputs(profile).into());
    blocks.push(layers::layers(profile, most).into());
    if most.is_none() {
        blocks.push(layers::parameters_chart().into());
        blocks.push(layers::points(profile).into());
        blocks.extend(layers::charts(profile).into_iter().map(Block::from));
    }
    let notes = profile.notes.iter().map(Note::note).collect();
    blocks.push(Notes { notes }.into());
    Document { name: "loss", headline: headline(profile), blocks }
}

fn headline(profile: &LossProfile) -> Vec<String> {
    profile.run.data.random.then(|| RANDOM.to_string()).into_iter().collect()
}

/// The tables, for their documentation.
#[cfg(test)]
pub(super) fn declared() -> Vec<super::declared::Declared> {
    use super::declared::Declared;
    vec![
        Declared::of("Sensitivity: run", run::RUN),
        Declared::of("Sensitivity: plan", run::PLAN),
        Declared::of("Sensitivity: outputs", run::OUTPUTS),
        Declared::of("Sensitivity: layers", &layers::columns()),
        Declared::of("Sensitivity: points", &layers::points_columns()),
        Declared::of("Sensitivity: profiles of a folder", list::COLUMNS),
    ]
}
