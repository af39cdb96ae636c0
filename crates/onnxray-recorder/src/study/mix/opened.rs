//! Two models that are read, and inputs for both.

use super::spec::MixSpec;
use crate::engine::{Engines, LoadedModel};
use crate::error::RecordError;
use crate::model::file::OnnxFile;
use crate::model::mix::{Pair, inlined};
use crate::study::opened::{Opened, Purpose};
use crate::study::turns::Here;
use crate::study::written::is_same_folder;
use std::path::Path;
use std::rc::Rc;

/// Two models that are read, and what runs them.
pub(in crate::study) struct Mixes {
    pub(super) spec: MixSpec,
    /// A, whose shapes and inputs are those of all.
    pub(super) a: Opened,
    pub(super) pair: Pair,
}

impl Mixes {
    /// Loads A and reads B; the loaded model is A as it is.
    pub(super) fn read(
        engines: &dyn Engines,
        spec: &MixSpec,
        purpose: Purpose,
    ) -> Result<(Mixes, Box<dyn LoadedModel>), RecordError> {
        let (a, loaded) = Opened::open(engines, &spec.a, purpose)?;
        let pair = pair(&a.file, &OnnxFile::read(Path::new(&spec.b))?)?;
        Ok((Mixes { spec: spec.clone(), a, pair }, loaded))
    }

    pub(super) fn load(&self, from_b: &[u32]) -> Result<Here, RecordError> {
        let bytes = self.pair.mixed(from_b).map_err(|reason| self.refused(reason))?;
        self.load_bytes(bytes)
    }

    /// A model that is made of both, loaded.
    pub(super) fn load_bytes(&self, bytes: Vec<u8>) -> Result<Here, RecordError> {
        let file = Rc::new(self.a.file.with(bytes)?);
        self.a.load(&file, self.spec.a.options.threads)
    }

    pub(super) fn refused(&self, reason: String) -> RecordError {
        let [a, b] = [&self.spec.a.model, &self.spec.b].map(|path| path.into());
        RecordError::NoMix { a, b, reason }
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
