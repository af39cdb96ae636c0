//! What a study measures, and what is known of its variants.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The plan of a study: the first line of its journal.
pub trait Plan: Clone + Serialize + DeserializeOwned {
    /// Value of the member `format` in the first line.
    const FORMAT: &'static str;
    /// Value of the member `version` in the first line.
    const VERSION: u32;
    /// The member of the first line that has the plan: `plan` or `run`.
    const MEMBER: &'static str;
    /// Hint for a file in the journal's place that is something else.
    const HINT: &'static str;
    /// Option that replaces a journal of another run.
    const ANEW: &'static str;

    /// Type of the other lines.
    type Entry: Entry;

    /// The journal of what is measured for `place`, which is a folder or a result.
    fn journal(place: &Path) -> PathBuf;

    /// Message when another process holds the journal's lock.
    fn other(place: &Path) -> String;

    /// Checks a plan that was read from a file.
    ///
    /// # Errors
    ///
    /// What is not, in words.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// Whether an entry belongs to a variant of the plan.
    fn has(&self, _entry: &Self::Entry) -> bool {
        true
    }
}

/// A line of a journal: what is known of a variant.
pub trait Entry: Serialize + DeserializeOwned {
    /// Key of an entry; of two entries with one key, the later one counts.
    type Key: Ord;

    /// Its key.
    fn key(&self) -> Self::Key;

    /// Key of an older entry that this one invalidates.
    fn outdates(&self) -> Option<Self::Key> {
        None
    }
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
