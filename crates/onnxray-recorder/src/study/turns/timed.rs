//! Inputs of timed runs.

use crate::workload::Workload;

/// Sets of inputs, at least one, of which each run takes the next one.
pub(crate) struct Timed {
    sets: Vec<Workload>,
    /// No run has the inputs of another: neighbours change places.
    varies: bool,
    runs: usize,
}

impl Timed {
    /// The same for all runs.
    pub(crate) fn same(inputs: Workload) -> Timed {
        Timed { sets: vec![inputs], varies: false, runs: 0 }
    }

    /// These in turn. Where they are made up, no run has the inputs of another one, so that nobody is
    /// fast by remembering answers; but inputs of one element have no neighbours to change places.
    pub(crate) fn of(sets: Vec<Workload>, are_made_up: bool) -> Timed {
        Timed { sets, varies: are_made_up, runs: 0 }
    }

    /// Inputs of the next run.
    pub(crate) fn next(&mut self) -> &Workload {
        let count = self.sets.len();
        let (set, step) = (self.runs % count, self.runs / count);
        self.runs += 1;
        let inputs = &mut self.sets[set];
        if self.varies {
            inputs.swap_neighbours(step);
        }
        inputs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::Tensor;
    use ndarray::arr1;

    #[test]
    fn no_run_has_the_inputs_of_another_where_they_are_made_up() {
        let set = |first: f32| vec![Tensor::from(arr1(&[first, 1.0, 2.0, 3.0, 4.0]))];
        let next = |timed: &mut Timed| match timed.next() {
            Workload::Inference(inputs) => inputs.clone(),
            other => panic!("{other:?}"),
        };
        let sets = || vec![set(7.0).into(), set(8.0).into()];
        let mut timed = Timed::of(sets(), true);
        let runs: Vec<Vec<Tensor>> = (0..20).map(|_| next(&mut timed)).collect();
        for (number, own) in runs.iter().enumerate() {
            assert!(!runs[..number].contains(own), "{number}: {own:?}");
            let Tensor::F32(array) = &own[0] else { panic!("{own:?}") };
            let sum: f32 = array.sum();
            assert_eq!(sum, if number % 2 == 0 { 17.0 } else { 18.0 }, "the same values");
        }
        let mut given = Timed::of(sets(), false);
        let runs: Vec<Vec<Tensor>> = (0..4).map(|_| next(&mut given)).collect();
        assert_eq!(runs, [set(7.0), set(8.0), set(7.0), set(8.0)]);
        // A scalar has no neighbours.
        let mut scalar = Timed::of(vec![vec![Tensor::from(arr1(&[1.0_f32]))].into()], true);
        assert_eq!(next(&mut scalar), next(&mut scalar));
    }
}
