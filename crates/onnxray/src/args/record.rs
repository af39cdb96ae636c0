//! The arguments of `onnxray record`.

use super::files::ForceArguments;
use super::input::ModelArguments;
use clap::Args;
use onnxray_recorder::engine::TRACT;
use onnxray_recorder::{GivenDimensions, LaunchOptions, LaunchSpec, Length, Schedule};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    onnxray record model.onnx\n  \
    onnxray record encoder.onnx --batch-size 8 --dim sequence=128 --launches 5\n  \
    onnxray record model.onnx --input image=cat.npy --duration 10 --report report.xlsx\n  \
    onnxray record dense.onnx --against sparse.onnx --launches 5\n\n\
    Writes OUT/profiling_trace/profiling_TIME_N.json, which chrome://tracing and\n\
    Perfetto open, and OUT/profiling_csv/profiling_TIME_N.csv, one pair a launch.\n\
    With --against, each model has a folder named after its file in OUT.")]
pub(crate) struct RecordArguments {
    #[command(flatten)]
    pub model: ModelArguments,

    /// Record this model as well, in turns with the first, launch by launch; all
    /// options hold for both
    #[arg(long, value_name = "MODEL.onnx", conflicts_with = "report")]
    pub against: Option<PathBuf>,

    /// Values of an input, from a NumPy file; other inputs get random valid ones
    #[arg(long = "input", value_name = "NAME=FILE.npy|.npz", value_parser = input)]
    pub inputs: Vec<(String, PathBuf)>,

    /// Seed of the random inputs
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Iterations to measure
    #[arg(long, value_name = "N", default_value_t = 100, conflicts_with = "duration",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub iterations: u32,

    /// Measure for so many seconds instead
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub duration: Option<f64>,

    /// Iterations before the measured ones; they are recorded and flagged
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub warmup: u32,

    /// Record in so many processes, one after the other; with --against, so many
    /// of each model
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub launches: u32,

    /// Threads that a kernel may use
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: u32,

    /// Name of the profile
    #[arg(long, default_value = "baseline")]
    pub name: String,

    /// Name of the profile of the model of --against; the name of its file,
    /// without extension, unless given
    #[arg(long, value_name = "NAME", requires = "against")]
    pub against_name: Option<String>,

    /// Folder of the recording; with --against, of the folders of both
    #[arg(long, value_name = "FOLDER", default_value = "engine_profiling")]
    pub out: PathBuf,

    /// Uninstrumented iterations among the measured ones, which tell what the
    /// recording costs; 0 for none
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub plain_iterations: u32,

    /// Repeat all facts of an operator on each of its events
    #[arg(long)]
    pub full_args: bool,

    /// Write the recording's workbook as well
    #[arg(long, value_name = "FILE.xlsx")]
    pub report: Option<PathBuf>,

    #[command(flatten)]
    pub force: ForceArguments,
}

impl RecordArguments {
    /// The files that are read.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let inputs = self.inputs.iter().map(|(_, file)| file);
        [&self.model.model].into_iter().chain(&self.against).chain(inputs).cloned().collect()
    }

    /// What is to be recorded: one model, or two in turns.
    pub(crate) fn specs(&self) -> Vec<LaunchSpec> {
        let first = self.model.model.as_path();
        let Some(second) = &self.against else {
            return vec![self.spec(first, self.name.clone(), &self.out)];
        };
        // A folder each, named after their files.
        let same = stem(first) == stem(second);
        let folder = |model: &Path, ending: &str| {
            let mut name = stem(model).to_os_string();
            if same {
                name.push(ending);
            }
            self.out.join(name)
        };
        let second_name = self.against_name.clone();
        let second_name =
            second_name.unwrap_or_else(|| stem(second).to_string_lossy().into_owned());
        vec![
            self.spec(first, self.name.clone(), &folder(first, "-a")),
            self.spec(second, second_name, &folder(second, "-b")),
        ]
    }

    fn spec(&self, model: &Path, profile: String, folder: &Path) -> LaunchSpec {
        let files = self.inputs.iter();
        LaunchSpec {
            engine: TRACT.name().to_string(),
            model: model.into(),
            dimensions: GivenDimensions {
                for_several: self.against.is_some(),
                ..self.model.sizes()
            },
            inputs: files.map(|(name, path)| (name.clone(), path.into())).collect(),
            seed: self.seed,
            schedule: Schedule {
                warmup: self.warmup,
                length: match self.duration {
                    Some(seconds) => Length::Duration(Duration::from_secs_f64(seconds)),
                    None => Length::Iterations(self.iterations),
                },
                plain: self.plain_iterations,
            },
            options: LaunchOptions {
                folder: folder.into(),
                profile,
                threads: self.threads,
                launches: self.launches,
                full_arguments: self.full_args,
                ..LaunchOptions::default()
            },
        }
    }
}

/// Name of a file without its extension.
fn stem(model: &Path) -> &OsStr {
    model.file_stem().unwrap_or(model.as_os_str())
}

fn input(text: &str) -> Result<(String, PathBuf), String> {
    let (name, file) = text.split_once('=').ok_or("expected NAME=FILE, such as image=cat.npy")?;
    Ok((name.to_string(), PathBuf::from(file)))
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("`{text}` is not a number of seconds"))?;
    if (0.0..=1e6).contains(&seconds) && seconds > 0.0 {
        Ok(seconds)
    } else {
        Err("expected more than 0 and at most 1000000 seconds".to_string())
    }
}
