//! ONNX Runtime as the Python package has it.

use onnxray_recorder::{Model, Tensor};
use std::process::Command;

/// The folder of its library, from the Python that `ONNXRAY_PYTHON` names.
pub(crate) fn library() -> String {
    let python = std::env::var("ONNXRAY_PYTHON").unwrap_or_else(|_| "python3".to_string());
    let script = "import onnxruntime; print(onnxruntime.__path__[0])";
    let output = Command::new(python).args(["-c", script]).output().expect("a Python");
    let library = String::from_utf8(output.stdout).expect("a path").trim().to_string();
    assert!(!library.is_empty(), "ONNXRAY_PYTHON names a Python with onnxruntime");
    library
}

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
