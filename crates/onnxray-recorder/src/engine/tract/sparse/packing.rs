//! Puts columns x inputs into panels, in place of the engine's own packing.

use onnxray_sparse::Kernel;
use tract_onnx::prelude::*;
use tract_onnx::tract_hir::internal::*;

/// Packs for all products that read the same columns.
#[derive(Clone, Debug)]
pub(super) struct SparsePacking {
    pub(super) kernel: Kernel,
    pub(super) columns: usize,
    pub(super) inputs: usize,
}

impl SparsePacking {
    fn len(&self) -> usize {
        self.kernel.packed_len(self.columns, self.inputs)
    }
}

impl PartialEq for SparsePacking {
    fn eq(&self, other: &Self) -> bool {
        (self.columns, self.inputs) == (other.columns, other.inputs)
            && self.kernel.instruction_set() == other.kernel.instruction_set()
    }
}

impl Eq for SparsePacking {}

impl Op for SparsePacking {
    fn name(&self) -> StaticName {
        "SparsePacking".into()
    }

    op_as_typed_op!();
}

impl EvalOp for SparsePacking {
    op_out_of_plan!();

    fn eval(&self, _: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        let mut panels = Tensor::zero::<f32>(&[self.len()])?;
        let data = inputs[0].try_as_plain_ram()?;
        let mut written = panels.try_as_plain_ram_mut()?;
        self.kernel.pack(data.as_slice::<f32>()?, self.inputs, written.as_slice_mut::<f32>()?);
        Ok(tvec!(panels.into_tvalue()))
    }
}

impl TypedOp for SparsePacking {
    as_op!();

    fn output_facts(&self, _: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        Ok(tvec!(f32::fact([self.len()])))
    }
}
