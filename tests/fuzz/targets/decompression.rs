//! Any bytes as gzip, Zstandard and ZIP, and anything compressed.

#![no_main]

use std::io::Write;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for magic in [&[0x1f, 0x8b, 8, 0][..], &[0x28, 0xb5, 0x2f, 0xfd], b"PK\x03\x04", &[]] {
        onnxray_fuzz::detected(&[magic, bytes].concat());
    }
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let whole = encoder.write_all(bytes).and_then(|()| encoder.finish());
    let whole = whole.expect("memory to compress in");
    onnxray_fuzz::detected(&whole);
    onnxray_fuzz::detected(&whole[..whole.len() - whole.len() / 3]);
});
