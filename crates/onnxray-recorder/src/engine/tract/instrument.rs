//! Wraps the nodes of an optimized model so that each evaluation is timed.
//!
//! A wrapped operator hands its inputs on without holding on to them: tract
//! computes in place where nobody else refers to an input, and a clone kept here
//! would force it to copy. Bodies of loops and branches are wrapped as well, so
//! their parent's exclusive time can be told from theirs.

use super::kernels::executed_nodes;
use crate::clock::now;
use onnxray_format::Span;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use tract_onnx::prelude::*;
use tract_onnx::tract_core::ops::logic::IfThenElse;
use tract_onnx::tract_core::ops::scan::OptScan;
use tract_onnx::tract_hir::internal::*;

thread_local! {
    /// What this thread has executed since the spans were last taken.
    static SPANS: RefCell<Vec<Span>> = const { RefCell::new(Vec::new()) };
    /// The operator that is being evaluated; after a failure, the one that failed.
    static CURRENT: Cell<Option<u32>> = const { Cell::new(None) };
}

/// The operator in which this thread's last evaluation failed. Spans that were recorded
/// until then are dropped.
pub(super) fn failed_operator() -> Option<u32> {
    SPANS.with_borrow_mut(Vec::clear);
    CURRENT.take()
}

/// Moves the spans of this thread into `spans`, in order of their ends.
pub(super) fn take_spans(spans: &mut Vec<Span>) {
    SPANS.with_borrow_mut(|recorded| {
        spans.clear();
        spans.append(recorded);
    });
}

/// Wraps every executed node, numbered depth first as the table of operators is.
pub(super) fn instrument(model: &TypedModel) -> TractResult<TypedModel> {
    instrument_from(model, &mut 0)
}

fn instrument_from(model: &TypedModel, next: &mut u32) -> TractResult<TypedModel> {
    let mut instrumented = model.clone();
    for id in executed_nodes(model)? {
        let number = *next;
        *next += 1;
        let node = model.node(id);
        let inner: Box<dyn TypedOp> = if let Some(scan) = node.op_as::<OptScan>() {
            let body = instrument_from(scan.plan.model(), next)?;
            let mut parameters = (**scan).clone();
            parameters.plan = TypedSimplePlan::new(body)?;
            Box::new(OptScan::new(Arc::new(parameters)))
        } else if let Some(branch) = node.op_as::<IfThenElse>() {
            let mut branch = branch.clone();
            branch.then_body = instrument_from(&branch.then_body, next)?;
            branch.else_body = instrument_from(&branch.else_body, next)?;
            Box::new(branch)
        } else {
            node.op.clone()
        };
        instrumented.node_mut(id).op = Box::new(Timed { inner, number });
    }
    Ok(instrumented)
}

/// An operator whose evaluations are timed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Timed {
    inner: Box<dyn TypedOp>,
    number: u32,
}

impl Timed {
    fn time(
        &self,
        evaluate: impl FnOnce() -> TractResult<TVec<TValue>>,
    ) -> TractResult<TVec<TValue>> {
        let outer = CURRENT.replace(Some(self.number));
        let start = now();
        // On failure or panic `CURRENT` stays at the innermost operator.
        let result = evaluate()?;
        let span = Span { operator: self.number, start, duration: now() - start };
        CURRENT.set(outer);
        SPANS.with_borrow_mut(|spans| spans.push(span));
        Ok(result)
    }
}

impl Op for Timed {
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

impl EvalOp for Timed {
    fn eval(&self, context: &EvalContext, inputs: TVec<TValue>) -> TractResult<TVec<TValue>> {
        self.time(|| self.inner.eval(context, inputs))
    }

    fn forwards_input(&self) -> Option<usize> {
        self.inner.forwards_input()
    }

    fn eval_out_of_plan(&self, inputs: TVec<TValue>) -> TractResult<Option<TVec<TValue>>> {
        self.inner.eval_out_of_plan(inputs)
    }

    fn state(&self, context: &EvalContext) -> TractResult<Option<Box<dyn OpState>>> {
        let state = self.inner.state(context)?;
        Ok(state.map(|inner| Box::new(TimedState { inner }) as Box<dyn OpState>))
    }

    fn drop_session(&self, session: SessionId, node_id: usize) {
        self.inner.drop_session(session, node_id)
    }
}

impl TypedOp for Timed {
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

/// The state of a timed operator that keeps some between evaluations.
#[derive(Clone, Debug)]
struct TimedState {
    inner: Box<dyn OpState>,
}

impl OpState for TimedState {
    fn eval(
        &mut self,
        context: &EvalContext,
        op: &dyn Op,
        inputs: TVec<TValue>,
    ) -> TractResult<TVec<TValue>> {
        let timed = op.downcast_ref::<Timed>().context("a timed state without its operator")?;
        let inner = &mut self.inner;
        timed.time(|| inner.eval(context, timed.inner.as_op(), inputs))
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
