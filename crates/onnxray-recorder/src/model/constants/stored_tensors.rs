//! All tensors that a model stores, and where the elements of those lie that are in other files:
//! what a file says of them is compared with that file before anybody opens it.

use super::element_types::data_type;
use crate::model::bytes::field_numbers::{
    ENTRY_KEY, ENTRY_VALUE, TENSOR_DATA_TYPE, TENSOR_DIMENSIONS, TENSOR_EXTERNAL,
};
use crate::model::bytes::wire::{Field, Fields, values, varint};
use onnxray_failsafe::stays_inside;
use onnxray_format::DataType;
use std::path::Path;
use tract_onnx::pb;

/// Passes on every tensor that a graph stores: dense and sparse constants, tensors in attributes
/// and in bodies.
pub(in crate::model) fn each_of_graph<'a>(
    graph: &'a pb::GraphProto,
    see: &mut impl FnMut(&'a pb::TensorProto),
) {
    graph.initializer.iter().for_each(&mut *see);
    graph.sparse_initializer.iter().for_each(|sparse| of_sparse(sparse, see));
    each(&graph.node, see);
}

/// Passes on every tensor of these nodes, those in bodies included.
pub(in crate::model) fn each<'a>(
    nodes: &'a [pb::NodeProto],
    see: &mut impl FnMut(&'a pb::TensorProto),
) {
    for attribute in nodes.iter().flat_map(|node| &node.attribute) {
        attribute.t.iter().chain(&attribute.tensors).for_each(&mut *see);
        let sparse = attribute.sparse_tensor.iter().chain(&attribute.sparse_tensors);
        sparse.for_each(|sparse| of_sparse(sparse, see));
        let bodies = attribute.g.iter().chain(&attribute.graphs);
        bodies.for_each(|body| each_of_graph(body, see));
    }
}

fn of_sparse<'a>(sparse: &'a pb::SparseTensorProto, see: &mut impl FnMut(&'a pb::TensorProto)) {
    sparse.values.iter().chain(&sparse.indices).for_each(see);
}

/// Reference of a tensor to the file that holds its elements.
pub(crate) struct External {
    pub(crate) tensor: String,
    pub(crate) place: String,
    pub(in crate::model) offset: Option<String>,
    pub(in crate::model) length: Option<String>,
    /// Bytes by its type and shape; `None` where its type has no size.
    pub(in crate::model) bytes: Option<u64>,
}

impl External {
    /// `None` if its elements lie in the model's own file.
    pub(in crate::model) fn of(tensor: &pb::TensorProto) -> Option<External> {
        let value = |key: &str| {
            let mut entries = tensor.external_data.iter();
            entries.find(|entry| entry.key == key).map(|entry| entry.value.clone())
        };
        Some(External {
            tensor: tensor.name.clone(),
            place: value("location")?,
            offset: value("offset"),
            length: value("length"),
            bytes: bytes(&tensor.dims, data_type(tensor.data_type)),
        })
    }

    /// The same of a tensor that is not decoded; `None` also if it is malformed.
    pub(in crate::model) fn of_bytes(tensor: &[u8]) -> Option<External> {
        let (mut element_type, mut dimensions, mut entries) = (0, Vec::new(), Vec::new());
        for field in Fields(tensor) {
            let Field { number, value, integer, .. } = field?;
            match (number, value) {
                (TENSOR_DATA_TYPE, _) => element_type = integer?,
                (TENSOR_DIMENSIONS, None) => dimensions.push(integer? as i64),
                (TENSOR_DIMENSIONS, Some(mut packed)) => {
                    while !packed.is_empty() {
                        dimensions.push(varint(&mut packed)? as i64);
                    }
                }
                (TENSOR_EXTERNAL, Some(entry)) => entries.push(entry),
                _ => {}
            }
        }
        let value = |wanted: &str| {
            let is_wanted =
                |entry: &&&[u8]| values(entry, ENTRY_KEY).last() == Some(wanted.as_bytes());
            let value = values(entries.iter().find(is_wanted)?, ENTRY_VALUE).last();
            String::from_utf8(value.unwrap_or_default().to_vec()).ok()
        };
        Some(External {
            tensor: String::new(),
            place: value("location")?,
            offset: value("offset"),
            length: value("length"),
            bytes: bytes(&dimensions, data_type(i32::try_from(element_type).ok()?)),
        })
    }

    /// Where its elements begin in that file, and how many bytes they take; `None` if nothing says so.
    pub(in crate::model) fn extent(&self) -> Option<(u64, u64)> {
        let offset = self.offset.as_ref().map_or(Some(0), |text| text.parse().ok())?;
        let length = self.length.as_ref().map_or(self.bytes, |text| text.parse().ok())?;
        Some((offset, length))
    }

    /// What is wrong with it, without reading its elements: a file that is not in or below the
    /// model's folder, is another thing than a file, or cannot hold what the tensor says. A file that is
    /// not there is found missing by whoever needs it.
    pub(crate) fn fault(&self, folder: &Path) -> Option<&'static str> {
        if !stays_inside(Path::new(&self.place)) {
            return Some("is not in the folder of the model");
        }
        let path = folder.join(&self.place);
        let about = match path.metadata() {
            Ok(about) if about.is_file() => about,
            Ok(_) => return Some("is not a file"),
            Err(_) => return None,
        };
        let number = |text: &Option<String>| text.as_deref().map(str::parse::<u64>).transpose();
        let (Ok(offset), Ok(length)) = (number(&self.offset), number(&self.length)) else {
            return Some("has an offset or a length that is not a number");
        };
        // As ONNX says: without an offset from the beginning. Without a length, readers take the
        // rest of the file; `complete_lengths` has them take what the shape says.
        let (offset, length) = (offset.unwrap_or(0), length.or(self.bytes));
        if self.bytes.is_some_and(|bytes| length.is_some_and(|length| length != bytes)) {
            return Some("has another length than the type and the shape of the tensor come to");
        }
        let end = length.and_then(|length| offset.checked_add(length));
        // An end beyond 64 bits is beyond any file.
        match length.is_some() && end.is_none_or(|end| end > about.len()) {
            true => Some("ends before the tensor does"),
            false => None,
        }
    }
}

/// Bytes that elements of that type take, of which short ones share one; `None` where a type has no
/// size, or where there are more than can be counted.
pub(crate) fn bytes(dimensions: &[i64], data_type: DataType) -> Option<u64> {
    let mut sizes = dimensions.iter().map(|&size| u64::try_from(size).ok());
    let elements = sizes.try_fold(1u64, |product, size| product.checked_mul(size?))?;
    Some(elements.checked_mul(data_type.bits()?)?.div_ceil(8))
}

/// Gives each tensor in another file the length that its type and shape come to where the model
/// states none: a reader would take all that follows for its elements.
pub(in crate::model) fn complete_lengths(graph: &mut pb::GraphProto) {
    let (mut graphs, mut nodes) = (vec![graph], Vec::<&mut pb::NodeProto>::new());
    loop {
        if let Some(graph) = graphs.pop() {
            let sparse = graph.sparse_initializer.iter_mut();
            let sparse =
                sparse.flat_map(|sparse| sparse.values.iter_mut().chain(&mut sparse.indices));
            graph.initializer.iter_mut().chain(sparse).for_each(complete_length);
            nodes.extend(&mut graph.node);
            continue;
        }
        let Some(node) = nodes.pop() else { return };
        for attribute in &mut node.attribute {
            let pb::AttributeProto {
                t,
                tensors,
                sparse_tensor,
                sparse_tensors,
                g,
                graphs: own,
                ..
            } = attribute;
            let sparse = sparse_tensor.iter_mut().chain(sparse_tensors);
            let sparse =
                sparse.flat_map(|sparse| sparse.values.iter_mut().chain(&mut sparse.indices));
            t.iter_mut().chain(tensors).chain(sparse).for_each(complete_length);
            graphs.extend(g.iter_mut().chain(own));
        }
    }
}

fn complete_length(tensor: &mut pb::TensorProto) {
    let Some(External { length: None, bytes: Some(bytes), .. }) = External::of(tensor) else {
        return;
    };
    let (key, value) = ("length".to_string(), bytes.to_string());
    tensor.external_data.push(pb::StringStringEntryProto { key, value });
}
