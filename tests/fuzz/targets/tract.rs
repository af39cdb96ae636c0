//! Any bytes, read as the format `tract`.

#![no_main]

use onnxray_import::formats::tract::IMPORTER;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| onnxray_fuzz::import(&IMPORTER, bytes));
