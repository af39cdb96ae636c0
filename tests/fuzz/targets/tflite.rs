//! Any bytes, read as the format `tflite`.

#![no_main]

use onnxray_import::formats::tflite::IMPORTER;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| onnxray_fuzz::import(&IMPORTER, bytes));
