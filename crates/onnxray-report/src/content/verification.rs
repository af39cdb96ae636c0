//! Decides what a report says of a projection next to what it foretold.

use super::projection::rest_on;
use super::report::{Arrangement, Report, TableSheet, Workbook};
use crate::document::Unit::{Milliseconds, Number, Share, Text};
use crate::document::{
    Cell, Document, End, HasEnds, Note, Notes, Page, Table, View, columns, view,
};
use onnxray_analyzer::projection::Estimate;
use onnxray_analyzer::quantity::percent;
use onnxray_analyzer::verification::{Verification, Verified, VerifiedOperator};
use onnxray_analyzer::workbook_words::title;
use onnxray_format::Block;
use onnxray_text::difference::slower_or_faster;

/// A projection next to what it foretold.
pub struct VerificationReport<'a> {
    /// Name of the dense recording.
    pub name: &'a str,
    pub verification: &'a Verification,
    /// Blocks that sparsities count.
    pub block: Block,
}

const VIEWS: &[View] = &[
    view("parts", "Verification"),
    view("types", "By type"),
    view("operators", "Operators"),
    view("notes", "Notes"),
];
/// Rows where no script shows all of them.
const NOSCRIPT_ROWS: usize = 50;

impl HasEnds for Estimate {
    fn ends(self) -> [f64; 2] {
        [self.low, self.high]
    }
}

/// A part of the model, or an operator type, and its latencies.
struct PartRow<'a> {
    name: &'a str,
    times: Verified,
}

fn value(estimate: Option<Estimate>) -> Cell {
    Cell::number(estimate.map(|own| own.value))
}

columns! {
    fn parts<'a>: PartRow<'a>;

    /// part of the model
    "part" "Part" Text = |row| Cell::text(row.name);
    /// in the dense recording
    "dense_ms" "Dense ms" Milliseconds = |row| value(row.times.dense);
    /// projected to the sparsities of the weights
    "projected_ms" "Projected ms" Milliseconds = |row| value(row.times.projected);
    /// the projected latency
    ends END: End in ["projected_low_ms" "Low", "projected_high_ms" "High"] Milliseconds =
        |row| END.cell(row.times.projected.and_then(Estimate::interval));
    /// in the sparse recording
    "measured_ms" "Measured ms" Milliseconds = |row| value(row.times.measured);
    /// the measured latency
    ends END: End in ["measured_low_ms" "Low", "measured_high_ms" "High"] Milliseconds =
        |row| END.cell(row.times.measured.and_then(Estimate::interval));
    /// projected / measured - 1
    "error" "Error" Share = |row| Cell::number(row.times.error());
    /// the error
    ends END: End in ["error_low" "Low", "error_high" "High"] Share =
        |row| END.cell(row.times.error_ends());
}

columns! {
    fn types<'a>: PartRow<'a>;

    /// operator type
    "type" "Type" Text = |row| Cell::text(row.name);
    /// in the dense recording
    "dense_ms" "Dense ms" Milliseconds = |row| value(row.times.dense);
    /// projected to the sparsities of the weights
    "projected_ms" "Projected ms" Milliseconds = |row| value(row.times.projected);
    /// in the sparse recording
    "measured_ms" "Measured ms" Milliseconds = |row| value(row.times.measured);
    /// projected / measured - 1
    "error" "Error" Share = |row| Cell::number(row.times.error());
}

columns! {
    fn operators: VerifiedOperator;

    /// name of its ONNX node
    "name" "Operator" Text = |row| Cell::text(&row.name);
    /// operator type
    "type" "Type" Text = |row| Cell::text(&row.operator_type);
    /// outputs x inputs
    "weight_shape" "Weight shape" Text =
        |row| Cell::some_text(row.weight_shape.clone().unwrap_or_default());
    /// share of zero blocks that the sparse recording skips
    "sparse_ratio" "Sparsity" Share = |row| row.level.map_or(Cell::None, Cell::Number);
    /// dense / sparse latency, as projected
    "perf_ratio" "Perf ratio" Number = |row| row.ratio.map_or(Cell::None, Cell::Number);
    /// in the dense recording
    "dense_ms" "Dense ms" Milliseconds = |row| value(row.times.dense);
    /// projected to the sparsity of its weight
    "projected_ms" "Projected ms" Milliseconds = |row| value(row.times.projected);
    /// the projected latency
    ends END: End in ["projected_low_ms" "Low", "projected_high_ms" "High"] Milliseconds =
        |row| END.cell(row.times.projected.and_then(Estimate::interval));
    /// in the sparse recording
    "measured_ms" "Measured ms" Milliseconds = |row| value(row.times.measured);
    /// the measured latency
    ends END: End in ["measured_low_ms" "Low", "measured_high_ms" "High"] Milliseconds =
        |row| END.cell(row.times.measured.and_then(Estimate::interval));
    /// projected / measured - 1
    "error" "Error" Share = |row| Cell::number(row.times.error());
    /// the error
    ends END: End in ["error_low" "Low", "error_high" "High"] Share =
        |row| END.cell(row.times.error_ends());
}

impl Report for VerificationReport<'_> {
    /// Rows of long tables, at most; `None` for all.
    type Selection = Option<usize>;

    fn document(&self, most: &Option<usize>) -> Document {
        let verification = self.verification;
        let row = |name, times| PartRow { name, times };
        let all = [
            row("projected operators", verification.projected),
            row("other operators", verification.rest),
            row("framework overhead", verification.overhead),
            row("total latency", verification.total),
        ];
        let parts = Table::new("parts", "Parts", &parts(), all);
        let of_types = verification.types.iter().map(|(name, times)| row(name, *times));
        let types = Table::new("types", "By type", &types(), of_types);
        let operators = Table::new("operators", "Operators", &operators(), &verification.operators)
            .hiding(&[
                "projected_low_ms",
                "projected_high_ms",
                "measured_low_ms",
                "measured_high_ms",
                "error_low",
                "error_high",
            ])
            .essential(&["name", "projected_ms", "measured_ms", "error"])
            .shortened(*most);
        let mut notes: Vec<Note> = verification.caveats.iter().map(Note::note).collect();
        notes.push(Note::note(format!(
            "sparsities are the shares of zero blocks of {} that the sparse recording skips; latencies are those of profiled iterations; parts without projection are expected to take what they \
             took in the dense recording",
            self.block
        )));
        if verification.total.error_ends().is_some() {
            notes.push(Note::note(
                "low and high errors take both 95 % intervals at their ends, so that they are rather too \
                 far apart",
            ));
        }
        Document {
            name: "verification",
            headline: vec![headline(verification)],
            blocks: vec![parts.into(), types.into(), operators.into(), Notes { notes }.into()],
            ..Document::default()
        }
    }

    fn page(&self) -> Page {
        let noscript = self.document(&Some(NOSCRIPT_ROWS));
        Page::new(self.name.to_string(), VIEWS, self.document(&None), noscript)
    }

    fn workbook(&self) -> Workbook<'_> {
        const ARRANGEMENT: Arrangement = Arrangement {
            title: title::VERIFICATION,
            sheets: &[
                TableSheet::on_summary("parts"),
                TableSheet::on_summary("types"),
                TableSheet { fold: true, ..TableSheet::new("operators", "Operators") },
            ],
        };
        Workbook::arranged(self.document(&None), &ARRANGEMENT)
    }
}

/// How far off the whole model is, and its parts.
fn headline(verification: &Verification) -> String {
    let Verified { projected, measured, .. } = verification.total;
    let (Some(projected), Some(measured)) = (projected, measured) else {
        return "The latency of a recording is unknown, so that nothing is verified.".to_string();
    };
    let faster = |speedup: Option<f64>| {
        speedup.map_or(String::new(), |speedup| format!(" ({})", slower_or_faster(1.0 / speedup)))
    };
    let [foretold, found] = verification.speedup.map(faster);
    let whole = verification.total.error().map_or("unknown".to_string(), off);
    let ends = verification.total.error_ends().map(|(low, high)| (off(low), off(high)));
    let ends = ends.map_or(String::new(), |(low, high)| format!(" ({low} to {high})"));
    let median = verification.median_error.map(|median| {
        format!("the median operator is off by {} %", percent((median * 1e3).round() / 1e3))
    });
    let part = |what: &str, times: Verified| Some(format!("{what} {}", off(times.error()?)));
    let parts = [
        part("projected operators together are", verification.projected),
        median,
        part("other operators are", verification.rest),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!(
        "Projected {:.3} ms{foretold}, measured {:.3} ms{found}: the projection is {whole}{ends}, {}. {}.",
        projected.value,
        measured.value,
        rest_on(verification.origins),
        sentence(&parts.join(", "))
    )
}

/// With a capital letter in front.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn off(error: f64) -> String {
    let rounded = (error.abs() * 1e3).round() / 1e3;
    match (rounded > 0.0, error > 0.0) {
        (false, _) => "as measured".to_string(),
        (true, true) => format!("{} % too long", percent(rounded)),
        (true, false) => format!("{} % too short", percent(rounded)),
    }
}

/// The tables, for their documentation and for schemas.
pub(super) fn declared() -> Vec<super::declared::Declared> {
    use super::declared::Declared;
    // Other columns of types and operators are those of parts.
    let of_parts: Vec<&str> = parts().iter().map(|column| column.key).collect();
    let mut own = operators();
    own.retain(|column| !of_parts.contains(&column.key));
    own.retain(|column| column.key != "type");
    vec![Declared::of("Verification", &parts()).and(&types()[..1]).and(&own)]
}
