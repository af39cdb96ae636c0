//! Fresh processes of a base and of variants of it: what a launch of a study cannot tell of itself.

use crate::search::ended;
use anyhow::bail;
use onnxray_analyzer::comparison::Cost;
use onnxray_analyzer::study::{base_starts, with_starts};
use onnxray_format::Trial;
use onnxray_recorder::LaunchSpec;
use onnxray_recorder::study::StudyError;
use onnxray_recorder::study::costs::{CostTurns, Ready};
use std::cell::OnceCell;
use std::iter;

/// Such processes, turn after turn.
pub struct Starts<'a> {
    /// Such processes.
    pub turns: CostTurns<'a>,
    /// What variants are compared with.
    pub base: &'a LaunchSpec,
    /// Inputs of all, once they were needed.
    ready: OnceCell<Ready>,
}

impl<'a> Starts<'a> {
    /// Of a base, whose inputs are made when they are needed first.
    pub fn new(turns: CostTurns<'a>, base: &'a LaunchSpec) -> Starts<'a> {
        Starts { turns, base, ready: OnceCell::new() }
    }

    /// Adds to a launch what processes of its variants cost: of the first that did not fail, as many
    /// as there are `specs`. `None` if it was stopped.
    ///
    /// # Errors
    ///
    /// If the base cannot be measured.
    pub(crate) fn complete<C, Q>(
        &self,
        trial: Trial<C, Q>,
        mut specs: Vec<LaunchSpec>,
        needed: &[Cost],
    ) -> anyhow::Result<Option<Trial<C, Q>>> {
        let count = specs.len();
        if count == 0 {
            return Ok(Some(trial));
        }
        let ready = match self.ready.get() {
            Some(ready) => ready,
            None => {
                let Some(made) = self.turns.ready(self.base)? else { return Ok(None) };
                self.ready.get_or_init(|| made)
            }
        };
        specs.extend(iter::repeat_n(self.base.clone(), base_starts(count)));
        let seed = self.base.seed.wrapping_add(u64::from(trial.number) << 8 | trial.stage as u64);
        let Some(mut variants) = self.turns.turn(ready, &specs, seed) else { return Ok(None) };
        let base = variants.split_off(count).into_iter().collect::<Result<_, _>>()?;
        let variants = variants.into_iter().map(|own| own.map_err(why)).collect();
        match with_starts(needed, trial, base, variants) {
            Ok(trial) => Ok(Some(trial)),
            Err(unknown) => bail!("{unknown} cannot be measured here: leave --for and --rate out"),
        }
    }
}

/// Why a variant has no costs, in a line.
fn why(error: StudyError) -> String {
    match error {
        StudyError::Ended(status) => ended(status),
        other => other.to_string().lines().next().unwrap_or_default().to_string(),
    }
}
