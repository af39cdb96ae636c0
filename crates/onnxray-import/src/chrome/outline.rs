//! The structure of the first events of a Chrome trace, by which formats are told apart.
//!
//! A word says nothing: any program may call a span `model_run`, and any trace may quote the
//! name of a member. What tells is where a word stands: in a member of the object around the
//! events, or in the category, the name or the arguments of an event.

use super::event::{Argument, EventFormat, Members, Role};
use super::feed::front;
use super::label::Label;
use super::slice::{How, Separator, Stopped, read};
use super::trace::Member;
use crate::Figure;
use crate::json::{Broken, Cursor};
use onnxray_format::Position;

/// This many events without one of a special format are those of another: all of these have their
/// own among the first, and looking further costs more than it tells.
const ENOUGH: usize = 3000;

/// What the beginning of a trace shows.
pub struct Outline {
    /// Members of the object around the events, of which those behind are known only if all
    /// of the trace is.
    members: Vec<Member>,
    events: Vec<Seen>,
    /// Events of all kinds.
    count: usize,
}

/// Events that have name and category in common.
pub struct Seen {
    label: Label,
    members: Members,
}

/// Arguments that some producer's events have and no other's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `op_name`: nodes of ONNX Runtime, and what they launched.
    OperatorName,
    /// `input_tensor_name` of the Neural Engine.
    TensorNames,
    /// `reshape_time` of the Neural Engine.
    ReshapeTime,
    /// `op` of our recordings.
    OperatorNumber,
    /// `External id`, `Python id` and others that only Kineto writes.
    Kineto,
    /// `correlation`, which those have that read the interface of a device's vendor.
    Correlation,
}

impl Sign {
    const fn argument(self) -> Argument {
        Argument::Figure(self as usize)
    }
}

struct Probe;

impl EventFormat for Probe {
    const FACTS: usize = 0;
    const FIGURES: &'static [Figure] = &[];
    const EVEN_FIGURES: bool = false;

    fn argument(key: &[u8]) -> Argument {
        let sign = match key {
            b"op_name" => Sign::OperatorName,
            b"input_tensor_name" => Sign::TensorNames,
            b"reshape_time" => Sign::ReshapeTime,
            b"op" => Sign::OperatorNumber,
            b"External id" | b"Record function id" | b"Ev Idx" | b"Python id" | b"Trace name" => {
                Sign::Kineto
            }
            b"correlation" => Sign::Correlation,
            _ => return Argument::Skip,
        };
        sign.argument()
    }

    fn role(_: &Label) -> Role {
        Role::Operator
    }
}

impl Outline {
    /// Of the first bytes of an input, or of all; `None` if no array of events begins in them.
    pub fn of(bytes: &[u8], is_all: bool) -> Option<Outline> {
        let (offset, mut members, in_object, _) = front(bytes).ok()?;
        let events = &bytes[offset..];
        let how = How { last: is_all, ends_between: false };
        let reading = read::<Probe>(events, &Separator::default(), how);
        if let (Stopped::Closed { offset }, true) = (reading.stopped, in_object) {
            // As far as they are whole.
            let _ = members_behind(&mut Cursor::new(&events[offset..]), &mut members);
        }
        let count = reading.chunk.rows.label.len() + reading.chunk.edges.len();
        let labels = reading.chunk.labels.into_list().into_iter().map(Label);
        let seen = labels.zip(reading.chunk.first);
        let events = seen.map(|(label, first)| Seen { label, members: first.members });
        Some(Outline { members, events: events.collect(), count })
    }

    /// Whether the object around the events has this member.
    pub fn has_member(&self, key: &str) -> bool {
        self.members.iter().any(|member| member.key == key)
    }

    /// Whether that member is an object which has the second key, as far as it can be read.
    pub fn member_has(&self, member: &str, wanted: &str) -> bool {
        let mut found = false;
        for member in self.members.iter().filter(|known| known.key == member) {
            let _ = Cursor::new(&member.value).object(|key, cursor| {
                found |= key.raw == wanted.as_bytes();
                cursor.skip().map(|_| ())
            });
        }
        found
    }

    /// Whether an event is as asked for.
    pub fn any(&self, is: impl Fn(&Seen) -> bool) -> bool {
        self.events.iter().any(is)
    }

    /// Whether there are no events yet.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Whether there is enough to tell that a special format's events are not among them.
    pub fn is_enough(&self) -> bool {
        self.count >= ENOUGH
    }
}

impl Seen {
    /// The category as it stands in the file.
    pub fn category(&self) -> &[u8] {
        self.label.raw_category()
    }

    /// The name as it stands in the file.
    pub fn name(&self) -> &[u8] {
        self.label.raw_name()
    }

    /// Whether the first of the events has the argument.
    pub fn has(&self, sign: Sign) -> bool {
        self.members.has(sign.argument())
    }
}

fn members_behind(cursor: &mut Cursor<'_>, members: &mut Vec<Member>) -> Result<(), Broken> {
    while cursor.take(b',') {
        let key = cursor.text()?.decode().into_owned();
        if !cursor.take(b':') {
            break;
        }
        let value = cursor.skip()?.to_vec();
        members.push(Member { key, value, position: Position { line: 1, byte: 0 } });
    }
    Ok(())
}
