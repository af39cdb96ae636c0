//! A sensitivity profile beside a recording, with the same engine and sizes.

use super::messages::word;
use crate::args::{ForceArguments, LEVELS, RecordArguments};
use crate::commands::signals::Stop;
use crate::commands::studies::sensitivity::{complete, ended, save};
use crate::exit::Ended;
use crate::message;
use crate::output_files::OutputFiles;
use crate::study_host::Program;
use anyhow::anyhow;
use onnxray_analyzer::profiles::folder_of;
use onnxray_analyzer::projection::DEFAULT_BLOCK;
use onnxray_format::LossProfile;
use onnxray_format::layout::{self, SENSITIVITY_FOLDER};
use onnxray_recorder::study::sensitivity::{
    Asked, DataFiles, LossRequest, MeasureChoice, SensitivitySpec, data_files,
};
use onnxray_recorder::{Clock, LaunchSpec};
use onnxray_report::MeasuredSensitivity;
use onnxray_study::journal::make_folder;
use onnxray_study::sensitivity::{Measuring, measure};
use onnxray_text::shown;
use std::fs;
use std::path::{Path, PathBuf};

/// A sensitivity profile, its file, and how its measurement ended.
pub(super) struct Measured {
    profile: LossProfile,
    pub(super) file: PathBuf,
    pub(super) ended: Ended,
}

/// The layers to prune, read before anything is recorded; `None` unless asked for.
pub(super) fn request(
    arguments: &RecordArguments,
    spec: &LaunchSpec,
) -> anyhow::Result<Option<LossRequest>> {
    if !arguments.sensitivity {
        return Ok(None);
    }
    let batches = arguments.data.as_deref().map(data_files).transpose()?.unwrap_or_default();
    // Refused now, and not after the recording.
    for file in batches.iter().chain(&arguments.labels) {
        fs::metadata(file).map_err(|error| anyhow!("{}: {error}", shown(file)))?;
    }
    let asked = Asked { losses: true, times: Some(spec.options.threads) };
    let spec = SensitivitySpec {
        engine: spec.engine.clone(),
        model: spec.model.clone(),
        dimensions: spec.dimensions.clone(),
        data: DataFiles {
            batches: batches.into_iter().map(PathBuf::into_os_string).collect(),
            labels: arguments.labels.clone().map(PathBuf::into_os_string),
        },
        seed: arguments.values.seed,
        block: DEFAULT_BLOCK,
        measure: MeasureChoice::Auto,
    };
    Ok(Some(LossRequest::read(spec, asked, LEVELS.to_vec(), &[], None)?))
}

/// Measures and saves the profile of what was recorded into `files`; `None` if it was interrupted.
pub(super) fn run(
    request: &LossRequest,
    arguments: &RecordArguments,
    spec: &LaunchSpec,
    files: &[PathBuf],
    clock: &dyn Clock,
    stop: &Stop,
) -> anyhow::Result<Option<Measured>> {
    let file = place(arguments, spec, files)?;
    let folder = file.parent().unwrap_or(Path::new(""));
    make_folder(folder)?;
    // A profile of the project may be replaced; a recording has a name of its own.
    let force = arguments.force.force;
    let outputs = OutputFiles::new(arguments.files(), ForceArguments { force });
    outputs.check_json(&file)?;
    let again = format!(
        "`onnxray sensitivity {} --threads {} --save {}`, with the same sizes, engine and data,",
        message::quoted(Path::new(&spec.model)),
        spec.options.threads,
        message::quoted(&file)
    );
    let (result, again) = (Some(file.as_path()), again.as_str());
    let measuring = Measuring { result, force, jobs: None, time_limit: None, again };
    let program = Program::with(stop.clone())?;
    let measured = measure(request, &measuring, &program.host(clock))?;
    let Some((mut profile, journal)) = measured else {
        return Ok(None);
    };
    complete(&mut profile);
    save(&profile, &file, &outputs)?;
    if let Some(journal) = journal {
        journal.remove();
    }
    let ended = ended(&profile);
    Ok(Some(Measured { profile, file, ended }))
}

/// In the project, where its profiles are listed, or beside the traces.
fn place(
    arguments: &RecordArguments,
    spec: &LaunchSpec,
    files: &[PathBuf],
) -> anyhow::Result<PathBuf> {
    if let Some(project) = &arguments.profiles {
        return Ok(project.join(format!("{}-sensitivity.json", folder_of(&arguments.name))));
    }
    let stamp = files.first().and_then(|file| layout::time_of(file));
    let stamp = stamp.ok_or_else(|| anyhow!("the recording has no name"))?;
    let folder = Path::new(&spec.options.folder).join(SENSITIVITY_FOLDER);
    Ok(folder.join(format!("profiling_{stamp}.json")))
}

impl Measured {
    /// For the recording's report.
    pub(super) fn told(&self, files: &[PathBuf]) -> MeasuredSensitivity<'_> {
        MeasuredSensitivity {
            profile: &self.profile,
            file: self.file.display().to_string(),
            next: self.next(files),
        }
    }

    /// The command that plans with both.
    pub(super) fn next(&self, files: &[PathBuf]) -> String {
        format!(
            "onnxray project {} --budget --sensitivity {}",
            word(files),
            message::quoted(&self.file)
        )
    }
}
