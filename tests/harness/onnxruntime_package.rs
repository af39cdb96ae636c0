//! The Python package of ONNX Runtime, which `ONNXRAY_PYTHON` names a Python with.

use std::ffi::OsStr;
use std::process::Command;
use std::sync::OnceLock;

/// What a script prints.
pub(crate) fn python(script: &str, arguments: &[impl AsRef<OsStr>]) -> String {
    let python = std::env::var("ONNXRAY_PYTHON").unwrap_or("python3".to_string());
    let output = Command::new(python).args(["-c", script]).args(arguments).output().unwrap();
    assert!(
        output.status.success(),
        "this test needs a Python with onnxruntime (.ci/test makes one, ONNXRAY_PYTHON names \
         it): {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap().trim().to_string()
}

/// Its folder, in which its library is.
pub(crate) fn library() -> String {
    static FOLDER: OnceLock<String> = OnceLock::new();
    let find = || python("import onnxruntime; print(onnxruntime.__path__[0])", &[] as &[&str]);
    FOLDER.get_or_init(find).clone()
}
