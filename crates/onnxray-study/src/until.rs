//! `--until`: launches go on until a comparison of the two recordings is precise enough.

use crate::host::{Host, Said};
use onnxray_analyzer::comparison::{Options, Recording, compare};
use onnxray_analyzer::{Needs, Trace, examine};
use onnxray_failsafe::beside;
use onnxray_format::Nanoseconds;
use onnxray_import::{Reading, Sources};
use onnxray_text::counted;
use std::path::PathBuf;
use std::time::Duration;

/// Fewer launches have an interval that says little of its own width.
const FEWEST_LAUNCHES: u32 = 4;
/// Fewer launches have no verdict.
const VERDICT_LAUNCHES: u32 = 5;

/// When a recording in turns ends, instead of after a number of launches.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// Half the width of the interval of the ratio, as a share of it.
    pub half_width: f64,
    /// No launch is begun after this long.
    pub time_limit: Duration,
}

/// Progress of a recording towards its goal.
pub struct Until<'a> {
    goal: Goal,
    /// What both recordings are called.
    labels: Vec<String>,
    host: Host<'a>,
    begun: Nanoseconds,
    launches: u32,
    /// Half the width of the interval of the ratio of the whole, as a share.
    half_width: Option<f64>,
    /// Why there is none.
    trouble: Option<String>,
}

impl Until<'_> {
    /// From now on.
    pub fn begin(goal: Goal, labels: Vec<String>, host: Host<'_>) -> Until<'_> {
        Until {
            goal,
            labels,
            host,
            begun: host.clock.now(),
            launches: 0,
            half_width: None,
            trouble: None,
        }
    }

    /// True if this many launches of each, with these traces, are enough.
    pub fn is_reached(&mut self, launches: u32, traces: &[Vec<PathBuf>]) -> bool {
        self.launches = launches;
        if launches >= FEWEST_LAUNCHES {
            match self.half_width(traces) {
                Ok(half_width) => self.half_width = half_width,
                Err(error) => self.trouble = Some(format!("{error:#}")),
            }
        }
        let precise = self.half_width.is_some_and(|half_width| half_width <= self.goal.half_width);
        // What cannot be compared now cannot be after more launches.
        precise
            || self.trouble.is_some()
            || self.host.clock.since(self.begun) >= self.goal.time_limit
    }

    fn half_width(&self, traces: &[Vec<PathBuf>]) -> anyhow::Result<Option<f64>> {
        let ([of_a, of_b], [a, b]) = (traces, &self.labels[..]) else { return Ok(None) };
        let (a, b) = std::thread::scope(|scope| {
            let first = beside(scope, || recording(a, of_a));
            let second = recording(b, of_b);
            (first.join(), second)
        });
        let change = compare(&a?, &b?, &Options::default())?.total.change;
        let interval = change.ratio_interval.zip(change.ratio);
        // As a share of the ratio, as --until gives it.
        Ok(interval.map(|(ends, ratio)| (ends.high - ends.low) / 2.0 / ratio))
    }

    /// Reports the precision reached.
    pub fn tell(&self) {
        // As it was given: 0.9 and not 0.9000000000000001.
        let goal = (self.goal.half_width * 1e8).round() / 1e6;
        let launches = counted(u64::from(self.launches), "launch", "launches");
        if let Some(trouble) = &self.trouble {
            self.host.teller.say(
                Said::Warning,
                format_args!("--until {goal}% ends after {launches}: {trouble}"),
            );
            return;
        }
        let Some(reached) = self.half_width else {
            self.host.teller.say(
                Said::Warning,
                format_args!(
                    "how precisely the ratio is known after {launches} cannot be said; it takes \
                 {FEWEST_LAUNCHES}, and a verdict {VERDICT_LAUNCHES}: {}",
                    self.more()
                ),
            );
            return;
        };
        let known =
            format!("the ratio is known to within {:.2} % after {launches}", reached * 100.0);
        match reached <= self.goal.half_width {
            true => self.host.teller.say(Said::Note, format_args!("{known}")),
            false => self.host.teller.say(
                Said::Warning,
                format_args!(
                    "{known}, not {goal} %: {}{}",
                    self.more(),
                    if self.launches < VERDICT_LAUNCHES { "" } else { ", or a quieter machine" }
                ),
            ),
        }
    }

    /// What lets it go on for longer.
    fn more(&self) -> String {
        let limit = self.goal.time_limit;
        match self.launches < VERDICT_LAUNCHES && self.host.clock.since(self.begun) >= limit {
            true => format!(
                "the --time-limit of {limit:?} ended before {VERDICT_LAUNCHES} launches; give it a \
                 larger one"
            ),
            false => "give it a larger --time-limit".to_string(),
        }
    }
}

fn recording(label: &str, files: &[PathBuf]) -> anyhow::Result<Recording> {
    let trace = Trace::with_devices_apart(Sources::find(files)?.read(&Reading::default())?);
    let (summary, timeline) = examine(&trace, Needs::Measured)?.into_timeline();
    Ok(Recording { label: label.to_string(), summary, timeline })
}
