//! Any bytes, read as the format `tensorrt`.

#![no_main]

use onnxray_import::formats::tensorrt::IMPORTER;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| onnxray_fuzz::import(&IMPORTER, bytes));
