//! A model file in an engine, ready to be described and run.

use super::{Engine, EngineSpec, Engines, InstalledEngines, Instrumentation, LoadedModel};
use crate::error::{RecordError, Takes};
use crate::model::file::OnnxFile;
use crate::model::generation::{GenerationOptions, GenerationPlan};
use crate::model::input_values::inputs::{self, InputFiles, Made};
use crate::model::input_values::made_up::of_made_up;
use crate::model::sizes::dimensions::{self, BoundDimensions, GivenDimensions};
use crate::tensor::Tensor;
use crate::workload::{GenerationInputs, StepInputs, Workload};
use onnxray_format::{Nanoseconds, Operator, Phase, Placement, VectorRegisters};
use std::cell::{OnceCell, RefCell};
use std::collections::HashSet;
use std::path::Path;
use std::rc::Rc;

/// A model that an engine has optimized for one set of input shapes.
pub struct Model {
    /// The engine that loaded it.
    pub engine: Rc<dyn Engine>,
    /// The model's file.
    pub file: Rc<OnnxFile>,
    /// The shapes of its inputs, and the sizes that led to them.
    pub bound: BoundDimensions,
    /// Threads that a kernel may use.
    pub threads: u32,
    /// Plan of the generation, if there is one.
    pub generation: Option<GenerationPlan>,
    /// Time to read, bind and optimize it.
    pub load_time: Nanoseconds,
    pub(crate) loaded: Box<dyn LoadedModel>,
    given: GivenDimensions,
    operators: OnceCell<Vec<Operator>>,
    chosen: RefCell<Vec<(String, f64)>>,
}

impl Model {
    /// Reads the model at `path` and loads it for inputs of the given sizes, and for
    /// kernels that use this many threads.
    ///
    /// # Errors
    ///
    /// If there is no such engine, if the file is not an ONNX model, if a size is missing or
    /// does not fit, or if the engine cannot run the model.
    pub fn load(
        engine: &EngineSpec,
        path: &Path,
        given: &GivenDimensions,
        threads: u32,
    ) -> Result<Model, RecordError> {
        Model::load_in(&InstalledEngines, engine, path, given, threads)
    }

    /// [`Model::load`] with engines from elsewhere.
    ///
    /// # Errors
    ///
    /// As [`Model::load`].
    pub fn load_in(
        engines: &dyn Engines,
        engine: &EngineSpec,
        path: &Path,
        given: &GivenDimensions,
        threads: u32,
    ) -> Result<Model, RecordError> {
        Model::load_to_generate(engines, engine, path, given, threads, None)
    }

    /// [`Model::load_in`] for a model that generates, if there are options.
    ///
    /// # Errors
    ///
    /// As [`Model::load`], or if the model or the engine cannot generate.
    pub fn load_to_generate(
        engines: &dyn Engines,
        engine: &EngineSpec,
        path: &Path,
        given: &GivenDimensions,
        threads: u32,
        options: Option<&GenerationOptions>,
    ) -> Result<Model, RecordError> {
        let engine = engines.start(engine, threads)?;
        if options.is_some() && !engine.capabilities().runs_any_shape {
            return Err(RecordError::NoGeneration { engine: engine.name() });
        }
        // After the engine's start: loading a library is not part of a model's load time.
        let start = engine.clock().now();
        let file = Rc::new(OnnxFile::read(path)?);
        // Before an engine sees the model, so that the error names tensor and file.
        file.check_data()?;
        let given = &dimensions::sized(&file.graph, given)?;
        let plan = |options| GenerationPlan::of(&file.graph, options, given);
        let generation = options.map(plan).transpose()?;
        let bound = match &generation {
            None => dimensions::bind_in(path, &file.graph, given)?,
            Some(plan) => {
                let first = plan.sizes(given, plan.typical(Phase::Prefill));
                let mut bound = dimensions::bind_step(&file.graph, &first)?;
                // These grow from step to step: a recording must not state one size for them.
                bound.dimensions.retain(|dimension| !plan.decides(&dimension.name));
                bound
            }
        };
        let loaded = engine.load(&file, &bound, threads)?;
        let load_time = engine.clock().now() - start;
        Ok(Model {
            engine,
            file,
            bound,
            threads,
            generation,
            load_time,
            loaded,
            given: given.clone(),
            operators: OnceCell::new(),
            chosen: RefCell::default(),
        })
    }

    /// The table of operators: one row per node that the engine executes. Some engines
    /// run on `inputs` to find out. It is empty if the engine computes all results when it
    /// loads the model, or only hands inputs on.
    ///
    /// # Errors
    ///
    /// If the engine fails at describing its own work.
    pub fn operators(&self, inputs: &[Tensor]) -> Result<Vec<Operator>, RecordError> {
        if let Some(operators) = self.operators.get() {
            return Ok(operators.clone());
        }
        let operators = self.loaded.operators(inputs)?;
        Ok(self.operators.get_or_init(|| operators).clone())
    }

    /// The table of operators for a workload. For a generation, it has the operators of the prefill
    /// phase and then those of the decode phase, at a typical step of each.
    ///
    /// # Errors
    ///
    /// As [`Model::operators`].
    pub fn operators_of(&self, workload: &Workload) -> Result<Vec<Operator>, RecordError> {
        let generation = match workload {
            Workload::Inference(inputs) => return self.operators(inputs),
            Workload::Generation(generation) => generation,
        };
        if let Some(operators) = self.operators.get() {
            return Ok(operators.clone());
        }
        let mut tables = Vec::new();
        for inputs in &generation.typical {
            tables.push(self.loaded.operators(inputs)?);
        }
        // Spans know nodes by their place in the table of the last phase that was described. Both
        // phases get the same number of rows: `Launch::number_spans` halves the table.
        let fewest = tables.iter().map(Vec::len).min().unwrap_or(0);
        let mut all: Vec<Operator> = Vec::new();
        for (phase, table) in Phase::ALL.into_iter().zip(tables) {
            let first = all.len() as u32;
            all.extend(table.into_iter().take(fewest).map(|operator| Operator {
                number: first + operator.number,
                parent: operator.parent.map(|parent| first + parent),
                phase: Some(phase),
                ..operator
            }));
        }
        Ok(self.operators.get_or_init(|| all).clone())
    }

    /// The workload of an iteration: one run on [`Model::inputs`], or a generation.
    ///
    /// # Errors
    ///
    /// As [`Model::inputs`].
    pub fn workload(&self, files: &InputFiles, seed: u64) -> Result<Workload, RecordError> {
        let Some(plan) = &self.generation else {
            return Ok(Workload::Inference(self.inputs(files, seed)?));
        };
        let graph = &self.file.graph;
        let shapes = |step| -> Result<Vec<Vec<u64>>, RecordError> {
            Ok(dimensions::bind_step(graph, &plan.sizes(&self.given, step))?.shapes)
        };
        let [first, last] = plan.ends().map(shapes);
        // Before any is made: the inputs of all steps are in memory at once.
        inputs::check_memory_of_steps(graph, plan, [&first?, &last?])?;
        let tensors = self.loaded.tensors();
        let typical = |phase| -> Result<Vec<Tensor>, RecordError> {
            let step = plan.typical(phase);
            let shapes = shapes(step)?;
            let made = Made { seed, choice: 0 };
            let made = inputs::inputs(graph, &shapes, tensors, &InputFiles::new(), made)?;
            let stated = inputs::inputs_of_step(graph, &shapes, tensors, (plan, step), seed)?;
            // What a step takes from the one before has no values yet; made-up ones have its shape.
            let both = stated.into_iter().zip(made);
            Ok(both.map(|(stated, made)| stated.unwrap_or(made)).collect())
        };
        let steps = plan.steps().map(|step| {
            let shapes = shapes(step)?;
            let inputs = inputs::inputs_of_step(graph, &shapes, tensors, (plan, step), seed)?;
            Ok(StepInputs { step, inputs })
        });
        Ok(Workload::Generation(GenerationInputs {
            feeds: plan.feeds.clone(),
            typical: [typical(Phase::Prefill)?, typical(Phase::Decode)?],
            steps: steps.collect::<Result<_, RecordError>>()?,
        }))
    }

    /// Makes one tensor per input of the model, in the model's order.
    ///
    /// Inputs without a file get random values that depend on `seed` and the input's
    /// name only: indices lie inside the table that they select from, masks are ones,
    /// floats are uniform in [-1, 1), and what has no array in Rust is zero, if the engine
    /// takes it. An input of one element that the model compares with a constant is that, or
    /// the next such value with which the model runs.
    ///
    /// # Errors
    ///
    /// If the model lacks an input that has a file, if a file cannot be read or does not
    /// fit, or if values of an input's type cannot be made up.
    pub fn inputs(&self, files: &InputFiles, seed: u64) -> Result<Vec<Tensor>, RecordError> {
        let Model { file, bound, loaded, .. } = self;
        let choices = inputs::choices_of(&file.graph, &bound.shapes, loaded.tensors(), files);
        let most = choices.values().map(Vec::len).max().unwrap_or(1);
        for choice in 0..most {
            let inputs = self.made(files, Made { seed, choice })?;
            // Where none fits, whoever runs the model says why the first one does not.
            if most == 1 || self.runs(&inputs) {
                let chosen = choices.into_iter().map(|(name, own)| {
                    // Inputs differ in their number of choices: one that runs out keeps its last.
                    let number = own[choice.min(own.len() - 1)];
                    (name, number)
                });
                self.chosen.replace(chosen.collect());
                return Ok(inputs);
            }
        }
        self.made(files, Made { seed, choice: 0 })
    }

    /// Values of inputs of one element that were made up last, and that the model itself names.
    pub fn chosen(&self) -> Vec<(String, f64)> {
        self.chosen.borrow().clone()
    }

    fn made(&self, files: &InputFiles, made: Made) -> Result<Vec<Tensor>, RecordError> {
        let Model { file, bound, loaded, engine, .. } = self;
        let inputs = inputs::inputs(&file.graph, &bound.shapes, loaded.tensors(), files, made)?;
        let is_refused = |input: &Tensor| {
            matches!(input, Tensor::Zeros(_) | Tensor::Sequence(_))
                && !engine.capabilities().takes_all_types
        };
        match inputs.iter().position(is_refused).and_then(|input| file.graph.inputs.get(input)) {
            Some(input) => Err(RecordError::NoValues {
                name: input.name.clone(),
                data_type: input.data_type.to_string(),
            }),
            None => Ok(inputs),
        }
    }

    /// Tries the inputs in one run.
    fn runs(&self, inputs: &[Tensor]) -> bool {
        let runner = self.loaded.runner(VectorRegisters::AsIs, Instrumentation::None);
        runner.is_ok_and(|mut runner| runner.prepare(inputs).is_ok_and(|()| runner.run().is_ok()))
    }

    /// Inputs for [`Model::operators`] where there are no others: made up, or none for an
    /// engine that does not run on them.
    ///
    /// # Errors
    ///
    /// As [`Model::inputs`].
    pub fn sample_inputs(&self) -> Result<Vec<Tensor>, RecordError> {
        match self.engine.capabilities().describes_by_running {
            true => self.inputs(&InputFiles::new(), 1),
            false => Ok(Vec::new()),
        }
    }

    /// The operators that it executes on inputs that are made up.
    ///
    /// # Errors
    ///
    /// As [`Model::sample_inputs`] and [`Model::operators`].
    pub fn sample_operators(&self) -> Result<Vec<Operator>, RecordError> {
        let operators = self.operators(&self.sample_inputs()?);
        let explained =
            |error| of_made_up(error, &self.file.graph, &InputFiles::new(), Takes::Nothing);
        operators.map_err(explained)
    }

    /// Names of its inputs, in the model's order.
    pub fn input_names(&self) -> Vec<&str> {
        self.file.graph.inputs.iter().map(|input| input.name.as_str()).collect()
    }

    /// Nodes of the file by name, those of bodies included.
    pub fn nodes(&self) -> Vec<&str> {
        let mut names = Vec::new();
        self.file.graph.walk(&mut |node| names.push(node.name.as_str()));
        names
    }

    /// Nodes whose results do not depend on an input.
    pub fn constant_nodes(&self) -> Vec<String> {
        let graph = &self.file.graph;
        let nodes = graph.nodes.iter().zip(&graph.folded);
        nodes.filter(|(_, folded)| **folded).map(|(node, _)| node.name.clone()).collect()
    }

    /// Which execution provider runs which nodes, where that is known and more than one could.
    /// Needs a call of [`Model::operators`] before.
    pub fn placement(&self) -> Option<Placement> {
        self.loaded.placement()
    }

    /// Nodes that belong to no operator: the engine computes them while loading, or leaves them
    /// out. None where nobody knows to which operator they belong.
    pub fn folded_nodes(&self, operators: &[Operator]) -> Vec<String> {
        if !self.loaded.tells_nodes() {
            return Vec::new();
        }
        let executed: HashSet<&String> =
            operators.iter().flat_map(|operator| &operator.nodes).collect();
        let names = self.file.graph.nodes.iter().map(|node| &node.name);
        names.filter(|name| !executed.contains(name)).cloned().collect()
    }
}
