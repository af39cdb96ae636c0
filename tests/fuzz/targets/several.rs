//! Any bytes, cut into several files that are read at once.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| onnxray_fuzz::several(bytes));
