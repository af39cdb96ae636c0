//! All events of one input, as columns of labels.

use super::event::{First, Rows, Single};
use super::label::Label;
use crate::damage::Damage;
use crate::figure::Figure;
use crate::launch::Thread;
use onnxray_format::Position;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// An event that its format looks at by itself.
pub type Mark = Single;

/// A member of the object around the events.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Its key.
    pub key: String,
    /// Its value, as it is in the file.
    pub value: Vec<u8>,
    /// Where its value begins.
    pub position: Position,
}

/// An execution on a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeviceWork {
    /// Position of its chunk in the trace.
    pub chunk: u32,
    /// Position in the chunk.
    pub row: u32,
    /// What launched it; `None` if the trace does not tell.
    pub launch: Option<Launched>,
    /// Number of the call that launched it, whether or not the trace has the call. What later
    /// calls launch on its stream begins after it; what the same call launched, as that of a
    /// graph does, may run beside it. `None` where streams are not known to work like that.
    pub call: Option<i64>,
}

/// What launched an execution on a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Launched {
    /// Number of the label of the operator.
    pub label: u32,
    /// Where the call lies that launched it: number of the thread, and start in nanoseconds.
    pub thread: u32,
    /// Nanoseconds; may be negative.
    pub start: i64,
}

/// What an execution on a device is called: its label in the file, and that of what launched it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnDevice {
    /// Number of its own label.
    pub label: u32,
    /// Number of the label of the operator that launched it, if the trace tells.
    pub launcher: Option<u32>,
    /// Whether its own label has other executions.
    pub is_left: bool,
}

/// All events of one input.
#[derive(Default)]
pub struct EventTrace {
    /// The file that was read.
    pub file: PathBuf,
    /// Members of the object around the events, in front of them and behind.
    pub members: Vec<Member>,
    /// What events of a kind have in common, by the number that rows hold.
    pub labels: Vec<Label>,
    /// Of each label.
    pub first: Vec<First>,
    /// By the number that rows hold.
    pub threads: Vec<Thread>,
    /// Executions of operators, slice by slice.
    pub chunks: Vec<Rows>,
    /// Which of these ran on devices, in their order.
    pub work: Vec<DeviceWork>,
    /// What these are called, by the numbers behind those of `labels`.
    pub launched: Vec<OnDevice>,
    /// Events that the format looks at one by one.
    pub marks: Vec<Mark>,
    /// Events that are only counted, by what the format calls them.
    pub ignored: BTreeMap<&'static str, u64>,
    /// Events of phases other than X, B and E.
    pub phases: BTreeMap<u8, u64>,
    /// What the columns of figures hold.
    pub figures: &'static [Figure],
    /// What could not be read.
    pub damage: Damage,
}

impl EventTrace {
    /// A member of the object around the events.
    pub fn member(&self, key: &str) -> Option<&Member> {
        self.members.iter().rev().find(|member| member.key == key)
    }

    /// When the first execution or mark begins.
    pub fn first_start(&self) -> Option<i64> {
        let rows = self.chunks.iter().flat_map(|rows| &rows.start).copied();
        rows.chain(self.marks.iter().map(|mark| mark.start)).min()
    }
}
