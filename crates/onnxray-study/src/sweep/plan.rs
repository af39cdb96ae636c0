//! Which configurations a sweep measures, and which do not fit the machine.

use crate::host::Teller;
use crate::schedule::{is_asked_for, schedule};
use anyhow::{anyhow, bail};
use onnxray_analyzer::profiles::folder_of;
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::study::{PlannedPoint, SkippedPoint, SweepPlan};
use onnxray_recorder::{
    GivenDimensions, LaunchOptions, LaunchSpec, Pin, PinError, Trial, check_memory_of_instances,
    sha256,
};
use onnxray_text::{did_you_mean, printable, shown};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// The values of each axis, none of them twice.
#[derive(Clone, Debug)]
pub struct Axes {
    /// Sizes of the batch dimension; `None` for the model's own, or 1.
    pub batch_sizes: Vec<Option<u64>>,
    /// Sizes of free dimensions.
    pub dimensions: Vec<Vec<(String, u64)>>,
    /// Intra-op threads.
    pub threads: Vec<u32>,
    /// Processes at once.
    pub instances: Vec<u32>,
    /// Engines with their options.
    pub engines: Vec<EngineSpec>,
}

/// Models and axes of a sweep, with hashes of the models as they are now.
pub struct Request {
    /// By which another sweep is the same.
    pub text: String,
    models: Vec<SweptModel>,
    axes: Axes,
    seed: u64,
    /// Of each launch.
    iterations: Option<u32>,
}

/// A model of a sweep.
pub struct SweptModel {
    /// Absolute path.
    path: PathBuf,
    /// Name of its file.
    pub name: String,
    /// Hash of its bytes.
    pub sha256: String,
}

impl Request {
    /// Of these models, with a seed of the inputs, and iterations of each launch.
    ///
    /// # Errors
    ///
    /// If a model cannot be read, or if two have one name.
    pub fn new(
        paths: &[PathBuf],
        axes: Axes,
        seed: u64,
        iterations: Option<u32>,
    ) -> anyhow::Result<Request> {
        let mut models: Vec<SweptModel> = Vec::new();
        for path in paths {
            let sha256 = sha256(path).map_err(|error| anyhow!("{}: {error}", shown(path)))?;
            let name = file_name(path);
            if models.iter().any(|other| other.name == name) {
                bail!("two models are called {}: profiles need different names", printable(&name));
            }
            // Kept as it is if the working directory is gone: loading then says what is wrong.
            let path = std::path::absolute(path).unwrap_or(path.clone());
            models.push(SweptModel { path, name, sha256 });
        }
        let Axes { batch_sizes, dimensions, threads, instances, engines } = &axes;
        let named: Vec<_> = models.iter().map(|model| (&model.name, &model.sha256)).collect();
        let own = (seed, iterations);
        // Models count by name and hash: where they are does not change what is measured.
        let text = serde_json::to_string(&(
            named,
            batch_sizes,
            dimensions,
            threads,
            instances,
            engines,
            own,
        ))?;
        Ok(Request { text, models, axes, seed, iterations })
    }

    /// A launch of every configuration of one instance, and its name without that.
    fn specs(&self) -> Vec<(String, LaunchSpec)> {
        let (models, axes) = (&self.models, &self.axes);
        let mut specs = Vec::new();
        for model in models {
            for engine in &axes.engines {
                for sizes in &axes.dimensions {
                    for &batch_size in &axes.batch_sizes {
                        for &threads in &axes.threads {
                            let mut parts = vec![model.short_name(models).to_string()];
                            parts.extend(
                                (axes.engines.len() > 1).then(|| engine.name().to_string()),
                            );
                            // Only what distinguishes points is in the name: a single engine goes
                            // without saying.
                            parts.extend(sizes.iter().map(|(name, size)| format!("{name}={size}")));
                            parts.extend(batch_size.map(|size| format!("b{size}")));
                            parts.push(format!("t{threads}"));
                            let spec = LaunchSpec {
                                engine: engine.clone(),
                                model: model.path.clone().into(),
                                dimensions: GivenDimensions {
                                    batch_size,
                                    sizes: sizes.iter().cloned().collect(),
                                    for_several: models.len() > 1,
                                    shapes: Default::default(),
                                },
                                inputs: Default::default(),
                                seed: self.seed,
                                generation: None,
                                options: LaunchOptions {
                                    threads,
                                    launches: None,
                                    ..LaunchOptions::default()
                                },
                            };
                            specs.push((parts.join("-"), spec));
                        }
                    }
                }
            }
        }
        specs
    }

    /// The model of a launch.
    pub fn model_of(&self, spec: &LaunchSpec) -> Option<&SweptModel> {
        let name = file_name(Path::new(&spec.model));
        self.models.iter().find(|model| model.name == name)
    }
}

impl SweptModel {
    /// Prefix of its profiles' names: its file name, without the extension if that is unambiguous.
    fn short_name(&self, all: &[SweptModel]) -> &str {
        // Dots inside a name stay: only what follows the last one is an extension.
        let stem = |name: &str| name.rsplit_once('.').map_or(name.len(), |(stem, _)| stem.len());
        let own = &self.name[..stem(&self.name)];
        let namesakes = all.iter().filter(|other| other.name[..stem(&other.name)] == *own);
        if namesakes.count() > 1 || own.is_empty() { &self.name } else { own }
    }
}

/// Tries every configuration out, and plans those that fit the machine; `None` if `try_out` was
/// interrupted.
///
/// # Errors
///
/// If none of them can be measured, or if no model has a dimension that is asked for.
pub fn plan(
    request: &Request,
    try_out: &dyn Fn(&LaunchSpec) -> anyhow::Result<Option<Trial>>,
    teller: &dyn Teller,
) -> anyhow::Result<Option<SweepPlan>> {
    let axes = &request.axes;
    let mut plan = SweepPlan {
        request: request.text.clone(),
        seed: request.seed,
        points: Vec::new(),
        skipped: Vec::new(),
    };
    // `None` as long as no model could be loaded: then no name can be called wrong.
    let mut known: Option<HashSet<String>> = None;
    // What to do about the first configuration that cannot be loaded.
    let mut step: Option<String> = None;
    for (name, spec) in request.specs() {
        teller.working(format!("checking {}", printable(&name)));
        let Some(tried) = try_out(&spec).transpose() else {
            teller.clear();
            return Ok(None);
        };
        // Of all models together: a dimension that one lacks may be of another.
        if let Ok(trial) = &tried {
            known.get_or_insert_default().extend(trial.dimensions.iter().cloned());
        }
        for &instances in &axes.instances {
            let (name, mut spec) = of_instances(&name, &spec, instances);
            // Chosen here, as later points have to avoid it.
            spec.options.folder = free_folder(&plan, &name).into();
            let fits = match &tried {
                Ok(trial) => fitting(&spec, trial),
                Err(error) => {
                    let text = error.to_string();
                    step.get_or_insert(
                        text.lines().skip(1).map(|line| format!("\n{line}")).collect(),
                    );
                    Err(first_line(&text))
                }
            };
            match fits.map(|cores| (cores, tried.as_ref())) {
                Ok((cores, Ok(trial))) => plan.points.push(PlannedPoint {
                    name,
                    spec,
                    schedule: schedule(trial.latency, request.iterations),
                    cores,
                    time: String::new(),
                }),
                Err(reason) => plan.skipped.push(SkippedPoint { spec, reason }),
                // Cannot be: `fitting` is asked only about what could be tried out.
                Ok((_, Err(_))) => {}
            }
        }
    }
    teller.clear();
    let mut asked = axes.dimensions.iter().flatten().map(|(name, _)| name);
    if let Some(known) = known
        && let Some(name) = asked.find(|name| !known.contains(*name))
    {
        let mut names: Vec<String> = known.into_iter().collect();
        // A set has no order, and a hint should not change from run to run.
        names.sort_unstable();
        let hint = did_you_mean(name, "free dimensions", &names);
        bail!("no model has a free dimension `{}`\nhint: {hint}", printable(name));
    }
    match (plan.points.is_empty(), plan.skipped.first()) {
        (true, Some(SkippedPoint { spec, reason })) => {
            bail!(
                "no configuration can be measured; {}: {reason}{}",
                printable(&spec.options.profile),
                step.unwrap_or_default()
            )
        }
        _ => Ok(Some(plan)),
    }
}

/// The plan of a sweep that goes on. A journal says what was measured, and not what is to be run:
/// of what it knows, names, order, cores and times count, and launches are those that the
/// arguments ask for.
///
/// # Errors
///
/// What the arguments do not ask for, in words.
pub fn again(known: &SweepPlan, request: &Request) -> Result<SweepPlan, String> {
    let mut asked: HashMap<String, LaunchSpec> = HashMap::new();
    for (name, spec) in request.specs() {
        for &instances in &request.axes.instances {
            // By name, as the journal has them: points may be in another order there.
            asked.extend([of_instances(&name, &spec, instances)]);
        }
    }
    let mut plan = SweepPlan { seed: request.seed, ..known.clone() };
    for point in &mut plan.points {
        let unasked = |what| {
            let name = printable(&point.name);
            format!(
                "its journal has {what} of `{name}` that was not requested; --restart starts over"
            )
        };
        let Some(mut spec) = asked.remove(&point.name) else { return Err(unasked("launches")) };
        let is_possible =
            // Empty where the system binds nothing; otherwise one core per thread, as `fitting`
            // plans.
            |cores: &Vec<u32>| cores.is_empty() || cores.len() == spec.options.threads as usize;
        if !point.cores.iter().all(is_possible) {
            return Err(unasked("cores"));
        }
        if !is_asked_for(&point.schedule, request.iterations) {
            return Err(unasked("iterations"));
        }
        // The folder holds what was measured before: it stays, whatever the name gives today.
        spec.options.folder.clone_from(&point.spec.options.folder);
        point.spec = spec;
    }
    Ok(plan)
}

/// The launch with this many instances, and the name of its point.
fn of_instances(name: &str, spec: &LaunchSpec, instances: u32) -> (String, LaunchSpec) {
    let name = format!("{name}-i{instances}");
    let profile = name.clone();
    let options = LaunchOptions { instances, profile, ..spec.options.clone() };
    (name, LaunchSpec { options, ..spec.clone() })
}

/// A folder for a point, which no other one has: names may differ only in what a folder's name
/// leaves out.
fn free_folder(plan: &SweepPlan, name: &str) -> String {
    let folder = folder_of(name);
    let is_free = |folder: &String| {
        let is_other =
            // Some file systems ignore case.
            |point: &PlannedPoint| !point.spec.options.folder.eq_ignore_ascii_case(folder.as_str());
        plan.points.iter().all(is_other)
    };
    let numbered = (2..).map(|number| format!("{folder}_{number}"));
    // One is always found: there is no last number.
    std::iter::once(folder.clone()).chain(numbered).find(is_free).unwrap_or(folder)
}

/// The cores of each instance, or why they do not fit the machine.
fn fitting(spec: &LaunchSpec, trial: &Trial) -> Result<Vec<Vec<u32>>, String> {
    let LaunchOptions { instances, threads, .. } = spec.options;
    check_memory_of_instances(trial, instances).map_err(|error| first_line(&error.to_string()))?;
    match Pin::Any.of_instances(instances, threads) {
        Ok(cores) => Ok(cores),
        // Instances that cannot be bound still run side by side.
        Err(PinError::Unsupported) => Ok(vec![Vec::new(); instances as usize]),
        Err(error) => Err(first_line(&error.to_string())),
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_string()
}

/// Name of a file without its folder.
fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
