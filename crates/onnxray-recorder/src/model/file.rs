//! A model file: decoded, but not loaded into an engine.

use super::graph::Graph;
use super::protobuf::Protobuf;
use crate::error::RecordError;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// An ONNX file as its author wrote it. Engines load models from it.
pub struct OnnxFile {
    pub(crate) path: PathBuf,
    pub(crate) graph: Rc<Graph>,
    pub(crate) protobuf: Protobuf,
}

impl OnnxFile {
    /// Reads and decodes the file at `path`.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is no whole ONNX model.
    pub fn read(path: &Path) -> Result<OnnxFile, RecordError> {
        let bytes = fs::read(path)
            .map_err(|source| RecordError::ReadModel { path: path.to_path_buf(), source })?;
        let not_onnx = |reason: String| RecordError::NotOnnx {
            path: path.to_path_buf(),
            bytes: bytes.len() as u64,
            reason,
        };
        let protobuf = Protobuf::decode(&bytes).map_err(not_onnx)?;
        let graph = protobuf.graph();
        if let Some(output) = graph.outputs.iter().find(|output| !graph.provides(output)) {
            return Err(not_onnx(format!("nothing computes its output `{output}`")));
        }
        Ok(OnnxFile { path: path.to_path_buf(), graph: Rc::new(graph), protobuf })
    }

    /// Name of the file without its folder.
    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// SHA-256 of the file in hexadecimal; `None` if it is gone by now.
    pub fn sha256(&self) -> Option<String> {
        sha256(&self.path).ok()
    }

    /// Elements of all parameters; `None` if they are too many to count.
    pub fn parameters(&self) -> Option<u64> {
        self.graph.parameters()
    }

    /// Where external data lies.
    pub(crate) fn folder(&self) -> Option<&str> {
        self.path.parent().and_then(Path::to_str)
    }

    /// The elements of the constants, loaded when asked for.
    pub(crate) fn elements(&self) -> impl Fn(&str) -> Option<Vec<f64>> {
        let initializers = self.protobuf.initializers(self.folder());
        move |name| initializers.numbers(name)
    }
}

fn sha256(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            count => hash.update(&buffer[..count]),
        }
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
