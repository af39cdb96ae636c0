//! What a sweep found, kept in the project and shown.

use crate::args::SweepArguments;
use crate::commands::sources::input::examined;
use crate::commands::sources::sides::{self, Side};
use crate::commands::studies::own_report::note;
use crate::commands::{file_name, has_losses};
use crate::destination::Destination;
use crate::message;
use anyhow::anyhow;
use onnxray_analyzer::Needs;
use onnxray_analyzer::comparison::Recording;
use onnxray_analyzer::profiles::{Configuration, Profile, Project, ProjectModel, RecordingPlace};
use onnxray_analyzer::sweep::{
    ComparedPoints, Skipped, Sweep as Analyzed, analyze, compare_points, front_pairs,
};
use onnxray_format::{Dimension, ONNX_RUNTIME};
use onnxray_import::{Reading, Sources};
use onnxray_recorder::LaunchSpec;
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::study::Sweep;
use onnxray_report::SweepReport;
use onnxray_study::sweep::no_performance;
use onnxray_text::printable;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The profiles of a sweep, and what was not measured.
pub(super) struct Results {
    profiles: Vec<(Profile, ProjectModel)>,
    skipped: Vec<Skipped>,
    /// Traces of each profile.
    traces: HashMap<String, Vec<PathBuf>>,
    /// True if something of a recording is lost.
    pub(super) lost: bool,
}

impl Results {
    /// Reads the recordings of a sweep in `folder`.
    pub(super) fn read(folder: &Path, sweep: &Sweep) -> anyhow::Result<Results> {
        let plan = sweep.plan();
        let not_measured = |spec: &LaunchSpec, reason: &str| Skipped {
            model: file_name(Path::new(&spec.model)),
            configuration: configuration(spec),
            reason: reason.to_string(),
        };
        let skipped =
            plan.skipped.iter().map(|skipped| not_measured(&skipped.spec, &skipped.reason));
        let mut results = Results {
            profiles: Vec::new(),
            skipped: skipped.collect(),
            traces: HashMap::new(),
            lost: false,
        };
        for (number, point) in plan.points.iter().enumerate() {
            let traces = sweep.traces(number).concat();
            // Whatever rounds a failed point left, it has no figures.
            if let Some(reason) = sweep.failure(number) {
                results.skipped.push(not_measured(&point.spec, reason));
                continue;
            }
            // Not a failure: the time limit may have ended the sweep before its first round.
            if traces.is_empty() {
                results.skipped.push(not_measured(&point.spec, "it had no turn yet"));
                continue;
            }
            let folder = PathBuf::from(&point.spec.options.folder);
            let place = RecordingPlace { folder, time: point.time.clone() };
            match profile(&point.name, &traces, place) {
                Ok((profile, lost)) => {
                    results.profiles.push(profile);
                    results.lost |= lost;
                    results.traces.insert(point.name.clone(), traces);
                }
                Err(error) => {
                    message::warning(&error);
                    results.skipped.push(not_measured(&point.spec, &error.to_string()));
                }
            }
        }
        // What the project says of them, such as plans, is kept.
        if let Ok(project) = Project::open(folder) {
            for (profile, _) in &mut results.profiles {
                if let Ok(known) = project.profile(&profile.name) {
                    profile.plan.clone_from(&known.plan);
                }
            }
        }
        Ok(results)
    }

    /// Adds the profiles to the project. A name that belongs to another recording by now is kept,
    /// unless `anew`.
    pub(super) fn keep(&self, folder: &Path, anew: bool) -> anyhow::Result<()> {
        let others = Project::change(folder, |project| {
            let mut others = Vec::new();
            for (profile, model) in &self.profiles {
                let known = project.profiles.iter().find(|known| known.name == profile.name);
                // A name that now belongs to another recording is the user's: only --restart takes
                // it.
                match known.is_some_and(|known| known.recording != profile.recording) {
                    true if !anew => others.push(profile.name.clone()),
                    // Replaces what an earlier run of this sweep added.
                    _ => project.add(profile.clone(), model.clone(), true)?,
                }
            }
            Ok(others)
        })?;
        for name in others {
            message::warning(format_args!(
                "{} is the profile of another recording by now, and stays that",
                printable(&name)
            ));
        }
        Ok(())
    }

    /// Shows them, and writes the workbook or the page.
    pub(super) fn write(
        &self,
        folder: &Path,
        output: &Destination,
        arguments: &SweepArguments,
    ) -> anyhow::Result<()> {
        let profiles: Vec<Profile> =
            self.profiles.iter().map(|(profile, _)| profile.clone()).collect();
        let sweep = analyze(&profiles, &self.skipped, &arguments.options(folder));
        // Reading all once more takes long, and only a page shows them.
        let (recordings, compared) = match output.is_page() {
            true => self.compared(&sweep),
            false => Default::default(),
        };
        let (recordings, compared) = (&recordings[..], &compared[..]);
        let delivered = output.deliver(&SweepReport { sweep: &sweep, recordings, compared }, &());
        note(folder, &arguments.report.output, &output.files);
        delivered
    }

    /// The points of the fronts, compared. A page without them is still worth having.
    fn compared(&self, sweep: &Analyzed) -> (Vec<(usize, Recording)>, Vec<ComparedPoints>) {
        let pairs = front_pairs(sweep);
        let mut recordings = Vec::new();
        for (number, point) in sweep.points.iter().enumerate() {
            let name = &point.profile.name;
            let traces = self.traces.get(name).filter(|_| pairs.as_flattened().contains(&number));
            let Some(traces) = traces else { continue };
            let read = || {
                let sources = Sources::find(traces)?;
                sides::read(vec![Side { label: name.clone(), sources }], &Reading::default())
            };
            match read() {
                Ok(read) => recordings.extend(read.into_iter().map(|one| (number, one))),
                Err(error) => message::warning(&error),
            }
        }
        let compared = compare_points(&pairs, &recordings).unwrap_or_else(|error| {
            message::warning(format_args!("points are not compared layer by layer: {error}"));
            Vec::new()
        });
        (recordings, compared)
    }
}

/// The profile of a recording, and whether something of that is lost.
fn profile(
    name: &str,
    traces: &[PathBuf],
    place: RecordingPlace,
) -> anyhow::Result<((Profile, ProjectModel), bool)> {
    let launches = Sources::find(traces)?.read(&Reading::default())?;
    let summary = examined(launches, Needs::Measured, |examined| examined.summary)?;
    for warning in &summary.warnings {
        message::warning(format_args!("{}: {warning}", printable(name)));
    }
    let profile = Profile::of(name, &summary, place);
    let profile = profile.ok_or_else(|| anyhow!(no_performance(&summary)))?;
    Ok(((profile, ProjectModel::of(&summary)), has_losses(&summary)))
}

/// Configuration of a point that was not measured.
fn configuration(spec: &LaunchSpec) -> Configuration {
    let sizes = spec.dimensions.sizes.iter();
    Configuration {
        batch_size: spec.dimensions.batch_size,
        dimensions: sizes.map(|(name, &size)| Dimension { name: name.clone(), size }).collect(),
        threads: Some(spec.options.threads),
        instances: spec.options.instances,
        engine: match spec.engine {
            // As recordings name it.
            EngineSpec::OnnxRuntime { .. } => ONNX_RUNTIME.to_string(),
            _ => spec.engine.name().to_string(),
        },
        ..Configuration::default()
    }
}
