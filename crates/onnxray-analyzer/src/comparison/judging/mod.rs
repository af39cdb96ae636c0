//! From times to verdicts: the whole and every group, and how much a recording can show.

mod blocks;
pub(super) mod change;
mod draft;
mod modules;
pub(super) mod needed;
pub(super) mod on_all_cores;
pub(super) mod pooling;
pub(super) mod power;
pub(super) mod profiling;
pub(super) mod reason;
pub(super) mod stability;
mod times;
mod unlike;
pub(super) mod unprofiled;
