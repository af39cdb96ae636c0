//! Many configurations of models, measured in rounds until each is known precisely enough.

mod plan;
mod watch;

pub use plan::{Axes, Request, SweptModel, again, plan};
pub use watch::{Goal, Watch, no_performance};
