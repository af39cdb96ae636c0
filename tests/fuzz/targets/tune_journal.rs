//! The journal of a tuning: records of all kinds in any order, cut and damaged anywhere.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| onnxray_fuzz::journals::tuning(bytes));
