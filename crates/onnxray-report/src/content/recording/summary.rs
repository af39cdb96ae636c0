//! The reports of a recording.

use super::costs::{alive, pace};
use super::placement::providers;
use super::resources::resources;
use super::{
    graph, histograms, launches, model, modules, operators, patterns, phases, roofs, timeline,
    types,
};
use crate::content::selection::{Level, Order, Repeats, Selection};
use crate::document::{Block, Chart, Document, Note, Notes, Table};
use onnxray_analyzer::statistics::{Details, Summary};

/// Key and title of the table of operators.
pub(crate) const OPERATORS: (&str, &str) = ("operators", "Operators");
/// Key and title of the table of kernels, which has the columns of operators.
pub(crate) const KERNELS: (&str, &str) = ("kernels", "Kernels");
/// Iterations that a page holds.
const MOST_ITERATIONS: usize = 100_000;

/// The report of a recording; notes are its last block, if there are any.
pub fn summary_report(summary: &Summary, selection: &Selection) -> Document {
    let mut document = Document::new("summary");
    let mut notes = notes(summary);
    for level in &selection.levels {
        match level {
            Level::Model => {
                document.push(model::figures(summary));
                document.extend(summary.costs.as_ref().and_then(|costs| pace::table(&costs.paces)));
                document.extend(summary.roofs.as_ref().and_then(roofs::table));
                document.extend(phases::phases(summary));
                // Who asks for nothing else wants to know how ranks differ.
                if summary.ranks.is_some() && selection.is_default() {
                    document.push(launches::launches(summary));
                }
            }
            Level::Launch => document.push(launches::launches(summary)),
            Level::Iteration => document.push(launches::iterations(summary)),
            // Of operators, nothing is known.
            Level::Provider | Level::Type | Level::Operator | Level::Kernel | Level::Resource
                if summary.is_unprofiled() => {}
            Level::Provider => document.extend(providers(summary, selection)),
            Level::Type => document.extend(types(summary, selection)),
            Level::Operator if !selection.modules.is_empty() => {
                let (modules, of_modules) = modules::modules(summary, selection);
                document.push(modules.with_caveat(caveat(summary)));
                notes.extend(of_modules);
            }
            Level::Operator => document.extend(operators(summary, selection)),
            Level::Kernel => {
                let kernels = operators::operators(KERNELS, summary.kernels(), selection);
                let kernels = kernels.without(&[operators::PATTERN]);
                document.push(kernels.with_caveat(caveat(summary)));
            }
            Level::Resource => {
                document.extend(resources(summary, selection));
                document.extend(alive::table(summary, selection));
            }
        }
    }
    document.extend(block(notes));
    document
}

/// Everything of a recording, for a workbook: types from most to least time, for
/// their chart, and operators as they are executed, to be sorted by their reader.
pub(crate) fn recording_report(summary: &Summary) -> Document {
    let mut document = everything(summary, launches::iterations_to_draw(summary));
    document.extend(block(notes(summary)));
    document
}

/// Like [`recording_report`], for a page: also single executions, and how times of operators are
/// spread. Very many iterations are downsampled.
pub(crate) fn detailed_report(summary: &Summary, details: &Details) -> Document {
    let drawn = launches::iterations_to_draw_of(summary, MOST_ITERATIONS);
    let (iterations, latencies, left_out) = drawn;
    let mut document = everything(summary, (iterations, latencies));
    document.extend(timeline::timeline(summary, details));
    document.extend(histograms::histograms(summary, details));
    document.extend(graph::graph(summary));
    document.extend(graph::ladders(summary));
    let missing = left_out.into_iter().chain(timeline::note(summary, details));
    document.extend(block(notes(summary).into_iter().chain(missing).collect()));
    document
}

fn everything(summary: &Summary, (iterations, latencies): (Table, Chart)) -> Document {
    let selection = Selection {
        order: Order::Execution,
        rows: None,
        repeats: Repeats::Both,
        ..Selection::default()
    };
    let mut document = Document::new("recording");
    document.push(model::figures(summary));
    if let Some(table) = summary.costs.as_ref().and_then(|costs| pace::table(&costs.paces)) {
        // A single rate has no line.
        let chart = (table.len() > 1).then(pace::chart);
        document.push(table);
        document.extend(chart);
    }
    document.extend(summary.roofs.as_ref().and_then(roofs::table));
    document.extend(phases::phases(summary));
    document.push(launches::launches(summary));
    let by_time = Selection { order: Order::Time, ..selection.clone() };
    document.extend(types(summary, &by_time));
    document.extend(operators(summary, &selection));
    document.extend(resources(summary, &selection));
    document.extend(alive::table(summary, &selection));
    document.push(iterations);
    document.push(latencies);
    document
}

fn operators(summary: &Summary, selection: &Selection) -> Vec<Table> {
    let apart = || operators::operators(OPERATORS, &summary.operators, selection);
    let tables = match selection.repeats {
        _ if summary.patterns.is_empty() => vec![apart()],
        Repeats::Folded => vec![patterns::folded(OPERATORS, summary, selection)],
        Repeats::Apart => vec![apart()],
        Repeats::Both => vec![patterns::patterns(summary, selection), apart()],
    };
    tables.into_iter().map(|table| table.with_caveat(caveat(summary))).collect()
}

/// Caveat of tables of times that profiling distorts.
fn caveat(summary: &Summary) -> Option<String> {
    if summary.model.is_calibrated {
        return None;
    }
    let overhead = summary.model.recording_overhead.as_ref();
    let large = overhead.filter(|overhead| overhead.is_costly())?;
    let percent = large.share * 100.0;
    Some(format!("times are too long: profiling slows each iteration by {percent:.0} %"))
}

fn types(summary: &Summary, selection: &Selection) -> Vec<Block> {
    let types = types::types(summary.types.clone(), selection, types::remainder(summary));
    let types = types.with_caveat(caveat(summary));
    let chart = types::chart(&types);
    [types.into()].into_iter().chain(chart.map(Block::Chart)).collect()
}

/// Warnings of the files, then caveats of the figures.
fn notes(summary: &Summary) -> Vec<Note> {
    let warnings = summary.warnings.iter().map(|warning| Note::warning(warning.to_string()));
    warnings.chain(summary.caveats.iter().map(Note::note)).collect()
}

fn block(notes: Vec<Note>) -> Option<Notes> {
    (!notes.is_empty()).then_some(Notes { notes })
}
