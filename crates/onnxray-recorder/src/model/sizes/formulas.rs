//! Dimensions that are formulas of others, and the sizes that they have.

use super::expression::{Expression, NoSize};
use super::given::GivenDimensions;
use crate::error::RecordError;
use std::collections::{HashMap, HashSet};

/// The free dimensions of a graph that are formulas of others.
#[derive(Default)]
pub(in crate::model) struct Formulas(HashMap<String, Expression>);

impl Formulas {
    /// Formulas among these names.
    pub(in crate::model) fn of(names: &HashSet<String>) -> Formulas {
        let formula = |name: &String| {
            Some((name.clone(), Expression::of(name, &|name| names.contains(name))?))
        };
        Formulas(names.iter().filter_map(formula).collect())
    }

    /// Names in a dimension's formula, each once; empty if it is not a formula.
    pub(in crate::model) fn names(&self, dimension: &str) -> Vec<&str> {
        self.0.get(dimension).map_or_else(Vec::new, Expression::names)
    }

    /// The names that formulas are of, and the formulas themselves.
    pub(in crate::model) fn all_names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str).chain(self.0.values().flat_map(Expression::names))
    }

    /// The size of a dimension that is a formula, if those of its names are known.
    ///
    /// # Errors
    ///
    /// If it makes no size.
    pub(in crate::model) fn size(
        &self,
        dimension: &str,
        given: &GivenDimensions,
    ) -> Result<Option<u64>, RecordError> {
        let Some(formula) = self.0.get(dimension) else { return Ok(None) };
        let size = |name: &str| given.size_of(name);
        formula.size(&size).transpose().map_err(|NoSize| RecordError::NoSize {
            dimension: dimension.to_string(),
            sizes: sizes_in(formula, given),
        })
    }

    /// Refuses a size for a formula that differs from what its names make.
    ///
    /// # Errors
    ///
    /// If there is one, or a formula that makes no size.
    pub(in crate::model) fn check(&self, given: &GivenDimensions) -> Result<(), RecordError> {
        for (dimension, formula) in &self.0 {
            let Some(&asked) = given.sizes.get(dimension) else { continue };
            // With names of its own still open, the size given stands for the formula.
            let is_whole = formula.names().into_iter().all(|name| given.sizes.contains_key(name));
            let size = if is_whole { self.size(dimension, given)? } else { None };
            if let Some(size) = size.filter(|&size| size != asked) {
                return Err(RecordError::FormulaTwice {
                    dimension: dimension.clone(),
                    size,
                    sizes: sizes_in(formula, given),
                    asked,
                });
            }
        }
        Ok(())
    }
}

/// `past=4 and seq=4`.
fn sizes_in(formula: &Expression, given: &GivenDimensions) -> String {
    let sizes = formula.names().into_iter();
    let sizes = sizes.filter_map(|name| Some(format!("{name}={}", given.size_of(name)?)));
    sizes.collect::<Vec<_>>().join(" and ")
}
