//! The list of a project's profiles.

use super::loss::list;
use super::shares::sizes;
use crate::document::{Cell, Column, Document, Note, Notes, Table, Unit, column};
use Unit::{Count, Milliseconds as Ms, Number, Quantity, Ratio, Text};
use onnxray_analyzer::profiles::{
    Configuration, FLOPS_PROFILE, Named, PlannedSpeed, Profile, Project, ProjectModel,
};
use onnxray_analyzer::statistics::Measured;
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

fn low(figure: Measured) -> Option<f64> {
    figure.interval.map(|interval| interval.low)
}

fn high(figure: Measured) -> Option<f64> {
    figure.interval.map(|interval| interval.high)
}

impl<'a> Row<'a> {
    pub(super) const COLUMNS: [Column<Row<'a>>; 25] = [
        column("profile", "Profile", Text, "its name in the profiles folder", |row| {
            Cell::text(row.profile().map_or(FLOPS_PROFILE, |profile| &profile.name))
        }),
        column("model", "Model", Text, "file name of the model", |row| {
            Cell::text(match row {
                Row::Measured { profile, .. } => &profile.model,
                Row::Flops(model) => &model.name,
            })
        }),
        column("batch_size", "Batch", Count, "size of the batch dimension", |row| {
            Cell::whole(row.batch_size())
        }),
        column("dimensions", "Dimensions", Text, "sizes of the other free dimensions", |row| {
            Cell::some_text(sizes(row.dimensions()))
        }),
        column("cores", "Cores", Count, "threads of all instances", |row| {
            row.configuration().map_or(Cell::None, |own| Cell::whole(own.cores()))
        }),
        column("threads", "Threads", Count, "threads that a kernel may use", |row| {
            row.configuration().map_or(Cell::None, |own| Cell::whole(own.threads.map(u64::from)))
        }),
        column("instances", "Instances", Count, "processes side by side", |row| {
            row.configuration().map_or(Cell::None, |own| Cell::Whole(own.instances.into()))
        }),
        column("engine", "Engine", Text, "what ran the model, and its version", |row| {
            row.text(|own| Some(format!("{} {}", own.engine, own.engine_version)))
        }),
        column("engine_options", "Options", Text, "the engine's options", |row| {
            row.text(|own| Some(own.options_text()))
        }),
        column("isa", "ISA", Text, "instruction sets that kernels were chosen for", |row| {
            row.text(|own| own.isa.clone())
        }),
        column(
            "latency_p50_ms",
            "Batch ms",
            Ms,
            "median latency of an iteration, unprofiled where there are such",
            |row| row.figure(|profile| Some(profile.latency_ms.p50.value)),
        ),
        column("latency_p50_low_ms", "Low ms", Ms, "low end of its 95 % interval", |row| {
            row.figure(|profile| low(profile.latency_ms.p50))
        }),
        column("latency_p50_high_ms", "High ms", Ms, "high end of its 95 % interval", |row| {
            row.figure(|profile| high(profile.latency_ms.p50))
        }),
        column(
            "items_per_second",
            "Items/s",
            Number,
            "batch size / median latency; of instances side by side what they ran together by \
             their wall time",
            |row| row.figure(|profile| profile.items_per_second.map(|rate| rate.value)),
        ),
        column("items_per_second_low", "Items/s, low", Number, "low end of its interval", |row| {
            row.figure(|profile| profile.items_per_second.and_then(low))
        }),
        column(
            "items_per_second_high",
            "Items/s, high",
            Number,
            "high end of its interval",
            |row| row.figure(|profile| profile.items_per_second.and_then(high)),
        ),
        column(
            "planned_ms",
            "Estimated ms",
            Ms,
            "ms per batch after pruning, by the plan that was kept",
            |row| match row.profile().and_then(Profile::planned_latency_ms) {
                Some(latency) => Cell::Number(latency),
                None => Cell::None,
            },
        ),
        column(
            "planned_speedup",
            "Speedup",
            Ratio,
            "estimated: ms per batch before / after that pruning",
            |row| match row.plan() {
                Some(plan) => Cell::Number(plan.speedup),
                None => Cell::None,
            },
        ),
        column(
            "planned_loss",
            "Loss by",
            Text,
            "what the plan took the loss of layers from",
            |row| row.plan().map_or(Cell::None, |plan| Cell::text(&plan.loss)),
        ),
        column(
            "planned_ratios",
            "Perf ratios",
            Text,
            "where those of the estimate come from",
            |row| row.plan().map_or(Cell::None, |plan| Cell::text(&plan.ratios)),
        ),
        column(
            "flops",
            "FLOPs",
            Quantity,
            "operations of one iteration, in theory",
            |row| match row {
                Row::Measured { .. } => Cell::None,
                Row::Flops(model) => Cell::number(model.flops.operations.whole()),
            },
        ),
        column("parameters", "Parameters", Quantity, "elements of the model's parameters", |row| {
            match row {
                Row::Measured { .. } => Cell::None,
                Row::Flops(model) => Cell::whole(model.parameters),
            }
        }),
        column("rounds", "Launches", Count, "launches, or rounds of instances", |row| {
            row.profile().map_or(Cell::None, |profile| Cell::Whole(profile.rounds))
        }),
        column("recorded_at", "Recorded", Text, "local time of the first launch", |row| {
            row.profile().map_or(Cell::None, |profile| match &profile.recorded_at {
                Some(time) => Cell::text(time),
                None => Cell::Unknown,
            })
        }),
        column("recording", "Recording", Text, "where it is, in the profiles folder", |row| {
            match row {
                Row::Measured { gone: true, .. } => Cell::label("gone", "gone"),
                Row::Measured { profile, .. } => {
                    let place = &profile.recording;
                    Cell::text(format!("{}/{}", place.folder.display(), place.time))
                }
                Row::Flops(_) => Cell::None,
            }
        }),
    ];
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
    let measured = Row::Measured { profile, gone: false };
    let rows: Vec<Row> = [measured].into_iter().chain(model.map(Row::Flops)).collect();
    document.blocks.insert(0, table(&rows).into());
    document
}

fn table<'a>(rows: &[Row<'a>]) -> Table {
    Table::new("profiles", "Profiles", &Row::<'a>::COLUMNS, rows).hiding(&[
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
