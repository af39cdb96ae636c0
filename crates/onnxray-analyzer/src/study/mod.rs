//! Studies: variants of a base, each a set of changes: which of them pay, together, and what is to
//! be measured next to know.
//!
//! ```text
//! effect, looks, options, plan ◀ kinds, sets, known, starts ◀ tried ◀ evidence ◀ { screen | descent ◀ descended ◀ held_out }
//! names, judging, verified
//! ```
//!
//! A study says in [`Study`] what its changes are, and has one of two searches: [`screen`] measures
//! each change by itself, then those that pay together; [`descend`] goes from the better of the
//! base and all changes to what is better, change by change. A launch is the unit. Every figure is
//! defined in `docs/statistics.md#tuning` and `docs/statistics.md#mixing`.

mod descended;
mod descent;
mod effect;
mod evidence;
mod held_out;
mod judging;
mod kinds;
mod known;
mod looks;
mod names;
mod options;
mod plan;
mod screen;
mod sets;
#[cfg(test)]
mod simulations;
mod starts;
mod taken;
mod tried;
mod verified;

pub use descended::{Descent, Mixing, descend};
pub use effect::Effect;
pub use evidence::Step;
pub use held_out::{HeldOut, Spread};
pub use judging::{JudgeOptions, Judgement, Sequence, Word, judge};
pub use names::corresponding;
pub use options::{FALSE_DISCOVERIES, StudyOptions};
pub use plan::{Distance, Study, TrialOf, VariantOf};
pub use screen::{Screening, Tuning, screen};
pub use starts::{base_starts, cost, cost_of, needed, with_starts};
pub use taken::{Taken, TriedChange};
pub use tried::Tried;
pub use verified::Verified;
