//! Reads the events of one slice, and goes on behind those that are damaged.

use super::event::{Chunk, EventFormat, Useless};
use super::mend::mend;
use crate::json::{Broken, Cursor};
use crate::loss::{LossKind, Losses};
use memchr::memmem;
use onnxray_format::Position;

/// What stands between two events of a file, from the end of the first to the
/// key of the second: `},\n{"cat"`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Separator(pub Vec<u8>);

impl Separator {
    /// Position of the next event's first byte, and of the end of the one before
    /// it, at or behind `at`.
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
    /// An event that seems to hold others is a damaged one.
    pub impatient: bool,
}

/// Reads events from between two of them.
pub fn read<F: EventFormat>(bytes: &[u8], separator: &Separator, how: How) -> Reading {
    let mut chunk = Chunk::new::<F>();
    let mut losses = Losses::default();
    let mut cursor = Cursor::new(bytes);
    let mut commas = 0;
    let stopped = loop {
        let lost = |kind, at| (kind, Some(Position::of(bytes, at)));
        match cursor.peek() {
            None => break Stopped::Clean,
            Some(b',') => {
                cursor.at += 1;
                commas += 1;
                if commas == 2 {
                    let (kind, position) = lost(LossKind::Mended, cursor.at - 1);
                    losses.add(kind, position, "a stray comma");
                }
                continue;
            }
            Some(b']') => break Stopped::Closed { at: cursor.at + 1 },
            Some(b'{') => {}
            Some(_) => {
                let start = cursor.at;
                match cursor.skip() {
                    Ok(_) => {
                        let (kind, position) = lost(LossKind::NotARecord, start);
                        losses.add(kind, position, "a value that is no object");
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
                let (kind, position) = lost(LossKind::NotARecord, start);
                losses.add(kind, position, reason);
                continue;
            }
            Ok(Err(Useless::NoTime(reason))) => {
                let (kind, position) = lost(LossKind::NoTime, start);
                losses.add(kind, position, reason);
                continue;
            }
            Err(broken) => broken,
        };
        let resume = resume(bytes, start, separator, how);
        if broken == Broken::Cut && !(how.last || how.impatient) {
            break Stopped::Incomplete { at: start };
        }
        let Some((end, next)) = resume else {
            break Stopped::Incomplete { at: start };
        };
        let mended = mend(&bytes[start..end]);
        let reason = match broken {
            Broken::Expected(what) => format!("expected {what}"),
            Broken::Cut => "it does not end".to_string(),
        };
        let again = &mut Cursor::new(&mended);
        let kind = match chunk.read::<F>(again) {
            Ok(Ok(())) if again.peek().is_none() => LossKind::Mended,
            _ => LossKind::Unreadable,
        };
        losses.add(kind, Some(Position::of(bytes, cursor.at.min(end))), reason);
        cursor.at = next;
    };
    chunk.finish();
    Reading { chunk, losses, stopped }
}

/// The end of the damaged event that begins at `start`, and where to go on.
fn resume(bytes: &[u8], start: usize, separator: &Separator, how: How) -> Option<(usize, usize)> {
    if let Some(end) = separator.find(bytes, start + 1) {
        return Some((end, end));
    }
    if how.last {
        // The last event ends where the array does.
        let mut at = start;
        while let Some(step) = memchr::memchr(b'}', &bytes[at..]) {
            at += step + 1;
            if bytes[at..].trim_ascii_start().first() == Some(&b']') {
                return Some((at, at));
            }
        }
        return None;
    }
    how.ends_between.then_some((bytes.len(), bytes.len()))
}
