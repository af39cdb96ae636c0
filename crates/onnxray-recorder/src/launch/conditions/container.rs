//! How much time a container leaves to its processes: control groups, of version 1 and 2.

use super::fresh::Fresh;
use std::fs;
use std::path::{Path, PathBuf};

/// A control group that has a limit, or the process's own.
pub(super) struct Container {
    /// Cores' worth of time; `None` if there is no limit.
    pub cores: Option<f64>,
    statistics: Fresh,
}

/// How often and how long a control group was held back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Throttled {
    pub periods: u64,
    pub microseconds: u64,
}

impl Container {
    /// The one of this process and those around it that leaves least; `None` if the
    /// system tells of none.
    pub(super) fn find() -> Option<Container> {
        let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        Container::in_folders(folders(&groups, &mounts)?)
    }

    /// `folders` lead from the process's own to that of the whole system.
    fn in_folders(folders: Vec<PathBuf>) -> Option<Container> {
        let mut least: Option<(f64, PathBuf)> = None;
        for folder in folders {
            let cores = match limit(&folder) {
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

/// The process's group of the CPU controller, and those that it lies in.
fn folders(groups: &str, mounts: &str) -> Option<Vec<PathBuf>> {
    // In both, version 1 names the controllers that a hierarchy has.
    let controls = |list: &str| list.split(',').any(|controller| controller == "cpu");
    let group = |of: &dyn Fn(&str) -> bool| {
        groups.lines().find_map(|line| {
            let mut fields = line.splitn(3, ':').skip(1);
            of(fields.next()?).then(|| fields.next())?
        })
    };
    let mount = |of: &dyn Fn(&str, &str) -> bool| {
        mounts.lines().find_map(|line| {
            let (mount, system) = line.split_once(" - ")?;
            let mut system = system.split(' ');
            let (kind, options) = (system.next()?, system.nth(1)?);
            let mut mount = mount.split(' ').skip(3);
            of(kind, options).then(|| Some((mount.next()?, mount.next()?)))?
        })
    };
    let first = group(&controls).zip(mount(&|kind, options| kind == "cgroup" && controls(options)));
    let second = || group(&str::is_empty).zip(mount(&|kind, _| kind == "cgroup2"));
    let (group, (root, point)) = first.or_else(second)?;
    // In a container, the mount may show a part of the hierarchy only.
    let inside = Path::new(group).strip_prefix(root).unwrap_or(Path::new(""));
    Some(inside.ancestors().map(|part| Path::new(point).join(part)).collect())
}

/// What a group says of the time that it may take.
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
    let nanoseconds = || number("throttled_time").map(|time| time / 1000);
    let microseconds = number("throttled_usec").or_else(nanoseconds)?;
    Some(Throttled { periods: number("nr_throttled")?, microseconds })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str =
        "9:name=systemd:/\n8:pids:/job\n4:memory:/job\n2:cpu,cpuacct:/job/run\n0::/\n";
    const FIRST_MOUNTS: &str = "23 1 254:0 / / rw - ext4 /dev/root rw\n\
        32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct\n\
        35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n\
        41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";
    const SECOND: &str = "0::/system.slice/run.scope\n";
    const SECOND_MOUNTS: &str =
        "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";

    fn paths(groups: &str, mounts: &str) -> Option<Vec<String>> {
        let paths = folders(groups, mounts)?;
        let text = |path: PathBuf| path.display().to_string().trim_end_matches('/').to_string();
        Some(paths.into_iter().map(text).collect())
    }

    #[test]
    fn groups_are_found_in_either_version() {
        let cpu = "/sys/fs/cgroup/cpu,cpuacct";
        let expected = [format!("{cpu}/job/run"), format!("{cpu}/job"), cpu.to_string()];
        assert_eq!(paths(FIRST, FIRST_MOUNTS).unwrap(), expected);
        let found = paths(SECOND, SECOND_MOUNTS).unwrap();
        assert_eq!(found.first().unwrap(), "/sys/fs/cgroup/system.slice/run.scope");
        assert_eq!(found.last().unwrap(), "/sys/fs/cgroup");
        // Docker mounts the container's own part.
        let own = FIRST_MOUNTS.replace("0:29 / ", "0:29 /job/run ");
        assert_eq!(paths(FIRST, &own).unwrap(), [cpu]);
    }

    #[test]
    fn texts_that_tell_of_no_group_are_unknown() {
        assert_eq!(paths("", FIRST_MOUNTS), None);
        assert_eq!(paths(SECOND, ""), None);
        assert_eq!(paths("2:cpu", FIRST_MOUNTS), None);
        assert_eq!(paths(FIRST, "32 31 0:29 / - cgroup cgroup rw,cpu\n"), None);
    }

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
