//! Our own recordings, whole or cut off, and the traces of other producers that
//! `onnxray convert` made recordings of.
//!
//! `docs/format.md` describes them field by field.

use crate::chrome::{
    Argument, EventFormat, EventTrace, IterationMark, Label, Options, Role, assemble, read_events,
};
use crate::figure::{self, Figure};
use crate::format::Format;
use crate::importer::{Head, Importer, Verdict};
use crate::json::{Broken, Cursor};
use crate::loss::{LossKind, Losses};
use crate::source::Source;
use crate::{Average, Events, ImportError, Launch, NO_ITERATION, Thread};
use onnxray_format::{
    FORMAT_VERSION, IterationKind, Operator, Position, Run, Track, Warning, counted,
};
use serde::Deserialize;
use std::collections::BTreeMap;

/// How it is recognized and read.
pub static IMPORTER: Importer = Importer { format: Format::ONNXRAY, detect, read: read_all };

fn detect(head: Head<'_>) -> Verdict {
    if head.text().first() != Some(&b'{') {
        return Verdict::No;
    }
    if head.contains("\"otherData\"") && head.contains("\"format_version\"") {
        return Verdict::Yes;
    }
    // Ours have their metadata in front; another program may have saved it
    // again in another order.
    if head.contains("\"ph\"") && !head.contains("\"op\":") {
        return Verdict::No;
    }
    head.otherwise()
}

/// Facts of a label.
mod fact {
    pub(super) const OPERATOR: usize = 0;
    pub(super) const ITERATION: usize = 1;
    pub(super) const WARM_UP: usize = 2;
    pub(super) const FACTS: usize = 3;
    pub(super) const COUNT: usize = 4;
}

struct Recording;

impl EventFormat for Recording {
    const FACTS: usize = fact::COUNT;
    const FIGURES: &'static [Figure] = figure::ALL;

    #[inline]
    fn argument(key: &[u8]) -> Argument {
        match key {
            b"op" => Argument::Fact(fact::OPERATOR),
            b"iteration" => Argument::Fact(fact::ITERATION),
            b"warmup" => Argument::Fact(fact::WARM_UP),
            b"facts" => Argument::Fact(fact::FACTS),
            b"figures" => Argument::Nested,
            _ => Argument::Skip,
        }
    }

    fn nested<'a>(_key: &[u8], cursor: &mut Cursor<'a>, figures: &mut [i64]) -> Result<(), Broken> {
        cursor.object(|key, cursor| {
            let value = cursor.value()?.as_i64();
            let position = figure::ALL.iter().position(|figure| figure.key.as_bytes() == key.raw);
            if let (Some(offset), Some(value)) = (position, value) {
                figures[offset] = value;
            }
            Ok(())
        })
    }

    fn role(label: &Label) -> Role {
        if label.raw_fact(fact::OPERATOR).is_some() {
            return Role::Operator;
        }
        match label.raw_category() {
            b"iteration" | b"plain_iteration" => Role::Mark,
            b"inference" if label.raw_name() == b"model_inference" => Role::Ignored(MODEL),
            _ => Role::Ignored(FOREIGN),
        }
    }
}

const MODEL: &str = "models";
const FOREIGN: &str = "events of other producers";

/// The closing mark of a recording.
#[derive(Deserialize)]
struct Completed {
    iterations: u64,
    events: u64,
}

/// Reads the launches and checks that they belong together.
fn read_all(sources: Vec<Source>, options: &Options) -> Result<Vec<Launch>, ImportError> {
    let mut launches: Vec<Launch> = Vec::new();
    for source in sources {
        let launch = read(source, options)?;
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

fn read(source: Source, options: &Options) -> Result<Launch, ImportError> {
    let mut trace = read_events::<Recording>(source, options)?;
    let run = run(&trace)?;
    let (operators, of_label, changed) = operators(&mut trace);
    let marks = marks(&mut trace);
    let assembled = assemble(&mut trace, &of_label, marks, 0);
    let mut events = assembled.events;
    // Other runtimes' events may lie in no iteration, and none may be known.
    let orphans = match run.converted_from {
        Some(_) => 0,
        None => drop_orphans(&mut events),
    };
    let averages = member(&trace, "averages").unwrap_or_default();
    name_threads(&mut events, member(&trace, "threads").unwrap_or_default());
    let mut launch = Launch {
        files: vec![trace.file.clone()],
        run,
        operators,
        iterations: assembled.iterations,
        iteration_threads: assembled.iteration_threads,
        events,
        averages,
        ..Launch::default()
    };
    launch
        .averages
        .retain(|average: &Average| (average.operator as usize) < launch.operators.len());
    launch.warnings = warnings(&trace, &launch, orphans, changed);
    Ok(launch)
}

/// The metadata, if it is that of a recording that this version can read.
fn run(trace: &EventTrace) -> Result<Run, ImportError> {
    let expected =
        "the metadata of an onnxray recording (\"otherData\" with \"format_version\")".to_string();
    let not_ours = |found: String| ImportError::Unexpected {
        file: trace.file.clone(),
        position: Position { line: 1, byte: 0 },
        expected: expected.clone(),
        found,
    };
    let metadata: serde_json::Value = member(trace, "otherData").unwrap_or_default();
    let version = metadata["format_version"].as_u64().unwrap_or(0);
    if version == 0 {
        return Err(not_ours("a Chrome trace without it".to_string()));
    }
    // A newer version may have other fields: ask before reading them.
    if version > u64::from(FORMAT_VERSION) {
        return Err(ImportError::NewerFormat {
            file: trace.file.clone(),
            found: version,
            known: FORMAT_VERSION,
            producer: metadata["producer"].as_str().unwrap_or("of that version").to_string(),
        });
    }
    serde_json::from_value(metadata).map_err(|error| not_ours(error.to_string()))
}

/// A member of the document; `None` if it is missing or damaged.
fn member<T: for<'a> Deserialize<'a>>(trace: &EventTrace, key: &str) -> Option<T> {
    // Unlike serde_json as it is built here, this reads every float exactly.
    simd_json::serde::from_slice(&mut trace.member(key)?.to_vec()).ok()
}

/// The operators in the order of their numbers, which are then their positions;
/// the operator of each label; and how many have facts that changed.
fn operators(trace: &mut EventTrace) -> (Vec<Operator>, Vec<Option<u32>>, usize) {
    let mut operators: BTreeMap<u32, (Operator, bool)> = BTreeMap::new();
    let mut changed = std::collections::BTreeSet::new();
    let number_of = |label: &Label| {
        let number = label.fact(fact::OPERATOR)?.as_i64()?;
        u32::try_from(number).ok()
    };
    for label in &trace.labels {
        let Some(number) = number_of(label) else { continue };
        let facts = label
            .raw_fact(fact::FACTS)
            .and_then(|raw| simd_json::serde::from_slice::<Operator>(&mut raw.to_vec()).ok());
        match (operators.get_mut(&number), facts) {
            (None, Some(facts)) => {
                operators.insert(number, (Operator { number, ..facts }, true));
            }
            (None, None) => {
                // Nothing is known of it but what its event says.
                let name = label.name().into_owned();
                let operator_type = label.category().into_owned();
                let bare = Operator { number, name, operator_type, ..Operator::default() };
                operators.insert(number, (bare, false));
            }
            (Some(stands), Some(facts)) => {
                let facts = Operator { number, ..facts };
                if !stands.1 {
                    // Its first event could not be read.
                    *stands = (facts, true);
                } else if stands.0 != facts {
                    changed.insert(number);
                }
            }
            (Some(_), None) => {}
        }
    }
    let idle: Vec<Operator> = member(trace, "idleOperators").unwrap_or_default();
    for operator in idle {
        operators.entry(operator.number).or_insert((operator, true));
    }
    let positions: BTreeMap<u32, u32> =
        operators.keys().enumerate().map(|(position, &number)| (number, position as u32)).collect();
    let of_label = trace.labels.iter().map(|label| positions.get(&number_of(label)?).copied());
    let of_label = of_label.collect();
    let operators = operators.into_values().enumerate().map(|(position, (operator, _))| Operator {
        number: position as u32,
        parent: operator.parent.and_then(|parent| positions.get(&parent).copied()),
        ..operator
    });
    (operators.collect(), of_label, changed.len())
}

/// The iterations; those without a number are counted as lost.
fn marks(trace: &mut EventTrace) -> Vec<IterationMark> {
    let mut marks = Vec::with_capacity(trace.marks.len());
    for mark in &trace.marks {
        let label = &trace.labels[mark.label as usize];
        let index = label.fact(fact::ITERATION).and_then(|value| value.as_i64());
        let Some(index) = index.and_then(|index| u32::try_from(index).ok()) else {
            let reason = format!("{:?} has no `iteration` number", label.name());
            trace.losses.add(LossKind::Unreadable, None, reason);
            continue;
        };
        let kind = match label.raw_category() {
            b"plain_iteration" => IterationKind::Plain,
            _ if label.raw_fact(fact::WARM_UP) == Some(b"true") => IterationKind::WarmUp,
            _ => IterationKind::Measured,
        };
        let (thread, start, duration) = (mark.thread, mark.start, mark.duration);
        marks.push(IterationMark { thread, kind, index: Some(index), start, duration });
    }
    marks
}

/// Gives the threads of a converted trace back what its producer called them.
fn name_threads(events: &mut Events, tracks: Vec<Track>) {
    let tracks =
        tracks.into_iter().map(|track| ((track.pid.to_string(), track.tid.to_string()), track));
    let mut tracks: BTreeMap<(String, String), Track> = tracks.collect();
    for thread in &mut events.threads {
        let key = (thread.process.clone(), thread.thread.clone());
        if let Some(Track { process, thread: name, process_name, thread_name, .. }) =
            tracks.remove(&key)
        {
            *thread = Thread { process, thread: name, process_name, thread_name };
        }
    }
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

/// What is missing, in the words of a recording.
fn warnings(trace: &EventTrace, launch: &Launch, orphans: u64, changed: usize) -> Vec<Warning> {
    let file = &trace.file;
    let mut losses = Losses::default();
    let mut warnings = Vec::new();
    let mut warn = |position, message: String, loss| {
        warnings.push(Warning { file: file.clone(), position, message, loss });
    };
    let instrumented =
        launch.iterations.iter().filter(|i| i.kind != IterationKind::Plain).count() as u64;
    let mut cut = false;
    for (kind, loss) in trace.losses.iter() {
        if kind == LossKind::EndsEarly {
            cut = true;
            let message = format!(
                "the recording ends early: {instrumented} whole iterations were read, {orphans} \
                 events of an unfinished one are left out"
            );
            warn(loss.position, message, true);
        } else {
            losses.put(kind, loss.clone());
        }
    }
    let foreign = foreign_events(trace);
    if foreign > 0 {
        warn(
            None,
            counted(
                foreign,
                "event of another producer is left out",
                "events of other producers are left out",
            ),
            true,
        );
    }
    if orphans > 0 && !cut {
        warn(
            None,
            counted(
                orphans,
                "event lies in no iteration and is left out",
                "events lie in no iteration and are left out",
            ),
            true,
        );
    }
    let events = launch.events.len() as u64;
    match member::<Completed>(trace, "completed") {
        None if !cut => {
            let message = "the closing mark is missing; nothing tells whether events are";
            warn(None, message.to_string(), true);
        }
        Some(Completed { events: all, iterations })
            if all != events || iterations != instrumented =>
        {
            let message = format!(
                "{all} events and {iterations} iterations were recorded, {events} and \
                 {instrumented} were read"
            );
            warn(None, message, true);
        }
        _ => {}
    }
    if changed > 0 {
        let message = format!(
            "the facts of {changed} operators changed during the launch; shapes, FLOPs and bytes \
             are those of its first iteration"
        );
        warn(None, message, false);
    }
    let mut all = losses.warnings(file, "events");
    all.append(&mut warnings);
    all
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
        ("instruction set", show(&a.isa), show(&b.isa)),
        ("processor", show(&a.cpu), show(&b.cpu)),
        ("engine", a.engine.clone(), b.engine.clone()),
        ("engine version", a.engine_version.clone(), b.engine_version.clone()),
    ];
    fields
        .into_iter()
        .find(|(_, a, b)| a != b)
        .map(|(name, a, b)| format!("{name} is {a} in one and {b} in the other"))
}

fn show<T: std::fmt::Display>(value: &Option<T>) -> String {
    value.as_ref().map_or("unknown".to_string(), T::to_string)
}

fn sizes(run: &Run) -> String {
    let sizes = run.dimensions.iter().map(|d| format!("{}={}", d.name, d.size));
    sizes.collect::<Vec<_>>().join(" ")
}
