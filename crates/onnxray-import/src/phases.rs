//! Takes the phases of a generation apart: the operators of each have other shapes, so that
//! each is looked at as if it were a model of its own.

use crate::{Launch, NO_ITERATION};
use onnxray_format::{Iteration, Phase};

/// Which phases of a recorded generation are read. Launches without phases are what they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phases {
    /// One of them; of the others, the iterations are kept apart.
    One(Phase),
    /// All of them, as they were recorded.
    All,
}

impl Default for Phases {
    fn default() -> Phases {
        Phases::One(Phase::Decode)
    }
}

impl Phases {
    /// Leaves in a launch what is wanted of it.
    pub(crate) fn choose(self, launch: &mut Launch) {
        let Phases::One(phase) = self else { return };
        if launch.run.generation.is_some() {
            iterations(launch, phase);
            operators(launch, phase);
        }
    }
}

/// Keeps the iterations of the phase, and the executions in them.
fn iterations(launch: &mut Launch, phase: Phase) {
    let is_wanted = |iteration: &Iteration| iteration.step.is_none_or(|step| step.phase == phase);
    let mut positions = vec![NO_ITERATION; launch.iterations.len()];
    let (mut iterations, mut threads) = (Vec::new(), Vec::new());
    for (position, iteration) in launch.iterations.drain(..).enumerate() {
        if is_wanted(&iteration) {
            positions[position] = iterations.len() as u32;
            iterations.push(iteration);
            threads.extend(launch.iteration_threads.get(position));
        } else {
            launch.other_phases.push(iteration);
        }
    }
    (launch.iterations, launch.iteration_threads) = (iterations, threads);
    for chunk in &mut launch.events.chunks {
        let moved = |row: &usize| positions.get(chunk.iteration[*row] as usize).copied();
        let kept: Vec<usize> = (0..chunk.len())
            .filter(|row| moved(row).is_some_and(|position| position != NO_ITERATION))
            .collect();
        *chunk = chunk.select(&kept);
        chunk.iteration.iter_mut().for_each(|at| *at = positions[*at as usize]);
    }
    launch.events.chunks.retain(|chunk| !chunk.is_empty());
}

/// Keeps the operators of the phase, numbered anew, and their executions.
fn operators(launch: &mut Launch, phase: Phase) {
    let mut numbers: Vec<Option<u32>> = Vec::with_capacity(launch.operators.len());
    let mut next = 0;
    for operator in &launch.operators {
        let is_wanted = operator.phase.is_none_or(|own| own == phase);
        numbers.push(is_wanted.then_some(next));
        next += u32::from(is_wanted);
    }
    let number = |old: u32| numbers.get(old as usize).copied().flatten();
    launch.operators.retain(|operator| number(operator.number).is_some());
    for operator in &mut launch.operators {
        operator.number = number(operator.number).unwrap_or_default();
        operator.parent = operator.parent.and_then(number);
    }
    for chunk in &mut launch.events.chunks {
        let kept: Vec<usize> =
            (0..chunk.len()).filter(|&row| number(chunk.operator[row]).is_some()).collect();
        if kept.len() < chunk.len() {
            *chunk = chunk.select(&kept);
        }
        chunk.operator.iter_mut().for_each(|at| *at = number(*at).unwrap_or_default());
    }
    launch.averages.retain_mut(|average| match number(average.operator) {
        Some(operator) => {
            average.operator = operator;
            true
        }
        None => false,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EventChunk, Events};
    use onnxray_format::{Generation, IterationKind, Nanoseconds, Operator, Run, Step};

    /// Two generations of a token behind a prompt; each phase has two operators, and the
    /// second of them lies in the first.
    fn launch() -> Launch {
        let operator = |number: u32, phase| Operator {
            number,
            name: format!("operator {}", number % 2),
            parent: (number % 2 == 1).then_some(number - 1),
            phase: Some(phase),
            ..Operator::default()
        };
        let iteration = |index: u32| {
            let phase = if index.is_multiple_of(2) { Phase::Prefill } else { Phase::Decode };
            let start = Nanoseconds(u64::from(index) * 10);
            let (kind, duration) = (IterationKind::Measured, Nanoseconds(10));
            let step = Some(Step { phase, tokens: 1, cached: index });
            Iteration { index, kind, start, duration, step }
        };
        Launch {
            run: Run { generation: Some(Generation::default()), ..Run::default() },
            operators: vec![
                operator(0, Phase::Prefill),
                operator(1, Phase::Prefill),
                operator(2, Phase::Decode),
                operator(3, Phase::Decode),
            ],
            iterations: (0..4).map(iteration).collect(),
            iteration_threads: vec![0; 4],
            events: Events {
                chunks: vec![EventChunk {
                    operator: vec![0, 1, 2, 3, 0, 2],
                    iteration: vec![0, 0, 1, 1, 2, 3],
                    thread: vec![0; 6],
                    start: vec![0, 1, 10, 11, 20, 30],
                    duration: vec![9, 2, 9, 3, 8, 7],
                    figures: Vec::new(),
                }],
                ..Events::default()
            },
            ..Launch::default()
        }
    }

    #[test]
    fn a_phase_is_as_a_recording_of_its_own() {
        for (phase, durations, indexes) in
            [(Phase::Prefill, vec![9, 2, 8], [0, 2]), (Phase::Decode, vec![9, 3, 7], [1, 3])]
        {
            let mut chosen = launch();
            Phases::One(phase).choose(&mut chosen);
            let chunk = &chosen.events.chunks[0];
            assert_eq!((&chunk.operator, &chunk.iteration), (&vec![0, 1, 0], &vec![0, 0, 1]));
            assert_eq!(chunk.duration, durations);
            let own = chosen.iterations.iter().map(|iteration| iteration.index);
            assert_eq!(own.collect::<Vec<_>>(), indexes);
            assert_eq!((chosen.other_phases.len(), chosen.iteration_threads.len()), (2, 2));
            let table = chosen.operators.iter().map(|known| (known.number, known.parent));
            assert_eq!(table.collect::<Vec<_>>(), [(0, None), (1, Some(0))]);
        }
        let mut all = launch();
        Phases::All.choose(&mut all);
        assert_eq!((all.operators.len(), all.iterations.len()), (4, 4));
    }

    #[test]
    fn launches_without_phases_stay_as_they_are() {
        let mut whole = launch();
        whole.run.generation = None;
        Phases::default().choose(&mut whole);
        assert_eq!((whole.operators.len(), whole.iterations.len()), (4, 4));
    }
}
