//! One event, read straight into the columns of its slice.

use super::label::{self, Interner, Label, MOST_FACTS};
use super::names::{Names, identity};
use super::time;
use crate::damage::{Damage, DamageKind};
use crate::figure::{self, Figure};
use crate::json::{Broken, Cursor, Text, Value};
use crate::packed::{NO_VALUE, Packed};
use onnxray_format::Position;
use std::collections::BTreeMap;

/// The most figures that a format may have: all that there are, and one that says what belongs
/// together.
const MOST_FIGURES: usize = figure::ALL.len() + 1;

/// What a format makes of a member of an event's `args`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// Part of the event's label: it describes the operator.
    Fact(usize),
    /// A number of this execution.
    Figure(usize),
    /// Holds figures: [`EventFormat::nested`] reads it.
    Nested,
    /// Of no use.
    Skip,
    /// Nothing that its producer writes.
    Unknown,
}

/// Which members of `args` an event has, of those that its format looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Members(u64);

impl Members {
    fn bit(member: Argument) -> u64 {
        match member {
            Argument::Fact(number) => 1 << number,
            Argument::Figure(number) => 1 << (MOST_FACTS + number),
            Argument::Nested => 1 << (MOST_FACTS + MOST_FIGURES),
            Argument::Skip | Argument::Unknown => 0,
        }
    }

    #[inline]
    fn add(&mut self, member: Argument) {
        self.0 |= Members::bit(member);
    }

    /// Whether the event has all that another one has.
    pub(crate) fn include(self, other: Members) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the event has this one.
    pub fn has(self, member: Argument) -> bool {
        self.0 & Members::bit(member) != 0
    }
}

/// What is known of a label beside what its events have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct First {
    /// Where its first event stands.
    pub position: Position,
    /// What its events have.
    pub members: Members,
}

/// What events of a label are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Executions of an operator.
    Operator,
    /// Few events that the format looks at one by one: iterations.
    Mark,
    /// Counted under this name.
    Ignored(&'static str),
    /// Nothing that the producer is known to write: counted as lost.
    Unknown,
}

/// A producer's way of writing Chrome traces.
pub trait EventFormat: Sync {
    /// How many facts a label has.
    const FACTS: usize;
    /// Numbers that executions may have, in the order of their columns.
    const FIGURES: &'static [Figure];
    /// Whether the array of events may end without its bracket.
    const MAY_STAY_OPEN: bool = false;
    /// Whether the producer is known not to escape backslashes, so that one before any
    /// other character is what it was.
    const LONE_BACKSLASHES: bool = false;
    /// Whether executions of one label have the same figures, so that one that lacks a
    /// figure is damaged.
    const EVEN_FIGURES: bool = true;

    /// What becomes of a member of `args`, by its key.
    fn argument(key: &[u8]) -> Argument;

    /// Reads the value behind the cursor into the figures, and says if it could not
    /// be understood.
    ///
    /// # Errors
    ///
    /// If the value is cut or malformed.
    fn nested<'a>(
        _key: &[u8],
        cursor: &mut Cursor<'a>,
        _figures: &mut [i64],
        _fault: &mut Option<Fault>,
    ) -> Result<(), Broken> {
        cursor.skip().map(|_| ())
    }

    /// What the events of a label are; asked once per label.
    fn role(label: &Label) -> Role;
}

/// Reads a figure; [`NO_VALUE`] where there is none, and a fault where there should
/// be one.
///
/// # Errors
///
/// If the value is cut or malformed.
#[inline]
pub fn figure(cursor: &mut Cursor<'_>, fault: &mut Option<Fault>) -> Result<i64, Broken> {
    let mut again = *cursor;
    match cursor.whole()? {
        Some(number) => Ok(number),
        None => no_figure(again.value()?, fault),
    }
}

#[inline]
fn number_or_name<'a>(value: Value<'a>, fault: &mut Option<Fault>) -> &'a [u8] {
    if let Value::Number(raw) = value
        && raw.iter().any(u8::is_ascii_alphabetic)
    {
        fault.get_or_insert((DamageKind::Member, "a process or thread that is not a number"));
    }
    identity(value)
}

/// `null` and an empty string say that there is none. What lies between two whole
/// numbers is rounded.
#[cold]
fn no_figure(value: Value<'_>, fault: &mut Option<Fault>) -> Result<i64, Broken> {
    if matches!(value, Value::Word(b"null") | Value::Text(Text { raw: b"", .. })) {
        return Ok(NO_VALUE);
    }
    match value.as_f64().filter(|number| number.abs() < 9e15) {
        Some(number) => Ok(number.round() as i64),
        None => {
            fault.get_or_insert((DamageKind::Member, "a figure that is not a number"));
            Ok(NO_VALUE)
        }
    }
}

/// Executions of operators, as the slice has them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// Number of the label of each.
    pub label: Vec<u32>,
    /// Number of the thread of each.
    pub thread: Vec<u32>,
    /// Nanoseconds; may be negative.
    pub start: Vec<i64>,
    /// Nanoseconds.
    pub duration: Vec<u64>,
    /// A column per figure of the format.
    pub figures: Vec<Packed>,
}

impl Rows {
    /// The rows at these positions.
    pub fn select(&self, positions: &[usize]) -> Rows {
        Rows {
            label: positions.iter().map(|&offset| self.label[offset]).collect(),
            thread: positions.iter().map(|&offset| self.thread[offset]).collect(),
            start: positions.iter().map(|&offset| self.start[offset]).collect(),
            duration: positions.iter().map(|&offset| self.duration[offset]).collect(),
            figures: self.figures.iter().map(|column| column.select(positions)).collect(),
        }
    }
}

/// An event that the format looks at by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Single {
    /// Number of its label.
    pub label: u32,
    /// Number of its thread.
    pub thread: u32,
    /// Nanoseconds; may be negative.
    pub start: i64,
    /// Nanoseconds.
    pub duration: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) begins: bool,
    /// Number of its label; an end without a name has none.
    pub(crate) label: Option<u32>,
    pub(crate) thread: u32,
    pub(crate) time: i64,
}

#[derive(Default)]
pub(crate) struct Chunk {
    pub(crate) labels: Interner,
    roles: Vec<Role>,
    members: Vec<Members>,
    /// The byte at which the first event of each label begins.
    offsets: Vec<usize>,
    /// Bytes at which events begin that were first and lack a figure of a later one.
    uneven: Vec<usize>,
    /// Of each label, when the slice is read.
    pub(crate) first: Vec<First>,
    /// The byte at which the event at hand begins.
    pub(crate) offset: usize,
    pub(crate) threads: Interner,
    pub(crate) rows: Rows,
    figures: Vec<Vec<i64>>,
    pub(crate) marks: Vec<Single>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) names: Names,
    pub(crate) ignored: BTreeMap<&'static str, u64>,
    /// Events of other phases, such as flows and counters.
    pub(crate) phases: BTreeMap<u8, u64>,
    scratch: Vec<u8>,
}

/// What is wrong with a well-formed event.
pub type Fault = (DamageKind, &'static str);

/// Why an execution is thought to lack a figure.
pub(crate) const UNEVEN: &str = "another execution of the same operator has other figures";

/// The letters that an event's phase may be.
const PHASES: &[u8] = b"XBEMistfICRbneSTpFNODPVvc";

impl Chunk {
    /// A chunk for a slice of this many bytes.
    pub(crate) fn new<F: EventFormat>(bytes: usize) -> Chunk {
        // Most events have more bytes than this; the others make it grow.
        let events = bytes / 512;
        let rows = Rows {
            label: Vec::with_capacity(events),
            thread: Vec::with_capacity(events),
            start: Vec::with_capacity(events),
            duration: Vec::with_capacity(events),
            figures: Vec::new(),
        };
        let figures = F::FIGURES.iter().map(|_| Vec::with_capacity(events)).collect();
        Chunk { rows, figures, ..Chunk::default() }
    }

    /// Reads the event behind the cursor and says what was wrong with it.
    #[inline]
    pub(crate) fn read<F: EventFormat>(
        &mut self,
        cursor: &mut Cursor<'_>,
    ) -> Result<Option<Fault>, Broken> {
        const { assert!(F::FACTS <= MOST_FACTS && F::FIGURES.len() <= MOST_FIGURES) };
        let event = *cursor;
        let mut name = None;
        let mut category = Text::default();
        let mut phase = None;
        let (mut process, mut thread): (&[u8], Option<&[u8]>) = (b"", None);
        let (mut start, mut duration) = (None, None);
        let mut facts: [Option<&[u8]>; MOST_FACTS] = [None; MOST_FACTS];
        let mut figures = [NO_VALUE; MOST_FIGURES];
        let mut fault = None;
        let mut members = Members::default();
        let mut is_known = true;
        cursor.object(|key, cursor| {
            // Members come in any order, and are read where they are: no map of them is made.
            match key.raw {
                b"name" => match cursor.value()? {
                    Value::Text(text) => name = Some(text),
                    Value::Number(raw) => name = Some(Text { raw, escaped: false }),
                    _ => {}
                },
                b"cat" => {
                    if let Value::Text(text) = cursor.value()? {
                        category = text;
                    }
                }
                b"ph" => {
                    if let Value::Text(Text { raw: &[letter], .. }) = cursor.value()? {
                        phase = Some(letter);
                    }
                }
                b"ts" => start = Some(time::nanoseconds(cursor.value()?)),
                b"dur" => duration = Some(time::nanoseconds(cursor.value()?)),
                b"pid" => process = number_or_name(cursor.value()?, &mut fault),
                b"tid" => thread = Some(number_or_name(cursor.value()?, &mut fault)),
                // `args` that are not an object are as good as none.
                b"args" if cursor.peek() == Some(b'{') => cursor.object(|key, cursor| {
                    let member = F::argument(key.raw);
                    members.add(member);
                    match member {
                        // Facts stay as they are written: they are understood once per label, not
                        // once per event.
                        Argument::Fact(number) => facts[number] = Some(cursor.skip()?),
                        Argument::Figure(number) => {
                            figures[number] = figure(cursor, &mut fault)?;
                        }
                        Argument::Nested => {
                            F::nested(key.raw, cursor, &mut figures, &mut fault)?;
                        }
                        Argument::Skip | Argument::Unknown => {
                            is_known &= member == Argument::Skip;
                            cursor.skip()?;
                        }
                    }
                    Ok(())
                })?,
                _ => {
                    cursor.skip()?;
                }
            }
            Ok(())
        })?;
        // The name of what begins may stand at its end.
        let is_nameless = name.is_none() && !matches!(phase, Some(b'B' | b'E'));
        let fault = fault.or(is_nameless.then_some((DamageKind::Nameless, "no `name`")));
        let Some(phase) = phase.filter(|phase| PHASES.contains(phase)) else {
            // Some end their events with one that is empty, which saves them a comma.
            let text = &event.bytes[event.offset..cursor.offset];
            let is_empty = text.iter().all(|byte| b"{} \t\r\n".contains(byte));
            let fault = (DamageKind::NotARecord, "an object without a phase (`ph`)");
            return Ok((!is_empty).then_some(fault));
        };
        // The first thread of a process has its number.
        let thread = thread.unwrap_or(process);
        if !matches!(phase, b'X' | b'B' | b'E') {
            // Only what begins and ends takes time: the letter is wrong, and an execution is lost.
            if duration.flatten().is_some_and(|duration| duration > 0) {
                return Ok(Some((
                    DamageKind::UnknownKind,
                    "its phase (`ph`), which takes no time",
                )));
            }
            *self.phases.entry(phase).or_default() += 1;
            if phase == b'M' {
                self.names.read(event);
            }
            return Ok(fault);
        }
        let unknown = (DamageKind::Member, "an argument (`args`) that its producer does not write");
        let fault = fault.or((!is_known).then_some(unknown));
        let Some(start) = start.flatten() else {
            return Ok(Some((DamageKind::NoTime, "no usable start (`ts`)")));
        };
        // Begins and ends (`B`, `E`) get theirs when they are paired.
        let duration = match (phase, duration) {
            (b'X', Some(Some(duration))) => match time::length(duration) {
                Ok(duration) => duration,
                Err(reason) => return Ok(Some((DamageKind::NoTime, reason))),
            },
            (b'X', Some(None)) => {
                return Ok(Some((DamageKind::NoTime, "a duration that is not a time (`dur`)")));
            }
            (b'X', None) => return Ok(Some((DamageKind::NoTime, "no duration (`dur`)"))),
            _ => 0,
        };
        // An end without a name ends what began last on its thread.
        if phase == b'E' && name.is_none() {
            let thread = self.thread(process, thread);
            self.edges.push(Edge { begins: false, label: None, thread, time: start });
            return Ok(None);
        }
        // Compared as bytes, labels cost one hash per event and no allocation.
        label::encode(&mut self.scratch, name, category, &facts[..F::FACTS]);
        let (label, new) = self.labels.intern(&self.scratch);
        if new {
            self.roles.push(F::role(&Label(self.scratch.as_slice().into())));
            self.members.push(members);
            self.offsets.push(self.offset);
        }
        if phase == b'E' {
            let thread = self.thread(process, thread);
            self.edges.push(Edge { begins: false, label: Some(label), thread, time: start });
            return Ok(None);
        }
        let role = self.roles[label as usize];
        let known = &mut self.members[label as usize];
        let mut fault = fault;
        // Executions of one operator have the same figures: one that lacks some was damaged,
        // unless the first was.
        if F::EVEN_FIGURES && *known != members {
            match members.include(*known) {
                true => {
                    *known = members;
                    self.uneven.push(self.offsets[label as usize]);
                }
                false => _ = fault.get_or_insert((DamageKind::Missing, UNEVEN)),
            }
        }
        match role {
            Role::Ignored(kind) if phase == b'X' => {
                *self.ignored.entry(kind).or_default() += 1;
                return Ok(fault);
            }
            Role::Unknown => return Ok(Some((DamageKind::UnknownKind, "its category (`cat`)"))),
            _ => {}
        }
        let thread = self.thread(process, thread);
        if phase == b'B' {
            self.edges.push(Edge { begins: true, label: Some(label), thread, time: start });
        } else if role == Role::Mark {
            self.marks.push(Single { label, thread, start, duration });
        } else {
            self.rows.label.push(label);
            self.rows.thread.push(thread);
            self.rows.start.push(start);
            self.rows.duration.push(duration);
            for (column, &value) in self.figures.iter_mut().zip(&figures) {
                column.push(value);
            }
        }
        Ok(fault)
    }

    #[inline]
    fn thread(&mut self, process: &[u8], thread: &[u8]) -> u32 {
        self.scratch.clear();
        self.scratch.extend_from_slice(process);
        self.scratch.push(0);
        self.scratch.extend_from_slice(thread);
        self.threads.intern(&self.scratch).0
    }

    /// Packs the figures and finds the lines of the first events, when the slice is read.
    pub(crate) fn finish(&mut self, bytes: &[u8], damage: &mut Damage) {
        for &offset in &self.uneven {
            damage.add_at(DamageKind::Missing, bytes, offset, UNEVEN);
        }
        let figures = std::mem::take(&mut self.figures);
        self.rows.figures = figures.iter().map(|column| Packed::new(column)).collect();
        let (mut line, mut counted) = (1, 0);
        let first = self.offsets.iter().zip(&self.members).map(|(&offset, &members)| {
            line += memchr::memchr_iter(b'\n', &bytes[counted..offset]).count() as u64;
            counted = offset;
            First { position: Position { line, byte: offset as u64 }, members }
        });
        self.first = first.collect();
    }
}
