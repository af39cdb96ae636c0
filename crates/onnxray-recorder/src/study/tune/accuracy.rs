//! The numbers that products with weights of a few bits compute in: an attribute of the model.

use crate::error::RecordError;
use crate::launches::LaunchSpec;
use crate::model::file::OnnxFile;
use crate::model::graph::Graph;
use crate::model::mix::with_integer;
use crate::study::error::StudyError;
use crate::study::written::for_folder;
use onnxray_format::RuntimeChange;
use onnxray_text::shown;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;

const PRODUCT: &str = "MatMulNBits";
const LEVEL: &str = "accuracy_level";

/// What a model says of its products with weights of a few bits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuantizedProducts {
    /// Levels of accuracy of its `MatMulNBits` nodes; 0 for those that leave it to the engine. Empty
    /// without such nodes.
    pub levels: BTreeSet<u32>,
    /// Whether such a node has weights of two bits.
    pub has_two_bits: bool,
    /// Whether weights are dequantized in blocks, which ONNX Runtime makes such nodes of.
    pub has_blocks: bool,
}

impl QuantizedProducts {
    pub(super) fn of(graph: &Graph) -> QuantizedProducts {
        let mut found = QuantizedProducts::default();
        found.add(graph);
        found
    }

    fn add(&mut self, graph: &Graph) {
        for node in &graph.nodes {
            match node.operator_type.as_str() {
                PRODUCT => {
                    let level = node.int(LEVEL).and_then(|level| u32::try_from(level).ok());
                    self.levels.insert(level.unwrap_or(0));
                    self.has_two_bits |= node.int("bits") == Some(2);
                }
                "DequantizeLinear" => {
                    self.has_blocks |= node.int("block_size").is_some_and(|size| size > 0);
                }
                _ => {}
            }
            node.bodies.iter().for_each(|(_, body)| self.add(body));
        }
    }
}

/// The level that changes write into the model; `None` if they leave it as it is.
pub fn accuracy_level(changes: &[RuntimeChange]) -> Option<u32> {
    changes.iter().find_map(RuntimeChange::accuracy_level)
}

/// The model with the level of these changes.
pub(super) fn with_accuracy_of(
    file: &Rc<OnnxFile>,
    changes: &[RuntimeChange],
) -> Result<Rc<OnnxFile>, RecordError> {
    match accuracy_level(changes) {
        Some(level) => Ok(Rc::new(file.with(changed(file, level)?)?)),
        None => Ok(Rc::clone(file)),
    }
}

/// The ONNX file, for this folder, of a launch's model whose `MatMulNBits` nodes have this level. In
/// the model's folder it refers to its external data; elsewhere it holds them.
///
/// # Errors
///
/// If the model or its data cannot be read, or if it is too large for a file.
pub fn with_accuracy(spec: &LaunchSpec, level: u32, folder: &Path) -> Result<Vec<u8>, StudyError> {
    let file = OnnxFile::read(Path::new(&spec.model))?;
    let bytes = changed(&file, level)?;
    for_folder(bytes, &file, folder)
        .map_err(|reason| StudyError::Refused(format!("{}: {reason}", shown(&file.path))))
}

fn changed(file: &OnnxFile, level: u32) -> Result<Vec<u8>, RecordError> {
    let model = file.bytes()?;
    // It was read before: somebody has written it since.
    let unread = || RecordError::NotOnnx {
        path: file.path.clone(),
        bytes: model.len() as u64,
        reason: "its nodes cannot be read".to_string(),
    };
    with_integer(&model, (PRODUCT, LEVEL), level.into()).ok_or_else(unread)
}
