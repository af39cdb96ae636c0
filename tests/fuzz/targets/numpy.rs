//! Any bytes as a NumPy file or archive, for the input of a small model.

#![no_main]

use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::{GivenDimensions, InputFiles, Model};

/// A Relu of 2 x 2 numbers.
const MODEL: &[u8] = include_bytes!("../corpus/onnx_model/relu.onnx");

thread_local! {
    static RELU: Model = {
        let file = onnxray_fuzz::file("relu.onnx", MODEL);
        Model::load(&EngineSpec::default(), &file, &GivenDimensions::default(), 1).expect("a small model")
    };
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for name in ["x.npy", "x.npz"] {
        let file = onnxray_fuzz::file(name, bytes);
        let files = InputFiles::from([("x".to_string(), file.into_os_string())]);
        RELU.with(|model| {
            if let Ok(inputs) = model.inputs(&files, 1) {
                assert_eq!(inputs[0].shape(), [2, 2]);
            }
        });
    }
});
