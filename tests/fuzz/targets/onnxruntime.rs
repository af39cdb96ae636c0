//! Any bytes, read as the format `onnxruntime`.

#![no_main]

use onnxray_import::formats::onnxruntime::IMPORTER;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| onnxray_fuzz::import(&IMPORTER, bytes));
