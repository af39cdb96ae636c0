//! The files of settings that a command is given, and targets in them without effect.

use super::sources::unknown_names::Weightless;
use crate::message;
use onnxray_analyzer::Summary;
use onnxray_analyzer::projection::{Projection, Settings};
use onnxray_analyzer::settings::{self, Read};
use onnxray_text::{first_of, shown};
use std::path::{Path, PathBuf};

/// Files of settings in their order, each read once.
pub(super) struct SettingsFiles<'a>(Vec<(&'a Path, Read)>);

impl<'a> SettingsFiles<'a> {
    pub(super) fn read(files: &'a [PathBuf]) -> anyhow::Result<SettingsFiles<'a>> {
        let mut all = Vec::new();
        for path in files {
            let read = settings::read(path)?;
            for note in &read.notes {
                message::note(format_args!("{}: {note}", shown(path)));
            }
            all.push((path.as_path(), read));
        }
        Ok(SettingsFiles(all))
    }

    /// Defaults, then the files in their order.
    pub(super) fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        self.0.iter().for_each(|(_, read)| read.settings.apply(&mut settings));
        settings
    }

    /// Warns of targets of what has no weight.
    pub(super) fn warn_of_weightless(&self, summary: &Summary, projection: &Projection) {
        let weightless = Weightless::of(summary, projection);
        for (path, read) in &self.0 {
            let targets = read.targets.iter().filter(|target| {
                // A target of 0 is met by what stays dense.
                target.level > 0.0
                    && match target.is_type {
                        true => weightless.is_type(&target.name),
                        false => weightless.is_operator(&target.name),
                    }
            });
            let places: Vec<&str> = targets.map(|target| target.place.as_str()).collect();
            let have = if places.len() == 1 { "target has" } else { "targets have" };
            if !places.is_empty() {
                message::warning(format_args!(
                    "{}: {}: no weight, so the {have} no effect",
                    shown(path),
                    first_of(&places, ", ")
                ));
            }
        }
    }
}
