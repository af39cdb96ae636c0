//! The files that commands write, and whether they may replace others.

use super::heading;
use clap::Args;
use std::path::PathBuf;

/// Whether files may be replaced.
#[derive(Args, Clone, Copy, Default)]
pub(crate) struct ForceArguments {
    /// Overwrite existing files
    #[arg(long, help_heading = heading::OUTPUT)]
    pub force: bool,
}

/// Where a report goes that has a workbook and a page.
#[derive(Args)]
pub(crate) struct OutputArguments {
    /// Write a page for a browser, or a workbook; with --format csv, one file per table into a
    /// folder
    #[arg(short, long, alias = "report", help_heading = heading::OUTPUT,
          value_name = "FILE.html|FILE.xlsx|FOLDER")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub force: ForceArguments,
}

/// Where the tables of a report go that has no workbook.
#[derive(Args)]
pub(crate) struct TableArguments {
    /// With --format csv, write one file per table into this folder
    #[arg(short, long, value_name = "FOLDER", help_heading = heading::OUTPUT,
          hide_short_help = true)]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub force: ForceArguments,
}
