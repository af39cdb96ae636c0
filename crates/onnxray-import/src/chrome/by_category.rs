//! Operators of traces that know events only by category and name.

use super::label::Label;
use super::trace::EventTrace;
use onnxray_format::Operator;
use std::collections::{BTreeMap, HashMap, HashSet};

/// An operator for each category and name that an execution has, in order of
/// first appearance, and the operator of each label. `describe` gets the name
/// and the category, and says the rest.
///
/// A name that occurs in several categories stays with the first of them in
/// alphabetical order and has the category behind it in the others: `name
/// (kernel)`. If that is another operator's name, ` (2)` and so on follows.
pub fn operators(
    trace: &EventTrace,
    describe: impl Fn(&str, &str) -> Operator,
) -> (Vec<Operator>, Vec<Option<u32>>) {
    let mut executed = vec![false; trace.labels.len()];
    for &label in trace.chunks.iter().flat_map(|rows| &rows.label) {
        executed[label as usize] = true;
    }
    let mut keys: Vec<(String, String)> = Vec::new();
    let mut numbers: HashMap<(String, String), u32> = HashMap::new();
    let number = |(label, executed): (&Label, bool)| {
        let key = (label.name().into_owned(), label.category().into_owned());
        executed.then(|| {
            *numbers.entry(key).or_insert_with_key(|key| {
                keys.push(key.clone());
                keys.len() as u32 - 1
            })
        })
    };
    let of_label = trace.labels.iter().zip(executed).map(number).collect();
    let operators = keys.iter().zip(unique(&keys)).enumerate();
    let operators = operators.map(|(number, ((name, category), unique))| Operator {
        number: number as u32,
        name: unique,
        ..describe(name, category)
    });
    (operators.collect(), of_label)
}

/// A name for each pair of name and category.
fn unique(keys: &[(String, String)]) -> Vec<String> {
    let mut first: BTreeMap<&str, &str> = BTreeMap::new();
    for (name, category) in keys {
        let least = first.entry(name).or_insert(category);
        *least = (*least).min(category);
    }
    let mut taken: HashSet<String> = first.keys().map(|name| name.to_string()).collect();
    let name = |(name, category): &(String, String)| {
        if first[name.as_str()] == category {
            return name.clone();
        }
        let wanted = format!("{name} ({category})");
        let others = (2..).map(|number| format!("{wanted} ({number})"));
        let free = std::iter::once(wanted.clone()).chain(others).find(|name| !taken.contains(name));
        let free = free.unwrap_or(wanted);
        taken.insert(free.clone());
        free
    };
    keys.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_several_categories_has_one_name_in_each() {
        let keys = [("a", "kernel"), ("a", "cpu_op"), ("a (kernel)", ""), ("b", "kernel")];
        let keys = keys.map(|(name, category)| (name.to_string(), category.to_string()));
        assert_eq!(unique(&keys), ["a (kernel) (2)", "a", "a (kernel)", "b"]);
    }
}
