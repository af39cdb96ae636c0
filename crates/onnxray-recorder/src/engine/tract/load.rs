//! Loads and optimizes a model, so that it can be described and run.

use super::branch::name_branches;
use super::causes::Cause;
use super::kernels::executed_nodes;
use super::operators::operators;
use super::options::TractOptions;
use super::runner::TractRunner;
use super::shapes::tensor_table;
use super::sparse::{Dense, replace};
use super::wrap::wrap;
use crate::engine::{Capabilities, Engine, Instrumentation, LoadedModel, Runner};
use crate::error::RecordError;
use crate::memory::bound_for;
use crate::model::constants::values::Elements;
use crate::model::file::OnnxFile;
use crate::model::graph::{Graph, InputKind, Node};
use crate::model::sizes::dimensions::BoundDimensions;
use crate::model::tensor_table::TensorTable;
use crate::tensor::Tensor;
use onnxray_failsafe::catch_panic;
use onnxray_format::{Operator, VectorRegisters};
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;
use tract_onnx::pb;
use tract_onnx::prelude::*;
use tract_onnx::tract_hir::internal::*;

/// Name and version of the engine, as recordings state them.
const NAME: &str = "tract";
const VERSION: &str = "0.23.9";

struct Tract {
    options: TractOptions,
}

/// What a loaded model says of its tensors.
pub(crate) fn tensors(file: &OnnxFile, bound: &BoundDimensions) -> Option<TensorTable> {
    infer(file, bound).ok()
}

pub(crate) fn capabilities() -> Capabilities {
    Capabilities {
        clears_registers: onnxray_native::registers::can_clear(),
        ..Capabilities::default()
    }
}

/// It needs nothing installed, and threads only to run a model.
pub(crate) fn start(options: &TractOptions, _threads: u32) -> Result<Rc<dyn Engine>, RecordError> {
    Ok(Rc::new(Tract { options: *options }))
}

struct TractModel {
    file: Rc<OnnxFile>,
    threads: u32,
    tensors: TensorTable,
    optimized: TypedModel,
    /// Why products do not skip zeros, where that was asked for.
    dense: Option<Dense>,
}

impl Engine for Tract {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> &str {
        VERSION
    }

    fn options(&self) -> BTreeMap<String, String> {
        self.options.texts()
    }

    fn capabilities(&self) -> Capabilities {
        capabilities()
    }

    fn load(
        &self,
        file: &Rc<OnnxFile>,
        bound: &BoundDimensions,
        threads: u32,
    ) -> Result<Box<dyn LoadedModel>, RecordError> {
        refuse_unsupported(file)?;
        let (tensors, optimized, dense) = guarded(|| {
            let typed = typed(file, bound)?;
            let tensors = tensor_table(&file.graph, &typed);
            let mut optimized = typed.into_decluttered()?.into_optimized()?;
            // It fails on a graph with a loop: an error of loading, and not of each later use.
            executed_nodes(&optimized)?;
            let sparse = self.options.sparse;
            let dense = sparse.map(|least| replace(&mut optimized, least.share())).transpose()?;
            Ok((tensors, optimized, dense))
        })?;
        Ok(Box::new(TractModel { file: Rc::clone(file), threads, tensors, optimized, dense }))
    }
}

/// Infers element types and shapes of the model's tensors for inputs of the given shapes,
/// without the work of optimizing it.
///
/// # Errors
///
/// If tract cannot run the model.
pub(crate) fn infer(file: &OnnxFile, bound: &BoundDimensions) -> Result<TensorTable, RecordError> {
    refuse_unsupported(file)?;
    guarded(|| Ok(tensor_table(&file.graph, &typed(file, bound)?)))
}

/// An error or a panic of tract, as one that says so.
fn guarded<T>(work: impl FnOnce() -> TractResult<T>) -> Result<T, RecordError> {
    catch_panic(|| work().map_err(load_error)).unwrap_or_else(|panic| {
        let reason = format!("the engine gave up: {}", Cause::of_panic(&panic));
        Err(RecordError::Load { engine: NAME, reason })
    })
}

impl LoadedModel for TractModel {
    fn tensors(&self) -> &TensorTable {
        &self.tensors
    }

    fn operators(&self, _inputs: &[Tensor]) -> Result<Vec<Operator>, RecordError> {
        operators(&self.file, &self.optimized, &self.tensors, self.dense.as_ref())
            .map_err(load_error)
    }

    fn runner(
        &self,
        registers: VectorRegisters,
        instrumentation: Instrumentation,
    ) -> Result<Box<dyn Runner>, RecordError> {
        let model = match (registers, instrumentation) {
            // tract as it is.
            (VectorRegisters::AsIs, Instrumentation::None) => self.optimized.clone(),
            _ => wrap(&self.optimized, registers, instrumentation).map_err(load_error)?,
        };
        Ok(Box::new(TractRunner::new(model, self.threads).map_err(load_error)?))
    }
}

fn load_error(error: TractError) -> RecordError {
    RecordError::CannotRun {
        engine: format!("{NAME} {VERSION}"),
        reason: Cause::from(&error).to_string(),
    }
}

/// The model as it is, with the shapes of all tensors.
fn typed(file: &OnnxFile, bound: &BoundDimensions) -> TractResult<TypedModel> {
    // Before anything is parsed: what is folded of a few bytes may have any size.
    bound_for(file.stored_bytes());
    // Shapes that the file states for inner tensors may hold symbols of
    // their own that clash with the sizes given here; inference finds them
    // all from the inputs.
    let mut framework =
        tract_onnx::onnx().with_ignore_value_info(true).with_ignore_output_shapes(true);
    name_branches(&mut framework);
    let parsed = framework.parse(&file.protobuf.model, file.folder())?;
    // tract would make inputs of them, without values to feed.
    ensure!(
        parsed.unresolved_inputs.is_empty(),
        "no node computes {}",
        parsed.unresolved_inputs.join(", ")
    );
    let mut model = parsed.model;
    for (index, (input, shape)) in file.graph.inputs.iter().zip(&bound.shapes).enumerate() {
        // From the file and not from the parsed model, which forgets the
        // type of an input that is an output as well.
        let element_type = pb::tensor_proto::DataType::try_from(input.element_type)?;
        let shape: Vec<usize> = shape.iter().map(|&size| size as usize).collect();
        let fact = InferenceFact::dt_shape(DatumType::try_from(element_type)?, shape);
        model.set_input_fact(index, fact)?;
    }
    model.into_typed()
}

fn refuse_unsupported(file: &OnnxFile) -> Result<(), RecordError> {
    refuse_unknown_operators(&file.graph)?;
    refuse_unknown_types(&file.graph)?;
    refuse_sparse(&file.graph)?;
    refuse_what_misleads(&file.graph, &file.elements())
}

/// Refuses what tract goes wrong on without a word.
fn refuse_what_misleads(graph: &Graph, elements: &Elements) -> Result<(), RecordError> {
    for node in &graph.nodes {
        if let Some(fault) = huge_size(node, graph, elements).or_else(|| wrong_order(node)) {
            let reason = format!("{} `{}` {fault}", node.operator_type, node.name);
            return Err(RecordError::Load { engine: NAME, reason });
        }
    }
    let mut bodies = graph.nodes.iter().flat_map(|node| &node.bodies);
    bodies.try_for_each(|(_, body)| refuse_what_misleads(body, elements))
}

/// tract keeps 32 bits of the sizes that a constant states, and goes on with what they say.
fn huge_size(node: &Node, graph: &Graph, elements: &Elements) -> Option<String> {
    const LARGEST: f64 = i32::MAX as f64;
    const MOST_AXES: u64 = 64;
    let name = match node.operator_type.as_str() {
        "Expand" | "Reshape" | "Tile" => node.input(1)?,
        "ConstantOfShape" => node.input(0)?,
        _ => return None,
    };
    // Checked before elements are read: a list of sizes is short, anything else is not decoded.
    let is_short = graph.constant(name)?.shape.iter().all(|&size| size <= MOST_AXES);
    let sizes = is_short.then(|| elements.numbers(name))??;
    let size = sizes.into_iter().find(|&size| size > LARGEST)?;
    Some(format!("makes an axis of {size} elements, and {LARGEST} are the most"))
}

/// A `perm` that is not a permutation: tract would search for steps to it for ever.
fn wrong_order(node: &Node) -> Option<String> {
    let order = node.ints("perm").filter(|_| node.operator_type == "Transpose")?;
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    let is_order = sorted.iter().copied().eq(0..order.len() as i64);
    (!is_order).then(|| format!("states an order of axes that is none: {order:?}"))
}

/// Refuses tensors whose elements the file states only where they are not zero.
fn refuse_sparse(graph: &Graph) -> Result<(), RecordError> {
    let mut sparse = graph.constants.own.iter().filter(|(_, constant)| constant.is_sparse);
    if let Some((name, _)) = sparse.next() {
        let reason = format!("constant `{name}` is a sparse tensor");
        return Err(RecordError::CannotRun { engine: format!("{NAME} {VERSION}"), reason });
    }
    let mut bodies = graph.nodes.iter().flat_map(|node| &node.bodies);
    bodies.try_for_each(|(_, body)| refuse_sparse(body))
}

/// Refuses inputs of element types that tract has no numbers for.
fn refuse_unknown_types(graph: &Graph) -> Result<(), RecordError> {
    for input in graph.inputs.iter().filter(|input| input.kind == InputKind::Tensor) {
        let named = pb::tensor_proto::DataType::try_from(input.element_type).ok();
        if named.is_some_and(|named| DatumType::try_from(named).is_ok()) {
            continue;
        }
        let name = match named {
            Some(named) => named.as_str_name().to_lowercase(),
            None => format!("number {} of ONNX", input.element_type),
        };
        let reason = format!("input `{}` has elements of type {name}", input.name);
        return Err(RecordError::CannotRun { engine: format!("{NAME} {VERSION}"), reason });
    }
    Ok(())
}

fn refuse_unknown_operators(graph: &Graph) -> Result<(), RecordError> {
    let supported = tract_onnx::onnx().op_register.0;
    let mut operators: Vec<(String, String)> = Vec::new();
    let mut seen = HashSet::new();
    graph.walk(&mut |node| {
        if !supported.contains_key(&node.operator_type) && seen.insert(&node.operator_type) {
            operators.push((node.operator_type.clone(), node.name.clone()));
        }
    });
    if operators.is_empty() {
        return Ok(());
    }
    Err(RecordError::UnsupportedOperators { engine: format!("{NAME} {VERSION}"), operators })
}
