//! What is measured beside operators: the framework's share, and what profiling adds.

pub(super) mod framework;
pub(super) mod profiling;
pub(super) mod profiling_overhead;
