//! Any bytes, read as the format `neural-engine`.

#![no_main]

use onnxray_import::formats::neural_engine::IMPORTER;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| onnxray_fuzz::import(&IMPORTER, bytes));
