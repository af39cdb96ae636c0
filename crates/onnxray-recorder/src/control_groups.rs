//! The control groups that Linux keeps a process in, of version 1 and 2.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders of this process's group of a controller, such as `cpu` or `memory`, and of
/// those that it lies in, up to that of the whole system. `None` if the system tells of
/// none.
pub(crate) fn control_groups(controller: &str) -> Option<Vec<PathBuf>> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    folders(controller, &groups, &mounts)
}

fn folders(controller: &str, groups: &str, mounts: &str) -> Option<Vec<PathBuf>> {
    // In both, version 1 names the controllers that a hierarchy has.
    let controls = |list: &str| list.split(',').any(|name| name == controller);
    let group = |of: &dyn Fn(&str) -> bool| {
        groups.lines().find_map(|line| {
            // `4:cpu,cpuacct:/docker/1`: the path may hold colons itself.
            let mut fields = line.splitn(3, ':').skip(1);
            of(fields.next()?).then(|| fields.next())?
        })
    };
    let mount = |of: &dyn Fn(&str, &str) -> bool| {
        mounts.lines().find_map(|line| {
            // Optional fields end at ` - `: those after it can only be counted from there.
            let (mount, system) = line.split_once(" - ")?;
            let mut system = system.split(' ');
            let (kind, options) = (system.next()?, system.nth(1)?);
            let mut mount = mount.split(' ').skip(3);
            of(kind, options).then(|| Some((mount.next()?, mount.next()?)))?
        })
    };
    let first = group(&controls).zip(mount(&|kind, options| kind == "cgroup" && controls(options)));
    // Version 2 has one hierarchy, whose line names no controllers: `0::/user.slice`.
    let second = || group(&str::is_empty).zip(mount(&|kind, _| kind == "cgroup2"));
    let (group, (root, point)) = first.or_else(second)?;
    // In a container, the mount may show a part of the hierarchy only.
    let inside = Path::new(group).strip_prefix(root).unwrap_or(Path::new(""));
    Some(inside.ancestors().map(|part| Path::new(point).join(part)).collect())
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

    fn paths(controller: &str, groups: &str, mounts: &str) -> Option<Vec<String>> {
        let paths = folders(controller, groups, mounts)?;
        let text = |path: PathBuf| path.display().to_string().trim_end_matches('/').to_string();
        Some(paths.into_iter().map(text).collect())
    }

    #[test]
    fn groups_are_found_in_either_version() {
        let cpu = "/sys/fs/cgroup/cpu,cpuacct";
        let expected = [format!("{cpu}/job/run"), format!("{cpu}/job"), cpu.to_string()];
        assert_eq!(paths("cpu", FIRST, FIRST_MOUNTS).unwrap(), expected);
        let expected = ["/sys/fs/cgroup/memory/job", "/sys/fs/cgroup/memory"];
        assert_eq!(paths("memory", FIRST, FIRST_MOUNTS).unwrap(), expected);
        for controller in ["cpu", "memory"] {
            let found = paths(controller, SECOND, SECOND_MOUNTS).unwrap();
            assert_eq!(found.first().unwrap(), "/sys/fs/cgroup/system.slice/run.scope");
            assert_eq!(found.last().unwrap(), "/sys/fs/cgroup");
        }
        // Docker mounts the container's own part.
        let own = FIRST_MOUNTS.replace("0:29 / ", "0:29 /job/run ");
        assert_eq!(paths("cpu", FIRST, &own).unwrap(), [cpu]);
    }

    #[test]
    fn texts_that_tell_of_no_group_are_unknown() {
        assert_eq!(paths("cpu", "", FIRST_MOUNTS), None);
        assert_eq!(paths("cpu", SECOND, ""), None);
        assert_eq!(paths("cpu", "2:cpu", FIRST_MOUNTS), None);
        assert_eq!(paths("cpu", FIRST, "32 31 0:29 / - cgroup cgroup rw,cpu\n"), None);
    }
}
