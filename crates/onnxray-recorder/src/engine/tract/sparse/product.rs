//! A product whose weight is kept in blocks, with what the engine fused behind it.

use super::packing::SparsePacking;
use onnxray_native::rows;
use onnxray_sparse::{Arithmetic, BLOCK_OUTPUTS, Division, Kernel, Operand, Rows, Step, Weight};
use rayon::prelude::*;
use std::sync::Arc;
use tract_linalg::multithread::{Executor, current_tract_executor};
use tract_onnx::prelude::*;
use tract_onnx::tract_core::ops::Cost;
use tract_onnx::tract_hir::internal::*;

/// Multiply-adds below which handing parts to other threads takes longer than it saves.
const FEWEST_TO_SHARE: usize = 1 << 18;

/// In place of `OptMatMul`.
#[derive(Clone, Debug)]
pub(in crate::engine::tract) struct SparseProduct {
    pub(super) kernel: Kernel,
    pub(super) weight: Arc<Weight>,
    /// Of the result.
    pub(super) fact: TypedFact,
    pub(super) layout: Layout,
    pub(super) columns: usize,
    /// Products of the same weight, one after the other.
    pub(super) batches: usize,
    /// Which input has the columns.
    pub(super) data: usize,
    pub(super) steps: Vec<FusedStep>,
}

/// How columns and result lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// Panels of a packing that others read, too, make columns x outputs.
    Panels,
    /// Columns x inputs make columns x outputs.
    Tokens,
    /// Inputs x columns make outputs x columns.
    Pixels,
}

/// A step whose operand is an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FusedStep {
    pub(super) arithmetic: Arithmetic,
    pub(super) operand: FusedOperand,
    pub(super) input: usize,
}

/// What an operand has a value for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FusedOperand {
    Product,
    Output,
    Column,
    Element,
}

impl SparseProduct {
    /// The vector instructions that it runs with.
    pub(in crate::engine::tract) fn instructions(&self) -> String {
        self.kernel.instruction_set().to_string()
    }

    /// Steps that the engine fused behind the product.
    pub(in crate::engine::tract) fn fused(&self) -> usize {
        self.steps.len()
    }

    fn run(&self, inputs: &[TValue]) -> TractResult<Tensor> {
        let data = inputs[self.data].try_as_plain_ram()?;
        let data = data.as_slice::<f32>()?;
        let operands: Vec<&[f32]> = self
            .steps
            .iter()
            .map(|step| inputs[step.input].try_as_plain_ram()?.as_slice::<f32>())
            .collect::<TractResult<_>>()?;
        let shape = self.fact.shape.as_concrete().context("a fixed shape")?;
        let size = self.columns * self.weight.outputs();
        rows::tensor(shape, self.division(), |rows| {
            let parts = rows.len() / self.batches;
            let inputs = data.len() / self.batches;
            for (batch, rows) in rows.chunks_exact_mut(parts).enumerate() {
                let steps: Vec<Step> = self
                    .steps
                    .iter()
                    .zip(&operands)
                    .map(|(step, values)| step.with(values, batch, size))
                    .collect();
                self.multiply(&data[batch * inputs..][..inputs], &steps, rows);
            }
        })
    }

    fn division(&self) -> Division {
        match self.layout {
            Layout::Pixels => self.kernel.pixel_rows(&self.weight, self.columns),
            Layout::Panels | Layout::Tokens => self.kernel.token_rows(&self.weight, self.columns),
        }
    }

    fn multiply(&self, data: &[f32], steps: &[Step], rows: &mut [Rows]) {
        if self.layout == Layout::Pixels {
            self.share(rows, 1, |first, rows| {
                let first = first * BLOCK_OUTPUTS;
                self.kernel.pixels(&self.weight, data, self.columns, steps, first, rows);
            });
            return;
        }
        let width = self.kernel.panel_columns();
        let multiply = match self.layout {
            Layout::Panels => Kernel::packed_tokens,
            _ => Kernel::tokens,
        };
        self.share(rows, width / self.division().together, |first, rows| {
            multiply(self.kernel, &self.weight, data, self.columns, steps, first * width, rows);
        });
    }

    /// What packs the columns.
    pub(super) fn packing(&self) -> SparsePacking {
        let inputs = self.weight.inputs();
        SparsePacking { kernel: self.kernel, columns: self.columns, inputs }
    }

    /// Multiplies `rows` in parts, one for each thread that the engine has. A part has whole units of
    /// that many rows that are written together, and knows the number of the first one.
    fn share(&self, rows: &mut [Rows], unit: usize, part: impl Fn(usize, &mut [Rows]) + Sync) {
        let units = rows.len().div_ceil(unit);
        let kept = 1.0 - self.weight.zero_share();
        let products = self.columns * self.weight.outputs() * self.weight.inputs();
        let multiply_adds = kept * products as f64;
        match current_tract_executor() {
            Executor::MultiThread(pool)
                if pool.current_num_threads() > 1
                    && units > 1
                    && multiply_adds >= FEWEST_TO_SHARE as f64 =>
            {
                let units = units.div_ceil(pool.current_num_threads());
                pool.install(|| {
                    let parts = rows.par_chunks_mut(units * unit).enumerate();
                    parts.for_each(|(number, rows)| part(number * units, rows));
                });
            }
            _ => part(0, rows),
        }
    }
}

impl FusedStep {
    fn with<'a>(&self, values: &'a [f32], batch: usize, size: usize) -> Step<'a> {
        let operand = match self.operand {
            FusedOperand::Product => Operand::Scalar(values[0]),
            FusedOperand::Output => Operand::PerOutput(values),
            FusedOperand::Column => Operand::PerColumn(values),
            FusedOperand::Element => Operand::PerElement(&values[batch * size..][..size]),
        };
        Step { arithmetic: self.arithmetic, operand }
    }
}

impl PartialEq for SparseProduct {
    fn eq(&self, other: &Self) -> bool {
        (Arc::ptr_eq(&self.weight, &other.weight) || self.weight == other.weight)
            && self.kernel.instruction_set() == other.kernel.instruction_set()
            && self.fact == other.fact
            && (self.layout, self.columns, self.batches, self.data, &self.steps)
                == (other.layout, other.columns, other.batches, other.data, &other.steps)
    }
}

impl Eq for SparseProduct {}

impl Op for SparseProduct {
    fn name(&self) -> StaticName {
        "SparseMatMul".into()
    }

    op_as_typed_op!();
}

impl EvalOp for SparseProduct {
    op_out_of_plan!();

    fn eval(&self, _: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        Ok(tvec!(self.run(&inputs)?.into_tvalue()))
    }
}

impl TypedOp for SparseProduct {
    as_op!();

    fn output_facts(&self, _: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        Ok(tvec!(self.fact.clone()))
    }

    /// Of the dense product, so that skipping zeros does not make it another model.
    fn cost(&self, _: &[&TypedFact]) -> TractResult<TVec<(Cost, TDim)>> {
        let products = self.columns * self.batches * self.weight.outputs() * self.weight.inputs();
        Ok(tvec!((Cost::FMA(f32::datum_type()), products.to_dim())))
    }
}
