//! Profiles: what one recording says of one model in one configuration; and the project,
//! a folder that holds several of them under names.

mod error;
mod file;
mod profile;
mod project;
mod words;

pub use error::ProjectError;
pub use profile::{Configuration, PlannedSpeed, Profile, RecordingPlace};
pub use project::{
    FLOPS_PROFILE, ModelFlops, PROJECT_FILE, Problem, Project, ProjectModel, folder_of,
};
pub use words::Named;
