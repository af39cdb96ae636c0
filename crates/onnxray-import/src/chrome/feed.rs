//! Cuts the input into slices where events seem to meet.

use super::characters;
use super::event::EventFormat;
use super::slice::Separator;
use super::trace::Member;
use crate::damage::{Damage, DamageKind};
use crate::error::{ImportError, beginning};
use crate::json::{Broken, Cursor};
use crate::source::Source;
use onnxray_format::Position;
use std::io;

/// A piece of the input between two cuts.
pub(crate) struct Slice {
    pub(crate) number: u64,
    pub(crate) bytes: Vec<u8>,
    pub(crate) last: bool,
    /// Whether it was cut where two events seemed to meet.
    pub(crate) ends_between: bool,
}

/// The input from its first event on.
pub(crate) struct Feed {
    source: Source,
    slice_bytes: usize,
    pub(crate) separator: Separator,
    /// What was read behind the last cut.
    carry: Vec<u8>,
    next: u64,
    ended: bool,
    /// Why the input could not be read to its end.
    pub(crate) damage: Option<io::Error>,
}

/// What stands in front of the events.
pub(crate) struct Front {
    /// Members of the object that holds the events, as they stand in the file.
    pub(crate) members: Vec<Member>,
    /// Whether the events stand in an object rather than alone.
    pub(crate) in_object: bool,
    /// What is not JSON in it, and was read nevertheless.
    pub(crate) damage: Damage,
    /// Length in lines and bytes.
    pub(crate) lines: u64,
    pub(crate) bytes: u64,
}

/// The most that may stand in front of the events, or behind them.
pub(crate) const MOST_METADATA: usize = 256 << 20;

impl Feed {
    pub(crate) fn open<F: EventFormat>(
        source: Source,
        slice_bytes: usize,
    ) -> Result<(Feed, Front), ImportError> {
        let mut feed = Feed {
            source,
            slice_bytes,
            separator: Separator::default(),
            carry: Vec::new(),
            next: 0,
            ended: false,
            damage: None,
        };
        let mut wanted = slice_bytes;
        loop {
            let mut buffer = std::mem::take(&mut feed.carry);
            feed.fill(&mut buffer, wanted);
            let (mut offset, broken) = match front(&buffer) {
                Ok((offset, members, in_object, unparted)) => {
                    let lines = memchr::memchr_iter(b'\n', &buffer[..offset]).count() as u64;
                    feed.carry = buffer.split_off(offset);
                    feed.separator = separator(&feed.carry);
                    let mut damage = Damage::default();
                    characters::check(&buffer, F::LONE_BACKSLASHES, &mut damage);
                    if let Some(offset) = unparted {
                        damage.add_at(DamageKind::Repaired, &buffer, offset, MISSING_COMMA);
                    }
                    let bytes = offset as u64;
                    return Ok((feed, Front { members, in_object, damage, lines, bytes }));
                }
                Err(stopped) => stopped,
            };
            let cut = broken == Broken::Cut;
            if cut && !feed.ended && buffer.len() < MOST_METADATA {
                wanted = buffer.len() * 2;
                feed.carry = buffer;
                continue;
            }
            if buffer.is_empty() {
                let file = feed.source.path().to_path_buf();
                return Err(match feed.damage {
                    Some(source) => ImportError::Io { file, source },
                    None => ImportError::Empty { file },
                });
            }
            if cut && feed.ended {
                // Wherever the value began that is cut: what is missing is behind it.
                offset = buffer.len();
            }
            return Err(ImportError::Unexpected {
                file: feed.source.path().to_path_buf(),
                position: Position::of(&buffer, offset),
                expected: match broken {
                    Broken::Cut => "an array of events".to_string(),
                    Broken::Expected(what) => what.to_string(),
                },
                found: beginning(&buffer[offset.min(buffer.len())..]),
            });
        }
    }

    /// Reads until the buffer has this many bytes, or until the input ends.
    fn fill(&mut self, buffer: &mut Vec<u8>, length: usize) {
        let missing = length.saturating_sub(buffer.len()) as u64;
        if missing == 0 || self.ended {
            return;
        }
        buffer.reserve(missing as usize);
        match self.source.read_more(buffer, missing) {
            Ok(read) => self.ended = read < missing,
            Err(error) => {
                self.damage = Some(error);
                self.ended = true;
            }
        }
    }

    /// The next slice, in a buffer that is used again.
    pub(crate) fn next(&mut self, mut buffer: Vec<u8>) -> Option<Slice> {
        if self.ended && self.carry.is_empty() && self.next > 0 {
            return None;
        }
        buffer.clear();
        buffer.append(&mut self.carry);
        let mut wanted = self.slice_bytes.max(buffer.len() + 1);
        let mut ends_between = false;
        loop {
            self.fill(&mut buffer, wanted);
            if self.ended {
                break;
            }
            if let Some(cut) = self.separator.find_last(&buffer) {
                self.carry.extend_from_slice(&buffer[cut..]);
                buffer.truncate(cut);
                ends_between = true;
                break;
            }
            // An event that is larger than a slice, or a file without a
            // pattern: then the cut is anywhere.
            if buffer.len() >= 4 * self.slice_bytes {
                break;
            }
            wanted = buffer.len() * 2;
        }
        let number = self.next;
        self.next += 1;
        Some(Slice { number, bytes: buffer, last: self.ended, ends_between })
    }
}

/// What is said of two members that no comma parts.
pub(crate) const MISSING_COMMA: &str = "a missing comma between two members";

type FrontOf = (usize, Vec<Member>, bool, Option<usize>);

/// Position behind the bracket that opens the events, with the members of the
/// object in front of it, and where a comma is missing between them; or where the search
/// stopped.
pub(super) fn front(bytes: &[u8]) -> Result<FrontOf, (usize, Broken)> {
    let mut cursor = Cursor::new(bytes);
    if bytes.starts_with(b"\xef\xbb\xbf") {
        cursor.offset = 3;
    }
    let (mut members, mut unparted) = (Vec::new(), None);
    match cursor.peek() {
        Some(b'[') => return Ok((cursor.offset + 1, members, false, None)),
        Some(b'{') => cursor.offset += 1,
        Some(_) => {
            return Err((cursor.offset, Broken::Expected("an array of events, or an object")));
        }
        None => return Err((cursor.offset, Broken::Cut)),
    }
    loop {
        if cursor.peek() == Some(b'"') && !members.is_empty() {
            unparted.get_or_insert(cursor.offset);
        }
        while cursor.take(b',') {}
        if cursor.peek() == Some(b'}') {
            return Err((cursor.offset, Broken::Expected("an array of events (\"traceEvents\")")));
        }
        let key = cursor.text().map_err(|broken| (cursor.offset, broken))?;
        match cursor.peek() {
            Some(b':') => cursor.offset += 1,
            Some(_) => return Err((cursor.offset, Broken::Expected("a colon"))),
            None => return Err((cursor.offset, Broken::Cut)),
        }
        if key.raw == b"traceEvents" {
            return match cursor.peek() {
                Some(b'[') => Ok((cursor.offset + 1, members, true, unparted)),
                Some(_) => Err((cursor.offset, Broken::Expected("an array of events"))),
                None => Err((cursor.offset, Broken::Cut)),
            };
        }
        let value = cursor.skip().map_err(|broken| (cursor.offset, broken))?.to_vec();
        let position = Position::of(bytes, cursor.offset - value.len());
        members.push(Member { key: key.decode().into_owned(), value, position });
    }
}

/// How the first two events of the array are parted.
fn separator(bytes: &[u8]) -> Separator {
    let mut cursor = Cursor::new(bytes);
    let first = |cursor: &mut Cursor<'_>| cursor.peek() == Some(b'{') && cursor.skip().is_ok();
    if !first(&mut cursor) {
        // A damaged first event says nothing; most files have one on a line.
        return Separator(b"},\n{\"".to_vec());
    }
    let end = cursor.offset - 1;
    cursor.take(b',');
    if cursor.peek() != Some(b'{') {
        return Separator::default();
    }
    cursor.offset += 1;
    match cursor.text() {
        Ok(_) => Separator(bytes[end..cursor.offset].to_vec()),
        Err(_) => Separator::default(),
    }
}
