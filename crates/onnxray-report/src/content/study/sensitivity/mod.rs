//! Decides what a report says of a loss profile.

mod beside;
mod layers;
mod list;
mod notes;
mod run;

pub use beside::MeasuredSensitivity;
pub(in crate::content) use list::list;
pub use notes::{loss_notes, mixed_sensitivities};

use super::report::StudyReport;
use super::setting::MODEL;
use crate::content::declared::Declared;
use crate::content::report::{Arrangement, TableSheet};
use crate::document::{Block, Note, Notes, View, view};
use notes::RANDOM;
pub(in crate::content) use notes::mixed_measures;
use onnxray_analyzer::quantity::percent;
use onnxray_analyzer::settings::measured_together;
use onnxray_analyzer::study::Spread;
use onnxray_analyzer::workbook_words::title;
use onnxray_format::{LossLayer, LossPlan, LossProfile};
use onnxray_text::difference::slower_or_faster;
use onnxray_text::{counted, printable};

impl StudyReport for LossProfile {
    const NAME: &'static str = "loss";
    const TITLE: &'static str = "Sensitivity";
    const VIEWS: &'static [View] =
        &[view("sensitivity", Self::TITLE), view("layers", "Layers"), view("notes", "Notes")];
    const ARRANGEMENT: &'static Arrangement = &Arrangement {
        title: title::LOSS,
        sheets: &[
            TableSheet::on_summary("loss_outputs"),
            TableSheet {
                frozen: 2,
                fold: true,
                bars: &["sensitivity"],
                ..TableSheet::new("loss_layers", "Layers")
            },
            TableSheet {
                frozen: 3,
                fold: true,
                in_front: true,
                ..TableSheet::new("loss_points", "Sparsities")
            },
        ],
    };

    fn about(&self) -> String {
        self.run.file.model.clone()
    }

    fn headline(&self) -> Vec<String> {
        headline(self)
    }

    /// Of all layers, with their points.
    fn blocks(&self, most: Option<usize>) -> Vec<Block> {
        let mut blocks: Vec<Block> = vec![run::figures(self).into()];
        blocks.extend(run::plan(self).map(Block::from));
        blocks.push(run::outputs(self).into());
        blocks.push(layers::layers(self, most).into());
        if most.is_none() {
            blocks.push(layers::parameters_chart().into());
            blocks.push(layers::points(self).into());
            blocks.extend(layers::charts(self).into_iter().map(Block::from));
        }
        let notes = self.notes.iter().map(Note::note).collect();
        blocks.push(Notes { notes }.into());
        blocks
    }
}

/// What is not measured, the cost of a plan, the layers that cost most and least, a caveat for
/// random data.
fn headline(profile: &LossProfile) -> Vec<String> {
    let is_random = profile.run.data.random && !profile.times_only;
    let random = is_random.then(|| RANDOM.to_string());
    let plan = profile.plan.as_ref().and_then(planned);
    let open = notes::out_of_time(profile);
    let said = open.into_iter().chain(plan).chain(extremes(profile)).chain(faster(profile));
    said.chain(random).collect()
}

/// What all layers together gain at the highest level.
fn faster(profile: &LossProfile) -> Option<String> {
    let level = profile.run.levels.last()?;
    let (dense_ns, ratio) = measured_together(profile, *level)?;
    let timed =
        |layer: &&LossLayer| layers::highest(layer).is_some_and(|own| !own.times.is_empty());
    let timed: Vec<&LossLayer> = profile.layers.iter().filter(timed).collect();
    let skip = timed.iter().filter(|layer| layer.multiplies_zeros.is_none()).count();
    let skipped = match timed.len() == skip {
        true => "with their zeros skipped".to_string(),
        false => format!("with the zeros of {skip} skipped"),
    };
    let layers = counted(timed.len() as u64, "layer takes", "layers take");
    let (dense, sparse) = (dense_ns / 1e6, dense_ns / ratio.value / 1e6);
    Some(format!(
        "Pruned to {} %, {layers} {sparse:.3} ms instead of {dense:.3} ms, {skipped}: {} \
         ({:.2}x to {:.2}x).",
        percent(*level),
        slower_or_faster(1.0 / ratio.value),
        ratio.low,
        ratio.high
    ))
}

fn planned(plan: &LossPlan) -> Option<String> {
    let measured = plan.measured.sensitivity()?;
    let layers = counted(plan.levels.len() as u64, "layer", "layers");
    let mut text = format!("Pruning the {layers} of the plan at once costs {measured:.2e}");
    // Layers that cost nothing one by one give no ratio.
    if let Some(sum) = plan.predicted.filter(|&sum| sum > 0.0) {
        let times = measured / sum;
        text += &format!(", {times:.2} times what they cost one by one");
    }
    if let Some(Spread { inputs, median, range: (low, high) }) = Spread::of(&plan.held_out) {
        text += &format!(
            "; on {inputs} inputs that no layer was measured on {median:.2e} ({low:.2e} to {high:.2e})"
        );
    }
    Some(text + ".")
}

/// The layers of the largest and the smallest sensitivity, each at its highest level.
fn extremes(profile: &LossProfile) -> Option<String> {
    let known = profile.layers.iter().filter_map(|layer| {
        let point = layers::highest(layer)?;
        Some((layer, point.level, point.measured.sensitivity()?))
    });
    let mut known: Vec<_> = known.collect();
    known.sort_by(|(_, _, one), (_, _, other)| other.total_cmp(one));
    let said = |(layer, level, sensitivity): &(&LossLayer, f64, f64)| {
        format!("{} ({sensitivity:.2e} at {} %)", printable(&layer.name), percent(*level))
    };
    match &known[..] {
        [most, .., least] => Some(format!(
            "Of {} layers, pruning {} costs most, {} least: {}.",
            known.len(),
            said(most),
            said(least),
            notes::scale(profile)
        )),
        [only] => Some(format!(
            "The sensitivity of the only layer is that of {}: {}.",
            said(only),
            notes::scale(profile)
        )),
        [] => None,
    }
}

/// The tables, for their documentation and for schemas.
pub(in crate::content) fn declared() -> Vec<Declared> {
    vec![
        Declared::of("Sensitivity: run", MODEL).and(&run::setup_columns()).and(run::RUN),
        Declared::of("Sensitivity: plan", run::PLAN),
        Declared::of("Sensitivity: outputs", run::OUTPUTS),
        Declared::of("Sensitivity: layers", &layers::columns()),
        Declared::of("Sensitivity: points", &layers::points_columns()),
        Declared::of("Sensitivity: profiles of a folder", list::COLUMNS),
    ]
}
