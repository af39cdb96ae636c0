//! What a trace calls its processes and threads: events of metadata.

use crate::json::{Broken, Cursor, Text, Value};
use crate::launch::Thread;
use std::collections::HashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Process,
    /// What a process is beside its name, such as the device that it stands for.
    Labels,
    Thread,
}

/// Names by process and thread.
#[derive(Default)]
pub(crate) struct Names(HashMap<(Kind, String, String), String>);

impl Names {
    /// Adds what the event behind the cursor names, if it does.
    pub(crate) fn read(&mut self, mut cursor: Cursor<'_>) {
        let _ = self.add(&mut cursor);
    }

    fn add(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Broken> {
        let (mut kind, mut name, mut labels) = (None, None, None);
        let (mut process, mut thread) = (String::new(), None);
        let word = |value: Value<'_>| decode(identity(value));
        cursor.object(|key, cursor| {
            match key.raw {
                b"name" => {
                    kind = match identity(cursor.value()?) {
                        b"process_name" => Some(Kind::Process),
                        b"process_labels" => Some(Kind::Labels),
                        b"thread_name" => Some(Kind::Thread),
                        _ => None,
                    };
                }
                b"pid" => process = word(cursor.value()?),
                b"tid" => thread = Some(word(cursor.value()?)),
                b"args" if cursor.peek() == Some(b'{') => cursor.object(|key, cursor| {
                    match key.raw {
                        b"name" => name = Some(word(cursor.value()?)),
                        b"labels" => labels = Some(word(cursor.value()?)),
                        _ => drop(cursor.skip()?),
                    }
                    Ok(())
                })?,
                _ => drop(cursor.skip()?),
            }
            Ok(())
        })?;
        let (kind, name) = match (kind, name, labels) {
            (Some(Kind::Labels), _, Some(labels)) => (Kind::Labels, labels),
            (Some(kind), Some(name), _) => (kind, name),
            _ => return Ok(()),
        };
        let thread = match kind {
            Kind::Thread => thread.unwrap_or_else(|| process.clone()),
            Kind::Process | Kind::Labels => String::new(),
        };
        self.0.insert((kind, process, thread), name.trim().to_string());
        Ok(())
    }

    /// Adds those of a later part of the trace.
    pub(crate) fn extend(&mut self, later: Names) {
        self.0.extend(later.0);
    }

    pub(crate) fn name(&self, thread: &mut Thread) {
        let find = |kind, thread_id: &str| {
            let found = self.0.get(&(kind, thread.process.clone(), thread_id.to_string()));
            found.filter(|name| !name.is_empty()).cloned()
        };
        let process = find(Kind::Process, "").into_iter();
        let labels = find(Kind::Labels, "").map(|labels| format!("({labels})"));
        let process: Vec<String> = process.chain(labels).collect();
        thread.thread_name = find(Kind::Thread, &thread.thread).unwrap_or_default();
        thread.process_name = process.join(" ");
    }
}

/// Text as it is meant.
pub(crate) fn decode(raw: &[u8]) -> String {
    Text { raw, escaped: raw.contains(&b'\\') }.decode().into_owned()
}

/// A process or thread, which some name and some number.
#[inline]
pub(crate) fn identity(value: Value<'_>) -> &[u8] {
    match value {
        Value::Text(Text { raw, .. }) | Value::Number(raw) | Value::Word(raw) => raw,
        Value::Object(_) | Value::Array(_) => b"",
    }
}
