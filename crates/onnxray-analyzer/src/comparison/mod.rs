//! Two recordings of a model, or of two versions of it: what got faster, what got
//! slower, what only one has, and whether the difference is real.
//!
//! ```text
//! alignment ─▶ groups ─▶ timing (launches, blocks) ─▶ evidence ─▶ change
//!                 │                                                 │
//!                 └──▶ conservation, causes, types, differences ◀───┘
//! ```
//!
//! The launch is the unit: iterations of one process are not independent. Every
//! figure is defined in `docs/statistics.md#comparison`.

pub mod alignment;
mod cells;
mod change;
mod check;
mod conservation;
mod contribution;
mod details;
mod error;
mod evidence;
mod false_alarms;
mod gate;
mod guard;
mod notes;
mod pairing;
mod precision;
mod stability;
mod testing;
mod timing;
mod types;

pub use alignment::{Alignment, Certainty, Group, Member, Method, Side, align};
pub use change::Change;
pub use check::{Check, Finding, Grade, check};
pub use conservation::Conservation;
pub use contribution::Cause;
pub use details::Detail;
pub use error::ComparisonError;
pub use evidence::Verdict;
pub use false_alarms::{FalseAlarms, Split};
pub use gate::{Gate, gate};
pub use guard::{Difference, Field, Guard, Weight};
pub use pairing::Basis;
pub use timing::{Timing, Whole};
pub use types::{ComparedType, TypeSide};

use crate::statistics::{Summary, Timeline};
use crate::units::Share;
use change::Judge;
use onnxray_format::Operator;
use timing::Measured;

/// A recording as comparisons take it.
pub struct Recording {
    /// What reports call it.
    pub label: String,
    /// Times and facts of its operators.
    pub summary: Summary,
    /// `None` if it does not tell of single iterations.
    pub timeline: Option<Timeline>,
}

impl Recording {
    /// Smallest step of its clock, in nanoseconds.
    fn tick(&self) -> Option<f64> {
        self.summary.run.clock_resolution.map(|resolution| resolution.0 as f64)
    }
}

/// What the user may choose.
#[derive(Clone, Debug)]
pub struct Options {
    /// Differences up to this share of the baseline's time do not matter.
    pub noise_threshold: Share,
    /// A difference counts if its p, adjusted for all groups, is at most this.
    pub alpha: f64,
    /// Configuration differences that are the point of the comparison.
    pub expected_differences: Vec<Field>,
    /// Bootstrap resamples that intervals are taken from.
    pub resamples: usize,
    /// Of all random draws: the same seed gives the same figures.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            noise_threshold: Share(0.03),
            alpha: 0.05,
            expected_differences: Vec::new(),
            resamples: 1000,
            seed: 1,
        }
    }
}

/// Everything that a comparison of two recordings says.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What reports call A and B.
    pub labels: [String; 2],
    /// What figures and tests rest on: launches, pairs of them, blocks, or averages.
    pub basis: Basis,
    /// In what the configurations differ.
    pub guard: Guard,
    /// The wall time of an iteration, or that of its operators.
    pub total: Compared,
    /// Which of these two `total` is of.
    pub total_is: Whole,
    /// In the order of execution.
    pub groups: Vec<ComparedGroup>,
    /// By side: the parts of its time.
    pub conservation: [Conservation; 2],
    /// What the total's difference is made of, the largest part first.
    pub causes: Vec<Cause>,
    /// From most to least time, of both sides together.
    pub types: Vec<ComparedType>,
    /// By side: the share of the operators' time that names, tensors or shapes
    /// align; place alone does not count.
    pub aligned: [Option<Share>; 2],
    /// What a careful reader should know of the figures, in sentences.
    pub notes: Vec<String>,
}

/// Times of both sides, and what changed.
#[derive(Clone, Debug)]
pub struct Compared {
    /// A, then B.
    pub sides: [Timing; 2],
    /// From A to B.
    pub change: Change,
}

/// A group of operators, compared.
#[derive(Clone, Debug)]
pub struct ComparedGroup {
    /// What reports call it: the operator that takes most time.
    pub name: String,
    /// By side: the type that takes most time; blank without operators.
    pub types: [String; 2],
    /// By side: the element type it computes in, or `unknown`; blank without operators.
    pub precisions: [String; 2],
    /// Its operators, and what they were matched by.
    pub group: Group,
    /// The sums of its operators' times.
    pub compared: Compared,
    /// Parameters that differ.
    pub details: Vec<Detail>,
}

/// Less than this share of the time aligned by names, tensors or shapes means
/// that the models are not versions of each other.
const SAME_MODEL: f64 = 0.5;

impl Comparison {
    /// Whether the two look like versions of one model.
    pub fn is_one_model(&self) -> bool {
        self.aligned.iter().all(|share| share.is_none_or(|share| share.0 >= SAME_MODEL))
    }
}

/// Compares `b` to the baseline `a`.
///
/// # Errors
///
/// If a side has no times, or if the parts do not add up to the whole on a side,
/// which would be a defect.
pub fn compare(
    a: &Recording,
    b: &Recording,
    options: &Options,
) -> Result<Comparison, ComparisonError> {
    let recordings = [a, b];
    let operators = recordings.map(|recording| {
        recording.summary.operators.iter().map(|o| o.operator.clone()).collect::<Vec<_>>()
    });
    let alignment = align(&operators[0], &operators[1]);
    let measured = Measured::both(recordings);
    for (side, recording) in measured.iter().zip(recordings) {
        if side.sums.iter().all(Option::is_none) {
            return Err(ComparisonError::NoTimes { label: recording.label.clone() });
        }
    }
    let trends = recordings.map(|recording| recording.timeline.as_ref().map(stability::trend));
    let judge = Judge::new(recordings, &measured, &trends, options);
    let (total, changes) = judge.all(&alignment.groups);
    let groups: Vec<ComparedGroup> = alignment
        .groups
        .into_iter()
        .zip(changes)
        .map(|(group, compared)| name(group, compared, &operators, &measured))
        .collect();
    let conservation = conservation::check(recordings, &measured, &groups)?;
    let causes = contribution::causes(&groups, &operators, &measured, &conservation, &total);
    let types = types::types(&operators, &measured);
    let guard = guard::guard(recordings, &operators, &groups, options);
    let aligned = aligned(&groups);
    let notes = notes::notes(recordings, &measured, &trends, judge.basis(), options, &groups);
    Ok(Comparison {
        labels: recordings.map(|recording| recording.label.clone()),
        basis: judge.basis(),
        guard,
        total,
        total_is: measured[0].whole_is,
        groups,
        conservation,
        causes,
        types,
        aligned,
        notes,
    })
}

/// By side: the share of the operators' time that is aligned by more than place.
fn aligned(groups: &[ComparedGroup]) -> [Option<Share>; 2] {
    [0, 1].map(|side| {
        let time = |group: &ComparedGroup| group.compared.sides[side].sum_ns.unwrap_or(0.0);
        let sure = |group: &&ComparedGroup| {
            group.group.method().is_some_and(|method| method.certainty() < Certainty::Possible)
        };
        let all: f64 = groups.iter().map(time).sum();
        let found = groups.iter().filter(sure).map(time).fold(0.0, |sum, time| sum + time);
        (all > 0.0).then_some(Share(found / all))
    })
}

fn name(
    group: Group,
    compared: Compared,
    operators: &[Vec<Operator>; 2],
    measured: &[Measured; 2],
) -> ComparedGroup {
    let main = [Side::A, Side::B].map(|side| {
        let members = group.members(side).iter().filter(|member| !member.conversion);
        let members: Vec<u32> = members.map(|member| member.operator).collect();
        let all = || group.members(side).iter().map(|member| member.operator).collect();
        let members: Vec<u32> = if members.is_empty() { all() } else { members };
        let main = measured[side as usize].largest(&members)?;
        operators[side as usize].get(main as usize)
    });
    let details = details::details(main, &group, operators);
    let [first, second] = main;
    let text = |value: Option<&str>| value.unwrap_or_default().to_string();
    ComparedGroup {
        name: text(first.or(second).map(|operator| operator.name.as_str())),
        types: main.map(|operator| text(operator.map(type_name))),
        precisions: main.map(|operator| text(operator.map(precision::precision))),
        group,
        compared,
        details,
    }
}

/// An operator's type, or the word for one that nobody knows.
fn type_name(operator: &Operator) -> &str {
    match operator.operator_type.as_str() {
        "" => "unknown",
        name => name,
    }
}
