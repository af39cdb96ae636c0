//! Operations of nodes, by closed forms.

pub(super) mod attention;
pub(super) mod einsum;
pub(crate) mod flops;
