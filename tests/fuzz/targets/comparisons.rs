//! Any text as the JSON of comparisons, of which the differences that hold are listed.

#![no_main]

#[path = "../../../crates/onnxray-analyzer/tests/comparisons/checked.rs"]
mod checked;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    checked::check(onnxray_fuzz::pieced(bytes, &checked::PIECES.map(str::as_bytes)));
});
