//! The elements of a model's constants as numbers, loaded when asked for.

use super::decoded::decoded;
use super::element_types::data_type;
use half::bf16;
use onnxray_failsafe::catch_panic;
use onnxray_format::{DataType, elements};
use std::collections::HashMap;
use tract_onnx::data_resolver::MmapDataResolver;
use tract_onnx::pb;
use tract_onnx::prelude::Tensor;

/// The most elements that a sparse tensor is spread out to: its file may be a few bytes long.
const LARGEST_SPARSE: u64 = 1 << 28;

/// The constants of a model, bodies included.
pub(crate) struct Initializers<'a> {
    constants: HashMap<&'a str, Held<'a>>,
    /// Folder of external data.
    folder: Option<&'a str>,
}

/// Where a file holds the elements of a constant.
enum Held<'a> {
    Dense(&'a pb::TensorProto),
    Sparse(&'a pb::SparseTensorProto),
    /// In the attributes `value_float` and `value_floats` of a Constant node.
    Floats(&'a [f32]),
    /// In the attributes `value_int` and `value_ints`.
    Integers(&'a [i64]),
}

impl<'a> Initializers<'a> {
    pub(in crate::model) fn of(
        graph: Option<&'a pb::GraphProto>,
        folder: Option<&'a str>,
    ) -> Initializers<'a> {
        let mut constants = HashMap::new();
        if let Some(graph) = graph {
            collect(graph, &mut constants);
        }
        Initializers { constants, folder }
    }

    /// Elements as numbers, row-major; 32-bit integers and all shorter types are exact. `None`
    /// if they cannot be read.
    pub(crate) fn numbers(&self, name: &str) -> Option<Vec<f64>> {
        match self.constants.get(name)? {
            Held::Dense(tensor) => self.dense(tensor),
            Held::Sparse(tensor) => self.sparse(tensor),
            Held::Floats(floats) => Some(floats.iter().map(|&float| f64::from(float)).collect()),
            Held::Integers(integers) => {
                Some(integers.iter().map(|&integer| integer as f64).collect())
            }
        }
    }

    fn dense(&self, tensor: &pb::TensorProto) -> Option<Vec<f64>> {
        dense(tensor, self.folder)
    }

    /// Dense elements: zero where no value is stated.
    fn sparse(&self, tensor: &pb::SparseTensorProto) -> Option<Vec<f64>> {
        let shape = shape(&tensor.dims);
        let count = elements(&shape).filter(|&count| count <= LARGEST_SPARSE)?;
        let mut numbers = vec![0.0; usize::try_from(count).ok()?];
        let values = self.dense(tensor.values.as_ref()?)?;
        let indices = tensor.indices.as_ref()?;
        let places = self.dense(indices)?;
        // A position for each value, or one along each axis.
        let axes = match indices.dims.len() {
            2 => shape.len(),
            _ => 1,
        };
        // A damaged file may state fewer places than values; `zip` would drop the rest silently.
        if places.len() != values.len().checked_mul(axes)? {
            return None;
        }
        for (value, place) in values.iter().zip(places.chunks(axes.max(1))) {
            let position = match indices.dims.len() {
                2 => {
                    place.iter().zip(&shape).fold(0.0, |sum, (&own, &size)| sum * size as f64 + own)
                }
                _ => place[0],
            };
            // Before the cast: `as usize` saturates, and a negative place would be 0.
            let is_inside = (0.0..count as f64).contains(&position);
            *numbers.get_mut(is_inside.then_some(position as usize)?)? = *value;
        }
        Some(numbers)
    }
}

/// Elements of a tensor; external data is read from `folder`.
pub(in crate::model) fn dense(tensor: &pb::TensorProto, folder: Option<&str>) -> Option<Vec<f64>> {
    use DataType::*;
    let load = |tensor: &pb::TensorProto| load(tensor, folder);
    let own = data_type(tensor.data_type);
    match own {
        // tract knows no such types, but their bytes.
        Bf16 => {
            // 4 is UINT16 in ONNX, of the same width.
            let tensor = load(&pb::TensorProto { data_type: 4, ..tensor.clone() })?;
            let bits = tensor.to_plain_array_view::<u16>().ok()?;
            Some(bits.iter().map(|&bits| bf16::from_bits(bits).to_f64()).collect())
        }
        S4 | U4 | S2 | U2 | Fp8E4M3Fn | Fp8E4M3FnUz | Fp8E5M2 | Fp8E5M2FnUz | Fp8E8M0 | Fp4E2M1 => {
            let count = elements(&shape(&tensor.dims))?;
            // 2 is UINT8: as many bytes as the packed elements take.
            let dims = vec![i64::try_from(own.bytes_of(count)?).ok()?];
            let tensor = load(&pb::TensorProto { data_type: 2, dims, ..tensor.clone() })?;
            let bytes = tensor.to_plain_array_view::<u8>().ok()?;
            decoded(own, bytes.as_slice()?, usize::try_from(count).ok()?)
        }
        _ => {
            let tensor = load(tensor)?;
            let tensor = tensor.cast_to::<f64>().ok()?;
            let numbers = tensor.to_plain_array_view::<f64>().ok()?;
            Some(numbers.iter().copied().collect())
        }
    }
}

fn load(tensor: &pb::TensorProto, folder: Option<&str>) -> Option<Tensor> {
    let load = || tract_onnx::tensor::load_tensor(&MmapDataResolver, tensor, folder).ok();
    // tract asserts that there are as many elements as the shape says.
    catch_panic(load).ok().flatten()
}

fn shape(dims: &[i64]) -> Vec<u64> {
    dims.iter().map(|&size| size.max(0) as u64).collect()
}

fn collect<'a>(graph: &'a pb::GraphProto, constants: &mut HashMap<&'a str, Held<'a>>) {
    for node in &graph.node {
        for attribute in &node.attribute {
            if let Some(body) = &attribute.g {
                collect(body, constants);
            }
            if let (Some(held), Some(output)) = (held(attribute), node.output.first())
                && node.op_type == "Constant"
            {
                constants.insert(output, held);
            }
        }
    }
    constants
        .extend(graph.initializer.iter().map(|tensor| (tensor.name.as_str(), Held::Dense(tensor))));
    constants.extend(graph.sparse_initializer.iter().filter_map(|tensor| {
        let name = &tensor.values.as_ref()?.name;
        Some((name.as_str(), Held::Sparse(tensor)))
    }));
}

fn held(attribute: &pb::AttributeProto) -> Option<Held<'_>> {
    if let Some(tensor) = &attribute.t {
        return Some(Held::Dense(tensor));
    }
    if let Some(tensor) = &attribute.sparse_tensor {
        return Some(Held::Sparse(tensor));
    }
    Some(match attribute.name.as_str() {
        "value_float" => Held::Floats(std::slice::from_ref(&attribute.f)),
        "value_floats" => Held::Floats(&attribute.floats),
        "value_int" => Held::Integers(std::slice::from_ref(&attribute.i)),
        "value_ints" => Held::Integers(&attribute.ints),
        _ => return None,
    })
}
