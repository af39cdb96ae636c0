//! Origins of perf ratios, and of the figures that follow from them.

use crate::quantity::percent;
use std::fmt;

/// Origin of one perf ratio, a cell of the table of ratios.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// A placeholder of a plausible size, not a measurement.
    Default,
    /// Somebody set it.
    #[default]
    Given,
}

impl Origin {
    /// Words of tables and workbooks.
    pub fn text(self) -> &'static str {
        match self {
            Origin::Default => "default, not measured",
            Origin::Given => "given",
        }
    }

    /// Word of saved settings, and beside others.
    pub fn key(self) -> &'static str {
        match self {
            Origin::Default => "default",
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

/// The origins of all perf ratios that a figure rests on; none if it is as measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// Some are given.
    pub given: bool,
    /// Some are defaults.
    pub default: bool,
}

impl Origins {
    /// Origins of two figures together.
    pub fn and(self, other: Origins) -> Origins {
        Origins { given: self.given || other.given, default: self.default || other.default }
    }

    /// Words of tables and workbooks.
    pub fn text(self) -> &'static str {
        match (self.given, self.default) {
            (true, true) => "given and default",
            (true, false) => Origin::Given.text(),
            (false, true) => Origin::Default.text(),
            (false, false) => "measured",
        }
    }
}

impl From<Origin> for Origins {
    fn from(origin: Origin) -> Origins {
        Origins { given: origin == Origin::Given, default: origin == Origin::Default }
    }
}

impl FromIterator<Option<RatioOrigin>> for Origins {
    fn from_iter<I: IntoIterator<Item = Option<RatioOrigin>>>(ratios: I) -> Origins {
        let known = ratios.into_iter().flatten();
        known.fold(Origins::default(), |all, origin| all.and(origin.origins()))
    }
}
