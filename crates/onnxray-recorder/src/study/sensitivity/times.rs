//! How long layers take with pruned weights whose zeros are skipped, next to dense ones.
//!
//! All layers are pruned at once, as a sparse model has them, so that each finds the caches and the
//! packings that it finds there. Both models are in one process and run in turns, so that what
//! changes on the machine falls on both alike.

use super::bench::first_batch;
use super::spec::TimedPruning;
use crate::engine::tract::{TractOptions, ZeroShare};
use crate::engine::{Engine, EngineSpec, Engines, Instrumentation, LoadedModel, Model, Runner};
use crate::error::RecordError;
use crate::launch::{LaunchOptions, run_once};
use crate::launches::Displacement;
use crate::median::median;
use crate::model::file::OnnxFile;
use crate::model::pruning::Layers;
use crate::study::turns::Timed;
use crate::tensor::Tensor;
use crate::workload::Workload;
use onnxray_format::{
    Nanoseconds, Operator, PrunedTimes, Span, TimedLayer, TimedLevel, ZeroBlocks, fold,
};
use std::collections::HashSet;
use std::path::Path;
use std::rc::Rc;

/// The timed runs of a turn take about this long, but there are no more of them than that.
const TURN: Nanoseconds = Nanoseconds(10_000_000);
const LONGEST_TURN: u64 = 20;
/// Pairs of turns: as many as this time has room for.
const ROUNDS: Nanoseconds = Nanoseconds(400_000_000);
const FEWEST_ROUNDS: u64 = 5;
const MOST_ROUNDS: u64 = 40;

/// The same engine, skipping zeros of weights that are pruned to this level; `None` if it cannot.
pub(super) fn skipping(engine: &EngineSpec, level: f64) -> Option<EngineSpec> {
    match engine {
        // Far below the level: the weight's last rows may stay dense, others have no zeros.
        EngineSpec::Tract(_) => ZeroShare::try_from(level / 2.0)
            .ok()
            .map(|share| EngineSpec::Tract(TractOptions { sparse: Some(share) })),
        EngineSpec::OnnxRuntime(_) => None,
    }
}

/// Times each pruned weight's operators, and all others, dense and pruned.
///
/// # Errors
///
/// If the model does not load or run, or if the engine skips no zeros.
pub(in crate::study) fn times(
    engines: &dyn Engines,
    asked: &TimedPruning,
) -> Result<TimedLevel, RecordError> {
    let TimedPruning { spec, threads, pruning } = asked;
    let refused = |reason: String| RecordError::Run { reason };
    let lowest = pruning.iter().map(|(_, level)| *level).fold(1.0, f64::min);
    let sparse = skipping(&spec.engine, lowest);
    let sparse = sparse.ok_or_else(|| refused("the engine skips no zeros".to_string()))?;
    // Elsewhere in memory than in the process of the launch before.
    let displacement = Displacement::random();
    let path = Path::new(&spec.model);
    let sizes = spec.data.sizes(&OnnxFile::read(path)?.graph, &spec.dimensions)?;
    let dense = Model::load_in(engines, &spec.engine, path, &sizes, *threads)?;
    let layers = Layers::of(&dense.file);
    let pruned = layers.pruned(&dense.file, spec.block, pruning).map_err(refused)?;
    let engine = engines.start(&sparse, *threads)?;
    let pruned = engine.load(&Rc::new(pruned), &dense.bound, *threads)?;
    drop(displacement);
    let inputs = first_batch(&dense, spec)?;
    let mut timed = Timed::same(Workload::Inference(inputs.clone()));
    let mut sides = [
        Side::new(&*dense.engine, &*dense.loaded, &inputs)?,
        Side::new(&*engine, &*pruned, &inputs)?,
    ];
    let mut groups: Vec<Group> =
        pruning.iter().map(|(weight, _)| Group::of(weight, &sides)).collect();
    groups.push(Group::of_others(&groups, &sides));
    let rounds = rounds(&mut sides, &mut timed, &groups)?;
    let times = |at: usize, group: &Group| {
        let of = |side: usize| -> Vec<f64> {
            rounds.iter().map(|round: &[Vec<f64>; 2]| round[side][at]).collect()
        };
        group.is_timed().then(|| typical(&of(0), &of(1))).flatten()
    };
    let layer = |(at, (weight, _)): (usize, &(String, f64))| TimedLayer {
        weight: weight.clone(),
        times: times(at, &groups[at]),
        multiplies_zeros: groups[at].multiplies.clone(),
    };
    Ok(TimedLevel {
        layers: pruning.iter().enumerate().map(layer).collect(),
        not_pruned: groups.last().and_then(|others| times(pruning.len(), others)),
    })
}

/// The medians of turns and of their ratios: a slow moment falls on both turns of a round. `None`
/// without turns.
fn typical(dense: &[f64], sparse: &[f64]) -> Option<PrunedTimes> {
    let ratios: Vec<f64> = dense.iter().zip(sparse).map(|(dense, sparse)| sparse / dense).collect();
    let dense_ns = median(dense)?;
    Some(PrunedTimes { dense_ns, sparse_ns: dense_ns * median(&ratios)? })
}

/// Operators of a weight, by number, dense and pruned, or all that skip no zeros. They have
/// what packs their inputs, as the operators of a recording do.
struct Group {
    operators: [Vec<usize>; 2],
    /// Why all of them multiply by its zeros; `None` if one skips them.
    multiplies: Option<String>,
}

impl Group {
    fn of(weight: &str, sides: &[Side; 2]) -> Group {
        let has_weight =
            |operator: &Operator| operator.weight.as_ref().is_some_and(|own| own.name == weight);
        let operators = [0, 1].map(|side| sides[side].numbers(has_weight));
        let mut group = Group { operators, multiplies: None };
        let sparse = group.operators[1].iter().map(|&number| &sides[1].operators[number]);
        group.multiplies = match group.is_timed() {
            true => sparse.map(multiplies).reduce(Option::and).flatten(),
            false => Some("no operator has its weight as it is stored".to_string()),
        };
        group
    }

    /// What skips no zeros: what is in none of these, and those that multiply by theirs.
    fn of_others(groups: &[Group], sides: &[Side; 2]) -> Group {
        let others = |side: usize| {
            // One that is not timed may be another number of operators on both sides.
            let is_apart = |group: &&Group| group.multiplies.is_none() || !group.is_timed();
            let skip = groups.iter().filter(is_apart);
            let own = skip.flat_map(|group| &group.operators[side]);
            let own: HashSet<usize> = own.copied().collect();
            (0..sides[side].operators.len()).filter(|number| !own.contains(number)).collect()
        };
        Group { operators: [0, 1].map(others), multiplies: None }
    }

    /// Whether there are operators, equally many in both.
    fn is_timed(&self) -> bool {
        let [dense, sparse] = &self.operators;
        !dense.is_empty() && dense.len() == sparse.len()
    }

    /// Nanoseconds of a run, by the time of each operator in it.
    fn time(&self, side: usize, own: &[u64]) -> f64 {
        self.operators[side].iter().map(|&number| own[number] as f64).sum()
    }
}

/// Why an operator multiplies by its zeros; `None` if it skips them.
fn multiplies(operator: &Operator) -> Option<String> {
    match &operator.zero_blocks {
        Some(ZeroBlocks::Skipped(_)) => None,
        Some(ZeroBlocks::Multiplied(reason)) => Some(reason.clone()),
        None => Some("the engine knows it as something else than a product".to_string()),
    }
}

/// Rounds of a turn each: the time of each group in nanoseconds, dense and sparse.
fn rounds(
    sides: &mut [Side; 2],
    inputs: &mut Timed,
    groups: &[Group],
) -> Result<Vec<[Vec<f64>; 2]>, RecordError> {
    // The first run allocates: the shorter one tells how many runs a turn has room for.
    let first = sides[0].run(inputs)?;
    let latency = first.min(sides[0].run(inputs)?).0.max(1);
    let runs = TURN.0.div_ceil(latency).clamp(1, LONGEST_TURN);
    let room = ROUNDS.0 / (2 * (runs + 1) * latency);
    let mut all = Vec::new();
    for round in 0..room.clamp(FEWEST_ROUNDS, MOST_ROUNDS) {
        let mut turns = [Vec::new(), Vec::new()];
        // Each is first in every other round, so that nobody always finds the other's caches.
        for side in if round % 2 == 0 { [0, 1] } else { [1, 0] } {
            turns[side] = sides[side].turn(side, inputs, runs, groups)?;
        }
        all.push(turns);
    }
    Ok(all)
}

/// A model that is ready to run, with a span for each operator.
struct Side {
    operators: Vec<Operator>,
    /// By kernel: the number of its operator.
    operator_of: Vec<u32>,
    runner: Box<dyn Runner>,
    /// Nanoseconds of each operator in the last run.
    own: Vec<u64>,
    spans: Vec<Span>,
}

impl Side {
    fn new(
        engine: &dyn Engine,
        loaded: &dyn LoadedModel,
        inputs: &[Tensor],
    ) -> Result<Side, RecordError> {
        let kernels = loaded.operators(inputs)?;
        let alone = (0..kernels.len() as u32).collect();
        let (operators, folded) = fold(kernels);
        let operator_of = folded.map_or(alone, |folded| folded.operator_of);
        let registers = LaunchOptions::default().registers(engine);
        let runner = loaded.runner(registers, Instrumentation::Spans)?;
        let own = vec![0; operators.len()];
        Ok(Side { operators, operator_of, runner, own, spans: Vec::new() })
    }

    fn numbers(&self, are: impl Fn(&Operator) -> bool) -> Vec<usize> {
        let numbered = self.operators.iter().enumerate();
        numbered.filter(|(_, operator)| are(operator)).map(|(number, _)| number).collect()
    }

    /// Runs once, and how long all operators took.
    fn run(&mut self, inputs: &mut Timed) -> Result<Nanoseconds, RecordError> {
        run_once(&mut *self.runner, inputs.next(), &self.operators)?;
        self.own.fill(0);
        let mut all = 0;
        if self.runner.take_spans(&mut self.spans) {
            for span in &self.spans {
                let operator = self.operator_of[span.operator as usize];
                self.own[operator as usize] += span.duration.0;
                all += span.duration.0;
            }
        }
        Ok(Nanoseconds(all))
    }

    /// First quartiles over this many runs, after one that does not count, of each group.
    fn turn(
        &mut self,
        side: usize,
        inputs: &mut Timed,
        runs: u64,
        groups: &[Group],
    ) -> Result<Vec<f64>, RecordError> {
        self.run(inputs)?;
        let mut times = vec![Vec::new(); groups.len()];
        for _ in 0..runs {
            self.run(inputs)?;
            let each = times.iter_mut().zip(groups);
            each.for_each(|(times, group)| times.push(group.time(side, &self.own).max(1.0)));
        }
        // Beside other programs, half of the runs may be interrupted, and a median is of these.
        let quartile = |mut times: Vec<f64>| {
            times.sort_by(f64::total_cmp);
            times[(times.len() - 1) / 4]
        };
        Ok(times.into_iter().map(quartile).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_moment_that_falls_on_both_turns_changes_no_ratio() {
        let dense = [100.0, 900.0, 100.0, 100.0];
        let sparse = [25.0, 225.0, 25.0, 80.0];
        let expected = PrunedTimes { dense_ns: 100.0, sparse_ns: 25.0 };
        assert_eq!(typical(&dense, &sparse), Some(expected));
        assert_eq!(typical(&[], &[]), None);
    }
}
