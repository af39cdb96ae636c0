//! The files that commands write, and whether they may replace others.

use clap::Args;
use std::path::PathBuf;

/// Whether files may be replaced.
#[derive(Args, Clone, Copy, Default)]
pub(crate) struct ForceArguments {
    /// Replace files that already exist
    #[arg(long)]
    pub force: bool,
}

/// Where the tables of a report go that has no workbook.
#[derive(Args)]
pub(crate) struct TableArguments {
    /// With --format csv, write each table into a file of its own in this folder
    #[arg(short, long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub force: ForceArguments,
}
