//! `--until`: launches go on until a comparison of the two recordings is precise enough.

use super::messages::label;
use crate::args::Goal;
use crate::commands::sources::sides::{self, Side};
use crate::message;
use onnxray_analyzer::comparison::{Options, compare};
use onnxray_format::Nanoseconds;
use onnxray_import::{Reading, Sources};
use onnxray_recorder::{Clock, LaunchSpec};
use onnxray_text::counted;
use std::path::PathBuf;

/// Fewer launches have an interval that says little of its own width.
const FEWEST_LAUNCHES: u32 = 4;
/// Fewer launches have no verdict.
const VERDICT_LAUNCHES: u32 = 5;

/// Progress of a recording towards its goal.
pub(super) struct Until<'a> {
    goal: Goal,
    labels: Vec<String>,
    clock: &'a dyn Clock,
    begun: Nanoseconds,
    launches: u32,
    /// Half the width of the interval of the ratio of the whole, as a share.
    half_width: Option<f64>,
    /// Why there is none.
    trouble: Option<String>,
}

impl Until<'_> {
    pub(super) fn begin<'a>(goal: Goal, specs: &[LaunchSpec], clock: &'a dyn Clock) -> Until<'a> {
        Until {
            goal,
            labels: specs.iter().map(label).collect(),
            clock,
            begun: clock.now(),
            launches: 0,
            half_width: None,
            trouble: None,
        }
    }

    /// True if this many launches of each, with these traces, are enough.
    pub(super) fn is_reached(&mut self, launches: u32, traces: &[Vec<PathBuf>]) -> bool {
        self.launches = launches;
        if launches >= FEWEST_LAUNCHES {
            match self.half_width(traces) {
                Ok(half_width) => self.half_width = half_width,
                Err(error) => self.trouble = Some(format!("{error:#}")),
            }
        }
        let precise = self.half_width.is_some_and(|half_width| half_width <= self.goal.half_width);
        // What cannot be compared now cannot be after more launches.
        precise || self.trouble.is_some() || self.clock.since(self.begun) >= self.goal.time_limit
    }

    fn half_width(&self, traces: &[Vec<PathBuf>]) -> anyhow::Result<Option<f64>> {
        let mut both = Vec::new();
        for (files, label) in traces.iter().zip(&self.labels) {
            both.push(Side { label: label.clone(), sources: Sources::find(files)? });
        }
        let recordings = sides::read(both, &Reading::default())?;
        let [a, b] = recordings.as_slice() else { return Ok(None) };
        let change = compare(a, b, &Options::default())?.total.change;
        let interval = change.ratio_interval.zip(change.ratio);
        // As a share of the ratio, as --until gives it.
        Ok(interval.map(|(ends, ratio)| (ends.high - ends.low) / 2.0 / ratio))
    }

    /// Reports the precision reached.
    pub(super) fn tell(&self) {
        // As it was given: 0.9 and not 0.9000000000000001.
        let goal = (self.goal.half_width * 1e8).round() / 1e6;
        let launches = counted(u64::from(self.launches), "launch", "launches");
        if let Some(trouble) = &self.trouble {
            message::warning(format_args!("--until {goal}% ends after {launches}: {trouble}"));
            return;
        }
        let Some(reached) = self.half_width else {
            message::warning(format_args!(
                "how precisely the ratio is known after {launches} cannot be said; it takes \
                 {FEWEST_LAUNCHES}, and a verdict {VERDICT_LAUNCHES}: {}",
                self.more()
            ));
            return;
        };
        let known =
            format!("the ratio is known to within {:.2} % after {launches}", reached * 100.0);
        match reached <= self.goal.half_width {
            true => message::note(known),
            false => message::warning(format_args!(
                "{known}, not {goal} %: {}{}",
                self.more(),
                if self.launches < VERDICT_LAUNCHES { "" } else { ", or a quieter machine" }
            )),
        }
    }

    /// What lets it go on for longer.
    fn more(&self) -> String {
        let limit = self.goal.time_limit;
        match self.launches < VERDICT_LAUNCHES && self.clock.since(self.begun) >= limit {
            true => format!(
                "the --time-limit of {limit:?} ended before {VERDICT_LAUNCHES} launches; give it a \
                 larger one"
            ),
            false => "give it a larger --time-limit".to_string(),
        }
    }
}
