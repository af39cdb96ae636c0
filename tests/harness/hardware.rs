//! Hardware that not every machine has: what cannot be tested without it is said, and counted.

use std::fs::File;
use std::io::Write;

/// Says that something is not tested, since this machine has no such hardware, and adds a line to
/// the file that `ONNXRAY_UNTESTED` names, for `.ci/test` to count.
pub(crate) fn lacks(hardware: &str, untested: &str) {
    let said = format!("not tested here: {untested}, without {hardware}\n");
    // Not by a macro: what macros print is hidden where a test passes.
    std::io::stderr().write_all(said.as_bytes()).unwrap();
    if let Some(list) = std::env::var_os("ONNXRAY_UNTESTED") {
        let mut list = File::options().append(true).create(true).open(list).unwrap();
        list.write_all(said.as_bytes()).unwrap();
    }
}

/// Whether the processor has AVX, and so something to clear in its vector registers.
pub(crate) fn has_avx() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx");
    #[cfg(not(target_arch = "x86_64"))]
    false
}
