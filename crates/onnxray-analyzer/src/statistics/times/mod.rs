//! Times of executions, and their sums in each iteration.

pub(super) mod exclusive;
pub(super) mod executions;
pub(super) mod measure;
pub(super) mod spans;
pub(super) mod timeline;
