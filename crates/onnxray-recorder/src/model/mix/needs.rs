//! Which changes cannot be taken from B by themselves.
//!
//! A tool may leave another value in a tensor than it had: where a quantizer folds a Clip into
//! the quantization behind it, what the Clip's output is called is not clipped any more. Whatever
//! reads it in A's way would compute something else. So what reads such a tensor has to be B's as
//! well; the reverse does no harm.

use super::ways::{Pair, Side};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Largest distance, as relative L2, that rounding and quantization explain. A quantized layer is
/// off by a few hundredths, a missing Clip by more than a half.
pub(crate) const SAME: f64 = 0.2;

/// Distances between tensors, observed in runs of both models.
#[derive(Default)]
pub(crate) struct Seen {
    /// By tensor of a change: distance from A's if B's way computes it from A's tensors, as
    /// relative L2.
    pub(crate) by_b: HashMap<String, f64>,
    /// By shared tensor: distance between both models as they are, as relative L2.
    pub(crate) between: HashMap<String, f64>,
}

/// By change: numbers of the changes that have to be taken from B along with it.
pub(crate) fn needs(pair: &Pair, seen: &Seen) -> Vec<Vec<u32>> {
    let mut readers: HashMap<&str, Vec<&str>> = HashMap::new();
    for name in pair.computed() {
        for begin in pair.begins(Side::A, name) {
            readers.entry(begin).or_default().push(name);
        }
    }
    let of_change = |change: &super::Change| -> Vec<u32> {
        let Some(tensor) = change.tensor.as_deref().filter(|_| !change.is_same_form) else {
            return Vec::new();
        };
        // B's way from A's tensors shows this change alone; where it was not run, both models as
        // they are.
        let apart = seen.by_b.get(tensor).or_else(|| seen.between.get(tensor));
        match apart {
            // Not a number is as far away as can be.
            Some(&apart) if apart > SAME || apart.is_nan() => along(pair, seen, &readers, tensor),
            _ => Vec::new(),
        }
    };
    pair.changes.iter().map(of_change).collect()
}

/// The changes that read a tensor, themselves or through tensors that both compute alike.
fn along(pair: &Pair, seen: &Seen, readers: &HashMap<&str, Vec<&str>>, tensor: &str) -> Vec<u32> {
    let (mut needed, mut open, mut passed) = (BTreeSet::new(), vec![tensor], HashSet::new());
    while let Some(tensor) = open.pop() {
        for &reader in readers.get(tensor).into_iter().flatten() {
            match pair.numbers.get(reader) {
                Some(&number) => {
                    needed.insert(number as u32);
                }
                // A Clip of what was not clipped is what it was.
                None if seen.between.get(reader).is_some_and(|&apart| apart <= SAME) => {}
                None if passed.insert(reader) => open.push(reader),
                None => {}
            }
        }
    }
    needed.into_iter().collect()
}
