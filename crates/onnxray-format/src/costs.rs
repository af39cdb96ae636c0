//! What one inference costs: CPU time, memory and start, measured in processes that do nothing
//! but load the model and run it.
//!
//! Nothing is assumed: what the system does not tell is `None`.

use crate::Nanoseconds;
use serde::{Deserialize, Serialize};

/// The processes that were started for it, in the order of time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Costs {
    /// Why there are none, or fewer than planned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
    /// Those of which inferences are known; one that ended early has fewer paces than others.
    pub starts: Vec<Start>,
}

impl Costs {
    /// Adds those of a further launch of the same recording.
    pub fn add(&mut self, further: Costs) {
        self.starts.extend(further.starts);
        self.unknown = self.unknown.take().or(further.unknown);
    }
}

/// A process from its start on: the engine is loaded, then the model, which runs over and over
/// with nothing else beside it, unprofiled.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Start {
    /// Time to load the engine's library; next to nothing where it is a part of the program.
    pub library: Nanoseconds,
    /// Time to make the model ready, from its file.
    pub session: Nanoseconds,
    /// Time of the first inference.
    pub first: Nanoseconds,
    /// Bytes of the model's file and of what it keeps its weights in.
    pub file_bytes: Option<u64>,
    /// The system had dropped the model's file from memory before.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_cold: bool,
    /// Resident memory.
    pub memory: StartMemory,
    /// The inferences after the first one.
    pub blocks: InferenceBlocks,
    /// The session that was loaded, ran once and was left alone; only where calls at a pace follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idle: Option<Idle>,
    /// Calls at a pace, after the blocks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub paces: Vec<Pace>,
}

/// A process that has nothing to do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Idle {
    /// For this long.
    pub duration: Nanoseconds,
    /// CPU time of all threads meanwhile.
    pub cpu_time: Option<Nanoseconds>,
}

/// Calls at a schedule that does not wait for answers, as those of a program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Pace {
    /// Calls per second of the schedule; `None` of calls that each follow the answer before.
    pub rate: Option<f64>,
    /// Gaps are random, of an exponential distribution, rather than equal.
    pub is_poisson: bool,
    /// From the schedule's start to its end, or to the last answer, whichever is later.
    pub duration: Nanoseconds,
    /// CPU time of all threads meanwhile.
    pub cpu_time: Option<Nanoseconds>,
    /// Time for which the limit of a container stopped threads meanwhile.
    pub throttled: Option<Nanoseconds>,
    /// Calls that were due and did not begin before the schedule's end.
    pub unserved: u64,
    /// When each call was due, since the schedule's start.
    pub due: Vec<Nanoseconds>,
    /// When it began.
    pub begun: Vec<Nanoseconds>,
    /// When its answer came.
    pub ended: Vec<Nanoseconds>,
}

impl Pace {
    /// Whether the columns are of equal length, and each call began after it was due and ended after
    /// that.
    pub fn is_whole(&self) -> bool {
        let count = self.due.len();
        let mut calls = self.due.iter().zip(&self.begun).zip(&self.ended);
        self.begun.len() == count
            && self.ended.len() == count
            && self.rate.is_none_or(|rate| rate > 0.0 && rate.is_finite())
            && calls.all(|((due, begun), ended)| due <= begun && begun <= ended)
    }
}

/// Resident memory of the process in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StartMemory {
    /// Before the engine's library was loaded.
    pub before: Option<u64>,
    /// After it.
    pub library: Option<u64>,
    /// When the model was ready.
    pub session: Option<u64>,
    /// At the most, while it was made ready.
    pub session_peak: Option<u64>,
    /// After the first inference.
    pub first: Option<u64>,
    /// At the most, in the first inference.
    pub first_peak: Option<u64>,
    /// At the end.
    pub end: Option<u64>,
    /// At the most, in the inferences after the first one.
    pub loop_peak: Option<u64>,
}

impl StartMemory {
    /// At the most, from the library's loading on; `None` unless all phases are known.
    pub fn peak(&self) -> Option<u64> {
        Some(self.session_peak?.max(self.first_peak?).max(self.loop_peak?))
    }
}

/// Columns of equal length: inferences right after each other, in blocks between two readings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct InferenceBlocks {
    /// Inferences of each block, never 0.
    pub inferences: Vec<u32>,
    /// Duration of each block.
    pub durations: Vec<Nanoseconds>,
    /// CPU time of all threads of the process.
    pub cpu_times: Option<Vec<Nanoseconds>>,
    /// Resident memory in bytes, after each block.
    pub resident: Option<Vec<u64>>,
}

impl InferenceBlocks {
    /// Whether the columns that are known are of equal length, and no block is empty.
    pub fn are_whole(&self) -> bool {
        let count = self.inferences.len();
        self.durations.len() == count
            && self.cpu_times.as_ref().is_none_or(|times| times.len() == count)
            && self.resident.as_ref().is_none_or(|bytes| bytes.len() == count)
            && !self.inferences.contains(&0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peak_is_that_of_all_phases() {
        let memory = StartMemory {
            session_peak: Some(30),
            first_peak: Some(50),
            loop_peak: Some(40),
            ..StartMemory::default()
        };
        assert_eq!(memory.peak(), Some(50));
        assert_eq!(StartMemory { loop_peak: None, ..memory }.peak(), None, "it may be higher");
    }

    #[test]
    fn launches_of_one_recording_share_their_starts() {
        let of = |library: u64, unknown: Option<&str>| Costs {
            unknown: unknown.map(str::to_string),
            starts: vec![Start { library: Nanoseconds(library), ..Start::default() }],
        };
        let mut costs = of(1, None);
        costs.add(of(2, Some("it ended")));
        costs.add(of(3, Some("again")));
        assert_eq!(costs.unknown.as_deref(), Some("it ended"), "the first reason");
        assert_eq!(costs.starts.iter().map(|start| start.library.0).collect::<Vec<_>>(), [1, 2, 3]);
    }

    #[test]
    fn calls_begin_when_they_are_due_or_later() {
        let times = |times: &[u64]| times.iter().copied().map(Nanoseconds).collect();
        let pace = Pace {
            rate: Some(20.0),
            due: times(&[0, 50]),
            begun: times(&[0, 60]),
            ended: times(&[60, 70]),
            ..Pace::default()
        };
        assert!(pace.is_whole() && Pace::default().is_whole());
        assert!(!Pace { begun: times(&[0, 40]), ..pace.clone() }.is_whole());
        assert!(!Pace { ended: times(&[60]), ..pace.clone() }.is_whole());
        assert!(!Pace { rate: Some(f64::NAN), ..pace }.is_whole());
    }

    #[test]
    fn columns_are_of_one_length() {
        let blocks = InferenceBlocks {
            inferences: vec![1, 2],
            durations: vec![Nanoseconds(5); 2],
            ..InferenceBlocks::default()
        };
        assert!(blocks.are_whole());
        assert!(!InferenceBlocks { resident: Some(vec![1]), ..blocks.clone() }.are_whole());
        assert!(!InferenceBlocks { inferences: vec![1, 0], ..blocks }.are_whole());
    }
}
