//! What reports of searches have in common: on what models ran, and what the launches say that the
//! search did not see.

use super::comparison::{ComparisonReport, ComparisonSelection, ComparisonView};
use super::report::Report;
use super::shares::sizes;
use crate::document::{Cell, Document, Unit, columns};
use Unit::{Count, Milliseconds, Text};
use onnxray_analyzer::comparison::{Comparison, Recording, Verdict};
use onnxray_format::Dimension;

/// On what models ran.
pub(super) struct Setting {
    pub engine: String,
    pub engine_version: String,
    pub threads: u32,
    pub cpu: Option<String>,
    pub batch_size: Option<u64>,
    pub dimensions: Vec<Dimension>,
    pub inputs: String,
    pub base_ns: Option<f64>,
}

columns! {
    pub(super) const SETTING: Setting;

    /// what ran the model, and its version
    "engine" "engine" Text =
        |setting| Cell::stated(format!("{} {}", setting.engine, setting.engine_version).trim());
    /// intra-op threads of the base
    "threads" "threads" Count = |setting| Cell::Whole(setting.threads.into());
    /// name of the processor
    "cpu" "CPU" Text = |setting| Cell::stated(setting.cpu.clone().unwrap_or_default());
    /// items of a batch
    "batch_size" "batch size" Count = |setting| Cell::whole(setting.batch_size);
    /// sizes of the free dimensions
    "dimensions" "dimensions" Text = |setting| Cell::some_text(sizes(&setting.dimensions));
    /// what the model ran on
    "inputs" "inputs" Text = |setting| Cell::text(&setting.inputs);
    /// of the model as it is: median over launches of the median over turns
    "base_ms" "base latency (ms)" Milliseconds =
        |setting| Cell::number(setting.base_ns.map(|base| base / 1e6));
}

/// What is said of inputs that were made up.
pub(super) const RANDOM: &str = "outputs were compared on random inputs, which say little \
    about accuracy; --input takes real ones";

/// Ratio of the latencies without profiling or, where they are unknown, with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct VerifiedRatio {
    pub ratio: Option<f64>,
    pub interval: Option<(f64, f64)>,
    pub verdict: Option<Verdict>,
}

impl VerifiedRatio {
    pub(super) fn of(comparison: &Comparison) -> VerifiedRatio {
        let change = &comparison.plain.as_ref().unwrap_or(&comparison.total).change;
        VerifiedRatio {
            ratio: change.ratio,
            interval: change.ratio_interval.map(|interval| (interval.low, interval.high)),
            verdict: change.verdict,
        }
    }

    pub(super) fn is_faster(&self) -> bool {
        self.verdict == Some(Verdict::Faster)
    }
}

/// Where the difference comes from, layer by layer.
pub(super) fn verifying(
    base: &Recording,
    found: &Recording,
    comparison: &Comparison,
    most: Option<usize>,
) -> Document {
    let views = vec![ComparisonView::Causes, ComparisonView::Layers];
    let selection =
        ComparisonSelection { views, rows: most, layer: None, totals: true, sure_causes: true };
    let comparisons = std::slice::from_ref(comparison);
    ComparisonReport { baseline: base, versions: &[found], comparisons }.document(&selection)
}
