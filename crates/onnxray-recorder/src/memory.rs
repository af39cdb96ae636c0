//! How much memory there is, and how much of it is used.

use crate::control_groups::control_groups;
use memmap2::{MmapMut, MmapOptions};
use rlimit::Resource;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// Memory in bytes that this process may use: of the machine or the container, or less where the
/// address space is limited. `None` where the system does not say.
pub fn limit() -> Option<u64> {
    let limits = [machine(), narrowest_group(), address_space()];
    // What the system does not tell bounds nothing.
    limits.into_iter().flatten().min()
}

/// Memory in bytes that the container of this process may use, where that is less than the machine
/// has.
pub(crate) fn container() -> Option<u64> {
    // Version 1 has a limit that is beyond all memory where there is none.
    narrowest_group().filter(|limit| machine().is_some_and(|all| *limit < all))
}

fn narrowest_group() -> Option<u64> {
    control_groups("memory").and_then(least)
}

/// Resident memory of this process in bytes; `None` where the system does not say.
pub(crate) fn used() -> Option<u64> {
    kibibytes("/proc/self/status", "VmRSS:")
}

/// The largest resident memory since [`forget_peak`] in bytes; `None` where the system does not say.
pub(crate) fn peak() -> Option<u64> {
    kibibytes("/proc/self/status", "VmHWM:")
}

/// Whether some memory of this process is in huge pages.
pub(crate) fn has_huge_pages() -> bool {
    kibibytes("/proc/self/smaps_rollup", "AnonHugePages:").is_some_and(|bytes| bytes > 0)
}

/// Lets [`peak`] begin anew; false where the system does not allow it.
pub(crate) fn forget_peak() -> bool {
    // 5 of proc(5): the peak becomes what is resident now.
    fs::write("/proc/self/clear_refs", "5").is_ok()
}

/// Bytes that are in memory, to be read. The system makes all pages at once: one by one, 256 MB take
/// 0.15 s instead of 0.08.
pub(crate) fn resident(bytes: usize) -> io::Result<MmapMut> {
    // Not every system does so when it is asked.
    Ok(written(MmapOptions::new().len(bytes).populate().map_anon()?))
}

/// The same in huge pages, where the system has some: reading small ones evicts all others from the
/// processor's cache of addresses.
pub(crate) fn resident_in_huge_pages(bytes: usize) -> io::Result<MmapMut> {
    let data = MmapMut::map_anon(bytes)?;
    #[cfg(target_os = "linux")]
    // Where it has none, small ones serve.
    let _ = data.advise(memmap2::Advice::HugePage);
    Ok(written(data))
}

/// Writes to each page: those that nobody wrote to are one and the same.
fn written(mut data: MmapMut) -> MmapMut {
    /// No system has smaller ones.
    const PAGE: usize = 4096;
    data.iter_mut().step_by(PAGE).for_each(|byte| *byte = 1);
    data
}

/// Bytes for an engine besides the model, in a process that only folds constants.
const FOLDED: u64 = 512 << 20;

/// Bytes per byte of the model: decoded, as tensors, and laid out for kernels.
const FOR_EACH_BYTE: u64 = 8;

/// Set where a process exists for models that are only read.
static IS_BOUNDED: AtomicBool = AtomicBool::new(false);

/// Lets this process, which was begun to read models and not to run them, take no more memory than
/// a model of its size needs: what is folded of a few bytes may have any size. An allocation beyond
/// that ends the process.
pub fn bound_folding() {
    IS_BOUNDED.store(true, Ordering::Relaxed);
}

/// Bounds what is folded of a model of this many bytes, in a process that asked for it.
pub(crate) fn bound_for(model: u64) {
    if IS_BOUNDED.load(Ordering::Relaxed) {
        // Never raised: a larger model in the same process keeps the bound of the first one.
        let most = model.saturating_mul(FOR_EACH_BYTE).saturating_add(FOLDED);
        // Where it cannot be lowered, what holds is the system's.
        let _ =
            Resource::DATA.get().and_then(|(own, hard)| Resource::DATA.set(own.min(most), hard));
    }
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

/// Lowest limit of these control groups, version 1 or 2; `None` if none has one.
fn least(folders: Vec<PathBuf>) -> Option<u64> {
    let limit = |folder: &PathBuf| {
        let mut files = ["memory.max", "memory.limit_in_bytes"].into_iter();
        let text = files.find_map(|file| fs::read_to_string(folder.join(file)).ok())?;
        // `max` is not a limit. Version 1 has a number beyond all memory for that.
        text.trim().parse().ok()
    };
    folders.iter().filter_map(limit).min()
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
    fn the_narrowest_group_limits_memory() {
        let group = |file: &str, text: &str| {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join(file), text).unwrap();
            folder
        };
        let of = |groups: &[&tempfile::TempDir]| {
            least(groups.iter().map(|folder| folder.path().to_path_buf()).collect())
        };
        let [inner, outer] = ["max\n", "4096000\n"].map(|text| group("memory.max", text));
        assert_eq!(of(&[&inner, &outer]), Some(4_096_000));
        assert_eq!(of(&[&outer, &inner]), Some(4_096_000));
        assert_eq!(of(&[&inner]), None);
        let [inner, outer] =
            ["8192000\n", "9223372036854771712\n"].map(|text| group("memory.limit_in_bytes", text));
        assert_eq!(of(&[&inner, &outer]), Some(8_192_000));
        let empty = tempfile::tempdir().unwrap();
        assert_eq!(of(&[&empty]), None);
    }

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
