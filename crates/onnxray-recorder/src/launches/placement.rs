//! Where in the machine's memory a launch puts its models: elsewhere each time.
//!
//! The pages that a process gives back are the first that the next one gets. Launches
//! that follow each other would have their models on the same pages, which caches that go
//! by physical addresses hold more or less well. What that costs one of two equal models
//! would be there in each launch, and pass for a difference of the models. So each
//! launch takes some pages beforehand, as many as chance says.

use crate::memory;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::hint::black_box;

/// Most bytes that are taken: a few dozen times what a core's own caches hold.
const MOST: u64 = 64 << 20;
/// But no more than one part in this many of the memory that the process may use.
const PARTS_OF_LIMIT: u64 = 64;

/// Pages that the models loaded meanwhile do not get; dropping them gives them back.
pub(crate) struct Displacement {
    _pages: Vec<u8>,
}

impl Displacement {
    /// A random number of bytes, less than [`MOST`].
    pub(crate) fn random() -> Displacement {
        // The keys of a hasher are the only random numbers of the standard library.
        let random = RandomState::new().build_hasher().finish();
        let bytes = size(random, memory::limit());
        // Zeros would be taken from the system only when they are written to.
        Displacement { _pages: black_box(vec![1; bytes]) }
    }
}

fn size(random: u64, limit: Option<u64>) -> usize {
    // In a small container, taking pages must not end the process.
    let most = limit.map_or(MOST, |limit| MOST.min(limit / PARTS_OF_LIMIT));
    (random % most.max(1)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_differs_and_is_little() {
        assert_eq!(size(MOST - 1, None), MOST as usize - 1);
        assert_eq!(size(MOST + 5, None), 5);
        assert_eq!(size(MOST - 1, Some(u64::MAX)), MOST as usize - 1);
        assert_eq!(size(1000, Some(64 * 999)), 1);
        assert_eq!(size(u64::MAX, Some(0)), 0);
        let sizes = [(); 8].map(|()| Displacement::random()._pages.len());
        assert!(sizes.iter().any(|&size| size != sizes[0]), "{sizes:?}");
    }
}
