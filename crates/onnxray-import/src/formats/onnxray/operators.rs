//! The operators of a recording: the facts that labels carry, and those of operators
//! that did not run.

use super::event::fact;
use super::tables::{Tables, lenient};
use crate::chrome::{EventTrace, Label};
use onnxray_format::Operator;
use std::collections::{BTreeMap, BTreeSet};

/// What labels and tables say of operators.
pub(super) struct Named {
    /// In the order of their numbers, which are then their positions.
    pub(super) operators: Vec<Operator>,
    /// The operator of each label.
    pub(super) of_label: Vec<Option<u32>>,
    /// How many have facts that changed.
    pub(super) changed: usize,
}

/// An operator, and whether more is known of it than what its event says.
type Known = (Operator, bool);

pub(super) fn operators(trace: &EventTrace, tables: &mut Tables) -> Named {
    let mut operators: BTreeMap<u32, Known> = BTreeMap::new();
    let mut changed = BTreeSet::new();
    for label in &trace.labels {
        let Some(number) = number(label) else {
            if label.raw_fact(fact::OPERATOR).is_some() {
                let what =
                    format!("the number of {:?}, whose executions are left out", label.name());
                tables.fields("operators", None, &[what]);
            }
            continue;
        };
        match (operators.get_mut(&number), facts(label, number, tables)) {
            (None, Some(facts)) => {
                operators.insert(number, (facts, true));
            }
            (None, None) => {
                let name = label.name().into_owned();
                let operator_type = label.category().into_owned();
                let bare = Operator { number, name, operator_type, ..Operator::default() };
                operators.insert(number, (bare, false));
            }
            (Some(known), Some(facts)) => {
                if !known.1 {
                    // Its first event could not be read.
                    *known = (facts, true);
                } else if known.0 != facts {
                    changed.insert(number);
                }
            }
            (Some(_), None) => {}
        }
    }
    tables.each(
        trace,
        "idleOperators",
        "idle operators",
        &["number"],
        |_| Ok(()),
        |operator: Operator| {
            operators.entry(operator.number).or_insert((operator, true));
        },
    );
    let positions: BTreeMap<u32, u32> =
        operators.keys().enumerate().map(|(position, &number)| (number, position as u32)).collect();
    let of_label = trace.labels.iter().map(|label| positions.get(&number(label)?).copied());
    let of_label = of_label.collect();
    let operators = operators.into_values().enumerate().map(|(position, (operator, _))| Operator {
        number: position as u32,
        parent: operator.parent.and_then(|parent| positions.get(&parent).copied()),
        ..operator
    });
    Named { operators: operators.collect(), of_label, changed: changed.len() }
}

fn number(label: &Label) -> Option<u32> {
    u32::try_from(label.fact(fact::OPERATOR)?.as_i64()?).ok()
}

/// What the label says of its operator beside its number, if it does.
fn facts(label: &Label, number: u32, tables: &mut Tables) -> Option<Operator> {
    let raw = label.raw_fact(fact::FACTS)?;
    let name = label.name();
    let facts = lenient::<Operator>(raw);
    let unreadable = match &facts {
        Some((_, unreadable)) => unreadable.clone(),
        None => vec!["facts".to_string()],
    };
    let unreadable: Vec<String> =
        unreadable.iter().map(|field| format!("{field} of {name:?}")).collect();
    tables.fields("operators", None, &unreadable);
    let (mut facts, _) = facts?;
    if facts.name.is_empty() {
        facts.name = name.into_owned();
    }
    Some(Operator { number, ..facts })
}
