//! The models and traces that commands read, and how.

use super::choice::choice;
use super::heading;
use super::numbers::whole;
use clap::Args;
use clap::builder::{PossibleValue, TypedValueParser};
use onnxray_format::Phase;
use onnxray_import::{Importer, MarkPattern, Options, Phases, Reading, formats};
use onnxray_recorder::{GivenDimensions, InputFiles};
use std::path::PathBuf;

/// The model and the sizes of its inputs.
#[derive(Args)]
pub(crate) struct ModelArguments {
    /// ONNX file
    pub model: PathBuf,

    #[command(flatten)]
    pub sizes: SizeArguments,
}

/// The sizes of a model's inputs.
#[derive(Args, Clone)]
pub(crate) struct SizeArguments {
    /// Size of the batch dimension [default: 1]
    #[arg(long, alias = "batch-sizes", value_name = "N", value_parser = batch_size,
          help_heading = heading::MODEL)]
    pub batch_size: Option<u64>,

    /// Size of a free dimension, by its name in the model, or INPUT.AXIS where it has none
    #[arg(long = "dim", help_heading = heading::MODEL, value_name = "NAME=SIZE",
          value_parser = dimension)]
    pub dimensions: Vec<(String, u64)>,
}

impl SizeArguments {
    /// As the recorder takes them.
    pub(crate) fn given(&self) -> GivenDimensions {
        GivenDimensions {
            batch_size: self.batch_size,
            sizes: self.dimensions.iter().cloned().collect(),
            for_several: false,
            shapes: Default::default(),
        }
    }
}

/// What the inputs of a model hold.
#[derive(Args)]
pub(crate) struct ValueArguments {
    /// Values of an input, from a NumPy file; other inputs get valid random values
    #[arg(long = "input", value_name = "NAME=FILE.npy|.npz", value_parser = input,
          help_heading = heading::MODEL)]
    inputs: Vec<(String, PathBuf)>,

    /// Seed of random inputs
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX),
          help_heading = heading::MODEL, hide_short_help = true)]
    pub seed: u64,
}

impl ValueArguments {
    /// The files that are read.
    pub(crate) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.inputs.iter().map(|(_, file)| file)
    }

    pub(crate) fn files_mut(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        self.inputs.iter_mut().map(|(_, file)| file)
    }

    /// As the recorder takes them.
    pub(crate) fn inputs(&self) -> InputFiles {
        self.inputs.iter().map(|(name, path)| (name.clone(), path.into())).collect()
    }
}

/// Recordings, and the traces of other runtimes.
#[derive(Args)]
pub(crate) struct InputArguments {
    /// Trace files of any runtime (`onnxray inspect --list`), plain, .gz or .zst; a folder of them,
    /// or
    /// one that `record` wrote; a pattern such as 'run_*.json', or names separated by commas; `-`
    /// for
    /// standard input [default: engine_profiling]
    #[arg(value_name = "RECORDING")]
    pub recordings: Vec<PathBuf>,

    #[command(flatten)]
    pub reading: ReadingArguments,

    /// Model to take weights, sparsity, FLOPs and node types from, for the operators of the trace
    #[arg(long = "model", value_name = "MODEL.onnx", help_heading = heading::READING)]
    pub onnx: Option<PathBuf>,

    /// Size of a free dimension of that model
    #[arg(long = "dim", help_heading = heading::READING, value_name = "NAME=SIZE",
          value_parser = dimension, requires = "onnx")]
    pub dimensions: Vec<(String, u64)>,
}

impl InputArguments {
    /// Our own recordings, as they are.
    pub(crate) fn files(files: &[PathBuf]) -> InputArguments {
        InputArguments {
            recordings: files.to_vec(),
            reading: ReadingArguments::default(),
            onnx: None,
            dimensions: Vec::new(),
        }
    }
}

/// How traces are read.
#[derive(Args, Default)]
pub(crate) struct ReadingArguments {
    /// Read as this format instead of detecting it
    #[arg(long, value_name = "FORMAT", value_parser = importer(), help_heading = heading::READING,
          hide_short_help = true)]
    pub from: Option<&'static Importer>,

    /// Phase of a decoder that generated [default: decode; to convert, both]
    #[arg(long, value_name = "PHASE", value_parser = choice(
        Phase::ALL.map(|phase| (phase.name().into(), phase))
    ), help_heading = heading::READING, hide_short_help = true)]
    pub phase: Option<Phase>,

    /// Treat the first N iterations of each launch as warm-up and leave them out of statistics;
    /// iterations that the recording flags as warm-up count among them and stay flagged
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=u32::MAX.into()),
          help_heading = heading::READING, hide_short_help = true)]
    pub warmup: Option<u32>,

    /// Take the annotations of a PyTorch trace, or the events of a Chrome trace, that are called
    /// so for iterations; `*` is any text, as in 'step[DECODE*'
    #[arg(long, value_name = "PATTERN", help_heading = heading::READING, hide_short_help = true)]
    pub iteration_marks: Option<String>,

    /// Fail if anything in the input is lost, instead of a warning
    #[arg(long, help_heading = heading::READING, hide_short_help = true)]
    pub strict: bool,
}

impl ReadingArguments {
    pub(crate) fn reading(&self) -> Reading {
        let phases = self.phase.map(Phases::One).unwrap_or_default();
        Reading {
            format: self.from,
            strict: self.strict,
            phases,
            warmup: self.warmup,
            options: Options {
                iteration_marks: self.iteration_marks.as_deref().map(MarkPattern::new),
                ..Options::default()
            },
        }
    }

    /// The same with all phases, unless one is asked for.
    pub(crate) fn reading_all(&self) -> Reading {
        let phases = self.phase.map_or(Phases::All, Phases::One);
        Reading { phases, ..self.reading() }
    }
}

fn importer() -> impl TypedValueParser<Value = &'static Importer> {
    let named = |&importer: &&'static Importer| {
        let name = PossibleValue::new(importer.format.name);
        // As packages and papers call it.
        let short =
            if importer.format.name == "onnxruntime" { &["ort", "onnxrt"][..] } else { &[] };
        (name.aliases(short), importer)
    };
    choice(formats::ALL.iter().map(named))
}

pub(super) fn dimension(text: &str) -> Result<(String, u64), String> {
    let has_size =
        |text: &str| text.rsplit_once('=').is_some_and(|(_, size)| size.parse::<u64>().is_ok());
    let several =
        text.split_once(',').filter(|(first, second)| has_size(first) && has_size(second));
    if let Some((first, second)) = several {
        return Err(format!("one dimension; write --dim {first} --dim {second}"));
    }
    // A name may hold `=` itself; a size cannot.
    let (name, size) = text.rsplit_once('=').ok_or("expected NAME=SIZE, such as sequence=128")?;
    let size: u64 = size.parse().map_err(|_| match size.contains(',') {
        true => format!("one size; onnxray sweep --dim {text} takes several"),
        false => format!("`{size}` is not a whole number"),
    })?;
    if size == 0 {
        return Err("a dimension of size 0 holds nothing to run".to_string());
    }
    Ok((name.to_string(), size))
}

fn batch_size(text: &str) -> Result<u64, String> {
    match (text.contains(','), text.parse()) {
        (true, _) => {
            Err(format!("one at a time; `onnxray sweep --batch-sizes {text}` takes several"))
        }
        (false, Ok(0)) | (false, Err(_)) => Err("expected a whole number from 1 on".to_string()),
        (false, Ok(size)) => Ok(size),
    }
}

fn input(text: &str) -> Result<(String, PathBuf), String> {
    let (name, file) = text.split_once('=').ok_or("expected NAME=FILE, such as image=cat.npy")?;
    Ok((name.to_string(), PathBuf::from(file)))
}
