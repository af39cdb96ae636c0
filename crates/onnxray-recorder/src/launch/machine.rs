//! What the recording states about the machine it was made on.

use std::fs;

/// The processor's own name, where the system tells it.
pub(crate) fn cpu() -> Option<String> {
    let information = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = information.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_string())
}

pub(super) fn host() -> Option<String> {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    Some(name.trim().to_string()).filter(|name| !name.is_empty())
}

pub(super) fn operating_system() -> String {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!("{} {}", std::env::consts::OS, release.trim()).trim_end().to_string()
}

/// The widest vector instructions that kernels may use here, and those for
/// low-precision products.
pub(super) fn isa() -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    #[cfg(target_arch = "x86_64")]
    {
        macro_rules! detect {
            ($($feature:tt => $name:literal),* $(,)?) => {
                $(if std::arch::is_x86_feature_detected!($feature) { names.push($name); })*
            };
        }
        detect!(
            "avx512f" => "AVX512F",
            "avx512vnni" => "AVX512_VNNI",
            "avx512bf16" => "AVX512_BF16",
            "avx512fp16" => "AVX512_FP16",
        );
        if names.is_empty() {
            detect!("avx2" => "AVX2", "fma" => "FMA");
        }
        if names.is_empty() {
            detect!("sse4.2" => "SSE4.2");
        }
        let flags = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        for (flag, name) in
            [("amx_tile", "AMX"), ("amx_int8", "AMX_INT8"), ("amx_bf16", "AMX_BF16")]
        {
            if flags.split_whitespace().any(|word| word == flag) {
                names.push(name);
            }
        }
    }
    #[cfg(target_arch = "aarch64")]
    {
        names.push("NEON");
        if std::arch::is_aarch64_feature_detected!("dotprod") {
            names.push("DOTPROD");
        }
        if std::arch::is_aarch64_feature_detected!("i8mm") {
            names.push("I8MM");
        }
    }
    (!names.is_empty()).then(|| names.join(" "))
}
