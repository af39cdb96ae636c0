//! When operators ran: a block for formats that can draw it.

use super::named::Named;
use serde::{Serialize, Serializer};

/// Executions over time, by thread.
#[derive(Clone, Debug, Serialize)]
pub struct Timeline {
    /// Names of what was executed, by the numbers in the columns.
    pub names: Vec<String>,
    /// Their types, in the same way.
    pub types: Vec<String>,
    /// Each is a picture of its own.
    pub iterations: Vec<TimelineIteration>,
}

/// The executions of an iteration, or of a launch of a trace without iterations.
#[derive(Clone, Debug, Serialize)]
pub struct TimelineIteration {
    pub launch: u32,
    /// Number that the recorder gave it; `None` if the trace has no iterations.
    pub iteration: Option<u32>,
    /// Why it is shown.
    pub why: String,
    /// Its wall time; `None` if the trace has no iterations.
    pub latency_ms: Option<f64>,
    /// Names of the threads or streams, by the numbers in the columns.
    pub threads: Vec<String>,
    /// What was executed.
    pub spans: SpanColumns,
}

/// Executions in columns of equal length.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SpanColumns {
    /// Position among the names.
    pub name: Vec<u32>,
    /// Position among the types.
    #[serde(rename = "type")]
    pub operator_type: Vec<u32>,
    /// Row of the table of operators in order of execution.
    pub operator: Vec<u32>,
    /// Position among the threads.
    pub thread: Vec<u32>,
    /// How many others of its thread it lies in.
    pub depth: Vec<u32>,
    /// From the iteration's start.
    pub start_ms: Vec<f64>,
    /// Executions inside included.
    pub duration_ms: Vec<f64>,
    /// Without executions inside.
    pub exclusive_ms: Vec<f64>,
}

impl Timeline {
    /// Its name in machine-readable formats.
    pub const KEY: &str = "timeline";
    /// Its name for people.
    pub const TITLE: &str = "Timeline";

    /// As a block among others.
    pub(in crate::document) fn named<S: Serializer>(
        &self,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        Named { key: Timeline::KEY, title: Some(Timeline::TITLE), columns: self }
            .serialize(serializer)
    }
}
