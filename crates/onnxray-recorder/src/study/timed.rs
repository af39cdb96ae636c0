//! Inputs of timed runs.

use crate::tensor::Tensor;

/// Sets of inputs, of which each run takes the next one.
pub(crate) struct Timed {
    sets: Vec<Vec<Tensor>>,
    /// No run has the inputs of another: neighbours change places.
    varies: bool,
    runs: usize,
}

impl Timed {
    /// The same for all runs.
    pub(crate) fn same(inputs: Vec<Tensor>) -> Timed {
        Timed { sets: vec![inputs], varies: false, runs: 0 }
    }

    /// These in turn. Where they are made up, no run has the inputs of another one, so that nobody is
    /// fast by remembering answers.
    pub(crate) fn of(sets: Vec<Vec<Tensor>>, are_made_up: bool) -> Timed {
        Timed { sets, varies: are_made_up, runs: 0 }
    }

    /// Inputs of the next run.
    pub(crate) fn next(&mut self) -> &[Tensor] {
        let count = self.sets.len().max(1);
        let (set, step) = (self.runs % count, self.runs / count);
        self.runs += 1;
        let Some(inputs) = self.sets.get_mut(set) else { return &[] };
        if self.varies {
            inputs.iter_mut().for_each(|input| input.swap_neighbours(step));
        }
        inputs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::arr1;

    #[test]
    fn no_run_has_the_inputs_of_another_where_they_are_made_up() {
        let set = |first: f32| vec![Tensor::from(arr1(&[first, 1.0, 2.0, 3.0, 4.0]))];
        let mut timed = Timed::of(vec![set(7.0), set(8.0)], true);
        let runs: Vec<Vec<Tensor>> = (0..20).map(|_| timed.next().to_vec()).collect();
        for (number, own) in runs.iter().enumerate() {
            assert!(!runs[..number].contains(own), "{number}: {own:?}");
            let Tensor::F32(array) = &own[0] else { panic!("{own:?}") };
            let sum: f32 = array.sum();
            assert_eq!(sum, if number % 2 == 0 { 17.0 } else { 18.0 }, "the same values");
        }
        let mut given = Timed::of(vec![set(7.0), set(8.0)], false);
        let runs: Vec<Vec<Tensor>> = (0..4).map(|_| given.next().to_vec()).collect();
        assert_eq!(runs, [set(7.0), set(8.0), set(7.0), set(8.0)]);
        // A scalar has no neighbours.
        let mut scalar = Timed::of(vec![vec![Tensor::from(arr1(&[1.0_f32]))]], true);
        assert_eq!(scalar.next().to_vec(), scalar.next().to_vec());
    }
}
