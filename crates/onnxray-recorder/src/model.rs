//! Loads an ONNX file into the engine, ready to run and described.

use crate::branch::name_branches;
use crate::dimensions::{self, BoundDimensions, GivenDimensions};
use crate::engine::{ENGINE_VERSION, executed_nodes};
use crate::error::{RecordError, causes};
use crate::onnx::{self, Graph, OnnxModel};
use crate::operators::operators;
use crate::tensors::TensorTable;
use crate::values::Initializers;
use onnxray_failsafe::catch_panic;
use onnxray_format::{Nanoseconds, Operator};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Instant;
use tract_onnx::pb;
use tract_onnx::prelude::*;
use tract_onnx::tract_hir::internal::*;

/// A model that the engine has optimized for one set of input shapes.
pub struct Model {
    path: PathBuf,
    pub graph: Rc<Graph>,
    pub tensors: TensorTable,
    pub bound: BoundDimensions,
    pub optimized: TypedModel,
    pub load_time: Nanoseconds,
    proto: pb::ModelProto,
}

impl Model {
    /// Reads, binds and optimizes the model at `path`.
    pub fn load(path: &Path, given: &GivenDimensions) -> Result<Model, RecordError> {
        let start = Instant::now();
        let onnx = OnnxModel::read(path)?;
        let bound = dimensions::bind(&onnx.graph, given)?;
        refuse_unsupported(&onnx.graph)?;
        let (tensors, optimized) = catch_panic(|| optimize(&onnx, &bound, folder(path)))
            .unwrap_or_else(|panic| Err(format!("the engine gave up: {panic}")))
            .map_err(|reason| RecordError::Load { reason })?;
        let load_time = Nanoseconds(start.elapsed().as_nanos() as u64);
        Ok(Model {
            path: path.to_path_buf(),
            graph: onnx.graph,
            tensors,
            bound,
            optimized,
            load_time,
            proto: onnx.proto,
        })
    }

    /// Name of the file without its folder.
    pub fn file_name(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// SHA-256 of the file; `None` if it is gone by now.
    pub fn sha256(&self) -> Option<String> {
        onnx::sha256(&self.path).ok()
    }

    /// The table of operators: one row per node that the engine executes.
    pub fn operators(&self) -> Result<Vec<Operator>, RecordError> {
        let initializers = Initializers::new(&self.proto, folder(&self.path));
        operators(&self.graph, &self.optimized, &self.tensors, &initializers)
            .map_err(|error| RecordError::Load { reason: causes(&error) })
    }

    /// Nodes whose results do not depend on an input. The engine computes them
    /// while loading, so no operator stands for them.
    pub fn folded_nodes(&self) -> Vec<String> {
        let nodes = self.graph.nodes.iter().zip(&self.graph.folded);
        nodes.filter(|(_, folded)| **folded).map(|(node, _)| node.name.clone()).collect()
    }
}

/// Where external data lies.
pub fn folder(path: &Path) -> Option<&str> {
    path.parent().and_then(Path::to_str)
}

fn optimize(
    onnx: &OnnxModel,
    bound: &BoundDimensions,
    folder: Option<&str>,
) -> Result<(TensorTable, TypedModel), String> {
    let load = || -> TractResult<(TensorTable, TypedModel)> {
        // Shapes that the file states for inner tensors may hold symbols of
        // their own that clash with the sizes given here; inference finds them
        // all from the inputs.
        let mut framework =
            tract_onnx::onnx().with_ignore_value_info(true).with_ignore_output_shapes(true);
        name_branches(&mut framework);
        let parsed = framework.parse(&onnx.proto, folder)?;
        ensure!(
            parsed.unresolved_inputs.is_empty(),
            "nobody computes {}",
            parsed.unresolved_inputs.join(", ")
        );
        let mut model = parsed.model;
        for (index, (input, shape)) in onnx.graph.inputs.iter().zip(&bound.shapes).enumerate() {
            // From the file and not from the parsed model, which forgets the
            // type of an input that is an output as well.
            let element_type = pb::tensor_proto::DataType::try_from(input.element_type)?;
            let shape: Vec<usize> = shape.iter().map(|&size| size as usize).collect();
            let fact = InferenceFact::dt_shape(DatumType::try_from(element_type)?, shape);
            model.set_input_fact(index, fact)?;
        }
        let typed = model.into_typed()?;
        let tensors = TensorTable::new(&onnx.graph, &typed);
        let optimized = typed.into_decluttered()?.into_optimized()?;
        executed_nodes(&optimized)?;
        Ok((tensors, optimized))
    };
    load().map_err(|error| causes(&error))
}

fn refuse_unsupported(graph: &onnx::Graph) -> Result<(), RecordError> {
    let known = tract_onnx::onnx().op_register.0;
    let mut operators: Vec<(String, String)> = Vec::new();
    graph.walk(&mut |node| {
        let seen = operators.iter().any(|(operator_type, _)| *operator_type == node.operator_type);
        if !known.contains_key(&node.operator_type) && !seen {
            operators.push((node.operator_type.clone(), node.name.clone()));
        }
    });
    if operators.is_empty() {
        return Ok(());
    }
    Err(RecordError::UnsupportedOperators { version: ENGINE_VERSION, operators })
}
