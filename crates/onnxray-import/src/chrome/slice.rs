//! Reads the events of one slice, and goes on behind those that are damaged.

use super::characters;
use super::event::{Chunk, EventFormat};
use super::repair::repaired;
use crate::damage::{Damage, DamageKind};
use crate::json::{Broken, Cursor};
use memchr::memmem;

/// What stands between two events of a file, from the end of the first to the
/// key of the second: `},\n{"cat"`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Separator(pub Vec<u8>);

impl Separator {
    /// The first end of an event behind `at` that another one seems to follow.
    pub(crate) fn find(&self, bytes: &[u8], offset: usize) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        memmem::find(bytes.get(offset..)?, &self.0).map(|found| offset + found + 1)
    }

    /// The same, for the last one.
    pub(crate) fn find_last(&self, bytes: &[u8]) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        memmem::rfind(bytes, &self.0).map(|found| found + 1)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// At its end, between two events.
    Clean,
    /// Before an event that is not whole.
    Incomplete { offset: usize },
    /// Behind the bracket that ends the events.
    Closed { offset: usize },
}

pub(crate) struct Reading {
    pub(crate) chunk: Chunk,
    pub(crate) damage: Damage,
    pub(crate) stopped: Stopped,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct How {
    /// Nothing follows: what is not whole will not become so.
    pub(crate) last: bool,
    /// Its end was found to be one between two events.
    pub(crate) ends_between: bool,
}

/// An event that did not end after this many bytes, and that seems to hold others,
/// is a damaged one.
const PATIENCE: usize = 4 << 20;

pub(crate) fn read<F: EventFormat>(bytes: &[u8], separator: &Separator, how: How) -> Reading {
    let mut chunk = Chunk::new::<F>(bytes.len());
    let mut damage = Damage::default();
    let mut cursor = Cursor::new(bytes);
    let (mut commas, mut behind_event) = (0, false);
    let mut effort = Effort(4 * bytes.len());
    let stopped = loop {
        match cursor.peek() {
            None => break Stopped::Clean,
            Some(b',') => {
                cursor.offset += 1;
                commas += 1;
                if commas == 2 {
                    damage.add_at(DamageKind::Repaired, bytes, cursor.offset - 1, "a stray comma");
                }
                continue;
            }
            Some(b']') => break Stopped::Closed { offset: cursor.offset + 1 },
            Some(b'{') => {}
            Some(0..0x20 | 0x7f) => {
                // Nothing that a record could be made of, so nothing is lost with it.
                let reason = "a control character between events";
                damage.add_at(DamageKind::Repaired, bytes, cursor.offset, reason);
                cursor.offset += 1;
                continue;
            }
            Some(_) => {
                let start = cursor.offset;
                match cursor.skip() {
                    Ok(_) => {
                        let reason = "a value that is not an object";
                        damage.add_at(DamageKind::NotARecord, bytes, start, reason);
                        (commas, behind_event) = (0, true);
                        continue;
                    }
                    Err(Broken::Cut) if !how.last => break Stopped::Incomplete { offset: start },
                    Err(_) => {}
                }
                cursor.offset = start;
            }
        }
        let start = cursor.offset;
        if commas == 0 && behind_event {
            damage.add_at(DamageKind::Repaired, bytes, start, "a missing comma");
        }
        (commas, behind_event) = (0, true);
        chunk.offset = start;
        let broken = match chunk.read::<F>(&mut cursor) {
            Ok(None) => continue,
            Ok(Some((kind, reason))) => {
                damage.add_at(kind, bytes, start, reason);
                continue;
            }
            Err(broken) => broken,
        };
        if broken == Broken::Cut && !how.last && bytes.len() - start <= PATIENCE {
            break Stopped::Incomplete { offset: start };
        }
        let damaged = Damaged { text: bytes.get(start..).unwrap_or_default(), broken, how };
        let Some(length) = damaged.length(separator, &mut effort) else {
            break Stopped::Incomplete { offset: start };
        };
        let (repaired, end) = (repaired(&bytes[start..start + length]), start + length);
        let reason = match broken {
            Broken::Expected(what) => format!("expected {what}"),
            Broken::Cut => "it does not end".to_string(),
        };
        // Nothing is taken from what is not one whole value.
        let mut all = Cursor::new(&repaired);
        let whole = all.skip().is_ok() && all.peek().is_none();
        let place = cursor.offset.min(end);
        use DamageKind::{Member, Missing, Nameless, Repaired, Unreadable};
        match chunk.read::<F>(&mut Cursor::new(if whole { &repaired } else { b"" })) {
            Ok(None) => damage.add_at(Repaired, bytes, place, reason),
            Ok(Some((kind @ (Member | Missing | Nameless), fault))) => {
                damage.add_at(Repaired, bytes, place, reason);
                damage.add_at(kind, bytes, start, fault);
            }
            _ => damage.add_at(Unreadable, bytes, place, reason),
        }
        // A comma may have gone with what was damaged.
        (cursor.offset, behind_event) = (end, false);
    };
    chunk.finish(bytes, &mut damage);
    let read = match stopped {
        Stopped::Clean => bytes.len(),
        Stopped::Incomplete { offset } | Stopped::Closed { offset } => offset,
    };
    characters::check(&bytes[..read], F::LONE_BACKSLASHES, &mut damage);
    Reading { chunk, damage, stopped }
}

/// Text that begins with a damaged event.
struct Damaged<'a> {
    text: &'a [u8],
    broken: Broken,
    how: How,
}

impl Damaged<'_> {
    /// Where the event ends; `None` if that is not to be seen.
    fn length(&self, separator: &Separator, effort: &mut Effort) -> Option<usize> {
        let Damaged { text, broken, how } = *self;
        let ends = |offset: usize, effort: &mut Effort| {
            how.last && effort.look(&text[offset..], ends_document) == Ok(true)
        };
        if text.first() != Some(&b'{') {
            // No event begins here: the next one does, or the array ends.
            let mut marks = memchr::memchr2_iter(b'{', b']', text);
            return marks.find(|&offset| text[offset] == b'{' || ends(offset, effort));
        }
        let cut = broken == Broken::Cut;
        let met = separator.find(text, 1);
        if met.is_none() && cut && !how.last {
            return None;
        }
        let within = &text[..met.unwrap_or(text.len())];
        for end in memchr::memchr_iter(b'}', within).map(|offset| offset + 1) {
            if met == Some(end) {
                return met;
            }
            match effort.look(&text[end..], goes_on) {
                Ok(true) => return Some(end),
                // What follows the slice tells.
                Err(Broken::Cut) if !how.last && text.len() <= PATIENCE => return None,
                _ => {}
            }
            // What is cut at the end of the input is not the last of its events.
            if !cut && ends(end, effort) {
                return Some(end);
            }
        }
        // The slice ends where its event seems to.
        (how.ends_between && !how.last && !cut).then_some(text.len())
    }
}

/// Bytes that may still be looked at ahead, so that an input that is damaged
/// everywhere takes no longer than others.
struct Effort(usize);

impl Effort {
    fn look(
        &mut self,
        text: &[u8],
        offset: fn(&mut Cursor<'_>) -> Result<bool, Broken>,
    ) -> Result<bool, Broken> {
        if self.0 == 0 {
            return Ok(false);
        }
        let mut cursor = Cursor::new(text);
        let answer = offset(&mut cursor);
        self.0 = self.0.saturating_sub(cursor.offset);
        answer
    }
}

/// Whether another event follows the end of one.
fn goes_on(cursor: &mut Cursor<'_>) -> Result<bool, Broken> {
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
fn ends_document(cursor: &mut Cursor<'_>) -> Result<bool, Broken> {
    if !cursor.take(b']') {
        return Ok(false);
    }
    while cursor.take(b',') {
        cursor.text()?;
        if !cursor.take(b':') {
            return Ok(false);
        }
        cursor.skip()?;
    }
    cursor.take(b'}');
    Ok(cursor.peek().is_none())
}
