//! Follows the axes of inputs through a graph, and notes what nodes do along them.

use super::axis::{Axis, broadcast, of_input};
use super::evidence::{Evidence, Says};
use super::sizes::{Sizes, reshaped};
use crate::model::graph::{Graph, Node};
use std::collections::HashMap;

/// Statements of all nodes of a graph, those of bodies included.
pub(super) fn evidence(graph: &Graph) -> Evidence {
    let mut follower = Follower::default();
    for (number, input) in graph.inputs.iter().enumerate() {
        follower.set(Some(&input.name), of_input(number, input));
    }
    follower.follow(graph);
    follower.evidence
}

#[derive(Default)]
struct Follower {
    axes: HashMap<String, Vec<Axis>>,
    sizes: Sizes,
    evidence: Evidence,
}

impl Follower {
    fn follow(&mut self, graph: &Graph) {
        for node in &graph.nodes {
            for (_, body) in &node.bodies {
                self.follow(body);
            }
            let shape = node.input(0).and_then(|name| self.known(graph, name));
            self.sizes.follow(graph, node, shape.as_deref());
            self.node(graph, node);
        }
    }

    fn set(&mut self, name: Option<&str>, axes: Option<Vec<Axis>>) {
        if let (Some(name), Some(axes)) = (name, axes) {
            self.axes.insert(name.to_string(), axes);
        }
    }

    /// The axes of a tensor, if its rank is known.
    fn known(&self, graph: &Graph, name: &str) -> Option<Vec<Axis>> {
        let constant = || {
            let shape = &graph.constant(name)?.shape;
            Some(shape.iter().map(|&size| Axis::of_size(Some(size))).collect())
        };
        self.axes.get(name).cloned().or_else(constant)
    }

    fn note(&mut self, axes: &[Axis], places: impl IntoIterator<Item = usize>, says: Says) {
        for axis in places.into_iter().filter_map(|place| axes.get(place)) {
            self.evidence.note(axis, says);
        }
    }

    /// The first axis is the batch, and the others are something else.
    fn batch_first(&mut self, axes: &[Axis]) {
        self.note(axes, [0], Says::Batch);
        self.note(axes, 1..axes.len(), Says::Other);
    }

    fn node(&mut self, graph: &Graph, node: &Node) {
        let input = |index: usize| self.known(graph, node.input(index)?);
        let first = input(0);
        let made = match node.operator_type.as_str() {
            "MatMul" | "MatMulInteger" | "FusedMatMul" | "MatMulNBits" => {
                let other = input(1);
                self.product(first, other, is_fixed(graph, node, 1))
            }
            "QLinearMatMul" => {
                let other = input(3);
                self.product(first, other, is_fixed(graph, node, 3))
            }
            "Gemm" => self.gemm(first, node, is_fixed(graph, node, 1)),
            "RNN" | "LSTM" | "GRU" => {
                let (states, lengths) = ([5, 6].map(input), input(4));
                return self.recurrence(node, first, states, lengths);
            }
            "Concat" => {
                let parts: Option<Vec<_>> = (0..node.inputs.len()).map(input).collect();
                parts.and_then(|parts| self.joined(node, parts))
            }
            // The indices' axes take the place of the one that is gathered along, as in an
            // embedding.
            "Gather" => {
                let indices = input(1);
                first.zip(indices).and_then(|(data, at)| self.gathered(node, &data, at))
            }
            "Scan" => {
                let scanned =
                    usize::try_from(node.int("num_scan_inputs").unwrap_or(0)).unwrap_or(0);
                let from = node.inputs.len().saturating_sub(scanned);
                let read: Vec<_> = (from..node.inputs.len()).map(input).collect();
                for (number, axes) in read.into_iter().enumerate() {
                    let axes = axes.unwrap_or_default();
                    let along = node.ints("scan_input_axes").and_then(|along| along.get(number));
                    let along = place(along.copied().unwrap_or(0), axes.len());
                    self.note(&axes, along, Says::Other);
                }
                None
            }
            "EmbedLayerNormalization" => {
                let ids = first.unwrap_or_default();
                self.batch_first(&ids);
                Some(ids.into_iter().chain([Axis::default()]).collect())
            }
            name if is_element_by_element(name) => {
                let read = node.inputs.iter().filter_map(|name| self.known(graph, name));
                read.reduce(|one, other| broadcast(&one, &other))
            }
            _ => first.and_then(|axes| self.unary(graph, node, axes)),
        };
        // Other outputs (indices, masks, statistics) have shapes of their own.
        let outputs = if node.operator_type == "Split" { node.outputs.len() } else { 1 };
        for output in node.outputs.iter().take(outputs) {
            self.set(Some(output.as_str()), made.clone());
        }
    }

    /// Axes of the result of an operator that reads one tensor; `None` if unknown.
    fn unary(&mut self, graph: &Graph, node: &Node, mut axes: Vec<Axis>) -> Option<Vec<Axis>> {
        let rank = axes.len();
        let at = |axis: i64| place(axis, rank);
        let own = |usual: i64| node.int("axis").unwrap_or(usual);
        let listed = |index: usize| axes_of(graph, node, index);
        match node.operator_type.as_str() {
            name if keeps_shape(name) => {
                match name {
                    "Softmax" | "LogSoftmax" | "Hardmax" | "LpNormalization" => {
                        self.note(&axes, at(own(-1)), Says::Other);
                    }
                    "LayerNormalization" | "RMSNormalization" | "SimplifiedLayerNormalization" => {
                        self.note(&axes, at(own(-1))?..rank, Says::Other);
                    }
                    "CumSum" => {
                        let along = graph.numbers(node.input(1)?).and_then(|axis| axis.first());
                        self.note(&axes, along.and_then(|&axis| at(axis as i64)), Says::Other);
                    }
                    "InstanceNormalization"
                    | "BatchNormalization"
                    | "GroupNormalization"
                    | "LRN" => self.batch_first(&axes),
                    "ReverseSequence" => {
                        let [batch, time] = [("batch_axis", 1), ("time_axis", 0)]
                            .map(|(name, usual)| at(node.int(name).unwrap_or(usual)));
                        self.note(&axes, batch, Says::Batch);
                        self.note(&axes, time, Says::Other);
                    }
                    "SkipLayerNormalization"
                    | "SkipSimplifiedLayerNormalization"
                    | "MultiHeadAttention"
                    | "GroupQueryAttention"
                    | "Attention"
                        if rank >= 3 =>
                    {
                        self.batch_first(&axes);
                    }
                    _ => {}
                }
                Some(axes)
            }
            // Filters run along the axes behind the channels.
            "Conv" | "ConvInteger" | "QLinearConv" | "ConvTranspose" | "FusedConv"
            | "DeformConv" => {
                self.batch_first(&axes);
                let along = axes.iter().skip(2).map(Axis::resized);
                let of_filters = [axes.first()?.clone(), Axis::default()];
                Some(of_filters.into_iter().chain(along).collect())
            }
            "MaxPool" | "AveragePool" | "LpPool" | "DepthToSpace" | "SpaceToDepth"
            | "GridSample" | "MaxUnpool" => {
                self.batch_first(&axes);
                let resized = axes.iter().skip(1).map(Axis::resized);
                Some(axes.iter().take(1).cloned().chain(resized).collect())
            }
            "GlobalAveragePool" | "GlobalMaxPool" | "GlobalLpPool" => {
                self.batch_first(&axes);
                axes.iter_mut().skip(2).for_each(|axis| *axis = Axis::of_size(Some(1)));
                Some(axes)
            }
            "NonMaxSuppression" | "STFT" | "RoiAlign" => {
                self.batch_first(&axes);
                None
            }
            "TreeEnsembleClassifier"
            | "TreeEnsembleRegressor"
            | "TreeEnsemble"
            | "LinearClassifier"
            | "LinearRegressor"
            | "SVMClassifier"
            | "SVMRegressor"
            | "FeatureVectorizer" => {
                self.batch_first(&axes);
                Some(vec![axes.first()?.clone(), Axis::default()])
            }
            "Resize" | "Upsample" | "Tile" => Some(axes.iter().map(Axis::resized).collect()),
            "Pad" => {
                let pads = node.input(1).and_then(|pads| graph.numbers(pads));
                // Unknown pads may be along any axis: sizes are gone, origins stay.
                let Some(pads) = pads.filter(|pads| pads.len() == 2 * rank) else {
                    return Some(axes.iter().map(Axis::resized).collect());
                };
                // With axes, pads count along these only; which they are is not followed.
                if listed(3).is_none() {
                    let is_padded = |axis: &usize| pads[*axis] != 0.0 || pads[rank + axis] != 0.0;
                    let padded: Vec<usize> = (0..rank).filter(is_padded).collect();
                    self.note(&axes, padded.iter().copied(), Says::Other);
                    padded.into_iter().for_each(|axis| axes[axis].size = None);
                }
                Some(axes)
            }
            "Transpose" => match node.ints("perm") {
                Some(order) => order.iter().map(|&axis| axes.get(at(axis)?).cloned()).collect(),
                None => Some(axes.into_iter().rev().collect()),
            },
            "Flatten" => match own(1) {
                1 => {
                    // What stands in front is kept as rows; the rest runs together into features.
                    self.note(&axes, [0], Says::Rows);
                    Some(vec![axes.first()?.clone(), Axis::default()])
                }
                _ => None,
            },
            "Unsqueeze" => {
                let added = listed(1)?;
                let rank = rank + added.len();
                let added: Vec<usize> =
                    added.iter().map(|&axis| place(axis, rank)).collect::<Option<_>>()?;
                let mut kept = axes.into_iter();
                let axis = |place: usize| match added.contains(&place) {
                    true => Some(Axis::of_size(Some(1))),
                    false => kept.next(),
                };
                (0..rank).map(axis).collect()
            }
            "Squeeze" => {
                let removed: Vec<usize> = match listed(1) {
                    Some(removed) => removed.iter().map(|&axis| at(axis)).collect::<Option<_>>()?,
                    None => (0..rank).filter(|&axis| axes[axis].size == Some(1)).collect(),
                };
                let kept = axes.into_iter().enumerate();
                Some(
                    kept.filter(|(axis, _)| !removed.contains(axis))
                        .map(|(_, axis)| axis)
                        .collect(),
                )
            }
            "Reshape" => Some(reshaped(&axes, &self.sizes.get(graph, node.input(1)?)?)),
            "Expand" => {
                let sizes = self.sizes.get(graph, node.input(1)?)?;
                let shape = sizes.iter().map(|size| Axis {
                    origins: size.origins.clone(),
                    size: size.value.and_then(|value| u64::try_from(value).ok()),
                });
                Some(broadcast(&axes, &shape.collect::<Vec<_>>()))
            }
            "Slice" => {
                let parted = match node.ints("axes") {
                    Some(parted) => parted.to_vec(),
                    None => listed(3).unwrap_or_else(|| (0..rank as i64).collect()),
                };
                let parted: Vec<usize> = parted.into_iter().filter_map(at).collect();
                self.note(&axes, parted.iter().copied(), Says::Parted);
                parted.into_iter().for_each(|axis| axes[axis].size = None);
                Some(axes)
            }
            "Split" => {
                let axis = at(own(0))?;
                self.note(&axes, [axis], Says::Parted);
                axes[axis].size = None;
                Some(axes)
            }
            "TopK" => {
                let axis = at(own(-1))?;
                self.note(&axes, [axis], Says::Other);
                axes[axis].size = None;
                Some(axes)
            }
            "OneHot" => {
                let axis = place(own(-1), rank + 1)?;
                axes.insert(axis, Axis::default());
                Some(axes)
            }
            "ArgMax" | "ArgMin" => self.reduced(node, axes, Some(vec![own(0)])),
            name if name.starts_with("Reduce") => {
                let reduced = listed(1);
                self.reduced(node, axes, reduced)
            }
            _ => None,
        }
    }

    /// Reductions along these axes, or along all.
    fn reduced(
        &mut self,
        node: &Node,
        mut axes: Vec<Axis>,
        along: Option<Vec<i64>>,
    ) -> Option<Vec<Axis>> {
        let rank = axes.len();
        // No axes, given or listed, are all axes, by ONNX's default.
        let along = along.filter(|along| !along.is_empty());
        let along = along.unwrap_or_else(|| (0..rank as i64).collect());
        let along: Vec<usize> = along.into_iter().filter_map(|axis| place(axis, rank)).collect();
        self.note(&axes, along.iter().copied(), Says::Other);
        for &axis in &along {
            axes[axis] = Axis::of_size(Some(1));
        }
        if node.int("keepdims") == Some(0) {
            let kept = axes.into_iter().enumerate();
            return Some(
                kept.filter(|(axis, _)| !along.contains(axis)).map(|(_, axis)| axis).collect(),
            );
        }
        Some(axes)
    }

    /// A product with a weight works on each row by itself; one of two tensors that depend on
    /// inputs, as in attention, makes rows depend on each other.
    fn product(
        &mut self,
        one: Option<Vec<Axis>>,
        other: Option<Vec<Axis>>,
        has_weight: bool,
    ) -> Option<Vec<Axis>> {
        let one = one?;
        let rank = one.len();
        let (rows, features) = (rank.checked_sub(2), rank.checked_sub(1));
        self.note(&one, features, Says::Other);
        // In a product of two matrices without a weight, the first axis is a row of one of them, as
        // in attention, and not an item.
        if rank >= 3 || has_weight && rank == 2 {
            self.note(&one, [0], Says::Rows);
        }
        if has_weight {
            let kept = one.into_iter().take(features?);
            return Some(kept.chain([Axis::default()]).collect());
        }
        let other = other?;
        let (columns, inner) = (other.len().checked_sub(1), other.len().checked_sub(2));
        self.note(&other, inner, Says::Other);
        if rank >= 3 {
            self.note(&one, rows, Says::Other);
            self.note(&other, columns, Says::Other);
        }
        let leading = broadcast(one.get(..rows?)?, other.get(..inner?)?);
        Some(leading.into_iter().chain([one[rows?].clone(), other[columns?].clone()]).collect())
    }

    fn gemm(&mut self, one: Option<Vec<Axis>>, node: &Node, has_weight: bool) -> Option<Vec<Axis>> {
        let one = one?;
        let rows = usize::from(node.int("transA") == Some(1));
        self.note(&one, [1 - rows], Says::Other);
        if has_weight {
            self.note(&one, [rows], Says::Rows);
        }
        Some(vec![one.get(rows)?.clone(), Axis::default()])
    }

    /// Time comes first, unless `layout` is 1.
    fn recurrence(
        &mut self,
        node: &Node,
        read: Option<Vec<Axis>>,
        states: [Option<Vec<Axis>>; 2],
        lengths: Option<Vec<Axis>>,
    ) {
        let is_batch_first = node.int("layout") == Some(1);
        let (batch, time) = if is_batch_first { (0, 1) } else { (1, 0) };
        for state in states.into_iter().flatten() {
            self.note(&state, [batch], Says::Batch);
            self.note(&state, [time, 2], Says::Other);
        }
        self.note(&lengths.unwrap_or_default(), [0], Says::Batch);
        let Some(read) = read.filter(|axes| axes.len() == 3) else { return };
        self.note(&read, [batch], Says::Batch);
        self.note(&read, [time, 2], Says::Other);
        let (batch, time) = (read[batch].clone(), read[time].clone());
        let [directions, hidden] = [Axis::default(), Axis::default()];
        let (all, last) = match is_batch_first {
            true => (
                vec![batch.clone(), time, directions.clone(), hidden.clone()],
                vec![batch, directions, hidden],
            ),
            false => (
                vec![time, directions.clone(), batch.clone(), hidden.clone()],
                vec![directions, batch, hidden],
            ),
        };
        self.set(node.output(0), Some(all));
        self.set(node.output(1), Some(last.clone()));
        self.set(node.output(2), Some(last));
    }

    fn joined(&mut self, node: &Node, parts: Vec<Vec<Axis>>) -> Option<Vec<Axis>> {
        let rank = parts.first()?.len();
        let axis = place(node.int("axis")?, rank)?;
        for part in &parts {
            self.note(part, [axis], Says::Parted);
        }
        let same = parts.iter().all(|part| part.len() == rank);
        let mut all = parts.into_iter().filter(|_| same).reduce(|a, b| broadcast(&a, &b))?;
        all[axis].size = None;
        Some(all)
    }

    fn gathered(&mut self, node: &Node, data: &[Axis], indices: Vec<Axis>) -> Option<Vec<Axis>> {
        let axis = place(node.int("axis").unwrap_or(0), data.len())?;
        self.note(data, [axis], Says::Parted);
        let (before, behind) = (data[..axis].to_vec(), data[axis + 1..].to_vec());
        Some([before, indices, behind].concat())
    }
}

/// Position of an axis, which may count from the end.
fn place(axis: i64, rank: usize) -> Option<usize> {
    let axis = if axis < 0 { axis + rank as i64 } else { axis };
    usize::try_from(axis).ok().filter(|&axis| axis < rank)
}

/// Axes listed by the attribute `axes` or, in newer operator sets, by an input.
fn axes_of(graph: &Graph, node: &Node, input: usize) -> Option<Vec<i64>> {
    let listed = || {
        let listed = graph.numbers(node.input(input)?)?;
        Some(listed.iter().map(|&axis| axis as i64).collect())
    };
    node.ints("axes").map(<[i64]>::to_vec).or_else(listed)
}

/// The input does not depend on the model's inputs.
fn is_fixed(graph: &Graph, node: &Node, input: usize) -> bool {
    node.input(input).is_some_and(|name| graph.constant(name).is_some() || graph.is_folded(name))
}

fn is_element_by_element(operator_type: &str) -> bool {
    #[rustfmt::skip] // one a line would take pages
    const THESE: [&str; 27] = [
        "Add", "Sub", "Mul", "Div", "Pow", "Mod", "Max", "Min", "Mean", "Sum", "And", "Or", "Xor",
        "Equal", "Greater", "Less", "GreaterOrEqual", "LessOrEqual", "Where", "PRelu", "BitShift",
        "BitwiseAnd", "BitwiseOr", "BitwiseXor", "BiasGelu", "QLinearAdd", "QLinearMul",
    ];
    THESE.contains(&operator_type)
}

fn keeps_shape(operator_type: &str) -> bool {
    #[rustfmt::skip]
    const THESE: [&str; 76] = [
        "Abs", "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Attention",
        "BatchNormalization", "Binarizer", "BitwiseNot", "Cast", "CastLike", "Ceil", "Celu", "Clip",
        "Cos", "Cosh", "CumSum", "DequantizeLinear", "Dropout", "DynamicQuantizeLinear", "Elu",
        "Erf", "Exp", "FastGelu", "Floor", "Gelu", "GroupNormalization", "GroupQueryAttention",
        "HardSigmoid", "HardSwish", "Hardmax", "Identity", "Imputer", "InstanceNormalization",
        "IsInf", "IsNaN", "LRN", "LabelEncoder", "LayerNormalization", "LeakyRelu", "Log",
        "LogSoftmax", "LpNormalization", "Mish", "MultiHeadAttention", "Neg", "Normalizer", "Not",
        "QuantizeLinear", "QuickGelu", "RMSNormalization", "Reciprocal", "Relu", "ReverseSequence",
        "Round", "Scaler", "Selu", "Shrink", "Sigmoid", "Sign", "SimplifiedLayerNormalization",
        "Sin", "Sinh", "SkipLayerNormalization", "SkipSimplifiedLayerNormalization", "Softmax",
        "Softplus", "Softsign", "Sqrt", "Swish", "Tan", "Tanh", "ThresholdedRelu", "Trilu",
    ];
    THESE.contains(&operator_type)
}
