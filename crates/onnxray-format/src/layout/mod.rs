//! The files of a recording, and how a launch gets its number.
//!
//! ```text
//! engine_profiling/
//!   profiling_trace/profiling_encoder_2026-11-20_14-05-09_0.json
//!   profiling_csv/profiling_encoder_2026-11-20_14-05-09_0.csv
//! ```
//! A recording is told from others by its *stamp*: the model's name and the time of its first
//! launch. Recordings from before names had the model have the time alone.
//!
//! Several processes may record into one folder at once. Each holds a lock on
//! its trace file for as long as it runs, and takes the lowest number that no
//! running process holds; the folder is locked while one looks. A crash frees
//! its number with its locks. What it leaves besides, a trace without a byte, a
//! draft of a CSV or a reserved time, is removed by the next process that looks.

mod stamp;

pub use stamp::{is_stamp, time_in};

use onnxray_failsafe::open_regular;
use stamp::prefix;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// Folder of the traces, inside the recording's.
pub const TRACE_FOLDER: &str = "profiling_trace";
/// Folder of the CSV files, inside the recording's.
pub const CSV_FOLDER: &str = "profiling_csv";
/// Folder of the sensitivity profiles, inside the recording's.
pub const SENSITIVITY_FOLDER: &str = "profiling_sensitivity";
/// Endings of traces: plain, or compressed by others.
const ENDINGS: [&str; 3] = [".json", ".json.gz", ".json.zst"];

/// The pair of files of one launch, claimed: no other process will write them.
#[derive(Debug)]
pub struct Claim {
    /// The trace, open for writing; its lock ends with this handle.
    pub trace: File,
    /// Path of the trace.
    pub trace_path: PathBuf,
    /// Path of the finished CSV.
    pub csv_path: PathBuf,
    /// Path of the CSV until it is whole.
    pub csv_draft: PathBuf,
    /// Stamp in the names, shared by the launches of one recording.
    pub time: String,
    /// Number part of the names: of the launch in the recording.
    pub number: u32,
}

/// How the time and number of a launch are chosen.
#[derive(Clone, Debug)]
pub enum Numbering {
    /// The launch is one of a planned series; both are given.
    Planned {
        /// Stamp in the names.
        time: String,
        /// Number of the launch.
        number: u32,
    },
    /// The lowest number that no running process holds, and a time that no other
    /// recording has: `now` is asked again until there is one. With `instances`
    /// above one, a process joins the time of those that already run instead.
    Free {
        /// Name of the model.
        model: String,
        /// The current time for file names.
        now: fn() -> String,
        /// Processes that may share a time.
        instances: u32,
    },
}

/// Path of a launch's trace under `folder`.
pub fn trace_path(folder: &Path, time: &str, number: u32) -> PathBuf {
    folder.join(TRACE_FOLDER).join(format!("profiling_{time}_{number}.json"))
}

/// Paths of a launch's trace and table under `folder`.
pub fn files(folder: &Path, time: &str, number: u32) -> [PathBuf; 2] {
    let table = folder.join(CSV_FOLDER).join(format!("profiling_{time}_{number}.csv"));
    [trace_path(folder, time, number), table]
}

/// Makes a folder that recordings are written into, if it is not there.
///
/// # Errors
///
/// If it cannot be made, or is a link, which may lead anywhere.
pub fn make_folder(path: &Path) -> io::Result<()> {
    match path.is_symlink() {
        true => Err(io::Error::other("it is a link, and nothing is written through one")),
        false => fs::create_dir_all(path),
    }
}

/// Creates the folders under `folder` and claims a pair of files there.
///
/// # Errors
///
/// If the folders or the trace cannot be made or locked, or a planned trace exists.
pub fn claim(folder: &Path, numbering: &Numbering) -> io::Result<Claim> {
    let traces = folder.join(TRACE_FOLDER);
    let tables = folder.join(CSV_FOLDER);
    // Before the gate, which is a lock on the folder of traces.
    for path in [&traces, &tables] {
        make_folder(path).map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", path.display()))
        })?;
    }
    let _gate = enter(folder)?;
    let (time, number) = match numbering {
        Numbering::Planned { time, number } => (time.clone(), *number),
        Numbering::Free { model, now, instances } => free(&traces, model, *now, *instances)?,
    };
    let trace_path = trace_path(folder, &time, number);
    // Never an older trace: a planned name that is taken is an error.
    let trace = OpenOptions::new().write(true).create_new(true).open(&trace_path);
    let trace = trace.map_err(|error| {
        io::Error::new(error.kind(), format!("{}: {error}", trace_path.display()))
    })?;
    // Locked while the gate is closed: no other recorder sees the file without it.
    trace.lock().inspect_err(|_| {
        let _ = fs::remove_file(&trace_path); // it holds nothing
    })?;
    let csv_path = tables.join(format!("profiling_{time}_{number}.csv"));
    let csv_draft = tables.join(format!(".profiling_{time}_{number}.csv"));
    Ok(Claim { trace, trace_path, csv_path, csv_draft, time, number })
}

/// A time that no other recording in the folder will have, for as long as this lives.
#[derive(Debug)]
pub struct ReservedTime {
    time: String,
    path: PathBuf,
    /// Tells others that the process lives.
    _lock: File,
}

impl ReservedTime {
    /// The stamp, as in file names.
    pub fn time(&self) -> &str {
        &self.time
    }
}

impl Drop for ReservedTime {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path); // else the next process does it
    }
}

/// Reserves a stamp for launches of a model that are planned, with a file beside the traces: the first
/// trace comes later, and others may look until then. `now` is asked again until it gives
/// a time that no recording has, in a stamp that `is_free`.
///
/// # Errors
///
/// If the folder cannot be read, or the file cannot be made or locked.
pub fn reserve(
    folder: &Path,
    model: &str,
    now: fn() -> String,
    is_free: impl Fn(&str) -> bool,
) -> io::Result<ReservedTime> {
    let _gate = enter(folder)?;
    let traces = folder.join(TRACE_FOLDER);
    let time = unused(&traces, || Some(prefix(model) + &now()).filter(|stamp| is_free(stamp)))?;
    let path = reservation(&traces, &time);
    let lock = File::create_new(&path)?;
    lock.lock().inspect_err(|_| {
        let _ = fs::remove_file(&path); // it holds nothing
    })?;
    Ok(ReservedTime { time, path, _lock: lock })
}

fn reservation(traces: &Path, time: &str) -> PathBuf {
    traces.join(format!(".profiling_{time}"))
}

/// Waits until no other process looks at the folder, and removes what killed ones left.
/// The lock ends with the file.
fn enter(folder: &Path) -> io::Result<File> {
    let traces = folder.join(TRACE_FOLDER);
    let gate = File::open(&traces)?;
    gate.lock()?;
    // Nobody waits for a lock of these: who makes such a file has it before the gate opens.
    let is_held = |path: &Path| {
        open_regular(path)
            .is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
    };
    let is_empty =
        |path: &Path| path.metadata().is_ok_and(|about| about.is_file() && about.len() == 0);
    let hidden = |path: &Path| {
        let name = path.file_name()?.to_str()?;
        name.starts_with(".profiling_").then(|| name[1..].to_string())
    };
    let mut stale: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(&traces)? {
        let path = entry?.path();
        if (hidden(&path).is_some() || is_written(&path)) && is_empty(&path) && !is_held(&path) {
            stale.push(path);
        }
    }
    for path in fs::read_dir(folder.join(CSV_FOLDER)).into_iter().flatten().flatten() {
        let path = path.path();
        let trace = hidden(&path).map(|name| traces.join(name).with_extension("json"));
        if trace.is_some_and(|trace| !is_held(&trace)) {
            stale.push(path);
        }
    }
    for path in stale {
        let _ = fs::remove_file(path); // it is in nobody's way
    }
    Ok(gate)
}

/// A time and number of its own, for as long as the caller holds the gate.
fn free(
    traces: &Path,
    model: &str,
    now: fn() -> String,
    instances: u32,
) -> io::Result<(String, u32)> {
    let prefix = prefix(model);
    let running = running(traces)?;
    let held = |number: u32| running.iter().any(|(held, _)| *held == number);
    let is_ours = |time: &str| time.strip_suffix(time_in(time)) == Some(prefix.as_str());
    let joined = running.iter().find(|(_, time)| instances > 1 && is_ours(time));
    if let Some((_, time)) = joined {
        // One of the run's processes may have ended already; its file stays.
        let recorded = list(traces)?;
        let used = |number: u32| recorded.iter().any(|(_, t, n)| t == time && *n == number);
        let number = (0..).find(|&number| !held(number) && !used(number)).unwrap_or(0);
        return Ok((time.clone(), number));
    }
    let number = (0..).find(|&number| !held(number)).unwrap_or(0);
    Ok((unused(traces, || Some(format!("{prefix}{}", now())))?, number))
}

/// A stamp whose time no trace in the folder has, and which is not reserved. Waits for it if
/// need be, while the caller holds the gate.
fn unused(traces: &Path, now: impl Fn() -> Option<String>) -> io::Result<String> {
    loop {
        if let Some(time) = now()
            && list(traces)?.iter().all(|(_, used, _)| time_in(used) != time_in(&time))
            && !reservation(traces, &time).exists()
        {
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
        let Ok(file) = open_regular(&path) else { continue };
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            held.push((number, time));
        }
    }
    // The first of them decides which run a further instance joins.
    held.sort();
    Ok(held)
}

/// The traces in a folder: path, stamp and number of each, sorted by time, stamp and
/// number. Files with other names are not ours and not listed, nor is a trace compressed that is
/// there as it was written.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn list(traces: &Path) -> io::Result<Vec<(PathBuf, String, u32)>> {
    let mut launches = Vec::new();
    for entry in fs::read_dir(traces)? {
        let path = entry?.path();
        if let Some((time, number)) = parts(&path) {
            launches.push((path, time, number));
        }
    }
    launches
        .sort_by(|a, b| (time_in(&a.1), &a.1, a.2, &a.0).cmp(&(time_in(&b.1), &b.1, b.2, &b.0)));
    // `.json` sorts before `.json.gz`, so that the trace as it was written is kept.
    launches.dedup_by(|next, kept| (&next.1, next.2) == (&kept.1, kept.2));
    Ok(launches)
}

/// Whether a trace still has the name that it was written under, uncompressed.
fn is_written(trace: &Path) -> bool {
    parts(trace).is_some() && trace.extension().is_some_and(|ending| ending == "json")
}

/// The stamp in the name of a trace, which its recording has; `None` if it has another name.
pub fn time_of(trace: &Path) -> Option<String> {
    parts(trace).map(|(time, _)| time)
}

/// Stamp and number in the name of a trace.
fn parts(trace: &Path) -> Option<(String, u32)> {
    let name = trace.file_name()?.to_str()?;
    let name = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending))?;
    // From the right, since times hold `_` themselves.
    let (time, number) = name.strip_prefix("profiling_")?.rsplit_once('_')?;
    Some((time.to_string(), number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::io::Write;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// A clock that is a second later each time somebody asks.
    fn clock() -> String {
        static SECONDS: AtomicU32 = AtomicU32::new(0);
        format!("{:04}", SECONDS.fetch_add(1, Ordering::Relaxed))
    }

    /// A clock that is a second later each time somebody asks, as in file names.
    fn dated() -> String {
        static SECONDS: AtomicU32 = AtomicU32::new(10);
        format!("2026-11-20_14-05-{}", SECONDS.fetch_add(1, Ordering::Relaxed))
    }

    #[test]
    fn recordings_follow_each_other_by_time_whatever_the_model() {
        let folder = tempfile::tempdir().unwrap();
        for model in ["b", "", "a"] {
            let model = model.to_string();
            end(claim(folder.path(), &Numbering::Free { model, now: dated, instances: 1 }).unwrap());
        }
        let listed = list(&folder.path().join(TRACE_FOLDER)).unwrap();
        let stamps: Vec<&str> = listed.iter().map(|(_, stamp, _)| stamp.as_str()).collect();
        let times = ["b_2026-11-20_14-05-10", "2026-11-20_14-05-11", "a_2026-11-20_14-05-12"];
        assert_eq!(stamps, times);
    }

    /// A clock that stands still for a while.
    fn slow_clock() -> String {
        static ASKED: AtomicU32 = AtomicU32::new(0);
        format!("{}", ASKED.fetch_add(1, Ordering::Relaxed) / 3)
    }

    /// Ends a launch that recorded something.
    fn end(mut claim: Claim) -> String {
        claim.trace.write_all(b"{}").unwrap();
        claim.time
    }

    fn single() -> Numbering {
        Numbering::Free { model: String::new(), now: clock, instances: 1 }
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
        let instances = Numbering::Free { model: String::new(), now: clock, instances: 3 };
        let first = claim(folder.path(), &instances).unwrap();
        let second = claim(folder.path(), &instances).unwrap();
        assert_eq!((&second.time, second.number), (&first.time, 1));
        end(first);
        let third = claim(folder.path(), &instances).unwrap();
        assert_eq!((&third.time, third.number), (&second.time, 2), "0 has its file");
    }

    #[test]
    fn recordings_of_the_same_second_do_not_become_one() {
        let folder = tempfile::tempdir().unwrap();
        let slow = Numbering::Free { model: String::new(), now: slow_clock, instances: 1 };
        let times = [(); 3].map(|()| end(claim(folder.path(), &slow).unwrap()));
        assert_eq!(times, ["0", "1", "2"]);
    }

    #[test]
    fn a_reserved_time_is_nobody_elses() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(TRACE_FOLDER)).unwrap();
        let reserve = |taken: &'static str| {
            reserve(folder.path(), "", reserving_clock, move |time| time != taken).unwrap()
        };
        let first = reserve("0");
        assert_eq!(first.time(), "1");
        let second = reserve("");
        let single = Numbering::Free { model: String::new(), now: reserving_clock, instances: 1 };
        let free = claim(folder.path(), &single).unwrap();
        assert_eq!((second.time(), free.time.as_str()), ("2", "3"));
        let planned = Numbering::Planned { time: "1".to_string(), number: 0 };
        claim(folder.path(), &planned).unwrap();
        drop((first, second));
        let left = fs::read_dir(folder.path().join(TRACE_FOLDER)).unwrap();
        let names: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
        assert!(names.iter().all(|name| !name.to_string_lossy().starts_with('.')), "{names:?}");
    }

    /// A clock that stands still for a while, for one test.
    fn reserving_clock() -> String {
        static ASKED: AtomicU32 = AtomicU32::new(0);
        format!("{}", ASKED.fetch_add(1, Ordering::Relaxed) / 3)
    }

    /// A clock that is set back by an hour, as at the end of summer time.
    fn falling_clock() -> String {
        static ASKED: AtomicU32 = AtomicU32::new(0);
        ["03-00-00", "02-00-00", "03-00-00", "02-00-00", "02-00-01"]
            [ASKED.fetch_add(1, Ordering::Relaxed) as usize % 5]
            .to_string()
    }

    #[test]
    fn a_clock_that_goes_back_names_no_recording_twice() {
        let folder = tempfile::tempdir().unwrap();
        let falling = Numbering::Free { model: String::new(), now: falling_clock, instances: 1 };
        let times = [(); 3].map(|()| end(claim(folder.path(), &falling).unwrap()));
        // The names that both hours have are passed over.
        assert_eq!(times, ["03-00-00", "02-00-00", "02-00-01"]);
        let listed = list(&folder.path().join(TRACE_FOLDER)).unwrap();
        assert_eq!(listed.len(), 3, "{listed:?}");
        assert_eq!(listed.last().unwrap().1, "03-00-00", "the latest name counts as the newest");
    }

    #[test]
    fn what_killed_processes_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let held = claim(folder.path(), &single()).unwrap();
        fs::write(&held.csv_draft, "half").unwrap();
        let [traces, tables] = [TRACE_FOLDER, CSV_FOLDER].map(|part| folder.path().join(part));
        for (part, name, contents) in [
            (&traces, "profiling_2026_0.json", ""),
            (&traces, ".profiling_2026", ""),
            (&tables, ".profiling_2026_0.csv", "half"),
            (&traces, "profiling_2026_1.json", "{"),
            (&traces, "notes.json", ""),
            (&tables, "profiling_2026_1.csv", ""),
            (&tables, ".hidden", ""),
        ] {
            fs::write(part.join(name), contents).unwrap();
        }
        let reserved = reserve(folder.path(), "", clock, |_| true).unwrap();
        let names = |part: &Path| {
            let entries = fs::read_dir(part).unwrap();
            let mut names: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
            names.sort();
            names
        };
        let mut expected = [
            held.trace_path.clone(),
            reserved.path.clone(),
            traces.join("profiling_2026_1.json"),
            traces.join("notes.json"),
        ];
        expected.sort();
        assert_eq!(names(&traces), expected);
        let mut expected =
            [held.csv_draft.clone(), tables.join("profiling_2026_1.csv"), tables.join(".hidden")];
        expected.sort();
        assert_eq!(names(&tables), expected);
    }

    #[test]
    fn a_compressed_trace_is_its_launch_unless_it_is_there_as_written() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["t_1.json.zst", "t_0.json.gz", "t_0.json", "t_0.gz", "t_2.json.bz2"] {
            fs::write(folder.path().join(format!("profiling_{name}")), "{").unwrap();
        }
        let listed = list(folder.path()).unwrap();
        let names = listed.iter().map(|(path, ..)| path.file_name().unwrap().to_str().unwrap());
        assert_eq!(names.collect::<Vec<_>>(), ["profiling_t_0.json", "profiling_t_1.json.zst"]);
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
