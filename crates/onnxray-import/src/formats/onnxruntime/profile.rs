//! What is kept of an event: facts about its node, and figures of its execution.

use crate::chrome::{Argument, EventFormat, Fault, Label, Role, figure as number};
use crate::figure::{self, Figure};
use crate::json::{Broken, Cursor};

pub(crate) mod fact {
    pub(crate) const OPERATOR_TYPE: usize = 0;
    pub(crate) const PROVIDER: usize = 1;
    pub(crate) const NODE_INDEX: usize = 2;
    pub(crate) const INPUTS: usize = 3;
    pub(crate) const OUTPUTS: usize = 4;
    pub(crate) const PARAMETER_BYTES: usize = 5;
    pub(crate) const ACTIVATION_BYTES: usize = 6;
    pub(crate) const OUTPUT_BYTES: usize = 7;
    /// Of kernels of devices: the event that launched it, usually a node's, and the stream on
    /// which it ran.
    pub(crate) const PARENT_NAME: usize = 8;
    pub(crate) const STREAM: usize = 9;
    /// Of what a provider measured: what its value is of.
    pub(crate) const UNIT: usize = 10;
    pub(crate) const COUNT: usize = 11;
}

/// Positions in [`figure::ONNX_RUNTIME`] of what `thread_scheduling_stats` holds.
const THREADS: usize = 7;
const RUN: usize = 8;
const WAIT: usize = 9;
const DISTRIBUTION: usize = 10;
const ENQUEUE: usize = 11;
const REVOKE: usize = 12;
const CORE: usize = 13;

pub(crate) struct Profile;

/// Names of events that are looked at one by one.
pub(crate) const MODEL_RUN: &str = "model_run";
pub(crate) const SESSION_INITIALIZATION: &str = "session_initialization";
/// `model_loading_uri`, `model_loading_array` and others.
const MODEL_LOADING: &[u8] = b"model_loading";
/// How the names of events around the nodes of a graph end; one per graph and body.
pub(crate) const EXECUTOR: &[u8] = b"Executor::Execute";
/// What marks before and after a node, of versions that had them, are counted as.
pub(crate) const FENCES: &str = "fences";
/// What events that hold cycles, bytes or counts of a device in place of a time are counted as.
const VALUES: &str = "values of devices that are not times";

/// What every event of a node tells, or none.
pub(crate) const OF_NODES: [(Argument, &str); 3] = [
    (Argument::Fact(fact::OPERATOR_TYPE), "op_name"),
    (Argument::Fact(fact::PROVIDER), "provider"),
    (Argument::Fact(fact::NODE_INDEX), "node_index"),
];
/// What every event of a node of a provider tells, or none.
pub(crate) const OF_PROVIDERS: [(Argument, &str); 13] = [
    (Argument::Fact(fact::INPUTS), "input_type_shape"),
    (Argument::Fact(fact::OUTPUTS), "output_type_shape"),
    (Argument::Fact(fact::PARAMETER_BYTES), "parameter_size"),
    (Argument::Fact(fact::ACTIVATION_BYTES), "activation_size"),
    (Argument::Fact(fact::OUTPUT_BYTES), "output_size"),
    (Argument::Figure(0), "mem_bytes_in_use"),
    (Argument::Figure(1), "mem_bytes_requested_in_use"),
    (Argument::Figure(2), "mem_in_use_peak"),
    (Argument::Figure(3), "mem_in_use_delta"),
    (Argument::Figure(4), "mem_requested_in_use_delta"),
    (Argument::Figure(5), "mem_arena_held"),
    (Argument::Figure(6), "mem_arena_held_delta"),
    (Argument::Nested, "thread_scheduling_stats"),
];

/// Whether events of a label are executions of a node. The runtime states what launched an event
/// of none of them; a provider that divides its node into others may.
pub(crate) fn is_node(label: &Label) -> bool {
    label.raw_category() == b"Node"
        && label.raw_fact(fact::PARENT_NAME).is_none()
        && Profile::role(label) == Role::Operator
}

/// Whether events of a label are of what a node launched.
pub(crate) fn is_launched(label: &Label) -> bool {
    match label.raw_category() {
        b"Kernel" | b"Api" => true,
        b"Node" => label.raw_fact(fact::PARENT_NAME).is_some(),
        _ => false,
    }
}

/// Whether events of a session that are called so are looked at one by one.
pub(crate) fn is_looked_at(name: &[u8]) -> bool {
    name == MODEL_RUN.as_bytes()
        || name == SESSION_INITIALIZATION.as_bytes()
        || name.starts_with(MODEL_LOADING)
}

impl EventFormat for Profile {
    const FACTS: usize = fact::COUNT;
    const FIGURES: &'static [Figure] = figure::ONNX_RUNTIME;
    const LONE_BACKSLASHES: bool = true;

    #[inline]
    fn argument(key: &[u8]) -> Argument {
        match key {
            // Providers that are plugins write the arguments of what launched their events under
            // names of their own.
            b"op_name" | b"ort_op_name" => Argument::Fact(fact::OPERATOR_TYPE),
            b"provider" => Argument::Fact(fact::PROVIDER),
            b"node_index" | b"exec_plan_index" | b"ort_node_index" => {
                Argument::Fact(fact::NODE_INDEX)
            }
            b"input_type_shape" => Argument::Fact(fact::INPUTS),
            b"output_type_shape" => Argument::Fact(fact::OUTPUTS),
            b"parameter_size" => Argument::Fact(fact::PARAMETER_BYTES),
            b"activation_size" => Argument::Fact(fact::ACTIVATION_BYTES),
            b"output_size" => Argument::Fact(fact::OUTPUT_BYTES),
            b"parent_name" | b"parent_ort_node" | b"ort_event_name" => {
                Argument::Fact(fact::PARENT_NAME)
            }
            b"stream" => Argument::Fact(fact::STREAM),
            b"unit" => Argument::Fact(fact::UNIT),
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
    fn nested<'a>(
        _key: &[u8],
        cursor: &mut Cursor<'a>,
        figures: &mut [i64],
        fault: &mut Option<Fault>,
    ) -> Result<(), Broken> {
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
                    figures[figure] = number(cursor, fault)?;
                    Ok(())
                })
            }
            b"sub_threads" if cursor.peek() == Some(b'{') => cursor.object(|_, cursor| {
                if cursor.peek() != Some(b'{') {
                    return cursor.skip().map(|_| ());
                }
                cursor.object(|key, cursor| match key.raw {
                    b"num_run" => {
                        let worked = number(cursor, fault)? > 0;
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
                Role::Ignored(FENCES)
            }
            b"Kernel" if !is_time(label) => Role::Ignored(VALUES),
            b"Node" | b"Kernel" | b"Api" => Role::Operator,
            _ if is_looked_at(name) => Role::Mark,
            b"Session" if name.ends_with(EXECUTOR) => Role::Mark,
            b"Session" => Role::Ignored("other events"),
            _ => Role::Unknown,
        }
    }
}

/// Whether what a provider measured is a time, as it is where no unit is stated.
fn is_time(label: &Label) -> bool {
    label.fact_text(fact::UNIT).is_none_or(|unit| unit.eq_ignore_ascii_case("us"))
}
