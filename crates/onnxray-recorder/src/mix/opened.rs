//! Two models that are read, and inputs for both.

use super::spec::{ElementTypes, MixSpec};
use crate::engine::{Engine, Engines, LoadedModel, Model};
use crate::error::RecordError;
use crate::launches::LaunchSpec;
use crate::model::file::OnnxFile;
use crate::model::mix::{Pair, inlined};
use crate::model::sizes::dimensions::BoundDimensions;
use crate::rounds::Side;
use crate::sensitivity::{loss_inputs, seeds_held_out, seeds_of_search};
use crate::tensor::Tensor;
use onnxray_format::LossInputs;
use std::path::Path;
use std::rc::Rc;

/// Two models that are read, and what runs them.
pub(super) struct Opened<'a> {
    pub(super) spec: &'a MixSpec,
    pub(super) engine: Rc<dyn Engine>,
    /// A.
    pub(super) file: Rc<OnnxFile>,
    /// A's shapes, which are those of all.
    pub(super) bound: BoundDimensions,
    /// Inputs of timed runs.
    pub(super) inputs: Vec<Tensor>,
    /// On how many inputs outputs are compared.
    pub(super) loss_inputs: LossInputs,
    /// Inputs on which outputs are compared: the search's, or those held out.
    pub(super) compared: Vec<Vec<Tensor>>,
    pub(super) pair: Pair,
}

/// Which inputs outputs are compared on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Search,
    Report,
}

impl<'a> Opened<'a> {
    /// Loads A and reads B; the loaded model is A as it is.
    pub(super) fn open(
        engines: &dyn Engines,
        spec: &'a MixSpec,
        purpose: Purpose,
    ) -> Result<(Opened<'a>, Box<dyn LoadedModel>), RecordError> {
        let LaunchSpec { model, engine, dimensions, inputs, seed, options, .. } = &spec.a;
        let a = Model::load_in(engines, engine, Path::new(model), dimensions, options.threads)?;
        let are_made_up = a.input_names().iter().any(|name| !inputs.contains_key(*name));
        let loss_inputs = loss_inputs(are_made_up);
        let seeds: Vec<u64> = match purpose {
            Purpose::Search => seeds_of_search(loss_inputs, *seed).collect(),
            Purpose::Report => seeds_held_out(loss_inputs, *seed).collect(),
        };
        let compared = seeds.into_iter().map(|seed| a.inputs(inputs, seed));
        let compared = compared.collect::<Result<_, _>>()?;
        let inputs = a.inputs(inputs, *seed)?;
        let pair = pair(&a.file, &OnnxFile::read(Path::new(&spec.b))?)?;
        let Model { engine, file, bound, loaded, .. } = a;
        Ok((Opened { spec, engine, file, bound, inputs, loss_inputs, compared, pair }, loaded))
    }

    pub(super) fn load(&self, from_b: &[u32]) -> Result<Side, RecordError> {
        let bytes = self.pair.mixed(from_b).map_err(|reason| self.refused(reason))?;
        self.load_bytes(bytes)
    }

    /// A model that is made of both, loaded.
    pub(super) fn load_bytes(&self, bytes: Vec<u8>) -> Result<Side, RecordError> {
        let file = Rc::new(self.file.with(bytes)?);
        let loaded = self.engine.load(&file, &self.bound, self.spec.a.options.threads)?;
        Side::new(Rc::clone(&self.engine), loaded)
    }

    pub(super) fn refused(&self, reason: String) -> RecordError {
        let [a, b] = [&self.spec.a.model, &self.spec.b].map(|path| path.into());
        RecordError::NoMix { a, b, reason }
    }

    pub(super) fn learn_types(&mut self, types: &ElementTypes) {
        self.pair.learn_types(types.clone());
    }
}

/// Where two models correspond.
pub(super) fn pair(a: &OnnxFile, b: &OnnxFile) -> Result<Pair, RecordError> {
    let folders = [a, b].map(|file| file.path.parent().unwrap_or(Path::new("")));
    let refused = |reason| RecordError::NoMix { a: a.path.clone(), b: b.path.clone(), reason };
    for input in &b.graph.inputs {
        // Values are made once, for A: B has to take them as they are.
        let own = a.graph.inputs.iter().find(|own| own.name == input.name);
        if let Some(own) = own.filter(|own| own.element_type != input.element_type) {
            let (name, a, b) = (&own.name, own.data_type, input.data_type);
            return Err(refused(format!("input `{name}` is {a} in A and {b} in B")));
        }
    }
    let mut of_b = b.bytes()?.into_owned();
    // Engines look for the data of a mix in A's folder.
    if !b.protobuf.external_data().is_empty() && !is_same_folder(folders[0], folders[1]) {
        let unread = || refused("external data of B cannot be read".to_string());
        of_b = inlined(&of_b, folders[1]).ok_or_else(unread)?;
    }
    Pair::of([a.bytes()?.into_owned(), of_b], folders).map_err(refused)
}

/// True only if both exist: compares canonical paths.
pub(super) fn is_same_folder(one: &Path, other: &Path) -> bool {
    // The parent of a bare file name is the empty path, which cannot be canonicalized.
    let real = |folder: &Path| match folder.as_os_str().is_empty() {
        true => Path::new(".").canonicalize(),
        false => folder.canonicalize(),
    };
    real(one).is_ok_and(|one| real(other).is_ok_and(|other| one == other))
}
