//! PyTorch's profiles: the Chrome traces that Kineto writes.
//!
//! An object with `traceEvents` and metadata on either side. Times are
//! microseconds since 1970, or since `baseTimeNanoseconds`; the first event is
//! the launch's zero. A stream of a device is a thread of it.
//!
//! `ProfilerStep#3` on a thread of the host is the iteration with index 3; many
//! traces have none; others say it otherwise, see [`steps`]. Its copies on devices are not.
//! Events of its thread belong to it, those of other threads that begin in its time, and work
//! of devices that was launched in it.
//!
//! An operator is a category and a name, see [`operators`]. Its type is what
//! tells best where the time goes: for work of the host the operation without
//! its overload and without what follows `#` or a colon and a blank
//! (`aten::add`, `autograd::engine::evaluate_function`), for calls of a runtime
//! and for work of a device the category (`cuda_runtime`, `kernel`,
//! `gpu_memcpy`). Work of a device is an operator for each kernel and each operator
//! of the host that launched it, see [`launched`]. Shapes differ from call to call;
//! they would make one operator thousands and are not read.

mod launched;
mod steps;

use crate::chrome::{
    Argument, EventFormat, EventTrace, Label, Options, Role, Seen, Sign, assemble, attach,
    end_with_the_next, operators, read_events,
};
use crate::figure::{Figure, KINETO, Over};
use crate::format::Format;
use crate::importer::{Head, Importer, Verdict};
use crate::json::Cursor;
use crate::packed::Packed;
use crate::source::Source;
use crate::{ImportError, Launch};
use onnxray_format::{Operator, Run, Warning};
use std::collections::HashSet;

/// How it is recognized and read.
pub static IMPORTER: Importer = Importer {
    format: Format {
        name: "pytorch",
        title: "PyTorch",
        files: "traces (JSON, .json.gz) that torch.profiler exports, of host and devices",
        contains: "executions, steps, threads and streams, sizes of copies, occupancy",
    },
    detect,
    read,
};

fn detect(head: Head<'_>) -> Verdict {
    head.is_trace(|outline| {
        let has = |key: &&&str| outline.has_member(key);
        match MEMBERS_AROUND.iter().filter(has).count() {
            0 => outline.any(is_of_kineto),
            1 => outline.any(|event| is_of_kineto(event) || is_known(event.category())),
            _ => true,
        }
    })
}

/// Members around the events that Kineto writes. Others write one or the other, too.
const MEMBERS_AROUND: [&str; 9] = [
    "schemaVersion",
    "deviceProperties",
    "distributedInfo",
    "baseTimeNanoseconds",
    "cupti_version",
    "cuda_runtime_version",
    "cuda_driver_version",
    "record_shapes",
    "with_stack",
];

/// Whether nothing but Kineto writes such an event.
fn is_of_kineto(event: &Seen) -> bool {
    match event.category() {
        b"cpu_op" | b"user_annotation" | b"gpu_user_annotation" => true,
        b"Trace" => event.name().starts_with(b"PyTorch Profiler"),
        category => is_known(category) && (event.has(Sign::Kineto) || event.has(Sign::Correlation)),
    }
}

/// Whether a category is one of those that Kineto writes, and perhaps others.
fn is_known(category: &[u8]) -> bool {
    let is_call = || std::str::from_utf8(category).is_ok_and(launched::is_call);
    let is_of_devices = || launched::OF_DEVICES.iter().any(|known| known.as_bytes() == category);
    matches!(category, b"Operator" | b"python_function" | b"overhead")
        || is_call()
        || is_of_devices()
}

struct Kineto;

/// What of devices and of the calls that start it has in common, behind the figures.
const CORRELATION: Figure = Figure {
    key: "correlation",
    heading: "Correlation",
    meaning: "number that a call of the runtime and what it starts on a device have",
    over_executions: Over::Max,
    of_first_run: false,
};
const MEMBERS: [(Argument, &str); 5] = [
    (Argument::Figure(0), "bytes"),
    (Argument::Figure(1), "est. achieved occupancy %"),
    (Argument::Figure(2), "registers per thread"),
    (Argument::Figure(3), "shared memory"),
    (Argument::Figure(4), "correlation"),
];

impl EventFormat for Kineto {
    const FACTS: usize = 0;
    const FIGURES: &'static [Figure] = &[KINETO[0], KINETO[1], KINETO[2], KINETO[3], CORRELATION];

    #[inline]
    fn argument(key: &[u8]) -> Argument {
        match key {
            b"bytes" => Argument::Figure(0),
            b"est. achieved occupancy %" => Argument::Figure(1),
            b"registers per thread" => Argument::Figure(2),
            b"shared memory" => Argument::Figure(3),
            b"correlation" => Argument::Figure(4),
            _ => Argument::Skip,
        }
    }

    fn role(label: &Label) -> Role {
        let category = label.raw_category();
        if steps::number(label.raw_name()).is_some()
            && !matches!(category, b"gpu_user_annotation" | b"python_function")
        {
            return Role::Mark;
        }
        match category {
            b"python_function" | b"python" | b"Python" => Role::Ignored("Python functions"),
            // Some are steps.
            b"user_annotation" => Role::Mark,
            b"gpu_user_annotation" => Role::Ignored("annotations of devices"),
            b"overhead" | b"Overhead" => Role::Ignored("overheads of the profiler"),
            b"Trace" => Role::Ignored("marks of the profiler"),
            b"" => Role::Ignored("events without a category"),
            b"cuda_sync" | b"cuda_event" => Role::Ignored("waits of streams"),
            // The time of the whole trace is given out to them in equal parts.
            b"cuda_profiler_range" => Role::Ignored("ranges of counters"),
            b"external_correlation" | b"ac2g" | b"fwdbwd" => Role::Ignored("relations"),
            b"cpu_instant_event" => Role::Ignored("instants"),
            // Also those of devices that are not known yet.
            _ => Role::Operator,
        }
    }
}

/// Phases of the events that say what follows from what.
const FLOWS: &[u8] = b"stf";

/// Launches are numbered by rank, if all files tell theirs and no two the same.
fn read(sources: Vec<Source>, options: &Options) -> Result<Vec<Launch>, ImportError> {
    let read: Result<Vec<Launch>, ImportError> =
        sources.into_iter().map(|source| read_launch(source, options)).collect();
    let mut launches = read?;
    let ranks: HashSet<u32> = launches.iter().filter_map(|launch| launch.run.rank).collect();
    let ranked = ranks.len() == launches.len();
    for (number, launch) in launches.iter_mut().enumerate() {
        launch.run.launch = launch.run.rank.filter(|_| ranked).unwrap_or(number as u32);
    }
    if ranked {
        launches.sort_by_key(|launch| launch.run.launch);
    }
    Ok(launches)
}

fn read_launch(source: Source, options: &Options) -> Result<Launch, ImportError> {
    let mut trace = read_events::<Kineto>(source, options)?;
    trace.count_lacking(&MEMBERS, |label| {
        let category = label.category();
        let is_linked = launched::OF_DEVICES.contains(&&*category) || launched::is_call(&category);
        is_linked.then(|| category.into_owned())
    });
    // Their correlations say the same of a call and what it starts.
    trace.phases.retain(|phase, _| !FLOWS.contains(phase));
    let file = trace.file.clone();
    let mut warnings = trace.damage.warnings(&file, "events");
    let annotated: Vec<u32> = trace.marks.iter().map(|mark| mark.thread).collect();
    let (steps, note) = steps::steps(&mut trace, options.iteration_marks.as_ref());
    warnings.extend(note);
    trace.figures = KINETO;
    let correlations: Vec<Packed> =
        trace.chunks.iter_mut().filter_map(|rows| rows.figures.pop()).collect();
    let ignored = trace.left_out(&[]).into_iter().collect();
    let run = run(&trace);
    if let Some(member) = trace.member("distributedInfo")
        && run.rank.is_none()
    {
        let message = "the rank cannot be read (\"distributedInfo\")";
        let position = Some(member.position);
        warnings.push(Warning { position, loss: true, ..Warning::note(&file, message) });
    }
    let origin = trace.first_start().unwrap_or_default();
    let (mut operators, mut of_label) = operators(&trace, describe);
    let work = launched::work_of_devices(&trace, &correlations, &annotated);
    attach(&mut trace, work, &mut operators, &mut of_label);
    warnings.extend(end_with_the_next(&mut trace));
    let mut assembled = assemble(&mut trace, &of_label, steps, origin);
    warnings.extend(assembled.notes(&file, "step", "steps"));
    warnings.extend(steps::without_empty(&mut assembled, &file));
    Ok(Launch { files: vec![file], run, operators, warnings, ignored, ..assembled.into() })
}

fn run(trace: &EventTrace) -> Run {
    let schema = trace.member("schemaVersion");
    let schema = schema.and_then(|member| std::str::from_utf8(&member.value).ok());
    let producer = match schema.filter(|schema| schema.bytes().all(|byte| byte.is_ascii_digit())) {
        Some(schema) => format!("PyTorch profiler (Kineto), schema {schema}"),
        None => "PyTorch profiler (Kineto)".to_string(),
    };
    let [rank, world_size] = ["rank", "world_size"].map(|key| distributed(trace, key));
    Run { engine: "PyTorch".to_string(), producer, rank, world_size, ..Run::default() }
}

/// A number that the trace of a process of a distributed run tells: `rank`, which of
/// them it is, or `world_size`, how many there are.
fn distributed(trace: &EventTrace, wanted: &str) -> Option<u32> {
    let mut found = None;
    let mut cursor = Cursor::new(&trace.member("distributedInfo")?.value);
    let whole = cursor.object(|key, cursor| {
        let value = cursor.value()?;
        if key.raw == wanted.as_bytes() {
            found = value.as_i64().and_then(|number| u32::try_from(number).ok());
        }
        Ok(())
    });
    found.filter(|_| whole.is_ok())
}

fn describe(name: &str, category: &str) -> Operator {
    let operator_type = match category {
        "cpu_op" | "Operator" => operation(name),
        // Names of versions before 1.9.
        "Kernel" => "kernel",
        "Memcpy" => "gpu_memcpy",
        "Memset" => "gpu_memset",
        "Runtime" => "cuda_runtime",
        category => category,
    };
    let is_kernel = matches!(category, "kernel" | "Kernel");
    Operator {
        operator_type: operator_type.to_string(),
        kernel: is_kernel.then(|| name.to_string()),
        ..Operator::default()
    }
}

/// `aten::add` of `aten::add.Tensor`, `autograd::engine::evaluate_function` of
/// `autograd::engine::evaluate_function: AddBackward0`.
fn operation(name: &str) -> &str {
    let (operation, _) = name.split_once(": ").unwrap_or((name, ""));
    let (operation, _) = operation.split_once('#').unwrap_or((operation, ""));
    let overload =
        operation.rfind("::").and_then(|offset| Some(offset + operation[offset..].find('.')?));
    match overload {
        Some(offset) if offset + 1 < operation.len() => &operation[..offset],
        _ if operation.is_empty() => name,
        _ => operation,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_operation_is_what_the_host_did() {
        for (name, expected) in [
            ("aten::conv2d", "aten::conv2d"),
            ("aten::add.Tensor", "aten::add"),
            (
                "autograd::engine::evaluate_function: AddBackward0",
                "autograd::engine::evaluate_function",
            ),
            ("Optimizer.step#SGD.step", "Optimizer.step"),
            (
                "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
                "enumerate(DataLoader)",
            ),
            ("## Call CompiledFxGraph ##", "## Call CompiledFxGraph ##"),
            ("MseLossBackward0", "MseLossBackward0"),
            ("", ""),
        ] {
            assert_eq!(operation(name), expected);
        }
    }
}
