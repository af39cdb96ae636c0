//! What happened to the threads of a launch, iteration by iteration.

use super::fresh::Fresh;
use super::process::{Scheduled, Stat, switches};
use onnxray_format::{Conditions, Counts};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Names in `/proc/self/task`: ids of this process's threads.
pub(super) struct Tasks(BTreeSet<OsString>);

impl Tasks {
    pub(super) fn now() -> Tasks {
        let entries = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
        Tasks(entries.map(|entry| entry.file_name()).collect())
    }
}

/// Counters of the launching thread and of the threads that were started for the launch.
pub(super) struct Threads {
    /// The launching thread comes first.
    threads: Vec<Thread>,
    before: Usage,
    sums: [Sum; 6],
}

struct Thread {
    stat: Fresh,
    schedstat: Fresh,
    status: Fresh,
    /// `times` of the thread's [`Scheduled`] when its switches were read, and the switches.
    switched: Option<(u64, (u64, u64))>,
}

/// Counters, which only grow, and the core of the launching thread.
#[derive(Clone, Copy, Debug)]
struct Usage {
    counters: [Option<u64>; 5],
    core: Option<u32>,
}

/// Counts per iteration; `unknown` as soon as one could not be read.
#[derive(Default)]
struct Sum {
    counts: Counts,
    unknown: bool,
}

impl Thread {
    fn of(folder: &Path) -> Thread {
        let open = |file: &str| Fresh::open(folder.join(file));
        let (stat, schedstat, status) = (open("stat"), open("schedstat"), open("status"));
        Thread { stat, schedstat, status, switched: None }
    }

    fn read(&mut self) -> Usage {
        let stat = self.stat.read().and_then(Stat::parse);
        let scheduled = self.schedstat.read().and_then(Scheduled::parse);
        // Reading the switches takes longest, and there is none without being given a core.
        let times = scheduled.map(|scheduled| scheduled.times);
        let known = self.switched.filter(|known| times == Some(known.0));
        let switched = match known {
            Some((_, switched)) => Some(switched),
            None => self.status.read().and_then(switches),
        };
        self.switched = times.zip(switched);
        Usage {
            counters: [
                stat.map(|stat| stat.minor_faults),
                stat.map(|stat| stat.major_faults),
                switched.map(|switched| switched.0),
                switched.map(|switched| switched.1),
                scheduled.map(|scheduled| scheduled.waited / 1000),
            ],
            core: stat.map(|stat| stat.core),
        }
    }
}

impl Threads {
    /// The threads that were not there `before` are those of the launch.
    pub(super) fn since(before: &Tasks) -> Threads {
        let Tasks(now) = Tasks::now();
        let started = now.difference(&before.0).map(|task| Path::new("/proc/self/task").join(task));
        // The launching thread was there before the launch, so it is not among those started.
        let folders = std::iter::once(PathBuf::from("/proc/thread-self")).chain(started);
        Threads {
            threads: folders.map(|folder| Thread::of(&folder)).collect(),
            before: Usage { counters: [None; 5], core: None },
            sums: Default::default(),
        }
    }

    /// To be called right before an iteration.
    pub(super) fn before(&mut self) {
        self.before = self.read();
    }

    /// To be called right after it, if it is to be counted.
    pub(super) fn after(&mut self, iteration: u32) {
        let now = self.read();
        let grown = self.before.counters.iter().zip(now.counters);
        let grown = grown.map(|(before, now)| Some(now?.saturating_sub((*before)?)));
        let moved = self.before.core.zip(now.core).map(|(before, now)| u64::from(before != now));
        for (sum, count) in self.sums.iter_mut().zip(grown.chain([moved])) {
            match count {
                Some(count) => sum.counts.add(iteration, count),
                None => sum.unknown = true,
            }
        }
    }

    fn read(&mut self) -> Usage {
        let mut all = self.threads.iter_mut().map(Thread::read);
        let own = all.next().unwrap_or(Usage { counters: [None; 5], core: None });
        all.fold(own, |sum, thread| {
            let both = |at: usize| sum.counters[at]?.checked_add(thread.counters[at]?);
            Usage { counters: std::array::from_fn(both), core: sum.core }
        })
    }

    /// To be called in place of [`Threads::after`] where an iteration cannot be counted.
    pub(super) fn uncounted(&mut self) {
        self.sums.iter_mut().for_each(|sum| sum.unknown = true);
    }

    /// Core of the launching thread before the current iteration.
    pub(super) fn core(&self) -> Option<u32> {
        self.before.core
    }

    pub(super) fn finish(self, conditions: &mut Conditions) {
        let known = |sum: Sum| (!sum.unknown).then_some(sum.counts);
        let [minor, major, voluntary, involuntary, waits, migrations] = self.sums.map(known);
        conditions.minor_faults = minor;
        conditions.major_faults = major;
        conditions.voluntary_switches = voluntary;
        conditions.involuntary_switches = involuntary;
        conditions.waits_us = waits;
        conditions.migrations = migrations;
    }
}

#[cfg(target_os = "linux")] // elsewhere the system does not tell
#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;
    use std::iter;
    use std::sync::mpsc;
    use std::thread;

    /// How often a thread gave its core up.
    fn given_up(task: &Path) -> u64 {
        switches(&fs::read_to_string(task.join("status")).unwrap()).unwrap().0
    }

    #[test]
    fn what_happens_to_a_thread_is_seen() {
        let (begin, begun) = mpsc::channel();
        let (end, ended) = mpsc::channel::<()>();
        let observed = thread::spawn(move || {
            // Without a thread that another test started meanwhile, and that ends in the middle.
            let alone = |threads: &Threads| threads.threads.len() == 1;
            let mut threads =
                iter::repeat_with(|| Threads::since(&Tasks::now())).find(alone).unwrap();
            threads.before();
            threads.after(0);
            threads.before();
            drop(black_box(vec![1u8; 64 << 20]));
            threads.after(1);
            threads.before();
            let task = Path::new("/proc").join(fs::read_link("/proc/thread-self").unwrap());
            begin.send((given_up(&task), task)).unwrap();
            assert!(ended.recv().is_err());
            threads.after(2);
            let mut found = Conditions::default();
            threads.finish(&mut found);
            // Huge pages hold 2 MiB.
            assert!(found.minor_faults.unwrap().of(1) >= 32);
            assert!(found.voluntary_switches.unwrap().of(2) >= 1);
            assert!(found.major_faults.is_some() && found.migrations.is_some());
        });
        // It waits until it has given its core up, however long that takes.
        let (before, task) = begun.recv().unwrap();
        while given_up(&task) == before {
            thread::yield_now();
        }
        drop(end);
        observed.join().unwrap();
    }

    #[test]
    fn threads_that_were_started_for_the_launch_count() {
        let before = Tasks::now();
        let (end, ended) = mpsc::channel::<()>();
        let other = thread::spawn(move || ended.recv().is_err());
        let threads = Threads::since(&before);
        assert!(threads.threads.len() >= 2);
        drop(end);
        assert!(other.join().unwrap());
    }
}
