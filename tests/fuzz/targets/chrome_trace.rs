//! Any bytes, read as the format `chrome-trace`.

#![no_main]

use onnxray_import::formats::chrome_trace::IMPORTER;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| onnxray_fuzz::import(&IMPORTER, bytes));
