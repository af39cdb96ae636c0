//! Accepts slices in order, and reads again what was cut in the wrong place.

use super::characters;
use super::event::{Chunk, Edge, EventFormat, First, Single, UNEVEN};
use super::feed::{Feed, Front, MISSING_COMMA, MOST_METADATA, Slice};
use super::label::{Interner, Label};
use super::marks::MarkPattern;
use super::names::{Names, decode};
use super::pair::pair;
use super::slice::{How, Reading, Separator, Stopped, read};
use super::trace::{EventTrace, Member};
use crate::damage::{Damage, DamageKind};
use crate::json::{Broken, Cursor};
use crate::source::Source;
use crate::{ImportError, Thread};
use onnxray_failsafe::beside;
use onnxray_format::Position;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How events are read.
#[derive(Clone, Debug)]
pub struct Options {
    /// Bytes of a slice, about.
    pub slice_bytes: usize,
    /// Threads that read slices; by default as many as there are cores.
    pub workers: usize,
    /// Names of the events that mark iterations, if the format does not know them.
    pub iteration_marks: Option<MarkPattern>,
}

impl Default for Options {
    fn default() -> Options {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        Options { slice_bytes: 1 << 19, workers, iteration_marks: None }
    }
}

/// An event this large is damage.
const MOST_EVENT: usize = 64 << 20;
/// This many buffers are kept for further slices, and of this many bytes each.
const MOST_SPARE: usize = 8;
const MOST_SPARE_BYTES: usize = 4 << 20;
/// This many slices may wait for one before them.
const MOST_WAITING: u64 = 8;

/// Reads all events of an input.
///
/// # Errors
///
/// If the input cannot be read, or holds no array of events.
pub fn read_events<F: EventFormat>(
    source: Source,
    options: &Options,
) -> Result<EventTrace, ImportError> {
    let file = source.path().to_path_buf();
    let (feed, front) = Feed::open::<F>(source, options.slice_bytes.max(64))?;
    let separator = feed.separator.clone();
    let merger = Merger::new::<F>(front, separator.clone());
    let shared =
        Shared { feed: Mutex::new(feed), merger: Mutex::new(merger), moved: Condvar::new() };
    std::thread::scope(|scope| {
        for _ in 1..options.workers.max(1) {
            beside(scope, || work::<F>(&shared, &separator));
        }
        work::<F>(&shared, &separator);
    });
    let damage = into_inner(shared.feed).damage;
    let mut trace = into_inner(shared.merger).finish::<F>(damage);
    trace.file = file;
    trace.figures = F::FIGURES;
    Ok(trace)
}

struct Shared {
    feed: Mutex<Feed>,
    merger: Mutex<Merger>,
    /// The merger has moved on.
    moved: Condvar,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Takes slices and reads them until there are no more.
fn work<F: EventFormat>(shared: &Shared, separator: &Separator) {
    loop {
        let buffer = lock(&shared.merger).spare.pop().unwrap_or_default();
        let Some(slice) = lock(&shared.feed).next(buffer) else { return };
        // The merger needs the slice that is behind, which another has taken.
        let mut merger = lock(&shared.merger);
        while slice.number > merger.next + MOST_WAITING {
            merger = shared.moved.wait(merger).unwrap_or_else(PoisonError::into_inner);
        }
        drop(merger);
        let how = How { last: slice.last, ends_between: slice.ends_between };
        let reading = read::<F>(&slice.bytes, separator, how);
        let lines = memchr::memchr_iter(b'\n', &slice.bytes).count() as u64;
        let mut merger = lock(&shared.merger);
        merger.waiting.insert(slice.number, (slice, reading, lines));
        while let Some((slice, reading, lines)) = merger.take_next() {
            merger.accept::<F>(slice, reading, lines);
        }
        shared.moved.notify_all();
    }
}

struct Merger {
    /// Number of the slice that comes next.
    next: u64,
    waiting: BTreeMap<u64, (Slice, Reading, u64)>,
    spare: Vec<Vec<u8>>,
    separator: Separator,
    /// What stands in front of the slice that comes next.
    lines: u64,
    bytes: u64,
    /// Bytes of slices before the next one that are not read: an event that was
    /// cut, or, behind the end of the events, the rest of the document.
    leftover: Vec<u8>,
    /// Where the leftover begins.
    leftover_at: (u64, u64),
    /// Bytes below which it is not read again, so that what does not end is not read once
    /// for each slice.
    readable_from: usize,
    closed: bool,
    /// Whether there is more behind the events than may be.
    too_large_behind: bool,
    in_object: bool,
    /// Whether the bracket that closes the events may be missing.
    may_stay_open: bool,
    /// Where and why the input ends early.
    early: Option<(Position, String)>,
    /// Inside something too large to be an event.
    lost: bool,
    labels: Interner,
    threads: HashMap<Thread, u32>,
    names: Names,
    edges: Vec<Edge>,
    trace: EventTrace,
}

impl Merger {
    fn new<F: EventFormat>(front: Front, separator: Separator) -> Merger {
        Merger {
            next: 0,
            waiting: BTreeMap::new(),
            spare: Vec::new(),
            separator,
            lines: front.lines,
            bytes: front.bytes,
            leftover: Vec::new(),
            leftover_at: (0, 0),
            readable_from: 0,
            closed: false,
            too_large_behind: false,
            in_object: front.in_object,
            may_stay_open: F::MAY_STAY_OPEN && !front.in_object,
            early: None,
            lost: false,
            labels: Interner::default(),
            threads: HashMap::new(),
            names: Names::default(),
            edges: Vec::new(),
            trace: EventTrace {
                members: front.members,
                damage: front.damage,
                ..EventTrace::default()
            },
        }
    }

    fn take_next(&mut self) -> Option<(Slice, Reading, u64)> {
        let next = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(next)
    }

    fn accept<F: EventFormat>(&mut self, slice: Slice, reading: Reading, lines: u64) {
        let Slice { mut bytes, last, ends_between, .. } = slice;
        let (before_lines, before_bytes) = (self.lines, self.bytes);
        self.lines += lines;
        self.bytes += bytes.len() as u64;
        if self.closed {
            if self.leftover.len() + bytes.len() <= MOST_METADATA {
                self.leftover.extend_from_slice(&bytes);
            } else {
                self.too_large_behind = true;
            }
            self.keep(bytes);
            return;
        }
        if self.lost {
            // Go on at the first place where two events seem to meet.
            let Some(offset) = self.separator.find(&bytes, 0) else {
                self.lost = !ends_between;
                self.keep(bytes);
                return;
            };
            self.lost = false;
            let passed = memchr::memchr_iter(b'\n', &bytes[..offset]).count() as u64;
            self.leftover_at = (before_lines + passed, before_bytes + offset as u64);
            self.leftover = bytes.split_off(offset);
            bytes.clear();
        } else if self.leftover.is_empty() {
            self.leftover_at = (before_lines, before_bytes);
            return self.take::<F>(reading, bytes, last);
        }
        let mut joined = std::mem::take(&mut self.leftover);
        joined.append(&mut bytes);
        self.keep(bytes);
        if joined.len() < self.readable_from && !last {
            self.leftover = joined;
            return;
        }
        let how = How { last, ends_between };
        let reading = read::<F>(&joined, &self.separator, how);
        self.take::<F>(reading, joined, last);
    }

    /// Adds what was read of `bytes`, which begin at `leftover_at`.
    fn take<F: EventFormat>(&mut self, reading: Reading, mut bytes: Vec<u8>, last: bool) {
        let Reading { chunk, mut damage, stopped } = reading;
        self.readable_from = 0;
        damage.shift(self.leftover_at.0, self.leftover_at.1);
        self.trace.damage.merge(damage);
        self.merge::<F>(chunk, self.leftover_at);
        let offset = match stopped {
            Stopped::Clean => {
                if last && !self.may_stay_open {
                    self.ends_early("the bracket that closes the events is missing");
                }
                self.keep(bytes);
                return;
            }
            Stopped::Incomplete { offset } => offset,
            Stopped::Closed { offset } => {
                self.closed = true;
                offset
            }
        };
        let passed = memchr::memchr_iter(b'\n', &bytes[..offset]).count() as u64;
        self.leftover_at = (self.leftover_at.0 + passed, self.leftover_at.1 + offset as u64);
        if !self.closed && bytes.len() - offset > MOST_EVENT {
            let position = Some(self.position());
            self.trace.damage.add(DamageKind::TooLarge, position, "");
            self.lost = true;
            return;
        }
        if !self.closed && last {
            let length = bytes.len() - offset;
            self.ends_early(&format!("an event of which {length} bytes are there is left out"));
            return;
        }
        if offset == 0 {
            self.readable_from = 2 * bytes.len();
            self.leftover = bytes;
            return;
        }
        self.leftover = bytes.split_off(offset);
        self.keep(bytes);
    }

    /// Keeps a buffer for another slice, if it is not one that became large.
    fn keep(&mut self, buffer: Vec<u8>) {
        if self.spare.len() < MOST_SPARE && buffer.capacity() <= MOST_SPARE_BYTES {
            self.spare.push(buffer);
        }
    }

    fn position(&self) -> Position {
        Position { line: self.leftover_at.0 + 1, byte: self.leftover_at.1 }
    }

    fn ends_early(&mut self, reason: &str) {
        let position = Position { line: self.lines + 1, byte: self.bytes };
        self.early = Some((position, reason.to_string()));
        self.closed = true;
        self.leftover.clear();
        self.in_object = false;
    }

    /// Gives a chunk's labels and threads the numbers of the whole trace. This many lines and
    /// bytes stand in front of it.
    fn merge<F: EventFormat>(&mut self, chunk: Chunk, (lines, bytes): (u64, u64)) {
        let Chunk { labels, first, threads, mut rows, marks, edges, names, .. } = chunk;
        self.names.extend(names);
        let mut number = |(label, first): (&[u8], First)| {
            let (number, new) = self.labels.intern(label);
            let Position { line, byte } = first.position;
            let position = Position { line: line + lines, byte: byte + bytes };
            if new {
                self.trace.first.push(First { position, ..first });
                return number;
            }
            // Within a slice this was checked as it was read; here across slices.
            let known = &mut self.trace.first[number as usize];
            if F::EVEN_FIGURES && known.members != first.members {
                let known_lacks = first.members.include(known.members);
                let lacking = if known_lacks { known.position } else { position };
                known.members = if known_lacks { first.members } else { known.members };
                self.trace.damage.add(DamageKind::Missing, Some(lacking), UNEVEN);
            }
            number
        };
        // A slice numbers labels and threads by itself, so that workers share nothing.
        let labels = labels.into_list();
        let each = labels.iter().map(|label| &**label).zip(first);
        let labels: Vec<u32> = each.map(&mut number).collect();
        let threads: Vec<u32> = threads
            .into_list()
            .iter()
            .map(|bytes| {
                let next = self.threads.len() as u32;
                *self.threads.entry(thread(bytes)).or_insert(next)
            })
            .collect();
        let single = |single: Single| Single {
            label: labels[single.label as usize],
            thread: threads[single.thread as usize],
            ..single
        };
        rows.label.iter_mut().for_each(|label| *label = labels[*label as usize]);
        rows.thread.iter_mut().for_each(|thread| *thread = threads[*thread as usize]);
        if !rows.label.is_empty() {
            self.trace.chunks.push(rows);
        }
        self.trace.marks.extend(marks.into_iter().map(single));
        self.edges.extend(edges.into_iter().map(|edge| Edge {
            label: edge.label.map(|label| labels[label as usize]),
            thread: threads[edge.thread as usize],
            ..edge
        }));
        for (kind, count) in chunk.ignored {
            *self.trace.ignored.entry(kind).or_default() += count;
        }
        for (phase, count) in chunk.phases {
            *self.trace.phases.entry(phase).or_default() += count;
        }
    }

    fn finish<F: EventFormat>(mut self, damage: Option<std::io::Error>) -> EventTrace {
        if self.closed {
            self.members_behind::<F>();
        }
        if let Some(error) = damage {
            // Why the input ends says more than what is missing of it.
            let position = Position { line: self.lines + 1, byte: self.bytes };
            self.early = Some((position, error.to_string()));
        }
        let mut trace = self.trace;
        if let Some((position, reason)) = self.early {
            trace.damage.add(DamageKind::EndsEarly, Some(position), reason);
        }
        trace.labels = self.labels.into_list().into_iter().map(Label).collect();
        let mut threads: Vec<(Thread, u32)> = self.threads.into_iter().collect();
        threads.sort_unstable_by_key(|&(_, number)| number);
        trace.threads = threads.into_iter().map(|(thread, _)| thread).collect();
        trace.threads.iter_mut().for_each(|thread| self.names.name(thread));
        pair::<F>(self.edges, &mut trace);
        trace
    }

    /// Reads what follows the events: members of the object around them, and
    /// events, where they are in several arrays.
    fn members_behind<F: EventFormat>(&mut self) {
        let rest = std::mem::take(&mut self.leftover);
        if self.too_large_behind {
            let reason = format!("more than {} MiB after the events", MOST_METADATA >> 20);
            self.early = Some((self.behind(&rest, rest.len()), reason));
        }
        let mut cursor = Cursor::new(&rest);
        let mut ended = !self.in_object;
        while !ended {
            if cursor.peek() == Some(b'"') {
                let position = self.behind(&rest, cursor.offset);
                self.trace.damage.add(DamageKind::Repaired, Some(position), MISSING_COMMA);
            }
            while cursor.take(b',') {}
            if cursor.take(b'}') {
                ended = true;
                continue;
            }
            let start = cursor.offset;
            if self.member_behind::<F>(&mut cursor).is_err() {
                let reason = "the part after the events cannot be read";
                self.early.get_or_insert((self.behind(&rest, start), reason.to_string()));
                return;
            }
        }
        let mut damage = Damage::default();
        characters::check(&rest[..cursor.offset], F::LONE_BACKSLASHES, &mut damage);
        damage.shift(self.leftover_at.0, self.leftover_at.1);
        self.trace.damage.merge(damage);
        if cursor.peek().is_some() {
            let position = self.behind(&rest, cursor.offset);
            let reason = format!("{} bytes", rest.len() - cursor.offset);
            self.trace.damage.add(DamageKind::BehindTheEnd, Some(position), reason);
        }
    }

    fn member_behind<F: EventFormat>(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Broken> {
        let key = cursor.text()?.decode().into_owned();
        cursor.take(b':');
        let next = cursor.peek();
        let (rest, start) = (cursor.bytes, cursor.offset);
        if key != "traceEvents" || next != Some(b'[') {
            let position = self.behind(rest, start);
            let value = cursor.skip()?.to_vec();
            self.trace.members.push(Member { key, value, position });
            return Ok(());
        }
        let events = &rest[start + 1..];
        let how = How { last: true, ends_between: false };
        let Reading { chunk, mut damage, stopped } = read::<F>(events, &self.separator, how);
        let begin = self.behind(rest, start + 1);
        damage.shift(begin.line - 1, begin.byte);
        self.trace.damage.merge(damage);
        self.merge::<F>(chunk, (begin.line - 1, begin.byte));
        let Stopped::Closed { offset } = stopped else { return Err(Broken::Cut) };
        cursor.offset = start + 1 + offset;
        let reason = "a second array of events";
        self.trace.damage.add(DamageKind::SecondArray, Some(begin), reason);
        Ok(())
    }

    fn behind(&self, rest: &[u8], offset: usize) -> Position {
        let inside = Position::of(rest, offset);
        Position { line: self.leftover_at.0 + inside.line, byte: self.leftover_at.1 + inside.byte }
    }
}

fn thread(bytes: &[u8]) -> Thread {
    let mut parts = bytes.splitn(2, |&byte| byte == 0);
    Thread {
        process: decode(parts.next().unwrap_or_default()),
        thread: decode(parts.next().unwrap_or_default()),
        ..Thread::default()
    }
}
