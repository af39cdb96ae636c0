//! What a search makes lower, and what fresh processes say of a variant.

use serde::{Deserialize, Serialize};

/// What a search makes lower.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Objective {
    /// The latency.
    #[default]
    Latency,
    /// CPU time of an inference, of all threads.
    Cpu,
    /// Resident memory at its peak.
    Memory,
    /// Time from the library's loading to the end of the first inference.
    Start,
}

impl Objective {
    /// All of them, in the order of reports.
    pub const ALL: [Objective; 4] =
        [Objective::Latency, Objective::Cpu, Objective::Memory, Objective::Start];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Objective::Latency => "latency",
            Objective::Cpu => "cpu",
            Objective::Memory => "memory",
            Objective::Start => "start",
        }
    }
}

/// Costs of a variant / those of the base, each of one fresh process in the same turn; `None` where
/// one of both is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CostRatios {
    /// CPU time of an inference, where inferences follow each other.
    pub cpu: Option<f64>,
    /// Resident memory at its peak.
    pub memory: Option<f64>,
    /// From the library's loading to the end of the first inference.
    pub start: Option<f64>,
    /// Median latency of calls at the rate of the run.
    pub paced_latency: Option<f64>,
    /// CPU time of such a call.
    pub paced_cpu: Option<f64>,
}

impl CostRatios {
    /// That of an objective where inferences follow each other; `None` of the latency, which no such
    /// process tells.
    pub fn of(&self, objective: Objective) -> Option<f64> {
        match objective {
            Objective::Latency => None,
            Objective::Cpu => self.cpu,
            Objective::Memory => self.memory,
            Objective::Start => self.start,
        }
    }

    /// All of them.
    pub fn all(&self) -> [Option<f64>; 5] {
        [self.cpu, self.memory, self.start, self.paced_latency, self.paced_cpu]
    }
}
