//! `onnxray import`: the formats that can be read, and what files are.

use super::input::Input;
use crate::args::ImportArguments;
use crate::destination::Destination;
use crate::exit::Ended;
use crate::output::Format;
use crate::output_files::OutputFiles;
use onnxray_analyzer::report::{formats_report, inputs_report};

pub(crate) fn run(arguments: ImportArguments) -> anyhow::Result<Ended> {
    if arguments.list {
        let outputs = OutputFiles::new([], arguments.tables.force);
        let output = Destination::tables(&arguments.tables, arguments.format, &outputs)?;
        output.write(formats_report(), arguments.format, "")?;
        return Ok(Ended::Done);
    }
    let input = Input::find(&arguments.input)?;
    let outputs = OutputFiles::new(input.files(), arguments.tables.force);
    let output = Destination::tables(&arguments.tables, arguments.format, &outputs)?;
    let launches = input.read_each()?.concat();
    super::warn_of(&launches);
    output.write(inputs_report(&launches), arguments.format, "")?;
    if arguments.format == Format::Table {
        eprintln!("hint: onnxray summary tells where their time goes");
    }
    Ok(Ended::Done)
}
