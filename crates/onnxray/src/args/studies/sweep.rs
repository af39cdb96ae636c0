//! The arguments of `onnxray sweep`.

use crate::args::choice::choice;
use crate::args::costs::CostArguments;
use crate::args::engine::{EngineArguments, EngineOptions, engine};
use crate::args::files::OutputArguments;
use crate::args::heading;
use crate::args::input::dimension;
use crate::args::numbers::{milliseconds, one_of_list, precision, whole};
use crate::args::studies::RunArguments;
use crate::args::view::FormatArguments;
use clap::Args;
use onnxray_analyzer::Milliseconds;
use onnxray_analyzer::sweep::{Percentile, SweepOptions};
use onnxray_recorder::engine::EngineSpec;
use onnxray_study::sweep::Axes;
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    onnxray sweep model.onnx --batch-sizes 1,4,16 --threads 1,2 --instances 1,2\n  \
    onnxray sweep encoder.onnx --dim sequence=32,128 --engine tract,onnxruntime -o sweep.xlsx\n  \
    onnxray sweep fp32.onnx int8.onnx --batch-sizes 1,8 --profiles models --time-limit 30m\n  \
    onnxray sweep model.onnx --engine onnxruntime --threads 1,2,4 --rate 20\n  \
    onnxray sweep --profiles models --latency-threshold 20ms --percentile p90\n\n\
    Every combination becomes a profile. They are measured in rounds, a launch of each,\n\
    until each is known precisely enough or time is up. The same command resumes an\n\
    interrupted sweep; --profiles alone shows the last one again.",
    mut_arg("time_limit", |argument| argument.default_value("2m").requires("models")),
    mut_arg("restart", |argument| {
        argument.help("Replace the sweep in the profiles folder").requires("models")
    }),
    mut_arg("starts", |argument| {
        argument.help_heading(heading::MEASURING).requires("models").help(
            "Measure CPU time, memory and start of each configuration in this many fresh processes, \
             from its second round on; 0 for none",
        )
    }),
    mut_arg("rate", |argument| argument.help_heading(heading::MEASURING).requires("models")),
    mut_arg("poisson", |argument| argument.help_heading(heading::MEASURING)),
    mut_arg("rate_duration", |argument| argument.help_heading(heading::MEASURING)),
    mut_arg("output", |argument| argument.help_heading(heading::RESULT)))]
pub(crate) struct SweepArguments {
    /// ONNX files
    #[arg(value_name = "MODEL.onnx", required_unless_present = "profiles")]
    pub models: Vec<PathBuf>,

    #[command(flatten)]
    pub axes: AxisArguments,

    /// Profiles folder [default: sweep]
    #[arg(long, value_name = "DIR", help_heading = heading::OUTPUT)]
    profiles: Option<PathBuf>,

    /// Seed of the random inputs and of the order of configurations
    #[arg(long, help_heading = heading::MEASURING, requires = "models", default_value_t = 1,
          value_parser = whole::<u64>(0..=u64::MAX), hide_short_help = true)]
    pub seed: u64,

    /// Profiled iterations per launch, and as many without the profiler [default: half a second's
    /// worth, 5 to 1000]
    #[arg(long, help_heading = heading::MEASURING, requires = "models", value_name = "N",
          value_parser = whole::<u32>(1..=1_000_000))]
    pub iterations: Option<u32>,

    /// Measure until the median latency and throughput of each configuration are known to ±SHARE
    #[arg(long, help_heading = heading::MEASURING, requires = "models", value_name = "SHARE",
          default_value = "2%", value_parser = precision)]
    pub precision: f64,

    #[command(flatten)]
    pub costs: CostArguments,

    #[command(flatten)]
    pub run: RunArguments,

    /// Most rounds: launches of each configuration
    #[arg(long, help_heading = heading::MEASURING, requires = "models", value_name = "N",
          value_parser = whole::<u32>(1..=u32::MAX.into()))]
    pub rounds: Option<u32>,

    /// Latency threshold of the sweet spot, the best throughput within it, such as 30ms; a bare
    /// number is in milliseconds
    #[arg(long, help_heading = heading::RESULT, value_name = "TIME", value_parser = milliseconds)]
    pub latency_threshold: Option<Milliseconds>,

    /// Percentile of the latency for the threshold, the front and the best points
    #[arg(long, help_heading = heading::RESULT, default_value = "p50", value_parser = choice(
        Percentile::ALL.map(|percentile| (percentile.name().into(), percentile))
    ), hide_short_help = true)]
    pub percentile: Percentile,

    #[command(flatten)]
    pub report: OutputArguments,

    #[command(flatten)]
    pub shown: FormatArguments,
}

/// What configurations are combined of.
#[derive(Args)]
pub(crate) struct AxisArguments {
    /// Sizes of the batch dimension [default: 1]
    #[arg(long, alias = "batch-size", help_heading = heading::CONFIGURATIONS, requires = "models",
          value_name = "N,…", value_delimiter = ',', value_parser = one_of_list::<u64>(1..=u64::MAX))]
    batch_sizes: Vec<u64>,

    /// Sizes of a free dimension
    #[arg(long = "dim", help_heading = heading::CONFIGURATIONS, requires = "models",
          value_name = "NAME=SIZE,…", value_parser = dimensions)]
    dimensions: Vec<(String, Vec<u64>)>,

    /// Intra-op threads
    #[arg(long, help_heading = heading::CONFIGURATIONS, requires = "models", value_name = "N,…",
          value_delimiter = ',', default_value = "1",
          value_parser = one_of_list::<u32>(1..=1024))]
    threads: Vec<u32>,

    /// Processes at once, each pinned to cores of its own
    #[arg(long, help_heading = heading::CONFIGURATIONS, requires = "models", value_name = "N,…",
          value_delimiter = ',', default_value = "1",
          value_parser = one_of_list::<u32>(1..=1024))]
    instances: Vec<u32>,

    /// Engines that run the models [default: tract]
    #[arg(long = "engine", help_heading = heading::CONFIGURATIONS, requires = "models",
          value_name = "ENGINE,…", value_delimiter = ',', value_parser = engine(), ignore_case = true)]
    engines: Vec<EngineSpec>,

    #[command(flatten)]
    options: EngineOptions,
}

impl SweepArguments {
    /// The profiles folder.
    pub(crate) fn profiles(&self) -> PathBuf {
        self.profiles.clone().unwrap_or_else(|| "sweep".into())
    }

    pub(crate) fn options(&self, profiles: &Path) -> SweepOptions {
        let SweepArguments { percentile, latency_threshold, .. } = *self;
        SweepOptions { percentile, latency_threshold, project: Some(profiles.to_path_buf()) }
    }
}

impl AxisArguments {
    /// The values to combine.
    ///
    /// # Errors
    ///
    /// If options are for another engine than those named, or if a dimension is named twice.
    pub(crate) fn axes(&self) -> Result<Axes, String> {
        let engines = match self.engines.is_empty() {
            true => vec![EngineSpec::default()],
            false => distinct(&self.engines),
        };
        let are_used = engines.iter().any(|engine| self.options.are_of(engine));
        let spec = |engine: EngineSpec| {
            // What one of them has, others may lack.
            let options = match are_used {
                true => self.options.only_of(&engine),
                false => self.options.clone(),
            };
            EngineArguments { engine: Some(engine), options }.spec(false)
        };
        let engines = engines.into_iter().map(spec).collect::<Result<_, String>>()?;
        // One empty combination: without --dim there is one configuration, not none.
        let mut sets: Vec<Vec<(String, u64)>> = vec![Vec::new()];
        for (position, (name, sizes)) in self.dimensions.iter().enumerate() {
            if self.dimensions[..position].iter().any(|(other, _)| other == name) {
                return Err(format!(
                    "--dim {name} is given twice; name all sizes at once: {name}=32,128"
                ));
            }
            let with = |set: Vec<(String, u64)>| {
                sizes.iter().map(move |size| [&set[..], &[(name.clone(), *size)]].concat())
            };
            sets = sets.into_iter().flat_map(with).collect();
        }
        Ok(Axes {
            batch_sizes: match self.batch_sizes.is_empty() {
                true => vec![None],
                false => distinct(&self.batch_sizes).into_iter().map(Some).collect(),
            },
            dimensions: sets,
            threads: distinct(&self.threads),
            instances: distinct(&self.instances),
            engines,
        })
    }
}

fn distinct<T: Clone + PartialEq>(values: &[T]) -> Vec<T> {
    let mut kept: Vec<T> = Vec::new();
    for value in values {
        if !kept.contains(value) {
            kept.push(value.clone());
        }
    }
    kept
}

fn dimensions(text: &str) -> Result<(String, Vec<u64>), String> {
    let (name, sizes) =
        // A dimension's name may hold an `=`; a list of sizes cannot.
        text.rsplit_once('=').ok_or("expected NAME=SIZE,…, such as sequence=32,128")?;
    let size = |size: &str| dimension(&format!("{name}={size}")).map(|(_, size)| size);
    let sizes = sizes.split(',').map(size).collect::<Result<Vec<u64>, String>>()?;
    Ok((name.to_string(), distinct(&sizes)))
}
