//! What happened, for people.

use super::{Interference, NoiseSource};
use onnxray_text::counted;
use onnxray_text::difference::difference_from;

impl Interference {
    /// Description with figures.
    pub fn text(&self) -> String {
        let Interference { affected, all, amount, .. } = self;
        let iterations = format!("in {affected} of {all} iterations");
        let times = if *amount == 1.0 { "once".to_string() } else { format!("{amount:.0} times") };
        let throughout = if self.is_throughout() { " throughout" } else { "" };
        match self.source {
            NoiseSource::Load => {
                let cores = match self.cores {
                    Some(cores) => format!("of {}", counted(cores as u64, "core", "cores")),
                    None => "cores".to_string(),
                };
                let seen = format!("other programs used up to {amount:.2} {cores}{throughout}");
                // Less would read as 0.0 %, or 0.00.
                let stolen = self.stolen_slowdown.filter(|&slowdown| slowdown >= 0.001);
                let waiting = self.threads_waiting.filter(|&threads| threads >= 0.01);
                if let Some(share) = stolen.map(stolen_share) {
                    let share = share * 100.0;
                    format!("{seen}; for {share:.1} % of the time the model waited for a core")
                } else if let Some(threads) = waiting {
                    format!("{seen}; on average, {threads:.2} threads waited for a core")
                } else {
                    seen
                }
            }
            NoiseSource::Steal => {
                format!("a hypervisor withheld up to {amount:.2} cores{throughout}")
            }
            NoiseSource::Throttling => {
                let held = match self.stolen_slowdown.map(stolen_share) {
                    Some(share) => {
                        format!("the launch back for {:.1} % of the time", share * 100.0)
                    }
                    None => format!("back up to {amount:.2} cores"),
                };
                format!("the limit of the container held {held}{throughout}")
            }
            NoiseSource::Frequency => {
                let percent = amount * 100.0;
                format!("the clock frequency fell by up to {percent:.0} %{throughout}")
            }
            NoiseSource::Migrations => format!("moved to another core {iterations}"),
            NoiseSource::PageFaults => format!("{amount:.0} page faults {iterations}"),
            NoiseSource::Switches => format!("descheduled {times} {iterations}"),
        }
    }

    /// What it cost; `None` if that is not shown.
    pub fn cost_text(&self, decimals: usize) -> Option<String> {
        let percent = self.cost()? * 100.0;
        let least = if self.is_at_least() { "at least " } else { "" };
        Some(format!("the typical latency is {least}{percent:.decimals$} % longer because of this"))
    }

    /// Why no cost is known: another recording, even of the same load, may tell.
    pub(in crate::statistics) fn why_unknown(&self) -> &'static str {
        match self.ratio {
            None if self.is_throughout() => "all iterations had it",
            None => "too few iterations had it, or had it not",
            Some(_) => "iterations that had it were not longer beyond chance",
        }
    }

    /// Comparison of affected iterations with the others; `None` with too few of either.
    pub fn effect(&self) -> Option<String> {
        let ratio = self.ratio?;
        let interval = self.interval.map(|interval| (interval.low, interval.high));
        let is_told = interval.is_some_and(|(low, high)| low > 1.0 || high < 1.0);
        let chance = match self.moved {
            Some(_) => "",
            None if is_told => "; too few of one kind to say what that costs",
            None => ", which may be chance",
        };
        let Interference { affected, all, .. } = self;
        // The others have been counted already.
        let of = match self.source.is_counted() {
            true => "these".to_string(),
            false => format!("{affected} of {all} iterations during it"),
        };
        let difference = difference_from("the others", ratio, interval);
        Some(format!("{of} were {difference}{chance}"))
    }
}

/// Share of the wall time that a slowdown makes up.
fn stolen_share(slowdown: f64) -> f64 {
    slowdown / (1.0 + slowdown)
}
