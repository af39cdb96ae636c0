//! A recording as a profile of a project.

use crate::args::RecordArguments;
use crate::commands::file_name;
use crate::commands::nodes::nodes;
use crate::message;
use anyhow::anyhow;
use onnxray_analyzer::profiles::{
    ModelFlops, Profile, Project, ProjectError, ProjectModel, RecordingPlace, folder_of,
    other_dimensions,
};
use onnxray_analyzer::{Summary, flops_profile};
use onnxray_format::Run;
use onnxray_format::layout;
use onnxray_recorder::{LaunchSpec, sha256};
use onnxray_text::{printable, shown};
use std::fs;
use std::path::{Path, PathBuf};

/// Refuses a profile that cannot be added, before anything is recorded for it.
pub(super) fn check(folder: &Path, arguments: &RecordArguments) -> anyhow::Result<()> {
    let model = arguments.model.model.as_path();
    let name = file_name(model);
    let project = Project::open_or_new(folder)?;
    project.check_whole()?;
    // A file that cannot be read is refused with a better message where it is loaded.
    let hash = sha256(model).ok();
    Ok(project.check_new(&arguments.name, &name, hash.as_deref(), arguments.force.force)?)
}

/// Adds the profile of a recording.
pub(super) fn add(
    folder: &Path,
    arguments: &RecordArguments,
    summary: &Summary,
    files: &[PathBuf],
) -> anyhow::Result<()> {
    let name = &arguments.name;
    let time = files.first().and_then(|file| layout::time_of(file));
    let time = time.ok_or_else(|| anyhow!("the recording has no name"))?;
    let place = RecordingPlace { folder: folder_of(name).into(), time };
    // The recording is whole all the same: this is not an error.
    let Some(profile) = Profile::of(name, summary, place) else {
        message::note(format_args!("{} is not a profile: no latency is known", printable(name)));
        return Ok(());
    };
    let replaces = arguments.force.force;
    Project::change(folder, |project| project.add(profile, ProjectModel::of(summary), replaces))?;
    message::line(format_args!("profile {} is in {}", printable(name), shown(folder)));
    Ok(())
}

/// Adds the FLOPS profile of a model that could not be run, if its cost can be known; else
/// there is nothing to add.
pub(super) fn add_unmeasured(folder: &Path, spec: &LaunchSpec) {
    // Why the recording failed is told elsewhere: this would add nothing.
    let Ok(model) = unmeasured(spec) else { return };
    let name = printable(&model.name);
    let added = fs::create_dir_all(folder)
        .map_err(|source| ProjectError::Io { path: folder.to_path_buf(), source });
    let added = added.and_then(|()| {
        Project::change(folder, |project| {
            project.add_model(model);
            Ok(())
        })
    });
    match added {
        Ok(()) => message::note(format_args!(
            "{name} is in {} with its FLOPS profile alone",
            shown(folder)
        )),
        Err(error) => message::warning(error),
    }
}

fn unmeasured(spec: &LaunchSpec) -> anyhow::Result<ProjectModel> {
    let nodes = nodes(Path::new(&spec.model), &spec.dimensions)?;
    Ok(ProjectModel {
        unknown: Default::default(),
        name: nodes.file_name,
        sha256: nodes.sha256,
        parameters: nodes.parameters,
        flops: ModelFlops {
            batch_size: nodes.batch_size,
            dimensions: other_dimensions(&nodes.dimensions, nodes.batch_size),
            operations: flops_profile(nodes.model.nodes, Run::default()).model.flops,
        },
    })
}
