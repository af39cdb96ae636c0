//! A model that is read, and inputs for it: what the base of a search and its variants share.

use super::sensitivity::{loss_inputs, seeds_held_out, seeds_of_search};
use super::turns::Here;
use crate::engine::{Engine, Engines, LoadedModel, Model};
use crate::error::RecordError;
use crate::launches::LaunchSpec;
use crate::model::file::OnnxFile;
use crate::model::sizes::dimensions::BoundDimensions;
use crate::workload::Workload;
use onnxray_format::LossInputs;
use std::rc::Rc;

/// A model that is read, and what runs it.
pub(super) struct Opened {
    pub(super) engine: Rc<dyn Engine>,
    pub(super) file: Rc<OnnxFile>,
    /// Its shapes, which are those of all variants.
    pub(super) bound: BoundDimensions,
    /// Inputs of timed runs.
    pub(super) inputs: Workload,
    /// On how many inputs outputs are compared.
    pub(super) loss_inputs: LossInputs,
    /// Inputs on which outputs are compared: the search's, or those held out.
    pub(super) compared: Vec<Workload>,
    /// Seed of orders and of random inputs.
    pub(super) seed: u64,
}

/// Which inputs outputs are compared on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Search,
    Report,
}

impl Opened {
    /// Loads the model of a launch, as it is.
    pub(super) fn open(
        engines: &dyn Engines,
        base: &LaunchSpec,
        purpose: Purpose,
    ) -> Result<(Opened, Box<dyn LoadedModel>), RecordError> {
        let LaunchSpec { inputs, seed, .. } = base;
        let model = base.load_model(engines)?;
        let loss_inputs = inputs_of(&model, base);
        let seeds: Vec<u64> = match purpose {
            Purpose::Search => seeds_of_search(loss_inputs, *seed).collect(),
            Purpose::Report => seeds_held_out(loss_inputs, *seed).collect(),
        };
        let compared = seeds.into_iter().map(|seed| model.workload(inputs, seed));
        let compared = compared.collect::<Result<_, _>>()?;
        let (inputs, seed) = (model.workload(inputs, *seed)?, *seed);
        let Model { engine, file, bound, loaded, .. } = model;
        Ok((Opened { engine, file, bound, inputs, loss_inputs, compared, seed }, loaded))
    }

    /// A file in the engine, with kernels that use this many threads.
    pub(super) fn load(&self, file: &Rc<OnnxFile>, threads: u32) -> Result<Here, RecordError> {
        let loaded = self.engine.load(file, &self.bound, threads)?;
        Here::new(Rc::clone(&self.engine), loaded)
    }
}

/// On how many inputs outputs are compared.
pub(super) fn inputs_of(model: &Model, base: &LaunchSpec) -> LossInputs {
    loss_inputs(model.input_names().iter().any(|name| !base.inputs.contains_key(*name)))
}
