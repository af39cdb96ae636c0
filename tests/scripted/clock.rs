//! A clock that only the script moves.
//!
//! The processes of a run share it through a file. A process that runs a model has a time of its
//! own, which begins at the shared one: processes side by side each take their own times, however
//! the system schedules them. The process that started them sees the latest.

use crate::script::Script;
use onnxray_format::Nanoseconds;
use onnxray_recorder::Clock;
use std::cell::Cell;
use std::fs::{self, File};
use std::io::{Read, Seek, Write};
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

/// Unix time of the script's zero: 2026-01-01.
const ORIGIN: Nanoseconds = Nanoseconds(1_767_225_600_000_000_000);

pub(crate) struct ScriptedClock {
    shared: PathBuf,
    own: Cell<u64>,
    /// How long this process waited without taking CPU time.
    slept: Cell<u64>,
    /// Whether it takes none while it waits.
    pub(crate) sleeps: Cell<bool>,
    /// Whether another process waits for this one.
    is_child: bool,
    speed: Option<f64>,
}

impl ScriptedClock {
    pub(crate) fn new(script: &Script) -> ScriptedClock {
        fs::create_dir_all(&script.folder).unwrap();
        let command = std::env::args().nth(1).unwrap_or_default();
        let clock = ScriptedClock {
            shared: script.folder.join("clock"),
            own: Cell::new(0),
            slept: Cell::new(0),
            sleeps: Cell::new(false),
            is_child: ["launch", "work"].contains(&command.as_str()),
            speed: script.speed,
        };
        clock.own.set(clock.latest(0));
        clock
    }

    /// The later of the shared time and of `time`, which becomes the shared one.
    fn latest(&self, time: u64) -> u64 {
        change(&self.shared, |shared| shared.max(time))
    }

    pub(crate) fn advance(&self, time: Nanoseconds) {
        let now = self.now().0 + time.0;
        self.own.set(now);
        self.latest(now);
        if let Some(speed) = self.speed {
            sleep(Duration::from_nanos(time.0).div_f64(speed));
        }
    }
}

impl Clock for ScriptedClock {
    fn now(&self) -> Nanoseconds {
        if !self.is_child {
            self.own.set(self.latest(self.own.get()));
        }
        Nanoseconds(self.own.get())
    }

    fn origin(&self) -> Option<Nanoseconds> {
        Some(ORIGIN)
    }

    /// As if one thread were busy all the time, but for what it sleeps.
    fn cpu_time(&self) -> Option<Nanoseconds> {
        Some(self.now().saturating_sub(Nanoseconds(self.slept.get())))
    }

    fn sleep_until(&self, time: Nanoseconds) {
        let now = self.now();
        if time > now {
            self.advance(time - now);
            if self.sleeps.get() {
                self.slept.set(self.slept.get() + (time - now).0);
            }
        }
    }

    fn resolution(&self) -> Nanoseconds {
        Nanoseconds(1)
    }
}

/// Changes a number that processes share, and returns the new one.
pub(crate) fn change(file: &PathBuf, change: impl Fn(u64) -> u64) -> u64 {
    let mut options = File::options();
    let mut file = options.read(true).write(true).create(true).truncate(false).open(file).unwrap();
    file.lock().unwrap();
    let mut bytes = [0; 8];
    let old = file.read_exact(&mut bytes).map_or(0, |()| u64::from_le_bytes(bytes));
    let new = change(old);
    if new != old {
        file.rewind().unwrap();
        file.write_all(&new.to_le_bytes()).unwrap();
    }
    new
}
