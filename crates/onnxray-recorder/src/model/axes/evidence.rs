//! What nodes say of the axes of inputs, and what follows from all that they say.

use super::axis::{Axis, Origin};
use crate::model::graph::AxisRole;
use std::collections::BTreeMap;

/// Statement of a node about an axis that it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Says {
    /// It is the batch, by the operator's definition.
    Batch,
    /// Elements along it depend on each other: time, channels, features.
    Other,
    /// The same weights are applied to each element by itself.
    Rows,
    /// It is cut or joined.
    Parted,
}

#[derive(Debug, Default)]
pub(super) struct Evidence {
    said: BTreeMap<Origin, [bool; 4]>,
    adds_batch: bool,
}

impl Evidence {
    pub(super) fn note(&mut self, axis: &Axis, says: Says) {
        for &origin in &axis.origins {
            self.said.entry(origin).or_default()[says as usize] = true;
        }
        // Of one element and from no input: the graph puts it in front to call a kernel that wants
        // a batch.
        let is_added = axis.origins.is_empty() && axis.size == Some(1);
        self.adds_batch |= says == Says::Batch && is_added;
    }

    /// Role of an axis. An axis that is the batch to one node and not to another, such as the
    /// frames of a video, has no role.
    pub(super) fn role(&self, origin: Origin) -> AxisRole {
        let [batch, other, rows, parted] = self.said.get(&origin).copied().unwrap_or_default();
        match (batch, other) {
            (true, false) => AxisRole::Batch,
            (false, true) => AxisRole::Other,
            (true, true) => AxisRole::Unknown,
            // Rows that are cut or joined may be tokens as well as items: neither is claimed.
            (false, false) if rows && parted => AxisRole::Unknown,
            (false, false) if rows => AxisRole::Rows,
            (false, false) if parted => AxisRole::Other,
            (false, false) => AxisRole::Unknown,
        }
    }

    /// A node adds a batch of one itself.
    pub(super) fn adds_batch(&self) -> bool {
        self.adds_batch
    }
}
