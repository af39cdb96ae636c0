//! `onnxray convert`: recordings for other tools, and other traces as ours.

use super::input::Input;
use crate::args::ConvertArguments;
use crate::exit::Ended;
use crate::output;
use crate::output_files::OutputFiles;
use onnxray_analyzer::convert;
use onnxray_analyzer::convert::{Target, files};
use onnxray_format::shown;

pub(crate) fn run(arguments: ConvertArguments) -> anyhow::Result<Ended> {
    if Target::of(&arguments.output).is_none() {
        anyhow::bail!(
            "{}: expected a name that ends in .json, .csv, .parquet or .arrow",
            shown(&arguments.output)
        );
    }
    let input = Input::find(&arguments.input)?;
    let outputs = OutputFiles::new(input.files(), arguments.force);
    // How many launches there are is only known when they were read.
    let early = files(&arguments.output, if input.is_one_file() { 1 } else { 0 });
    early.iter().try_for_each(|file| outputs.check(file))?;
    let launches = input.read()?;
    super::warn_of(&launches);
    files(&arguments.output, launches.len()).iter().try_for_each(|file| outputs.check(file))?;
    for file in convert(&launches, outputs.file(&arguments.output))? {
        output::say(file.display())?;
    }
    Ok(Ended::Done)
}
