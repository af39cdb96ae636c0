//! Any bytes, read as the format `pytorch`.

#![no_main]

use onnxray_import::formats::kineto::IMPORTER;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| onnxray_fuzz::import(&IMPORTER, bytes));
