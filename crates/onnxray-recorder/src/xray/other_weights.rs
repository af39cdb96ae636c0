//! What the rest of a model does to the caches while a part of it is timed.
//!
//! A part that runs again and again finds weights in the caches that the whole model has to fetch each
//! time, since it reads all others in between. So as many bytes are read between two runs of a part.

use crate::memory;
use memmap2::MmapMut;
use std::hint::black_box;
use std::thread;

/// More than the caches of most machines hold, and read in 10 ms.
const MOST: u64 = 128 << 20;
/// This part of the memory that there is, at most: models are beside it.
const SHARE: u64 = 32;
/// Bytes that a cache takes at once.
const LINE: usize = 64;
/// To begin a thread takes as long as to read this much.
const LEAST: usize = 1 << 20;

/// Bytes to read in place of weights.
pub(crate) struct OtherWeights {
    data: Option<MmapMut>,
    threads: usize,
}

impl OtherWeights {
    /// `most` is the largest number of bytes that will be read, by this many threads. Without memory for
    /// them, none are.
    pub(crate) fn new(most: u64, threads: u32) -> OtherWeights {
        let limit = memory::limit().map_or(MOST, |limit| limit / SHARE);
        let bytes = most.min(MOST).min(limit) as usize;
        let data = (bytes > 0).then(|| memory::resident_in_huge_pages(bytes).ok()).flatten();
        OtherWeights { data, threads: threads.max(1) as usize }
    }

    /// Reads as many bytes, each thread a share of its own.
    pub(crate) fn read(&self, bytes: u64) {
        let Some(data) = &self.data else { return };
        let data = &data[..data.len().min(usize::try_from(bytes).unwrap_or(usize::MAX))];
        let each = data.len().div_ceil(self.threads).max(LEAST);
        let mut shares = data.chunks(each);
        let own = shares.next().unwrap_or_default();
        thread::scope(|scope| {
            for share in shares {
                // Where there are no threads, less is read.
                let _ = thread::Builder::new().spawn_scoped(scope, || touch(share));
            }
            touch(own);
        });
    }
}

/// Reads a byte of each line: the sum of them.
fn touch(data: &[u8]) -> u64 {
    black_box(data.iter().step_by(LINE).map(|&byte| u64::from(byte)).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_in_memory_and_no_more_than_there_is() {
        for (most, threads) in [(0, 0), (1, 1), (3 << 20, 2), (u64::MAX, 3)] {
            let others = OtherWeights::new(most, threads);
            let bytes = others.data.as_ref().map_or(0, |data| data.len() as u64);
            assert!(bytes <= most.min(MOST) && (bytes > 0) == (most > 0));
            [0, 1, most / 2, most, u64::MAX].into_iter().for_each(|bytes| others.read(bytes));
        }
        // Pages that nobody wrote to would be one and the same, and zero.
        let others = OtherWeights::new(1 << 20, 1);
        assert_eq!(touch(others.data.as_deref().unwrap()), (1 << 20) / 4096);
    }
}
