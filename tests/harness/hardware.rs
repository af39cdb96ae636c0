//! Hardware that not every machine has: what cannot be tested without it is said, and counted.

use std::io::Write;

/// Says that something is not tested, since this machine has no such hardware.
pub(crate) fn lacks(hardware: &str, untested: &str) {
    // Not by a macro: what macros print is hidden where a test passes.
    writeln!(std::io::stderr(), "not tested here: {untested}, without {hardware}").unwrap();
}

/// Whether the processor has AVX, and so something to clear in its vector registers.
pub(crate) fn has_avx() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx");
    #[cfg(not(target_arch = "x86_64"))]
    false
}
