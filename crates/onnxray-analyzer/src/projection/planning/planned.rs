//! A projection with its plan.

use crate::projection::{Plan, Projection, Settings, plan, project};
use crate::statistics::Summary;

/// The projection, and the plan that spreads a budget over the layers, by the same
/// settings.
#[derive(Clone, Debug)]
pub struct Planned {
    /// Settings of both.
    pub settings: Settings,
    /// At the targets of the settings.
    pub projection: Projection,
    /// By the bounds of the settings.
    pub plan: Plan,
}

impl Planned {
    /// Projects and plans a recording, or a model that was not run.
    pub fn of(summary: &Summary, settings: Settings) -> Planned {
        let projection = project(summary, &settings);
        let plan = plan(summary, &projection, &settings);
        Planned { settings, projection, plan }
    }
}
