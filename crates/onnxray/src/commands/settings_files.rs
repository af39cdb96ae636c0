//! The files of settings that a command is given, and what in them has no effect.

use super::sources::unknown_names::Weightless;
use crate::message;
use onnxray_analyzer::Summary;
use onnxray_analyzer::projection::{Plan, Projection, Settings, plan as spread, project};
use onnxray_analyzer::settings::SettingsFile;
use onnxray_report::projection_cells;
use onnxray_text::{first_of, shown};
use std::path::{Path, PathBuf};

/// Files of settings in their order, each read once.
pub(super) struct SettingsFiles<'a>(Vec<(&'a Path, SettingsFile)>);

impl<'a> SettingsFiles<'a> {
    pub(super) fn read(files: &'a [PathBuf]) -> anyhow::Result<SettingsFiles<'a>> {
        let mut all = Vec::new();
        for path in files {
            let file = SettingsFile::open(path)?;
            for note in &file.read.notes {
                message::note(format_args!("{}: {note}", shown(path)));
            }
            all.push((path.as_path(), file));
        }
        Ok(SettingsFiles(all))
    }

    /// Defaults, then the files in their order.
    pub(super) fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        self.0.iter().for_each(|(_, file)| file.read.settings.apply(&mut settings));
        settings
    }

    /// Warns of what was set and has no effect, beside what these settings came to.
    pub(super) fn warn(
        &self,
        summary: &Summary,
        (settings, projection, plan): (&Settings, &Projection, &Plan),
    ) -> anyhow::Result<()> {
        for (path, file) in &self.0 {
            warn_of_weightless(path, file, summary, projection);
            let Some(workbook) = &file.workbook else { continue };
            let mut own = Settings::default();
            file.read.settings.apply(&mut own);
            let written = if own == *settings {
                projection_cells(summary, projection, plan, path)?
            } else {
                let projection = project(summary, &own);
                let plan = spread(summary, &projection, &own);
                projection_cells(summary, &projection, &plan, path)?
            };
            warn_of_unread(path, &workbook.unread_edits(&written));
        }
        Ok(())
    }
}

/// Warns of targets of what has no weight.
fn warn_of_weightless(
    path: &Path,
    file: &SettingsFile,
    summary: &Summary,
    projection: &Projection,
) {
    let weightless = Weightless::of(summary, projection);
    let targets = file.targets.iter().filter(|target| {
        // What stays dense does as it is told.
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

/// Warns of values that were typed into cells of workbooks that are not settings.
fn warn_of_unread(path: &Path, cells: &[String]) {
    let are = if cells.len() == 1 { "is" } else { "are" };
    if !cells.is_empty() {
        message::warning(format_args!(
            "{}: {} {are} computed; edits there are not read",
            shown(path),
            first_of(cells, ", ")
        ));
    }
}
