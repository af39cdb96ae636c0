//! The arguments of `onnxray profiles`.

use super::files::TableArguments;
use super::view::FormatArguments;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Examples:\n  \
    onnxray profiles encoder\n  \
    onnxray profiles encoder --format json\n  \
    onnxray profiles encoder --rename baseline=batch-1\n  \
    onnxray profiles encoder --remove batch-1\n\n\
    `onnxray record --profiles encoder --name batch-8 …` and `onnxray sweep` add profiles;\n\
    every command that takes a recording takes encoder:batch-8. Sensitivity profiles in\n\
    the folder are also listed: `onnxray sensitivity encoder.onnx --save encoder/loss.json`.")]
pub(crate) struct ProfilesArguments {
    /// Profiles folder: the one with onnxray.project.json
    #[arg(default_value = ".", value_name = "DIR")]
    pub folder: PathBuf,

    /// Remove a profile; its recording stays
    #[arg(long, value_name = "NAME")]
    pub remove: Vec<String>,

    /// Rename a profile
    #[arg(long, value_name = "OLD=NEW", value_parser = names)]
    pub rename: Vec<String>,

    #[command(flatten)]
    pub shown: FormatArguments,

    #[command(flatten)]
    pub tables: TableArguments,
}

fn names(text: &str) -> Result<String, &'static str> {
    // Which of several `=` parts the names, the profiles decide.
    match text.contains('=') {
        true => Ok(text.to_string()),
        false => Err("expected OLD=NEW, such as baseline=batch-1"),
    }
}
