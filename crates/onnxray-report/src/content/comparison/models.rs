//! Several models, each next to its own baseline, and the geometric mean of their ratios.

use super::headline::headline;
use super::rows::{high, low};
use super::verdict::verdict;
use crate::document::Unit::{Milliseconds, Ratio, Text};
use crate::document::{Cell, Column, Document, Note, Notes, Table, column};
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

pub(super) fn columns<'a>() -> Vec<Column<Row<'a>>> {
    vec![
        column("model", "Model", Text, "what is compared to its own baseline", |row| match row {
            Row::Model(name, _) => Cell::text(*name),
            Row::Mean(mean) if mean.left_out > 0 => {
                Cell::text(format!("geometric mean, without {} of unknown ratio", mean.left_out))
            }
            Row::Mean(_) => Cell::text("geometric mean"),
        }),
        column("a_ms", "A ms", Milliseconds, "typical latency of the baseline", |row| row.time(0)),
        column("b_ms", "B ms", Milliseconds, "typical latency of the version", |row| row.time(1)),
        column("ratio", "B / A", Ratio, "B / A", |row| match row {
            Row::Model(_, of) => Cell::number(of.decisive().change.ratio),
            Row::Mean(mean) => Cell::Number(mean.ratio),
        }),
        column("ratio_low", "Low", Ratio, "low end of a 95 % interval of the ratio", |row| {
            low(row.interval())
        }),
        column("ratio_high", "High", Ratio, "high end", |row| high(row.interval())),
        column("verdict", "Verdict", Text, "what can be said of the model", |row| match row {
            Row::Model(_, of) => verdict(of.decisive(), of.noise_threshold),
            Row::Mean(_) => Cell::None,
        }),
    ]
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
