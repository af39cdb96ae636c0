//! The line of what an inference costs beside its latency.

use crate::content::shares::{megabytes, short};
use crate::document::{Line, TimeUnit};
use onnxray_analyzer::statistics::{CostFigure, CostSummary, PaceSummary, departure, rate_text};

/// `None` where nothing of it is known.
pub(super) fn cost(costs: &CostSummary, unit: TimeUnit) -> Option<Line> {
    let cpu = costs.cpu_time.as_ref().map(|cpu| {
        let cores = costs.busy_cores.as_ref().map(|cores| format!(" ({:.1} cores)", cores.mean));
        format!("CPU {}{}", within(cpu, unit), cores.unwrap_or_default())
    });
    let memory = costs.peak.as_ref().map(|peak| format!("{} at peak", megabytes(peak.mean)));
    let beside = costs.beside_model().map(|bytes| format!("{} beside the model", megabytes(bytes)));
    let start = costs.start().zip(costs.session.as_ref()).map(|(start, session)| {
        let unit = TimeUnit::fitting([start.mean].into_iter());
        let session = short(unit.of(session.mean));
        let start = within(&start, unit);
        // A line has room for one of them; the session's time is among the figures.
        let beside = match costs.cold_starts {
            0 => format!("session {session}"),
            _ => "cold file".to_string(),
        };
        format!("start {start} ({beside})")
    });
    let grows = costs.growth.filter(|growth| growth.interval.low > 0.0);
    let grows = grows.map(|growth| format!("grows by {} an inference", megabytes(growth.slope)));
    if cpu.is_none() && memory.is_none() && start.is_none() {
        return None;
    }
    let line = Line::new("Cost").part(0, cpu).part(1, memory).behind(", ", 3, beside);
    Some(line.part(1, grows).part(2, start))
}

/// Rates that have a line.
const MOST_RATES: usize = 4;

/// Lines of calls at a pace, and one of the rate at which the latency departs where there are several. Each
/// has its own `unit` unless one is given: a queue that grows takes seconds, where calls at the next rate
/// take none.
pub(super) fn paces(costs: &CostSummary, unit: Option<TimeUnit>) -> Vec<Line> {
    let idle =
        costs.idle_cores.as_ref().map(|cores| format!("(idle session {:.2} cores)", cores.mean));
    let mut lines: Vec<Line> = Vec::new();
    for of_rate in costs.paces.iter().take(MOST_RATES) {
        // The session is the same at each rate.
        let idle = idle.clone().filter(|_| lines.is_empty());
        lines.push(pace(of_rate, idle, unit));
    }
    let rates: Vec<String> =
        costs.paces.iter().filter_map(|pace| pace.rate.map(rate_text)).collect();
    if rates.len() > 1 {
        let text = match departure(&costs.paces) {
            Some(from) => {
                let rate = from.rate.map(rate_text).unwrap_or_default();
                format!("from {rate} on, calls wait for each other")
            }
            None => "calls wait for each other at no rate".to_string(),
        };
        lines.push(
            Line::new("Queueing").part(0, text).part(1, format!("tried {}", rates.join(", "))),
        );
    }
    lines
}

fn pace(pace: &PaceSummary, idle: Option<String>, unit: Option<TimeUnit>) -> Line {
    let times =
        [pace.latency[0].map(|median| median.value), pace.cpu_time.as_ref().map(|own| own.mean)];
    let unit = unit.unwrap_or_else(|| TimeUnit::fitting(times.into_iter().flatten()));
    let name = match pace.rate {
        Some(rate) => format!("at {}", rate_text(rate)),
        None => "back to back".to_string(),
    };
    let [median, _, p99, _] = pace.latency;
    let median = median.map(|median| {
        let ends = median
            .high
            .filter(|high| *high > median.low)
            .map(|high| format!(" ({} to {})", short(unit.of(median.low)), short(unit.of(high))));
        format!("{} median{}", unit.text(median.value), ends.unwrap_or_default())
    });
    let p99 = p99.map(|p99| format!("p99 {}", short(unit.of(p99.value))));
    let cpu = pace.cpu_time.as_ref().map(|cpu| format!("CPU {} a call", within(cpu, unit)));
    let served = pace.served.as_ref().filter(|_| pace.departs == Some(true) && pace.unserved > 0);
    let served = served.map(|served| format!("{} served: the queue grew", short(served.mean)));
    let line = Line::new("Pace").part(0, name).behind(", ", 0, served).part(0, median);
    line.part(2, p99).part(1, cpu).behind(" ", 2, idle)
}

/// A time with the digits that its processes agree on, and how far it is known: `1.84 ms ± 15 %`, or
/// `1.84 ms, ≤ 4.20` where it may be nothing.
fn within(time: &CostFigure, unit: TimeUnit) -> String {
    let reach = time.interval.map(|interval| interval.high - time.mean);
    let decimals = unit.decimals_within(time.mean, reach);
    let text = format!("{:.decimals$} {}", unit.of(time.mean), unit.name);
    match time.interval {
        Some(interval) if interval.high >= 2.0 * time.mean => {
            format!("{text}, ≤ {}", short(unit.of(interval.high)))
        }
        Some(interval) => format!("{text} {}", interval.reach(time.mean)),
        None => text,
    }
}
