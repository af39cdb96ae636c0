//! The arguments of `onnxray record`.

use super::against::{AgainstArguments, SecondArguments};
use super::blocks::Xray;
use super::costs::CostArguments;
use super::engine::{EngineArguments, EngineOptions};
use super::files::ForceArguments;
use super::generate::GenerateArguments;
use super::heading;
use super::input::{ModelArguments, ValueArguments};
use super::numbers::{duration, whole};
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use onnxray_analyzer::comparison::{ENOUGH_LAUNCHES, Field};
use onnxray_analyzer::profiles::folder_of;
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::engine::onnxruntime::Optimization;
use onnxray_recorder::study::costs::{CAN_DROP, CostPlan};
use onnxray_recorder::{
    AS_MEASURED, GivenDimensions, LaunchOptions, LaunchSpec, Length, Pin, Schedule, Turns,
};
use onnxray_study::until::Goal;
use std::ffi::OsStr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    onnxray record model.onnx\n  \
    onnxray record encoder.onnx --batch-size 8 --dim sequence=128 --launches 5\n  \
    onnxray record model.onnx --input image=cat.npy --duration 10s -o report.xlsx\n  \
    onnxray record dense.onnx --against sparse.onnx -o comparison.html\n  \
    onnxray record model.onnx --against-options '--threads 2' --until 1%\n  \
    onnxray record model.onnx --engine onnxruntime --threads 4\n  \
    onnxray record model.onnx --instances 4 --cores-per-instance 2\n  \
    onnxray record model.onnx --against-engine onnxruntime\n  \
    onnxray record model.onnx --batch-size 8 --profiles model --name batch-8\n  \
    onnxray record model.onnx --sensitivity --data batches -o report.html\n  \
    onnxray record decoder.onnx --engine onnxruntime --prompt 128 --generate 64\n\n\
    Writes OUT/profiling_trace/profiling_MODEL_TIME_N.json, which chrome://tracing and\n\
    Perfetto open, and OUT/profiling_csv/profiling_MODEL_TIME_N.csv, one pair per launch;\n\
    of several launches, profiling_MODEL_TIME.csv has the means over all.\n\
    With --against, each model has a folder in OUT, named after its file.",
    mut_arg("rate", |argument| argument.conflicts_with("instances")))]
pub(crate) struct RecordArguments {
    #[command(flatten)]
    pub model: ModelArguments,

    #[command(flatten)]
    pub values: ValueArguments,

    /// Iterations to measure [default: 100; with --generate: 10 generations]
    #[arg(long, value_name = "N", conflicts_with = "duration",
          value_parser = whole::<u32>(1..=u32::MAX.into()), help_heading = heading::LENGTH)]
    pub iterations: Option<u32>,

    /// Measure for 90s, 10m or 1h instead of a fixed number of iterations
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = heading::LENGTH)]
    pub duration: Option<Duration>,

    /// Warm-up iterations, recorded but left out of all statistics [default: 10; with --generate: 1
    /// generation]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=u32::MAX.into()),
          help_heading = heading::LENGTH)]
    pub warmup: Option<u32>,

    /// Iterations without the profiler, interleaved with the profiled ones; they give the latency
    /// and
    /// the profiling overhead [default: as many as profiled; 0 = none]. With --generate,
    /// generations
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=u32::MAX.into()),
          help_heading = heading::LENGTH, hide_short_help = true)]
    pub unprofiled_iterations: Option<u32>,

    #[command(flatten)]
    pub engine: EngineArguments,

    /// Intra-op threads, which share the work of one kernel [default: 1, or --cores-per-instance].
    /// One, because more measure the scheduler as well as the model, and vary more from run to run;
    /// ONNX Runtime itself takes all cores unless told otherwise
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=1024),
          help_heading = heading::PROCESSES)]
    threads: Option<u32>,

    /// Repeat in K fresh processes, one after the other [default: 1; with --against: 10]. With
    /// --instances, rounds of instances
    #[arg(long, value_name = "K", value_parser = whole::<u32>(1..=1000),
          help_heading = heading::PROCESSES)]
    pub launches: Option<u32>,

    /// Run N processes at once, each pinned to cores of its own
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "second",
          value_parser = whole::<u32>(1..=1024),
          help_heading = heading::PROCESSES)]
    pub instances: u32,

    /// Cores to pin each instance to [default: --threads]
    #[arg(long, value_name = "N", conflicts_with = "second",
          value_parser = whole::<u32>(1..=1024),
          help_heading = heading::PROCESSES, hide_short_help = true)]
    pub cores_per_instance: Option<u32>,

    /// Pin processes to these cores, a list such as 0,2 or 0-3, which instances divide; without a
    /// list, to as many cores as there are threads
    #[arg(long, value_name = "CORES", num_args = 0..=1, default_missing_value = "auto",
          help_heading = heading::PROCESSES, hide_short_help = true)]
    pub pin: Option<Pin>,

    /// Do not issue VZEROUPPER between tract's operators
    #[arg(long, help_heading = heading::PROCESSES, hide_short_help = true)]
    pub no_vzeroupper: bool,

    /// Do not measure the peak GFLOP/s and GB/s of this machine before the first launch
    #[arg(long, help_heading = heading::PROCESSES, hide_short_help = true)]
    no_roofs: bool,

    #[command(flatten)]
    costs: CostArguments,

    /// Have the system drop the model's files from memory before each of these processes: their
    /// starts are those after a start of the machine
    #[arg(long, conflicts_with = "instances", help_heading = heading::PROCESSES,
          hide_short_help = true)]
    cold: bool,

    /// Also measure how sensitive the outputs are to pruning, layer by layer, for `project
    /// --sensitivity`; the command `sensitivity` has more options
    #[arg(long, conflicts_with_all = ["second", "generate"], help_heading = heading::PRUNING)]
    pub sensitivity: bool,

    /// Batches to measure the sensitivity on: a file with an array per input, or a folder of them
    #[arg(long, value_name = "FILE.npz|FOLDER", requires = "sensitivity",
          help_heading = heading::PRUNING)]
    pub data: Option<PathBuf>,

    /// Class of each item of the batches, as whole numbers: the loss is the cross-entropy
    #[arg(long, value_name = "FILE.npy", requires = "data", help_heading = heading::PRUNING,
          hide_short_help = true)]
    pub labels: Option<PathBuf>,

    #[command(flatten)]
    pub against: AgainstArguments,

    #[command(flatten)]
    pub generate: GenerateArguments,

    /// Folder of the recording, or of both recordings [default: engine_profiling]
    #[arg(long, value_name = "FOLDER", help_heading = heading::OUTPUT)]
    out: Option<PathBuf>,

    /// Also write a page for a browser, or a workbook; with --against, of the comparison
    #[arg(short = 'o', long = "output", alias = "report", value_name = "FILE.html|FILE.xlsx",
          help_heading = heading::OUTPUT)]
    pub report: Option<PathBuf>,

    #[command(flatten)]
    pub force: ForceArguments,

    /// Name of the profile
    #[arg(long, default_value = "baseline", value_parser = NonEmptyStringValueParser::new(),
          help_heading = heading::OUTPUT, hide_short_help = true)]
    pub name: String,

    /// Profiles folder to add the profile to, and to keep the recording in
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "second"],
          help_heading = heading::OUTPUT, hide_short_help = true)]
    pub profiles: Option<PathBuf>,

    /// Write shapes and attributes into every trace event: a larger file, for queries in Perfetto
    #[arg(long, help_heading = heading::OUTPUT, hide_short_help = true)]
    pub full_args: bool,

    /// Blocks that are timed in place of operators.
    #[arg(skip)]
    pub(crate) xray: Option<Xray>,
}

/// What is to be recorded, and how.
pub(crate) struct Recordings {
    /// One, or two that take turns.
    pub specs: Vec<LaunchSpec>,
    /// What is measured of them before the first launch, in processes of their own.
    pub costs: CostPlan,
    /// By model: its engine in these processes, where no other model needs the cores.
    pub alone: Vec<EngineSpec>,
    pub schedule: Schedule,
    pub turns: Turns,
    /// In what the two differ on purpose.
    pub differences: Vec<Field>,
    /// Iterations of a turn, if the user says so.
    pub turn: Option<NonZeroU32>,
    /// When to end, instead of after this many launches.
    pub until: Option<Goal>,
}

impl RecordArguments {
    /// The files that are read.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let inputs = self.values.files();
        let models = [&self.model.model].into_iter().chain(&self.against.against);
        models.chain(inputs).chain(&self.labels).cloned().collect()
    }

    /// Folder of the recording, or of the folders of two.
    fn folder(&self) -> PathBuf {
        match (&self.profiles, &self.out) {
            (Some(profiles), _) => profiles.join(folder_of(&self.name)),
            (None, Some(out)) => out.clone(),
            (None, None) => "engine_profiling".into(),
        }
    }

    /// Threads that a kernel may use.
    pub(crate) fn threads(&self) -> u32 {
        // An instance that was given several cores uses them all.
        self.threads.or(self.cores_per_instance).unwrap_or(1)
    }

    /// What is to be recorded: one model, or two models or configurations in turns.
    ///
    /// # Errors
    ///
    /// If options contradict each other.
    pub(crate) fn recordings(&self) -> Result<Recordings, String> {
        self.against.check()?;
        if self.sensitivity && self.data.is_none() && self.values.files().next().is_some() {
            return Err("--sensitivity runs on --data FILE.npz, an array for each input; --input \
                        is for the recording alone"
                .to_string());
        }
        let specs = self.specs()?;
        self.check_effect(&specs)?;
        let generation = self.generate.options();
        // A generation has many iterations: fewer are enough.
        let usual = |iterations, generations| match generation {
            None => iterations,
            Some(_) => generations,
        };
        Ok(Recordings {
            specs,
            costs: self.cost_plan()?,
            alone: self.engines(false)?,
            schedule: Schedule {
                warmup: self.warmup.unwrap_or(usual(10, 1)),
                length: match self.duration {
                    Some(duration) => Length::Duration(duration),
                    None => Length::Iterations(self.iterations.unwrap_or(usual(100, 10))),
                },
                unprofiled: self.unprofiled_iterations.unwrap_or(AS_MEASURED),
                turn: self.against.iterations_per_turn.unwrap_or(NonZeroU32::MIN),
            },
            turns: self.turns()?,
            differences: self.against.differences(),
            turn: self.against.iterations_per_turn,
            until: self.against.goal(),
        })
    }

    fn cost_plan(&self) -> Result<CostPlan, String> {
        let plan = self.costs.plan()?;
        match self.cold {
            true if !CAN_DROP => {
                Err("this system does not let a program drop a file from memory, \
                                      which --cold needs; leave it out"
                    .to_string())
            }
            true if plan.starts == 0 => {
                Err("--cold is for fresh processes, and --starts 0 leaves \
                                             none; leave it out"
                    .to_string())
            }
            is_cold => Ok(CostPlan { is_cold, ..plan }),
        }
    }

    /// Refuses options that would do nothing.
    fn check_effect(&self, specs: &[LaunchSpec]) -> Result<(), String> {
        let registers = specs
            .iter()
            .find(|spec| spec.options.as_is && !spec.engine.capabilities().clears_registers);
        let own = self.against.against_options.as_ref();
        let is_of_second = own.is_some_and(|own| own.arguments.no_vzeroupper);
        // Given for both recordings, the flag may be meant for the one that runs tract.
        let none_clears = specs.iter().all(|spec| !spec.engine.capabilities().clears_registers);
        let is_idle = |spec: &LaunchSpec| match &spec.engine {
            EngineSpec::OnnxRuntime(options) => {
                options.optimization == Optimization::Disabled
                    && !options.disabled_optimizers.is_empty()
            }
            EngineSpec::Tract(_) => false,
        };
        match registers {
            Some(spec) if none_clears || is_of_second => Err(format!(
                "--no-vzeroupper is for tract's operators, and {} runs the model; leave it out",
                spec.engine.name()
            )),
            _ if specs.iter().any(is_idle) => Err("--disable-optimizer has nothing to leave out \
                 where --optimization runs no optimizer"
                .to_string()),
            _ => Ok(()),
        }
    }

    fn specs(&self) -> Result<Vec<LaunchSpec>, String> {
        let first = self.model.model.as_path();
        let in_turns = self.shares_a_process()?;
        let engine = self.first_engine(in_turns)?;
        // With fewer launches, a comparison misses changes in small layers: see `warn_of_few`.
        let usual = if self.second().is_some() { ENOUGH_LAUNCHES as u32 } else { 1 };
        let launches = self.launches.unwrap_or(usual);
        let of_first = |dimensions: GivenDimensions, folder: &Path| {
            self.spec(Configuration {
                model: first,
                engine: engine.clone(),
                launches,
                dimensions,
                threads: self.threads(),
                as_is: self.no_vzeroupper,
                profile: &self.name,
                folder,
            })
        };
        let Some(second) = self.second() else {
            return Ok(vec![of_first(self.model.sizes.given(), &self.folder())]);
        };
        // A folder each, named after their files.
        let same = stem(first) == stem(second.model);
        let folder = |model: &Path, ending: &str| {
            let mut name = stem(model).to_os_string();
            if same {
                name.push(ending);
            }
            self.folder().join(name)
        };
        let both = GivenDimensions { for_several: true, ..self.model.sizes.given() };
        let folders = [folder(first, "-a"), folder(second.model, "-b")];
        Ok(vec![
            of_first(both.clone(), &folders[0]),
            self.spec(Configuration {
                model: second.model,
                engine: self.second_engine(in_turns)?,
                launches,
                dimensions: match second.own {
                    Some(own) => own.sizes_over(both),
                    None => both,
                },
                threads: second.own.and_then(|own| own.threads).unwrap_or(self.threads()),
                // A flag cannot be taken back, so that one for both holds for the second, too.
                as_is: self.no_vzeroupper || second.own.is_some_and(|own| own.no_vzeroupper),
                profile: &second.name,
                folder: &folders[1],
            }),
        ])
    }

    /// One process can load one library only.
    fn turns(&self) -> Result<Turns, String> {
        let several = self.against.against_library.is_some();
        match self.against.interleave {
            Some(Turns::Iterations) if several => Err("two libraries cannot be interleaved by \
                 iterations: a process loads one; leave --interleave out, or use --interleave launches"
                .to_string()),
            Some(turns) => Ok(turns),
            None if several || self.differs_in_spinning()? => Ok(Turns::Launches),
            None => Ok(Turns::Iterations),
        }
    }

    /// Whether one side's idle threads spin, and the other's do not: in one process, they would
    /// take the cores of both.
    fn differs_in_spinning(&self) -> Result<bool, String> {
        let spins = |engine: &EngineSpec| match engine {
            EngineSpec::OnnxRuntime(options) => options.spinning,
            EngineSpec::Tract(_) => false,
        };
        let own = self.against.against_options.as_ref().and_then(|own| own.arguments.threads);
        // One thread has nobody to spin for.
        if self.threads().max(own.unwrap_or(1)) == 1 {
            return Ok(false);
        }
        // Of two engines, that is not what they differ in.
        Ok(match self.engines(false)?.as_slice() {
            [first @ EngineSpec::OnnxRuntime(_), second @ EngineSpec::OnnxRuntime(_)] => {
                spins(first) != spins(second)
            }
            _ => false,
        })
    }

    /// Whether both sides run in one process, and neither says whether idle threads spin.
    fn shares_a_process(&self) -> Result<bool, String> {
        let own = self.against.against_options.as_ref().map(|own| &own.arguments.engine);
        let is_said = [Some(&self.engine.options), own]
            .into_iter()
            .flatten()
            .any(EngineOptions::say_spinning);
        Ok(self.second().is_some() && self.turns()? == Turns::Iterations && !is_said)
    }

    /// The engine of each model. `in_turns`: threads that are idle do not spin unless they are told
    /// to.
    fn engines(&self, in_turns: bool) -> Result<Vec<EngineSpec>, String> {
        let second = self.second().map(|_| self.second_engine(in_turns)).transpose()?;
        Ok([self.first_engine(in_turns)?].into_iter().chain(second).collect())
    }

    fn first_engine(&self, in_turns: bool) -> Result<EngineSpec, String> {
        let [first, _] = self.both_engines();
        first.spec(in_turns)
    }

    fn second_engine(&self, in_turns: bool) -> Result<EngineSpec, String> {
        let [_, second] = self.both_engines();
        second.spec(in_turns)
    }

    fn both_engines(&self) -> [EngineArguments; 2] {
        let AgainstArguments { against_engine, against_library, against_options, .. } =
            &self.against;
        let own = against_options.as_ref().map(|options| options.arguments.engine.clone());
        let mut own = own.unwrap_or_default();
        own.engine_library = against_library.clone();
        self.engine.of_both(against_engine.as_ref(), own)
    }

    fn second(&self) -> Option<Second<'_>> {
        let AgainstArguments { against, against_options, against_name, .. } = &self.against;
        let model = match against {
            Some(model) => model,
            None if self.against.is_given() => &self.model.model,
            None => return None,
        };
        let usual = || match against {
            None => self.against.text(),
            Some(_) => stem(model).to_string_lossy().into_owned(),
        };
        Some(Second {
            model,
            own: against_options.as_ref().map(|options| &options.arguments),
            name: against_name.clone().unwrap_or_else(usual),
        })
    }

    fn spec(&self, own: Configuration) -> LaunchSpec {
        LaunchSpec {
            engine: own.engine,
            model: own.model.into(),
            dimensions: own.dimensions,
            inputs: self.values.inputs(),
            seed: self.values.seed,
            generation: self.generate.options(),
            options: LaunchOptions {
                folder: own.folder.into(),
                profile: own.profile.to_string(),
                threads: own.threads,
                // With --until the goal ends the run, not a number of launches.
                launches: match self.against.until {
                    Some(_) => None,
                    // A round is a launch of each instance. At most 1000 * 1024, which fits.
                    None => Some(own.launches * self.instances),
                },
                instances: self.instances,
                full_arguments: self.full_args,
                as_is: own.as_is,
                roofs: !self.no_roofs,
                blocks: self.xray.as_ref().map(Xray::blocks),
                ..LaunchOptions::default()
            },
        }
    }
}

/// What one recording may have, and the other one not.
struct Configuration<'a> {
    model: &'a Path,
    engine: EngineSpec,
    launches: u32,
    dimensions: GivenDimensions,
    threads: u32,
    as_is: bool,
    profile: &'a str,
    folder: &'a Path,
}

/// The second recording.
struct Second<'a> {
    model: &'a Path,
    own: Option<&'a SecondArguments>,
    name: String,
}

/// Name of a file without its extension.
fn stem(model: &Path) -> &OsStr {
    model.file_stem().unwrap_or(model.as_os_str())
}
