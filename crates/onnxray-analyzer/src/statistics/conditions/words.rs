//! What happened, for people.

use super::{Disturbance, Disturber};
use crate::difference::difference_from;

impl Disturbance {
    /// What was seen, with figures.
    pub fn text(&self) -> String {
        let Disturbance { affected, all, amount, .. } = self;
        let counted = format!("in {affected} of {all} iterations");
        let throughout = if self.is_throughout() { " throughout" } else { "" };
        match self.disturber {
            Disturber::Load => {
                let seen = format!("other programs used up to {amount:.2} cores{throughout}");
                match self.taken.filter(|&taken| taken >= 0.001) {
                    Some(taken) => {
                        let share = taken / (1.0 + taken) * 100.0;
                        format!("{seen}; for {share:.1} % of the time the model waited for a core")
                    }
                    None => seen,
                }
            }
            Disturber::Steal => {
                format!("a hypervisor withheld up to {amount:.2} cores{throughout}")
            }
            Disturber::Throttling => {
                let held = match self.taken.map(|taken| taken / (1.0 + taken) * 100.0) {
                    Some(share) => format!("the launch back for {share:.1} % of the time"),
                    None => format!("back up to {amount:.2} cores"),
                };
                format!("the limit of the container held {held}{throughout}")
            }
            Disturber::Frequency => {
                let percent = amount * 100.0;
                format!("the clock frequency fell by up to {percent:.0} %{throughout}")
            }
            Disturber::Migrations => format!("the launch went on on another core {counted}"),
            Disturber::PageFaults => format!("{amount:.0} page faults {counted}"),
            Disturber::Switches => {
                format!("a core was taken from the launch {amount:.0} times {counted}")
            }
        }
    }

    /// What iterations during which it happened have beyond the others; `None` if there are
    /// none of either.
    pub fn effect(&self) -> Option<String> {
        let ratio = self.ratio?;
        let interval = self.interval.map(|interval| (interval.low, interval.high));
        let chance = if self.moved.is_none() { ", which may be chance" } else { "" };
        let Disturbance { affected, all, .. } = self;
        // The others have been counted already.
        let of = match self.disturber.is_counted() {
            true => "these".to_string(),
            false => format!("{affected} of {all} iterations during it"),
        };
        let difference = difference_from("the others", ratio, interval);
        Some(format!("{of} were {difference}{chance}"))
    }
}
