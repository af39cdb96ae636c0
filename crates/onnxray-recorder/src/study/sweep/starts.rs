//! What an inference costs at each point, in processes that do nothing else, round by round.

use crate::launch::LaunchOptions;
use crate::launches::LaunchSpec;
use crate::study::costs::{CostPlan, Ready, add_start, prepared};
use onnxray_format::Costs;
use std::process::Command;
use std::sync::atomic::AtomicBool;

/// Processes before a round are fewer.
const MOST: u32 = 1000;

/// Inputs that were made, by what they are for: points that differ in threads alone share them.
#[derive(Default)]
pub(super) struct Starts(Vec<(LaunchSpec, Ready)>);

impl Starts {
    /// Begins the processes before a round of a point; `None` if there are to be none. What cannot
    /// be measured is unknown, and no reason not to go on.
    pub(super) fn measure(
        &mut self,
        spec: &LaunchSpec,
        (plan, round): (&CostPlan, u32),
        command: &dyn Fn() -> Command,
        stop: &AtomicBool,
    ) -> Option<Costs> {
        if plan.starts == 0 {
            return None;
        }
        let mut costs = Costs::default();
        match self.inputs(spec, command, stop, &mut costs) {
            Ok(Some(ready)) => {
                for number in 0..plan.starts {
                    // No two processes of a point have the same random gaps between calls.
                    let number = round.wrapping_mul(MOST) + number;
                    let of = (spec, &plan.pace, number);
                    add_start(ready, of, command(), stop, &mut costs);
                }
            }
            Ok(None) => {}
            Err(error) => costs.unknown = Some(format!("no place for inputs: {error}")),
        }
        Some(costs)
    }

    fn inputs(
        &mut self,
        spec: &LaunchSpec,
        command: &dyn Fn() -> Command,
        stop: &AtomicBool,
        costs: &mut Costs,
    ) -> std::io::Result<Option<&Ready>> {
        let key = LaunchSpec { options: LaunchOptions::default(), ..spec.clone() };
        let known = self.0.iter().position(|(other, _)| *other == key);
        if known.is_none() {
            let Some(ready) = prepared(spec, command(), stop, costs)? else { return Ok(None) };
            self.0.push((key, ready));
        }
        let place = known.unwrap_or(self.0.len() - 1);
        Ok(self.0.get(place).map(|(_, ready)| ready))
    }
}
