//! Accepts slices in order, and reads again what was cut in the wrong place.

use super::event::{Chunk, EventFormat, Rows, Single};
use super::feed::{Feed, Front, MOST_METADATA, Slice};
use super::label::{Interner, Label};
use super::slice::{How, Reading, Separator, Stopped, read};
use crate::json::Cursor;
use crate::loss::{LossKind, Losses};
use crate::source::Source;
use crate::{Figure, ImportError, Thread};
use onnxray_format::Position;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// How events are read.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Bytes of a slice, about.
    pub slice_bytes: usize,
    pub workers: usize,
}

impl Default for Options {
    fn default() -> Options {
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        Options { slice_bytes: 1 << 19, workers }
    }
}

/// An event that its format looks at by itself.
pub type Mark = Single;

/// All events of one input.
#[derive(Default)]
pub struct EventTrace {
    pub file: PathBuf,
    /// Members of the object around the events, in front of them and behind.
    pub members: Vec<(String, Vec<u8>)>,
    pub labels: Vec<Label>,
    pub threads: Vec<Thread>,
    pub chunks: Vec<Rows>,
    pub marks: Vec<Mark>,
    pub ignored: BTreeMap<&'static str, u64>,
    /// Events of phases other than X, B and E.
    pub phases: BTreeMap<u8, u64>,
    pub figures: &'static [Figure],
    pub losses: Losses,
}

impl EventTrace {
    /// A member of the object around the events.
    pub fn member(&self, key: &str) -> Option<&[u8]> {
        let member = self.members.iter().rev().find(|(name, _)| name == key)?;
        Some(&member.1)
    }
}

/// An event this large is damage.
const MOST_EVENT: usize = 64 << 20;
/// So many slices may wait for one before them.
const MOST_WAITING: u64 = 8;

/// Reads all events of an input.
pub fn read_events<F: EventFormat>(
    source: Source,
    options: &Options,
) -> Result<EventTrace, ImportError> {
    let file = source.path().to_path_buf();
    let (feed, front) = Feed::open(source, options.slice_bytes.max(64))?;
    let separator = feed.separator.clone();
    let merger = Merger::new::<F>(front, separator.clone());
    let shared =
        Shared { feed: Mutex::new(feed), merger: Mutex::new(merger), moved: Condvar::new() };
    std::thread::scope(|scope| {
        for _ in 1..options.workers.max(1) {
            scope.spawn(|| work::<F>(&shared, &separator));
        }
        work::<F>(&shared, &separator);
    });
    let damage = into_inner(shared.feed).damage;
    let mut trace = into_inner(shared.merger).finish(damage);
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
        let how = How { last: slice.last, ends_between: slice.ends_between, impatient: false };
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
    closed: bool,
    in_object: bool,
    /// Inside something too large to be an event.
    lost: bool,
    labels: Interner,
    threads: Interner,
    edges: Vec<(bool, Single)>,
    figure_count: usize,
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
            closed: false,
            in_object: front.in_object,
            lost: false,
            labels: Interner::default(),
            threads: Interner::default(),
            edges: Vec::new(),
            figure_count: F::FIGURES.len(),
            trace: EventTrace { members: front.members, ..EventTrace::default() },
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
            }
            self.spare.push(bytes);
            return;
        }
        if self.lost {
            // Go on at the first place where two events seem to meet.
            let Some(at) = self.separator.find(&bytes, 0) else {
                self.lost = !ends_between;
                self.spare.push(bytes);
                return;
            };
            self.lost = false;
            let passed = memchr::memchr_iter(b'\n', &bytes[..at]).count() as u64;
            self.leftover_at = (before_lines + passed, before_bytes + at as u64);
            self.leftover = bytes.split_off(at);
            bytes.clear();
        } else if self.leftover.is_empty() {
            self.leftover_at = (before_lines, before_bytes);
            return self.take::<F>(reading, bytes, last);
        }
        let mut joined = std::mem::take(&mut self.leftover);
        joined.append(&mut bytes);
        self.spare.push(bytes);
        let impatient = joined.len() > 4 << 20;
        let how = How { last, ends_between, impatient };
        let reading = read::<F>(&joined, &self.separator, how);
        self.take::<F>(reading, joined, last);
    }

    /// Adds what was read of `bytes`, which begin at `leftover_at`.
    fn take<F: EventFormat>(&mut self, reading: Reading, mut bytes: Vec<u8>, last: bool) {
        let Reading { chunk, mut losses, stopped } = reading;
        losses.shift(self.leftover_at.0, self.leftover_at.1);
        self.trace.losses.merge(losses);
        self.merge(chunk);
        let at = match stopped {
            Stopped::Clean => {
                if last {
                    self.ends_early("the bracket that closes the events is missing");
                }
                self.spare.push(bytes);
                return;
            }
            Stopped::Incomplete { at } => at,
            Stopped::Closed { at } => {
                self.closed = true;
                at
            }
        };
        let passed = memchr::memchr_iter(b'\n', &bytes[..at]).count() as u64;
        self.leftover_at = (self.leftover_at.0 + passed, self.leftover_at.1 + at as u64);
        if !self.closed && bytes.len() - at > MOST_EVENT {
            let position = Some(self.position());
            self.trace.losses.add(LossKind::TooLarge, position, "");
            self.lost = true;
            return;
        }
        if !self.closed && last {
            let length = bytes.len() - at;
            self.ends_early(&format!("an event of which {length} bytes are there is left out"));
            return;
        }
        self.leftover = bytes.split_off(at);
        self.spare.push(bytes);
    }

    fn position(&self) -> Position {
        Position { line: self.leftover_at.0 + 1, byte: self.leftover_at.1 }
    }

    fn ends_early(&mut self, reason: &str) {
        let position = Position { line: self.lines + 1, byte: self.bytes };
        self.trace.losses.add(LossKind::EndsEarly, Some(position), reason);
        self.closed = true;
        self.leftover.clear();
        self.in_object = false;
    }

    /// Gives a chunk's labels and threads the numbers of the whole trace.
    fn merge(&mut self, chunk: Chunk) {
        let Chunk { labels, threads, mut rows, marks, edges, ignored, phases, .. } = chunk;
        let labels: Vec<u32> =
            labels.into_list().iter().map(|label| self.labels.intern(label).0).collect();
        let threads: Vec<u32> =
            threads.into_list().iter().map(|thread| self.threads.intern(thread).0).collect();
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
        self.edges.extend(edges.into_iter().map(|(begins, edge)| (begins, single(edge))));
        for (kind, count) in ignored {
            *self.trace.ignored.entry(kind).or_default() += count;
        }
        for (phase, count) in phases {
            *self.trace.phases.entry(phase).or_default() += count;
        }
    }

    fn finish(mut self, damage: Option<std::io::Error>) -> EventTrace {
        if let Some(error) = damage {
            let position = Position { line: self.lines + 1, byte: self.bytes };
            self.trace.losses.add(LossKind::EndsEarly, Some(position), error.to_string());
        } else if self.closed {
            self.members_behind();
        }
        self.pair();
        let mut trace = self.trace;
        trace.labels = self.labels.into_list().into_iter().map(Label).collect();
        trace.threads = self.threads.into_list().iter().map(|bytes| thread(bytes)).collect();
        let bad = trace.labels.iter().filter(|label| !is_utf8(label)).count();
        for _ in 0..bad {
            trace.losses.add(LossKind::NotUtf8, None, "");
        }
        trace
    }

    /// Reads what stands behind the events.
    fn members_behind(&mut self) {
        let rest = std::mem::take(&mut self.leftover);
        let mut cursor = Cursor::new(&rest);
        let mut ended = !self.in_object;
        while !ended {
            while cursor.take(b',') {}
            if cursor.take(b'}') {
                ended = true;
                continue;
            }
            let start = cursor.at;
            let member = cursor.text().and_then(|key| {
                cursor.take(b':');
                Ok((key.decode().into_owned(), cursor.skip()?.to_vec()))
            });
            match member {
                Ok(member) => self.trace.members.push(member),
                Err(_) => {
                    let position = self.behind(&rest, start);
                    let reason = "what stands behind the events cannot be read";
                    self.trace.losses.add(LossKind::EndsEarly, Some(position), reason);
                    return;
                }
            }
        }
        if cursor.peek().is_some() {
            let position = self.behind(&rest, cursor.at);
            let reason = format!("{} bytes", rest.len() - cursor.at);
            self.trace.losses.add(LossKind::BehindTheEnd, Some(position), reason);
        }
    }

    fn behind(&self, rest: &[u8], at: usize) -> Position {
        let inside = Position::of(rest, at);
        Position { line: self.leftover_at.0 + inside.line, byte: self.leftover_at.1 + inside.byte }
    }

    /// Makes complete events of begins and ends, which nest in each thread.
    fn pair(&mut self) {
        let mut edges = std::mem::take(&mut self.edges);
        edges.sort_by_key(|(_, edge)| (edge.thread, edge.start));
        let mut rows = Rows::default();
        let mut open: Vec<Single> = Vec::new();
        let mut unpaired = 0;
        for (begins, edge) in edges {
            if open.last().is_some_and(|last| last.thread != edge.thread) {
                unpaired += open.len();
                open.clear();
            }
            if begins {
                open.push(edge);
            } else if let Some(begin) = open.pop() {
                rows.label.push(begin.label);
                rows.thread.push(begin.thread);
                rows.start.push(begin.start);
                rows.duration.push(edge.start.abs_diff(begin.start));
            } else {
                unpaired += 1;
            }
        }
        for _ in 0..unpaired + open.len() {
            self.trace.losses.add(LossKind::Unpaired, None, "");
        }
        if !rows.label.is_empty() {
            let none = vec![crate::packed::NO_VALUE; rows.label.len()];
            rows.figures = vec![crate::packed::Packed::new(&none); self.figure_count];
            self.trace.chunks.push(rows);
        }
    }
}

fn thread(bytes: &[u8]) -> Thread {
    let text = |bytes: &[u8]| {
        crate::json::Text { raw: bytes, escaped: bytes.contains(&b'\\') }.decode().into_owned()
    };
    let mut parts = bytes.splitn(2, |&byte| byte == 0);
    Thread {
        process: text(parts.next().unwrap_or_default()),
        thread: text(parts.next().unwrap_or_default()),
    }
}

fn is_utf8(label: &Label) -> bool {
    std::str::from_utf8(label.raw_name()).is_ok()
        && std::str::from_utf8(label.raw_category()).is_ok()
}
