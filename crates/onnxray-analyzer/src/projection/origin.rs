//! Origins of perf ratios, and of the figures that follow from them.

use crate::quantity::percent;
use std::fmt;

/// Origin of one perf ratio, a cell of the table of ratios. Where there are several, what is given
/// counts before what was measured, and that before a default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// A placeholder of a plausible size, not a measurement.
    Default,
    /// Measured with the layers of a model, dense and pruned.
    Measured,
    /// Somebody set it.
    #[default]
    Given,
}

impl Origin {
    /// All of them.
    pub const ALL: [Origin; 3] = [Origin::Measured, Origin::Given, Origin::Default];

    /// Words of tables and workbooks.
    pub fn text(self) -> &'static str {
        match self {
            Origin::Default => "default, not measured",
            Origin::Measured | Origin::Given => self.key(),
        }
    }

    /// Word of saved settings, and beside others.
    pub fn key(self) -> &'static str {
        match self {
            Origin::Default => "default",
            Origin::Measured => "measured",
            Origin::Given => "given",
        }
    }
}

/// Cells of its row that the perf ratio at a level rests on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RatioOrigin {
    /// The cell of that level.
    At(Origin),
    /// The cells of the two levels around it.
    Between([(f64, Origin); 2]),
    /// The cell of the highest level, which is below it.
    Above(f64, Origin),
    /// The ratio below all levels.
    Below(Origin),
}

impl RatioOrigin {
    /// The origins of its cells.
    pub fn origins(self) -> Origins {
        match self {
            RatioOrigin::At(origin)
            | RatioOrigin::Above(_, origin)
            | RatioOrigin::Below(origin) => origin.into(),
            RatioOrigin::Between([(_, low), (_, high)]) => Origins::from(low).and(high.into()),
        }
    }
}

impl fmt::Display for RatioOrigin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RatioOrigin::At(origin) => out.write_str(origin.text()),
            RatioOrigin::Between([(low, of_low), (high, of_high)]) => {
                let (of_low, of_high) = (of_low.key(), of_high.key());
                let (low, high) = (percent(*low), percent(*high));
                write!(out, "between {low} % ({of_low}) and {high} % ({of_high})")
            }
            RatioOrigin::Above(level, origin) => {
                write!(out, "as at {} % ({})", percent(*level), origin.key())
            }
            RatioOrigin::Below(origin) => write!(out, "below all levels ({})", origin.key()),
        }
    }
}

/// The origins of all perf ratios that a figure rests on; none if it is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// Some are measured.
    pub measured: bool,
    /// Some are given.
    pub given: bool,
    /// Some are defaults.
    pub default: bool,
}

impl Origins {
    /// Origins of two figures together.
    pub fn and(self, other: Origins) -> Origins {
        Origins {
            measured: self.measured || other.measured,
            given: self.given || other.given,
            default: self.default || other.default,
        }
    }

    /// Words of tables and workbooks.
    pub fn text(self) -> &'static str {
        match (self.measured, self.given, self.default) {
            (false, false, false) => "recorded",
            (true, false, false) => Origin::Measured.text(),
            (false, true, false) => Origin::Given.text(),
            (false, false, true) => Origin::Default.text(),
            (true, true, false) => "measured and given",
            (true, false, true) => "measured and default",
            (false, true, true) => "given and default",
            (true, true, true) => "measured, given and default",
        }
    }
}

impl From<Origin> for Origins {
    fn from(origin: Origin) -> Origins {
        Origins {
            measured: origin == Origin::Measured,
            given: origin == Origin::Given,
            default: origin == Origin::Default,
        }
    }
}

impl FromIterator<Option<RatioOrigin>> for Origins {
    fn from_iter<I: IntoIterator<Item = Option<RatioOrigin>>>(ratios: I) -> Origins {
        let known = ratios.into_iter().flatten();
        known.fold(Origins::default(), |all, origin| all.and(origin.origins()))
    }
}
