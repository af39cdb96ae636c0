//! From profiles to what can be said of them.

use super::candidates::Candidates;
use super::percentile::Percentile;
use super::point::{Counted, Point, Skipped};
use crate::profiles::Profile;
use crate::statistics::Measured;
use crate::units::Milliseconds;
use onnxray_format::Dimension;
use std::path::PathBuf;

/// Criteria of a sweep.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SweepOptions {
    /// Percentile that latencies are at.
    pub percentile: Percentile,
    /// Largest acceptable latency.
    pub latency_threshold: Option<Milliseconds>,
    /// Folder of the project that has the profiles; `None` if they are in none.
    pub project: Option<PathBuf>,
}

/// Configurations compared: points, fronts and best ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// Criteria.
    pub options: SweepOptions,
    /// By model, in the order in which they were given; models that count items come first.
    pub points: Vec<Point>,
    /// Candidates of each model.
    pub models: Vec<Candidates>,
    /// Candidates of all models; `None` with fewer than two, or if these do not count the same
    /// items.
    pub overall: Option<Candidates>,
    /// Configurations that were not measured, or have no figures.
    pub skipped: Vec<Skipped>,
}

impl Sweep {
    /// All candidates that are compared: of all models, if they are, then of each.
    pub fn all_candidates(&self) -> impl Iterator<Item = &Candidates> {
        self.overall.iter().chain(&self.models)
    }
}

/// Finds fronts, best points and sweet spots.
pub fn analyze(profiles: &[Profile], skipped: &[Skipped], options: &SweepOptions) -> Sweep {
    let (usable, others): (Vec<&Profile>, Vec<&Profile>) =
        profiles.iter().partition(|profile| has_figures(profile));
    let mut models = models(&usable);
    // Stable: models that count alike stay in the order of their first profiles.
    models.sort_by_key(|model| model.counted);
    let of_model = |(number, model): (usize, &Model)| {
        let point = |profile: &&Profile| {
            Some(Point {
                model: number,
                latency: options.percentile.of(&profile.latency_ms),
                throughput: model.counted.throughput(profile)?,
                cpu_time: model.counted.cpu_time(profile),
                profile: (*profile).clone(),
            })
        };
        model.profiles.iter().filter_map(point).collect::<Vec<_>>()
    };
    let points: Vec<Point> = models.iter().enumerate().flat_map(of_model).collect();
    let candidates = |model, counted, numbers| {
        Candidates::of(model, counted, numbers, &points, options.latency_threshold)
    };
    let labels = labels(&models);
    let each = models.iter().zip(labels).enumerate().filter_map(|(number, (model, label))| {
        let is_of = |(_, point): &(usize, &Point)| point.model == number;
        let numbers = points.iter().enumerate().filter(is_of).map(|(number, _)| number);
        candidates(Some(label), model.counted, numbers.collect())
    });
    let counted = match &models[..] {
        [first, others @ ..] if !others.is_empty() => {
            // Items of other sizes are other work.
            let is_like = |other: &Model| {
                other.counted == first.counted && other.dimensions == first.dimensions
            };
            others.iter().all(is_like).then_some(first.counted)
        }
        _ => None,
    };
    let no_figures = |profile: &&Profile| Skipped {
        model: profile.model.clone(),
        configuration: profile.configuration.clone(),
        reason: "its latency, throughput or CPU time is not a number".to_string(),
    };
    Sweep {
        options: options.clone(),
        models: each.collect(),
        overall: counted.and_then(|counted| candidates(None, counted, (0..points.len()).collect())),
        skipped: skipped.iter().cloned().chain(others.iter().map(no_figures)).collect(),
        points,
    }
}

/// True if all figures can be compared; the file may have been edited.
fn has_figures(profile: &Profile) -> bool {
    let latencies = Percentile::ALL.map(|percentile| percentile.of(&profile.latency_ms));
    let throughputs = [Some(profile.iterations_per_second), profile.items_per_second];
    let is_figure = |measured: &Measured| measured.value.is_finite() && measured.value >= 0.0;
    let cpu_time = profile.costs.as_ref().and_then(|costs| costs.cpu_time_ms);
    latencies.iter().chain(throughputs.iter().flatten()).chain(&cpu_time).all(is_figure)
}

/// The profiles of a model at the same sizes, at least one.
struct Model<'a> {
    name: &'a str,
    hash: Option<&'a str>,
    /// Without the batch: items of other sizes are other work.
    dimensions: &'a [Dimension],
    counted: Counted,
    profiles: Vec<&'a Profile>,
}

/// Models in the order of their first profiles. Files of the same name and other contents
/// are other models, and so is a model at other sizes.
fn models<'a>(profiles: &[&'a Profile]) -> Vec<Model<'a>> {
    let mut models: Vec<Model> = Vec::new();
    for profile in profiles {
        let (name, hash) = (profile.model.as_str(), profile.model_sha256.as_deref());
        let counted = match profile.items_per_second {
            Some(_) => Counted::Items,
            None => Counted::Iterations,
        };
        let dimensions = profile.configuration.dimensions.as_slice();
        let is_same = |model: &&mut Model| {
            model.name == name && model.hash == hash && model.dimensions == dimensions
        };
        match models.iter_mut().find(is_same) {
            Some(model) => {
                // One unknown batch size, and the model counts iterations: its points have to
                // compare.
                model.counted = model.counted.max(counted);
                model.profiles.push(profile);
            }
            None => {
                models.push(Model { name, hash, dimensions, counted, profiles: vec![profile] });
            }
        }
    }
    models
}

/// Display names, with a hash or sizes where file names repeat.
fn labels(models: &[Model]) -> Vec<String> {
    /// Hexadecimal digits shown of a hash.
    const DIGITS: usize = 8;
    let label = |model: &Model| {
        let namesakes = models.iter().filter(|other| other.name == model.name);
        let is_one = namesakes.clone().all(|other| other.hash == model.hash);
        let has_sizes = namesakes.clone().any(|other| other.dimensions != model.dimensions);
        let name = match (is_one, model.hash) {
            (true, _) => model.name.to_string(),
            (false, None) => format!("{} (of unknown contents)", model.name),
            (false, Some(hash)) => {
                let start: String = hash.chars().take(DIGITS).collect();
                format!("{} ({start})", model.name)
            }
        };
        let sizes = model.dimensions.iter().filter(|_| has_sizes);
        let sizes = sizes.map(|size| format!(" {}={}", size.name, size.size));
        std::iter::once(name).chain(sizes).collect()
    };
    models.iter().map(label).collect()
}
