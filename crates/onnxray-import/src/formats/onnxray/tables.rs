//! Tables of a recording beside its events: read entry by entry, and field by field
//! where an entry is damaged, so that damage costs only itself.

use crate::chrome::EventTrace;
use crate::formats::records;
use crate::json::Cursor;
use crate::loss::{LossKind, Losses};
use onnxray_format::{Position, Warning};
use serde::de::{DeserializeOwned, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::path::Path;

/// What of the tables was lost, by what their entries are called.
#[derive(Default)]
pub(super) struct Tables(Vec<(&'static str, Losses)>);

/// Reads an object; fields that cannot be understood, or that it should not have, are left
/// out and named. `None` if it is not an object, or if a field is missing without which it says
/// nothing.
pub(super) fn lenient<T>(raw: &[u8]) -> Option<(T, Vec<String>)>
where
    T: DeserializeOwned + Serialize + Default,
{
    // Unlike serde_json as it is built here, simd-json reads every float exactly.
    if let Ok(whole) = simd_json::serde::from_slice(&mut raw.to_vec()) {
        return Some((whole, other_keys(raw, fields_of::<T>())));
    }
    let fields: Map<String, Value> = simd_json::serde::from_slice(&mut raw.to_vec()).ok()?;
    let Ok(Value::Object(blank)) = serde_json::to_value(T::default()) else { return None };
    let read = |fields: Map<String, Value>| serde_json::from_value::<T>(Value::Object(fields));
    let with = |key: &String, value: &Value| {
        let mut fields = blank.clone();
        fields.insert(key.clone(), value.clone());
        fields
    };
    let (sound, unreadable): (Map<_, _>, Map<_, _>) =
        fields.into_iter().partition(|(key, value)| read(with(key, value)).is_ok());
    let mut unreadable: Vec<String> = unreadable.into_iter().map(|(key, _)| key).collect();
    let whole = match read(sound.clone()) {
        Ok(whole) => whole,
        Err(_) if unreadable.is_empty() => return None,
        Err(_) => read(blank.into_iter().chain(sound).collect()).ok()?,
    };
    unreadable.extend(other_keys(raw, fields_of::<T>()));
    Some((whole, unreadable))
}

/// The keys of an object.
fn keys(object: &[u8]) -> Vec<String> {
    let mut keys = Vec::new();
    // What is malformed was refused already.
    let _ = Cursor::new(object).object(|key, cursor| {
        keys.push(key.decode().into_owned());
        cursor.skip().map(|_| ())
    });
    keys
}

/// Keys of an object that are none of these.
pub(super) fn other_keys(object: &[u8], fields: &[&str]) -> Vec<String> {
    keys(object).into_iter().filter(|key| !fields.contains(&key.as_str())).collect()
}

/// The names that the fields of a struct have in JSON.
pub(super) fn fields_of<'de, T: Deserialize<'de>>() -> &'static [&'static str] {
    /// Is asked for the fields, and hands over nothing.
    struct Fields<'a>(&'a mut &'static [&'static str]);

    impl<'de> Deserializer<'de> for Fields<'_> {
        type Error = serde::de::value::Error;

        fn deserialize_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            fields: &'static [&'static str],
            visitor: V,
        ) -> Result<V::Value, Self::Error> {
            *self.0 = fields;
            self.deserialize_any(visitor)
        }

        fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
            Err(serde::de::Error::custom("only the fields are asked for"))
        }

        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit
            unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
        }
    }

    let mut fields: &'static [&'static str] = &[];
    let _ = T::deserialize(Fields(&mut fields));
    fields
}

impl Tables {
    /// Hands the entries of a table to `take`, one by one. What cannot be understood, what
    /// has none of the fields that it `needs`, or what `check` refuses, is counted.
    pub(super) fn each<T: DeserializeOwned + Serialize + Default>(
        &mut self,
        trace: &EventTrace,
        table: &str,
        entries: &'static str,
        needs: &[&str],
        check: impl Fn(&T) -> Result<(), &'static str>,
        mut take: impl FnMut(T),
    ) {
        let Some(member) = trace.member(table) else { return };
        let mut losses = Losses::default();
        let mut cursor = Cursor::new(&member.value);
        let damaged: RefCell<Vec<String>> = RefCell::default();
        let entry = |cursor: &mut Cursor<'_>| {
            let raw = cursor.skip()?;
            let Some((entry, unreadable)) = lenient::<T>(raw) else {
                return Ok(Err((LossKind::Unreadable, "its fields")));
            };
            let keys = keys(raw);
            let is_missing = |field: &&str| !keys.iter().any(|key| key == field);
            if needs.iter().any(is_missing)
                || unreadable.iter().any(|field| needs.contains(&field.as_str()))
            {
                return Ok(Err((LossKind::Unreadable, "what it is of")));
            }
            if let Err(reason) = check(&entry) {
                return Ok(Err((LossKind::Unreadable, reason)));
            }
            damaged.borrow_mut().extend(unreadable);
            Ok(Ok(entry))
        };
        if records::read(&mut cursor, &mut losses, entry, &mut |_, entry| take(entry)).is_err() {
            losses.add_at(LossKind::EndsEarly, &member.value, cursor.offset, "");
        }
        losses.shift(member.position.line - 1, member.position.byte);
        self.0.push((entries, losses));
        self.fields(entries, Some(member.position), &damaged.into_inner());
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
        let mut losses = Losses::default();
        for field in unreadable {
            losses.add(LossKind::Member, position, format!("{field:?}"));
        }
        self.0.push((entries, losses));
    }

    /// What was lost, one warning for each kind of damage in each table.
    pub(super) fn warnings(self, file: &Path) -> Vec<Warning> {
        let mut tables: Vec<(&str, Losses)> = Vec::new();
        for (entries, losses) in self.0 {
            match tables.iter_mut().find(|(known, _)| *known == entries) {
                Some((_, known)) => known.merge(losses),
                None => tables.push((entries, losses)),
            }
        }
        tables.iter().flat_map(|(entries, losses)| losses.warnings(file, entries)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::{Operator, Run};

    #[test]
    fn a_field_that_is_none_is_named() {
        let facts = br#"{"number":3,"name":"m","type":"MatMul","flopz":9}"#;
        let (operator, unreadable) = lenient::<Operator>(facts).unwrap();
        assert_eq!((unreadable, operator.flops), (vec!["flopz".to_string()], None));
        let (_, unreadable) = lenient::<Operator>(&facts.map(|byte| match byte {
            b'z' => b's',
            byte => byte,
        }))
        .unwrap();
        assert!(unreadable.is_empty());
    }

    #[test]
    fn a_bad_field_costs_itself() {
        let facts =
            br#"{"number":3,"name":"m","type":"MatMul","flops":-1,"bytes":"x","parameters":7}"#;
        let (operator, unreadable) = lenient::<Operator>(facts).unwrap();
        assert_eq!(unreadable, ["bytes", "flops"]);
        assert_eq!((operator.name.as_str(), operator.parameters), ("m", Some(7)));
        let (operator, unreadable) =
            lenient::<Operator>(br#"{"number":3,"name":1,"type":"MatMul","flops":9}"#).unwrap();
        assert_eq!((unreadable, operator.flops), (vec!["name".to_string()], Some(9)));
        let (run, unreadable) = lenient::<Run>(br#"{"threads":"1","model":"m"}"#).unwrap();
        assert_eq!((unreadable, run.model.as_str()), (vec!["threads".to_string()], "m"));
    }

    #[test]
    fn what_says_nothing_is_nothing() {
        assert!(lenient::<Operator>(b"{}").is_none());
        assert!(lenient::<Operator>(b"[]").is_none());
        assert!(lenient::<Operator>(b"{\"number\":").is_none());
    }
}
