//! Which of these processes there are, and in which order.

use super::super::error::StudyError;
use super::super::job::Job;
use super::super::service::ask_one;
use super::pace::PaceSpec;
use super::spec::{Prepare, Prepared, ToBegin};
use crate::launches::LaunchSpec;
use onnxray_failsafe::private_folder;
use onnxray_format::Costs;
use std::io;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// Which processes there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CostPlan {
    /// How many of each model.
    pub starts: u32,
    /// Calls at a pace in each of them, if any.
    pub pace: Option<PaceSpec>,
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
    CostPlan { starts, pace }: &CostPlan,
    command: &dyn Fn() -> Command,
    stop: &AtomicBool,
    mut progress: impl FnMut(u32, u32),
) -> io::Result<Vec<Costs>> {
    let starts = *starts;
    let all = starts * specs.len() as u32;
    let mut found: Vec<Costs> = vec![Costs::default(); specs.len()];
    let mut prepared: Vec<Option<Inputs>> = Vec::new();
    for (spec, costs) in specs.iter().zip(&mut found) {
        prepared.push(Inputs::of(spec, command(), stop, costs)?);
    }
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
            let costs = &mut found[position];
            if let Some(inputs) = &prepared[position] {
                inputs.begin((&specs[position], pace, number), command(), stop, costs);
            }
        }
    }
    Ok(found)
}

/// The inputs of a model in a folder, which goes with this.
pub(in super::super) struct Inputs {
    folder: TempDir,
    facts: Prepared,
}

impl Inputs {
    /// Has a process make them; `None` if it could not, for a reason that is kept.
    ///
    /// # Errors
    ///
    /// If there is no place for them.
    pub(in super::super) fn of(
        spec: &LaunchSpec,
        command: Command,
        stop: &AtomicBool,
        costs: &mut Costs,
    ) -> io::Result<Option<Inputs>> {
        let folder = private_folder()?;
        let asked = Prepare { spec: spec.clone(), folder: folder.path().into() };
        let facts = known(ask_one(command, &Job::Prepare(Box::new(asked)), stop), costs);
        Ok(facts.map(|facts| Inputs { folder, facts }))
    }

    /// Begins one process, whose start is kept, unless one failed before.
    pub(in super::super) fn begin(
        &self,
        (spec, pace, number): (&LaunchSpec, &Option<PaceSpec>, u32),
        command: Command,
        stop: &AtomicBool,
        costs: &mut Costs,
    ) {
        if costs.unknown.is_some() || stop.load(Ordering::Relaxed) {
            return;
        }
        let to_begin = ToBegin {
            engine: spec.engine.clone(),
            model: spec.model.clone(),
            dimensions: self.facts.dimensions.clone(),
            options: spec.options.clone(),
            inputs: self.folder.path().into(),
            file_bytes: Some(self.facts.file_bytes),
            pace: pace.clone(),
            number,
        };
        let start = known(ask_one(command, &Job::Begin(Box::new(to_begin)), stop), costs);
        costs.starts.extend(start);
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
