//! The arguments of `onnxray regressions`.

use super::files::TableArguments;
use super::heading;
use super::numbers::probability;
use super::view::FormatArguments;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    onnxray compare main/encoder branch/encoder --format json >> all.json\n  \
    onnxray compare main/cnn branch/cnn --format json >> all.json\n  \
    onnxray regressions all.json\n  \
    onnxray regressions all.json --format json | jq '.layers'\n\n\
    Of many comparisons, some find a difference by chance. Of what is listed here, at most\n\
    5 % is expected to be false, over all comparisons together.")]
pub(crate) struct RegressionsArguments {
    /// JSON of `onnxray compare A B --format json`, one or more of them one after the other in a
    /// file; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// False discovery rate: the share of what is listed that may be expected to be false
    #[arg(long, value_name = "SHARE", default_value = "0.05", value_parser = probability,
          help_heading = heading::COMPARISON)]
    pub alpha: f64,

    /// Fail if anything in the input is lost, instead of a warning
    #[arg(long, help_heading = heading::READING)]
    pub strict: bool,

    #[command(flatten)]
    pub shown: FormatArguments,

    #[command(flatten)]
    pub tables: TableArguments,
}
