//! What an experiment measures, and what is known of its variants.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What an experiment measures: the first line of its journal.
pub trait Plan: Clone + Serialize + DeserializeOwned {
    /// What the first line says that it is.
    const FORMAT: &'static str;
    /// Version of the first line.
    const VERSION: u32;
    /// The member of the first line that has the plan: `plan` or `run`.
    const MEMBER: &'static str;
    /// How to begin where the journal is something else.
    const HINT: &'static str;
    /// The option that begins anew where the journal is of another run.
    const ANEW: &'static str;

    /// What the other lines say.
    type Entry: Entry;

    /// The journal of what is measured for `place`, which is a folder or a result.
    fn journal(place: &Path) -> PathBuf;

    /// Message when another process holds the journal's lock.
    fn other(place: &Path) -> String;

    /// Whether what a file says is such a plan.
    ///
    /// # Errors
    ///
    /// What is not, in words.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// Whether an entry is of a variant.
    fn has(&self, _entry: &Self::Entry) -> bool {
        true
    }
}

/// What a line of a journal says of a variant.
pub trait Entry: Serialize + DeserializeOwned {
    /// Of what it is; of two entries with the same one, the later one holds.
    type Key: Ord;

    /// Of what it is.
    fn key(&self) -> Self::Key;

    /// Of what nothing is known any more, because of this.
    fn outdates(&self) -> Option<Self::Key> {
        None
    }
}

/// Bounds of a ratio of two latencies: what a journal states beyond was never measured.
pub(crate) fn is_ratio(ratio: f64) -> bool {
    (1e-9..=1e9).contains(&ratio)
}

/// Names of the members in which two plans differ, with blanks for underscores.
pub(super) fn differences(one: &impl Plan, other: &impl Plan) -> Vec<String> {
    let (one, other) = (members(one), members(other));
    // One may have a member that the other lacks.
    let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    let differ = names.into_iter().filter(|&name| one.get(name) != other.get(name));
    differ.map(|name| name.replace('_', " ")).collect()
}

fn members(plan: &impl Plan) -> serde_json::Map<String, Value> {
    match serde_json::to_value(plan) {
        Ok(Value::Object(members)) => members,
        _ => Default::default(),
    }
}
