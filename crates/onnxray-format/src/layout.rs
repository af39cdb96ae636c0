//! Where the files of a recording lie and how a launch gets its number.
//!
//! ```text
//! engine_profiling/
//!   profiling_trace/profiling_2026-11-20_14-05-09_0.json
//!   profiling_csv/profiling_2026-11-20_14-05-09_0.csv
//! ```
//!
//! Several processes may record into one folder at once. Each holds a lock on
//! its trace file for as long as it runs, and takes the lowest number that no
//! running process holds; the folder is locked while one looks. A crash frees
//! its number with its locks, so there is nothing to clean up.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// Folder of the traces in that of the recording.
pub const TRACE_FOLDER: &str = "profiling_trace";
/// Folder of the CSV files in that of the recording.
pub const CSV_FOLDER: &str = "profiling_csv";

/// The pair of files of one launch, claimed: no other process will write them.
#[derive(Debug)]
pub struct Claim {
    /// The trace, open for writing; its lock ends with this handle.
    pub trace: File,
    /// Where the trace is.
    pub trace_path: PathBuf,
    /// Where the CSV goes.
    pub csv_path: PathBuf,
    /// Time part of the names, shared by the launches of one recording.
    pub time: String,
    /// Number part of the names: of the launch in the recording.
    pub number: u32,
}

/// How a launch gets its place among others.
#[derive(Clone, Debug)]
pub enum Numbering {
    /// The launch is one of a planned series; both are given.
    Planned {
        /// Time part of the names.
        time: String,
        /// Number of the launch.
        number: u32,
    },
    /// The lowest number that no running process holds, and a time that no other
    /// recording has: `now` is asked again until there is one. With `instances`
    /// above one, a process joins the time of those that already run instead.
    Free {
        /// The time as it stands in names.
        now: fn() -> String,
        /// Processes that may share a time.
        instances: u32,
    },
}

/// Where the trace of a launch lies under `folder`.
pub fn trace_path(folder: &Path, time: &str, number: u32) -> PathBuf {
    folder.join(TRACE_FOLDER).join(format!("profiling_{time}_{number}.json"))
}

/// Creates the folders under `folder` and claims a pair of files there.
///
/// # Errors
///
/// If the folders or the trace cannot be made or locked, or a planned trace exists.
pub fn claim(folder: &Path, numbering: &Numbering) -> io::Result<Claim> {
    let traces = folder.join(TRACE_FOLDER);
    let tables = folder.join(CSV_FOLDER);
    for path in [&traces, &tables] {
        fs::create_dir_all(path).map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", path.display()))
        })?;
    }
    let gate = File::open(&traces)?;
    gate.lock()?;
    let (time, number) = match numbering {
        Numbering::Planned { time, number } => (time.clone(), *number),
        Numbering::Free { now, instances } => free(&traces, *now, *instances)?,
    };
    let trace_path = trace_path(folder, &time, number);
    let trace = OpenOptions::new().write(true).create_new(true).open(&trace_path);
    let trace = trace.map_err(|error| {
        io::Error::new(error.kind(), format!("{}: {error}", trace_path.display()))
    })?;
    trace.lock()?;
    let csv_path = tables.join(format!("profiling_{time}_{number}.csv"));
    Ok(Claim { trace, trace_path, csv_path, time, number })
}

/// A time and number of its own, for as long as the caller holds the gate.
fn free(traces: &Path, now: fn() -> String, instances: u32) -> io::Result<(String, u32)> {
    let running = running(traces)?;
    let held = |number: u32| running.iter().any(|(held, _)| *held == number);
    if let Some((_, time)) = running.first().filter(|_| instances > 1) {
        // One of the run's processes may have ended already; its file stays.
        let recorded = list(traces)?;
        let used = |number: u32| recorded.iter().any(|(_, t, n)| t == time && *n == number);
        let number = (0..).find(|&number| !held(number) && !used(number)).unwrap_or(0);
        return Ok((time.clone(), number));
    }
    let number = (0..).find(|&number| !held(number)).unwrap_or(0);
    Ok((unused_time(traces, now)?, number))
}

/// A time that no trace in the folder has. Waits for it if need be.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn unused_time(traces: &Path, now: fn() -> String) -> io::Result<String> {
    loop {
        let time = now();
        if list(traces)?.iter().all(|(_, used, _)| *used != time) {
            return Ok(time);
        }
        // Times in names are whole seconds.
        thread::sleep(Duration::from_millis(50));
    }
}

/// Number and time of every trace that a running process holds.
fn running(traces: &Path) -> io::Result<Vec<(u32, String)>> {
    let mut held = Vec::new();
    for (path, time, number) in list(traces)? {
        // A file that vanishes while we look is not held.
        let Ok(file) = File::open(&path) else { continue };
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            held.push((number, time));
        }
    }
    held.sort();
    Ok(held)
}

/// The traces in a folder: path, time and number of each, sorted by time and
/// number. Files with other names are not ours and not listed.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn list(traces: &Path) -> io::Result<Vec<(PathBuf, String, u32)>> {
    let mut launches = Vec::new();
    for entry in fs::read_dir(traces)? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let Some(name) = path.file_stem().and_then(|name| name.to_str()) else { continue };
        let parts = name.strip_prefix("profiling_").and_then(|rest| rest.rsplit_once('_'));
        if let Some((time, number)) = parts
            && let Ok(number) = number.parse()
        {
            let time = time.to_string();
            launches.push((path, time, number));
        }
    }
    launches.sort_by(|a, b| (&a.1, a.2).cmp(&(&b.1, b.2)));
    Ok(launches)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// A clock that is a second later each time somebody asks.
    fn clock() -> String {
        static SECONDS: AtomicU32 = AtomicU32::new(0);
        format!("{:04}", SECONDS.fetch_add(1, Ordering::Relaxed))
    }

    /// A clock that stands still for a while.
    fn slow_clock() -> String {
        static ASKED: AtomicU32 = AtomicU32::new(0);
        format!("{}", ASKED.fetch_add(1, Ordering::Relaxed) / 3)
    }

    fn single() -> Numbering {
        Numbering::Free { now: clock, instances: 1 }
    }

    #[test]
    fn running_processes_get_different_numbers_and_finished_ones_free_theirs() {
        let folder = tempfile::tempdir().unwrap();
        let first = claim(folder.path(), &single()).unwrap();
        let second = claim(folder.path(), &single()).unwrap();
        assert_eq!((first.number, second.number), (0, 1));
        assert_ne!(first.time, second.time, "they are recordings of their own");
        drop(first);
        let third = claim(folder.path(), &single()).unwrap();
        assert_eq!(third.number, 0);
    }

    #[test]
    fn instances_of_one_run_share_its_time() {
        let folder = tempfile::tempdir().unwrap();
        let instances = Numbering::Free { now: clock, instances: 3 };
        let first = claim(folder.path(), &instances).unwrap();
        let second = claim(folder.path(), &instances).unwrap();
        assert_eq!((&second.time, second.number), (&first.time, 1));
        drop(first);
        let third = claim(folder.path(), &instances).unwrap();
        assert_eq!((&third.time, third.number), (&second.time, 2), "0 has its file");
    }

    #[test]
    fn recordings_of_the_same_second_do_not_become_one() {
        let folder = tempfile::tempdir().unwrap();
        let slow = Numbering::Free { now: slow_clock, instances: 1 };
        let times = [(); 3].map(|()| claim(folder.path(), &slow).unwrap().time);
        assert_eq!(times, ["0", "1", "2"]);
    }

    #[test]
    fn a_planned_launch_that_exists_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let planned = Numbering::Planned { time: "10-00-00".to_string(), number: 2 };
        let first = claim(folder.path(), &planned).unwrap();
        assert!(first.trace_path.ends_with("profiling_trace/profiling_10-00-00_2.json"));
        assert!(claim(folder.path(), &planned).is_err());
    }
}
