//! The list of a project's profiles.

use super::shares::sizes;
use super::study::sensitivity::list;
use crate::document::{Cell, Document, End, Note, Notes, Table, Unit, columns};
use Unit::{Count, Milliseconds as Ms, Number, Quantity, Ratio, Text};
use onnxray_analyzer::profiles::{
    Configuration, FLOPS_PROFILE, Named, PlannedSpeed, Profile, Project, ProjectModel,
};
use onnxray_format::{Dimension, LossProfile};
use onnxray_text::counted;
use onnxray_text::first_of;
use std::path::PathBuf;

/// A profile: a measured one, or what a model costs in theory.
pub(super) enum Row<'a> {
    Measured { profile: &'a Profile, gone: bool },
    Flops(&'a ProjectModel),
}

impl Row<'_> {
    fn profile(&self) -> Option<&Profile> {
        match self {
            Row::Measured { profile, .. } => Some(profile),
            Row::Flops(_) => None,
        }
    }

    fn plan(&self) -> Option<&PlannedSpeed> {
        self.profile()?.plan.as_ref()
    }

    fn configuration(&self) -> Option<&Configuration> {
        self.profile().map(|profile| &profile.configuration)
    }

    /// What is not measured is not there; what was measured and is not known, unknown.
    fn figure(&self, value: impl Fn(&Profile) -> Option<f64>) -> Cell {
        self.profile().map_or(Cell::None, |profile| Cell::number(value(profile)))
    }

    fn text(&self, text: impl Fn(&Configuration) -> Option<String>) -> Cell {
        match self.configuration() {
            None => Cell::None,
            Some(configuration) => text(configuration).map_or(Cell::Unknown, Cell::Text),
        }
    }

    fn batch_size(&self) -> Option<u64> {
        match self {
            Row::Measured { profile, .. } => profile.configuration.batch_size,
            Row::Flops(model) => model.flops.batch_size,
        }
    }

    fn dimensions(&self) -> &[Dimension] {
        match self {
            Row::Measured { profile, .. } => &profile.configuration.dimensions,
            Row::Flops(model) => &model.flops.dimensions,
        }
    }
}

impl<'a> Row<'a> {
    columns! {
        pub(super) fn columns: Row<'a>;

        /// its name in the profiles folder
        "profile" "Profile" Text =
            |row| Cell::text(row.profile().map_or(FLOPS_PROFILE, |profile| &profile.name));
        /// model file
        "model" "Model" Text = |row| {
            Cell::text(match row {
                Row::Measured { profile, .. } => &profile.model,
                Row::Flops(model) => &model.name,
            })
        };
        /// size of the batch dimension
        "batch_size" "Batch" Count = |row| Cell::whole(row.batch_size());
        /// sizes of the other free dimensions
        "dimensions" "Dimensions" Text = |row| Cell::some_text(sizes(row.dimensions()));
        /// threads of all instances
        "cores" "Cores" Count =
            |row| row.configuration().map_or(Cell::None, |own| Cell::whole(own.cores()));
        /// threads per kernel
        "threads" "Threads" Count = |row| {
            row.configuration().map_or(Cell::None, |own| Cell::whole(own.threads.map(u64::from)))
        };
        /// processes side by side
        "instances" "Instances" Count =
            |row| row.configuration().map_or(Cell::None, |own| Cell::Whole(own.instances.into()));
        /// name and version
        "engine" "Engine" Text =
            |row| row.text(|own| Some(format!("{} {}", own.engine, own.engine_version)));
        /// options
        "engine_options" "Options" Text = |row| row.text(|own| Some(own.options_text()));
        /// instruction sets used for kernels
        "isa" "ISA" Text = |row| row.text(|own| own.isa.clone());
        /// median latency of a batch, unprofiled if there are such
        "latency_p50_ms" "Batch ms" Ms =
            |row| row.figure(|profile| Some(profile.latency_ms.p50.value));
        /// its 95 % interval
        ends END: End in ["latency_p50_low_ms" "Low ms", "latency_p50_high_ms" "High ms"] Ms =
            |row| row.figure(|profile| Some(END.of(profile.latency_ms.p50.interval?)));
        /// batch size / median latency; of instances: items of all / wall time
        "items_per_second" "Items/s" Number =
            |row| row.figure(|profile| profile.items_per_second.map(|rate| rate.value));
        /// its interval
        ends END: End in [
            "items_per_second_low" "Items/s, low",
            "items_per_second_high" "Items/s, high",
        ] Number = |row| row.figure(|profile| Some(END.of(profile.items_per_second?.interval?)));
        /// ms per batch after pruning by the kept plan
        "planned_ms" "Estimated ms" Ms =
            |row| match row.profile().and_then(Profile::planned_latency_ms) {
                Some(latency) => Cell::Number(latency),
                None => Cell::None,
            };
        /// estimate: ms per batch before / after that pruning
        "planned_speedup" "Speedup" Ratio = |row| match row.plan() {
            Some(plan) => Cell::Number(plan.speedup),
            None => Cell::None,
        };
        /// source of the layers' losses
        "planned_loss" "Loss by" Text =
            |row| row.plan().map_or(Cell::None, |plan| Cell::text(&plan.loss));
        /// source of the perf ratios
        "planned_ratios" "Perf ratios" Text =
            |row| row.plan().map_or(Cell::None, |plan| Cell::text(&plan.ratios));
        /// operations per iteration, in theory
        "flops" "FLOPs" Quantity = |row| match row {
            Row::Measured { .. } => Cell::None,
            Row::Flops(model) => Cell::number(model.flops.operations.whole()),
        };
        /// elements of the model's parameters
        "parameters" "Parameters" Quantity = |row| match row {
            Row::Measured { .. } => Cell::None,
            Row::Flops(model) => Cell::whole(model.parameters),
        };
        /// launches, or rounds of instances
        "rounds" "Launches" Count =
            |row| row.profile().map_or(Cell::None, |profile| Cell::Whole(profile.rounds));
        /// local time of the first launch
        "recorded_at" "Recorded" Text = |row| {
            row.profile().map_or(Cell::None, |profile| match &profile.recorded_at {
                Some(time) => Cell::text(time),
                None => Cell::Unknown,
            })
        };
        /// place in the profiles folder
        "recording" "Recording" Text = |row| match row {
            Row::Measured { gone: true, .. } => Cell::label("gone", "gone"),
            Row::Measured { profile, .. } => {
                let place = &profile.recording;
                Cell::text(format!("{}/{}", place.folder.display(), place.time))
            }
            Row::Flops(_) => Cell::None,
        };
    }
}

/// The profiles of a project in the order in which they were added, each model's FLOPS profile
/// behind its own, and the loss profiles that lie in its folder.
pub fn profiles_report(project: &Project, losses: &[(PathBuf, LossProfile)]) -> Document {
    let of_profile = |profile| Row::Measured { profile, gone: project.files(profile).is_err() };
    let mut rows: Vec<Row> = Vec::new();
    for model in &project.models {
        let own = project.profiles.iter().filter(|profile| profile.model == model.name);
        rows.extend(own.map(of_profile));
        rows.push(Row::Flops(model));
    }
    // Profiles of models that the project does not list come last.
    let is_known = |profile: &&Profile| project.models.iter().any(|m| m.name == profile.model);
    rows.extend(project.profiles.iter().filter(|profile| !is_known(profile)).map(of_profile));
    let mut notes = Vec::new();
    if !project.unknown_members.is_empty() {
        notes.push(Note::warning(format!(
            "{} of onnxray.project.json, which this version does not know and keeps: {}",
            counted(project.unknown_members.len() as u64, "member", "members"),
            first_of(&project.unknown_members, ", ")
        )));
    }
    for problem in &project.problems {
        notes.push(Note::warning(format!(
            "line {} of onnxray.project.json cannot be read: {}",
            problem.line, problem.reason
        )));
    }
    for row in &rows {
        if let Row::Measured { profile, gone: true } = row {
            notes.push(Note::warning(format!(
                "the recording of {} is gone; its figures are those that were kept",
                profile.name
            )));
        }
    }
    let mut document = Document::of("profiles", table(&rows));
    if !losses.is_empty() {
        document.push(list(losses));
    }
    if !notes.is_empty() {
        document.push(Notes { notes });
    }
    document
}

/// A report of a profile's recording, with the profile in front, and the FLOPS profile of its
/// model beside it.
pub fn with_profile(mut document: Document, Named { project, profile }: &Named) -> Document {
    let model = project.models.iter().find(|model| model.name == profile.model);
    // Its recording was just read.
    let measured = Row::Measured { profile, gone: false };
    let rows: Vec<Row> = [measured].into_iter().chain(model.map(Row::Flops)).collect();
    document.blocks.insert(0, table(&rows).into());
    document
}

fn table<'a>(rows: &[Row<'a>]) -> Table {
    Table::new("profiles", "Profiles", &Row::<'a>::columns(), rows).hiding(&[
        "dimensions",
        "threads",
        "instances",
        "engine_options",
        "latency_p50_low_ms",
        "latency_p50_high_ms",
        "items_per_second_low",
        "items_per_second_high",
        "parameters",
        "rounds",
        "recording",
    ])
}
