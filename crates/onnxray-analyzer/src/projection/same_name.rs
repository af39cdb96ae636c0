//! Which names settings take for the same: those of a target find operators by these.

use super::ratio::folded_type;
use crate::printable::short_name;
use std::collections::HashMap;

/// Names, and the first of each.
#[derive(Debug)]
pub struct SameNames {
    /// By position: that of the first equal name.
    pub first: Vec<usize>,
    places: HashMap<String, usize>,
    fold: fn(&str) -> String,
}

impl SameNames {
    fn new<'a>(names: impl Iterator<Item = &'a str>, fold: fn(&str) -> String) -> SameNames {
        let mut places = HashMap::new();
        let place = |(place, name)| *places.entry(fold(name)).or_insert(place);
        SameNames { first: names.enumerate().map(place).collect(), places, fold }
    }

    /// Position of the first equal name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.places.get(&(self.fold)(name)).copied()
    }
}

/// Names of operators.
pub fn same_operators<'a>(names: impl Iterator<Item = &'a str>) -> SameNames {
    SameNames::new(names, |name| short_name(name).into_owned())
}

/// Names of operator types: upper and lower case are the same.
pub fn same_types<'a>(names: impl Iterator<Item = &'a str>) -> SameNames {
    SameNames::new(names, folded_type)
}
