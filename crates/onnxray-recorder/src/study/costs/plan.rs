//! Which of these processes there are, and in which order.

use super::super::error::StudyError;
use super::super::turns::order;
use super::pace::PaceSpec;
use super::ready::Ready;
use super::waiting::Waiting;
use crate::launches::LaunchSpec;
use onnxray_failsafe::private_folder;
use onnxray_format::{Costs, Start};
use std::collections::VecDeque;
use std::io;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// As many processes come up together, before the first of them measures.
const AHEAD: u32 = 8;

/// Which processes there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CostPlan {
    /// How many of each model.
    pub starts: u32,
    /// Calls at a pace in each of them, if any.
    pub pace: Option<PaceSpec>,
    /// Whether the system drops the model's files from memory before each.
    pub is_cold: bool,
}

impl CostPlan {
    /// How long calls at a pace take, of all processes; 0 without.
    pub fn paced_time(&self) -> Duration {
        self.pace.as_ref().map_or(Duration::ZERO, PaceSpec::time) * self.starts
    }
}

/// Begins these processes for each model, in turns: A B, B A, A B. Of a model whose process
/// fails, no other is begun. `progress` is told how many there were, of all.
///
/// # Errors
///
/// If there is no place for the inputs.
pub fn costs(
    specs: &[LaunchSpec],
    CostPlan { starts, pace, is_cold }: &CostPlan,
    command: &dyn Fn() -> Command,
    stop: &AtomicBool,
    mut progress: impl FnMut(u32, u32),
) -> io::Result<Vec<Costs>> {
    let starts = *starts;
    let all = starts * specs.len() as u32;
    // They come up while inputs are made. Where one does not, it is tried again when it is due.
    let begun = (0..all.min(AHEAD)).map_while(|_| Waiting::of(command()).ok());
    let mut ahead: VecDeque<Waiting> = begun.collect();
    let mut found: Vec<Costs> = vec![Costs::default(); specs.len()];
    let mut ready: Vec<Option<Ready>> = Vec::new();
    for (spec, costs) in specs.iter().zip(&mut found) {
        let guessed = known(Ready::guessed(spec, private_folder()?, command(), stop), costs);
        ready.push(guessed.map(|ready| ready.of_cold_file(*is_cold)));
    }
    // None still comes up while another one measures.
    ahead.retain_mut(|process| matches!(process.up(stop), Ok(Some(()))));
    let mut done = 0;
    for number in 0..starts {
        let mut order: Vec<usize> = (0..specs.len()).collect();
        // None is always the first, which would meet a colder machine.
        if number % 2 == 1 {
            order.reverse();
        }
        for position in order {
            progress(done, all);
            done += 1;
            let (spec, costs) = (&specs[position], &mut found[position]);
            let Some(inputs) = &ready[position] else { continue };
            let mut process = || ahead.pop_front().map_or_else(|| Waiting::of(command()), Ok);
            add(inputs, (spec, pace, number), &mut process, stop, costs);
            let has_failed = costs.unknown.is_some() && costs.starts.is_empty();
            if has_failed && !inputs.is_certain() && !stop.load(Ordering::Relaxed) {
                // It may be the guess that the engine refuses.
                costs.unknown = None;
                let tried = prepared(spec, command(), stop, costs)?;
                ready[position] = tried.map(|ready| ready.of_cold_file(*is_cold));
                if let Some(inputs) = &ready[position] {
                    add(inputs, (spec, pace, number), process, stop, costs);
                }
            }
        }
    }
    Ok(found)
}

/// Inputs of a model; `None` if they could not be made, for a reason that is kept.
///
/// # Errors
///
/// If there is no place for them.
pub(in super::super) fn prepared(
    spec: &LaunchSpec,
    command: Command,
    stop: &AtomicBool,
    costs: &mut Costs,
) -> io::Result<Option<Ready>> {
    Ok(known(Ready::of(spec, private_folder()?, command, stop), costs))
}

/// Begins one process, of which is kept what it told, unless one failed before.
pub(in super::super) fn add_start(
    ready: &Ready,
    of: (&LaunchSpec, &Option<PaceSpec>, u32),
    command: Command,
    stop: &AtomicBool,
    costs: &mut Costs,
) {
    add(ready, of, || Waiting::of(command), stop, costs);
}

fn add(
    ready: &Ready,
    (spec, pace, number): (&LaunchSpec, &Option<PaceSpec>, u32),
    process: impl FnOnce() -> io::Result<Waiting>,
    stop: &AtomicBool,
    costs: &mut Costs,
) {
    if costs.unknown.is_some() || stop.load(Ordering::Relaxed) {
        return;
    }
    let begun = process().map_err(StudyError::from);
    let mut told = None;
    let begun =
        begun.and_then(|process| ready.begin((spec, pace), number, process, stop, &mut told));
    // Also if it came to no end: rates before that were measured.
    let start = known(begun, costs).or(told);
    costs.starts.extend(start);
}

/// Processes of one model with other options each, a turn of one of each.
pub struct CostTurns<'a> {
    /// Calls at a pace in each of them, if any.
    pub pace: Option<PaceSpec>,
    /// Makes a process that calls [`work`](super::super::work).
    pub command: &'a dyn Fn() -> Command,
    /// Set to stop.
    pub stop: &'a AtomicBool,
}

/// What came of a process: its costs, or why there are none.
pub type Started = Result<Start, StudyError>;

impl CostTurns<'_> {
    /// Makes the inputs of all of them; `None` if it was stopped.
    ///
    /// # Errors
    ///
    /// If there is no place for the inputs, or if the model cannot be loaded.
    pub fn ready(&self, base: &LaunchSpec) -> Result<Option<Ready>, StudyError> {
        Ready::of(base, private_folder()?, (self.command)(), self.stop)
    }

    /// A turn: a process for each of these launches, in an order of the seed, so that what changes
    /// on the machine meanwhile falls on none of them more often; `None` if it was stopped.
    pub fn turn(&self, ready: &Ready, specs: &[LaunchSpec], seed: u64) -> Option<Vec<Started>> {
        let mut found: Vec<Option<Started>> = specs.iter().map(|_| None).collect();
        for place in order(specs.len(), seed, 0) {
            let process = Waiting::of((self.command)()).map_err(StudyError::from);
            let of = (&specs[place], &self.pace);
            let begun =
                process.and_then(|process| ready.begin(of, 0, process, self.stop, &mut None));
            found[place] = Some(begun.transpose()?);
        }
        found.into_iter().collect()
    }
}

/// What a process answered; otherwise, why it did not is kept.
fn known<T>(answer: Result<Option<T>, StudyError>, costs: &mut Costs) -> Option<T> {
    match answer {
        Ok(Some(answer)) => Some(answer),
        Ok(None) => {
            costs.unknown = Some("interrupted".to_string());
            None
        }
        Err(error) => {
            let reason = error.to_string();
            costs.unknown = Some(reason.lines().next().unwrap_or_default().to_string());
            None
        }
    }
}
