//! The arguments of `onnxray judge`.

use crate::args::against::{SecondOptions, options};
use crate::args::choice::choice;
use crate::args::engine::{EngineArguments, engine};
use crate::args::files::OutputArguments;
use crate::args::generate::GenerateArguments;
use crate::args::heading;
use crate::args::input::{SizeArguments, ValueArguments};
use crate::args::numbers::{share, whole};
use crate::args::studies::{MeasureArguments, RunArguments, loss};
use crate::args::view::{FormatArguments, RowArguments};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command};
use onnxray_analyzer::study::JudgeOptions;
use onnxray_format::Objective;
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::study::judge::JudgeSpec;
use onnxray_recorder::{LaunchOptions, LaunchSpec};
use onnxray_report::Expected;
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    onnxray judge model.onnx candidate.onnx\n  \
    onnxray judge encoder.onnx encoder-int8.onnx --engine onnxruntime --dim sequence=128 --max-loss 0.05\n  \
    onnxray judge model.onnx --against-options '--threads 2' --expect faster --format json\n  \
    onnxray judge recordings/before recordings/after\n  \
    onnxray judge model.onnx candidate.onnx --bundle judged.zip --with-models\n  \
    onnxray judge judged.zip --repeat\n\n\
    One word: FASTER, SLOWER, SAME, INCONCLUSIVE, DIFFERENT, HARNESS or NOT COMPARABLE. A, B and a\n\
    copy of A take turns in one process, launch after launch, until the word is sure or the time\n\
    limit is spent. The interval may be looked at after every launch: docs/studies/judging.md. The\n\
    same command goes on with the launches of a judgement that was not decided.\n\n\
    Exit code 0: as expected; 3: not as expected; 4: not comparable; 5: inconclusive; 6: the\n\
    outputs differ; 7: A differs from its own copy.",
    mut_arg("time_limit", |argument| argument.default_value("60s")),
    mut_arg("top", |argument| argument.hide_short_help(true)))]
pub(crate) struct JudgeArguments {
    /// The model as it is, an ONNX file; or a recording; or, alone, what --bundle wrote, to show it
    /// again
    #[arg(value_name = "BASELINE.onnx")]
    pub baseline: PathBuf,

    /// The model that would replace it; or its recording: two recordings are judged as they are, by
    /// their comparison [default: the same with --against-options or
    /// --against-engine]
    #[arg(value_name = "CANDIDATE.onnx")]
    pub candidate: Option<PathBuf>,

    #[command(flatten)]
    pub sizes: SizeArguments,

    #[command(flatten)]
    pub values: ValueArguments,

    #[command(flatten)]
    pub engine: EngineArguments,

    /// Intra-op threads of both
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1..=1024),
          help_heading = heading::PROCESSES)]
    threads: u32,

    /// Options in which the candidate differs: --threads, those of ONNX Runtime, and --dim where its
    /// dimensions have other names; both take the same inputs
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true, value_parser = options,
          help_heading = heading::COMPARISON)]
    against_options: Option<SecondOptions>,

    /// Engine of the candidate
    #[arg(long, value_name = "ENGINE", value_parser = engine(), ignore_case = true,
          help_heading = heading::COMPARISON)]
    against_engine: Option<EngineSpec>,

    /// Another build of ONNX Runtime for the candidate: its libonnxruntime.so, or the folder of a
    /// Python package. A, B and A's copy then have a process each
    #[arg(long, value_name = "FILE|FOLDER", help_heading = heading::COMPARISON)]
    against_library: Option<PathBuf>,

    #[command(flatten)]
    generate: GenerateArguments,

    /// What the candidate has to be
    #[arg(long, value_name = "WORD", default_value = "not-slower", value_parser = choice(
        Expected::ALL.map(|expected| (expected.text().into(), expected))
    ), help_heading = heading::GATE)]
    pub expect: Expected,

    /// What the candidate is judged by: latency, CPU time of an inference, memory at its peak, or the
    /// start of a process up to the first inference
    #[arg(long = "for", value_name = "WHAT", default_value = "latency", value_parser = choice(
        Objective::ALL.map(|what| (what.name().into(), what))
    ), help_heading = heading::GATE)]
    objective: Objective,

    /// Differences up to this share do not matter
    #[arg(long, value_name = "SHARE", default_value = "1%", value_parser = share,
          help_heading = heading::GATE)]
    threshold: f64,

    /// Largest distance of outputs, in the measure of the output
    #[arg(long, value_name = "LOSS", default_value = "0.01", value_parser = loss,
          help_heading = heading::COMPARING)]
    max_loss: f64,

    #[command(flatten)]
    compared: MeasureArguments,

    /// Leave out the copy of A: a third of the time less, and nothing tells what the machine does
    #[arg(long, help_heading = heading::MEASURING, hide_short_help = true)]
    pub no_control: bool,

    #[command(flatten)]
    pub run: RunArguments,

    /// Folder of what is measured
    #[arg(long, value_name = "FOLDER", default_value = "judge", help_heading = heading::OUTPUT)]
    pub out: PathBuf,

    /// Write what was measured, its command and hashes of all files, to show or repeat it elsewhere
    #[arg(long, value_name = "FILE.zip", help_heading = heading::OUTPUT)]
    pub bundle: Option<PathBuf>,

    /// With both models in the bundle
    #[arg(long, requires = "bundle", help_heading = heading::OUTPUT, hide_short_help = true)]
    pub with_models: bool,

    /// Measure a bundle anew, and tell whether its word is confirmed. Models are taken from the
    /// bundle, from where they were, or from its folder
    #[arg(long, help_heading = heading::MEASURING, hide_short_help = true)]
    pub repeat: bool,

    #[command(flatten)]
    pub report: OutputArguments,

    #[command(flatten)]
    pub rows: RowArguments,

    #[command(flatten)]
    pub shown: FormatArguments,
}

impl JudgeArguments {
    /// The bundle, if one is named.
    ///
    /// # Errors
    ///
    /// If there is neither one nor two sides.
    pub(crate) fn bundle_to_read(&self) -> Result<Option<PathBuf>, String> {
        let is_bundle = is_bundle(&self.baseline);
        // Of a bundle, it says where the candidate's build is here.
        let has_library = self.against_library.is_some() && !is_bundle;
        let differs =
            self.against_options.is_some() || self.against_engine.is_some() || has_library;
        match (self.candidate.is_some() || differs, is_bundle) {
            (false, true) => Ok(Some(self.baseline.clone())),
            (false, false) => Err("the following required arguments were not provided: \
                 <CANDIDATE.onnx>, or --against-options, --against-engine or --against-library"
                .to_string()),
            (true, _) if self.repeat => Err("--repeat is for a bundle".to_string()),
            (true, _) => Ok(None),
        }
    }

    /// The judgement of a bundle, to be measured by what this command says of files and time: what
    /// somebody else wrote names none to write, and no library to load.
    ///
    /// # Errors
    ///
    /// If another build of the engine was judged, and none is named here; or the other way around.
    pub(crate) fn repeating(self, judged: JudgeArguments) -> Result<JudgeArguments, String> {
        let JudgeArguments { report, shown, run, mut engine, against_library, .. } = self;
        if judged.against_library.is_some() && against_library.is_none() {
            return Err("it judged another build of ONNX Runtime\n\
                 hint: say where that is with --against-library FILE|FOLDER, and --engine-library"
                .to_string());
        }
        if judged.against_library.is_none() && against_library.is_some() {
            return Err("both sides ran in one build: --against-library is not for it".to_string());
        }
        let given = std::mem::replace(&mut engine, judged.engine);
        engine.options.with_files_of(&given.options);
        let against_options = judged.against_options.map(|mut own| {
            own.arguments.engine.with_files_of(&given.options);
            own
        });
        let time_limit = run.time_limit.max(judged.run.time_limit);
        let run = RunArguments { time_limit, restart: false };
        Ok(JudgeArguments {
            bundle: None,
            engine,
            against_options,
            against_library,
            report,
            shown,
            run,
            ..judged
        })
    }

    /// Whether it measures models.
    pub(crate) fn is_of_models(&self) -> bool {
        is_model(&self.baseline) && self.candidate.as_ref().is_none_or(|own| is_model(own))
    }

    /// Both sides, if they are recordings.
    ///
    /// # Errors
    ///
    /// If one is.
    pub(crate) fn recordings(&self) -> Result<Option<[&PathBuf; 2]>, String> {
        let Some(candidate) = &self.candidate else { return Ok(None) };
        match [&self.baseline, candidate].map(|word| is_model(word)) {
            [false, false] => Ok(Some([&self.baseline, candidate])),
            [true, true] => Ok(None),
            _ => Err("judge takes two models or two recordings, not one of each".to_string()),
        }
    }

    /// Both sides.
    ///
    /// # Errors
    ///
    /// If an option is for another engine.
    pub(crate) fn spec(&self) -> Result<JudgeSpec, String> {
        let side = |engine: EngineArguments, model: &Path, dimensions, threads| {
            Ok::<_, String>(LaunchSpec {
                // Idle threads that spin would take the cores of the others.
                engine: engine.spec(true)?,
                model: model.into(),
                dimensions,
                inputs: self.values.inputs(),
                seed: self.values.seed,
                generation: self.generate.options(),
                options: LaunchOptions { threads, ..LaunchOptions::default() },
            })
        };
        let own = self.against_options.as_ref().map(|options| &options.arguments);
        let mut options = own.map(|own| own.engine.clone()).unwrap_or_default();
        if let Some(library) = &self.against_library {
            options.engine_library = Some(library.clone());
        }
        let [first, second] = self.engine.of_both(self.against_engine.as_ref(), options);
        let candidate = self.candidate.as_ref().unwrap_or(&self.baseline);
        let threads = own.and_then(|own| own.threads).unwrap_or(self.threads);
        let sizes = self.sizes.given();
        let own_sizes = own.map_or(sizes.clone(), |own| own.sizes_over(sizes.clone()));
        Ok(JudgeSpec {
            a: side(first, &self.baseline, sizes, self.threads)?,
            b: side(second, candidate, own_sizes, threads)?,
            measure: self.compared.measure,
        })
    }

    /// What people call both.
    pub(crate) fn names(&self) -> [String; 2] {
        let name = |path: &Path| {
            path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
        };
        let engine = self.against_engine.as_ref().map(|engine| engine.name().to_string());
        let options = self.against_options.as_ref().map(|options| options.text.clone());
        let model = name(self.candidate.as_ref().unwrap_or(&self.baseline));
        let library = self.against_library.as_deref().map(|path| path.display().to_string());
        let differs =
            [engine, library, options].into_iter().flatten().collect::<Vec<_>>().join(" ");
        let b = if differs.is_empty() { model } else { format!("{model} ({differs})") };
        [name(&self.baseline), b]
    }

    /// When a word is said.
    pub(crate) fn options(&self) -> JudgeOptions {
        let JudgeArguments { objective, threshold, max_loss, .. } = *self;
        JudgeOptions { objective, threshold, max_loss }
    }
}

fn is_model(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("onnx"))
}

fn is_bundle(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("zip"))
}

/// The option that only measuring knows, for what was measured before.
pub(in crate::args) fn unmeasured(all: &Command, matches: &ArgMatches) -> Option<String> {
    let ("judge", own) = matches.subcommand()? else { return None };
    let [a, b] = ["baseline", "candidate"].map(|word| own.get_one::<PathBuf>(word));
    let (known, why) = match (a?, b) {
        (a, None) if is_bundle(a) => {
            (OF_BUNDLES, "models: a bundle has the options it was measured with")
        }
        (a, Some(b)) if !is_model(a) && !is_model(b) => {
            (OF_RECORDINGS, "models: recordings are judged as they were measured")
        }
        _ => return None,
    };
    let is_given = |option: &&Arg| {
        own.value_source(option.get_id().as_str()) == Some(ValueSource::CommandLine)
    };
    let given = all.find_subcommand("judge")?.get_arguments().filter(is_given);
    let option = given
        .filter_map(Arg::get_long)
        .find(|option| !SHOWN.contains(option) && !known.contains(option))?;
    Some(format!("--{option} is for {why}"))
}

/// What is said of anything that was measured before.
const SHOWN: [&str; 10] =
    ["output", "force", "format", "columns", "wide", "top", "all", "color", "quiet", "verbose"];
const OF_RECORDINGS: &[&str] = &["expect", "threshold"];
const OF_BUNDLES: &[&str] =
    &["repeat", "time-limit", "engine-library", "against-library", "engine-profiles"];
