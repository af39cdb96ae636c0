//! On how many inputs outputs are compared, and which: a search chooses by some, and what it chose
//! is reported by others.

use onnxray_format::LossInputs;

/// Inputs that a search chooses by. By one of them, what suits it is taken for what is near.
const SEARCH: u64 = 4;
/// Inputs that what was chosen is reported by: the range of twenty holds 90 % of all others with a
/// probability of 61 %: docs/statistics.md#held-out.
const HELD_OUT: u64 = 20;

/// On how many inputs outputs are compared where some inputs are made up: files stay what they
/// are.
pub(crate) fn loss_inputs(are_made_up: bool) -> LossInputs {
    match are_made_up {
        true => LossInputs { search: SEARCH, held_out: HELD_OUT },
        false => LossInputs { search: 1, held_out: 0 },
    }
}

/// Seeds of a search's inputs; the first one also makes the inputs of timed runs.
pub(crate) fn seeds_of_search(inputs: LossInputs, seed: u64) -> impl Iterator<Item = u64> {
    // Far apart: seeds that users count up do not lead to inputs of another search.
    (0..inputs.search).map(move |number| seed.wrapping_add(number << 32))
}

/// Seeds of the inputs held out from the search.
pub(crate) fn seeds_held_out(inputs: LossInputs, seed: u64) -> impl Iterator<Item = u64> {
    let behind = inputs.search..inputs.search + inputs.held_out;
    behind.map(move |number| seed.wrapping_add(number << 32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_input_is_both_chosen_by_and_reported() {
        let inputs = loss_inputs(true);
        let search: BTreeSet<u64> = seeds_of_search(inputs, u64::MAX).collect();
        let held_out: BTreeSet<u64> = seeds_held_out(inputs, u64::MAX).collect();
        assert_eq!((search.len() as u64, held_out.len() as u64), (SEARCH, HELD_OUT));
        assert!(search.contains(&u64::MAX) && search.is_disjoint(&held_out));
        let files = loss_inputs(false);
        assert_eq!(seeds_of_search(files, 3).collect::<Vec<_>>(), [3]);
        assert_eq!(seeds_held_out(files, 3).count(), 0);
    }
}
