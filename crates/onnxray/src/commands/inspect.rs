//! `onnxray inspect`: the formats that can be read, and what files are.

use super::sources::input::Input;
use crate::args::{Format, InspectArguments};
use crate::destination::Destination;
use crate::exit::Ended;
use crate::message;
use onnxray_import::formats;
use onnxray_report::{formats_report, inputs_report};

pub(crate) fn run(arguments: InspectArguments) -> anyhow::Result<Ended> {
    if arguments.list {
        let output = Destination::tables([], &arguments.tables, &arguments.shown)?;
        let formats = formats::ALL.iter().map(|importer| importer.format);
        output.print(formats_report(formats))?;
        return Ok(Ended::Done);
    }
    let input = Input::find(&arguments.input)?;
    let output = Destination::tables(input.files(), &arguments.tables, &arguments.shown)?;
    let launches = input.read_each()?.concat();
    super::warn_of(&launches);
    output.print(inputs_report(&launches))?;
    if arguments.shown.format == Format::Table {
        message::hint("onnxray summary shows where their time goes");
    }
    Ok(Ended::Done)
}
