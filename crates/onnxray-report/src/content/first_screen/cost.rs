//! The line of what an inference costs beside its latency.

use super::short_number::short;
use crate::document::{Line, TimeUnit};
use onnxray_analyzer::statistics::CostSummary;

/// `None` where nothing of it is known.
pub(super) fn cost(costs: &CostSummary, unit: TimeUnit) -> Option<Line> {
    let cpu = costs.cpu_time.as_ref().map(|cpu| {
        let cores = costs.busy_cores.as_ref().map(|cores| format!(" ({:.1} cores)", cores.mean));
        format!("CPU {} an inference{}", unit.text(cpu.mean), cores.unwrap_or_default())
    });
    let memory = costs.peak.as_ref().map(|peak| format!("{} at peak", megabytes(peak.mean)));
    let beside = costs.beside_model().map(|bytes| format!("{} beside the model", megabytes(bytes)));
    let start = costs.session.as_ref().zip(costs.first.as_ref()).map(|(session, first)| {
        let unit = TimeUnit::fitting([session.mean].into_iter());
        let [session, first] = [session.mean, first.mean].map(|time| short(unit.of(time)));
        format!("start {session} + {first} {}", unit.name)
    });
    let grows = costs.growth.filter(|growth| growth.interval.low > 0.0);
    let grows = grows.map(|growth| format!("grows by {} an inference", megabytes(growth.slope)));
    if cpu.is_none() && memory.is_none() && start.is_none() {
        return None;
    }
    let line = Line::new("Cost").part(0, cpu).part(1, memory).behind(", ", 3, beside);
    Some(line.part(1, grows).part(2, start))
}

fn megabytes(bytes: f64) -> String {
    match bytes.abs() {
        1e9.. => format!("{} GB", short(bytes / 1e9)),
        1e6.. => format!("{} MB", short(bytes / 1e6)),
        1e3.. => format!("{} kB", short(bytes / 1e3)),
        _ => format!("{bytes:.0} bytes"),
    }
}
