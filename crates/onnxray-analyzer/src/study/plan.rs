//! What a search has to know of a study.

use onnxray_format::{Objective, Trial, Variant};

/// The plan of a study: its changes, by their numbers, and what is true of them.
pub trait Study: Clone {
    /// A change, as trials name it.
    type Change: Clone + Ord;
    /// What trials say of the outputs of a variant.
    type Quality;

    /// All changes, in the order of their numbers.
    fn changes(&self) -> Vec<Self::Change>;

    /// Name of a change for people.
    fn text(&self, change: u32) -> String;

    /// How far outputs of a variant with these changes are from the base's; `None` if that is
    /// unknown.
    fn distance<'q>(&self, set: &[u32], quality: &'q Self::Quality) -> Option<Distance<'q>>;

    /// True if a variant with these changes is to compute in other numbers than the base: then its
    /// loss is a relative L2 distance, and has a limit of its own.
    fn is_of_precision(&self, _set: &[u32]) -> bool {
        false
    }

    /// What is made lower: the first decides, the others are measured beside it.
    fn objectives(&self) -> &[Objective] {
        &[Objective::Latency]
    }

    /// What a launch says of a variant: that of it / that of the base; `None` if unknown.
    fn ratio(&self, _objective: Objective, variant: &VariantOf<Self>) -> Option<f64> {
        variant.ratio
    }

    /// Whether what decides is measured in fresh processes.
    fn has_starts(&self) -> bool {
        false
    }

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

    /// Names of changes, as people list them.
    fn list(&self, numbers: &[u32]) -> String {
        numbers.iter().map(|&number| self.text(number)).collect::<Vec<_>>().join(", ")
    }

    /// The changes of these numbers, in their order.
    fn named(&self, numbers: &[u32]) -> Vec<Self::Change> {
        let all = self.changes();
        numbers.iter().filter_map(|&number| all.get(number as usize).cloned()).collect()
    }
}

/// A launch of a study.
pub type TrialOf<S> = Trial<<S as Study>::Change, <S as Study>::Quality>;

/// What a launch says of a variant.
pub type VariantOf<S> = Variant<<S as Study>::Change, <S as Study>::Quality>;

/// How far outputs of a variant are from the base's, in the output where that is largest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance<'a> {
    /// In the measure of the study.
    pub loss: f64,
    /// Largest difference / largest value of the base's output; `None` if unknown.
    pub relative: Option<f64>,
    /// In the output's unit; `None` if unknown.
    pub absolute: Option<f64>,
    /// The output; `None` if all are equal to the last bit.
    pub output: Option<&'a str>,
}
