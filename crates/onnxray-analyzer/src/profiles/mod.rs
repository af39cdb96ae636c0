//! Profiles: what one recording says of one model in one configuration; and the project,
//! a folder that holds several of them under names.

mod profile;

pub use profile::{Configuration, PlannedSpeed, Profile, RecordingPlace};
