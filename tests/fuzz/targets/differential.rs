//! Any bytes, read plainly, compressed and in slices, which must say the same.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| onnxray_fuzz::differential(bytes));
