//! What could not be read, counted by kind, each with its first place.

use onnxray_format::{Position, Warning};
use onnxray_text::counted;
use std::collections::BTreeMap;
use std::path::Path;

/// The most records of a file that is read whole, such as layers.
pub(crate) const MOST_RECORDS: usize = 1_000_000;

/// A way in which input can be damaged. The order is that of the messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DamageKind {
    /// A record that could not be understood.
    Unreadable,
    /// A record larger than any record may be.
    TooLarge,
    /// A value that is not a record where records stand.
    NotARecord,
    /// A record without a usable time.
    NoTime,
    /// A begin without an end, or an end without a begin.
    Unpaired,
    /// A record of a kind that its producer is not known to write.
    UnknownKind,
    /// A record without a name; the rest of it is read.
    Nameless,
    /// A record with a member that cannot be understood; the rest of it is read.
    Member,
    /// A record that lacks a member that others of its kind have; the rest of it is read.
    Missing,
    /// A record behind as many as a file may have.
    TooMany,
    /// The input ends before it is complete.
    EndsEarly,
    /// Bytes behind the end of the document.
    BehindTheEnd,
    /// Records in an array of their own, behind the one that all should be in. Nothing
    /// is lost.
    SecondArray,
    /// A record that was read although it is not well-formed. Nothing is lost.
    Repaired,
    /// Bytes that are not UTF-8; replacement characters stand for them.
    /// Nothing else is lost.
    NotUtf8,
}

impl DamageKind {
    fn message(self, count: u64) -> &'static str {
        let of = |one, several| if count == 1 { one } else { several };
        match self {
            DamageKind::Unreadable => of(
                "could not be understood and is left out",
                "could not be understood and are left out",
            ),
            DamageKind::TooLarge => of(
                "is larger than any record may be and is left out",
                "are larger than any record may be and are left out",
            ),
            DamageKind::NotARecord => {
                of("is not a record and is left out", "are not records and are left out")
            }
            DamageKind::NoTime => {
                of("has no usable time and is left out", "have no usable time and are left out")
            }
            DamageKind::Unpaired => {
                of("begins or ends only, and is left out", "begin or end only, and are left out")
            }
            DamageKind::UnknownKind => of(
                "is of a kind that is not known and is left out",
                "are of kinds that are not known and are left out",
            ),
            DamageKind::Nameless => of("has no name", "have no names"),
            DamageKind::Member => of(
                "has a member that could not be understood and is unknown",
                "have members that could not be understood and are unknown",
            ),
            DamageKind::Missing => of(
                "lacks a member that others have, and which is unknown",
                "lack members that others have, and which are unknown",
            ),
            DamageKind::TooMany => of(
                "is more than a file may have and is left out",
                "are more than a file may have and are left out",
            ),
            DamageKind::EndsEarly => "the input ends early",
            DamageKind::BehindTheEnd => {
                "there is more after the end of the document; it is left out"
            }
            DamageKind::SecondArray => of(
                "array of records follows the first one, and was also read",
                "arrays of records follow the first one, and were also read",
            ),
            DamageKind::Repaired => {
                of("was malformed and was repaired", "were malformed and were repaired")
            }
            DamageKind::NotUtf8 => of(
                "text is not UTF-8; its bad bytes are replaced",
                "texts are not UTF-8; their bad bytes are replaced",
            ),
        }
    }

    /// Whether something is missing from what was read.
    pub fn is_loss(self) -> bool {
        !matches!(self, DamageKind::SecondArray | DamageKind::Repaired | DamageKind::NotUtf8)
    }
}

/// Damage found so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Damage {
    kinds: BTreeMap<DamageKind, DamageOfKind>,
}

/// All damage of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct DamageOfKind {
    /// How many there were.
    pub count: u64,
    /// Of the first one.
    pub position: Option<Position>,
    /// What was wrong with the first one.
    pub reason: String,
}

impl Damage {
    /// Counts a loss; the first of a kind is told with its position and reason.
    pub fn add(&mut self, kind: DamageKind, position: Option<Position>, reason: impl Into<String>) {
        let loss = DamageOfKind { count: 1, position, reason: reason.into() };
        self.merge(Damage { kinds: BTreeMap::from([(kind, loss)]) });
    }

    /// Adds damage at a byte of a slice. Only of the first of its kind the place
    /// is looked for: damage can be everywhere.
    pub fn add_at(
        &mut self,
        kind: DamageKind,
        bytes: &[u8],
        offset: usize,
        reason: impl Into<String>,
    ) {
        match self.kinds.get_mut(&kind) {
            Some(known) => known.count += 1,
            None => self.add(kind, Some(Position::of(bytes, offset)), reason),
        }
    }

    /// Adds runs of bytes that are not UTF-8.
    pub(crate) fn add_not_utf8(&mut self, bytes: &[u8]) {
        if std::str::from_utf8(bytes).is_ok() {
            return;
        }
        let (mut offset, mut run) = (0, false);
        for chunk in bytes.utf8_chunks() {
            run &= chunk.valid().is_empty();
            offset += chunk.valid().len();
            if !run && !chunk.invalid().is_empty() {
                self.add_at(DamageKind::NotUtf8, bytes, offset, "");
            }
            offset += chunk.invalid().len();
            run = true;
        }
    }

    /// Adds damage `count` times, of which the place of the first is told if it is known.
    pub fn add_times(
        &mut self,
        kind: DamageKind,
        count: u64,
        position: Option<Position>,
        reason: impl Into<String>,
    ) {
        if count > 0 {
            let loss = DamageOfKind { count, position, reason: reason.into() };
            self.merge(Damage { kinds: BTreeMap::from([(kind, loss)]) });
        }
    }

    /// Takes out all damage of one kind, to say it in other words.
    pub(crate) fn take(&mut self, kind: DamageKind) -> Option<DamageOfKind> {
        self.kinds.remove(&kind)
    }

    /// Adds what was found further on in the same input.
    pub fn merge(&mut self, later: Damage) {
        for (kind, loss) in later.kinds {
            match self.kinds.get_mut(&kind) {
                Some(known) => known.count += loss.count,
                None => {
                    self.kinds.insert(kind, loss);
                }
            }
        }
    }

    /// Whether records are missing that stood among others.
    pub(crate) fn lacks_records(&self) -> bool {
        use DamageKind::{
            NoTime, NotARecord, TooLarge, TooMany, UnknownKind, Unpaired, Unreadable,
        };
        let kinds = [Unreadable, TooLarge, NotARecord, NoTime, Unpaired, UnknownKind, TooMany];
        kinds.iter().any(|&kind| self.count(kind) > 0)
    }

    /// Moves all positions by what stands in front of the part that they were
    /// found in.
    pub fn shift(&mut self, lines: u64, bytes: u64) {
        for loss in self.kinds.values_mut() {
            if let Some(position) = &mut loss.position {
                position.line += lines;
                position.byte += bytes;
            }
        }
    }

    /// Whether nothing was lost.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// How many of a kind there were.
    pub fn count(&self, kind: DamageKind) -> u64 {
        self.kinds.get(&kind).map_or(0, |loss| loss.count)
    }

    /// The kinds that there were.
    pub fn iter(&self) -> impl Iterator<Item = (DamageKind, &DamageOfKind)> {
        self.kinds.iter().map(|(&kind, loss)| (kind, loss))
    }

    /// One warning per kind. `records` is what the format calls its records, in the
    /// plural: events, layers, lines.
    pub fn warnings(&self, file: &Path, records: &str) -> Vec<Warning> {
        let record = records.strip_suffix('s').unwrap_or(records);
        let warning = |(kind, loss): (DamageKind, &DamageOfKind)| {
            let reason = match loss.reason.as_str() {
                "" => String::new(),
                reason => format!("; the first: {reason}"),
            };
            let message = match kind {
                DamageKind::EndsEarly | DamageKind::BehindTheEnd => match loss.reason.as_str() {
                    "" => kind.message(loss.count).to_string(),
                    reason => format!("{}: {reason}", kind.message(loss.count)),
                },
                DamageKind::SecondArray => format!("{} {}", loss.count, kind.message(loss.count)),
                DamageKind::NotUtf8 => {
                    format!("{} {}{reason}", loss.count, kind.message(loss.count))
                }
                kind => format!(
                    "{} {}{reason}",
                    counted(loss.count, record, records),
                    kind.message(loss.count)
                ),
            };
            Warning {
                file: file.to_path_buf(),
                position: loss.position,
                message,
                loss: kind.is_loss(),
            }
        };
        self.iter().map(warning).collect()
    }
}
