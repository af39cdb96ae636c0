//! ONNX Runtime as the Python package has it.

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
