//! A profile: figures of one recording of one model in one configuration.

use super::costs::ProfileCosts;
use super::unknown::Unknown;
use crate::statistics::{Latencies, Measured, NoiseSource, Performance, Summary};
use onnxray_failsafe::stays_inside;
use onnxray_format::{Dimension, names_batch, options_text};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// 100 years, in milliseconds.
const LONGEST_MS: f64 = 3.2e12;
const HIGHEST_RATE: f64 = 1e12;
/// Of a dimension; the elements of its tensor are counted as well.
const LARGEST_SIZE: u64 = 1 << 48;

/// A measured profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// Unique in its project.
    pub name: String,
    /// File name of the model.
    pub model: String,
    /// SHA-256 of the model's file, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_sha256: Option<String>,
    /// Sizes, threads, engine and machine.
    pub configuration: Configuration,
    /// Place of the recording.
    pub recording: RecordingPlace,
    /// Local time at which the first launch began, RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded_at: Option<String>,
    /// Launches, or rounds of instances, that it rests on.
    pub rounds: u64,
    /// Iterations that the latencies are of.
    #[serde(default)]
    pub iterations: u64,
    /// Latency of an iteration in milliseconds; that is, of a batch.
    pub latency_ms: Latencies,
    /// Iterations per second, of all instances.
    pub iterations_per_second: Measured,
    /// Batch size times that; `None` if the batch size is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items_per_second: Option<Measured>,
    /// What an iteration costs beside its latency; `None` if it was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costs: Option<ProfileCosts>,
    /// Most cores that other programs used during an iteration; `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_cores: Option<f64>,
    /// Estimate of a plan that was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<PlannedSpeed>,
    /// Further members of its file.
    #[serde(skip)]
    pub unknown: Unknown,
}

/// Configuration of a profile.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Configuration {
    /// Size of the batch dimension.
    pub batch_size: Option<u64>,
    /// Sizes of the other free dimensions.
    pub dimensions: Vec<Dimension>,
    /// Threads that a kernel may use.
    pub threads: Option<u32>,
    /// Processes side by side.
    pub instances: u32,
    /// Engine.
    pub engine: String,
    /// Version of the engine.
    pub engine_version: String,
    /// Options of the engine that affect speed.
    pub engine_options: BTreeMap<String, String>,
    /// Instruction sets that the engine chose its kernels for.
    pub isa: Option<String>,
    /// Name of the processor.
    pub cpu: Option<String>,
    /// Name of the machine.
    pub host: Option<String>,
}

/// Files that the figures of a profile come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordingPlace {
    /// Relative to the project's folder.
    pub folder: PathBuf,
    /// The time in the names of the files.
    pub time: String,
}

/// Estimated speed of a plan that spreads a budget over layers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedSpeed {
    /// Share of the prunable parameters that it prunes.
    pub budget: f64,
    /// Latency before / after.
    pub speedup: f64,
    /// Origins of its perf ratios, in words.
    pub ratios: String,
    /// Basis of its loss, in words.
    pub loss: String,
}

impl Configuration {
    /// Threads of all instances; `None` if unknown.
    pub fn cores(&self) -> Option<u64> {
        Some(u64::from(self.threads?) * u64::from(self.instances))
    }

    /// The engine's options in one line; empty if there are none.
    pub fn options_text(&self) -> String {
        options_text(&self.engine_options)
    }
}

impl Profile {
    /// True if its figures are possible.
    ///
    /// # Errors
    ///
    /// Which is not, in words.
    pub(super) fn check(&self) -> Result<(), String> {
        // The file may come from elsewhere: no path of it leads out of the folder.
        if !stays_inside(&self.recording.folder) {
            return Err("`recording.folder` is not in the profiles folder".to_string());
        }
        let Latencies { p50, p90, p99 } = self.latency_ms;
        let rate = |rate| (rate, HIGHEST_RATE);
        let latency = |latency| (latency, LONGEST_MS);
        let figures = [
            ("latency_ms.p50", Some(latency(p50))),
            ("latency_ms.p90", Some(latency(p90))),
            ("latency_ms.p99", Some(latency(p99))),
            ("iterations_per_second", Some(rate(self.iterations_per_second))),
            ("items_per_second", self.items_per_second.map(rate)),
        ];
        for (name, figure) in figures {
            let Some((Measured { value, interval }, most)) = figure else { continue };
            // NaN is in no range: refused, too.
            let is_possible = |value: f64| (0.0..=most).contains(&value);
            if !is_possible(value) || value == 0.0 {
                return Err(format!("`{name}` is {value}"));
            }
            // Negated, so that an end that is NaN is refused.
            if interval.is_some_and(|ends| !(ends.low <= value && value <= ends.high)) {
                return Err(format!("`{name}` is outside its interval"));
            }
        }
        let costs = self.costs.iter().flat_map(|costs| costs.figures(LONGEST_MS));
        for (name, Measured { value, interval }, most) in costs {
            let is_inside = interval.is_none_or(|ends| ends.low <= value && value <= ends.high);
            if !(0.0..=most).contains(&value) || !is_inside {
                return Err(format!("`{name}` is {value}, or outside its interval"));
            }
        }
        let Configuration { batch_size, dimensions, .. } = &self.configuration;
        let sizes = dimensions.iter().map(|dimension| dimension.size).chain(*batch_size);
        if let Some(size) = sizes.into_iter().find(|size| !(1..=LARGEST_SIZE).contains(size)) {
            return Err(format!("a dimension of the inputs is {size}"));
        }
        if self.plan.as_ref().is_some_and(|plan| !(plan.speedup > 0.0 && plan.speedup < 1e9)) {
            return Err("`plan.speedup` is not a speedup".to_string());
        }
        Ok(())
    }

    /// CPU time of an iteration in milliseconds.
    pub fn cpu_time_ms(&self) -> Option<f64> {
        Some(self.costs.as_ref()?.cpu_time_ms?.value)
    }

    /// Median latency / the speedup of the plan that was kept, in milliseconds.
    pub fn planned_latency_ms(&self) -> Option<f64> {
        let speedup = self.plan.as_ref()?.speedup;
        (speedup > 0.0).then(|| self.latency_ms.p50.value / speedup)
    }

    /// `None` if no iteration of the recording says how fast the model is.
    pub fn of(name: &str, summary: &Summary, recording: RecordingPlace) -> Option<Profile> {
        let performance = Performance::of(summary)?;
        let run = &summary.run;
        let rounds = match &summary.instances {
            Some(together) => together.rounds,
            None => summary.launches.len(),
        };
        Some(Profile {
            name: name.to_string(),
            model: run.model.clone(),
            model_sha256: run.model_sha256.clone(),
            configuration: Configuration {
                batch_size: run.batch_size,
                dimensions: other_dimensions(&run.dimensions, run.batch_size),
                threads: run.threads,
                instances: run.instances.unwrap_or(1),
                engine: run.engine.clone(),
                engine_version: run.engine_version.clone(),
                engine_options: run.engine_options.clone(),
                isa: run.isa.clone(),
                cpu: run.cpu.clone(),
                host: run.host.clone(),
            },
            recording,
            recorded_at: run.started_at.clone(),
            rounds: rounds as u64,
            iterations: performance.iterations,
            latency_ms: performance.latency,
            iterations_per_second: performance.iterations_per_second,
            items_per_second: performance.items_per_second,
            costs: summary.costs.as_ref().map(ProfileCosts::of),
            other_cores: summary
                .interferences
                .iter()
                .find(|found| found.source == NoiseSource::Load)
                .map(|found| found.amount),
            plan: None,
            unknown: Unknown::default(),
        })
    }
}

/// Sizes of free dimensions without those that are the batch: of a dimension without a name,
/// the first axis of an input is.
pub fn other_dimensions(dimensions: &[Dimension], batch_size: Option<u64>) -> Vec<Dimension> {
    let is_batch = |dimension: &&Dimension| {
        Some(dimension.size) == batch_size
            && (names_batch(&dimension.name) || dimension.name.ends_with(".0"))
    };
    dimensions.iter().filter(|dimension| !is_batch(dimension)).cloned().collect()
}
