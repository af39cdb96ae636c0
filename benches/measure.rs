//! How long something takes, and how much memory.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Something that is run again and again.
pub(crate) struct Row<'a> {
    pub name: &'static str,
    run: Box<dyn FnMut() + 'a>,
    times: Vec<Duration>,
    /// Largest anonymous memory beyond what was there before, in bytes.
    pub peak: u64,
}

impl<'a> Row<'a> {
    pub(crate) fn new(name: &'static str, run: impl FnMut() + 'a) -> Row<'a> {
        Row { name, run: Box::new(run), times: Vec::new(), peak: 0 }
    }

    pub(crate) fn measure(&mut self) {
        let before = anonymous_memory();
        let (done, peak) = (AtomicBool::new(false), AtomicU64::new(0));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    peak.fetch_max(anonymous_memory(), Ordering::Relaxed);
                    std::thread::sleep(Duration::from_millis(2));
                }
            });
            let start = Instant::now();
            (self.run)();
            self.times.push(start.elapsed());
            done.store(true, Ordering::Relaxed);
        });
        self.peak = self.peak.max(peak.into_inner().saturating_sub(before));
    }

    /// The median of all runs.
    pub(crate) fn seconds(&self) -> f64 {
        let mut times = self.times.clone();
        times.sort();
        times[times.len() / 2].as_secs_f64()
    }
}

/// Resident memory that is not a file, in bytes.
fn anonymous_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
