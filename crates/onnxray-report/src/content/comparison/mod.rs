//! Decides what a report says of comparisons with a baseline.

mod by_pair;
mod causes;
mod costs;
mod end_to_end;
mod end_to_end_figure;
mod fusions;
mod headline;
mod hidden;
mod ladder;
mod layers;
mod metrics;
mod models;
mod paces;
mod page;
mod parts;
mod patterns;
mod rows;
mod sheets;
mod verdict;

pub(crate) use by_pair::layers_by_pair;
pub(in crate::content) use costs::differing;
pub(crate) use end_to_end_figure::EndToEndFigure;
pub(in crate::content) use headline::launches_needed;
pub use models::{models_report, models_table};
pub(crate) use rows::{Pair, VERSION, part};
pub(crate) use sheets::comparison_tables;
pub(in crate::content) use verdict::is_negligible;
pub(crate) use verdict::verdict;

use crate::document::{Answer, Block, Document, Heading, Ladder, Note, Notes, Unit};
use onnxray_analyzer::comparison::{Comparison, Recording};
use onnxray_analyzer::statistics::Summary;

/// A part of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonView {
    /// Figures of the whole model, and configuration differences.
    Inference,
    /// What the difference is made of.
    Causes,
    /// Operator types of both sides.
    Types,
    /// Every layer of both sides.
    Layers,
    /// Parameters in which layers differ.
    Details,
    /// What the time of each side is made of.
    Conservation,
}

impl ComparisonView {
    /// All parts, in the order in which they are shown.
    pub const ALL: [ComparisonView; 6] = [
        ComparisonView::Inference,
        ComparisonView::Causes,
        ComparisonView::Types,
        ComparisonView::Layers,
        ComparisonView::Details,
        ComparisonView::Conservation,
    ];
}

/// Whether layers that repeat (one name but for numbers, one type, one shape) are folded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Folding {
    /// Each layer has a row.
    #[default]
    Layers,
    /// A row stands for all that repeat.
    Patterns,
    /// Both, as tables of their own.
    Both,
}

/// What of comparisons is wanted.
#[derive(Clone, Debug, Default)]
pub struct ComparisonSelection {
    /// In the order in which they are shown.
    pub views: Vec<ComparisonView>,
    /// At most this many rows of long tables; `None` for all.
    pub rows: Option<usize>,
    /// Only layers with this in their names.
    pub layer: Option<String>,
    /// Which rows tables of layers have, where some repeat.
    pub folding: Folding,
    /// Whether causes and types end in what they add up to, and what is left out is in notes alone:
    /// for people, since programs would add it up once more, and read no notes.
    pub totals: bool,
    /// Whether causes are left out, and a line says so, where it is not sure that there is a
    /// difference that matters.
    pub sure_causes: bool,
}

impl ComparisonSelection {
    /// All views with all rows, and without totals.
    pub(crate) fn everything() -> ComparisonSelection {
        ComparisonSelection {
            views: ComparisonView::ALL.to_vec(),
            folding: Folding::Both,
            ..Default::default()
        }
    }
}

/// Several versions, each compared to the baseline.
#[derive(Clone, Copy)]
pub struct ComparisonReport<'a> {
    /// What they are compared to.
    pub baseline: &'a Recording,
    /// The recordings of the comparisons, in their order.
    pub versions: &'a [&'a Recording],
    /// Each version next to the baseline.
    pub comparisons: &'a [Comparison],
}

impl ComparisonReport<'_> {
    fn pairs(&self) -> Vec<Pair<'_>> {
        let ComparisonReport { baseline, versions, comparisons } = *self;
        let pair =
            // In reports every version is B; only workbooks give each a letter of its own.
            |(comparison, &version)| Pair { comparison, recordings: [baseline, version], letter: "B" };
        comparisons.iter().zip(versions).map(pair).collect()
    }

    /// Layers of each version as a tree, for a page.
    fn ladders(&self) -> Vec<Ladder> {
        ladder::ladders(&self.pairs())
    }

    /// Includes tables that have no rows, for formats that show their headings.
    pub(crate) fn complete(&self, selection: &ComparisonSelection) -> Document {
        let pairs = self.pairs();
        let comparisons = self.comparisons;
        let layer = selection.layer.as_deref();
        let most = selection.rows;
        let mut blocks: Vec<Block> = Vec::new();
        for view in &selection.views {
            match view {
                ComparisonView::Inference => {
                    blocks.push(end_to_end::inference(&pairs, selection.totals).into());
                    blocks.extend(paces::paces(&pairs).map(Block::from));
                    blocks.push(end_to_end::configuration(&pairs).into());
                }
                ComparisonView::Causes => {
                    blocks.push(
                        causes::causes(&pairs, most, selection.totals, selection.sure_causes)
                            .into(),
                    );
                }
                ComparisonView::Types => {
                    blocks.push(parts::types(&pairs, most, selection.totals).folded().into());
                }
                ComparisonView::Layers => {
                    let folding = match patterns::has_patterns(&pairs) {
                        true => selection.folding,
                        false => Folding::Layers,
                    };
                    if folding != Folding::Layers {
                        let patterns = match selection.totals {
                            true => patterns::patterns_for_people(&pairs, layer, most),
                            false => patterns::patterns(&pairs, layer, most),
                        };
                        blocks.push(patterns.folded().into());
                    }
                    if folding != Folding::Patterns {
                        let both = folding == Folding::Both;
                        let people = selection.totals;
                        blocks.push(
                            layers::layers(&pairs, layer, most, both, people).folded().into(),
                        );
                    }
                }
                ComparisonView::Details => {
                    blocks.push(layers::details(&pairs, layer, most).folded().into());
                }
                ComparisonView::Conservation => {
                    blocks.push(parts::conservation(&pairs).folded().into());
                }
            }
        }
        let notes: Vec<Note> = pairs.iter().flat_map(notes).collect();
        if !notes.is_empty() {
            blocks.push(Notes { notes }.into());
        }
        let with_causes = selection.views.contains(&ComparisonView::Causes);
        let headline = comparisons.iter().flat_map(|comparison| {
            let left_out = causes::left_out(comparison).filter(|_| selection.sure_causes);
            let of_causes =
                // What causes add up to is told only where they are listed.
                left_out
                    .or_else(|| causes::none(comparison))
                    .or_else(|| causes::apart_from_verdict(comparison))
                    .filter(|_| with_causes);
            let shares = causes::without_shares(comparison).filter(|_| {
                with_causes && (!selection.sure_causes || causes::left_out(comparison).is_none())
            });
            headline::headline(comparison)
                .into_iter()
                .chain(costs::sentence(comparison))
                .chain(of_causes)
                .chain(shares)
        });
        let headline = headline.collect();
        let answer = match comparisons {
            [comparison] => comparison.decisive().change.verdict,
            _ => None,
        };
        let answer = answer.map(|verdict| Answer { verdict: verdict.name(), passed: None });
        Document { name: "comparison", headline, answer, blocks, ..Document::default() }
    }
}

/// Caveats of the comparison, then of its sides.
fn notes(pair: &Pair) -> Vec<Note> {
    let mut notes: Vec<Note> =
        fusions::fusions(pair.comparison).map(Note::note).into_iter().collect();
    notes.extend(pair.comparison.notes.iter().map(Note::note));
    let [of_a, of_b] = pair.recordings.map(|recording| {
        let Summary { warnings, caveats, .. } = &recording.summary;
        let warnings = warnings.iter().map(|warning| (warning.to_string(), true));
        warnings.chain(caveats.iter().map(|text| (text.clone(), false))).collect::<Vec<_>>()
    });
    let note = |side: &str, (text, is_warning): &(String, bool)| match is_warning {
        true => Note::warning(format!("{side}: {text}")),
        false => Note::note(format!("{side}: {text}")),
    };
    // What holds of both is said once.
    let side = |text| if of_b.contains(text) { "A and B" } else { "A" };
    notes.extend(of_a.iter().map(|text| note(side(text), text)));
    notes.extend(of_b.iter().filter(|text| !of_a.contains(text)).map(|text| note("B", text)));
    notes
}

/// The tables, for their documentation and for schemas.
pub(super) fn declared() -> Vec<super::declared::Declared> {
    use super::declared::Declared;
    let version = Heading::new(VERSION, "Version", Unit::Text, rows::VERSION_MEANING);
    vec![
        Declared::figures("Comparison: every table", [version]),
        Declared::of("Comparison: inference time", &end_to_end::inference_columns()),
        Declared::of("Comparison: calls at a pace", &paces::pace_columns()),
        Declared::of("Comparison: configuration differences", &end_to_end::configuration_columns()),
        Declared::of("Comparison: where the difference comes from", &causes::cause_columns()),
        Declared::of("Comparison: by type", &parts::type_columns()),
        Declared::of("Comparison: layers", &layers::layer_columns()),
        Declared::of(
            "Comparison: layers by pattern, beside columns of layers",
            &patterns::own_columns(),
        ),
        Declared::of("Comparison: parameters that differ", &layers::detail_columns()),
        Declared::of("Comparison: what the time is made of", &parts::conservation_columns()),
        Declared::of("Comparison: several models", &models::columns()),
    ]
}
