//! Which products can skip zeros, and why the others cannot.

use super::product::{FusedOperand, FusedStep, Layout, SparseProduct};
use onnxray_sparse::{Arithmetic, BLOCK_OUTPUTS, Kernel, Weight, WeightError, zero_share};
use std::sync::Arc;
use thiserror::Error;
use tract_linalg::BinOp;
use tract_linalg::mmm::MMMInputValue;
use tract_linalg::pack::PackedFormat;
use tract_onnx::prelude::*;
use tract_onnx::tract_core::ops::matmul::optimized::{
    AddMatMulGeometry, MatMulOperand, OptMatMul, ProtoFusedSpec,
};
use tract_onnx::tract_core::ops::matmul::pack::OptMatMulPack;

/// Why a product runs dense.
#[derive(Clone, Debug, PartialEq, Error)]
pub(super) enum Dense {
    #[error("neither side is constant")]
    NoConstant,
    #[error("its weight is a batch of matrices")]
    BatchedWeight,
    #[error("it does not compute in fp32")]
    Type,
    #[error("its shape is not fixed")]
    Shape,
    #[error("it is more than a pointwise convolution")]
    Window,
    #[error("its input or its result lies otherwise than the kernels read and write it")]
    Layout,
    #[error("{0} is fused into it, which the kernels lack")]
    Fused(String),
    #[error("{0}")]
    Weight(#[from] WeightError),
    #[error("the engine does not give its weight back: {0}")]
    Packed(String),
    #[error("{:.1} % of its blocks of 4x1 are zero, below {:.1} %", 100.0 * .is, 100.0 * .least)]
    Share { is: f64, least: f64 },
}

/// A product that can be replaced.
pub(super) struct Candidate {
    pub(super) product: SparseProduct,
    /// The node that packs its columns, and what that reads.
    pub(super) packing: usize,
    pub(super) source: OutletId,
}

/// What replaces a node, if at least this share of its weight's blocks is zero.
pub(super) fn candidate(
    model: &TypedModel,
    node: &TypedNode,
    kernel: Kernel,
    least: f64,
) -> Result<Candidate, Dense> {
    let product = node.op_as::<OptMatMul>().ok_or(Dense::Layout)?;
    let [ProtoFusedSpec::AddMatMul { geo, a, b, .. }, fused @ .., ProtoFusedSpec::Store(_)] =
        product.micro_ops.as_slice()
    else {
        return Err(Dense::Fused("another product".to_string()));
    };
    let sides = sides((model, node), product, geo, (a, b))?;
    let shape = product.c_fact.shape.as_concrete().ok_or(Dense::Shape)?;
    if product.c_fact.datum_type != f32::datum_type() {
        return Err(Dense::Type);
    }
    let packing = node.inputs[sides.data].node;
    let pack = model.node(packing);
    if !pack.op_is::<OptMatMulPack>() {
        return Err(Dense::Window);
    }
    let source = *pack.inputs.first().ok_or(Dense::Layout)?;
    let rows = rows(sides.weight)?;
    let (outputs, inputs) = (sides.weight.mn(), sides.weight.k());
    let is = zero_share(&rows, inputs);
    if outputs.is_multiple_of(BLOCK_OUTPUTS) && is < least {
        return Err(Dense::Share { is, least });
    }
    let weight = Weight::new(&rows, outputs, inputs)?;
    let given = of_packing(model, pack, source)?;
    let (layout, columns, batches) = laid_out(&given, shape, &sides, (outputs, inputs))?;
    let all = (outputs, columns, shape.iter().product());
    let fused = fused.iter().map(|step| fused_step(model, node, step, sides.weight_is_left, all));
    let product = SparseProduct {
        kernel,
        weight: Arc::new(weight),
        fact: product.c_fact.clone(),
        layout,
        columns,
        batches,
        data: sides.data,
        steps: fused.collect::<Result<_, _>>()?,
    };
    Ok(Candidate { product, packing, source })
}

/// The operands of a product, told apart.
struct Sides<'a> {
    weight: &'a dyn MMMInputValue,
    /// Whether rows of the engine's result are outputs.
    weight_is_left: bool,
    /// Which input has the columns.
    data: usize,
    output_axis: Option<usize>,
    column_axis: Option<usize>,
}

fn sides<'a>(
    (model, node): (&TypedModel, &TypedNode),
    product: &OptMatMul,
    geometry: &AddMatMulGeometry,
    (a, b): (&'a MatMulOperand, &'a MatMulOperand),
) -> Result<Sides<'a>, Dense> {
    let fact = |input: usize| model.outlet_fact(node.inputs[input]).ok();
    let is_constant = |input: usize| fact(input).is_some_and(|fact| fact.konst.is_some());
    let is_packed = |input: usize| model.node(node.inputs[input].node).op_is::<OptMatMulPack>();
    let (rows, columns) = (product.c_m_axis, product.c_n_axis);
    let (weight, data, weight_is_left, batches) = match (a, b) {
        (MatMulOperand::Const(weight), MatMulOperand::Input(data)) => {
            (weight, *data, true, &geometry.c_to_a_axis_mapping)
        }
        (MatMulOperand::Input(data), MatMulOperand::Const(weight)) => {
            (weight, *data, false, &geometry.c_to_b_axis_mapping)
        }
        // The engine takes a constant in if it is one matrix.
        (MatMulOperand::Input(a), MatMulOperand::Input(b))
            if is_constant(*a) || is_constant(*b) =>
        {
            let data = if is_constant(*a) { *b } else { *a };
            return Err(if is_packed(data) { Dense::BatchedWeight } else { Dense::Window });
        }
        _ => return Err(Dense::NoConstant),
    };
    if !batches.0.is_empty() {
        return Err(Dense::BatchedWeight);
    }
    let (output_axis, column_axis) = if weight_is_left { (rows, columns) } else { (columns, rows) };
    Ok(Sides { weight: &**weight, weight_is_left, data, output_axis, column_axis })
}

/// Outputs x inputs of a weight that the engine has packed.
fn rows(weight: &dyn MMMInputValue) -> Result<Vec<f32>, Dense> {
    let format = weight.format().downcast_ref::<PackedFormat>();
    if format.is_none_or(|format| format.dt != f32::datum_type()) {
        return Err(Dense::Type);
    }
    let inputs = weight.k();
    let mut rows = vec![0.0; weight.mn() * inputs];
    for (output, row) in rows.chunks_exact_mut(inputs.max(1)).enumerate() {
        let read = weight.extract_at_mn_f32(output, row);
        read.map_err(|error| Dense::Packed(error.to_string()))?;
    }
    Ok(rows)
}

/// Shape of what is packed, and the axes of its inputs and of its columns.
struct Given {
    shape: TVec<usize>,
    inputs: usize,
    columns: usize,
}

fn of_packing(model: &TypedModel, pack: &TypedNode, source: OutletId) -> Result<Given, Dense> {
    let fact = model.outlet_fact(source).map_err(|_| Dense::Layout)?;
    if fact.datum_type != f32::datum_type() {
        return Err(Dense::Type);
    }
    if fact.is_exotic() {
        return Err(Dense::Layout);
    }
    let shape = fact.shape.as_concrete().ok_or(Dense::Shape)?;
    // Its fields are private: the names of the axes tell them.
    let outputs = [&pack.outputs[0].fact];
    let axes = pack.op.axes_mapping(&[fact], &outputs).map_err(|_| Dense::Layout)?;
    let axis = |name: char| {
        let axis = axes.axis(name).ok()?;
        axis.inputs.first()?.first().copied()
    };
    let (inputs, columns) = axis('K').zip(axis('M')).ok_or(Dense::Layout)?;
    Ok(Given { shape: shape.into(), inputs, columns })
}

/// How columns and result lie, the columns of a product, and how many products there are.
fn laid_out(
    given: &Given,
    result: &[usize],
    sides: &Sides,
    (outputs, inputs): (usize, usize),
) -> Result<(Layout, usize, usize), Dense> {
    let columns = given.shape[given.columns];
    let of_result = |axis: Option<usize>| axis.map_or(1, |axis| result[axis]);
    let fits = given.shape[given.inputs] == inputs
        && of_result(sides.output_axis) == outputs
        && of_result(sides.column_axis) == columns;
    // Axes behind the last of the two would part elements that lie together.
    let none_behind =
        |shape: &[usize], last: usize| shape[last + 1..].iter().all(|&size| size == 1);
    // So would axes between them.
    let none_between = |shape: &[usize], one: usize, other: usize| {
        shape[one.min(other) + 1..one.max(other)].iter().all(|&size| size == 1)
    };
    let result_last = sides.output_axis.max(sides.column_axis);
    let lies = none_behind(&given.shape, given.inputs.max(given.columns))
        && none_between(&given.shape, given.inputs, given.columns)
        && result_last.is_none_or(|last| none_behind(result, last))
        && sides
            .output_axis
            .zip(sides.column_axis)
            .is_none_or(|(output, column)| none_between(result, output, column));
    if !fits || !lies {
        return Err(Dense::Layout);
    }
    let all: usize = result.iter().product();
    let batches = all.checked_div(outputs * columns).unwrap_or(1);
    if given.shape.iter().product::<usize>() != batches * columns * inputs {
        return Err(Dense::Layout);
    }
    let tokens_in = columns == 1 || given.columns < given.inputs;
    let pixels_in = columns == 1 || given.inputs < given.columns;
    let order = sides.output_axis.zip(sides.column_axis).filter(|_| columns > 1 && outputs > 1);
    let tokens_out = order.is_none_or(|(output, column)| column < output);
    let pixels_out = order.is_none_or(|(output, column)| output < column);
    match () {
        // One column after the other, over all batches.
        () if tokens_in && tokens_out => Ok((Layout::Panels, batches * columns, 1)),
        () if pixels_in && pixels_out => Ok((Layout::Pixels, columns, batches)),
        () => Err(Dense::Layout),
    }
}

fn fused_step(
    model: &TypedModel,
    node: &TypedNode,
    step: &ProtoFusedSpec,
    weight_is_left: bool,
    (outputs, columns, elements): (usize, usize, usize),
) -> Result<FusedStep, Dense> {
    let (arithmetic, operand, input) = match step {
        ProtoFusedSpec::BinScalar(input, op) => (arithmetic(*op), FusedOperand::Product, *input),
        ProtoFusedSpec::LeakyRelu(input) => (Arithmetic::LeakyRelu, FusedOperand::Product, *input),
        ProtoFusedSpec::BinPerRow(input, op, _) if weight_is_left => {
            (arithmetic(*op), FusedOperand::Output, *input)
        }
        ProtoFusedSpec::BinPerCol(input, op, _) if !weight_is_left => {
            (arithmetic(*op), FusedOperand::Output, *input)
        }
        ProtoFusedSpec::BinPerRow(input, op, _) | ProtoFusedSpec::BinPerCol(input, op, _) => {
            (arithmetic(*op), FusedOperand::Column, *input)
        }
        ProtoFusedSpec::AddUnicast(_, input, _) => (Arithmetic::Add, FusedOperand::Element, *input),
        ProtoFusedSpec::AddMatMul { .. } => {
            return Err(Dense::Fused("another product".to_string()));
        }
        ProtoFusedSpec::AddRowColProducts(..) => {
            return Err(Dense::Fused("a product of vectors".to_string()));
        }
        ProtoFusedSpec::Scaler(_) => return Err(Dense::Fused("a scale".to_string())),
        ProtoFusedSpec::Store(_) => return Err(Dense::Fused("another result".to_string())),
    };
    let fact = model.outlet_fact(node.inputs[input]).map_err(|_| Dense::Shape)?;
    let shape = fact.shape.as_concrete().filter(|_| !fact.is_exotic()).ok_or(Dense::Shape)?;
    let wanted = match operand {
        FusedOperand::Product => 1,
        FusedOperand::Output => outputs,
        FusedOperand::Column => columns,
        FusedOperand::Element => elements,
    };
    if fact.datum_type != f32::datum_type() {
        return Err(Dense::Type);
    }
    if shape.iter().product::<usize>() != wanted {
        return Err(Dense::Fused("a tensor of another shape".to_string()));
    }
    Ok(FusedStep { arithmetic, operand, input })
}

/// The engine has the operand first.
fn arithmetic(op: BinOp) -> Arithmetic {
    match op {
        BinOp::Add => Arithmetic::Add,
        BinOp::Mul => Arithmetic::Multiply,
        BinOp::Max => Arithmetic::Max,
        BinOp::Min => Arithmetic::Min,
        BinOp::Sub => Arithmetic::SubtractFrom,
        BinOp::SubF => Arithmetic::Subtract,
    }
}
