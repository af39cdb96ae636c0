//! Numbers that formats state about single executions, beyond their times.
//!
//! All are declared here, because recordings carry those of every format.

/// A number about an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figure {
    /// Name of its column; ends in the unit.
    pub key: &'static str,
    /// Heading in tables for people.
    pub heading: &'static str,
    /// What it says, in a few words.
    pub meaning: &'static str,
    /// How the figure of an operator follows from those of its executions.
    pub over_executions: Over,
    /// Whether only executions of the first run of a launch say anything: later ones find what it
    /// has set up.
    pub of_first_run: bool,
}

/// How a figure of many executions becomes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Their mean.
    Mean,
    /// The largest.
    Max,
}

const fn mean(key: &'static str, heading: &'static str, meaning: &'static str) -> Figure {
    Figure { key, heading, meaning, over_executions: Over::Mean, of_first_run: false }
}

const fn max(key: &'static str, heading: &'static str, meaning: &'static str) -> Figure {
    Figure { key, heading, meaning, over_executions: Over::Max, of_first_run: false }
}

/// The same in the first run alone.
const fn first(figure: Figure) -> Figure {
    Figure { of_first_run: true, ..figure }
}

const RESHAPE: Figure =
    mean("reshape_ns", "Reshape ns", "time to prepare shapes, part of the execution, mean");

/// Every figure of every format, in the order in which they are shown.
pub const ALL: &[Figure] = &[
    first(max(
        "memory_in_use_bytes",
        "Memory B",
        "memory in use when the node ended in the first run",
    )),
    first(max(
        "memory_requested_bytes",
        "Requested B",
        "memory requested and in use in the first run, largest",
    )),
    first(max(
        "memory_peak_bytes",
        "Memory peak B",
        "largest memory in use up to then in the first run",
    )),
    first(mean(
        "memory_in_use_delta_bytes",
        "Memory + B",
        "change of the memory in use in the first run, mean",
    )),
    first(mean(
        "memory_requested_delta_bytes",
        "Requested + B",
        "change of the memory requested in the first run, mean",
    )),
    first(max(
        "memory_arena_bytes",
        "Arena B",
        "memory that the arena holds in the first run, largest",
    )),
    first(mean(
        "memory_arena_delta_bytes",
        "Arena + B",
        "change of the memory in the arena in the first run, mean",
    )),
    mean("threads", "Threads", "threads that worked on one execution, mean"),
    mean("thread_run_us", "Run us", "main thread: time at work, mean"),
    mean("thread_wait_us", "Wait us", "main thread: time waiting for other threads, mean"),
    mean("thread_distribution_us", "Distribute us", "main thread: time to give out work, mean"),
    mean("thread_enqueue_us", "Enqueue us", "main thread: time of that spent in queues, mean"),
    mean("thread_revoke_us", "Revoke us", "main thread: time to take work back, mean"),
    max("thread_core", "Core", "processor that the main thread ran on, largest number"),
    mean("transfer_bytes", "Transfer B", "bytes that were copied or set, mean"),
    mean("occupancy_percent", "Occupancy %", "estimated share of the device kept busy, mean"),
    max("registers_per_thread", "Registers", "registers of each thread of the kernel, largest"),
    max("shared_memory_bytes", "Shared B", "shared memory of each block of the kernel, largest"),
    RESHAPE,
];

/// Position of the iteration in which work of a device was launched, below 0 if in none: no
/// report shows it.
pub const LAUNCHED_IN: Figure = Figure {
    key: "launched_in",
    heading: "Launched in",
    meaning: "position of the iteration in which it was launched",
    over_executions: Over::Max,
    of_first_run: false,
};

/// What ONNX Runtime states about memory, from version 1.29 on, and about the
/// threads of its pool.
pub const ONNX_RUNTIME: &[Figure] = ALL.split_at(14).0;

/// What PyTorch states about kernels and copies of devices.
pub const KINETO: &[Figure] = ALL.split_at(14).1.split_at(4).0;

/// What the Neural Engine states beside the time of an execution.
pub const NEURAL_ENGINE: &[Figure] = &[RESHAPE];
