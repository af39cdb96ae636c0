//! Any bytes, read as the format `openvino`.

#![no_main]

use onnxray_import::formats::openvino::IMPORTER;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| onnxray_fuzz::import(&IMPORTER, bytes));
