//! A model file in an engine, ready to be described and run.

use super::{Engine, LoadedModel};
use crate::error::RecordError;
use crate::model::dimensions::{self, BoundDimensions, GivenDimensions};
use crate::model::file::OnnxFile;
use crate::model::inputs::{self, InputFiles};
use crate::tensor::Tensor;
use onnxray_format::{Nanoseconds, Operator};
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

/// A model that an engine has optimized for one set of input shapes.
pub struct Model {
    /// The engine that loaded it.
    pub engine: &'static dyn Engine,
    /// What the file says.
    pub file: Rc<OnnxFile>,
    /// The shapes of its inputs, and the sizes that led to them.
    pub bound: BoundDimensions,
    /// Time to read, bind and optimize it.
    pub load_time: Nanoseconds,
    pub(crate) loaded: Box<dyn LoadedModel>,
}

impl Model {
    /// Reads the model at `path` and loads it for inputs of the given sizes.
    ///
    /// # Errors
    ///
    /// If the file is no ONNX model, if a size is missing or does not fit, or if the
    /// engine cannot run the model.
    pub fn load(
        engine: &'static dyn Engine,
        path: &Path,
        given: &GivenDimensions,
    ) -> Result<Model, RecordError> {
        let start = Instant::now();
        let file = Rc::new(OnnxFile::read(path)?);
        let bound = dimensions::bind(&file.graph, given)?;
        let loaded = engine.load(&file, &bound)?;
        let load_time = Nanoseconds(start.elapsed().as_nanos() as u64);
        Ok(Model { engine, file, bound, load_time, loaded })
    }

    /// The table of operators: one row per node that the engine executes.
    ///
    /// # Errors
    ///
    /// If the engine fails at describing its own work.
    pub fn operators(&self) -> Result<Vec<Operator>, RecordError> {
        self.loaded.operators()
    }

    /// Whether a run is any work: not if the engine computes all results when it loads the
    /// model, or only hands inputs on.
    ///
    /// # Errors
    ///
    /// If the engine fails at describing its own work.
    pub fn executes(&self) -> Result<bool, RecordError> {
        self.loaded.executes()
    }

    /// Makes one tensor per input of the model, in the model's order.
    ///
    /// Inputs without a file get random values that depend on `seed` and the input's
    /// name only: indices lie inside the table that they select from, masks are ones,
    /// floats are uniform in [-1, 1).
    ///
    /// # Errors
    ///
    /// If the model lacks an input that has a file, if a file cannot be read or does not
    /// fit, or if values of an input's type cannot be made up.
    pub fn inputs(&self, files: &InputFiles, seed: u64) -> Result<Vec<Tensor>, RecordError> {
        inputs::inputs(&self.file.graph, &self.bound.shapes, self.loaded.tensors(), files, seed)
    }

    /// Nodes of the file by name, those of bodies included.
    pub fn nodes(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.file.graph.walk(&mut |node| names.push(node.name.as_str()));
        names
    }

    /// Nodes whose results do not depend on an input. The engine computes them
    /// while loading, so no operator stands for them.
    pub fn folded_nodes(&self) -> Vec<String> {
        let graph = &self.file.graph;
        let nodes = graph.nodes.iter().zip(&graph.folded);
        nodes.filter(|(_, folded)| **folded).map(|(node, _)| node.name.clone()).collect()
    }
}
