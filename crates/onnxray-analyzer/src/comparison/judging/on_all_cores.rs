//! Work that is shared out to all cores.

use onnxray_failsafe::{Beside, beside};
use std::thread;

/// Maps independent items in runs, one per core; results are in the order of the items.
pub(in crate::comparison) fn on_all_cores<Item: Sync, Made: Send>(
    items: &[Item],
    make_all: impl Fn(&[Item]) -> Vec<Made> + Sync,
) -> Vec<Made> {
    let workers = thread::available_parallelism().map_or(1, |count| count.get());
    // At least 1: `chunks` panics on 0, which no items would give.
    let size = items.len().div_ceil(workers).max(1);
    let make_all = &make_all;
    thread::scope(|scope| {
        let runs = items.chunks(size).map(|run| beside(scope, move || make_all(run)));
        let runs: Vec<_> = runs.collect();
        // Joined in the order of the items, whichever run ends first: figures never depend on
        // timing.
        runs.into_iter().flat_map(Beside::join).collect()
    })
}
