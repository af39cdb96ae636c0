//! Takes the phases of a generation apart: the operators of each have other shapes, so that
//! each is looked at as if it were a model of its own.

use crate::{Launch, NO_ITERATION};
use onnxray_format::{Iteration, IterationKind, Phase, Step, Warning};

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
    pub fn choose(self, launch: &mut Launch) {
        let Phases::One(phase) = self else { return };
        if !launch.iterations.iter().any(|iteration| iteration.step.is_some()) {
            return;
        }
        let is_prefill = |step: Step| step.phase == Phase::Prefill;
        let has_prefill =
            launch.iterations.iter().any(|iteration| iteration.step.is_some_and(is_prefill));
        iterations(launch, phase);
        operators(launch, phase);
        match &launch.run.generation {
            Some(generation) => {
                let each = generation.iterations(phase);
                let numbering = Numbering { phase, tokens: generation.tokens, has_prefill };
                numbering.apply(launch, each);
            }
            None if launch.run.interleaved.is_none() => renumber(launch),
            None => {
                let file = launch.files.first().cloned().unwrap_or_default();
                let message = "iterations are steps of a generation that `generation` does not \
                               describe: of steps that took turns, nobody knows which are pairs";
                launch.warnings.push(Warning::note(&file, message));
            }
        }
    }
}

/// Numbers iterations in their order, unprofiled ones by themselves.
fn renumber(launch: &mut Launch) {
    let mut counts = [0; 2];
    for iteration in &mut launch.iterations {
        let count = &mut counts[usize::from(iteration.kind == IterationKind::Unprofiled)];
        iteration.index = *count;
        *count += 1;
    }
}

/// The numbers that iterations of a phase have among themselves.
struct Numbering {
    phase: Phase,
    /// Decode steps of a generation.
    tokens: u32,
    /// Whether a step for the prompt is before them; otherwise it begins with a cache.
    has_prefill: bool,
}

impl Numbering {
    /// `each` is the number of iterations of the phase in a generation.
    fn apply(&self, launch: &mut Launch, each: u32) {
        for iteration in &mut launch.iterations {
            iteration.index = self.of(iteration.index).unwrap_or(iteration.index);
        }
        if let Some(interleaved) = &mut launch.run.interleaved {
            interleaved.turn = interleaved.turn.map(|turn| turn.saturating_mul(each));
        }
        let Some(conditions) = &mut launch.conditions else { return };
        let counts = [
            &mut conditions.minor_faults,
            &mut conditions.major_faults,
            &mut conditions.voluntary_switches,
            &mut conditions.involuntary_switches,
            &mut conditions.migrations,
            &mut conditions.waits_us,
        ];
        for counts in counts.into_iter().flatten() {
            let all = std::mem::take(counts);
            for (iteration, count) in all.iterations.into_iter().zip(all.counts) {
                if let Some(index) = self.of(iteration) {
                    counts.add(index, count.into());
                }
            }
        }
    }

    /// The number in the phase of an iteration by its number in the launch; `None` if it is
    /// of another phase.
    fn of(&self, index: u32) -> Option<u32> {
        if !self.has_prefill {
            return (self.phase == Phase::Decode).then_some(index);
        }
        let generation = index / self.tokens.saturating_add(1);
        match (self.phase, index % self.tokens.saturating_add(1)) {
            (Phase::Prefill, 0) => Some(generation),
            (Phase::Decode, step @ 1..) => Some(generation * self.tokens + step - 1),
            _ => None,
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
    launch.compact.retain(|compact| compact.phase.is_none_or(|own| own == phase));
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
    use onnxray_format::{
        Conditions, Counts, Generation, Interleaved, Nanoseconds, Operator, Run, Step,
    };

    fn interleaved() -> Interleaved {
        Interleaved { with: String::new(), position: 0, turn: None }
    }

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
            run: Run {
                generation: Some(Generation { prompt: 1, tokens: 1, feeds: Vec::new() }),
                interleaved: Some(Interleaved { turn: Some(3), ..interleaved() }),
                ..Run::default()
            },
            conditions: Some(Conditions {
                waits_us: Some(Counts { iterations: vec![0, 1, 3], counts: vec![5, 6, 7] }),
                ..Conditions::default()
            }),
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
        for (phase, durations, waits) in
            [(Phase::Prefill, vec![9, 2, 8], [5, 0]), (Phase::Decode, vec![9, 3, 7], [6, 7])]
        {
            let mut chosen = launch();
            Phases::One(phase).choose(&mut chosen);
            let chunk = &chosen.events.chunks[0];
            assert_eq!((&chunk.operator, &chunk.iteration), (&vec![0, 1, 0], &vec![0, 0, 1]));
            assert_eq!(chunk.duration, durations);
            let own = chosen.iterations.iter().map(|iteration| iteration.index);
            assert_eq!(own.collect::<Vec<_>>(), [0, 1]);
            let conditions = chosen.conditions.as_ref().unwrap();
            let counts = conditions.waits_us.as_ref().unwrap();
            assert_eq!([0, 1].map(|index| counts.of(index)), waits);
            assert_eq!((chosen.other_phases.len(), chosen.iteration_threads.len()), (2, 2));
            let table = chosen.operators.iter().map(|known| (known.number, known.parent));
            assert_eq!(table.collect::<Vec<_>>(), [(0, None), (1, Some(0))]);
        }
        let mut all = launch();
        Phases::All.choose(&mut all);
        assert_eq!((all.operators.len(), all.iterations.len()), (4, 4));
    }

    #[test]
    fn iterations_are_numbered_within_their_phase() {
        let numbering = |phase| Numbering { phase, tokens: 3, has_prefill: true };
        let all: Vec<u32> = (0..9).collect();
        let of = |phase| all.iter().map(|&index| numbering(phase).of(index)).collect::<Vec<_>>();
        let [n, some] = [None, Some(0)];
        assert_eq!(of(Phase::Prefill), [some, n, n, n, Some(1), n, n, n, Some(2)]);
        let decode = [n, some, Some(1), Some(2), n, Some(3), Some(4), Some(5), n];
        assert_eq!(of(Phase::Decode), decode);
        let without = Numbering { phase: Phase::Decode, tokens: 3, has_prefill: false };
        assert_eq!([0, 1, 3, 4].map(|index| without.of(index)), [0, 1, 3, 4].map(Some));
        let generation = Generation { prompt: 1, tokens: 3, feeds: Vec::new() };
        let each = [Phase::Decode, Phase::Prefill].map(|phase| generation.iterations(phase));
        assert_eq!(each, [3, 1]);
        let mut undescribed = launch();
        undescribed.run.generation = None;
        Phases::default().choose(&mut undescribed);
        assert_eq!((undescribed.iterations.len(), undescribed.warnings.len()), (2, 1));
    }

    #[test]
    fn launches_without_phases_stay_as_they_are() {
        let mut whole = launch();
        whole.iterations.iter_mut().for_each(|iteration| iteration.step = None);
        Phases::default().choose(&mut whole);
        assert_eq!((whole.operators.len(), whole.iterations.len()), (4, 4));
    }
}
