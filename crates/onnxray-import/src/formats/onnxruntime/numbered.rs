//! Gives executions the operators of their labels: in a generation, each phase has its own.

use super::devices;
use super::operators::{self, NamedOperators};
use crate::chrome::{Assembled, EventTrace};
use onnxray_format::{Operator, Phase};

/// The operators of a launch, and what is doubtful about them.
#[derive(Default)]
pub(crate) struct Numbered {
    /// Names are not unique: nodes may share one.
    pub(crate) operators: Vec<Operator>,
    /// How many operators have labels with different shapes.
    pub(crate) reshaped: usize,
    /// Names of labels with shapes that cannot be understood.
    pub(crate) unreadable: Vec<String>,
}

/// Puts operators in the place of the labels that the executions have.
pub(crate) fn number(trace: &EventTrace, assembled: &mut Assembled) -> Numbered {
    let mut phases: Vec<Option<Phase>> = Vec::new();
    let mut of_iteration = Vec::with_capacity(assembled.iterations.len());
    for iteration in &assembled.iterations {
        let phase = iteration.step.map(|step| step.phase);
        let known = phases.iter().position(|&known| known == phase);
        of_iteration.push(known.unwrap_or(phases.len()));
        if known.is_none() {
            phases.push(phase);
        }
    }
    if phases.is_empty() {
        phases.push(None);
    }
    // What lies in no iteration counts with the first.
    let of_row = |iteration: u32| of_iteration.get(iteration as usize).copied().unwrap_or(0);
    let mut used = vec![vec![false; trace.labels.len() + trace.launched.len()]; phases.len()];
    for chunk in &assembled.events.chunks {
        for (&label, &iteration) in chunk.operator.iter().zip(&chunk.iteration) {
            used[of_row(iteration)][label as usize] = true;
        }
    }
    let mut numbered = Numbered::default();
    let mut numbers = Vec::with_capacity(phases.len());
    for (phase, used) in phases.into_iter().zip(used) {
        let named = operators::operators(trace, |label| used[label]);
        let NamedOperators { mut operators, mut of_label, reshaped, unreadable } = named;
        devices::add(trace, &mut operators, &mut of_label, |label| used[label]);
        let before = numbered.operators.len() as u32;
        numbered.operators.extend(operators.into_iter().map(|operator| Operator {
            number: operator.number + before,
            parent: operator.parent.map(|parent| parent + before),
            phase,
            ..operator
        }));
        numbered.reshaped += reshaped;
        numbered.unreadable.extend(unreadable);
        let number = |number: Option<u32>| number.unwrap_or_default() + before;
        numbers.push(of_label.into_iter().map(number).collect::<Vec<u32>>());
    }
    for chunk in &mut assembled.events.chunks {
        for (label, &iteration) in chunk.operator.iter_mut().zip(&chunk.iteration) {
            *label = numbers[of_row(iteration)][*label as usize];
        }
    }
    numbered
}
