//! Which values of an input are valid for the operators that read it: an index lies in its
//! table, a size is positive, axes differ.

use super::readers::{Reader, readers};
use crate::model::graph::{Graph, Node};
use crate::model::tensor_table::TensorTable;

/// Values that readers accept.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::model) enum ValidValues {
    /// Whole numbers from 0 to below it.
    Below(u64),
    /// These, repeated.
    These(Vec<f64>),
}

impl ValidValues {
    /// Values valid for both. Exact values win over a bound: they cannot be drawn.
    fn and(self, other: ValidValues) -> ValidValues {
        match (self, other) {
            (ValidValues::Below(a), ValidValues::Below(b)) => ValidValues::Below(a.min(b)),
            (ValidValues::Below(_), these) | (these, _) => these,
        }
    }
}

/// Values that the readers of an input accept; `None` where any value will do.
pub(in crate::model) fn valid_values(
    graph: &Graph,
    tensors: &TensorTable,
    name: &str,
) -> Option<ValidValues> {
    let readers = readers(graph, Some(tensors), name);
    readers.iter().filter_map(of_reader).reduce(ValidValues::and)
}

/// Beyond the end of any axis, in 32 bits as well.
const END: f64 = i32::MAX as f64;

/// Values that one reader accepts.
fn of_reader(reader: &Reader) -> Option<ValidValues> {
    use ValidValues::{Below, These};
    let Reader { node, position, .. } = *reader;
    let shape = |input: usize| reader.shape(input);
    // Elements of a list, such as one of axes.
    let length = || shape(position).map_or(1, |shape| shape.iter().product::<u64>());
    // Axes differ from each other; nobody has more than 64.
    let places = || These((0..length().min(64)).map(|place| place as f64).collect());
    let sizes = |shape: &[u64]| These(shape.iter().map(|&size| size as f64).collect());
    let this = |number: f64| Some(These(vec![number]));
    let operator_type = node.operator_type.as_str();
    match (operator_type, position) {
        ("Gather" | "GatherElements" | "Scatter" | "ScatterElements", 1) => {
            axis_size(node, shape(0)?).map(Below)
        }
        ("GatherND" | "ScatterND", 1) => Some(Below(shape(0)?.iter().copied().min()?)),
        ("ArrayFeatureExtractor", 1) => shape(0)?.last().copied().map(Below),
        ("RoiAlign", 2) | ("MaxUnpool", 1) => Some(Below(1)),
        // Sizes, counts, steps, divisors and scales.
        ("ConstantOfShape" | "Loop" | "HannWindow" | "HammingWindow" | "BlackmanWindow", 0)
        | ("OneHot" | "Expand" | "Tile" | "TopK" | "CenterCropPad" | "Upsample", 1)
        | ("QuantizeLinear" | "DequantizeLinear" | "DFT" | "STFT" | "SplitToSequence", 1)
        | ("Range", 1 | 2)
        | ("Resize", 2)
        | ("Slice" | "BatchNormalization", 4)
        | ("Div" | "Mod", 1) => this(1.0),
        // All of what is as long as it can be.
        ("RNN" | "GRU" | "LSTM", 4) => {
            let time = if node.int("layout") == Some(1) { 1 } else { 0 };
            this(shape(0).and_then(|shape| shape.get(time).copied()).unwrap_or(1) as f64)
        }
        ("ReverseSequence", 1) => {
            let time = usize::try_from(node.int("time_axis").unwrap_or(0)).ok()?;
            this(shape(0).and_then(|shape| shape.get(time).copied()).unwrap_or(1) as f64)
        }
        // As long as the window that it is weighted by.
        ("STFT", 3) => this(shape(2).map_or(1, |shape| shape.iter().product::<u64>()) as f64),
        // From the first to the last, so that something is left.
        ("Range", 0) | ("Slice", 1) | ("CumSum", 1) | ("Trilu", 1) => this(0.0),
        ("Slice", 2) => Some(These(ends(reader, length()))),
        // Any other size might not fit what reads it.
        ("Pad", 1) => this(0.0),
        ("SequenceAt" | "SequenceErase", 1) | ("SequenceInsert", 2) => this(0.0),
        // Nothing is dropped, as when a model is used.
        ("Dropout", 1 | 2) => this(0.0),
        // Boxes per class, overlap and least score, which is below any: boxes are left.
        ("NonMaxSuppression", 2) => this(10.0),
        ("NonMaxSuppression", 3) => this(0.5),
        ("NonMaxSuppression", 4) => this(-END),
        ("Unsqueeze", 1) | ("Slice" | "Pad", 3) => Some(places()),
        (reduction, 1) if reduction.starts_with("Reduce") => Some(places()),
        ("Squeeze", 1) => {
            let places = (0..).zip(shape(0)?);
            let of_one: Vec<f64> = places
                .filter(|(_, size)| **size == 1)
                .map(|(place, _): (u32, _)| f64::from(place))
                .collect();
            (!of_one.is_empty()).then_some(These(of_one))
        }
        // Its own shape, or else the last axis takes what the others leave.
        ("Reshape", 1) => match shape(0) {
            Some(shape) if shape.len() as u64 == length() => Some(sizes(shape)),
            _ => {
                let mut sizes = vec![1.0; length().clamp(1, 64) as usize];
                *sizes.last_mut()? = -1.0;
                Some(These(sizes))
            }
        },
        ("Resize", 3) => Some(sizes(shape(0)?)),
        ("Split", 1) => {
            let (size, parts) = (axis_size(node, shape(0)?)?, length().clamp(1, 1024));
            let mut sizes = vec![(size / parts) as f64; parts as usize];
            // Parts have to add up to the axis.
            *sizes.last_mut()? += (size % parts) as f64;
            Some(These(sizes))
        }
        _ => None,
    }
}

/// Ends of the first `count` axes that a Slice cuts: all of each axis.
fn ends(reader: &Reader, count: u64) -> Vec<f64> {
    let shape = reader.shape(0);
    let axis = |number: u64| match reader.numbers(3) {
        Some(axes) => axes.get(number as usize).map(|&axis| axis as i64),
        None => i64::try_from(number).ok(),
    };
    let end = |number: u64| {
        let (shape, axis) = (shape?, axis(number)?);
        let axis = if axis < 0 { axis + shape.len() as i64 } else { axis };
        shape.get(usize::try_from(axis).ok()?).map(|&size| size as f64)
    };
    (0..count.clamp(1, 64)).map(|number| end(number).unwrap_or(END)).collect()
}

/// The size of the axis that a node works along.
fn axis_size(node: &Node, shape: &[u64]) -> Option<u64> {
    let axis = node.int("axis").unwrap_or(0);
    let axis = if axis < 0 { axis + shape.len() as i64 } else { axis };
    shape.get(usize::try_from(axis).ok()?).copied()
}
