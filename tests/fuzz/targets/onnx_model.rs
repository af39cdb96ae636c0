//! Any bytes as an ONNX model, joined with a small trace.

#![no_main]

use onnxray_import::join;
use onnxray_recorder::{GivenDimensions, OnnxNodes};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let file = onnxray_fuzz::file("model.onnx", bytes);
    let Ok(model) = OnnxNodes::read(&file, &GivenDimensions::default()) else { return };
    for (position, node) in model.model.nodes.iter().enumerate() {
        assert_eq!(node.number as usize, position);
        assert!(node.parent.is_none_or(|parent| (parent as usize) < position));
    }
    let mut launch = onnxray_fuzz::launch();
    let joined = join(&mut launch, &model.model);
    assert!(joined.matched <= launch.operators.len());
    onnxray_fuzz::check(&launch);
});
