//! `onnxray convert`: recordings for other tools, and other traces as ours.

use crate::args::ConvertArguments;
use crate::exit::Ended;
use crate::output;
use crate::progress::Progress;
use onnxray_analyzer::convert;
use onnxray_analyzer::convert::Target;

pub(crate) fn run(arguments: ConvertArguments) -> anyhow::Result<Ended> {
    if Target::of(&arguments.output).is_none() {
        anyhow::bail!(
            "{}: expected a name that ends in .json, .csv, .parquet or .arrow",
            arguments.output.display()
        );
    }
    let progress = Progress::working(format!("reading {} files", arguments.input.recordings.len()));
    let launches = super::read(&arguments.input);
    progress.clear();
    let launches = launches?;
    super::warn_of(&launches);
    for file in convert(&launches, &arguments.output)? {
        output::say(file.display())?;
    }
    Ok(Ended::Done)
}
