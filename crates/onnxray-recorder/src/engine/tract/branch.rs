//! Keeps an If's name on its way into the engine.
//!
//! tract calls every If it translates `If`, so that a model with two of them has
//! two nodes of one name, which it then refuses. This wrapper leaves all work to
//! tract's own operator and gives the result the ONNX node's name.

use tract_onnx::model::{Onnx, ParsingContext};
use tract_onnx::pb::NodeProto;
use tract_onnx::tract_hir::internal::*;

/// Has `framework` build its Ifs in the wrapper.
pub(super) fn name_branches(framework: &mut Onnx) {
    framework.op_register.insert("If", build);
}

fn build(
    context: &ParsingContext,
    node: &NodeProto,
) -> TractResult<(Box<dyn InferenceOp>, Vec<String>)> {
    // A fresh registry: in `framework`'s own, `If` is this function already.
    let register = tract_onnx::onnx().op_register;
    let original = register.0.get("If").context("tract knows no If")?;
    let (inner, closures) = original(context, node)?;
    Ok((Box::new(Branch { inner }), closures))
}

#[derive(Clone, Debug)]
struct Branch {
    inner: Box<dyn InferenceOp>,
}

impl PartialEq for Branch {
    /// Two branches are never known to do the same.
    fn eq(&self, _: &Branch) -> bool {
        false
    }
}

impl Eq for Branch {}

impl Op for Branch {
    fn name(&self) -> StaticName {
        self.inner.name()
    }

    not_a_typed_op!();
}

impl EvalOp for Branch {
    fn eval(&self, context: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        self.inner.eval(context, inputs)
    }

    fn eval_out_of_plan(&self, inputs: TVec<TValue>) -> TractResult<Option<TVec<TValue>>> {
        self.inner.eval_out_of_plan(inputs)
    }
}

impl InferenceOp for Branch {
    fn infer_facts(
        &mut self,
        inputs: TVec<&InferenceFact>,
        outputs: TVec<&InferenceFact>,
        observed: TVec<&InferenceFact>,
    ) -> TractResult<(TVec<InferenceFact>, TVec<InferenceFact>, TVec<InferenceFact>)> {
        self.inner.infer_facts(inputs, outputs, observed)
    }

    fn nboutputs(&self) -> TractResult<usize> {
        self.inner.nboutputs()
    }

    fn to_typed(
        &self,
        source: &InferenceModel,
        node: &InferenceNode,
        target: &mut TypedModel,
        mapping: &HashMap<OutletId, OutletId>,
    ) -> TractResult<TVec<OutletId>> {
        let outlets = self.inner.to_typed(source, node, target, mapping)?;
        if let Some(outlet) = outlets.first() {
            target.node_mut(outlet.node).name = node.name.clone();
        }
        Ok(outlets)
    }

    as_op!();
}
