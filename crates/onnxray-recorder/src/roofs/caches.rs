//! The levels of memory, as the system tells of them.

use crate::cores::read_list;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A level whose rate of reading is measured.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Level {
    pub(super) name: String,
    /// Bytes that it holds for all threads together; `None` for memory.
    pub(super) bytes: Option<u64>,
    /// Bytes that all threads together read to measure it.
    pub(super) read: u64,
}

/// What is read to measure memory: at least this much, and several times the last cache.
const LEAST_MEMORY: u64 = 64 << 20;
const MOST_MEMORY: u64 = 256 << 20;

/// The levels for this many threads on these cores. Where the system does not tell of caches, each
/// of some sizes is a level.
pub(super) fn levels(system: &Path, cores: &[u32], threads: u32) -> Vec<Level> {
    let mut levels = told(system, cores, threads);
    if levels.is_empty() {
        levels = sizes(threads);
    }
    let last = levels.iter().filter_map(|level| level.bytes).max().unwrap_or(0);
    levels.push(Level {
        name: "memory".to_string(),
        bytes: None,
        read: (4 * last).clamp(LEAST_MEMORY, MOST_MEMORY),
    });
    levels
}

/// Data caches of the cores, from the first level on.
fn told(system: &Path, cores: &[u32], threads: u32) -> Vec<Level> {
    let mut levels = Vec::new();
    for index in 0..8 {
        let mut sharers = BTreeSet::new();
        let mut cache = None;
        for core in cores {
            let Some(own) = Cache::read(&system.join(format!("cpu{core}/cache/index{index}")))
            else {
                continue;
            };
            sharers.insert(own.shared.clone());
            cache = Some(own);
        }
        let Some(cache) = cache else { break };
        if cache.kind == "Instruction" {
            continue;
        }
        // Threads may run on fewer cores than they may choose from.
        let bytes = cache.bytes * (sharers.len() as u64).min(u64::from(threads));
        // The rest is for what else is there: stacks, tables of pages.
        let read = bytes / 2;
        levels.push(Level { name: format!("L{}", cache.level), bytes: Some(bytes), read });
    }
    levels
}

struct Cache {
    level: u32,
    kind: String,
    bytes: u64,
    shared: Vec<u32>,
}

impl Cache {
    fn read(folder: &Path) -> Option<Cache> {
        let text = |name: &str| fs::read_to_string(folder.join(name)).ok();
        Some(Cache {
            level: text("level")?.trim().parse().ok()?,
            kind: text("type")?.trim().to_string(),
            bytes: size(text("size")?.trim())?,
            shared: read_list(&text("shared_cpu_list")?)?,
        })
    }
}

/// `32K` in bytes.
fn size(text: &str) -> Option<u64> {
    const LARGEST: u64 = 1 << 34;
    let digits = text.trim_end_matches(['K', 'M', 'G']);
    let shift = match &text[digits.len()..] {
        "" => 0,
        "K" => 10,
        "M" => 20,
        _ => 30,
    };
    let size = digits.parse::<u64>().ok()?.checked_shl(shift)?;
    (1..=LARGEST).contains(&size).then_some(size)
}

/// From what fits in any first cache to what fits in few last ones.
fn sizes(threads: u32) -> Vec<Level> {
    let level = |(name, each): (&str, u64)| {
        let bytes = each * u64::from(threads);
        Level { name: name.to_string(), bytes: Some(bytes), read: bytes }
    };
    [("16 KiB", 16 << 10), ("128 KiB", 128 << 10), ("1 MiB", 1 << 20), ("8 MiB", 8 << 20)]
        .map(level)
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(caches: &[(u32, u32, [&str; 4])]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (core, index, facts) in caches {
            let cache = folder.path().join(format!("cpu{core}/cache/index{index}"));
            fs::create_dir_all(&cache).unwrap();
            for (name, fact) in ["level", "type", "size", "shared_cpu_list"].iter().zip(facts) {
                fs::write(cache.join(name), format!("{fact}\n")).unwrap();
            }
        }
        folder
    }

    #[test]
    fn caches_count_as_often_as_threads_have_them() {
        let mut caches = Vec::new();
        for (core, own) in [(0, "0"), (1, "1")] {
            caches.push((core, 0, ["1", "Data", "32K", own]));
            caches.push((core, 1, ["1", "Instruction", "64K", own]));
            caches.push((core, 2, ["2", "Unified", "1024K", own]));
            caches.push((core, 3, ["3", "Unified", "32M", "0-1"]));
        }
        let machine = machine(&caches);
        let of = |threads| -> Vec<(String, Option<u64>)> {
            let levels = levels(machine.path(), &[0, 1], threads);
            levels.into_iter().map(|level| (level.name, level.bytes)).collect()
        };
        let level = |name: &str, bytes| (name.to_string(), bytes);
        let shared = [level("L3", Some(32 << 20)), level("memory", None)];
        let alone = [level("L1", Some(32 << 10)), level("L2", Some(1 << 20))];
        assert_eq!(of(1), [alone, shared.clone()].concat());
        let both = [level("L1", Some(64 << 10)), level("L2", Some(2 << 20))];
        assert_eq!(of(2), [both, shared].concat());
    }

    #[test]
    fn without_caches_sizes_are_levels() {
        let machine = machine(&[(0, 0, ["1", "Data", "none", "0"])]);
        let levels = levels(machine.path(), &[0], 2);
        let names: Vec<&str> = levels.iter().map(|level| level.name.as_str()).collect();
        assert_eq!(names, ["16 KiB", "128 KiB", "1 MiB", "8 MiB", "memory"]);
        assert_eq!(levels[0].bytes, Some(32 << 10));
        assert_eq!(
            (size("512"), size("0K"), size("9999999999G"), size("")),
            (Some(512), None, None, None)
        );
    }
}
