//! Result of a comparison.

use super::{
    Basis, Cause, Comparability, Compared, ComparedCost, ComparedGroup, ComparedType, Conservation,
    Folded, Fusion, LayerTimes, LeftOut, Modules, Profiling, Whole,
};
use crate::units::{Milliseconds, Share};

/// Everything that a comparison of two recordings says.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Names of A and B.
    pub labels: [String; 2],
    /// A and B are the same recording, by their contents.
    pub is_one_recording: bool,
    /// Layers of both are blocks between cuts.
    pub are_x_rays: bool,
    /// A and B are of one model file, by its contents.
    pub is_one_file: bool,
    /// Units of figures and tests: launches, pairs of them, blocks, or averages.
    pub basis: Basis,
    /// Differences up to this share of the baseline's time do not matter.
    pub noise_threshold: Share,
    /// In what the configurations differ.
    pub comparability: Comparability,
    /// The whole that layers are parts of: wall time of a profiled iteration, or the sum of its
    /// operators.
    pub total: Compared,
    /// The latency: the wall time of an iteration without profiling. `None` if a side does not
    /// have it.
    pub unprofiled: Option<Compared>,
    /// What an inference costs beside its latency; empty if neither side tells.
    pub costs: Vec<ComparedCost>,
    /// Cost of profiling; `None` if unknown.
    pub profiling: Option<Profiling>,
    /// Kind of whole that `total` is.
    pub total_is: Whole,
    /// By side: share of the latency that profiled iterations took longer than unprofiled ones,
    /// beyond what profiling costs. Set if other programs ran beside one kind of them only: layers
    /// are then parts of the profiled latency.
    pub other_load: Option<[Share; 2]>,
    /// By side: profiled iterations that means are not over; `None` where single ones are not
    /// known, or not on both sides.
    pub left_out: [Option<LeftOut>; 2],
    /// By side: unprofiled iterations of `unprofiled` that means are not over.
    pub unprofiled_left_out: [Option<LeftOut>; 2],
    /// Kind of times that layers are compared by.
    pub layer_times: LayerTimes,
    /// In the order of execution.
    pub groups: Vec<ComparedGroup>,
    /// The same groups with those that repeat as one row, in the order of their first members;
    /// empty where nothing repeats.
    pub folded: Vec<Folded>,
    /// The same as a tree of modules.
    pub modules: Modules,
    /// By side: the parts of its time.
    pub conservation: [Conservation; 2],
    /// Typical times that layers and causes are parts of, by side; `None` where nothing can be
    /// compared with them.
    pub parted: Option<[Milliseconds; 2]>,
    /// Causes of their difference, largest first; empty where layers cannot explain the difference
    /// of the latencies.
    pub causes: Vec<Cause>,
    /// Causes as measured, where layers cannot explain the difference; otherwise empty.
    pub hidden_causes: Vec<Cause>,
    /// Groups in which one side has kernels whose nodes the other one executes one by one, in the
    /// same engine; the largest difference first.
    pub fusions: Vec<Fusion>,
    /// From most to least time, of both sides together.
    pub types: Vec<ComparedType>,
    /// By name and side: what [`Comparison::types_whole`] has beyond types, times of the same kind.
    pub outside: Vec<(&'static str, [Milliseconds; 2])>,
    /// By side: what types and what is outside add up to; `parted`, or means where that is unknown.
    pub types_whole: [Milliseconds; 2],
    /// By side: the share of the operators' time that names, tensors or shapes
    /// align; place alone does not count.
    pub aligned: [Option<Share>; 2],
    /// Sentences about the figures for careful readers.
    pub notes: Vec<String>,
}

/// Less than this share of the time aligned by names, tensors or shapes means
/// that the models are not versions of each other.
pub(super) const SAME_MODEL: f64 = 0.5;

/// Smaller parts of the difference, and smaller shares of the latency, are not mentioned.
const LARGE_PART: f64 = 0.1;
const LARGE_SHARE: f64 = 0.001;

impl Comparison {
    /// Comparison that decides which side is faster: of the latency, or of the profiled one where a
    /// side has no other.
    pub fn decisive(&self) -> &Compared {
        self.unprofiled.as_ref().unwrap_or(&self.total)
    }

    /// Operators were timed in other iterations than the latency, so that nothing profiled these.
    pub fn is_timed_apart(&self) -> bool {
        self.conservation.iter().any(|side| side.apart.is_some())
    }

    /// Name of the whole that layers are parts of.
    pub fn whole_name(&self) -> &'static str {
        match self.total_is {
            Whole::Operators => "all operators",
            Whole::Latency => "latency",
            Whole::Wall if self.is_timed_apart() || self.are_x_rays => "latency",
            Whole::Wall => "profiled latency",
        }
    }

    /// Cost of profiling, where it hides the difference of the latencies.
    pub fn hidden_by(&self) -> Option<&Profiling> {
        let unprofiled = self.unprofiled.as_ref()?;
        self.profiling
            .as_ref()
            .filter(|profiling| profiling.hides(unprofiled, self.noise_threshold))
    }

    /// Difference of the wholes that layers are parts of.
    pub fn parted_difference(&self) -> Option<Milliseconds> {
        self.parted.map(|[a, b]| Milliseconds(b.0 - a.0))
    }

    /// No cause has a share: what none of them has is more than half of the difference.
    pub fn has_no_shares(&self) -> bool {
        let known = self.causes.iter().any(|cause| cause.contribution.is_some());
        !known && self.parted_difference().is_some_and(|difference| difference.0 != 0.0)
    }

    /// Difference of the wholes that layers are parts of, if it clearly differs from the verdict's.
    pub fn apart_from_verdict(&self) -> Option<Milliseconds> {
        let Compared { change, sides, .. } = self.decisive();
        let (parted, decided) = (self.parted_difference()?, change.difference?);
        let interval = change.difference_interval;
        // Both conditions: outside the verdict's interval, and a part of the difference that a
        // reader would notice.
        let is_chance = interval.is_some_and(|ends| (ends.low..=ends.high).contains(&parted.0));
        let missed = (parted.0 - decided.0).abs();
        let is_large =
            missed >= LARGE_PART * decided.0.abs() && missed >= LARGE_SHARE * sides[0].typical?.0;
        (is_large && !is_chance).then_some(parted)
    }

    /// The two look like versions of one model. Of one file they are, even where nothing aligns: a
    /// provider may compile all of it into one operator.
    pub fn is_one_model(&self) -> bool {
        self.is_one_file
            || self.aligned.iter().all(|share| share.is_none_or(|share| share.0 >= SAME_MODEL))
    }
}
