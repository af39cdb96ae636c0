//! `DIR:PROFILE` on a command line.

use super::error::ProjectError;
use super::file::PROJECT_FILE;
use super::profile::Profile;
use super::project::Project;
use std::path::{Path, PathBuf};

/// A profile that a word names.
#[derive(Debug)]
pub struct Named {
    /// The project, read.
    pub project: Project,
    /// The profile of that name.
    pub profile: Profile,
}

impl Named {
    /// Resolves `DIR:PROFILE`; `None` for a path and for any other word.
    ///
    /// # Errors
    ///
    /// If there is a project, and no such profile in it.
    pub fn of(word: &Path) -> Option<Result<Named, ProjectError>> {
        // A path that exists is meant as one, colons or not.
        if word.exists() {
            return None;
        }
        let text = word.to_str()?;
        // Names of folders and of profiles may both contain colons.
        let colons = text.match_indices(':').map(|(place, _)| place);
        let parts = colons.map(|place| (&text[..place], &text[place + 1..]));
        let (folder, name) = parts.into_iter().find(|(folder, _)| {
            !folder.is_empty() && Path::new(folder).join(PROJECT_FILE).exists()
        })?;
        let named = Project::open(Path::new(folder)).and_then(|project| {
            let profile = project.profile(name)?.clone();
            Ok(Named { project, profile })
        });
        Some(named)
    }

    /// The traces of its recording, in the order of launches.
    ///
    /// # Errors
    ///
    /// If they are gone.
    pub fn files(&self) -> Result<Vec<PathBuf>, ProjectError> {
        self.project.files(&self.profile)
    }
}
