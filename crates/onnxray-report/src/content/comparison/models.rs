//! Several models, each next to its own baseline, and the geometric mean of their ratios.

use super::headline::headline;
use super::rows::end;
use super::verdict::verdict;
use crate::document::Unit::{Milliseconds, Ratio, Text};
use crate::document::{Cell, Document, End, Note, Notes, Table, columns};
use onnxray_analyzer::comparison::{Comparison, GeometricMean, geometric_mean};

/// A model, or all of them.
pub(super) enum Row<'a> {
    Model(&'a str, &'a Comparison),
    Mean(GeometricMean),
}

/// The report of several models, each compared to its own baseline under its name.
/// `unpaired` says which recordings have no counterpart.
pub fn models_report(models: &[(&str, &Comparison)], unpaired: &[String]) -> Document {
    let mut document = Document::new("models");
    document.headline = models.iter().flat_map(|(_, of)| headline(of)).collect();
    document.push(models_table(models));
    let of_model = |(name, of): &(&str, &Comparison)| {
        let named = |note: &String| format!("{name}: {note}");
        of.notes.iter().map(named).collect::<Vec<_>>()
    };
    let notes = unpaired.iter().cloned().chain(models.iter().flat_map(of_model));
    let notes: Vec<Note> = notes.map(Note::note).collect();
    if !notes.is_empty() {
        document.push(Notes { notes });
    }
    document
}

/// Comparisons of several models, each under its name, and below them their mean.
pub fn models_table(models: &[(&str, &Comparison)]) -> Table {
    let mut rows: Vec<Row> = models.iter().map(|&(name, of)| Row::Model(name, of)).collect();
    rows.extend(geometric_mean(models.iter().map(|&(_, of)| of)).map(Row::Mean));
    Table::new("models", "Models, typical times", &columns(), rows)
        .essential(&["model", "ratio", "verdict"])
}

columns! {
    pub(super) fn columns<'a>: Row<'a>;

    /// model, compared to its own baseline
    "model" "Model" Text = |row| match row {
        Row::Model(name, _) => Cell::text(*name),
        Row::Mean(mean) if mean.left_out > 0 => {
            Cell::text(format!("geometric mean, without {} of unknown ratio", mean.left_out))
        }
        Row::Mean(_) => Cell::text("geometric mean"),
    };
    /// typical latency of the baseline
    "a_ms" "A ms" Milliseconds = |row| row.time(0);
    /// typical latency of the version
    "b_ms" "B ms" Milliseconds = |row| row.time(1);
    /// B / A
    "ratio" "B / A" Ratio = |row| match row {
        Row::Model(_, of) => Cell::number(of.decisive().change.ratio),
        Row::Mean(mean) => Cell::Number(mean.ratio),
    };
    /// a 95 % interval of the ratio
    ends END: End in ["ratio_low" "Low", "ratio_high" "High"] Ratio =
        |row| end(END, row.interval());
    /// verdict on the model
    "verdict" "Verdict" Text = |row| match row {
        Row::Model(_, of) => verdict(of.decisive(), of.noise_threshold),
        Row::Mean(_) => Cell::None,
    };
}

impl Row<'_> {
    fn time(&self, side: usize) -> Cell {
        match self {
            Row::Model(_, of) => Cell::milliseconds(of.decisive().sides[side].typical),
            // Latencies of models have no common mean.
            Row::Mean(_) => Cell::None,
        }
    }

    fn interval(&self) -> Option<onnxray_analyzer::statistics::Interval> {
        match self {
            Row::Model(_, of) => of.decisive().change.ratio_interval,
            Row::Mean(mean) => mean.interval,
        }
    }
}
