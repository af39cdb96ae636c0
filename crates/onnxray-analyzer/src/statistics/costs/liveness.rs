//! Memory of tensors between operators: which are alive while an operator runs
//! (docs/studies/cost.md#tensors-alive).

use crate::statistics::{OperatorSummary, PartialSum};
use onnxray_format::{Operator, Phase, Tensor};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

/// Operators whose output is their input's memory under another shape.
const VIEWS: [&str; 5] = ["Reshape", "Squeeze", "Unsqueeze", "Flatten", "Identity"];

/// Tensors that operators write, and when they are alive. Inputs of the model and constants are in
/// none of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Liveness {
    /// While each operator runs, in the order of operators.
    pub alive: Vec<PartialSum>,
    /// Position of the operator while which most is alive; the first of several.
    pub peak: usize,
    /// The tensors that are alive then, the largest first, those of unknown size last.
    pub at_peak: Vec<AliveTensor>,
    /// All tensors together, as if none were freed.
    pub all: PartialSum,
}

/// A tensor that is alive.
#[derive(Clone, Debug, PartialEq)]
pub struct AliveTensor {
    /// Its name, type and shape.
    pub tensor: Tensor,
    /// Position of the operator that writes it.
    pub written_by: usize,
    /// Position of the last operator that it is alive for.
    pub until: usize,
}

/// A tensor from its writer to its last reader, by places in the order of execution.
struct Life<'a> {
    tensor: &'a Tensor,
    writer: usize,
    begin: usize,
    end: usize,
}

impl Liveness {
    /// Of operators, which are told what is alive while they run.
    pub(crate) fn tell(operators: &mut [OperatorSummary]) -> Option<Liveness> {
        let liveness = Liveness::of(operators.iter().map(|summary| &summary.operator))?;
        for (operator, &alive) in operators.iter_mut().zip(&liveness.alive) {
            operator.alive = Some(alive);
        }
        Some(liveness)
    }

    /// `None` if no operator names what it writes.
    ///
    /// The steps of a generation are runs of their own: what one writes is not alive in another.
    fn of<'a>(operators: impl IntoIterator<Item = &'a Operator>) -> Option<Liveness> {
        let operators: Vec<&Operator> = operators.into_iter().collect();
        let order = execution_order(&operators);
        let in_order: Vec<&Operator> = order.iter().map(|&position| operators[position]).collect();
        let lives = lives(&in_order);
        if lives.is_empty() {
            return None;
        }
        let sums = sums(&lives, order.len());
        let larger = |best: usize, place: usize| match sums[place].known > sums[best].known {
            true => place,
            false => best,
        };
        let peak = (0..sums.len()).fold(0, larger);
        let at_peak = lives.iter().filter(|life| (life.begin..=life.end).contains(&peak));
        let mut at_peak: Vec<AliveTensor> = at_peak
            .map(|life| AliveTensor {
                tensor: life.tensor.clone(),
                written_by: order[life.writer],
                until: order[life.end],
            })
            .collect();
        // Stable: those of one size stay in the order in which they are written.
        at_peak.sort_by_key(|alive| Reverse(alive.tensor.bytes()));
        let mut alive = vec![PartialSum::default(); order.len()];
        order.iter().zip(sums).for_each(|(&position, sum)| alive[position] = sum);
        let bytes = |life: &Life| life.tensor.bytes().map(|bytes| bytes as f64);
        let all = lives.iter().map(bytes).collect();
        Some(Liveness { alive, peak: order[peak], at_peak, all })
    }

    /// Bytes that are alive at the peak.
    pub fn at_peak_bytes(&self) -> PartialSum {
        self.alive.get(self.peak).copied().unwrap_or_default()
    }
}

/// Positions of operators as they run: phase by phase, each after those that write what it reads.
/// Engines list operators of several kernels by the main one, which may run after another operator
/// has begun. Where operators wait for each other, the first in the list comes first.
fn execution_order(operators: &[&Operator]) -> Vec<usize> {
    let mut phases: Vec<Option<Phase>> = Vec::new();
    for operator in operators {
        if !phases.contains(&operator.phase) {
            phases.push(operator.phase);
        }
    }
    let in_phase = |phase| {
        let own = (0..operators.len()).filter(move |&position| operators[position].phase == phase);
        own.collect::<Vec<usize>>()
    };
    phases.into_iter().flat_map(|phase| by_dependencies(operators, &in_phase(phase))).collect()
}

/// Kahn's algorithm; of several that could run, the first in the list runs.
fn by_dependencies(operators: &[&Operator], own: &[usize]) -> Vec<usize> {
    let mut writers: HashMap<&str, usize> = HashMap::new();
    for &position in own {
        for output in &operators[position].outputs {
            // A body's tensor may have the name of one outside.
            writers.entry(&output.name).or_insert(position);
        }
    }
    let mut readers: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut waits: HashMap<usize, usize> = HashMap::new();
    for &position in own {
        let inputs = operators[position].inputs.iter();
        let needed = inputs.filter_map(|input| writers.get(input.name.as_str()).copied());
        let needed: BTreeSet<usize> = needed.filter(|&writer| writer != position).collect();
        waits.insert(position, needed.len());
        needed.into_iter().for_each(|writer| readers.entry(writer).or_default().push(position));
    }
    let mut waiting: BTreeSet<usize> = own.iter().copied().collect();
    let mut ready: BTreeSet<usize> =
        own.iter().copied().filter(|position| waits[position] == 0).collect();
    let mut order = Vec::with_capacity(own.len());
    while let Some(next) = ready.pop_first().or_else(|| waiting.first().copied()) {
        waiting.remove(&next);
        order.push(next);
        for reader in readers.remove(&next).unwrap_or_default() {
            let left = waits.entry(reader).and_modify(|left| *left -= 1).or_default();
            if *left == 0 && waiting.contains(&reader) {
                ready.insert(reader);
            }
        }
    }
    order
}

/// Lives of the tensors that these operators write.
fn lives<'a>(operators: &[&'a Operator]) -> Vec<Life<'a>> {
    let mut lives: Vec<Life> = Vec::new();
    // The last that was written under a name: a body writes its tensors again each time.
    let mut known: HashMap<&str, usize> = HashMap::new();
    // Read before they are written: by an operator of several kernels, of which some run later.
    let mut early: HashMap<&str, usize> = HashMap::new();
    let mut phase = None;
    for (place, &operator) in operators.iter().enumerate() {
        if operator.phase != phase {
            phase = operator.phase;
            known.clear();
            early.clear();
        }
        for input in &operator.inputs {
            match known.get(input.name.as_str()) {
                Some(&life) => lives[life].end = place,
                None => _ = early.entry(&input.name).or_insert(place),
            }
        }
        let viewed = operator.inputs.first().map(|first| known.get(first.name.as_str()).copied());
        let is_view = VIEWS.contains(&operator.operator_type.as_str());
        for output in operator.outputs.iter().filter(|output| !output.name.is_empty()) {
            let life = match viewed {
                Some(Some(life)) if is_view => life,
                // Of an input of the model, or of a constant.
                Some(None) if is_view => continue,
                _ => {
                    let begin = early.remove(output.name.as_str()).unwrap_or(place);
                    lives.push(Life { tensor: output, writer: place, begin, end: place });
                    lives.len() - 1
                }
            };
            known.insert(&output.name, life);
        }
    }
    lives
}

/// What is alive at each place.
fn sums(lives: &[Life], places: usize) -> Vec<PartialSum> {
    // Bytes, and tensors of unknown size, that begin less those that end before each place.
    let mut changes = vec![(0i128, 0i64); places + 1];
    for life in lives {
        let (bytes, unknown) = life.tensor.bytes().map_or((0, 1), |bytes| (i128::from(bytes), 0));
        changes[life.begin].0 += bytes;
        changes[life.begin].1 += unknown;
        changes[life.end + 1].0 -= bytes;
        changes[life.end + 1].1 -= unknown;
    }
    let (mut bytes, mut unknown) = (0, 0);
    let at = changes.into_iter().take(places).map(|change| {
        bytes += change.0;
        unknown += change.1;
        PartialSum { known: bytes as f64, unknown: unknown as u64 }
    });
    at.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_format::DataType;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    /// An FP32 vector of this many kilobytes; 0 for an unknown shape.
    fn tensor(name: &str, kilobytes: u64) -> Tensor {
        let shape = (kilobytes > 0).then(|| vec![kilobytes * 250]);
        Tensor { name: name.to_string(), data_type: Some(DataType::Fp32), shape }
    }

    fn operator(number: u32, of_type: &str, inputs: &[&str], output: (&str, u64)) -> Operator {
        Operator {
            number,
            operator_type: of_type.to_string(),
            inputs: inputs.iter().map(|name| tensor(name, 1)).collect(),
            outputs: vec![tensor(output.0, output.1)],
            ..Operator::default()
        }
    }

    fn kilobytes(liveness: &Liveness) -> Vec<f64> {
        liveness.alive.iter().map(|alive| alive.known / 1e3).collect()
    }

    /// Input and output of an operator are alive side by side; a skip connection lives on.
    #[test]
    fn a_tensor_is_alive_from_its_writer_to_its_last_reader() {
        let operators = [
            operator(0, "MatMul", &["input", "weight"], ("a", 10)),
            operator(1, "Relu", &["a"], ("b", 20)),
            operator(2, "Reshape", &["b", "shape"], ("c", 20)),
            operator(3, "MatMul", &["c"], ("d", 40)),
            operator(4, "Add", &["d", "a"], ("output", 5)),
            operator(5, "Neg", &["input"], ("second", 1)),
        ];
        let liveness = Liveness::of(&operators).unwrap();
        // The view is the memory of what it shows; what nobody reads is the caller's.
        assert_eq!(kilobytes(&liveness), [10.0, 30.0, 30.0, 70.0, 55.0, 1.0]);
        assert_eq!(liveness.peak, 3);
        let names: Vec<_> = liveness.at_peak.iter().map(|one| one.tensor.name.as_str()).collect();
        assert_eq!(names, ["d", "b", "a"]);
        assert_eq!((liveness.at_peak[1].written_by, liveness.at_peak[1].until), (1, 3));
        assert_eq!(liveness.all, PartialSum { known: 76e3, unknown: 0 });
    }

    #[test]
    fn what_is_of_unknown_size_is_counted_and_not_taken_for_nothing() {
        let operators = [
            operator(0, "MatMul", &["input"], ("a", 0)),
            operator(1, "Relu", &["a"], ("b", 2)),
            operator(2, "Relu", &["b"], ("output", 2)),
        ];
        let liveness = Liveness::of(&operators).unwrap();
        let unknown: Vec<u64> = liveness.alive.iter().map(|alive| alive.unknown).collect();
        assert_eq!(unknown, [1, 1, 0]);
        assert_eq!(liveness.all, PartialSum { known: 4e3, unknown: 1 });
        // A trace that names no tensors says nothing of them.
        let nameless = operator(0, "MatMul", &[""], ("", 3));
        assert_eq!(Liveness::of([&nameless]), None);
        assert_eq!(Liveness::of([]), None);
    }

    /// An operator counts with all tensors of its kernels, of which another one may run in between.
    #[test]
    fn an_operator_whose_kernels_run_around_another_one_holds_what_they_exchange() {
        let operators = [
            operator(0, "Conv", &["input", "sigmoid"], ("swish", 3)),
            operator(1, "Sigmoid", &["swish"], ("sigmoid", 4)),
            operator(2, "Relu", &["swish"], ("output", 5)),
        ];
        assert_eq!(kilobytes(&Liveness::of(&operators).unwrap()), [7.0, 7.0, 8.0]);
    }

    #[test]
    fn operators_run_after_those_that_write_what_they_read() {
        let operators = [
            operator(0, "Relu", &["c"], ("d", 1)),
            operator(1, "MatMul", &["input"], ("a", 10)),
            operator(2, "Relu", &["a"], ("c", 100)),
        ];
        let liveness = Liveness::of(&operators).unwrap();
        assert_eq!(kilobytes(&liveness), [101.0, 10.0, 110.0]);
        assert_eq!((liveness.peak, liveness.at_peak[0].until), (2, 0));
    }

    /// Two operators write one name in two steps of a generation.
    #[test]
    fn steps_have_lives_of_their_own() {
        let of_phase = |phase, own: Operator| Operator { phase: Some(phase), ..own };
        let operators = [
            of_phase(Phase::Prefill, operator(0, "MatMul", &["input"], ("a", 30))),
            of_phase(Phase::Prefill, operator(1, "Relu", &["a"], ("output", 5))),
            of_phase(Phase::Decode, operator(2, "MatMul", &["input"], ("a", 3))),
            of_phase(Phase::Decode, operator(3, "Relu", &["a"], ("output", 5))),
        ];
        assert_eq!(kilobytes(&Liveness::of(&operators).unwrap()), [30.0, 35.0, 3.0, 8.0]);
    }

    /// The definition, tensor by tensor and operator by operator.
    #[test]
    fn sums_are_those_of_the_definition() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut below = |bound: usize| (random.next_u64() % bound as u64) as usize;
        for count in 1..40 {
            let names: Vec<String> = (0..count).map(|at| format!("t{at}")).collect();
            let mut sizes = Vec::new();
            let mut operators = Vec::new();
            for at in 0..count {
                let read: Vec<&str> = (0..below(4))
                    .filter(|_| at > 0)
                    .map(|_| names[below(at.max(1))].as_str())
                    .collect();
                sizes.push(1 + below(100) as u64);
                operators.push(operator(at as u32, "Sum", &read, (&names[at], sizes[at])));
            }
            let last = |at: usize| {
                let reads = |own: &Operator| own.inputs.iter().any(|input| input.name == names[at]);
                (0..count).rfind(|&reader| reads(&operators[reader])).unwrap_or(at)
            };
            let expected = (0..count).map(|now| {
                let alive = (0..=now).filter(|&at| last(at) >= now);
                alive.map(|at| sizes[at] as f64).sum::<f64>()
            });
            let expected: Vec<f64> = expected.collect();
            let liveness = Liveness::of(&operators).unwrap();
            assert_eq!(kilobytes(&liveness), expected);
            let most = expected.iter().copied().fold(0.0, f64::max);
            assert_eq!(expected[liveness.peak], most);
            assert_eq!(liveness.at_peak_bytes(), PartialSum { known: most * 1e3, unknown: 0 });
            let at_peak = liveness.at_peak.iter().filter_map(|one| one.tensor.bytes());
            assert_eq!(at_peak.sum::<u64>() as f64, most * 1e3);
        }
    }
}
