//! The operators of a recording: the facts that labels carry, and those of operators
//! that did not run.

use super::event::fact;
use super::tables::{Tables, entry};
use crate::chrome::{EventTrace, Label};
use crate::damage::DamageKind;
use onnxray_format::{Operator, Position};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashSet};

pub(super) struct Named {
    /// In the order of their numbers, which are then their positions.
    pub(super) operators: Vec<Operator>,
    pub(super) of_label: Vec<Option<u32>>,
    pub(super) changed: usize,
}

pub(super) fn operators(trace: &mut EventTrace, tables: &mut Tables) -> Named {
    let mut operators: BTreeMap<u32, Operator> = BTreeMap::new();
    let mut changed = BTreeSet::new();
    let mut left_out = vec![false; trace.labels.len()];
    let mut damaged: Vec<(u32, &Label)> = Vec::new();
    for (label, (first, left_out)) in trace.labels.iter().zip(trace.first.iter().zip(&mut left_out))
    {
        let position = Some(first.position);
        let Some(number) = number(label) else {
            if label.raw_fact(fact::OPERATOR).is_some() {
                let what =
                    format!("the number of {:?}, whose executions are left out", label.name());
                tables.fields("operators", position, &[what]);
            }
            continue;
        };
        let Some(raw) = label.raw_fact(fact::FACTS) else { continue };
        let Some(facts) = facts(raw, label, position, tables) else {
            damaged.push((number, label));
            continue;
        };
        // One of both numbers is damaged, and nothing says which.
        *left_out = facts.number != number;
        if *left_out {
            continue;
        }
        match operators.entry(number) {
            Entry::Vacant(place) => _ = place.insert(facts),
            Entry::Occupied(known) if *known.get() != facts => _ = changed.insert(number),
            Entry::Occupied(_) => {}
        }
    }
    add_idle(&mut operators, trace, tables);
    // Its number and its name are beside the facts, and sound.
    for (number, label) in damaged {
        operators.entry(number).or_insert_with(|| bare(number, label));
    }
    add_bare(&mut operators, &mut left_out, trace, tables);
    count_left_out(&left_out, trace);
    let positions: BTreeMap<u32, u32> =
        operators.keys().enumerate().map(|(position, &number)| (number, position as u32)).collect();
    let of_label = trace.labels.iter().zip(left_out).map(|(label, left_out)| match left_out {
        true => None,
        false => positions.get(&number(label)?).copied(),
    });
    let of_label = of_label.collect();
    // Numbers become positions: a recording that was cut may lack some.
    let mut lost_parents = Vec::new();
    let mut parent = |operator: &Operator| {
        let parent = operator.parent?;
        let position = positions.get(&parent).copied();
        if position.is_none() {
            lost_parents.push(format!("operator {parent}, the parent of {:?}", operator.name));
        }
        position
    };
    let operators = operators.into_values().enumerate().map(|(position, operator)| Operator {
        number: position as u32,
        parent: parent(&operator),
        ..operator
    });
    let operators = operators.collect();
    tables.fields("operators", None, &lost_parents);
    Named { operators, of_label, changed: changed.len() }
}

/// Adds the operators that did not run.
fn add_idle(operators: &mut BTreeMap<u32, Operator>, trace: &EventTrace, tables: &mut Tables) {
    const TABLE: &str = "idle operators";
    let mut taken = Vec::new();
    let take = |operator: Operator| match operators.entry(operator.number) {
        Entry::Vacant(place) => _ = place.insert(operator),
        Entry::Occupied(known) => taken.push(format!(
            "the number of {:?}, which is that of {:?}",
            operator.name,
            known.get().name
        )),
    };
    tables.each(trace, "idleOperators", TABLE, |_| Ok(()), take);
    let position = trace.member("idleOperators").map(|member| member.position);
    tables.fields(TABLE, position, &taken);
}

/// Adds the operators that events have a number of, but no facts: the event that told them is
/// lost. But if the event has the name of another operator, its number is damaged.
fn add_bare(
    operators: &mut BTreeMap<u32, Operator>,
    left_out: &mut [bool],
    trace: &EventTrace,
    tables: &mut Tables,
) {
    let names: HashSet<String> = operators.values().map(|operator| operator.name.clone()).collect();
    for ((label, first), left_out) in trace.labels.iter().zip(&trace.first).zip(left_out) {
        let Some(number) = number(label) else { continue };
        let name = label.name();
        let known = operators.get(&number);
        if label.raw_fact(fact::FACTS).is_some() && known.is_some()
            || known.is_some_and(|known| known.name == name)
        {
            continue;
        }
        if names.contains(name.as_ref()) {
            *left_out = true;
        } else if known.is_none() {
            let what = format!("what operator {number} is, whose events are called {name:?}");
            tables.fields("operators", Some(first.position), &[what]);
            operators.insert(number, bare(number, label));
        }
    }
}

fn bare(number: u32, label: &Label) -> Operator {
    let (name, operator_type) = (label.name().into_owned(), label.category().into_owned());
    Operator { number, name, operator_type, ..Operator::default() }
}

/// Counts the executions that are left out, since their number is not that of their operator.
fn count_left_out(left_out: &[bool], trace: &mut EventTrace) {
    if !left_out.contains(&true) {
        return;
    }
    let mut executions = vec![0u64; left_out.len()];
    for &label in trace.chunks.iter().flat_map(|rows| &rows.label) {
        executions[label as usize] += 1;
    }
    let labels = trace.labels.iter().zip(&trace.first).zip(left_out.iter().zip(executions));
    for ((label, first), (_, count)) in labels.filter(|(_, (left_out, _))| **left_out) {
        let number = label.raw_fact(fact::OPERATOR).map(String::from_utf8_lossy);
        let number = number.unwrap_or_default();
        let reason = format!("{:?} is not operator {number} (`op`)", label.name());
        trace.damage.add_times(DamageKind::Unreadable, count, Some(first.position), reason);
    }
}

fn number(label: &Label) -> Option<u32> {
    u32::try_from(label.fact(fact::OPERATOR)?.as_i64()?).ok()
}

fn facts(
    raw: &[u8],
    label: &Label,
    position: Option<Position>,
    tables: &mut Tables,
) -> Option<Operator> {
    let name = label.name();
    let (facts, unreadable) = match entry::<Operator>(raw) {
        Some((facts, others)) => (Some(facts), others),
        None => (None, vec!["facts".to_string()]),
    };
    let unreadable: Vec<String> =
        unreadable.iter().map(|field| format!("{field} of {name:?}")).collect();
    tables.fields("operators", position, &unreadable);
    let mut facts = facts?;
    if facts.name.is_empty() {
        facts.name = name.into_owned();
    }
    Some(facts)
}
