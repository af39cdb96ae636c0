//! The engine that runs a model, and its options.

use super::choice::choice;
use super::heading;
use super::numbers::whole;
use clap::Args;
use clap::builder::{PossibleValue, TypedValueParser};
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::engine::onnxruntime::{OnnxRuntimeOptions, Optimization};
use onnxray_recorder::engine::tract::{TractOptions, ZeroShare};
use onnxray_text::{did_you_mean, printable};
use std::path::PathBuf;

/// An engine by its name, or what people call it, with its usual options.
pub(super) fn engine() -> impl TypedValueParser<Value = EngineSpec> {
    let named = |engine: EngineSpec| {
        let alias = match engine {
            EngineSpec::OnnxRuntime(_) => Some("ort"),
            EngineSpec::Tract(_) => None,
        };
        let name = PossibleValue::new(engine.name()).help(engine.about());
        (name.aliases(alias), engine)
    };
    choice(EngineSpec::all().into_iter().map(named))
}

/// The engine, and options that only some engines have.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct EngineArguments {
    /// Engine that runs the model [default: tract]
    #[arg(long, value_name = "ENGINE", value_parser = engine(), ignore_case = true,
          help_heading = heading::PROCESSES)]
    pub engine: Option<EngineSpec>,

    #[command(flatten)]
    pub options: EngineOptions,
}

/// The execution provider of ONNX Runtime, and where it is from.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ProviderArguments {
    /// Execution provider, such as cuda [default: that of --provider-library, or cpu]
    #[arg(long, help_heading = heading::ONNX_RUNTIME, value_name = "NAME", hide_short_help = true)]
    pub provider: Option<String>,

    /// Library that brings the provider, its folder, or the Python package of it that is installed
    /// beside ONNX Runtime's, such as onnxruntime-ggml
    #[arg(long, help_heading = heading::ONNX_RUNTIME, value_name = "FILE|PACKAGE",
          hide_short_help = true)]
    pub provider_library: Option<PathBuf>,

    /// Set an option of the provider; repeat it for more
    #[arg(long, help_heading = heading::ONNX_RUNTIME, value_name = "KEY=VALUE",
          value_parser = provider_option, hide_short_help = true)]
    pub provider_options: Vec<(String, String)>,
}

impl ProviderArguments {
    /// The options with these.
    pub(super) fn of(&self, options: OnnxRuntimeOptions) -> OnnxRuntimeOptions {
        OnnxRuntimeOptions {
            provider: self.provider.clone(),
            provider_library: self.provider_library.clone().map(Into::into),
            provider_options: self.provider_options.iter().cloned().collect(),
            ..options
        }
    }

    /// These, or those of `first` if none is given: an option of one provider is none of another.
    fn or(&self, first: &ProviderArguments) -> ProviderArguments {
        let is_given = self.provider.is_some() || self.provider_library.is_some();
        ProviderArguments {
            provider: self.provider.clone().or_else(|| match self.provider_library {
                Some(_) => None,
                None => first.provider.clone(),
            }),
            provider_library: self
                .provider_library
                .clone()
                .or_else(|| first.provider_library.clone()),
            provider_options: match is_given {
                true => self.provider_options.clone(),
                false => or_all(&self.provider_options, &first.provider_options),
            },
        }
    }
}

/// Libraries to look at instead of those that are installed.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct LibraryArguments {
    /// With --engines: ONNX Runtime's library, or the folder of an `onnxruntime` Python package
    #[arg(long, value_name = "FILE|FOLDER", requires = "engines")]
    engine_library: Option<PathBuf>,

    /// With --engines: a library that brings execution providers, its folder or its Python package
    #[arg(long, value_name = "FILE|PACKAGE", requires = "engines")]
    provider_library: Option<PathBuf>,
}

impl LibraryArguments {
    /// An engine with these libraries.
    pub(crate) fn of(&self, engine: EngineSpec) -> EngineSpec {
        match engine {
            EngineSpec::OnnxRuntime(options) => EngineSpec::OnnxRuntime(OnnxRuntimeOptions {
                library: self.engine_library.clone().map(Into::into),
                provider_library: self.provider_library.clone().map(Into::into),
                ..options
            }),
            other => other,
        }
    }
}

/// Options of one engine or the other.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct EngineOptions {
    /// Skip the zero blocks of a weight, with kernels of this program in tract, if at least SHARE
    /// of its blocks of 4x1 are zero [default of SHARE: 0.5]
    #[arg(long, help_heading = heading::PRUNING, value_name = "SHARE", value_parser = zero_share,
          num_args = 0..=1, require_equals = true, default_missing_value = "0.5",
          hide_short_help = true)]
    pub sparse: Option<ZeroShare>,

    /// Its library, or the folder of an `onnxruntime` Python package [default: ORT_DYLIB_PATH, or
    /// what `python3` has installed]
    #[arg(long, help_heading = heading::ONNX_RUNTIME, value_name = "FILE|FOLDER", hide_short_help = true)]
    pub engine_library: Option<PathBuf>,

    #[command(flatten)]
    pub provider: ProviderArguments,

    /// Level of graph optimization [default: all]
    #[arg(long, help_heading = heading::ONNX_RUNTIME, value_name = "LEVEL",
          value_parser = choice(Optimization::ALL.map(|level| (level.name().into(), level))),
          hide_short_help = true)]
    pub optimization: Option<Optimization>,

    /// Run operators in parallel on N inter-op threads, instead of one by one
    #[arg(long, help_heading = heading::ONNX_RUNTIME, value_name = "N",
          value_parser = whole::<u32>(1..=1024), hide = true)]
    pub inter_op_threads: Option<u32>,

    /// Let idle intra-op threads spin, session.intra_op.allow_spinning [default: yes; no where
    /// iterations of two recordings are interleaved]
    #[arg(long, help_heading = heading::ONNX_RUNTIME, value_name = "YES|NO", value_parser = yes_or_no(),
          hide = true)]
    pub spinning: Option<bool>,

    /// Keep memory between runs in an arena, enable_cpu_mem_arena [default: yes]
    #[arg(long, help_heading = heading::ONNX_RUNTIME, value_name = "YES|NO", value_parser = yes_or_no(),
          hide = true)]
    pub arena: Option<bool>,

    /// Plan the memory of a run by that of the run before, enable_mem_pattern [default: yes]
    #[arg(long, help_heading = heading::ONNX_RUNTIME, value_name = "YES|NO",
          value_parser = yes_or_no(), hide = true)]
    pub memory_pattern: Option<bool>,

    /// Leave a graph optimizer out, by its name in the runtime; repeat it for more
    #[arg(long = "disable-optimizer", help_heading = heading::ONNX_RUNTIME, value_name = "NAME",
          value_delimiter = ',', hide = true)]
    pub disabled_optimizers: Vec<String>,

    /// Set another option; repeat it for more: inter_op_threads=N (operators in parallel),
    /// spinning=yes|no, arena=yes|no, memory_pattern=yes|no, disable_optimizer=NAME, or any entry of
    /// the session's configuration, such as session.set_denormal_as_zero=1
    #[arg(long = "ort", alias = "config", help_heading = heading::ONNX_RUNTIME,
          value_name = "KEY=VALUE", value_parser = setting, hide_short_help = true)]
    pub settings: Vec<Setting>,

    /// Keep the profiles that it writes, in this folder
    #[arg(long, help_heading = heading::ONNX_RUNTIME, value_name = "FOLDER", hide_short_help = true)]
    pub engine_profiles: Option<PathBuf>,
}

/// An option of ONNX Runtime by its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    InterOpThreads(u32),
    Spinning(bool),
    Arena(bool),
    MemoryPattern(bool),
    DisabledOptimizer(String),
    /// Of the session's configuration.
    Entry(String, String),
}

/// Options of the session outside its configuration.
const SETTINGS: [&str; 5] =
    ["inter_op_threads", "spinning", "arena", "memory_pattern", "disable_optimizer"];

fn setting(text: &str) -> Result<Setting, String> {
    let (key, value) = session_entry(text)?;
    let switch = || match value.as_str() {
        "yes" | "on" | "1" | "true" => Ok(true),
        "no" | "off" | "0" | "false" => Ok(false),
        _ => Err(format!("expected {key}=yes or {key}=no")),
    };
    // As ONNX Runtime's own options have them, or as the others here are written.
    match key.replace('-', "_").as_str() {
        "inter_op_threads" | "inter_op_num_threads" => match value.parse() {
            Ok(threads @ 1..=1024) => Ok(Setting::InterOpThreads(threads)),
            _ => Err(format!("expected {key}=N, from 1 to 1024")),
        },
        "spinning" => switch().map(Setting::Spinning),
        "arena" | "enable_cpu_mem_arena" => switch().map(Setting::Arena),
        "memory_pattern" | "enable_mem_pattern" => switch().map(Setting::MemoryPattern),
        "disable_optimizer" => Ok(Setting::DisabledOptimizer(value)),
        "intra_op_threads" | "intra_op_num_threads" => {
            Err("the threads of a session have an option of their own: --threads N".to_string())
        }
        "optimization" | "graph_optimization_level" => {
            Err("the level has an option of its own: --optimization LEVEL".to_string())
        }
        // All entries of a session's configuration have a dot; without one it is a mistake.
        key if !key.contains('.') => Err(format!(
            "`{}` is neither an entry of the session's configuration, such as \
             session.intra_op.allow_spinning, nor an option of the session; {}",
            printable(key),
            did_you_mean(key, "options", SETTINGS)
        )),
        _ => Ok(Setting::Entry(key, value)),
    }
}

fn zero_share(text: &str) -> Result<ZeroShare, String> {
    let expected = || "expected a share from 0 to 1, such as 0.5 or 50%".to_string();
    let (number, unit) = match text.strip_suffix('%') {
        Some(percent) => (percent, 100.0),
        None => (text, 1.0),
    };
    let share: f64 = number.trim().parse().map_err(|_| expected())?;
    ZeroShare::try_from(share / unit).map_err(|_| expected())
}

fn yes_or_no() -> impl TypedValueParser<Value = bool> {
    choice([("yes".into(), true), ("no".into(), false)])
}

impl EngineArguments {
    /// The same for a first and for a second run, which may have another engine, and has options of
    /// its own.
    pub(super) fn of_both(
        &self,
        second: Option<&EngineSpec>,
        own: EngineOptions,
    ) -> [EngineArguments; 2] {
        let mut first = self.clone();
        // Options that it does not have are for the second, if that has them.
        if second.is_some_and(|second| first.options.are_of(second)) {
            first.options = first.options.only_of(&first.engine.clone().unwrap_or_default());
        }
        let engine = second.cloned().or(self.engine.clone()).unwrap_or_default();
        // What is given for the first holds for the second, if that has it at all.
        let options = own.or(&self.options.only_of(&engine));
        [first, EngineArguments { engine: Some(engine), options }]
    }

    /// What runs the model; threads spin unless it takes turns with another one.
    ///
    /// # Errors
    ///
    /// If an option is for another engine.
    pub(crate) fn spec(&self, in_turns: bool) -> Result<EngineSpec, String> {
        match self.engine.clone().unwrap_or_default() {
            EngineSpec::OnnxRuntime(_) if self.options.sparse.is_some() => {
                Err("--sparse is for tract: ONNX Runtime has no kernels that skip zeros; leave \
                     --sparse or --engine out"
                    .to_string())
            }
            EngineSpec::OnnxRuntime(usual) => {
                Ok(EngineSpec::OnnxRuntime(self.options.of(usual, in_turns)))
            }
            EngineSpec::Tract(_) if self.options.are_of(&EngineSpec::default()) => {
                Ok(EngineSpec::Tract(TractOptions { sparse: self.options.sparse }))
            }
            EngineSpec::Tract(_) => Err("options of ONNX Runtime are given, but it is not the \
                      engine of any recording; choose it with --engine onnxruntime"
                .to_string()),
        }
    }
}

impl EngineOptions {
    /// Takes library and profiles from options that were given otherwise than these, which name no
    /// other file either.
    pub(crate) fn with_files_of(&mut self, given: &EngineOptions) {
        self.engine_library.clone_from(&given.engine_library);
        // Each provider has its own keys, any of which may name a file.
        self.provider.provider_library.clone_from(&given.provider.provider_library);
        self.provider.provider_options.clone_from(&given.provider.provider_options);
        self.engine_profiles.clone_from(&given.engine_profiles);
        self.settings.retain(|setting| match setting {
            Setting::Entry(key, _) => !["file", "path"].iter().any(|part| key.contains(part)),
            _ => true,
        });
    }

    fn of(&self, usual: OnnxRuntimeOptions, in_turns: bool) -> OnnxRuntimeOptions {
        let mut options = OnnxRuntimeOptions {
            library: self.engine_library.clone().map(Into::into),
            optimization: self.optimization.unwrap_or(usual.optimization),
            inter_op_threads: self.inter_op_threads,
            // Idle threads that spin would take the cores of the other one.
            spinning: self.spinning.unwrap_or(!in_turns),
            arena: self.arena.unwrap_or(usual.arena),
            disabled_optimizers: self.disabled_optimizers.iter().cloned().collect(),
            config: Default::default(),
            memory_pattern: self.memory_pattern.unwrap_or(usual.memory_pattern),
            profiles: self.engine_profiles.clone().map(Into::into),
            ..self.provider.of(usual)
        };
        for setting in self.settings.iter().cloned() {
            match setting {
                Setting::InterOpThreads(threads) => options.inter_op_threads = Some(threads),
                Setting::Spinning(spins) => options.spinning = spins,
                Setting::Arena(is_on) => options.arena = is_on,
                Setting::MemoryPattern(is_on) => options.memory_pattern = is_on,
                Setting::DisabledOptimizer(name) => _ = options.disabled_optimizers.insert(name),
                Setting::Entry(key, value) => _ = options.config.insert(key, value),
            }
        }
        options
    }

    /// Whether they say if idle threads spin.
    pub(crate) fn say_spinning(&self) -> bool {
        let is_of_spinning = |setting: &Setting| matches!(setting, Setting::Spinning(_));
        self.spinning.is_some() || self.settings.iter().any(is_of_spinning)
    }

    /// Those of them that an engine has.
    pub(crate) fn only_of(&self, engine: &EngineSpec) -> EngineOptions {
        match engine {
            EngineSpec::OnnxRuntime(_) => EngineOptions { sparse: None, ..self.clone() },
            EngineSpec::Tract(_) => EngineOptions { sparse: self.sparse, ..Default::default() },
        }
    }

    /// Whether an engine has all that are given.
    pub(crate) fn are_of(&self, engine: &EngineSpec) -> bool {
        self.only_of(engine) == *self
    }

    /// These, and those of `first` where none is given.
    pub(crate) fn or(&self, first: &EngineOptions) -> EngineOptions {
        EngineOptions {
            sparse: self.sparse.or(first.sparse),
            engine_library: self.engine_library.clone().or_else(|| first.engine_library.clone()),
            provider: self.provider.or(&first.provider),
            optimization: self.optimization.or(first.optimization),
            inter_op_threads: self.inter_op_threads.or(first.inter_op_threads),
            spinning: self.spinning.or(first.spinning),
            arena: self.arena.or(first.arena),
            memory_pattern: self.memory_pattern.or(first.memory_pattern),
            disabled_optimizers: or_all(&self.disabled_optimizers, &first.disabled_optimizers),
            settings: or_all(&self.settings, &first.settings),
            engine_profiles: self.engine_profiles.clone().or_else(|| first.engine_profiles.clone()),
        }
    }
}

/// Those that are given, or else those of the first.
fn or_all<T: Clone>(own: &[T], first: &[T]) -> Vec<T> {
    if own.is_empty() { first.to_vec() } else { own.to_vec() }
}

/// An entry of a session's configuration.
pub(super) fn session_entry(text: &str) -> Result<(String, String), String> {
    let entry = text.split_once('=').filter(|(key, _)| !key.trim().is_empty());
    let (key, value) = entry.ok_or("expected KEY=VALUE, such as session.set_denormal_as_zero=1")?;
    Ok((key.trim().to_string(), value.trim().to_string()))
}

/// An option of an execution provider.
fn provider_option(text: &str) -> Result<(String, String), String> {
    let option = text.split_once('=').filter(|(key, _)| !key.trim().is_empty());
    let (key, value) = option.ok_or("expected KEY=VALUE, such as device=cpu")?;
    Ok((key.trim().to_string(), value.trim().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_named_options_or_entries() {
        assert_eq!(setting("spinning=no"), Ok(Setting::Spinning(false)));
        assert_eq!(setting("inter-op-threads=2"), Ok(Setting::InterOpThreads(2)));
        assert_eq!(setting("enable_cpu_mem_arena=0"), Ok(Setting::Arena(false)));
        let entry = Setting::Entry("session.set_denormal_as_zero".into(), "1".into());
        assert_eq!(setting("session.set_denormal_as_zero = 1"), Ok(entry));
        for wrong in ["spinning", "spinning=maybe", "inter_op_threads=0", "denormals=1", "=1"] {
            assert!(setting(wrong).is_err(), "{wrong}");
        }
        let settings =
            ["spinning=no", "disable_optimizer=A", "x.y=2"].map(|text| setting(text).unwrap());
        let given = EngineOptions { settings: settings.into(), ..EngineOptions::default() };
        let options = given.of(OnnxRuntimeOptions::default(), false);
        assert_eq!((options.spinning, options.arena), (false, true));
        assert!(options.disabled_optimizers.contains("A"));
        assert_eq!(options.config.get("x.y").map(String::as_str), Some("2"));
    }

    #[test]
    fn options_of_a_provider_are_of_no_other_one() {
        let of = |provider: Option<&str>, library: Option<&str>, options: &[&str]| {
            let options = options.iter().map(|text| provider_option(text).unwrap());
            ProviderArguments {
                provider: provider.map(str::to_string),
                provider_library: library.map(PathBuf::from),
                provider_options: options.collect(),
            }
        };
        let first = of(Some("ggml"), Some("a"), &["device=cpu", "threads = 2"]);
        assert_eq!(first.provider_options[1], ("threads".to_string(), "2".to_string()));
        assert_eq!(of(None, None, &[]).or(&first), first);
        let more = of(None, None, &["device=gpu"]);
        assert_eq!(more.or(&first), of(Some("ggml"), Some("a"), &["device=gpu"]));
        assert_eq!(of(Some("cpu"), None, &[]).or(&first), of(Some("cpu"), Some("a"), &[]));
        assert_eq!(of(None, Some("b"), &[]).or(&first), of(None, Some("b"), &[]));
        for wrong in ["device", "=cpu", " =1"] {
            assert!(provider_option(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn options_of_somebody_else_name_no_file() {
        let settings = ["arena=no", "x.y=2", "ep.context_file_path=evil.onnx"];
        let mut own = EngineOptions {
            engine_library: Some("evil.so".into()),
            engine_profiles: Some("evil".into()),
            provider: ProviderArguments {
                provider: Some("ggml".into()),
                provider_library: Some("evil".into()),
                provider_options: vec![("backend".into(), "evil.so".into())],
            },
            settings: settings.map(|text| setting(text).unwrap()).into(),
            ..EngineOptions::default()
        };
        let given =
            EngineOptions { engine_library: Some("own.so".into()), ..EngineOptions::default() };
        own.with_files_of(&given);
        let settings = settings[..2].iter().map(|text| setting(text).unwrap()).collect();
        let provider = ProviderArguments { provider: Some("ggml".into()), ..Default::default() };
        assert_eq!(own, EngineOptions { settings, provider, ..given });
    }
}
