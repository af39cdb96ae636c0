//! What an operator would take at the largest rates of the machine.

use crate::units::{Milliseconds, Share};

/// What an operator would take at the largest rates that were measured.
#[derive(Clone, Debug, PartialEq)]
pub struct UnderRoof {
    /// FLOPs / peak rate, or bytes / rates of reading, whichever is longer; per iteration.
    pub time: Milliseconds,
    /// The level that its largest tensor fits in, if moving them takes longer than the arithmetic.
    pub level: Option<String>,
    /// Mean time per iteration.
    pub mean: Milliseconds,
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
            mean: Milliseconds(roofs.iter().map(|roof| roof.mean.0).sum()),
        })
    }

    /// Share of the roof that it reaches; `None` if it is faster, and the roof was too low.
    pub fn share(&self) -> Option<Share> {
        let share = self.time.0 / self.mean.0;
        (share <= 1.0).then_some(Share(share))
    }

    /// Time above what it would take; `None` if it is faster.
    pub fn to_gain(&self) -> Option<Milliseconds> {
        let gain = self.mean.0 - self.time.0;
        (gain >= 0.0).then_some(Milliseconds(gain))
    }
}
