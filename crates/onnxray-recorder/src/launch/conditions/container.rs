//! How much time a container leaves to its processes: control groups, of version 1 and 2.

use super::fresh::Fresh;
use crate::control_groups::control_groups;
use std::fs;
use std::path::{Path, PathBuf};

/// A control group that has a limit, or the process's own.
pub(super) struct Container {
    /// Cores' worth of time; `None` if there is no limit.
    pub cores: Option<f64>,
    statistics: Fresh,
}

/// Counters since the control group was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Throttled {
    pub periods: u64,
    pub microseconds: u64,
}

impl Container {
    /// The one of this process and those around it that leaves least; `None` if the
    /// system tells of none.
    pub(super) fn find() -> Option<Container> {
        Container::in_folders(control_groups("cpu")?)
    }

    /// `folders` begin with the process's own group, and end with the whole system.
    fn in_folders(folders: Vec<PathBuf>) -> Option<Container> {
        let mut least: Option<(f64, PathBuf)> = None;
        for folder in folders {
            let cores = match limit(&folder) {
                // One group that is not understood may be the narrowest: then nothing is known.
                Limit::Unknown => return None,
                Limit::NoneHere => continue,
                Limit::Cores(cores) => cores,
            };
            if least.as_ref().is_none_or(|(known, _)| cores < *known) {
                least = Some((cores, folder));
            }
        }
        let (cores, folder) = least?;
        let statistics = Fresh::open(folder.join("cpu.stat"));
        Some(Container { cores: Some(cores).filter(|cores| cores.is_finite()), statistics })
    }

    pub(super) fn throttled(&mut self) -> Option<Throttled> {
        throttled(self.statistics.read()?)
    }
}

/// CPU time that a control group allows.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Limit {
    /// Cores' worth of it; infinite without a limit.
    Cores(f64),
    /// It says nothing, as those that are not divided.
    NoneHere,
    /// It says something that is not understood.
    Unknown,
}

fn limit(folder: &Path) -> Limit {
    let read = |file: &str| fs::read_to_string(folder.join(file)).ok();
    // Version 2 has both in one file, version 1 in two.
    let (quota, period) = match read("cpu.max") {
        Some(text) => match text.trim().split_once(' ') {
            Some((quota, period)) => (quota.to_string(), period.to_string()),
            None => return Limit::Unknown,
        },
        None => match (read("cpu.cfs_quota_us"), read("cpu.cfs_period_us")) {
            (Some(quota), Some(period)) => (quota, period),
            _ => return Limit::NoneHere,
        },
    };
    let number = |text: &str| text.trim().parse::<u64>().ok().filter(|&number| number > 0);
    match (quota.trim(), number(&quota), number(&period)) {
        // `max` in version 2, -1 in version 1: no limit here, though an outer group may have one.
        ("max" | "-1", _, _) => Limit::Cores(f64::INFINITY),
        (_, Some(quota), Some(period)) => Limit::Cores(quota as f64 / period as f64),
        _ => Limit::Unknown,
    }
}

fn throttled(statistics: &str) -> Option<Throttled> {
    let number = |name: &str| -> Option<u64> {
        let line =
            statistics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
        line.trim().parse().ok()
    };
    // Version 1 counts nanoseconds, version 2 microseconds.
    let nanoseconds = || number("throttled_time").map(|time| time / 1000);
    let microseconds = number("throttled_usec").or_else(nanoseconds)?;
    Some(Throttled { periods: number("nr_throttled")?, microseconds })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (file, text) in files {
            fs::write(folder.path().join(file), text).unwrap();
        }
        folder
    }

    #[test]
    fn limits_are_shares_of_a_period() {
        let of = |files: &[(&str, &str)]| limit(group(files).path());
        assert_eq!(of(&[("cpu.max", "150000 100000\n")]), Limit::Cores(1.5));
        assert_eq!(of(&[("cpu.max", "max 100000\n")]), Limit::Cores(f64::INFINITY));
        let first = |quota| of(&[("cpu.cfs_quota_us", quota), ("cpu.cfs_period_us", "100000\n")]);
        assert_eq!(first("50000\n"), Limit::Cores(0.5));
        assert_eq!((first("-1\n"), first("")), (Limit::Cores(f64::INFINITY), Limit::Unknown));
        for damaged in ["150000", "1 0", "-2 100000", "x 100000", ""] {
            assert_eq!(of(&[("cpu.max", damaged)]), Limit::Unknown, "{damaged:?}");
        }
        assert_eq!(of(&[]), Limit::NoneHere);
    }

    #[test]
    fn the_narrowest_limit_counts() {
        let [inner, outer, damaged] =
            ["max 100000", "200000 100000", "?"].map(|text| group(&[("cpu.max", text)]));
        let of = |groups: &[&tempfile::TempDir]| {
            let folders = groups.iter().map(|folder| folder.path().to_path_buf());
            Container::in_folders(folders.collect()).map(|container| container.cores)
        };
        let undivided = group(&[]);
        assert_eq!(of(&[&undivided, &inner, &outer]), Some(Some(2.0)));
        assert_eq!(of(&[&inner, &undivided]), Some(None), "there is no limit");
        assert_eq!(of(&[&undivided]), None, "nothing is said");
        assert_eq!(of(&[&inner, &damaged]), None);
    }

    #[test]
    fn throttling_is_counted_in_either_version() {
        let second = "usage_usec 900\nnr_periods 7\nnr_throttled 3\nthrottled_usec 4500\n";
        let first = "nr_periods 7\nnr_throttled 3\nthrottled_time 4500999\nburst_time 0\n";
        for text in [second, first] {
            assert_eq!(throttled(text), Some(Throttled { periods: 3, microseconds: 4500 }));
        }
        assert_eq!(throttled("usage_usec 900\n"), None);
        assert_eq!(throttled("nr_throttled 3\nthrottled_usec x\n"), None);
    }
}
