//! A byte of a fixture is another: what changes with it is said or valid.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| onnxray_fuzz::one_change(bytes));
