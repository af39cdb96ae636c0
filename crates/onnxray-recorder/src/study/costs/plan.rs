//! Which of these processes there are, and in which order.

use super::super::error::StudyError;
use super::super::job::Job;
use super::super::service::ask_one;
use super::pace::PaceSpec;
use super::spec::{Prepare, Prepared, ToBegin};
use crate::launches::LaunchSpec;
use onnxray_failsafe::private_folder;
use onnxray_format::Costs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;

/// Which processes there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CostPlan {
    /// How many of each model.
    pub starts: u32,
    /// Calls at a pace in each of them, if any.
    pub pace: Option<PaceSpec>,
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
) -> std::io::Result<Vec<Costs>> {
    let starts = *starts;
    let all = starts * specs.len() as u32;
    let mut found: Vec<Costs> = vec![Costs::default(); specs.len()];
    let mut prepared: Vec<Option<(TempDir, ToBegin)>> = Vec::new();
    for (spec, costs) in specs.iter().zip(&mut found) {
        let folder = private_folder()?;
        let to_begin = to_begin((spec, pace), folder.path(), command(), stop);
        prepared.push(known(to_begin, costs).map(|to_begin| (folder, to_begin)));
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
            let Some((_, to_begin)) = &prepared[position] else { continue };
            if costs.unknown.is_some() || stop.load(Ordering::Relaxed) {
                continue;
            }
            let job = Job::Begin(Box::new(ToBegin { number, ..to_begin.clone() }));
            if let Some(start) = known(ask_one(command(), &job, stop), costs) {
                costs.starts.push(start);
            }
        }
    }
    Ok(found)
}

fn to_begin(
    (spec, pace): (&LaunchSpec, &Option<PaceSpec>),
    folder: &Path,
    command: Command,
    stop: &AtomicBool,
) -> Result<Option<ToBegin>, StudyError> {
    let asked = Prepare { spec: spec.clone(), folder: folder.into() };
    let prepared: Option<Prepared> = ask_one(command, &Job::Prepare(Box::new(asked)), stop)?;
    Ok(prepared.map(|Prepared { dimensions, file_bytes }| ToBegin {
        engine: spec.engine.clone(),
        model: spec.model.clone(),
        dimensions,
        options: spec.options.clone(),
        inputs: folder.into(),
        file_bytes: Some(file_bytes),
        pace: pace.clone(),
        number: 0,
    }))
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
