//! Joins files that say different things about one launch.

use crate::damage::{Damage, DamageKind};
use crate::error::{ImportError, beginning};
use crate::json::{self, Broken, Value};
use crate::launch::Launch;
use crate::source::Source;
use onnxray_format::{Operator, Position, Warning};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// All bytes of a file, and what was wrong with them.
pub(crate) struct Document {
    pub(crate) file: PathBuf,
    pub(crate) bytes: Vec<u8>,
    pub(crate) damage: Damage,
}

impl Document {
    pub(crate) fn read(source: Source) -> Result<Document, ImportError> {
        let file = source.path().to_path_buf();
        let (mut bytes, cause) = source.read_whole()?;
        if bytes.starts_with(b"\xef\xbb\xbf") {
            // Blanks, so that positions stay what they are.
            bytes[..3].fill(b' ');
        }
        let fields = bytes.iter().filter(|&&byte| PARTING[usize::from(byte)]).count();
        if fields > MOST_FIELDS {
            return Err(ImportError::TooManyFields { file, fields, limit: MOST_FIELDS });
        }
        let mut damage = Damage::default();
        if let Some(cause) = cause {
            damage.add_at(DamageKind::EndsEarly, &bytes, bytes.len(), cause.to_string());
        }
        damage.add_not_utf8(&bytes);
        Ok(Document { file, bytes, damage })
    }

    /// Says that the text is not well-formed JSON, unless that is known already. It may be
    /// read nevertheless: what is of no use is stepped over.
    pub(crate) fn check_json(&mut self) {
        let Document { bytes, damage, .. } = self;
        if !damage.is_empty() {
            return;
        }
        if let Err(error) = serde_json::from_slice::<serde::de::IgnoredAny>(bytes) {
            let lines = bytes.split_inclusive(|&byte| byte == b'\n').take(error.line() - 1);
            let offset = lines.map(<[u8]>::len).sum::<usize>() + error.column();
            let reason = error.to_string();
            let (reason, _) = reason.split_once(" at line").unwrap_or((&reason, ""));
            damage.add_at(DamageKind::Repaired, bytes, offset.saturating_sub(1), reason);
        } else if let Some(offset) = json::beyond_range(bytes) {
            damage.add_at(DamageKind::Repaired, bytes, offset, "a number beyond any range");
        }
    }

    /// Counts what kept arrays or objects from being read to their end, of which there are as
    /// many as `documents`.
    pub(crate) fn count_rest(
        &mut self,
        ended: Result<(), Broken>,
        offset: usize,
        documents: usize,
    ) {
        let Document { bytes, damage, .. } = self;
        match ended {
            Err(Broken::Cut) => {
                damage.add_at(DamageKind::EndsEarly, bytes, offset, "within the records")
            }
            Err(Broken::Expected(what)) => {
                damage.add_at(DamageKind::Unreadable, bytes, offset, format!("expected {what}"));
            }
            Ok(()) => {
                let behind = bytes[offset..].iter().position(|byte| !byte.is_ascii_whitespace());
                if let Some(step) = behind {
                    damage.add_at(DamageKind::BehindTheEnd, bytes, offset + step, "");
                }
            }
        }
        // Of several, each is looked at while it is read.
        if documents < 2 {
            self.check_json();
        }
    }

    /// Nothing here can be read.
    pub(crate) fn unexpected(&self, offset: usize, expected: &str) -> ImportError {
        let found = beginning(self.bytes.get(offset..).unwrap_or_default());
        let position = Position::of(&self.bytes, offset);
        ImportError::Unexpected {
            file: self.file.clone(),
            position,
            expected: expected.into(),
            found,
        }
    }
}

/// Whether a file seems to hold lines of text, such as a log that may begin with `[Step 1/11]` or
/// `[05/08/2024-14:05:14]`, and neither JSON nor XML.
pub(crate) fn is_text(text: &[u8]) -> bool {
    match text {
        [b'{' | b'<', ..] => false,
        [b'[', behind @ ..] => {
            // In JSON, an object, a text, an array, or nothing would be in it.
            let first = behind.trim_ascii_start().first();
            first.is_some_and(u8::is_ascii_alphanumeric)
        }
        _ => true,
    }
}

/// The longest time that is believed, in nanoseconds: a year.
pub(crate) const LONGEST: f64 = 366.0 * 24.0 * 3600.0 * 1e9;

/// The most fields of a file that is read whole: what they become takes many times the
/// memory of an empty one.
pub(crate) const MOST_FIELDS: usize = 16_000_000;

/// What fields are parted by in JSON, CSV, tables and XML.
const PARTING: [bool; 256] = {
    let mut table = [false; 256];
    let (bytes, mut index) = (b",;\t\n{[<", 0);
    while index < bytes.len() {
        table[bytes[index] as usize] = true;
        index += 1;
    }
    table
};

/// Milliseconds as nanoseconds; `None` for what is not a time.
pub(crate) fn nanoseconds(milliseconds: Value<'_>) -> Option<f64> {
    let nanoseconds = milliseconds.as_f64()? * 1e6;
    (0.0..=LONGEST).contains(&nanoseconds).then_some(nanoseconds)
}

pub(crate) struct Part<T> {
    pub(crate) file: PathBuf,
    pub(crate) content: T,
    pub(crate) warnings: Vec<Warning>,
}

impl<T> Part<Vec<T>> {
    /// What a file says of each launch; what was wrong with it is told of the first.
    pub(crate) fn each(self) -> impl Iterator<Item = Part<T>> {
        let Part { file, content, mut warnings } = self;
        content.into_iter().map(move |content| {
            let warnings = std::mem::take(&mut warnings);
            Part { file: file.clone(), content, warnings }
        })
    }
}

impl<T> Part<T> {
    /// Reads a document of one kind. `records` is what messages call its records.
    pub(crate) fn read(
        mut document: Document,
        records: &str,
        read: impl Fn(&mut Document) -> Result<T, ImportError>,
    ) -> Result<Part<T>, ImportError> {
        let content = read(&mut document)?;
        let warnings = document.damage.warnings(&document.file, records);
        Ok(Part { file: document.file, content, warnings })
    }

    /// Adds the file, and what was wrong with it, to its launch.
    pub(crate) fn add_to(&self, launch: &mut Launch) {
        launch.files.push(self.file.clone());
        launch.warnings.extend(self.warnings.iter().cloned());
    }

    /// Says of the file what is not a loss.
    pub(crate) fn note(&self, launch: &mut Launch, message: impl Into<String>) {
        launch.warnings.push(Warning::note(&self.file, message));
    }
}

/// The part of each launch: one by one if there are as many as launches, the
/// same for all if there is one. `first` is the first launch's file, for the
/// message.
pub(crate) fn share<'a, T>(
    parts: &'a [Part<T>],
    launches: usize,
    first: &Path,
    what: &str,
) -> Result<Vec<Option<&'a Part<T>>>, ImportError> {
    match parts {
        [] => Ok(vec![None; launches]),
        [part] => Ok(vec![Some(part); launches]),
        parts if parts.len() == launches => Ok(parts.iter().map(Some).collect()),
        [part, ..] => Err(ImportError::DifferentRecordings {
            first: first.to_path_buf(),
            second: part.file.clone(),
            difference: format!("there are {} files of {what} for {launches}", parts.len()),
        }),
    }
}

/// Numbers operators by their positions and tells those of one name apart:
/// `name`, `name (2)`, `name (3)`.
pub(crate) fn number_and_name(operators: &mut [Operator]) {
    let mut seen: HashMap<String, u32> = HashMap::new();
    let names: HashSet<String> = operators.iter().map(|operator| operator.name.clone()).collect();
    for (number, operator) in operators.iter_mut().enumerate() {
        operator.number = number as u32;
        let count = seen.entry(operator.name.clone()).or_insert(0);
        *count += 1;
        while *count > 1 {
            let name = format!("{} ({count})", operator.name);
            if !names.contains(&name) {
                operator.name = name;
                break;
            }
            *count += 1;
        }
    }
}

/// Finds operators by name; those of one name in their order.
pub(crate) struct Finder {
    positions: HashMap<String, (Vec<u32>, usize)>,
}

impl Finder {
    /// The operators as their producer named them.
    pub(crate) fn new(operators: &[Operator]) -> Finder {
        let mut positions: HashMap<String, (Vec<u32>, usize)> = HashMap::new();
        for (position, operator) in operators.iter().enumerate() {
            positions.entry(operator.name.clone()).or_default().0.push(position as u32);
        }
        Finder { positions }
    }

    /// The next one of this name.
    pub(crate) fn take(&mut self, name: &str) -> Option<u32> {
        let (positions, taken) = self.positions.get_mut(name)?;
        let position = positions.get(*taken).copied()?;
        *taken += 1;
        Some(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_unique_without_meeting_others() {
        let named = |name: &str| Operator { name: name.into(), ..Operator::default() };
        let mut operators = ["a", "a", "b", "a (2)", "a"].map(named);
        number_and_name(&mut operators);
        let names: Vec<&str> = operators.iter().map(|operator| operator.name.as_str()).collect();
        assert_eq!(names, ["a", "a (3)", "b", "a (2)", "a (4)"]);
        assert_eq!(operators[4].number, 4);
    }

    #[test]
    fn operators_of_one_name_are_found_in_order() {
        let named = |name: &str| Operator { name: name.into(), ..Operator::default() };
        let mut finder = Finder::new(&["a", "b", "a"].map(named));
        assert_eq!(
            [finder.take("a"), finder.take("a"), finder.take("a")],
            [Some(0), Some(2), None]
        );
        assert_eq!(finder.take("c"), None);
    }
}
