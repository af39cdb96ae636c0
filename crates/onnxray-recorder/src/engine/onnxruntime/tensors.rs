//! Tensors on their way into ONNX Runtime and out of it.

use super::sessions::text;
use crate::tensor::{Element, Tensor, dispatch};
use ndarray::ArrayD;
use onnxray_failsafe::catch_panic;
use ort::memory::Allocator;
use ort::session::{HasSelectedOutputs, OutputSelector, RunOptions, Session, SessionInputValue};
use ort::value::{
    DynTensor, DynTensorValueType, DynValue, IntoTensorElementType, Outlet, Sequence,
    Tensor as Value, TensorElementType, ValueType,
};

/// Turns a panic of the `ort` crate into an error.
pub(super) fn guarded<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_panic(work).unwrap_or_else(Err)
}

/// Copies the inputs of a run.
pub(super) fn into_values(inputs: &[Tensor]) -> Result<Vec<SessionInputValue<'static>>, String> {
    inputs.iter().map(into_value).collect()
}

pub(super) fn into_value(tensor: &Tensor) -> Result<SessionInputValue<'static>, String> {
    match tensor {
        // A runtime takes none that is empty.
        Tensor::Sequence(all) if all.is_empty() => Err("a sequence has no tensors".to_string()),
        Tensor::Sequence(all) => {
            let all: Vec<DynTensor> = all.iter().map(plain).collect::<Result<_, _>>()?;
            Ok(Sequence::<DynTensorValueType>::new(all).map_err(text)?.into())
        }
        tensor => Ok(plain(tensor)?.into()),
    }
}

/// Copies anything but a sequence.
fn plain(tensor: &Tensor) -> Result<DynTensor, String> {
    dispatch!(T => if let Some(array) = T::array(tensor) {
        return Ok(Value::from_array(in_order(array)).map_err(text)?.upcast());
    });
    match tensor {
        Tensor::Text(array) => {
            Ok(Value::from_string_array(&in_order(array)).map_err(text)?.upcast())
        }
        Tensor::Zeros(zeros) => {
            let element_type = element_type(zeros.element_type)?;
            let shape: Vec<i64> = zeros.shape.iter().map(|&size| size as i64).collect();
            let allocator = Allocator::default();
            DynTensor::new(&allocator, element_type, shape).map_err(text)
        }
        other => Err(format!("an input is of type {}", other.data_type())),
    }
}

/// Element type by its number in ONNX' `TensorProto.DataType`; only types that have no array in
/// Rust.
fn element_type(number: i32) -> Result<TensorElementType, String> {
    Ok(match number {
        14 => TensorElementType::Complex64,
        15 => TensorElementType::Complex128,
        16 => TensorElementType::Bfloat16,
        17 => TensorElementType::Float8E4M3FN,
        18 => TensorElementType::Float8E4M3FNUZ,
        19 => TensorElementType::Float8E5M2,
        20 => TensorElementType::Float8E5M2FNUZ,
        21 => TensorElementType::Uint4,
        22 => TensorElementType::Int4,
        23 => TensorElementType::Float4E2M1,
        24 => TensorElementType::Float8E8M0,
        25 => TensorElementType::Uint2,
        26 => TensorElementType::Int2,
        other => return Err(format!("inputs of ONNX type {other} cannot be made up")),
    })
}

/// A copy in row-major order.
fn in_order<T: Clone>(array: &ArrayD<T>) -> ArrayD<T> {
    array.as_standard_layout().into_owned()
}

/// Runs a session. Its results by output; `None` for those that may be none, as ONNX' optional
/// types allow: whoever wraps such a result reads what is not there.
pub(super) fn run(
    session: &mut Session,
    inputs: &[SessionInputValue<'static>],
) -> Result<Vec<Option<DynValue>>, String> {
    let is_optional = |output: &Outlet| matches!(output.dtype(), ValueType::Optional(_));
    let outputs = session.outputs();
    // The usual case makes no selection of outputs: all of this is within what is measured.
    if !outputs.iter().any(is_optional) {
        let results = session.run(inputs).map_err(text)?;
        return Ok(results.into_iter().map(|(_, value)| Some(value)).collect());
    }
    let wanted: Vec<String> =
        outputs.iter().filter(|&o| !is_optional(o)).map(|o| o.name().to_string()).collect();
    if wanted.is_empty() {
        let names: Vec<String> = outputs.iter().map(|o| format!("`{}`", o.name())).collect();
        let (outputs, it) =
            if names.len() == 1 { ("only output", "is") } else { ("outputs", "are") };
        let names = names.join(", ");
        return Err(format!(
            "its {outputs} {names} {it} optional: the result may be none, which cannot be \
             fetched; give the model another output, such as OptionalHasElement of it"
        ));
    }
    let positions: Vec<Option<usize>> =
        outputs.iter().map(|o| wanted.iter().position(|name| name == o.name())).collect();
    let selected = wanted.into_iter().fold(OutputSelector::no_default(), OutputSelector::with);
    let options = RunOptions::new().map_err(text)?.with_outputs(selected);
    let results = session.run_with_options(inputs, &options).map_err(text)?;
    let mut values: Vec<Option<DynValue>> =
        results.into_iter().map(|(_, value)| Some(value)).collect();
    let value = |position: Option<usize>| values.get_mut(position?)?.take();
    Ok(positions.into_iter().map(value).collect())
}

/// Outputs of a run, which others write to.
pub(super) struct BoundOutputs(RunOptions<HasSelectedOutputs>);

impl BoundOutputs {
    /// Takes all outputs of a run; `None`, and they stay, if one cannot be fetched or is not a tensor.
    pub(super) fn new(
        session: &Session,
        values: &mut Vec<Option<DynValue>>,
    ) -> Option<BoundOutputs> {
        let is_tensor = |value: &Option<DynValue>| {
            value.as_ref().is_some_and(|value| matches!(value.dtype(), ValueType::Tensor { .. }))
        };
        if values.len() != session.outputs().len() || !values.iter().all(is_tensor) {
            return None;
        }
        let outputs = session.outputs().iter().zip(values.drain(..));
        let selected =
            outputs.fold(OutputSelector::default(), |selected, (output, value)| match value {
                Some(value) => selected.preallocate(output.name(), value),
                None => selected,
            });
        let options = guarded(|| RunOptions::new().map_err(text)).ok()?;
        Some(BoundOutputs(options.with_outputs(selected)))
    }

    /// Runs a session: the outputs, which are written anew by the next run.
    pub(super) fn run(
        &self,
        session: &mut Session,
        inputs: &[SessionInputValue<'static>],
    ) -> Result<Vec<Option<DynValue>>, String> {
        guarded(|| {
            let results = session.run_with_options(inputs, &self.0).map_err(text)?;
            Ok(results.into_iter().map(|(_, value)| Some(value)).collect())
        })
    }
}

/// Copies an output.
pub(super) fn from_value(value: &DynValue) -> Result<Tensor, String> {
    let ValueType::Tensor { ty, .. } = value.dtype() else {
        return Err(format!("an output is not a tensor but {}", value.dtype()));
    };
    dispatch!(T => if *ty == T::into_tensor_element_type() {
        return Ok(value.try_extract_array::<T>().map_err(text)?.to_owned().into());
    });
    match ty {
        TensorElementType::String => {
            Ok(Tensor::Text(value.try_extract_string_array().map_err(text)?))
        }
        other => Err(format!("an output is of type {other}")),
    }
}
