//! Inputs of a model, for a script.

use onnxray_recorder::{Model, Tensor};

/// Shape and values of each input by its name.
pub(crate) fn written(model: &Model, inputs: &[Tensor]) -> String {
    let values = |tensor: &Tensor| -> Vec<f64> {
        match tensor {
            Tensor::F32(array) => array.iter().map(|value| f64::from(*value)).collect(),
            Tensor::I64(array) => array.iter().map(|value| *value as f64).collect(),
            _ => panic!("inputs of the bundled models are fp32 or s64"),
        }
    };
    let named = model.input_names().into_iter().zip(inputs).map(|(name, tensor)| {
        let input = serde_json::json!({ "shape": tensor.shape(), "values": values(tensor) });
        (name.to_string(), input)
    });
    serde_json::Value::Object(named.collect()).to_string()
}
