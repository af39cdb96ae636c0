//! Units, in which values are shown.

/// The unit of a column's values, and so the way in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    Text,
    /// A whole number, in full.
    Count,
    /// A large whole number, shortened for people.
    Quantity,
    /// To the microsecond.
    Milliseconds,
    /// A number to three decimals.
    Ratio,
    /// A share of one, shown in percent.
    Share,
    /// A probability: people read those that are all but 0 as such.
    Probability,
    /// A number of any size, of which people read three digits and an exponent.
    Scientific,
    /// Any other number, to the digits that matter.
    Number,
}
