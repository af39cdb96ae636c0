//! The formats that can be read: one module each, and one line in [`ALL`].

pub mod chrome_trace;
pub mod kineto;
pub mod neural_engine;
pub mod onnxray;
pub mod onnxruntime;
pub mod openvino;
mod records;
pub mod tensorrt;
pub mod tflite;
mod together;
pub mod tract;

use crate::importer::Importer;

/// All formats, special ones before general ones: the first that recognizes an
/// input reads it.
pub static ALL: &[&Importer] = &[
    &onnxray::IMPORTER,
    &neural_engine::IMPORTER,
    &onnxruntime::IMPORTER,
    &kineto::IMPORTER,
    &tensorrt::IMPORTER,
    &openvino::IMPORTER,
    &tflite::IMPORTER,
    &tract::IMPORTER,
    &chrome_trace::IMPORTER,
];
