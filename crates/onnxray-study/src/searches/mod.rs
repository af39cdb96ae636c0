//! Each [`Search`](crate::Search): what it varies, what it measures next, what it verifies.

pub mod judge;
pub mod mix;
pub mod tune;
