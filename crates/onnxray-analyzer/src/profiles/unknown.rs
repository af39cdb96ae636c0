//! Members of an entry that this program does not know: they are written back as they were read.

use serde::Serialize;
use serde_json::{Map, Value};

/// Members of one entry, or of the file, by the members that hold them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unknown(Map<String, Value>);

impl Unknown {
    /// Members of `text` that `read` lacks.
    pub(super) fn of(text: &str, read: &impl Serialize) -> Unknown {
        let both = (serde_json::from_str(text), serde_json::to_value(read));
        let (Ok(Value::Object(text)), Ok(Value::Object(read))) = both else {
            return Unknown::default();
        };
        Unknown(beyond(text, &read))
    }

    /// Paths of the members: `configuration.gpu`.
    pub(super) fn names(&self) -> Vec<String> {
        let mut found = Vec::new();
        names(&self.0, "", &mut found);
        found
    }

    /// An entry with these members after its own.
    pub(super) fn with(&self, entry: &impl Serialize) -> serde_json::Result<Value> {
        let mut entry = serde_json::to_value(entry)?;
        if let Value::Object(members) = &mut entry {
            add(members, &self.0);
        }
        Ok(entry)
    }
}

/// Members of `text` that `read` lacks, at any depth. A `null` is dropped: a missing member means
/// the same.
fn beyond(text: Map<String, Value>, read: &Map<String, Value>) -> Map<String, Value> {
    let mut found = Map::new();
    for (name, value) in text {
        match (value, read.get(&name)) {
            (Value::Null, _) => {}
            (value, None) => drop(found.insert(name, value)),
            (Value::Object(text), Some(Value::Object(read))) => {
                let within = beyond(text, read);
                if !within.is_empty() {
                    found.insert(name, Value::Object(within));
                }
            }
            // A known member, which `read` has with its value.
            (_, Some(_)) => {}
        }
    }
    found
}

fn names(members: &Map<String, Value>, above: &str, found: &mut Vec<String>) {
    for (name, value) in members {
        match value {
            Value::Object(within) if !within.is_empty() => {
                names(within, &format!("{above}{name}."), found);
            }
            _ => found.push(format!("{above}{name}")),
        }
    }
}

fn add(members: &mut Map<String, Value>, unknown: &Map<String, Value>) {
    for (name, value) in unknown {
        match (members.get_mut(name), value) {
            (None, _) => drop(members.insert(name.clone(), value.clone())),
            (Some(Value::Object(known)), Value::Object(within)) => add(known, within),
            // The member that contained it has another type now.
            (Some(_), _) => {}
        }
    }
}
