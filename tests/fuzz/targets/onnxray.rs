//! Any bytes, read as the format `onnxray`.

#![no_main]

use onnxray_import::formats::onnxray::IMPORTER;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| onnxray_fuzz::import(&IMPORTER, bytes));
