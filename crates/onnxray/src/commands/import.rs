//! `onnxray import`: the formats that can be read, and what files are.

use crate::args::ImportArguments;
use crate::exit::Ended;
use crate::message;
use crate::output::{self, Format};
use onnxray_analyzer::report::{formats_report, inputs_report};

pub(crate) fn run(arguments: ImportArguments) -> anyhow::Result<Ended> {
    if arguments.list {
        output::print(formats_report(), &arguments.table)?;
        return Ok(Ended::Done);
    }
    let launches = super::read(&arguments.input)?;
    super::warn_of(&launches);
    output::print(inputs_report(&launches), &arguments.table)?;
    if arguments.table.format == Format::Table {
        message::hint("onnxray summary says where their time goes");
    }
    Ok(Ended::Done)
}
