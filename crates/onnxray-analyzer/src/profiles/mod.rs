//! Profiles: what one recording says of one model in one configuration; and the project,
//! a folder that holds several of them under names.

mod costs;
mod error;
mod file;
mod model;
mod profile;
mod project;
mod unknown;
mod words;

pub use costs::{PacedCosts, ProfileCosts};
pub use error::ProjectError;
pub use file::{PROJECT_FILE, Problem};
pub use model::{ModelFlops, ProjectModel};
pub use profile::{Configuration, PlannedSpeed, Profile, RecordingPlace, other_dimensions};
pub use project::{FLOPS_PROFILE, Project, folder_of};
pub use words::Named;
