//! How much memory there is, and how much of it is used.

use std::fs;

/// What this process may use, in bytes: the memory of the machine or of the container,
/// or less where the address space is limited. `None` where the system does not say.
pub(crate) fn limit() -> Option<u64> {
    let limits = [machine(), container(), address_space()];
    limits.into_iter().flatten().min()
}

/// What of this process is in memory now, in bytes. `None` where the system does not say.
pub(crate) fn used() -> Option<u64> {
    kibibytes("/proc/self/status", "VmRSS:")
}

fn machine() -> Option<u64> {
    kibibytes("/proc/meminfo", "MemTotal:")
}

/// The bytes that a line of this file says.
fn kibibytes(file: &str, key: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

fn container() -> Option<u64> {
    fs::read_to_string("/sys/fs/cgroup/memory.max").ok()?.trim().parse().ok()
}

fn address_space() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/limits").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Bytes for people: 34.4 GB.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [&str; 7] = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"];
    let mut unit = 0;
    let mut value = bytes as f64;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    match unit {
        0 => format!("{bytes} bytes"),
        _ if value < 9.995 => format!("{value:.2} {}", UNITS[unit]),
        _ if value < 99.95 => format!("{value:.1} {}", UNITS[unit]),
        _ => format!("{value:.0} {}", UNITS[unit]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_three_digits() {
        let check = |bytes, text: &str| assert_eq!(size(bytes), text);
        check(0, "0 bytes");
        check(999, "999 bytes");
        check(1 << 35, "34.4 GB");
        check(999_500, "1.00 MB");
        check(u64::MAX, "18.4 EB");
    }
}
