//! Wraps the nodes of an optimized model so that something is done around each evaluation.
//!
//! A wrapped operator hands its inputs on without holding on to them: tract
//! computes in place where nobody else refers to an input, and a clone kept here
//! would force it to copy. Bodies of loops and branches are wrapped as well, so
//! their parent's exclusive time can be told from theirs.

use super::instrument::Around;
use super::kernels::executed_nodes;
use crate::engine::Instrumentation;
use onnxray_format::VectorRegisters;
use std::sync::Arc;
use tract_onnx::prelude::*;
use tract_onnx::tract_core::ops::logic::IfThenElse;
use tract_onnx::tract_core::ops::scan::OptScan;
use tract_onnx::tract_hir::internal::*;

/// Wraps every executed node, numbered depth first as the table of operators is.
pub(super) fn wrap(
    model: &TypedModel,
    registers: VectorRegisters,
    instrumentation: Instrumentation,
) -> TractResult<TypedModel> {
    let mut next = 0;
    let around = &mut || {
        let number = next;
        next += 1;
        let span = (instrumentation == Instrumentation::Spans).then_some(number);
        Around { span, registers }
    };
    wrap_nodes(model, around)
}

fn wrap_nodes(model: &TypedModel, next: &mut dyn FnMut() -> Around) -> TractResult<TypedModel> {
    let mut wrapped = model.clone();
    for id in executed_nodes(model)? {
        // Before the bodies: numbers are given depth first, as in `operators`.
        let around = next();
        let node = model.node(id);
        let inner: Box<dyn TypedOp> = if let Some(scan) = node.op_as::<OptScan>() {
            let body = wrap_nodes(scan.plan.model(), next)?;
            let mut parameters = (**scan).clone();
            parameters.plan = TypedSimplePlan::new(body)?;
            Box::new(OptScan::new(Arc::new(parameters)))
        } else if let Some(branch) = node.op_as::<IfThenElse>() {
            let mut branch = branch.clone();
            branch.then_body = wrap_nodes(&branch.then_body, next)?;
            branch.else_body = wrap_nodes(&branch.else_body, next)?;
            Box::new(branch)
        } else {
            node.op.clone()
        };
        wrapped.node_mut(id).op = Box::new(Wrapped { inner, around });
    }
    Ok(wrapped)
}

/// An operator that leaves all work to the one inside.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Wrapped {
    inner: Box<dyn TypedOp>,
    around: Around,
}

impl Op for Wrapped {
    fn name(&self) -> StaticName {
        self.inner.name()
    }

    fn validation(&self) -> Validation {
        self.inner.validation()
    }

    fn mints_runtime_symbols(&self) -> bool {
        self.inner.mints_runtime_symbols()
    }

    fn required_bound_symbols(&self, inputs: &[&TypedFact]) -> TVec<Symbol> {
        self.inner.required_bound_symbols(inputs)
    }

    op_as_typed_op!();
}

impl EvalOp for Wrapped {
    fn eval(&self, context: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        self.around.evaluate(|| self.inner.eval(context, inputs))
    }

    fn forwards_input(&self) -> Option<usize> {
        self.inner.forwards_input()
    }

    fn eval_out_of_plan(&self, inputs: TVec<TValue>) -> TractResult<Option<TVec<TValue>>> {
        self.inner.eval_out_of_plan(inputs)
    }

    fn state(&self, context: &EvalContext) -> TractResult<Option<Box<dyn OpState>>> {
        let state = self.inner.state(context)?;
        Ok(state.map(|inner| Box::new(WrappedState { inner }) as Box<dyn OpState>))
    }

    fn drop_session(&self, session: SessionId, node_id: usize) {
        self.inner.drop_session(session, node_id)
    }
}

impl TypedOp for Wrapped {
    as_op!();

    fn output_facts(&self, inputs: &[&TypedFact]) -> TractResult<TVec<TypedFact>> {
        self.inner.output_facts(inputs)
    }

    fn cost(&self, inputs: &[&TypedFact]) -> TractResult<TVec<(Cost, TDim)>> {
        self.inner.cost(inputs)
    }

    fn nested_model_multipliers(&self, inputs: &[&TypedFact]) -> Vec<(StaticName, TDim)> {
        self.inner.nested_model_multipliers(inputs)
    }
}

/// The state of a wrapped operator that keeps some between evaluations.
#[derive(Clone, Debug)]
struct WrappedState {
    inner: Box<dyn OpState>,
}

impl OpState for WrappedState {
    fn eval(
        &mut self,
        context: &EvalContext,
        op: &dyn Op,
        inputs: TVec<TValue>,
    ) -> TractResult<TVec<TValue>> {
        let wrapped =
            op.downcast_ref::<Wrapped>().context("a wrapped state without its operator")?;
        let inner = &mut self.inner;
        wrapped.around.evaluate(|| inner.eval(context, wrapped.inner.as_op(), inputs))
    }

    fn load_from(
        &mut self,
        turn: &mut TurnState,
        values: &mut dyn Iterator<Item = TValue>,
    ) -> TractResult<()> {
        self.inner.load_from(turn, values)
    }

    fn save_to(&self, values: &mut Vec<TValue>) -> TractResult<()> {
        self.inner.save_to(values)
    }

    fn init_tensor_fact(&self) -> Option<(String, TypedFact)> {
        self.inner.init_tensor_fact()
    }

    fn has_init_tensor_fact(&self) -> bool {
        self.inner.has_init_tensor_fact()
    }

    fn resolve_symbols(&mut self, turn: &mut TurnState) -> TractResult<()> {
        self.inner.resolve_symbols(turn)
    }

    fn reset_lanes(&mut self, lanes: &[LaneId]) -> TractResult<()> {
        self.inner.reset_lanes(lanes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_native::registers::{clear, in_use};
    use std::collections::BTreeSet;
    use std::io::Write;
    use tract_onnx::tract_core::ops::math;
    use tract_onnx::tract_core::plan::eval;

    const WAYS: [(VectorRegisters, Instrumentation); 3] = [
        (VectorRegisters::Cleared, Instrumentation::None),
        (VectorRegisters::Cleared, Instrumentation::Spans),
        (VectorRegisters::AsIs, Instrumentation::Spans),
    ];

    fn convolutions() -> TypedModel {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/models/cnn.onnx");
        let mut model = tract_onnx::onnx().model_for_path(path).unwrap();
        model.set_input_fact(0, f32::fact([1, 3, 96, 96]).into()).unwrap();
        model.set_output_fact(0, InferenceFact::default()).unwrap();
        model.into_optimized().unwrap()
    }

    /// Nodes after which the processor says that upper halves are in use, in any of some runs:
    /// while they hold zeros, another program's turn may end that.
    fn leaving(model: TypedModel) -> BTreeSet<usize> {
        let plan = TypedSimplePlan::new(model).unwrap();
        let ones = Tensor::from_shape(&[1, 3, 96, 96], &[1f32; 3 * 96 * 96]).unwrap();
        let mut leaving = BTreeSet::new();
        for _ in 0..5 {
            let inputs = tvec![ones.clone().into_tvalue()];
            let run =
                plan.spawn().unwrap().run_plan_with_eval(inputs, |context, state, node, inputs| {
                    clear();
                    let outputs = eval(context, state, node, inputs);
                    leaving.extend((in_use() == Some(true)).then_some(node.id));
                    outputs
                });
            run.unwrap();
        }
        leaving
    }

    #[test]
    fn every_operator_leaves_clear_registers() {
        clear();
        let is_told = in_use() == Some(false);
        let model = convolutions();
        let untouched = leaving(model.clone());
        if !is_told || untouched.is_empty() {
            // What a macro prints is hidden where a test passes.
            let said = "not tested here: that operators leave clear registers, without an \
                        operator of which the processor says otherwise\n";
            if let Some(list) = std::env::var_os("ONNXRAY_UNTESTED") {
                let list = std::fs::File::options().append(true).create(true).open(list);
                list.unwrap().write_all(said.as_bytes()).unwrap();
            }
            return std::io::stderr().write_all(said.as_bytes()).unwrap();
        }
        for (registers, instrumentation) in WAYS {
            let left = leaving(wrap(&model, registers, instrumentation).unwrap());
            match registers {
                VectorRegisters::Cleared => assert_eq!(left, BTreeSet::new()),
                // What holds zeros is not in use any more after another program's turn.
                VectorRegisters::AsIs => assert!(!left.is_disjoint(&untouched), "{left:?}"),
            }
        }
    }

    #[test]
    fn a_wrapped_operator_computes_in_place() {
        let mut model = TypedModel::default();
        let source = model.add_source("x", f32::fact([1000])).unwrap();
        let outlets = model.wire_node("first", math::cos(), &[source]).unwrap();
        let outlets = model.wire_node("second", math::exp(), &outlets).unwrap();
        model.select_output_outlets(&outlets).unwrap();
        let model = model.into_optimized().unwrap();
        assert_eq!(executed_nodes(&model).unwrap().len(), 2);
        let wrapped = WAYS.map(|(registers, how)| wrap(&model, registers, how).unwrap());
        for model in wrapped.into_iter().chain([model]) {
            let plan = TypedSimplePlan::new(model).unwrap();
            let input = Tensor::zero::<f32>(&[1000]).unwrap();
            let place = input.to_plain_array_view::<f32>().unwrap().as_ptr();
            let outputs = plan.run(tvec![input.into_tvalue()]).unwrap();
            let output = outputs[0].to_plain_array_view::<f32>().unwrap();
            assert_eq!((output[0], output.as_ptr()), (1f32.exp(), place));
        }
    }
}
