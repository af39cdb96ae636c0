//! Names of the rows of a table of operators: each has one of its own.

use std::collections::{HashMap, HashSet};

/// The names that were given, and how often each was asked for.
#[derive(Default)]
pub(super) struct RowNames {
    taken: HashSet<String>,
    asked: HashMap<String, usize>,
}

impl RowNames {
    /// A name that no other row has: `NODE`, `NODE#ROLE` if there is a role, with `#2`, `#3` … if
    /// taken.
    pub(super) fn unique(&mut self, node: &str, role: &str) -> String {
        let wanted = match role {
            "" => node.to_string(),
            role => format!("{node}#{role}"),
        };
        let count = self.asked.entry(wanted.clone()).or_insert(0);
        loop {
            *count += 1;
            let name = match *count {
                1 => wanted.clone(),
                count => format!("{wanted}#{count}"),
            };
            // A model may have a node of that name itself (`a#2`): then the next number is tried.
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}
