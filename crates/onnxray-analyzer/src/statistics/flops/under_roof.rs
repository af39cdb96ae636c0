//! What an operator would take at the largest rates of the machine.

use crate::units::{Milliseconds, Share};
use std::fmt;

/// What an operator would take at the largest rates that were measured.
#[derive(Clone, Debug, PartialEq)]
pub struct UnderRoof {
    /// FLOPs / peak rate, or bytes / rates of reading, whichever is longer; per iteration.
    pub time: Milliseconds,
    /// The level that its largest tensor fits in, if moving them takes longer than the arithmetic.
    pub level: Option<String>,
    /// What it takes per iteration where nothing disturbs it: the lesser of its median and its mean,
    /// at the latency of the model. Never below `time`, unless the roof is exceeded.
    pub takes: Milliseconds,
}

/// Why an operator has no roof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoRoof {
    /// Its time is unknown, or too short to separate from profiling cost.
    Time,
    /// Its FLOPs are unknown.
    Flops,
    /// Its bytes are unknown.
    Bytes,
    /// It, or a node that is fused into it, need not read whole inputs: this type of node.
    ReadsPart(String),
    /// Nothing was measured for its element types.
    Types,
    /// It ran on a device.
    Device,
    /// It skips zero blocks, and does fewer FLOPs than its model has.
    SkipsZeros,
    /// It is faster than the peak rates, which were measured too low.
    Exceeded,
}

impl fmt::Display for NoRoof {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoRoof::Time => write!(formatter, "time unknown or too short"),
            NoRoof::Flops => write!(formatter, "FLOPs unknown"),
            NoRoof::Bytes => write!(formatter, "bytes unknown"),
            NoRoof::ReadsPart(node) => write!(formatter, "{node} reads part of its input"),
            NoRoof::Types => write!(formatter, "no peak rate for its element types"),
            NoRoof::Device => write!(formatter, "ran on a device"),
            NoRoof::SkipsZeros => write!(formatter, "skips zero blocks"),
            NoRoof::Exceeded => write!(formatter, "exceeded: measured too low"),
        }
    }
}

impl UnderRoof {
    /// The sum over operators; `None` if one of them has none. The level is the one of the operator
    /// with the longest roof.
    pub(crate) fn sum<'a>(roofs: impl Iterator<Item = Option<&'a UnderRoof>>) -> Option<UnderRoof> {
        let roofs: Vec<&UnderRoof> = roofs.collect::<Option<_>>()?;
        let longest = roofs.iter().max_by(|a, b| a.time.0.total_cmp(&b.time.0))?;
        Some(UnderRoof {
            time: Milliseconds(roofs.iter().map(|roof| roof.time.0).sum()),
            level: longest.level.clone(),
            takes: Milliseconds(roofs.iter().map(|roof| roof.takes.0).sum()),
        })
    }

    /// Share of the roof that it reaches; `None` if it is faster, and the roof was too low.
    pub fn share(&self) -> Option<Share> {
        let share = self.time.0 / self.takes.0;
        (share <= 1.0).then_some(Share(share))
    }

    /// Time above what it would take; `None` if it is faster.
    pub fn to_gain(&self) -> Option<Milliseconds> {
        let gain = self.takes.0 - self.time.0;
        (gain >= 0.0).then_some(Milliseconds(gain))
    }
}
