//! What tract's executed graph looks like: which nodes run, what their kernels
//! do, which bodies they hold.
//!
//! All knowledge of tract's operators by name or type is here.

use super::sparse::SparseProduct;
use onnxray_format::DataType;
use std::collections::HashSet;
use tract_onnx::prelude::*;
use tract_onnx::tract_core::ops::Cost;
use tract_onnx::tract_core::ops::binary::OptBinChain;
use tract_onnx::tract_core::ops::konst::Const;
use tract_onnx::tract_core::ops::logic::IfThenElse;
use tract_onnx::tract_core::ops::matmul::optimized::{OptMatMul, ProtoFusedSpec};
use tract_onnx::tract_core::ops::scan::{OptScan, Scan};
use tract_onnx::tract_core::ops::source::TypedSource;

/// The nodes that a run evaluates, in an order that respects their inputs:
/// constants and inputs are values, not work.
pub(super) fn executed_nodes(model: &TypedModel) -> TractResult<Vec<usize>> {
    let mut order = model.eval_order()?;
    order.retain(|&id| {
        let node = model.node(id);
        !node.op_is::<Const>() && !node.op_is::<TypedSource>()
    });
    Ok(order)
}

/// A graph that a node runs inside itself.
pub(super) struct Body<'a> {
    /// The ONNX attribute that holds it.
    pub(super) attribute: &'static str,
    pub(super) model: &'a TypedModel,
    /// How often one execution of the node runs it; unknown for a branch.
    pub(super) runs: Option<u64>,
}

/// The bodies of a node of the optimized model, in the order of execution.
pub(super) fn bodies<'a>(model: &TypedModel, node: &'a TypedNode) -> Vec<Body<'a>> {
    if let Some(scan) = node.op_as::<OptScan>() {
        let runs = model
            .node_input_facts(node.id)
            .ok()
            .and_then(|facts| scan.iteration_count(&facts))
            .and_then(|count| count.to_i64().ok())
            // A count that is symbolic or negative is unknown.
            .and_then(|count| u64::try_from(count).ok());
        vec![Body { attribute: "body", model: scan.plan.model(), runs }]
    } else if let Some(branch) = node.op_as::<IfThenElse>() {
        vec![
            Body { attribute: "then_branch", model: &branch.then_body, runs: None },
            Body { attribute: "else_branch", model: &branch.else_body, runs: None },
        ]
    } else {
        vec![]
    }
}

/// The bodies of a node before optimization.
pub(super) fn typed_bodies(node: &TypedNode) -> Vec<(&'static str, &TypedModel)> {
    if let Some(scan) = node.op_as::<Scan>() {
        vec![("body", &scan.body)]
    } else if let Some(branch) = node.op_as::<IfThenElse>() {
        vec![("then_branch", &branch.then_body), ("else_branch", &branch.else_body)]
    } else {
        vec![]
    }
}

/// Kinds of kernels that matter for matching them to ONNX nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KernelKind {
    /// Multiplies and adds along an axis: matrix products, convolutions.
    Contraction,
    /// Moves data: reshapes, packs, pads.
    Layout,
    Other,
}

pub(super) fn kernel_kind(node: &TypedNode) -> KernelKind {
    #[rustfmt::skip] // one a line would take pages
    const CONTRACTIONS: [&str; 8] = [
        "OptMatMul", "SparseMatMul", "DepthWiseConv", "Conv", "Deconv", "DeconvSum", "EinSum",
        "QuantizedMatMul",
    ];
    #[rustfmt::skip] // one a line would take pages
    const LAYOUTS: [&str; 17] = [
        "IntoShape", "AddAxis", "RmAxis", "MoveAxis", "Reshape", "OptMatMulPack", "SparsePacking", "Pad",
        "LazyIm2col", "Im2col", "MultiBroadcastTo", "Slice", "OptMultiBroadcastTo", "Identity",
        "Downsample", "OffsetU8asI8", "Concat",
    ];
    let name = node.op.name();
    if CONTRACTIONS.contains(&&*name) {
        KernelKind::Contraction
    } else if LAYOUTS.contains(&&*name) {
        KernelKind::Layout
    } else {
        KernelKind::Other
    }
}

/// Numbers of arithmetic operations that a kernel does beyond its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fused {
    /// On its operands, before its own.
    pub(super) before: usize,
    /// On its result.
    pub(super) after: usize,
}

pub(super) fn fused(node: &TypedNode) -> Fused {
    if let Some(product) = node.op_as::<OptMatMul>() {
        let after = product.micro_ops.iter().filter(|op| is_arithmetic(op)).count();
        Fused { before: 0, after }
    } else if let Some(product) = node.op_as::<SparseProduct>() {
        Fused { before: 0, after: product.fused() }
    } else if let Some(chain) = node.op_as::<OptBinChain>() {
        // One of the steps is the kernel's own operation.
        Fused { before: chain.steps.len().saturating_sub(1), after: 0 }
    } else {
        Fused::default()
    }
}

fn is_arithmetic(op: &ProtoFusedSpec) -> bool {
    !matches!(op, ProtoFusedSpec::AddMatMul { .. } | ProtoFusedSpec::Store(_))
}

/// Multiply-adds of one execution, by tract's own count.
pub(super) fn multiply_adds(model: &TypedModel, node: &TypedNode) -> u64 {
    let costs = model.node_input_facts(node.id).and_then(|facts| node.op.cost(&facts));
    costs
        .unwrap_or_default()
        .iter()
        .filter(|(cost, _)| matches!(cost, Cost::FMA(_)))
        .filter_map(|(_, count)| count.to_i64().ok())
        .map(|count| count.max(0) as u64)
        .sum()
}

/// FLOPs of one execution of a kernel that no single ONNX node describes, such
/// as a part of an LSTM: products by tract's count of multiply-adds, arithmetic
/// at one per element of the result, data movement none.
pub(super) fn kernel_flops(model: &TypedModel, node: &TypedNode) -> Option<u64> {
    let results = || -> Option<u64> {
        let fact = &node.outputs.first()?.fact;
        fact_shape(fact)?.iter().try_fold(1u64, |product, &size| product.checked_mul(size))
    };
    match kernel_kind(node) {
        KernelKind::Layout => Some(0),
        KernelKind::Contraction => {
            let arithmetic = fused(node).after as u64 * results()?;
            // A multiply-add is two FLOPs: docs/statistics.md#cost.
            Some(2 * multiply_adds(model, node) + arithmetic)
        }
        KernelKind::Other => match &*node.op.name() {
            // Three sigmoids, two tanh, three products and a sum per element.
            "LstmEpilogue" => Some(9 * results()?),
            "Scan" | "IfThenElse" | "Cast" | "Gather" => Some(0),
            "Sigmoid" | "Tanh" | "Add" | "Sub" | "Mul" | "Div" | "Max" | "Min" => results(),
            name if name.starts_with("Opt") && name.ends_with("Unicast") => results(),
            name if name.starts_with("Opt") && name.ends_with("ByScalar") => results(),
            _ if node.op_is::<OptBinChain>() => Some((fused(node).before as u64 + 1) * results()?),
            _ => None,
        },
    }
}

/// Bytes that one execution of a kernel reads and writes, each tensor once; `None` if a size is
/// unknown. Packed matrices count as the engine holds them, with what fills them up to whole panels.
pub(super) fn kernel_bytes(model: &TypedModel, node: &TypedNode) -> Option<u64> {
    let mut seen = HashSet::new();
    let inputs = node.inputs.iter().filter(|outlet| seen.insert(**outlet));
    let read = total(inputs.map(|&outlet| fact_bytes(model.outlet_fact(outlet).ok()?)))?;
    let written = total(node.outputs.iter().map(|output| fact_bytes(&output.fact)))?;
    // Two packs note where the elements lie, and the product behind them reads them there. Of the
    // one that tract calls a panel with strides, it says that it has no bytes.
    let is_noted = written == 0 || node.op.name() == "LazyIm2col";
    if is_noted { Some(0) } else { read.checked_add(written) }
}

fn total(mut sizes: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    sizes.try_fold(0u64, |sum, size| sum.checked_add(size?))
}

/// Size of a tensor as the engine holds it; `None` if it is not fixed.
fn fact_bytes(fact: &TypedFact) -> Option<u64> {
    let sizes = fact.shape.as_concrete()?;
    let count = sizes.iter().try_fold(1u64, |product, &size| product.checked_mul(size as u64))?;
    match fact.exotic_fact() {
        // Its shape is that of a batch of such matrices.
        Some(packed) => u64::try_from(packed.mem_size().to_i64().ok()?).ok()?.checked_mul(count),
        None => data_type(fact.datum_type).bytes_of(count),
    }
}

/// The shape of a fact; `None` if it is not fixed or if the tensor is in a form
/// of the engine's own, such as a packed matrix.
pub(super) fn fact_shape(fact: &TypedFact) -> Option<Vec<u64>> {
    if fact.is_exotic() {
        return None;
    }
    fact.shape.as_concrete().map(|shape| shape.iter().map(|&size| size as u64).collect())
}

pub(super) fn data_type(datum_type: DatumType) -> DataType {
    match datum_type.unquantized() {
        DatumType::F64 => DataType::Fp64,
        DatumType::F32 => DataType::Fp32,
        DatumType::F16 => DataType::Fp16,
        DatumType::I64 | DatumType::TDim => DataType::S64,
        DatumType::I32 => DataType::S32,
        DatumType::I16 => DataType::S16,
        DatumType::I8 => DataType::S8,
        DatumType::U64 => DataType::U64,
        DatumType::U32 => DataType::U32,
        DatumType::U16 => DataType::U16,
        DatumType::U8 => DataType::U8,
        DatumType::Bool => DataType::Bool,
        DatumType::String => DataType::String,
        _ => DataType::Other,
    }
}
