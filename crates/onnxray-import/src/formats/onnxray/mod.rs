//! Our own recordings, whole or cut off, and the traces of other producers that
//! `onnxray convert` made recordings of.
//!
//! `docs/format.md` describes them field by field.

mod calibration;
mod compact;
mod conditions;
mod costs;
mod event;
mod launched;
mod operators;
mod roofs;
mod tables;
mod threads;

use crate::chrome::{
    Assembled, EventTrace, IterationMark, Label, Options, Sign, assemble, read_events,
};
use crate::damage::DamageKind;
use crate::format::Format;
use crate::formats::together::LONGEST;
use crate::importer::{Head, Importer, Verdict};
use crate::source::Source;
use crate::{Average, Events, ImportError, Launch, NO_ITERATION};
use event::{FOREIGN, Recording, fact};
use onnxray_format::{
    FORMAT_VERSION, Generation, Iteration, IterationKind, Phase, Position, Run, Step,
    VectorRegisters, Warning,
};
use onnxray_text::counted;
use operators::operators;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use tables::{Tables, entry, members};

/// How it is recognized and read.
pub static IMPORTER: Importer = Importer { format: Format::ONNXRAY, detect, read: read_all };

fn detect(head: Head<'_>) -> Verdict {
    if head.text().first() != Some(&b'{') {
        return Verdict::No;
    }
    let Some(outline) = head.outline else {
        // Damaged metadata is told of where it is read.
        return match head.contains("\"otherData\"") && head.contains("\"format_version\"") {
            true => Verdict::Yes,
            false => head.otherwise(),
        };
    };
    if outline.member_has("otherData", "format_version") {
        return Verdict::Yes;
    }
    // Ours have their metadata in front; another program may have saved it
    // again in another order.
    if !outline.is_empty() && !outline.any(|event| event.has(Sign::OperatorNumber)) {
        return Verdict::No;
    }
    head.otherwise()
}

/// Members of a recording beside its events.
const MEMBERS: [&str; 12] = [
    "displayTimeUnit",
    "otherData",
    "averages",
    compact::MEMBER,
    compact::LAUNCHES,
    "threads",
    "idleOperators",
    conditions::MEMBER,
    calibration::MEMBER,
    roofs::MEMBER,
    costs::MEMBER,
    "completed",
];

#[derive(Deserialize)]
struct Completed {
    iterations: u64,
    /// Earlier versions did not count them.
    #[serde(rename = "plain_iterations")]
    unprofiled_iterations: Option<u64>,
    events: u64,
}

/// Reads the launches and checks that they belong together.
fn read_all(sources: Vec<Source>, options: &Options) -> Result<Vec<Launch>, ImportError> {
    let mut launches: Vec<Launch> = Vec::new();
    for source in sources {
        for launch in read(source, options)? {
            if let Some(first) = launches.first()
                && let Some(difference) = difference(&first.run, &launch.run)
            {
                return Err(ImportError::DifferentRecordings {
                    first: first.files[0].clone(),
                    second: launch.files[0].clone(),
                    difference,
                });
            }
            launches.push(launch);
        }
    }
    let first = launches.first().map(|launch| launch.run.recording.clone()).unwrap_or_default();
    if let Some(other) = launches.iter_mut().find(|launch| launch.run.recording != first) {
        let message = format!(
            "counted as a launch of the recording of {first}, though it is one of {}",
            other.run.recording
        );
        other.warnings.insert(0, Warning::note(&other.files[0], message));
    }
    launches.sort_by_key(|launch| (launch.run.recording.clone(), launch.run.launch));
    Ok(launches)
}

fn read(source: Source, options: &Options) -> Result<Vec<Launch>, ImportError> {
    let mut trace = read_events::<Recording>(source, options)?;
    let mut tables = Tables::default();
    let run = run(&trace, &mut tables)?;
    let named = operators(&mut trace, &mut tables);
    let marks = marks(&mut trace);
    launched::place(&mut trace, &marks);
    let mut assembled = assemble(&mut trace, &named.of_label, marks, 0);
    let is_instrumented = |iteration: &&Iteration| iteration.kind != IterationKind::Unprofiled;
    let instrumented = assembled.iterations.iter().filter(is_instrumented).count() as u64;
    // Other runtimes' events may lie in no iteration, and none may be known.
    let (orphans, bare) = match run.converted_from {
        Some(_) => (0, 0),
        None => {
            let orphans = drop_orphans(&mut assembled.events);
            // A compact recording has no event at all.
            let is_late = run.operators_late && trace.member(compact::MEMBER).is_none();
            let bare = match is_late {
                true => drop_bare(&mut assembled),
                false => 0,
            };
            (orphans, bare)
        }
    };
    let Assembled { iterations, iteration_threads, mut events, .. } = assembled;
    threads::name(&mut events, &trace, &mut tables);
    let mut launch = Launch {
        files: vec![trace.file.clone()],
        run,
        conditions: conditions::conditions(&trace, &mut tables),
        calibration: calibration::calibration(&trace, &mut tables),
        roofs: roofs::roofs(&trace, &mut tables),
        costs: costs::costs(&trace, &mut tables),
        averages: averages(&trace, named.operators.len(), &mut tables),
        compact: compact::means(&trace, &mut tables),
        operators: named.operators,
        iterations,
        iteration_threads,
        events,
        ..Launch::default()
    };
    let further = compact::further(&trace, &mut tables);
    launch.warnings = tables.warnings(&trace.file);
    let read = Read { instrumented, orphans, bare, changed: named.changed };
    launch.warnings.extend(warnings(&trace, &launch, &read));
    Ok(std::iter::once(launch).chain(further).collect())
}

/// The metadata, if it is that of a recording that this version can read.
fn run(trace: &EventTrace, tables: &mut Tables) -> Result<Run, ImportError> {
    let expected =
        "the metadata of an onnxray recording (\"otherData\" with \"format_version\")".to_string();
    let member = trace.member("otherData");
    let position = member.map_or(Position { line: 1, byte: 0 }, |member| member.position);
    let not_ours = |found: &str| ImportError::Unexpected {
        file: trace.file.clone(),
        position,
        expected: expected.clone(),
        found: found.to_string(),
    };
    let Some(member) = member else { return Err(not_ours("a Chrome trace without it")) };
    if member.value.len() > MOST_RUN {
        return Err(not_ours(&format!("{} MiB of it", member.value.len() >> 20)));
    }
    // A newer version may have other fields: ask before reading them.
    let (version, _) = members::<Version>(&member.value).unwrap_or_default();
    if version.format_version == 0 {
        return Err(not_ours("a Chrome trace without it"));
    }
    if version.format_version > u64::from(FORMAT_VERSION) {
        let producer = match version.producer.as_str() {
            "" => "of that version".to_string(),
            _ => version.producer,
        };
        return Err(ImportError::NewerFormat {
            file: trace.file.clone(),
            found: version.format_version,
            known: FORMAT_VERSION,
            producer,
        });
    }
    let (run, unreadable) = members(&member.value).ok_or_else(|| not_ours("damaged metadata"))?;
    tables.fields("recordings", Some(member.position), &unreadable);
    Ok(run)
}

const MOST_RUN: usize = 16 << 20;

#[derive(Default, Deserialize)]
#[serde(default)]
struct Version {
    format_version: u64,
    producer: String,
}

/// What is stated about operators instead of their executions; the first of an operator
/// counts.
fn averages(trace: &EventTrace, operators: usize, tables: &mut Tables) -> Vec<Average> {
    let check = |average: &Average| {
        let Average { mean_ns, median_ns, min_ns, max_ns, below_ns, .. } = average;
        let times = [mean_ns, median_ns, min_ns, max_ns, below_ns];
        match average.operator as usize >= operators {
            true => Err("it is of an operator that is not there"),
            false if times.into_iter().flatten().any(|time| !(0.0..=LONGEST).contains(time)) => {
                Err("a time that is none")
            }
            false => Ok(()),
        }
    };
    const TABLE: &str = "averages";
    let mut averages: BTreeMap<u32, Average> = BTreeMap::new();
    let mut further = Vec::new();
    let take = |average: Average| match averages.entry(average.operator) {
        Entry::Vacant(place) => _ = place.insert(average),
        Entry::Occupied(_) => {
            further.push(format!("a second one of operator {}", average.operator))
        }
    };
    tables.each(trace, TABLE, TABLE, check, take);
    tables.fields(TABLE, trace.member(TABLE).map(|member| member.position), &further);
    averages.into_values().collect()
}

/// The iterations; those without a number, or with another than their name says, are counted
/// as lost.
fn marks(trace: &mut EventTrace) -> Vec<IterationMark> {
    let mut marks = Vec::with_capacity(trace.marks.len());
    for mark in &trace.marks {
        let label = &trace.labels[mark.label as usize];
        let position = Some(trace.first[mark.label as usize].position);
        let index = label.fact(fact::ITERATION).and_then(|value| value.as_i64());
        let Some(index) = index.and_then(|index| u32::try_from(index).ok()) else {
            let reason = format!("{:?} has no `iteration` number", label.name());
            trace.damage.add(DamageKind::Unreadable, position, reason);
            continue;
        };
        let kind = match (label.raw_category(), label.raw_fact(fact::WARM_UP)) {
            (b"plain_iteration", _) => IterationKind::Unprofiled,
            (_, Some(b"true")) => IterationKind::WarmUp,
            (_, None | Some(b"false")) => IterationKind::Measured,
            _ => {
                let reason = format!("`warmup` of {:?} is neither true nor false", label.name());
                trace.damage.add(DamageKind::Unreadable, position, reason);
                continue;
            }
        };
        let prefix = if kind == IterationKind::Unprofiled { "PlainIteration" } else { "Iteration" };
        if label.name() != format!("{prefix}{index}") {
            let reason = format!("{:?} is not iteration {index}", label.name());
            trace.damage.add(DamageKind::Unreadable, position, reason);
            continue;
        }
        let Ok(step) = step(label) else {
            let reason =
                format!("the step of a generation that {:?} is cannot be read", label.name());
            trace.damage.add(DamageKind::Unreadable, position, reason);
            continue;
        };
        let (thread, start, duration) = (mark.thread, mark.start, mark.duration);
        marks.push(IterationMark { thread, kind, step, index: Some(index), start, duration });
    }
    marks
}

/// The step of a generation that an iteration is, or an error if that is damaged.
fn step(label: &Label) -> Result<Option<Step>, ()> {
    let facts = [fact::PHASE, fact::TOKENS, fact::CACHED];
    if facts.iter().all(|&fact| label.raw_fact(fact).is_none()) {
        return Ok(None);
    }
    let count = |fact: usize| {
        let count = label.fact(fact).and_then(|value| value.as_i64());
        count.and_then(|count| u32::try_from(count).ok()).ok_or(())
    };
    let phase = label.fact_text(fact::PHASE).and_then(|name| Phase::of_name(&name)).ok_or(())?;
    Ok(Some(Step { phase, tokens: count(fact::TOKENS)?, cached: count(fact::CACHED)? }))
}

/// Takes out the events that lie in no iteration and says how many they are.
fn drop_orphans(events: &mut Events) -> u64 {
    let mut orphans = 0;
    for chunk in &mut events.chunks {
        let kept: Vec<usize> =
            (0..chunk.len()).filter(|&row| chunk.iteration[row] != NO_ITERATION).collect();
        if kept.len() < chunk.len() {
            orphans += (chunk.len() - kept.len()) as u64;
            *chunk = chunk.select(&kept);
        }
    }
    events.chunks.retain(|chunk| !chunk.is_empty());
    orphans
}

/// Takes out the instrumented iterations without a single event, and says how many they are:
/// an engine that gives operators up late was ended before it did.
fn drop_bare(assembled: &mut Assembled) -> u64 {
    let mut is_kept = assembled.has_events();
    for (is_kept, iteration) in is_kept.iter_mut().zip(&assembled.iterations) {
        *is_kept |= iteration.kind == IterationKind::Unprofiled;
    }
    let bare = is_kept.iter().filter(|&&is_kept| !is_kept).count();
    if bare > 0 {
        assembled.keep(&is_kept);
    }
    bare as u64
}

/// How much of a recording was read, and what is doubtful about it.
struct Read {
    /// Instrumented iterations, those without operators included.
    instrumented: u64,
    /// Events in no iteration.
    orphans: u64,
    /// Instrumented iterations without events.
    bare: u64,
    changed: usize,
}

/// What is missing or doubtful, in the words of a recording.
fn warnings(trace: &EventTrace, launch: &Launch, read: &Read) -> Vec<Warning> {
    let Read { instrumented, orphans, bare, changed } = *read;
    let mut damage = trace.damage.clone();
    let end = damage.take(DamageKind::EndsEarly);
    let mut warnings = damage.warnings(&trace.file, "events");
    let mut warn = |position, message, loss| {
        warnings.push(Warning { file: trace.file.clone(), position, message, loss });
    };
    if let Some(end) = &end {
        let message = format!(
            "the recording ends early: {instrumented} whole iterations were read, {orphans} \
             events of an unfinished one are left out"
        );
        warn(end.position, message, true);
    }
    let unknown = trace.members.iter().find(|member| !MEMBERS.contains(&member.key.as_str()));
    if let Some(member) = unknown {
        let message = format!("{:?} is not part of a recording, and is left out", member.key);
        warn(Some(member.position), message, true);
    }
    // Of a recording that ends early, orphans are told with its end.
    let orphans = if end.is_some() { 0 } else { orphans };
    let left_out = [
        (
            foreign_events(trace),
            "event of another producer is left out",
            "events of other producers are left out",
        ),
        (
            bare,
            "iteration is left out, since its operators are missing",
            "iterations are left out, since their operators are missing",
        ),
        (
            orphans,
            "event is in no iteration and is left out",
            "events are in no iteration and are left out",
        ),
    ];
    for (count, one, several) in left_out.into_iter().filter(|(count, ..)| *count > 0) {
        warn(None, counted(count, one, several), true);
    }
    for (position, message) in incomplete(trace, launch, instrumented, end.is_some()) {
        warn(position, message, true);
    }
    if changed > 0 {
        let message = format!(
            "the facts of {changed} operators changed during the launch; shapes, FLOPs and bytes \
             are those of its first iteration"
        );
        warn(None, message, false);
    }
    warnings
}

/// Where less was read than the closing mark counts, or why that is unknown.
fn incomplete(
    trace: &EventTrace,
    launch: &Launch,
    instrumented: u64,
    is_cut: bool,
) -> Vec<(Option<Position>, String)> {
    let Some(mark) = trace.member("completed") else {
        let message = "the closing mark is missing; whether events are missing, too, is unknown";
        // What is cut has none, and says so already.
        return Vec::from_iter((!is_cut).then(|| (None, message.to_string())));
    };
    let whole = entry::<Completed>(&mark.value).filter(|(_, others)| others.is_empty());
    let Some((Completed { iterations, unprofiled_iterations, events: all }, _)) = whole else {
        let message = "the closing mark cannot be read; whether events are missing is unknown";
        return vec![(Some(mark.position), message.to_string())];
    };
    let mut messages = Vec::new();
    let events = launch.events.len() as u64;
    if all != events || iterations != instrumented {
        let message = format!(
            "{all} events and {iterations} iterations were recorded, {events} and {instrumented} \
             were read"
        );
        messages.push((None, message));
    }
    let is_unprofiled = |iteration: &&Iteration| iteration.kind == IterationKind::Unprofiled;
    let unprofiled = launch.iterations.iter().filter(is_unprofiled).count() as u64;
    if let Some(all) = unprofiled_iterations.filter(|&all| all != unprofiled) {
        let message = format!(
            "{} recorded, {unprofiled} were read: the latency is of fewer than it should be",
            counted(all, "unprofiled iteration was", "unprofiled iterations were")
        );
        messages.push((None, message));
    }
    messages
}

/// Events that no recording of our own has.
fn foreign_events(trace: &EventTrace) -> u64 {
    let phases = trace.phases.iter().filter(|&(&phase, _)| phase != b'M');
    let of_other_phases: u64 = phases.map(|(_, count)| count).sum();
    trace.ignored.get(FOREIGN).copied().unwrap_or_default() + of_other_phases
}

/// The first field of the configuration in which two launches differ.
fn difference(a: &Run, b: &Run) -> Option<String> {
    let fields = [
        ("profile", a.profile.clone(), b.profile.clone()),
        ("model", a.model.clone(), b.model.clone()),
        ("model hash", show(&a.model_sha256), show(&b.model_sha256)),
        ("batch size", show(&a.batch_size), show(&b.batch_size)),
        ("dimensions", sizes(a), sizes(b)),
        ("threads", show(&a.threads), show(&b.threads)),
        ("number of instances", show(&a.instances), show(&b.instances)),
        ("generation", generation(a), generation(b)),
        ("instruction set", show(&a.isa), show(&b.isa)),
        ("state of the vector registers", registers(a), registers(b)),
        ("processor", show(&a.cpu), show(&b.cpu)),
        ("engine", a.engine.clone(), b.engine.clone()),
        ("engine version", a.engine_version.clone(), b.engine_version.clone()),
        ("engine options", a.engine_options_text(), b.engine_options_text()),
    ];
    fields
        .into_iter()
        .find(|(_, a, b)| a != b)
        .map(|(name, a, b)| format!("{name} is {a} in one and {b} in the other"))
}

fn show<T: std::fmt::Display>(value: &Option<T>) -> String {
    value.as_ref().map_or("unknown".to_string(), T::to_string)
}

fn generation(run: &Run) -> String {
    run.generation.as_ref().map_or("none".to_string(), Generation::text)
}

fn registers(run: &Run) -> String {
    run.vector_registers.map_or("unknown", VectorRegisters::text).to_string()
}

fn sizes(run: &Run) -> String {
    let sizes = run.dimensions.iter().map(|d| format!("{}={}", d.name, d.size));
    sizes.collect::<Vec<_>>().join(" ")
}
