//! ONNX Runtime's profiles, of every version from 0.4 to 1.31.
//!
//! An array of events, one per line, in the order of their ends. `model_run`
//! marks an iteration; `SequentialExecutor::Execute` does not, because the
//! bodies of Loop, If and Scan have one each. Nodes of bodies lie inside the
//! event of the node that holds them, on the same thread.

use super::Importer;
use crate::chrome::{
    Argument, EventFormat, EventTrace, IterationMark, Label, Options, Role, Scope, assemble,
    read_events,
};
use crate::detect::{Head, Verdict};
use crate::figure::{self, Figure};
use crate::json::{Broken, Cursor, Value};
use crate::source::Source;
use crate::{Format, ImportError, Launch, NO_VALUE};
use onnxray_format::{DataType, IterationKind, Operator, Run, Tensor, Warning};
use std::collections::HashMap;

pub static IMPORTER: Importer = Importer {
    name: "onnxruntime",
    title: "ONNX Runtime",
    files: "profiles (JSON) that SessionOptions.enable_profiling writes, versions 0.4 to 1.31",
    tells: "executions, iterations, shapes, threads, memory",
    detect,
    read: |sources, options| super::each(sources, options, read),
};

fn detect(head: Head<'_>) -> Verdict {
    if head.text().first() != Some(&b'[') {
        return Verdict::No;
    }
    let ours = ["\"SequentialExecutor::Execute\"", "\"model_run\"", "\"session_initialization\""];
    let loads = head.contains("\"model_loading_") || head.contains("_kernel_time\"");
    if loads || ours.iter().any(|name| head.contains(name)) {
        return Verdict::Yes;
    }
    head.otherwise()
}

/// Facts of a node's label.
mod fact {
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

/// Positions in [`figure::ONNX_RUNTIME`] of what `thread_scheduling_stats` holds.
const THREADS: usize = 7;
const RUN: usize = 8;
const WAIT: usize = 9;
const DISTRIBUTION: usize = 10;
const ENQUEUE: usize = 11;
const REVOKE: usize = 12;
const CORE: usize = 13;

struct Profile;

impl EventFormat for Profile {
    const FACTS: usize = fact::COUNT;
    const FIGURES: &'static [Figure] = figure::ONNX_RUNTIME;

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
            b"Kernel" => Role::Ignored("kernels of devices"),
            _ if name == b"SequentialExecutor::Execute" => Role::Ignored("executions of a graph"),
            _ => Role::Mark,
        }
    }
}

/// The runtime stops recording at so many events.
const EVENT_CAP: u64 = 1_000_000;

fn read(source: Source, options: &Options) -> Result<Launch, ImportError> {
    let mut trace = read_events::<Profile>(source, options)?;
    let file = trace.file.clone();
    let mut warnings = trace.losses.warnings(&file, "events");
    let mut note = |message: String, loss: bool| {
        warnings.push(Warning { file: file.clone(), position: None, message, loss });
    };
    let named = |mark: &crate::chrome::Mark, name: &str| {
        trace.labels[mark.label as usize].raw_name() == name.as_bytes()
    };
    let runs: Vec<IterationMark> = trace
        .marks
        .iter()
        .filter(|mark| named(mark, "model_run"))
        .map(|mark| IterationMark {
            thread: mark.thread,
            kind: IterationKind::Measured,
            index: None,
            start: mark.start,
            duration: mark.duration,
        })
        .collect();
    let load_time: u64 =
        trace.marks.iter().filter(|mark| !named(mark, "model_run")).map(|mark| mark.duration).sum();
    let loaded = trace.marks.iter().any(|mark| named(mark, "session_initialization"));
    let read: u64 = trace.chunks.iter().map(|rows| rows.label.len() as u64).sum::<u64>()
        + trace.marks.len() as u64
        + trace.ignored.values().sum::<u64>();
    if read >= EVENT_CAP {
        note(
            format!(
                "{read} events: the runtime stops recording at {EVENT_CAP}, so what ran later is \
                 missing; profile fewer runs"
            ),
            true,
        );
    }
    let (operators, of_label, changed) = operators(&trace);
    let parallel =
        runs.iter().all(|run| !trace.chunks.iter().any(|rows| rows.thread.contains(&run.thread)));
    let scope = if parallel { Scope::Time } else { Scope::Thread };
    let any_runs = !runs.is_empty();
    let assembled = assemble(&mut trace, &of_label, runs, scope, 0);
    if assembled.ambiguous > 0 {
        note(
            format!(
                "{} events lie in the time of several runs at once and went to the latest",
                assembled.ambiguous
            ),
            false,
        );
    }
    if assembled.outside > 0 && any_runs {
        note(
            format!(
                "{} events lie in no whole run and are left out of the figures",
                assembled.outside
            ),
            false,
        );
    }
    if changed > 0 {
        note(
            format!("{changed} operators ran with several shapes; the first ones are shown"),
            false,
        );
    }
    Ok(Launch {
        format: Format::OnnxRuntime,
        files: vec![file],
        run: Run {
            engine: "ONNX Runtime".to_string(),
            producer: "ONNX Runtime".to_string(),
            load_time: loaded.then_some(onnxray_format::Nanoseconds(load_time)),
            clock_resolution: Some(onnxray_format::Nanoseconds(1000)),
            ..Run::default()
        },
        operators,
        iterations: assembled.iterations,
        iteration_threads: assembled.iteration_threads,
        events: assembled.events,
        averages: Vec::new(),
        warnings,
    })
}

/// The operators, the operator of each label, and how many operators have
/// labels with different shapes.
fn operators(trace: &EventTrace) -> (Vec<Operator>, Vec<Option<u32>>, usize) {
    let mut operators: Vec<Operator> = Vec::new();
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut changed = std::collections::HashSet::new();
    let of_label = trace.labels.iter().map(|label| {
        if Profile::role(label) != Role::Operator {
            return None;
        }
        let found = operator(label);
        let next = operators.len() as u32;
        let number = *numbers.entry(found.name.clone()).or_insert(next);
        if number == next {
            operators.push(Operator { number, ..found });
        } else {
            let known = &mut operators[number as usize];
            if known.inputs.is_empty() && known.outputs.is_empty() {
                *known = Operator { number, ..found };
            } else if known.inputs != found.inputs || known.outputs != found.outputs {
                changed.insert(number);
            }
        }
        Some(number)
    });
    let of_label = of_label.collect();
    (operators, of_label, changed.len())
}

fn operator(label: &Label) -> Operator {
    let name = label.name();
    let name = name.strip_suffix("_kernel_time").unwrap_or(&name).to_string();
    let operator_type = label.fact_text(fact::OPERATOR_TYPE).unwrap_or_default();
    let bytes = |number| label.fact(number).and_then(|value| value.as_i64()).map(|b| b as u64);
    let sizes = [fact::PARAMETER_BYTES, fact::ACTIVATION_BYTES, fact::OUTPUT_BYTES].map(bytes);
    Operator {
        // The provider is the runtime's own word for who runs the node.
        kernel: label.fact_text(fact::PROVIDER),
        nodes: vec![name.clone()],
        name,
        operator_type,
        inputs: tensors(label.raw_fact(fact::INPUTS), "input"),
        outputs: tensors(label.raw_fact(fact::OUTPUTS), "output"),
        bytes: sizes.into_iter().sum(),
        ..Operator::default()
    }
}

/// Element types and shapes: `[{"float":[2,64,256]},{"int64":[]}]`. The profile
/// has no names of tensors.
fn tensors(raw: Option<&[u8]>, kind: &str) -> Vec<Tensor> {
    let mut tensors = Vec::new();
    let Some(raw) = raw else { return tensors };
    let mut cursor = Cursor::new(raw);
    let _ = cursor.array(|cursor| {
        while cursor.take(b',') {}
        cursor.object(|key, cursor| {
            let mut shape = Vec::new();
            let mut known = true;
            cursor.array(|cursor| {
                let size = match cursor.value()? {
                    value @ Value::Number(_) => value.as_i64(),
                    _ => None,
                };
                match size.and_then(|size| u64::try_from(size).ok()) {
                    Some(size) => shape.push(size),
                    None => known = false,
                }
                Ok(())
            })?;
            tensors.push(Tensor {
                name: format!("{kind} {}", tensors.len()),
                data_type: Some(data_type(key.raw)),
                shape: known.then_some(shape),
            });
            Ok(())
        })
    });
    tensors
}

fn data_type(name: &[u8]) -> DataType {
    match name {
        b"float" => DataType::Fp32,
        b"double" => DataType::Fp64,
        b"float16" => DataType::Fp16,
        b"bfloat16" => DataType::Bf16,
        b"int64" => DataType::S64,
        b"int32" => DataType::S32,
        b"int16" => DataType::S16,
        b"int8" => DataType::S8,
        b"uint64" => DataType::U64,
        b"uint32" => DataType::U32,
        b"uint16" => DataType::U16,
        b"uint8" => DataType::U8,
        b"bool" => DataType::Bool,
        b"string" => DataType::String,
        _ => DataType::Other,
    }
}
