//! Tables of a recording beside its events: read entry by entry, so that damage costs only
//! the entry that it is in.

use crate::chrome::EventTrace;
use crate::damage::{Damage, DamageKind};
use crate::formats::records;
use crate::json::Cursor;
use onnxray_format::{Position, Warning};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::path::Path;

/// What of the tables was lost, by what their entries are called.
#[derive(Default)]
pub(super) struct Tables(Vec<(&'static str, Damage)>);

/// An object that there is one of.
pub(super) struct Object<T> {
    pub(super) value: T,
    /// Its fields that could not be understood.
    pub(super) unreadable: Vec<String>,
    pub(super) position: Option<Position>,
}

/// Reads an object, and names the fields that it should not have. `None` if it is damaged.
pub(super) fn entry<T: DeserializeOwned>(raw: &[u8]) -> Option<(T, Vec<String>)> {
    let mut raw = raw.to_vec();
    let mut others = Vec::new();
    let mut deserializer = simd_json::Deserializer::from_slice(&mut raw).ok()?;
    let other = |path: serde_ignored::Path<'_>| others.push(path.to_string());
    let entry = serde_ignored::deserialize(&mut deserializer, other).ok()?;
    Some((entry, others))
}

/// Reads an object that there is one of, so that each of its members is an entry: those that
/// cannot be understood are left out and named as well. All of them have a default.
pub(super) fn members<T: DeserializeOwned>(raw: &[u8]) -> Option<(T, Vec<String>)> {
    if let Some(whole) = entry(raw) {
        return Some(whole);
    }
    let mut members: Map<String, Value> = simd_json::serde::from_slice(&mut raw.to_vec()).ok()?;
    let mut damaged = Vec::new();
    members.retain(|key, value| {
        let alone = Map::from_iter([(key.clone(), value.clone())]);
        let is_sound = serde_json::from_value::<T>(Value::Object(alone)).is_ok();
        if !is_sound {
            damaged.push(key.clone());
        }
        is_sound
    });
    let (object, others) = entry(&serde_json::to_vec(&members).ok()?)?;
    damaged.extend(others);
    Some((object, damaged))
}

impl Tables {
    /// Hands the entries of a table to `take`, one by one. What cannot be understood, or what
    /// `check` refuses, is counted.
    pub(super) fn each<T: DeserializeOwned>(
        &mut self,
        trace: &EventTrace,
        table: &str,
        entries: &'static str,
        check: impl Fn(&T) -> Result<(), &'static str>,
        mut take: impl FnMut(T),
    ) {
        let Some(member) = trace.member(table) else { return };
        let mut damage = Damage::default();
        let mut cursor = Cursor::new(&member.value);
        let unknown: RefCell<Vec<String>> = RefCell::default();
        let read = |cursor: &mut Cursor<'_>| {
            let Some((entry, others)) = entry::<T>(cursor.skip()?) else {
                return Ok(Err((DamageKind::Unreadable, "its fields")));
            };
            if let Err(reason) = check(&entry) {
                return Ok(Err((DamageKind::Unreadable, reason)));
            }
            unknown.borrow_mut().extend(others);
            Ok(Ok(entry))
        };
        if records::read(&mut cursor, &mut damage, read, &mut |_, entry| take(entry)).is_err() {
            damage.add_at(DamageKind::EndsEarly, &member.value, cursor.offset, "");
        }
        damage.shift(member.position.line - 1, member.position.byte);
        self.0.push((entries, damage));
        self.fields(entries, Some(member.position), &unknown.into_inner());
    }

    /// Reads an object that there is one of, with the fields that could not be understood. `None` if
    /// there is none; one that is damaged, or has more than `most` bytes, is counted.
    pub(super) fn member<T: DeserializeOwned>(
        &mut self,
        trace: &EventTrace,
        name: &str,
        most: usize,
    ) -> Option<Object<T>> {
        let member = trace.member(name)?;
        let position = Some(member.position);
        let read = (member.value.len() <= most).then(|| members::<T>(&member.value));
        let Some((value, unreadable)) = read.flatten() else {
            self.fields("launches", position, &[name.to_string()]);
            return None;
        };
        Some(Object { value, unreadable, position })
    }

    /// Counts fields that could not be understood.
    pub(super) fn fields(
        &mut self,
        entries: &'static str,
        position: Option<Position>,
        unreadable: &[String],
    ) {
        if unreadable.is_empty() {
            return;
        }
        let mut damage = Damage::default();
        for field in unreadable {
            damage.add(DamageKind::Member, position, format!("{field:?}"));
        }
        self.0.push((entries, damage));
    }

    /// What was lost, one warning for each kind of damage in each table.
    pub(super) fn warnings(self, file: &Path) -> Vec<Warning> {
        let mut tables: Vec<(&str, Damage)> = Vec::new();
        for (entries, damage) in self.0 {
            match tables.iter_mut().find(|(known, _)| *known == entries) {
                Some((_, known)) => known.merge(damage),
                None => tables.push((entries, damage)),
            }
        }
        tables.iter().flat_map(|(entries, damage)| damage.warnings(file, entries)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::{Operator, Run};

    #[test]
    fn fields_that_no_entry_has_are_named() {
        let facts = br#"{"number":3,"name":"m","type":"MatMul","flopz":9,
            "inputs":[{"name":"x"},{"name":"y","shapz":[1]}]}"#;
        let (operator, others) = entry::<Operator>(facts).unwrap();
        assert_eq!((others.join(" "), operator.flops), ("flopz inputs.1.shapz".to_string(), None));
        let facts = String::from_utf8_lossy(facts).replace("flopz", "flops");
        let facts = facts.replace("shapz", "shape");
        assert!(entry::<Operator>(facts.as_bytes()).unwrap().1.is_empty());
    }

    #[test]
    fn a_damaged_entry_is_none() {
        for facts in [
            r#"{"number":3,"name":"m","type":"MatMul","flops":-1}"#,
            r#"{"number":3,"name":1,"type":"MatMul"}"#,
            r#"{"name":"m","type":"MatMul"}"#,
            "{}",
            "[]",
            "{\"number\":",
        ] {
            assert!(entry::<Operator>(facts.as_bytes()).is_none(), "{facts}");
        }
    }

    #[test]
    fn a_damaged_member_costs_itself() {
        let metadata = br#"{"threads":"1","model":"m","modle":1,"rank":2}"#;
        let (run, damaged) = members::<Run>(metadata).unwrap();
        assert_eq!((damaged.join(" "), run.model.as_str()), ("threads modle".to_string(), "m"));
        assert_eq!(run.rank, Some(2));
        assert!(members::<Run>(b"{\"model\":").is_none());
    }
}
