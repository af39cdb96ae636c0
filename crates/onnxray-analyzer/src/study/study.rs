//! What a search has to know of a study.

/// The plan of a study: its changes, by their numbers, and what is true of them.
pub trait Study: Clone {
    /// A change, as trials name it.
    type Change;
    /// What trials say of the outputs of a variant.
    type Quality;

    /// Number of changes.
    fn count(&self) -> usize;

    /// Number of a change; `None` if it is not one of the plan's.
    fn number(&self, change: &Self::Change) -> Option<u32>;

    /// The change of a number; `None` if there are not as many.
    fn change(&self, number: u32) -> Option<Self::Change>;

    /// How far outputs are from the base's; `None` if that is unknown.
    fn distance(quality: &Self::Quality) -> Option<Distance<'_>>;

    /// Changes that have to come along with one.
    fn needs(&self, _change: u32) -> &[u32] {
        &[]
    }

    /// True if only one of both can hold.
    fn is_conflict(&self, _one: u32, _other: u32) -> bool {
        false
    }

    /// Where many changes are tried in groups: the group of one. `None` for neighbours.
    fn group(&self, _change: u32) -> Option<(&str, &str)> {
        None
    }

    /// True if it takes more of the machine than the base.
    fn takes_more(&self, _change: u32) -> bool {
        false
    }

    /// A loss that rounding alone may come to.
    fn rounding(&self) -> f64 {
        0.0
    }

    /// The changes of these numbers, in their order.
    fn named(&self, numbers: &[u32]) -> Vec<Self::Change> {
        numbers.iter().filter_map(|&number| self.change(number)).collect()
    }
}

/// How far outputs of a variant are from the base's, in the output where that is largest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance<'a> {
    /// In the measure of the study.
    pub loss: f64,
    /// In the output's unit; `None` if unknown.
    pub absolute: Option<f64>,
    /// The output; `None` if all are equal to the last bit.
    pub output: Option<&'a str>,
}
