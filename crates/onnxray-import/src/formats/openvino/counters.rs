//! Counters of layers, whatever the file they come from.

use crate::formats::together::LONGEST;
use crate::text::number::decimal;
use onnxray_format::Position;
use std::collections::HashMap;

#[derive(Default)]
pub(crate) struct Counters {
    /// One per infer request; averages have one.
    pub(crate) blocks: Vec<Block>,
    /// Whether the layers are in the order of their times, and not in that of
    /// their execution.
    pub(crate) sorted: bool,
    /// Whether the producer is known to leave all layers but the first out.
    pub(crate) first_layer_only: bool,
    /// How many names end in `...`, as the console cuts them.
    pub(crate) cut_names: usize,
    /// Whether DL Workbench wrote it, and not benchmark_app.
    pub(crate) of_workbench: bool,
    /// The first total that is not the sum of its layers.
    pub(crate) mismatch: Option<Mismatch>,
}

/// Milliseconds that should be the same.
#[derive(Clone, Copy)]
pub(crate) struct Mismatch {
    pub(crate) total: f64,
    pub(crate) sum: f64,
    pub(crate) position: Position,
}

#[derive(Default)]
pub(crate) struct Block {
    pub(crate) layers: Vec<Layer>,
    /// What the producer says the layers sum up to.
    pub(crate) total: Option<Total>,
}

#[derive(Clone, Copy)]
pub(crate) struct Total {
    pub(crate) milliseconds: f64,
    /// Largest error by which it was rounded.
    pub(crate) rounding: f64,
    /// Where it stands: a byte of the file.
    pub(crate) offset: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layer {
    pub(crate) name: String,
    /// Without the `Status.` that Python puts before it.
    pub(crate) status: String,
    pub(crate) layer_type: String,
    pub(crate) kernel: String,
    /// Element type that it computes in; empty if that is not told.
    pub(crate) precision: String,
    pub(crate) milliseconds: f64,
}

/// Times are printed with three decimals.
pub(crate) const ROUNDING: f64 = 0.000_5;

impl Layer {
    pub(crate) fn executed(&self) -> bool {
        self.status == "EXECUTED"
    }
}

/// Why a layer of unknown status is left out.
pub(crate) const UNKNOWN_STATUS: &str = "whether it was executed is not known";

/// `Status.EXECUTED` as well as `EXECUTED`; `None` for what OpenVINO does not know.
pub(crate) fn status(text: &str) -> Option<String> {
    let text = text.trim();
    let status = text.strip_prefix("Status.").unwrap_or(text);
    matches!(status, "EXECUTED" | "NOT_RUN" | "OPTIMIZED_OUT").then(|| status.to_string())
}

/// A time in milliseconds, also with a decimal comma, as spreadsheets save it; `None` for what
/// is not a time.
pub(crate) fn milliseconds(text: &str) -> Option<f64> {
    let time = decimal(text)?;
    (0.0..=LONGEST / 1e6).contains(&time).then_some(time)
}

impl Block {
    /// What the layers sum up to, if the total is another.
    fn other_sum(&self) -> Option<(Total, f64)> {
        let total = self.total?;
        let sum: f64 = self.layers.iter().map(|layer| layer.milliseconds).sum();
        // Large numbers may be printed with six digits.
        let error = total.rounding + ROUNDING * self.layers.len() as f64 + 1e-5 * sum;
        ((sum - total.milliseconds).abs() > error).then_some((total, sum))
    }
}

/// A layer of all infer requests.
pub(crate) struct MeanLayer {
    pub(crate) layer: Layer,
    /// Over the requests that executed it, in nanoseconds.
    pub(crate) mean_ns: Option<f64>,
}

impl Counters {
    /// Compares the totals with the layers; `bytes` are the file's.
    pub(crate) fn check(mut self, bytes: &[u8]) -> Counters {
        let other = self.blocks.iter().find_map(|block| block.other_sum());
        self.mismatch = other.map(|(total, sum)| Mismatch {
            total: total.milliseconds,
            sum,
            position: Position::of(bytes, total.offset),
        });
        self
    }

    pub(crate) fn layers(&self) -> usize {
        self.blocks.iter().map(|block| block.layers.len()).sum()
    }

    /// The layers of all infer requests: same name, same occurrence, same layer.
    pub(crate) fn mean(&self) -> Vec<MeanLayer> {
        let mut means: Vec<(Layer, f64, u32)> = Vec::new();
        let mut positions: HashMap<(&str, u32), usize> = HashMap::new();
        for block in &self.blocks {
            let mut occurrences: HashMap<&str, u32> = HashMap::new();
            for layer in &block.layers {
                let occurrence = occurrences.entry(&layer.name).or_default();
                let next = means.len();
                let offset = *positions.entry((&layer.name, *occurrence)).or_insert(next);
                *occurrence += 1;
                if offset == next {
                    means.push((layer.clone(), 0.0, 0));
                }
                if layer.executed() {
                    let (known, sum, count) = &mut means[offset];
                    if !known.executed() {
                        *known = layer.clone();
                    }
                    *sum += layer.milliseconds;
                    *count += 1;
                }
            }
        }
        means
            .into_iter()
            .map(|(layer, sum, count)| MeanLayer {
                layer,
                mean_ns: (count > 0).then(|| sum / f64::from(count) * 1e6),
            })
            .collect()
    }
}
