//! Launches in processes of their own, one after the other.
//!
//! Launches of two recordings take turns, so that what changes on the machine meanwhile
//! falls on both alike: in one process, a few iterations each, or process by process:
//!
//! ```text
//! (AB)  (BA)  (AB)  (BA) …        A B  B A  A B  B A …
//! ```
//!
//! They swap places from launch to launch: none is always the first, which would meet a
//! colder machine, and a steady drift cancels out. Each launch has other memory.

mod folders;
mod instances;
mod peers;
mod placement;
mod process;
mod spec;
mod trial;

pub use folders::Folders;
pub use instances::{FailedInstance, Instances, Rounds};
pub use peers::Peers;
pub(crate) use placement::Displacement;
pub use process::{SERVED, ended, has_served};
pub use spec::{LaunchSpec, ProcessSpec};
pub use trial::{Trial, check_memory, check_memory_of_instances, iterations_per_turn};

use crate::clock::file_time;
use crate::launch::Place;
use crate::record::Schedule;
use onnxray_format::Interleaved;
use onnxray_format::layout::{self, ReservedTime};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};

/// The launches of a recording, or of two that take turns, in their order.
pub struct Launches {
    specs: Vec<LaunchSpec>,
    schedule: Schedule,
    turns: Turns,
    /// Names of the recordings, which all launches know from the first one on.
    times: Vec<ReservedTime>,
}

/// How two recordings take turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// In one process for both, a few iterations each: `Schedule::turn`.
    Iterations,
    /// In a process for each, one after the other.
    Launches,
}

/// Why there are fewer launches than planned.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// A process could not be started or waited for.
    #[error("cannot run a launch: {0}")]
    Start(io::Error),
    /// A process said that its launch failed.
    #[error("launch {} failed: {}", nth_launch(*number, *launches), ended(*status))]
    Failed {
        /// Position of the recording among the planned ones; `None` if the process ran
        /// launches of several.
        recording: Option<usize>,
        /// Number of the launch, from 0.
        number: u32,
        /// Launches planned for the recording.
        launches: Option<u32>,
        /// How its process ended.
        status: ExitStatus,
    },
}

/// The place of a launch among those planned, from 1: `3 of 10`.
pub fn nth_launch(number: u32, launches: Option<u32>) -> String {
    match launches {
        Some(launches) => format!("{} of {launches}", number + 1),
        None => format!("{}", number + 1),
    }
}

impl Launches {
    /// Plans the launches of one or two recordings: as many of each as the first one
    /// says. Their folders must exist.
    ///
    /// # Errors
    ///
    /// If a folder cannot be read.
    pub fn plan(specs: Vec<LaunchSpec>, schedule: Schedule, turns: Turns) -> io::Result<Launches> {
        let mut times: Vec<ReservedTime> = Vec::new();
        for spec in &specs {
            // They differ, so that a recording cannot be taken for the one that took
            // turns with it.
            let is_free = |stamp: &str| {
                let time = layout::time_in(stamp);
                times.iter().all(|other| layout::time_in(other.time()) != time)
            };
            let folder = Path::new(&spec.options.folder);
            times.push(layout::reserve(folder, &spec.model_name(), file_time, is_free)?);
        }
        Ok(Launches { specs, schedule, turns, times })
    }

    /// The planned recordings.
    pub fn specs(&self) -> &[LaunchSpec] {
        &self.specs
    }

    /// Runs them in processes that `command` makes and that read their [`ProcessSpec`]
    /// from standard input, until there are as many as planned, `enough` says so of those
    /// that there are of each recording, or `stop`. Whether `stop` ended it early.
    ///
    /// # Errors
    ///
    /// If a launch fails; none is begun after it.
    pub fn run(
        &self,
        command: impl Fn() -> Command,
        stop: &AtomicBool,
        mut enough: impl FnMut(u32) -> bool,
    ) -> Result<bool, LaunchError> {
        let launches = self.specs.first().and_then(|spec| spec.options.launches);
        for number in 0..launches.unwrap_or(u32::MAX) {
            for recordings in self.processes(number) {
                if stop.load(Ordering::Relaxed) {
                    return Ok(true);
                }
                let spec = self.process(number, &recordings);
                let status = process::run(command(), &spec, stop).map_err(LaunchError::Start)?;
                // A launch that was asked to stop did not fail.
                if !has_served(status) && !stop.load(Ordering::Relaxed) {
                    let recording = recordings.first().copied().filter(|_| recordings.len() == 1);
                    return Err(LaunchError::Failed { recording, number, launches, status });
                }
            }
            // After both recordings: they always have the same number of launches.
            if stop.load(Ordering::Relaxed) || enough(number + 1) {
                break;
            }
        }
        Ok(stop.load(Ordering::Relaxed))
    }

    /// The traces that there are now, those of each recording in the order of launches.
    pub fn traces(&self) -> Vec<Vec<PathBuf>> {
        self.specs
            .iter()
            .zip(&self.times)
            .map(|(spec, time)| traces_of(spec, time.time()))
            .collect()
    }

    /// The recordings that each process of this round runs a launch of, in their order.
    fn processes(&self, number: u32) -> Vec<Vec<usize>> {
        let mut recordings: Vec<usize> = (0..self.specs.len()).collect();
        // None is always the first, which would meet a colder machine.
        if number & 1 == 1 {
            recordings.reverse();
        }
        match self.turns {
            Turns::Iterations => vec![recordings],
            Turns::Launches => recordings.into_iter().map(|recording| vec![recording]).collect(),
        }
    }

    fn process(&self, number: u32, recordings: &[usize]) -> ProcessSpec {
        let launches = recordings.iter().map(|&recording| self.launch(number, recording));
        ProcessSpec { launches: launches.collect(), schedule: self.schedule }
    }

    fn launch(&self, number: u32, recording: usize) -> LaunchSpec {
        let count = self.specs.len();
        // As in `processes`, which reverses the order of odd rounds.
        let place = if number & 1 == 0 { recording } else { count - 1 - recording };
        let mut others = self.times.iter().enumerate().filter(|(other, _)| *other != recording);
        let interleaved = others.next().map(|(_, with)| Interleaved {
            with: with.time().to_string(),
            position: number * count as u32 + place as u32,
            turn: (self.turns == Turns::Iterations).then_some(self.schedule.turn.get()),
        });
        let mut spec = self.specs[recording].clone();
        let time = self.times[recording].time().to_string();
        spec.options.place = Some(Place { time, number, interleaved });
        if number > 0 {
            // The first one keeps them, and they may be long.
            spec.options.costs = None;
        }
        spec
    }
}

/// The traces of a recording, in the order of launches.
fn traces_of(spec: &LaunchSpec, time: &str) -> Vec<PathBuf> {
    let folder = Path::new(&spec.options.folder).join(layout::TRACE_FOLDER);
    let traces = layout::list(&folder).unwrap_or_default().into_iter();
    let ours = traces.filter(|(_, name, _)| name == time);
    // A trace without an iteration was left by a launch that was killed.
    let is_begun = |path: &PathBuf| path.metadata().is_ok_and(|about| about.len() > 0);
    ours.map(|(path, _, _)| path).filter(is_begun).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineSpec;
    use crate::launch::LaunchOptions;
    use crate::record::Length;
    use std::num::NonZeroU32;

    fn spec(folder: &Path) -> LaunchSpec {
        LaunchSpec {
            engine: EngineSpec::default(),
            model: folder.into(),
            dimensions: Default::default(),
            inputs: Default::default(),
            seed: 1,
            generation: None,
            options: LaunchOptions { folder: folder.into(), ..LaunchOptions::default() },
        }
    }

    /// What each process of three rounds runs: the recordings, and their positions.
    fn order(recordings: usize, turns: Turns) -> (Vec<String>, Vec<u32>) {
        let place = tempfile::tempdir().unwrap();
        let folders: Vec<PathBuf> =
            ["A", "B"][..recordings].iter().map(|name| place.path().join(name)).collect();
        let folders_made = Folders::prepare(folders.iter().map(PathBuf::as_path)).unwrap();
        let turn = NonZeroU32::new(5).unwrap();
        let schedule = Schedule { warmup: 0, length: Length::Iterations(1), unprofiled: 0, turn };
        let specs = folders.iter().map(|folder| spec(folder)).collect();
        let launches = Launches::plan(specs, schedule, turns).unwrap();
        let (mut names, mut positions) = (Vec::new(), Vec::new());
        for number in 0..3 {
            for recordings in launches.processes(number) {
                let process = launches.process(number, &recordings);
                names.push(recordings.iter().map(|&recording| ["A", "B"][recording]).collect());
                for launch in process.launches {
                    let place = launch.options.place.unwrap();
                    assert_eq!(place.number, number);
                    if let Some(interleaved) = place.interleaved {
                        let expected = (turns == Turns::Iterations).then_some(5);
                        assert_eq!(interleaved.turn, expected);
                        positions.push(interleaved.position);
                    }
                }
            }
        }
        drop(folders_made);
        (names, positions)
    }

    #[test]
    fn recordings_swap_places_from_launch_to_launch() {
        let names = |text: &str| text.split(' ').map(str::to_string).collect::<Vec<_>>();
        assert_eq!(order(1, Turns::Launches), (names("A A A"), vec![]));
        let positions: Vec<u32> = (0..6).collect();
        assert_eq!(order(2, Turns::Launches), (names("A B B A A B"), positions.clone()));
        assert_eq!(order(2, Turns::Iterations), (names("AB BA AB"), positions));
    }
}
