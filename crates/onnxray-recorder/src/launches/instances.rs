//! Launches side by side: processes that begin together, each on cores of its own, and that
//! have each other as peers until all have measured.

use super::peers::Word;
use super::process::has_served;
use super::spec::{LaunchSpec, ProcessSpec};
use super::traces_of;
use crate::clock::file_time;
use crate::launch::Place;
use crate::record::Schedule;
use onnxray_format::Costs;
use onnxray_format::layout::{self, ReservedTime};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

/// The launches of a recording that are made side by side, in rounds.
pub struct Instances {
    spec: LaunchSpec,
    schedule: Schedule,
    /// The cores of each instance; none where the system chooses.
    cores: Vec<Vec<u32>>,
    /// Time in the recording's file names.
    time: String,
    /// Keeps other processes from using that time.
    _reserved: Option<ReservedTime>,
}

/// Outcome of rounds of instances.
#[derive(Debug)]
pub struct Rounds {
    /// Whether they were stopped early.
    pub interrupted: bool,
    /// Instances that failed, all in one round: no other round follows.
    pub failed: Vec<FailedInstance>,
}

/// An instance that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailedInstance {
    /// Number of the instance, from 0.
    pub instance: u32,
    /// Exit status of its process.
    pub status: ExitStatus,
}

impl Instances {
    /// Plans as many launches as `spec` says, of which those in as many `cores` run side by
    /// side. The folder must exist.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub fn plan(
        spec: LaunchSpec,
        schedule: Schedule,
        cores: Vec<Vec<u32>>,
    ) -> io::Result<Instances> {
        let folder = Path::new(&spec.options.folder);
        let reserved = layout::reserve(folder, &spec.model_name(), file_time, |_| true)?;
        let time = reserved.time().to_string();
        Ok(Instances { spec, schedule, cores, time, _reserved: Some(reserved) })
    }

    /// Instances of a recording whose name is known, and which may have launches already.
    pub(crate) fn named(
        spec: LaunchSpec,
        schedule: Schedule,
        cores: Vec<Vec<u32>>,
        time: String,
    ) -> Instances {
        Instances { spec, schedule, cores, time, _reserved: None }
    }

    /// Runs them in processes that `command` makes, which read their [`ProcessSpec`] from standard
    /// input and have [`Peers`](super::Peers). `progress` gets the number of a round, from 0, and
    /// the share of it that all instances have finished.
    ///
    /// # Errors
    ///
    /// If a process cannot be started.
    pub fn run(
        &self,
        command: impl Fn() -> Command,
        stop: &AtomicBool,
        mut progress: impl FnMut(u32, f64),
    ) -> io::Result<Rounds> {
        let planned = self.spec.options.launches.unwrap_or(u32::MAX);
        // Rounds are whole: a launch measured beside fewer peers would have another load.
        for round in 0..planned.div_ceil(self.cores.len().max(1) as u32) {
            let costs = self.spec.options.costs.clone().filter(|_| round == 0);
            let progress = |share| progress(round, share);
            let ended = self.run_round(round, costs, &command, stop, progress)?;
            if ended.interrupted || !ended.failed.is_empty() {
                return Ok(ended);
            }
        }
        Ok(Rounds { interrupted: false, failed: Vec::new() })
    }

    /// Runs a round; its first launch keeps what an inference costs.
    pub(crate) fn run_round(
        &self,
        round: u32,
        costs: Option<Costs>,
        command: impl Fn() -> Command,
        stop: &AtomicBool,
        progress: impl FnMut(f64),
    ) -> io::Result<Rounds> {
        let mut running = Round::begin(self, (round, costs), command)?;
        running.watch(stop, progress)?;
        Ok(Rounds { interrupted: stop.load(Ordering::Relaxed), failed: running.failed() })
    }

    /// The files of a round, whether they are there or not: traces and tables.
    pub(crate) fn files_of(&self, round: u32) -> Vec<[PathBuf; 2]> {
        let folder = Path::new(&self.spec.options.folder);
        let instances = self.cores.len() as u32;
        let numbers = round * instances..(round + 1) * instances;
        numbers.map(|number| layout::files(folder, &self.time, number)).collect()
    }

    /// The traces that there are now, in the order of launches.
    pub fn traces(&self) -> Vec<PathBuf> {
        traces_of(&self.spec, &self.time)
    }

    /// The first instance of a round, by itself.
    pub(crate) fn alone(&self) -> LaunchSpec {
        let mut spec = self.spec.clone();
        spec.options.pin = self.cores.first().cloned().unwrap_or_default();
        spec
    }

    fn process(&self, round: u32, instance: u32, costs: Option<Costs>) -> ProcessSpec {
        let mut spec = self.spec.clone();
        spec.options.costs = costs;
        spec.options.pin.clone_from(&self.cores[instance as usize]);
        let number = round * self.cores.len() as u32 + instance;
        let time = self.time.clone();
        spec.options.place = Some(Place { time, number, interleaved: None });
        ProcessSpec { launches: vec![spec], schedule: self.schedule }
    }
}

/// The instances that run at one time. Those that run still when this is dropped see the end
/// of their standard input, and end.
struct Round {
    instances: Vec<Running>,
    words: Receiver<(usize, Word)>,
    /// So that waiting for a word takes its time when all have ended, too.
    _said: Sender<(usize, Word)>,
}

struct Running {
    process: Child,
    input: Option<ChildStdin>,
    is_ready: bool,
    is_done: bool,
    share: f64,
    status: Option<ExitStatus>,
}

/// Time between two looks at the processes.
const PAUSE: Duration = Duration::from_millis(20);

impl Round {
    fn begin(
        plan: &Instances,
        (round, mut costs): (u32, Option<Costs>),
        command: impl Fn() -> Command,
    ) -> io::Result<Round> {
        let (said, words) = channel();
        let mut instances = Vec::new();
        for instance in 0..plan.cores.len() {
            let mut command = command();
            let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
            let mut input = process.stdin.take();
            if let Some(input) = &mut input {
                // It fails if the process ended before it read; then its status tells why.
                let _ = plan.process(round, instance as u32, costs.take()).write(input);
            }
            if let Some(output) = process.stdout.take() {
                let said = said.clone();
                thread::Builder::new()
                    .spawn(move || listen(BufReader::new(output), instance, &said))?;
            }
            instances.push(Running {
                process,
                input,
                is_ready: false,
                is_done: false,
                share: 0.0,
                status: None,
            });
        }
        Ok(Round { instances, words, _said: said })
    }

    /// Relays words until all processes have ended.
    fn watch(&mut self, stop: &AtomicBool, mut progress: impl FnMut(f64)) -> io::Result<()> {
        // Each turns true once: a second `go` would release instances from their next wait.
        let (mut begun, mut ended) = (false, false);
        loop {
            if let Ok((instance, word)) = self.words.recv_timeout(PAUSE) {
                let instance = &mut self.instances[instance];
                match word {
                    Word::Ready => instance.is_ready = true,
                    Word::Share(share) => instance.share = share,
                    Word::Done => instance.is_done = true,
                }
            }
            for instance in self.instances.iter_mut().filter(|instance| instance.runs()) {
                instance.status = instance.process.try_wait()?;
            }
            if !self.instances.iter().any(Running::runs) {
                return Ok(());
            }
            if stop.load(Ordering::Relaxed) {
                // The end of its input asks an instance to stop: so does the end of this process.
                self.instances.iter_mut().for_each(|instance| drop(instance.input.take()));
            }
            let mut running = self.instances.iter().filter(|instance| instance.runs());
            // Only of those that still run: one that failed must not keep the others waiting.
            if !begun && running.all(|instance| instance.is_ready) {
                begun = true;
                self.go();
            }
            let mut running = self.instances.iter().filter(|instance| instance.runs());
            if begun && !ended && running.all(|instance| instance.is_done) {
                ended = true;
                self.go();
            }
            let shares = self.instances.iter().filter(|instance| instance.runs());
            // The slowest one: a round is over when all are.
            progress(shares.map(|instance| instance.share).fold(1.0, f64::min));
        }
    }

    /// Releases instances that wait for a start or an end.
    fn go(&mut self) {
        for input in self.instances.iter_mut().filter_map(|instance| instance.input.as_mut()) {
            // It fails if the process has ended, which its status tells.
            let _ = input.write_all(b"\n").and_then(|()| input.flush());
        }
    }

    fn failed(&self) -> Vec<FailedInstance> {
        let instances = (0..).zip(&self.instances);
        let failed = instances.filter_map(|(instance, running)| {
            let status = running.status.filter(|&status| !has_served(status))?;
            Some(FailedInstance { instance, status })
        });
        failed.collect()
    }
}

impl Running {
    fn runs(&self) -> bool {
        self.status.is_none()
    }
}

/// Forwards the words of an instance until its output ends.
fn listen(output: impl BufRead, instance: usize, said: &Sender<(usize, Word)>) {
    // An engine may write anything to standard output.
    for line in output.split(b'\n').map_while(Result::ok) {
        let word = Word::of_line(&String::from_utf8_lossy(&line));
        if word.is_some_and(|word| said.send((instance, word)).is_err()) {
            return;
        }
    }
}
