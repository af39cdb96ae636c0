//! The tables that are written for other tools: names, types and meanings of their columns,
//! which are stable.

pub mod export;

/// Names of columns that several tables have.
pub mod column {
    /// Which launch: its position in the trace; in exports its own number.
    pub const LAUNCH: &str = "launch";
    /// Which iteration: its position in the launch; in exports the producer's number.
    pub const ITERATION: &str = "iteration";
    /// Number that the recorder gave the iteration.
    pub const INDEX: &str = "index";
    /// Kind of the iteration: 0 measured, 1 warm-up, 2 plain; in exports a word.
    pub const KIND: &str = "kind";
    /// Number of the operator in the trace; in exports in its launch.
    pub const OPERATOR: &str = "operator";
    /// Number of the kernel that was executed.
    pub const KERNEL: &str = "kernel";
    /// Thread or stream: its number in the launch; in exports its name.
    pub const THREAD: &str = "thread";
    /// Nanoseconds on the launch's clock.
    pub const START: &str = "start_ns";
    /// Wall time in nanoseconds, that of operators inside included.
    pub const DURATION: &str = "duration_ns";
    /// Wall time in nanoseconds without operators inside.
    pub const EXCLUSIVE: &str = "exclusive_ns";
}
