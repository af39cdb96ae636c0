//! Launches in processes of their own, one after the other.
//!
//! Launches of several recordings take turns, so that what changes on the machine
//! meanwhile falls on all alike:
//!
//! ```text
//! A B  B A  A B  B A …
//! ```
//!
//! They swap places from round to round: none is always the first, which would meet a
//! colder machine, and a steady drift cancels out.

mod folders;
mod process;
mod spec;

pub use folders::Folders;
pub use spec::LaunchSpec;

use crate::clock::file_time;
use crate::launch::Place;
use onnxray_format::Interleaved;
use onnxray_format::layout::{self, ReservedTime};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};

/// The launches of a recording, or of two that take turns, in their order.
pub struct Launches {
    specs: Vec<LaunchSpec>,
    /// Names of the recordings, which all launches know from the first one on.
    times: Vec<ReservedTime>,
}

/// Why there are fewer launches than planned.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// A process could not be started or waited for.
    #[error("cannot run a launch: {0}")]
    Start(io::Error),
    /// A process said that its launch failed.
    #[error("launch {} of {launches} failed: {status}", number + 1)]
    Failed {
        /// Position of the recording among the planned ones.
        recording: usize,
        /// Number of the launch, from 0.
        number: u32,
        /// Launches planned for the recording.
        launches: u32,
        /// How its process ended.
        status: ExitStatus,
    },
}

impl Launches {
    /// Plans the launches of one or two recordings: as many of each as the first one
    /// says. Their folders must exist.
    ///
    /// # Errors
    ///
    /// If a folder cannot be read.
    pub fn plan(specs: Vec<LaunchSpec>) -> io::Result<Launches> {
        let mut times: Vec<ReservedTime> = Vec::new();
        for spec in &specs {
            // They differ, so that a recording cannot be taken for the one that took
            // turns with it.
            let is_free = |time: &str| times.iter().all(|other| other.time() != time);
            times.push(layout::reserve(Path::new(&spec.options.folder), file_time, is_free)?);
        }
        Ok(Launches { specs, times })
    }

    /// What each recording is planned to be.
    pub fn specs(&self) -> &[LaunchSpec] {
        &self.specs
    }

    /// Runs them, each in a process that `command` makes and that reads its
    /// [`LaunchSpec`] from standard input, and stops where that ends. Whether `stop`
    /// ended it early.
    ///
    /// # Errors
    ///
    /// If a launch fails; none is begun after it.
    pub fn run(
        &self,
        command: impl Fn() -> Command,
        stop: &AtomicBool,
    ) -> Result<bool, LaunchError> {
        let launches = self.specs.first().map_or(0, |spec| spec.options.launches);
        for turn in turns(launches, self.specs.len()) {
            if stop.load(Ordering::Relaxed) {
                return Ok(true);
            }
            let spec = self.spec(turn);
            let status = process::run(command(), &spec, stop).map_err(LaunchError::Start)?;
            if !status.success() && !stop.load(Ordering::Relaxed) {
                let Turn { recording, number, .. } = turn;
                return Err(LaunchError::Failed { recording, number, launches, status });
            }
        }
        Ok(stop.load(Ordering::Relaxed))
    }

    /// The traces that there are now, those of each recording in the order of launches.
    pub fn traces(&self) -> Vec<Vec<PathBuf>> {
        let traces = self.specs.iter().zip(&self.times).map(|(spec, time)| {
            let folder = Path::new(&spec.options.folder);
            let paths = (0..spec.options.launches)
                .map(|launch| layout::trace_path(folder, time.time(), launch));
            // One without an iteration is of a launch that was killed.
            paths.filter(|path| path.metadata().is_ok_and(|about| about.len() > 0)).collect()
        });
        traces.collect()
    }

    fn spec(&self, turn: Turn) -> LaunchSpec {
        let Turn { position, recording, number } = turn;
        let mut others = self.times.iter().enumerate().filter(|(other, _)| *other != recording);
        let interleaved = others.next().map(|(_, with)| Interleaved {
            with: with.time().to_string(),
            position,
            turn: None,
        });
        let mut spec = self.specs[recording].clone();
        spec.options.place =
            Some(Place { time: self.times[recording].time().to_string(), number, interleaved });
        spec
    }
}

/// A launch among those of all recordings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Turn {
    position: u32,
    /// Which of the recordings it belongs to.
    recording: usize,
    /// Its number in that recording.
    number: u32,
}

/// All launches in their order.
fn turns(launches: u32, recordings: usize) -> impl Iterator<Item = Turn> {
    let round = move |number: u32| {
        (0..recordings).map(move |place| match number.is_multiple_of(2) {
            true => (place, number),
            false => (recordings - 1 - place, number),
        })
    };
    let turns = (0..).zip((0..launches).flat_map(round));
    turns.map(|(position, (recording, number))| Turn { position, recording, number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recordings_swap_places_from_round_to_round() {
        let names = |launches, recordings| -> String {
            let turns = turns(launches, recordings);
            turns.map(|turn| ["A", "B"][turn.recording]).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(3, 1), "A A A");
        assert_eq!(names(1, 2), "A B");
        assert_eq!(names(5, 2), "A B B A A B B A A B");
        let positions: Vec<u32> = turns(3, 2).map(|turn| turn.position).collect();
        assert_eq!(positions, [0, 1, 2, 3, 4, 5]);
        let numbers: Vec<u32> = turns(3, 2).map(|turn| turn.number).collect();
        assert_eq!(numbers, [0, 0, 1, 1, 2, 2]);
    }
}
