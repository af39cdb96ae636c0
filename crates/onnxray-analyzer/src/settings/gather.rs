//! Collects settings of a file, and refuses contradictions.

use super::findings::Findings;
use super::given::{GivenSettings, PlacedTarget, folded};
use crate::projection::{RatioKey, RatioRow, Sensitivity};
use onnxray_text::printable;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Settings read so far, with their places.
#[derive(Debug, Default)]
pub(crate) struct Gather {
    pub(crate) given: GivenSettings,
    pub(crate) findings: Findings,
    /// Targets of operators and types with their places.
    pub(crate) targets: Vec<PlacedTarget>,
    rows: HashMap<RatioKey, (String, RatioRow)>,
    levels: HashMap<(Named, String), (String, Option<f64>)>,
    layers: HashMap<String, String>,
}

/// Kinds of names that have a sparsity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Named {
    /// Target of an operator type; upper and lower case are the same.
    Type,
    /// Target of an operator.
    Operator,
    /// Level of an operator that the plan does not choose.
    Override,
}

impl Gather {
    pub(crate) fn problem(&mut self, place: &str, what: &str) {
        self.findings.problem(place, what);
    }

    /// A row of ratios. One that says the same as another is dropped.
    pub(crate) fn row(&mut self, place: String, row: RatioRow) {
        match self.rows.entry(folded(&row.key)) {
            Entry::Vacant(entry) => {
                entry.insert((place, row.clone()));
                self.given.ratios.push(row);
            }
            Entry::Occupied(entry) => {
                let (first, known) = entry.get();
                // Whatever they say of where their ratios come from.
                let same = known.points.len() == row.points.len()
                    && known.points.iter().zip(&row.points).all(|(known, point)| {
                        (known.level, known.ratio) == (point.level, point.ratio)
                    });
                if !same || known.others != row.others {
                    let what = format!(
                        "other perf ratios for {} than in {first}",
                        printable(&row.key.to_string())
                    );
                    self.findings.problem(&place, &what);
                }
            }
        }
    }

    /// The sparsity of something; `None` if it is said that it has none of
    /// its own.
    pub(crate) fn level(&mut self, named: Named, name: &str, level: Option<f64>, place: String) {
        let key = match named {
            Named::Type => name.to_lowercase(),
            Named::Operator | Named::Override => name.to_string(),
        };
        match self.levels.entry((named, key)) {
            Entry::Vacant(entry) => {
                if let (Some(level), Named::Type | Named::Operator) = (level, named) {
                    let (name, place) = (name.to_string(), place.clone());
                    let is_type = named == Named::Type;
                    self.targets.push(PlacedTarget { name, is_type, level, place });
                }
                entry.insert((place, level));
                let given = &mut self.given;
                let list = match named {
                    Named::Type => &mut given.targets.types,
                    Named::Operator => &mut given.targets.operators,
                    Named::Override => &mut given.plan.overrides,
                };
                list.extend(level.map(|level| (name.to_string(), level)));
            }
            Entry::Occupied(entry) => {
                let (first, known) = entry.get();
                if *known != level {
                    let what = format!("another sparsity for {} than in {first}", printable(name));
                    self.findings.problem(&place, &what);
                }
            }
        }
    }

    pub(crate) fn sensitivity(&mut self, sensitivity: Sensitivity, place: String) {
        match self.layers.entry(sensitivity.layer.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(place);
                self.given.plan.sensitivities.push(sensitivity);
            }
            Entry::Occupied(entry) => {
                let what = format!("{} is in {} already", printable(entry.key()), entry.get());
                self.findings.problem(&place, &what);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::projection::{DEFAULT_BLOCK, Estimate, WeightShape};
    use std::path::Path;

    fn row(operator_type: &str, ratio: f64) -> RatioRow {
        let shape = WeightShape { outputs: 4, inputs: 8 };
        let operator_type = Some(operator_type.to_string());
        let key = RatioKey { operator_type, shape, data_type: None, block: DEFAULT_BLOCK };
        let mut row = RatioRow::new(key);
        row.set(0.5, Estimate::exact(ratio));
        row
    }

    #[test]
    fn what_is_said_twice_must_agree() {
        let mut gather = Gather::default();
        gather.row("A1".into(), row("MatMul", 2.0));
        gather.row("A2".into(), row("matmul", 2.0));
        gather.level(Named::Operator, "a", None, "N2".into());
        gather.level(Named::Operator, "a", None, "N3".into());
        gather.level(Named::Override, "a", Some(0.5), "B2".into());
        assert_eq!((gather.given.ratios.len(), gather.given.targets.operators.len()), (1, 0));
        assert_eq!(gather.given.plan.overrides, [("a".to_string(), 0.5)]);
        assert!(!gather.findings.has_problems());

        gather.row("A3".into(), row("MATMUL", 3.0));
        gather.level(Named::Operator, "a", Some(0.5), "N4".into());
        let sensitivity = Sensitivity { layer: "l".into(), points: vec![] };
        gather.sensitivity(sensitivity.clone(), "B9".into());
        gather.sensitivity(sensitivity, "B10".into());
        assert_eq!(
            gather.findings.finish(Path::new("x")).unwrap_err().to_string(),
            "x: 3 problems, so that nothing is taken from it\n  \
             A3: other perf ratios for MATMUL 4x8 in blocks of 4x1 than in A1\n  \
             N4: another sparsity for a than in N2\n  B10: l is in B9 already"
        );
    }
}
