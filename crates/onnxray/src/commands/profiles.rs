//! `onnxray profiles`: what a project holds.

use crate::args::ProfilesArguments;
use crate::destination::Destination;
use crate::exit::Ended;
use crate::message;
use onnxray_analyzer::profiles::{PROJECT_FILE, Project};
use onnxray_analyzer::settings::loss_profiles;
use onnxray_report::profiles_report;

pub(crate) fn run(arguments: ProfilesArguments) -> anyhow::Result<Ended> {
    let ProfilesArguments { folder, remove, rename, shown, tables } = &arguments;
    let output = Destination::tables([folder.join(PROJECT_FILE)], tables, shown)?;
    if !remove.is_empty() || !rename.is_empty() {
        // Else a mistyped name of a folder would become a project.
        Project::open(folder)?;
        Project::change(folder, |project| {
            remove.iter().try_for_each(|name| project.remove(name).map(drop))?;
            rename.iter().try_for_each(|text| {
                let (old, new) = project.names_in(text)?;
                project.rename(old, new)
            })
        })?;
    }
    let project = Project::open(folder)?;
    let (losses, unread) = loss_profiles(folder);
    unread.iter().for_each(message::warning);
    output.print(profiles_report(&project, &losses))?;
    Ok(Ended::Done)
}
