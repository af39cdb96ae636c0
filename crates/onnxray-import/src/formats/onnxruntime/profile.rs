//! What is kept of an event: facts about its node, and figures of its execution.

use crate::chrome::{Argument, EventFormat, Label, Role};
use crate::json::{Broken, Cursor};
use crate::{Figure, NO_VALUE, Over};

/// Facts of a node's label.
pub mod fact {
    pub const OPERATOR_TYPE: usize = 0;
    pub const PROVIDER: usize = 1;
    pub const NODE_INDEX: usize = 2;
    pub const INPUTS: usize = 3;
    pub const OUTPUTS: usize = 4;
    pub const PARAMETER_BYTES: usize = 5;
    pub const ACTIVATION_BYTES: usize = 6;
    pub const OUTPUT_BYTES: usize = 7;
    pub const COUNT: usize = 8;
}

const fn figure(
    key: &'static str,
    heading: &'static str,
    meaning: &'static str,
    over_executions: Over,
) -> Figure {
    Figure { key, heading, meaning, over_executions }
}

/// Positions in [`FIGURES`] of what `thread_scheduling_stats` holds.
const THREADS: usize = 7;
const RUN: usize = 8;
const WAIT: usize = 9;
const DISTRIBUTION: usize = 10;
const ENQUEUE: usize = 11;
const REVOKE: usize = 12;
const CORE: usize = 13;

static FIGURES: [Figure; 14] = [
    figure("memory_in_use_bytes", "Memory", "memory in use when the node ended", Over::Max),
    figure("memory_requested_bytes", "Requested", "memory requested and in use", Over::Max),
    figure("memory_peak_bytes", "Memory peak", "largest memory in use so far", Over::Max),
    figure("memory_in_use_delta_bytes", "Memory +", "change of the memory in use", Over::Mean),
    figure(
        "memory_requested_delta_bytes",
        "Requested +",
        "change of the memory requested",
        Over::Mean,
    ),
    figure("memory_arena_bytes", "Arena", "memory that the arena holds", Over::Max),
    figure(
        "memory_arena_delta_bytes",
        "Arena +",
        "change of the memory that the arena holds",
        Over::Mean,
    ),
    figure("threads", "Threads", "threads that worked on it", Over::Mean),
    figure("thread_run_us", "Run us", "main thread: time at work", Over::Mean),
    figure("thread_wait_us", "Wait us", "main thread: time waiting for others", Over::Mean),
    figure(
        "thread_distribution_us",
        "Distribute us",
        "main thread: time to give out work",
        Over::Mean,
    ),
    figure(
        "thread_enqueue_us",
        "Enqueue us",
        "main thread: part of it spent in queues",
        Over::Mean,
    ),
    figure("thread_revoke_us", "Revoke us", "main thread: time to take work back", Over::Mean),
    figure("thread_core", "Core", "processor that the main thread ran on, largest", Over::Max),
];

pub struct Profile;

/// Names of events that are looked at one by one.
pub const MODEL_RUN: &str = "model_run";
pub const SESSION_INITIALIZATION: &str = "session_initialization";
/// `model_loading_uri`, `model_loading_array` and others.
const MODEL_LOADING: &[u8] = b"model_loading";
/// What events of GPUs are counted as.
pub const DEVICE_KERNELS: &str = "kernels of devices";

impl EventFormat for Profile {
    const FACTS: usize = fact::COUNT;
    const FIGURES: &'static [Figure] = &FIGURES;

    #[inline]
    fn argument(key: &[u8]) -> Argument {
        match key {
            b"op_name" => Argument::Fact(fact::OPERATOR_TYPE),
            b"provider" => Argument::Fact(fact::PROVIDER),
            b"node_index" | b"exec_plan_index" => Argument::Fact(fact::NODE_INDEX),
            b"input_type_shape" => Argument::Fact(fact::INPUTS),
            b"output_type_shape" => Argument::Fact(fact::OUTPUTS),
            b"parameter_size" => Argument::Fact(fact::PARAMETER_BYTES),
            b"activation_size" => Argument::Fact(fact::ACTIVATION_BYTES),
            b"output_size" => Argument::Fact(fact::OUTPUT_BYTES),
            b"mem_bytes_in_use" => Argument::Figure(0),
            b"mem_bytes_requested_in_use" => Argument::Figure(1),
            b"mem_in_use_peak" => Argument::Figure(2),
            b"mem_in_use_delta" => Argument::Figure(3),
            b"mem_requested_in_use_delta" => Argument::Figure(4),
            b"mem_arena_held" => Argument::Figure(5),
            b"mem_arena_held_delta" => Argument::Figure(6),
            b"thread_scheduling_stats" => Argument::Nested,
            _ => Argument::Skip,
        }
    }

    /// The main thread's times, and how many of the others had something to do.
    #[inline]
    fn nested<'a>(_key: &[u8], cursor: &mut Cursor<'a>, figures: &mut [i64]) -> Result<(), Broken> {
        if cursor.peek() != Some(b'{') {
            // Versions before 1.15 write an empty string.
            return cursor.skip().map(|_| ());
        }
        cursor.object(|key, cursor| match key.raw {
            b"main_thread" if cursor.peek() == Some(b'{') => {
                figures[THREADS] = figures[THREADS].max(0) + 1;
                cursor.object(|key, cursor| {
                    let figure = match key.raw {
                        b"Run" => RUN,
                        b"Wait" => WAIT,
                        b"Distribution" => DISTRIBUTION,
                        b"DistributionEnqueue" => ENQUEUE,
                        b"WaitRevoke" => REVOKE,
                        b"core" => CORE,
                        _ => return cursor.skip().map(|_| ()),
                    };
                    figures[figure] = cursor.value()?.as_i64().unwrap_or(NO_VALUE);
                    Ok(())
                })
            }
            b"sub_threads" if cursor.peek() == Some(b'{') => cursor.object(|_, cursor| {
                if cursor.peek() != Some(b'{') {
                    return cursor.skip().map(|_| ());
                }
                cursor.object(|key, cursor| match key.raw {
                    b"num_run" => {
                        let worked = cursor.value()?.as_i64().is_some_and(|runs| runs > 0);
                        figures[THREADS] = figures[THREADS].max(0) + i64::from(worked);
                        Ok(())
                    }
                    _ => cursor.skip().map(|_| ()),
                })
            }),
            _ => cursor.skip().map(|_| ()),
        })
    }

    fn role(label: &Label) -> Role {
        let name = label.raw_name();
        match label.raw_category() {
            b"Node" if name.ends_with(b"_fence_before") || name.ends_with(b"_fence_after") => {
                Role::Ignored("fences")
            }
            b"Node" => Role::Operator,
            b"Kernel" => Role::Ignored(DEVICE_KERNELS),
            _ if name == MODEL_RUN.as_bytes()
                || name == SESSION_INITIALIZATION.as_bytes()
                || name.starts_with(MODEL_LOADING) =>
            {
                Role::Mark
            }
            // Mostly `SequentialExecutor::Execute`, one per graph and body.
            _ => Role::Ignored("other events"),
        }
    }
}
