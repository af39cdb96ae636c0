//! Reads the events of one slice, and goes on behind those that are damaged.

use super::event::{Chunk, EventFormat, Useless};
use super::mend::mend;
use crate::json::{Broken, Cursor};
use crate::loss::{LossKind, Losses};
use memchr::memmem;

/// What stands between two events of a file, from the end of the first to the
/// key of the second: `},\n{"cat"`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Separator(pub Vec<u8>);

impl Separator {
    /// The first end of an event behind `at` that another one seems to follow.
    pub fn find(&self, bytes: &[u8], at: usize) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        memmem::find(bytes.get(at..)?, &self.0).map(|found| at + found + 1)
    }

    /// The same, for the last one.
    pub fn find_last(&self, bytes: &[u8]) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        memmem::rfind(bytes, &self.0).map(|found| found + 1)
    }
}

/// Where reading a slice stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// At its end, between two events.
    Clean,
    /// Before an event that is not whole.
    Incomplete { at: usize },
    /// Behind the bracket that ends the events.
    Closed { at: usize },
}

/// What a slice says.
pub struct Reading {
    pub chunk: Chunk,
    pub losses: Losses,
    pub stopped: Stopped,
}

/// How to read a slice.
#[derive(Clone, Copy, Default)]
pub struct How {
    /// Nothing follows: what is not whole will not become so.
    pub last: bool,
    /// Its end was found to be one between two events.
    pub ends_between: bool,
}

/// An event that did not end after so many bytes, and that seems to hold others,
/// is a damaged one.
const PATIENCE: usize = 4 << 20;

/// Reads events from between two of them.
pub fn read<F: EventFormat>(bytes: &[u8], separator: &Separator, how: How) -> Reading {
    let mut chunk = Chunk::new::<F>();
    let mut losses = Losses::default();
    let mut cursor = Cursor::new(bytes);
    let mut commas = 0;
    let stopped = loop {
        match cursor.peek() {
            None => break Stopped::Clean,
            Some(b',') => {
                cursor.at += 1;
                commas += 1;
                if commas == 2 {
                    losses.add_at(LossKind::Mended, bytes, cursor.at - 1, "a stray comma");
                }
                continue;
            }
            Some(b']') => break Stopped::Closed { at: cursor.at + 1 },
            Some(b'{') => {}
            Some(_) => {
                let start = cursor.at;
                match cursor.skip() {
                    Ok(_) => {
                        let reason = "a value that is no object";
                        losses.add_at(LossKind::NotARecord, bytes, start, reason);
                        commas = 0;
                        continue;
                    }
                    Err(Broken::Cut) if !how.last => break Stopped::Incomplete { at: start },
                    Err(_) => {}
                }
                cursor.at = start;
            }
        }
        commas = 0;
        let start = cursor.at;
        let broken = match chunk.read::<F>(&mut cursor) {
            Ok(Ok(())) => continue,
            Ok(Err(Useless::NotAnEvent(reason))) => {
                losses.add_at(LossKind::NotARecord, bytes, start, reason);
                continue;
            }
            Ok(Err(Useless::NoTime(reason))) => {
                losses.add_at(LossKind::NoTime, bytes, start, reason);
                continue;
            }
            Err(broken) => broken,
        };
        if broken == Broken::Cut && !how.last && bytes.len() - start <= PATIENCE {
            break Stopped::Incomplete { at: start };
        }
        let Some((mended, end)) = repair(bytes, start, separator, how, broken) else {
            break Stopped::Incomplete { at: start };
        };
        let reason = match broken {
            Broken::Expected(what) => format!("expected {what}"),
            Broken::Cut => "it does not end".to_string(),
        };
        let again = &mut Cursor::new(&mended);
        let kind = match chunk.read::<F>(again) {
            Ok(Ok(())) if again.peek().is_none() => LossKind::Mended,
            _ => LossKind::Unreadable,
        };
        losses.add_at(kind, bytes, cursor.at.min(end), reason);
        cursor.at = end;
    };
    chunk.finish();
    Reading { chunk, losses, stopped }
}

/// The damaged event that begins at `start`, mended, and where it ends.
fn repair(
    bytes: &[u8],
    start: usize,
    separator: &Separator,
    how: How,
    broken: Broken,
) -> Option<(Vec<u8>, usize)> {
    let text = bytes.get(start..)?;
    if text.first() != Some(&b'{') {
        // No event begins here: the next one does, or the array ends.
        let mut marks = memchr::memchr2_iter(b'{', b']', text);
        let next = marks.find(|&at| text[at] == b'{' || how.last && ends_document(&text[at..]))?;
        return Some((text[..next].to_vec(), start + next));
    }
    let met = separator.find(text, 1).unwrap_or(text.len());
    for end in memchr::memchr_iter(b'}', &text[..met]).map(|at| at + 1) {
        let behind = &text[end..];
        let follows = match goes_on(behind) {
            // What stands behind the slice tells.
            Err(Broken::Cut) if end < met && !how.last && text.len() <= PATIENCE => return None,
            follows => follows == Ok(true),
        };
        // What is cut at the end of the input is not the last of its events.
        let ends = how.last && broken != Broken::Cut && ends_document(behind);
        if follows || ends || (end == met && met < text.len()) {
            return Some((mend(&text[..end]), start + end));
        }
    }
    // The slice ends where its event seems to.
    let whole = how.ends_between && !how.last && broken != Broken::Cut;
    whole.then(|| (mend(text), bytes.len()))
}

/// Whether another event stands behind the end of one.
fn goes_on(behind: &[u8]) -> Result<bool, Broken> {
    let mut cursor = Cursor::new(behind);
    let mut is_event = false;
    if cursor.peek().is_some() && !cursor.take(b',') {
        return Ok(false);
    }
    cursor.object(|key, cursor| {
        is_event |= key.raw == b"ph";
        cursor.skip().map(|_| ())
    })?;
    Ok(is_event)
}

/// Whether the end of all events stands here, and the rest of the document.
fn ends_document(behind: &[u8]) -> bool {
    let mut cursor = Cursor::new(behind);
    if !cursor.take(b']') {
        return false;
    }
    while cursor.take(b',') {
        if cursor.text().is_err() || !cursor.take(b':') || cursor.skip().is_err() {
            return false;
        }
    }
    cursor.take(b'}');
    cursor.peek().is_none()
}
