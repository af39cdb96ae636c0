//! The command line. Types of the argument parser end here: what commands get
//! from it are the libraries' own.

mod against;
mod blocks;
mod choice;
mod compare;
mod convert;
mod costs;
mod engine;
mod files;
mod generate;
mod heading;
mod input;
mod numbers;
mod overview;
mod profiles;
mod project;
mod record;
mod regressions;
mod studies;
mod usage;
mod view;
mod xray;

pub(crate) use blocks::Xray;
pub(crate) use compare::{CheckArguments, CompareArguments};
pub(crate) use convert::ConvertArguments;
pub(crate) use engine::{EngineArguments, LibraryArguments};
pub(crate) use files::{ForceArguments, TableArguments};
pub(crate) use input::{InputArguments, ModelArguments};
pub(crate) use profiles::ProfilesArguments;
pub(crate) use project::ProjectArguments;
pub(crate) use record::{RecordArguments, Recordings};
pub(crate) use regressions::RegressionsArguments;
pub(crate) use studies::*;
pub(crate) use view::{FoldArguments, Format, FormatArguments, ViewArguments};
pub(crate) use xray::XrayArguments;

use crate::exit::FAILURE;
use crate::message::{self, Verbosity};
use anstream::ColorChoice;
use choice::choice;
use clap::builder::PossibleValuesParser;
use clap::{ArgAction, Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use numbers::sparsity;
use onnxray_report::commands_with_json;
use onnxray_text::printable;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process;

/// Profile ONNX models operator by operator: where the time goes, what changed, what sparsity
/// would save.
#[derive(Parser)]
#[command(
    version = concat!(env!("CARGO_PKG_VERSION"), " (", env!("ONNXRAY_BUILT"), ")"),
    arg_required_else_help = true,
    after_help = "Example:\n  \
    onnxray record model.onnx --dim sequence=128 -o report.html"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub command: Command,

    #[command(flatten)]
    pub messages: MessageArguments,
}

/// What is said besides results, and in which colours.
#[derive(Args)]
pub(crate) struct MessageArguments {
    /// When to use colours: auto is on a terminal unless NO_COLOR is set
    #[arg(long, global = true, default_value = "auto", value_parser = choice([
        ("auto".into(), ColorChoice::Auto),
        ("always".into(), ColorChoice::Always),
        ("never".into(), ColorChoice::Never),
    ]), help_heading = heading::GLOBAL)]
    pub color: ColorChoice,

    /// Print warnings and errors only: no progress, notes or hints
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = heading::GLOBAL)]
    quiet: bool,

    /// Also print which files are read, and as which format
    #[arg(short, long, global = true, help_heading = heading::GLOBAL)]
    verbose: bool,
}

impl MessageArguments {
    pub(crate) fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Usual,
        }
    }
}

impl Arguments {
    /// The arguments of this process, which ends here if it was asked for help, or
    /// wrongly.
    pub(crate) fn from_command_line() -> Arguments {
        let words = usage::joined();
        let parsed = commands().try_get_matches_from(&words);
        if parsed.as_ref().err().is_none_or(clap::Error::use_stderr)
            && let Some(error) = usage::torn(commands(), &words)
        {
            end(&error);
        }
        let once = |matches: clap::ArgMatches| {
            let unmeasured = || {
                let all = commands();
                unmeasured(&all, &matches).map(|message| usage::error(all, &message))
            };
            match usage::repeated(commands(), &matches).or_else(unmeasured) {
                Some(error) => Err(error),
                None => Arguments::from_arg_matches(&matches),
            }
        };
        let error = match parsed.and_then(once) {
            Ok(arguments) => return arguments,
            Err(error) => error,
        };
        if error.use_stderr() {
            end(&usage::explained(commands(), error));
        }
        // Help and version are results, and go to standard output: flushed, so that errors are told.
        let written = error.print().and_then(|()| io::stdout().flush());
        match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                message::error(format_args!("cannot write to standard output: {error}"));
                process::exit(FAILURE.into());
            }
            _ => process::exit(error.exit_code()),
        }
    }

    /// The arguments of a judgement, from words that a file holds; `None` if they are not.
    pub(crate) fn of_judgement(words: &[String]) -> Option<JudgeArguments> {
        let words = ["onnxray"].into_iter().chain(words.iter().map(String::as_str));
        let matches = commands().try_get_matches_from(words).ok()?;
        match Arguments::from_arg_matches(&matches).ok()?.command {
            Command::Study(StudyCommand::Judge(own)) => Some(*own),
            _ => None,
        }
    }

    /// Ends the program as wrong usage does.
    pub(crate) fn refuse(message: &str) -> ! {
        end(&usage::error(commands(), message))
    }
}

/// All commands and their arguments.
pub(crate) fn commands() -> clap::Command {
    let all = Arguments::command().mut_subcommand("compare", view::with_trackers);
    overview::grouped(repeatable(all))
}

/// The last of an option that is given twice holds, so that scripts may add to their own, but for
/// files to write: nobody would see that the first is missing.
fn repeatable(command: clap::Command) -> clap::Command {
    let command = command.mut_subcommands(repeatable);
    command.mut_args(|argument| match (argument.get_long(), argument.get_action()) {
        (Some("output"), _) => argument,
        (Some(_), ArgAction::Set | ArgAction::SetTrue) => {
            let own = argument.get_id().clone();
            argument.overrides_with(own)
        }
        _ => argument,
    })
}

/// Ends the program with what is wrong with its arguments. They stand in the message.
fn end(error: &clap::Error) -> ! {
    let text = error.render();
    let is_unprofiled = |argument: std::ffi::OsString| {
        let argument = argument.to_string_lossy();
        printable(&argument) == argument
    };
    let _ = match std::env::args_os().all(is_unprofiled) {
        true => error.print(),
        // Then it has no colours either.
        false => text
            .to_string()
            .lines()
            .try_for_each(|line| writeln!(io::stderr(), "{}", printable(line))),
    };
    process::exit(error.exit_code())
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Profile a model and save the recording
    Record(Box<RecordArguments>),
    /// Record the launch that standard input describes: how `record` starts its launches
    #[command(hide = true)]
    Launch,
    /// Do the job that standard input describes: what an engine may end, other commands have done so
    #[command(hide = true)]
    Work,
    /// Time the layers inside compiled providers: blocks between cuts that add up to the latency
    Xray(Box<XrayArguments>),
    /// Show where the time goes, per operator type and operator
    Summary(SummaryArguments),
    /// Write a recording as a page for a browser, or as a workbook
    Report(ReportArguments),
    /// Compare recordings layer by layer, and test whether differences are significant
    Compare(Box<CompareArguments>),
    /// Check a recording for noise, drift and too few samples
    Check(CheckArguments),
    #[command(flatten)]
    Study(StudyCommand),
    /// Count a model's operations without running it
    Flops(Box<FlopsArguments>),
    /// Project the latency with sparse weights
    Project(Box<ProjectArguments>),
    /// List, rename and remove the profiles in a profiles folder
    Profiles(ProfilesArguments),
    /// Of many comparisons, list the differences that hold at one false discovery rate
    Regressions(RegressionsArguments),
    /// Identify trace files; list the supported formats and the engines
    Inspect(InspectArguments),
    /// Convert recordings to CSV, Parquet or Arrow, and other traces to recordings
    Convert(ConvertArguments),
    /// Print the JSON schema of what a command prints with --format json
    #[command(after_help = "Example:\n  \
        onnxray schema summary > summary.schema.json")]
    Schema {
        /// The command
        #[arg(value_parser = PossibleValuesParser::new(commands_with_json()))]
        command: String,
    },
    /// Write a script that completes commands and options, for a shell
    #[command(after_help = "Examples:\n  \
        onnxray completions bash > ~/.local/share/bash-completion/completions/onnxray\n  \
        onnxray completions zsh > ~/.zfunc/_onnxray\n  \
        onnxray completions fish > ~/.config/fish/completions/onnxray.fish")]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write the manual's pages into a folder, as packages have them
    #[command(hide = true)]
    Manual {
        /// The folder, which is made if it is missing
        folder: PathBuf,
        #[command(flatten)]
        force: ForceArguments,
    },
}

impl Command {
    /// What it reads if nobody says so, and whether it reads all recordings of that; `None` if
    /// somebody does, or if it reads none.
    pub(crate) fn unnamed(&mut self) -> Option<(&mut Vec<PathBuf>, bool)> {
        let (recordings, all) = match self {
            Command::Summary(own) => (&mut own.input.recordings, own.per_recording),
            Command::Report(own) => (&mut own.input.recordings, false),
            Command::Check(own) => (&mut own.recordings, own.per_recording),
            Command::Project(own) => (&mut own.input.recordings, false),
            Command::Inspect(own) if !own.list && !own.engines => {
                (&mut own.input.recordings, false)
            }
            Command::Convert(own) => (&mut own.input.recordings, false),
            _ => return None,
        };
        recordings.is_empty().then_some((recordings, all))
    }

    /// Whether it runs a model over and over, and ends between two runs when it is asked to.
    pub(crate) fn runs_models(&self) -> bool {
        use Command::{Launch, Record, Study, Work, Xray};
        matches!(self, Study(_) | Record(_) | Xray(_) | Launch | Work)
    }
}

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    onnxray summary\n  \
    onnxray summary engine_profiling --level operator --format csv\n  \
    onnxray summary engine_profiling --level resource\n  \
    onnxray summary engine_profiling --level operator --group 'layer.*' --columns module,time_ms,share\n  \
    onnxray summary profiling_trace/profiling_*_0.json --level iteration\n\n\
    A folder stands for the newest recording in it, or for the profiles of another\n\
    runtime in it; several files for the launches of one recording.")]
pub(crate) struct SummaryArguments {
    #[command(flatten)]
    pub input: InputArguments,

    /// Show each recording on its own, of several runtimes or models, or all of a folder
    #[arg(long, help_heading = heading::READING, hide_short_help = true)]
    pub per_recording: bool,

    #[command(flatten)]
    pub view: ViewArguments,

    /// Sum up operators by the part of a path in their names, such as `layer.0` or
    /// `layer.*/attention`
    #[arg(long, value_name = "MODULE", value_delimiter = ',', help_heading = heading::DISPLAY)]
    pub group: Vec<String>,

    #[command(flatten)]
    pub fold: FoldArguments,

    #[command(flatten)]
    pub tables: TableArguments,
}

impl SummaryArguments {
    /// Whether the first screen is wanted: nobody asked for a table or a column.
    pub(crate) fn is_at_a_glance(&self) -> bool {
        let ViewArguments { level, shown, .. } = &self.view;
        shown.format == Format::Table && level.is_empty() && shown.columns.is_empty()
    }
}

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    onnxray report engine_profiling\n  \
    onnxray report engine_profiling -o report.xlsx\n  \
    onnxray report engine_profiling --ratios plan.json -o report.html")]
pub(crate) struct ReportArguments {
    #[command(flatten)]
    pub input: InputArguments,

    /// The page or the workbook to write; its name decides [default: the recording's name with
    /// .html, in the current folder; with --graph or --format: none]
    #[arg(short, long, alias = "report", value_name = "FILE.html|FILE.xlsx")]
    pub output: Option<PathBuf>,

    /// Write the operators' times as node data of Model Explorer, which colours the model's graph
    #[arg(long, value_name = "FILE.json", help_heading = heading::OUTPUT)]
    pub graph: Option<PathBuf>,

    /// On a page, also project with these settings: a workbook of `onnxray project`, a Neural
    /// Engine profile, or a file of `--save-settings`; later files override earlier ones
    #[arg(long, value_name = "FILE.xlsx|csv|json", help_heading = heading::RATIOS)]
    pub ratios: Vec<PathBuf>,

    /// Print everything that a page shows
    #[arg(long, value_parser = choice([("json".into(), Format::Json)]),
          help_heading = heading::DISPLAY, hide_short_help = true)]
    pub format: Option<Format>,

    #[command(flatten)]
    pub force: ForceArguments,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    onnxray inspect --list\n  \
    onnxray inspect --engines\n  \
    onnxray inspect onnxruntime_profile__2026-11-20_14-05-09.json\n\n\
    Reading is the same for all commands: `onnxray summary FILE` needs no inspection first.")]
pub(crate) struct InspectArguments {
    /// List the formats
    #[arg(long)]
    pub list: bool,

    /// List the engines that are installed, their versions, libraries and execution providers
    #[arg(long, conflicts_with = "list")]
    pub engines: bool,

    #[command(flatten)]
    pub own: LibraryArguments,

    #[command(flatten)]
    pub input: InputArguments,

    #[command(flatten)]
    pub shown: FormatArguments,

    #[command(flatten)]
    pub tables: TableArguments,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    onnxray flops model.onnx\n  \
    onnxray flops encoder.onnx --dim sequence=128 --all --format json\n  \
    onnxray flops model.onnx --engine onnxruntime\n  \
    onnxray flops model.onnx --budget 0.8 -o flops.html\n\n\
    A multiply-add counts as two operations; docs/statistics.md has the formulas.")]
pub(crate) struct FlopsArguments {
    #[command(flatten)]
    pub model: ModelArguments,

    #[command(flatten)]
    pub engine: EngineArguments,

    #[command(flatten)]
    pub view: ViewArguments,

    /// Distribute this share of the prunable parameters over the layers, by the FLOPs it saves
    #[arg(long, value_name = "SHARE", num_args = 0..=1, default_missing_value = "0.85",
          value_parser = sparsity)]
    pub budget: Option<f64>,

    /// Write a workbook (.xlsx) or a page (.html) with everything; with --format csv also each
    /// table
    /// into a file of its own in a folder
    #[arg(short, long, alias = "report", value_name = "FILE.html|FILE.xlsx|FOLDER")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub force: ForceArguments,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_do_not_contradict_each_other() {
        commands().debug_assert();
    }
}
