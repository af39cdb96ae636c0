//! Reads a launch back, whole or cut off at any byte.
//!
//! The reader walks the top-level object and its array of events value by
//! value, so it needs no line structure: a recording that another program has
//! loaded and saved again reads the same. An event that cannot be understood is
//! counted and left out; where the file ends early, everything before stands.

use crate::event::{Iteration, IterationKind, OperatorEvents, Span};
use crate::{Nanoseconds, Operator, Position, Run, Warning};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What a trace file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Launch {
    pub file: PathBuf,
    pub run: Run,
    /// In the order of their numbers, which may have gaps. An operator whose
    /// facts were not readable has its name and type only.
    pub operators: Vec<Operator>,
    /// In order of start.
    pub iterations: Vec<Iteration>,
    pub events: OperatorEvents,
    /// Whether the recorder closed the file.
    pub complete: bool,
    /// Operators whose shapes or other facts changed during the launch; the
    /// table shows the first ones.
    pub changed_operators: Vec<u32>,
    pub warnings: Vec<Warning>,
}

/// Why a file is not a recording.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("{}: {source}", file.display())]
    Io { file: PathBuf, source: std::io::Error },
    #[error("{}: {position}: expected {expected}, found {found}", file.display())]
    NotARecording { file: PathBuf, position: Position, expected: &'static str, found: String },
    #[error(
        "{}: the recording has format version {found}; this onnxray reads up to version {known}\n\
         hint: read it with the onnxray that wrote it, {producer}",
        file.display()
    )]
    NewerFormat { file: PathBuf, found: u64, known: u32, producer: String },
}

/// Reads the trace at `file`.
pub fn read_launch(file: &Path) -> Result<Launch, ReadError> {
    let bytes =
        fs::read(file).map_err(|source| ReadError::Io { file: file.to_path_buf(), source })?;
    read_launch_bytes(file, &bytes)
}

/// Reads a trace from memory; `file` is for messages.
pub fn read_launch_bytes(file: &Path, bytes: &[u8]) -> Result<Launch, ReadError> {
    let mut reader =
        Reader { file, cursor: Cursor { bytes, at: 0 }, contents: Contents::default() };
    let end = reader.walk()?;
    reader.finish(end)
}

/// How reading ended: at the end of the document, or where it breaks off.
enum End {
    Whole,
    Cut { at: usize },
}

struct Reader<'a> {
    file: &'a Path,
    cursor: Cursor<'a>,
    contents: Contents,
}

/// What was found so far.
#[derive(Default)]
struct Contents {
    metadata: Option<Value>,
    /// Whether the array of events was found.
    begun: bool,
    operators: BTreeMap<u32, Operator>,
    changed_operators: Vec<u32>,
    iterations: Vec<Iteration>,
    spans: Vec<Span>,
    completed: Option<Completed>,
    /// Position of the first bad event, its description, and how many there are.
    bad: Option<(usize, String, u64)>,
    foreign_events: u64,
}

#[derive(Deserialize)]
struct Completed {
    iterations: u64,
    events: u64,
}

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    cat: Cow<'a, str>,
    #[serde(borrow)]
    ph: Cow<'a, str>,
    ts: Option<f64>,
    dur: Option<f64>,
    args: Option<Arguments>,
}

#[derive(Default, Deserialize)]
struct Arguments {
    op: Option<u32>,
    iteration: Option<u32>,
    #[serde(default)]
    warmup: bool,
    facts: Option<Operator>,
}

impl Reader<'_> {
    fn walk(&mut self) -> Result<End, ReadError> {
        if self.cursor.next_byte() != Some(b'{') {
            return Err(self.not_a_recording("a JSON object with \"traceEvents\""));
        }
        self.cursor.at += 1;
        loop {
            let key: String = match self.cursor.value() {
                Ok(key) => key,
                Err(_) if self.cursor.next_byte() == Some(b'}') => return Ok(End::Whole),
                Err(Broken::Cut) => return Ok(End::Cut { at: self.cursor.at }),
                // Damage behind the events takes nothing from them.
                Err(Broken::Invalid(_)) if self.contents.begun => {
                    return Ok(End::Cut { at: self.cursor.at });
                }
                Err(Broken::Invalid(_)) => {
                    return Err(self.not_a_recording("a member of the object"));
                }
            };
            if self.cursor.next_byte() == Some(b':') {
                self.cursor.at += 1;
            }
            let read = match key.as_str() {
                "traceEvents" => match self.events()? {
                    End::Whole => Ok(()),
                    cut => return Ok(cut),
                },
                "otherData" => self.cursor.value().map(|data| self.contents.metadata = Some(data)),
                "idleOperators" => self.cursor.value().map(|idle: Vec<Operator>| {
                    let named = idle.into_iter().map(|operator| (operator.number, operator));
                    self.contents.operators.extend(named);
                }),
                "completed" => {
                    self.cursor.value().map(|completed| self.contents.completed = Some(completed))
                }
                _ => self.cursor.value().map(|IgnoredAny| ()),
            };
            match read {
                Ok(()) => {}
                Err(Broken::Cut) => return Ok(End::Cut { at: self.cursor.at }),
                Err(Broken::Invalid(_)) if self.contents.begun => {
                    return Ok(End::Cut { at: self.cursor.at });
                }
                Err(Broken::Invalid(_)) => return Err(self.not_a_recording("a JSON value")),
            }
            if self.cursor.next_byte() == Some(b',') {
                self.cursor.at += 1;
            }
        }
    }

    fn events(&mut self) -> Result<End, ReadError> {
        match self.cursor.next_byte() {
            Some(b'[') => {
                self.cursor.at += 1;
                self.contents.begun = true;
            }
            Some(_) => return Err(self.not_a_recording("an array of events")),
            None => return Ok(End::Cut { at: self.cursor.at }),
        }
        loop {
            match self.cursor.next_byte() {
                Some(b']') => {
                    self.cursor.at += 1;
                    return Ok(End::Whole);
                }
                Some(b',') => {
                    self.cursor.at += 1;
                    continue;
                }
                Some(_) => {}
                None => return Ok(End::Cut { at: self.cursor.at }),
            }
            let start = self.cursor.at;
            // Step over the value first: an event with a wrong type in it is
            // still one value, and the next one begins where it ends.
            match self.cursor.value::<&serde_json::value::RawValue>() {
                Ok(raw) => match serde_json::from_str::<Event>(raw.get()) {
                    Ok(event) => {
                        if let Err(reason) = self.contents.take(event) {
                            self.contents.count_bad(start, reason);
                        }
                    }
                    Err(error) => self.contents.count_bad(start, error.to_string()),
                },
                Err(Broken::Cut) => return Ok(End::Cut { at: start }),
                Err(Broken::Invalid(reason)) => {
                    self.contents.count_bad(start, reason);
                    if !self.cursor.skip_line() {
                        return Ok(End::Cut { at: start });
                    }
                }
            }
        }
    }

    fn finish(self, end: End) -> Result<Launch, ReadError> {
        let Reader { file, cursor, contents } = self;
        let mut warnings = Vec::new();
        let mut warn = |byte: Option<usize>, message: String| {
            let position = byte.map(|byte| Position::of(cursor.bytes, byte));
            warnings.push(Warning { file: file.to_path_buf(), position, message, loss: true });
        };
        let not_ours = |found: String| ReadError::NotARecording {
            file: file.to_path_buf(),
            position: Position::of(cursor.bytes, cursor.at),
            expected: "the metadata of an onnxray recording (\"otherData\" with \"format_version\")",
            found,
        };
        let metadata = contents.metadata.unwrap_or_default();
        let version = metadata["format_version"].as_u64().unwrap_or(0);
        if version == 0 {
            return Err(not_ours(match end {
                End::Cut { .. } => "the end of the file".to_string(),
                End::Whole => "a Chrome trace without it".to_string(),
            }));
        }
        // A newer version may have other fields: ask before reading them.
        if version > u64::from(crate::FORMAT_VERSION) {
            return Err(ReadError::NewerFormat {
                file: file.to_path_buf(),
                found: version,
                known: crate::FORMAT_VERSION,
                producer: metadata["producer"].as_str().unwrap_or("of that version").to_string(),
            });
        }
        let run: Run =
            serde_json::from_value(metadata).map_err(|error| not_ours(error.to_string()))?;
        if let Some((byte, reason, count)) = contents.bad {
            let others = match count {
                1 => String::new(),
                _ => format!(" ({} more like it further on)", count - 1),
            };
            warn(Some(byte), format!("event left out: {reason}{others}"));
        }
        if contents.foreign_events > 0 {
            warn(None, format!("{} events of other producers left out", contents.foreign_events));
        }
        let mut iterations = contents.iterations;
        iterations.sort_by_key(|iteration| iteration.start);
        let events = assign_iterations(&contents.spans, &iterations);
        let orphans = contents.spans.len() - events.len();
        if let End::Cut { at } = end {
            warn(
                Some(at),
                format!(
                    "the recording ends early: {} whole iterations were read, {orphans} events of an \
                     unfinished one are left out",
                    iterations.iter().filter(|i| i.kind != IterationKind::Plain).count()
                ),
            );
        } else if orphans > 0 {
            warn(None, format!("{orphans} events lie in no iteration and are left out"));
        }
        if matches!(end, End::Whole) && contents.completed.is_none() {
            warn(None, "the closing mark is missing; nothing tells whether events are".to_string());
        }
        if let (End::Whole, Some(completed)) = (&end, &contents.completed) {
            let instrumented =
                iterations.iter().filter(|i| i.kind != IterationKind::Plain).count() as u64;
            if completed.events != events.len() as u64 || completed.iterations != instrumented {
                warn(
                    None,
                    format!(
                        "{} events and {} iterations were recorded, {} and {instrumented} were read",
                        completed.events,
                        completed.iterations,
                        events.len(),
                    ),
                );
            }
        }
        Ok(Launch {
            file: file.to_path_buf(),
            run,
            operators: contents.operators.into_values().collect(),
            iterations,
            events,
            complete: matches!(end, End::Whole) && contents.completed.is_some(),
            changed_operators: contents.changed_operators,
            warnings,
        })
    }

    fn not_a_recording(&self, expected: &'static str) -> ReadError {
        let rest = &self.cursor.bytes[self.cursor.at.min(self.cursor.bytes.len())..];
        let found = match rest {
            [] => "the end of the file".to_string(),
            rest => {
                let shown = String::from_utf8_lossy(&rest[..rest.len().min(24)]);
                format!("{:?}", shown.trim_end_matches('\u{fffd}'))
            }
        };
        let position = Position::of(self.cursor.bytes, self.cursor.at);
        ReadError::NotARecording { file: self.file.to_path_buf(), position, expected, found }
    }
}

impl Contents {
    fn take(&mut self, event: Event) -> Result<(), String> {
        if event.ph != "X" {
            // Thread names are metadata; anything else is not ours.
            self.foreign_events += u64::from(event.ph != "M");
            return Ok(());
        }
        let time = |value: Option<f64>, what: &str| {
            value
                .and_then(Nanoseconds::from_microseconds)
                .ok_or_else(|| format!("{:?} has no usable {what}", event.name))
        };
        let (start, duration) = (time(event.ts, "`ts`")?, time(event.dur, "`dur`")?);
        let arguments = event.args.unwrap_or_default();
        let kind = match &*event.cat {
            "inference" if event.name == "model_inference" => return Ok(()),
            "iteration" if arguments.op.is_none() && arguments.warmup => IterationKind::WarmUp,
            "iteration" if arguments.op.is_none() => IterationKind::Measured,
            "plain_iteration" if arguments.op.is_none() => IterationKind::Plain,
            _ => {
                let Some(operator) = arguments.op else {
                    self.foreign_events += 1;
                    return Ok(());
                };
                self.take_facts(operator, &event.name, &event.cat, arguments.facts);
                self.spans.push(Span { operator, start, duration });
                return Ok(());
            }
        };
        let index = arguments
            .iteration
            .ok_or_else(|| format!("{:?} has no `iteration` number", event.name))?;
        self.iterations.push(Iteration { index, kind, start, duration });
        Ok(())
    }

    fn take_facts(&mut self, number: u32, name: &str, category: &str, facts: Option<Operator>) {
        match (self.operators.get_mut(&number), facts) {
            (None, Some(facts)) => {
                self.operators.insert(number, Operator { number, ..facts });
            }
            (None, None) => {
                let (name, operator_type) = (name.to_string(), category.to_string());
                let operator = Operator { number, name, operator_type, ..Operator::default() };
                self.operators.insert(number, operator);
            }
            (Some(known), Some(facts)) if *known != facts => {
                let nameless = known.inputs.is_empty() && known.outputs.is_empty();
                if nameless {
                    // Its first event could not be read.
                    *known = Operator { number, ..facts };
                } else if !self.changed_operators.contains(&number) {
                    self.changed_operators.push(number);
                }
            }
            _ => {}
        }
    }

    fn count_bad(&mut self, byte: usize, reason: String) {
        match &mut self.bad {
            Some((_, _, count)) => *count += 1,
            None => self.bad = Some((byte, reason, 1)),
        }
    }
}

/// Gives each span the instrumented iteration that contains it, and drops the
/// spans that none does.
fn assign_iterations(spans: &[Span], iterations: &[Iteration]) -> OperatorEvents {
    let instrumented: Vec<usize> = (0..iterations.len())
        .filter(|&index| iterations[index].kind != IterationKind::Plain)
        .collect();
    let mut events = OperatorEvents::default();
    for &span in spans {
        let after = instrumented.partition_point(|&index| iterations[index].start <= span.start);
        let container = after.checked_sub(1).map(|before| instrumented[before]);
        if let Some(index) = container.filter(|&index| span.end() <= iterations[index].end()) {
            events.push(index as u32, span);
        }
    }
    events
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

enum Broken {
    /// The input ends within the value.
    Cut,
    Invalid(String),
}

impl<'a> Cursor<'a> {
    /// Skips white space and shows the next byte.
    fn next_byte(&mut self) -> Option<u8> {
        while let Some(byte) = self.bytes.get(self.at) {
            if !byte.is_ascii_whitespace() {
                return Some(*byte);
            }
            self.at += 1;
        }
        None
    }

    /// Reads one JSON value and moves behind it; stays where it is on failure.
    fn value<T: Deserialize<'a>>(&mut self) -> Result<T, Broken> {
        let rest = &self.bytes[self.at..];
        let mut stream = serde_json::Deserializer::from_slice(rest).into_iter::<T>();
        match stream.next() {
            Some(Ok(value)) => {
                self.at += stream.byte_offset();
                Ok(value)
            }
            Some(Err(error)) if !error.is_eof() => Err(Broken::Invalid(error.to_string())),
            _ => Err(Broken::Cut),
        }
    }

    /// Moves behind the next newline; false if there is none.
    fn skip_line(&mut self) -> bool {
        match self.bytes[self.at..].iter().position(|&byte| byte == b'\n') {
            Some(newline) => {
                self.at += newline + 1;
                true
            }
            None => false,
        }
    }
}
