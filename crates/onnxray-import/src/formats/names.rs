//! Names of operators that are unique within a launch.

use onnxray_format::Operator;
use std::collections::{HashMap, HashSet};

/// Gives the second operator of a name ` (2)` behind it, the third ` (3)`, and
/// so on, stepping over names that are taken already.
pub fn make_unique(operators: &mut [Operator]) {
    let mut taken: HashSet<String> = operators.iter().map(|o| o.name.clone()).collect();
    let mut counts: HashMap<String, u64> = HashMap::new();
    for operator in operators {
        let count = counts.entry(operator.name.clone()).or_insert(0);
        *count += 1;
        if *count == 1 {
            continue;
        }
        let mut name = format!("{} ({count})", operator.name);
        while !taken.insert(name.clone()) {
            *count += 1;
            name = format!("{} ({count})", operator.name);
        }
        operator.name = name;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_ones_are_numbered_around_names_that_are_taken() {
        let named = |name: &str| Operator { name: name.to_string(), ..Operator::default() };
        let mut operators = ["a", "a", "b", "a (2)", "a"].map(named);
        make_unique(&mut operators);
        let names: Vec<&str> = operators.iter().map(|operator| operator.name.as_str()).collect();
        assert_eq!(names, ["a", "a (3)", "b", "a (2)", "a (4)"]);
    }
}
