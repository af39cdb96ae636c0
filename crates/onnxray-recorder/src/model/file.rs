//! A model file: decoded, but not loaded into an engine.

use super::axes::with_roles;
use super::bytes::node_names::renamed;
use super::bytes::replaced::replaced;
use super::constants::packed;
use super::constants::values::Elements;
use super::graph::Graph;
use super::protobuf::Protobuf;
use crate::error::RecordError;
use onnxray_failsafe::{open_regular, read_regular};
use onnxray_format::ModelFile;
use onnxray_text::FileKind;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Largest protobuf message; larger models keep their tensors in other files.
const LARGEST: u64 = 1 << 31;

/// An ONNX file as its author wrote it. Engines load models from it.
pub struct OnnxFile {
    pub(crate) path: PathBuf,
    pub(crate) graph: Rc<Graph>,
    pub(crate) protobuf: Protobuf,
    /// Bytes of the model, where they differ from the file's.
    changed: Option<Rc<[u8]>>,
}

impl OnnxFile {
    /// Reads and decodes the file at `path`.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is not a whole ONNX model.
    pub fn read(path: &Path) -> Result<OnnxFile, RecordError> {
        let bytes = read(path)?;
        let not_onnx = |reason: String| RecordError::NotOnnx {
            path: path.to_path_buf(),
            bytes: bytes.len() as u64,
            reason,
        };
        let protobuf = Protobuf::decode(&bytes).map_err(|reason| match FileKind::of(&bytes) {
            Some(kind) => RecordError::OtherFile { path: path.to_path_buf(), kind },
            None => not_onnx(reason),
        })?;
        if protobuf.node_names().is_empty() {
            return Err(not_onnx("its graph holds no nodes".to_string()));
        }
        let graph = protobuf.graph();
        if let Some(output) = graph.outputs.iter().find(|output| !graph.provides(output)) {
            return Err(not_onnx(format!("nothing computes its output `{output}`")));
        }
        // Whatever follows tensors from node to node would not end (`Graph::circle`).
        if let Some(node) = graph.circle() {
            let name = &node.name;
            return Err(not_onnx(format!("node `{name}` needs its own result to compute it")));
        }
        // Before any engine opens the files: a place outside the folder must never be read.
        check_external_data(path, &protobuf)?;
        let (path, graph) = (path.to_path_buf(), Rc::new(with_roles(graph)));
        Ok(OnnxFile { path, graph, protobuf, changed: None })
    }

    /// A model that no file holds, under a name.
    ///
    /// # Errors
    ///
    /// If it is not an ONNX model.
    pub(crate) fn made(name: &str, bytes: Vec<u8>) -> Result<OnnxFile, RecordError> {
        let path = PathBuf::from(name);
        let protobuf = Protobuf::decode(&bytes).map_err(|reason| RecordError::NotOnnx {
            path: path.clone(),
            bytes: bytes.len() as u64,
            reason,
        })?;
        let graph = Rc::new(with_roles(protobuf.graph()));
        Ok(OnnxFile { path, graph, protobuf, changed: Some(bytes.into()) })
    }

    /// The same model with other elements in constants of these names: in the order in which they
    /// are stored, lowest byte first.
    ///
    /// # Errors
    ///
    /// If the file cannot be read again, has changed, or has not exactly one such constant each.
    pub(crate) fn replacing(&self, constants: &[(&str, Vec<u8>)]) -> Result<OnnxFile, RecordError> {
        let bytes = self.bytes()?;
        let not_onnx = |reason: String| RecordError::NotOnnx {
            path: self.path.clone(),
            bytes: bytes.len() as u64,
            reason,
        };
        let changed = replaced(&bytes, constants).map_err(not_onnx)?;
        let protobuf = Protobuf::decode(&changed).map_err(not_onnx)?;
        Ok(OnnxFile {
            path: self.path.clone(),
            graph: Rc::clone(&self.graph),
            protobuf,
            changed: Some(changed.into()),
        })
    }

    /// Another model in place of this one, with its external data.
    ///
    /// # Errors
    ///
    /// If it is not an ONNX model.
    pub(crate) fn with(&self, bytes: Vec<u8>) -> Result<OnnxFile, RecordError> {
        let protobuf = Protobuf::decode(&bytes).map_err(|reason| RecordError::NotOnnx {
            path: self.path.clone(),
            bytes: bytes.len() as u64,
            reason,
        })?;
        let (path, graph) = (self.path.clone(), Rc::new(with_roles(protobuf.graph())));
        Ok(OnnxFile { path, graph, protobuf, changed: Some(bytes.into()) })
    }

    /// The model is that of a file, unchanged.
    pub(crate) fn is_as_written(&self) -> bool {
        self.changed.is_none()
    }

    /// Bytes of the model, read again from the file if it is unchanged.
    pub(crate) fn bytes(&self) -> Result<Cow<'_, [u8]>, RecordError> {
        match &self.changed {
            Some(changed) => Ok(Cow::Borrowed(changed)),
            None => Ok(Cow::Owned(read(&self.path)?)),
        }
    }

    /// Name of the file without its folder.
    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// The file as studies name it.
    pub(crate) fn identity(&self) -> ModelFile {
        ModelFile {
            model: self.name(),
            model_sha256: self.sha256(),
            external_sha256: self.external_sha256(),
        }
    }

    /// SHA-256 of the file in hexadecimal; `None` if it is gone by now.
    pub fn sha256(&self) -> Option<String> {
        sha256(&self.path).ok()
    }

    /// SHA-256 of the files that hold external data, with their names, in hexadecimal; `None`
    /// if there are none. One that is gone by now counts by its name alone.
    fn external_sha256(&self) -> Option<String> {
        let places = self.places();
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let mut all = Sha256::new();
        for place in &places {
            let own = sha256(&folder.join(place)).unwrap_or_default();
            // A name has no such byte, so that nothing of it passes for a hash.
            all.update(format!("{place}\0{own}\0"));
        }
        (!places.is_empty()).then(|| hexadecimal(all))
    }

    /// The files that hold external data, each once.
    pub(crate) fn places(&self) -> BTreeSet<&str> {
        let data = self.protobuf.external_data();
        data.iter().map(|external| external.place.as_str()).collect()
    }

    /// Bytes of the file, and of those with its external data.
    pub(crate) fn stored_bytes(&self) -> u64 {
        let files = self.files().into_iter();
        let sizes = files.map(|file| file.metadata().map_or(0, |about| about.len()));
        sizes.fold(0, u64::saturating_add)
    }

    /// The model's file, and those that it keeps its weights in.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let places = self.places().into_iter().map(|place| folder.join(place));
        places.chain([self.path.clone()]).collect()
    }

    /// Elements of all parameters; `None` if they are too many to count.
    pub fn parameters(&self) -> Option<u64> {
        packed::parameters(&self.graph)
    }

    /// The model's bytes with a name of its own for every node, if its author did not give
    /// them, or if the model is another than the file holds.
    ///
    /// # Errors
    ///
    /// If the file cannot be read again, or has changed.
    pub(crate) fn with_own_names(&self) -> Result<Option<Vec<u8>>, RecordError> {
        if !self.protobuf.is_renamed {
            return Ok(self.changed.as_ref().map(|changed| changed.to_vec()));
        }
        let bytes = self.bytes()?;
        let renamed = renamed(&bytes, self.protobuf.node_names());
        let changed = || RecordError::NotOnnx {
            path: self.path.clone(),
            bytes: bytes.len() as u64,
            reason: "it changed while it was read".to_string(),
        };
        renamed.ok_or_else(changed).map(Some)
    }

    /// Refuses a model of which data are not there.
    ///
    /// # Errors
    ///
    /// Which file is missing.
    pub(crate) fn check_data(&self) -> Result<(), RecordError> {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let data = self.protobuf.external_data();
        match data.iter().find(|external| !folder.join(&external.place).exists()) {
            None => Ok(()),
            Some(missing) => Err(RecordError::ExternalData {
                path: self.path.clone(),
                tensor: missing.tensor.clone(),
                place: missing.place.clone(),
                reason: "is missing: it belongs beside the model",
            }),
        }
    }

    /// Folder of external data; `None` if its path is not UTF-8.
    pub(crate) fn folder(&self) -> Option<&str> {
        self.path.parent().and_then(Path::to_str)
    }

    /// The elements of the constants, loaded when asked for.
    pub(crate) fn elements(&self) -> Elements<'_> {
        let initializers = self.protobuf.initializers(self.folder());
        Elements::new(move |name| initializers.numbers(name))
    }
}

fn read(path: &Path) -> Result<Vec<u8>, RecordError> {
    let unreadable = |source| RecordError::ReadFile { path: path.to_path_buf(), source };
    // Of standard input, a pipe or a device nobody knows when it ends.
    let is_standard_input = path == Path::new("-") && !path.exists();
    if is_standard_input || !fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(RecordError::NoFile { path: path.to_path_buf() });
    }
    let bytes = fs::metadata(path).map_err(unreadable)?.len();
    if bytes > LARGEST {
        return Err(RecordError::HugeModel { path: path.to_path_buf(), bytes });
    }
    read_regular(path, LARGEST).map_err(unreadable)
}

/// Refuses external data that is not what the model says, before anybody opens it.
fn check_external_data(path: &Path, protobuf: &Protobuf) -> Result<(), RecordError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    for external in protobuf.external_data() {
        if let Some(reason) = external.fault(folder) {
            let (tensor, place) = (external.tensor.clone(), external.place.clone());
            let path = path.to_path_buf();
            return Err(RecordError::ExternalData { path, tensor, place, reason });
        }
    }
    Ok(())
}

/// SHA-256 of a file in hexadecimal.
///
/// # Errors
///
/// If it cannot be read.
pub fn sha256(path: &Path) -> io::Result<String> {
    let mut file = open_regular(path)?;
    let mut hash = Sha256::new();
    // In pieces: weights may be larger than memory.
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            count => hash.update(&buffer[..count]),
        }
    }
    Ok(hexadecimal(hash))
}

fn hexadecimal(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
