//! `onnxray import`: the formats that can be read, and what files are.

use crate::args::ImportArguments;
use crate::exit::Ended;
use crate::output::{self, Format};
use onnxray_analyzer::report::{formats_report, inputs_report};

pub(crate) fn run(arguments: ImportArguments) -> anyhow::Result<Ended> {
    if arguments.list {
        output::print(formats_report(), arguments.format)?;
        return Ok(Ended::Done);
    }
    let launches = super::read(&arguments.input)?;
    super::warn_of(&launches);
    output::print(inputs_report(&launches), arguments.format)?;
    if arguments.format == Format::Table {
        eprintln!("hint: onnxray summary tells where their time goes");
    }
    Ok(Ended::Done)
}
