//! The arguments of `onnxray record` about a second recording, interleaved with the
//! first.

use super::choice::choice;
use super::engine::{EngineOptions, engine};
use super::heading;
use super::input::SizeArguments;
use super::numbers::{duration, positive, precision, whole};
use clap::error::ErrorKind;
use clap::{ArgGroup, Args, Parser};
use onnxray_analyzer::comparison::Field;
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::{GivenDimensions, Turns};
use onnxray_study::until::Goal;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
#[command(
    group = ArgGroup::new("second")
        .args(["against", "against_options", "against_engine", "against_library"])
        .multiple(true)
)]
pub(crate) struct AgainstArguments {
    /// Also record this model, interleaved with the first (A/B); all options apply to both
    #[arg(long, value_name = "MODEL.onnx",
          help_heading = heading::COMPARISON)]
    pub against: Option<PathBuf>,

    /// Also record with this engine
    #[arg(long, value_name = "ENGINE", value_parser = engine(), ignore_case = true,
          help_heading = heading::COMPARISON)]
    pub against_engine: Option<EngineSpec>,

    /// Also record with this other build of ONNX Runtime: its libonnxruntime.so, or the folder of a
    /// Python package
    #[arg(long, value_name = "FILE|FOLDER",
          help_heading = heading::COMPARISON, hide_short_help = true)]
    pub against_library: Option<PathBuf>,

    /// Options in which the second recording differs: --threads, --batch-size, --dim, --no-vzeroupper, and
    /// those of ONNX Runtime. Without --against, of the same model
    #[arg(long, value_name = "OPTIONS",
          allow_hyphen_values = true, value_parser = options, help_heading = heading::COMPARISON)]
    pub against_options: Option<SecondOptions>,

    /// Name of the second profile [default: its file without the extension, or its options]. The
    /// folder is named after the file, with -a and -b where both are of one name
    #[arg(long, value_name = "NAME", help_heading = heading::COMPARISON, hide_short_help = true)]
    pub against_name: Option<String>,

    /// Interleave by iterations, in one process for both, or by launches, in a process each
    /// [default:
    /// iterations; with --against-library: launches]
    #[arg(long, value_name = "TURNS", value_parser = choice([
        ("iterations".into(), Turns::Iterations),
        ("launches".into(), Turns::Launches),
    ]), help_heading = heading::COMPARISON, hide_short_help = true)]
    pub interleave: Option<Turns>,

    /// Iterations before it is the other's turn [default: enough for 10 ms]
    #[arg(long, value_name = "N", value_parser = positive, help_heading = heading::COMPARISON,
          hide_short_help = true)]
    pub iterations_per_turn: Option<NonZeroU32>,

    /// Add launches until the ratio of A and B is known to ±SHARE, such as 1% (95 % interval)
    #[arg(long, value_name = "SHARE", conflicts_with = "launches",
          value_parser = precision, help_heading = heading::COMPARISON)]
    pub until: Option<f64>,

    /// Time limit of --until: start no launch later than 90s, 10m, 1h [default: 10m]
    #[arg(long, value_name = "TIME", value_parser = duration,
          help_heading = heading::COMPARISON, hide_short_help = true)]
    pub time_limit: Option<Duration>,
}

/// Time limit of --until unless one is given.
const TIME_LIMIT: Duration = Duration::from_secs(600);

impl AgainstArguments {
    /// Whether there is a second recording.
    pub(crate) fn is_given(&self) -> bool {
        let AgainstArguments { against, against_options, against_engine, against_library, .. } =
            self;
        against.is_some()
            || against_options.is_some()
            || against_engine.is_some()
            || against_library.is_some()
    }

    /// Refuses options of two recordings where there is one.
    pub(crate) fn check(&self) -> Result<(), String> {
        let given = [
            ("--against-name", self.against_name.is_some()),
            ("--interleave", self.interleave.is_some()),
            ("--iterations-per-turn", self.iterations_per_turn.is_some()),
            ("--until", self.until.is_some()),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given && !self.is_given()) {
            Some((option, _)) => Err(format!(
                "{option} needs a second recording: --against MODEL.onnx, or --against-options, \
                 --against-engine or --against-library"
            )),
            None if self.time_limit.is_some() && self.until.is_none() => {
                Err("--time-limit is for --until, which adds launches; how long each launch \
                     measures is --duration 10s, and how many there are --launches 5"
                    .to_string())
            }
            None if self.iterations_per_turn.is_some() && self.by_launches() => {
                Err("--iterations-per-turn is for turns by iterations, and these are by launches"
                    .to_string())
            }
            None => Ok(()),
        }
    }

    /// Whether each launch has a process of its own: two libraries do not fit into one.
    fn by_launches(&self) -> bool {
        self.interleave == Some(Turns::Launches)
            || self.interleave.is_none() && self.against_library.is_some()
    }

    /// What tells the second recording from the first, if it is of the same model.
    pub(crate) fn text(&self) -> String {
        let engine = self.against_engine.as_ref().map(|engine| engine.name().to_string());
        let library = self.against_library.as_deref().map(|path| path.display().to_string());
        let options = self.against_options.as_ref().map(|options| options.text.clone());
        let parts: Vec<String> = [engine, library, options].into_iter().flatten().collect();
        parts.join(" ")
    }

    /// What a comparison finds different on purpose.
    pub(crate) fn differences(&self) -> Vec<Field> {
        let own = self.against_options.as_ref();
        let mut fields = own.map_or(Vec::new(), |own| own.arguments.differences());
        if self.against_engine.is_some() {
            // Another engine implies the others.
            fields.extend([Field::Engine, Field::Version, Field::EngineOptions, Field::Registers]);
        }
        if self.against_library.is_some() {
            fields.push(Field::Version);
        }
        // An option and the engine may name one field.
        fields.sort_unstable();
        fields.dedup();
        fields
    }

    pub(crate) fn goal(&self) -> Option<Goal> {
        let time_limit = self.time_limit.unwrap_or(TIME_LIMIT);
        self.until.map(|half_width| Goal { half_width, time_limit })
    }
}

/// What the second recording has of its own.
#[derive(Clone)]
pub(crate) struct SecondOptions {
    /// As they were given.
    pub text: String,
    pub arguments: SecondArguments,
}

/// Options of the second recording, read from a text.
#[derive(Clone, Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
pub(crate) struct SecondArguments {
    #[command(flatten)]
    pub sizes: SizeArguments,

    #[arg(long, value_parser = whole::<u32>(1..=1024))]
    pub threads: Option<u32>,

    #[arg(long)]
    pub no_vzeroupper: bool,

    #[command(flatten)]
    pub engine: EngineOptions,
}

impl SecondArguments {
    /// Sizes of the second, where these are of both.
    pub(super) fn sizes_over(&self, both: GivenDimensions) -> GivenDimensions {
        GivenDimensions {
            batch_size: self.sizes.batch_size.or(both.batch_size),
            // Of two sizes for one dimension the last stays: the second's own.
            sizes: both.sizes.into_iter().chain(self.sizes.dimensions.clone()).collect(),
            ..both
        }
    }

    fn differences(&self) -> Vec<Field> {
        let has_sizes = self.sizes.batch_size.is_some() || !self.sizes.dimensions.is_empty();
        let fields = [
            // A free dimension may be the batch.
            (Field::Batch, has_sizes),
            (Field::Shapes, has_sizes),
            (Field::Threads, self.threads.is_some()),
            (Field::Registers, self.no_vzeroupper),
            (Field::EngineOptions, self.engine != EngineOptions::default()),
        ];
        fields.into_iter().filter(|(_, differs)| *differs).map(|(field, _)| field).collect()
    }
}

pub(super) fn options(text: &str) -> Result<SecondOptions, String> {
    let words = shlex::split(text).ok_or("a quote is not closed")?;
    let arguments = SecondArguments::try_parse_from(words).map_err(|error| {
        // The usage that follows is not of a command that anyone can type.
        let message = error.to_string();
        let first = message.lines().next().unwrap_or_default();
        let first = first.strip_prefix("error: ").unwrap_or(first);
        match error.kind() {
            ErrorKind::UnknownArgument => format!(
                "{first}; it takes --threads, --batch-size, --dim, --no-vzeroupper, --sparse, and \
                 options of ONNX Runtime"
            ),
            _ => first.to_string(),
        }
    })?;
    // Another library decides whether both fit into one process, and what `Field` differs: it has
    // an option of its own.
    match arguments.engine.engine_library {
        Some(_) => Err("the second engine library is given by --against-library".to_string()),
        None => Ok(SecondOptions { text: text.trim().to_string(), arguments }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_the_second_are_words_of_a_shell() {
        let read = options(" --threads 2 --dim 'past + 1=3' ").map(|options| options.arguments);
        let read = read.unwrap();
        assert_eq!((read.threads, read.no_vzeroupper), (Some(2), false));
        assert_eq!(read.sizes.dimensions, [("past + 1".to_string(), 3)]);
        let library = "--engine-library lib";
        for wrong in
            ["--threads", "--threads 0", "--seed 3", "model.onnx", "--dim 'x", "--help", library]
        {
            assert!(options(wrong).is_err(), "{wrong}");
        }
    }
}
