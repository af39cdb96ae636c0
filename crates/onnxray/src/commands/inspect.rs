//! `onnxray inspect`: the formats that can be read, the engines that are installed, and what files
//! are.

use super::sources::input::Input;
use crate::args::{Format, InspectArguments};
use crate::destination::Destination;
use crate::engine_process::apart;
use crate::exit::Ended;
use crate::message;
use onnxray_import::formats;
use onnxray_recorder::engine::{EngineSpec, libraries};
use onnxray_report::{FoundLibrary, engines_report, formats_report, inputs_report};

pub(crate) fn run(arguments: InspectArguments) -> anyhow::Result<Ended> {
    if arguments.list {
        let output = Destination::tables([], &arguments.tables, &arguments.shown)?;
        let formats = formats::ALL.iter().map(|importer| importer.format);
        output.print(formats_report(formats))?;
        return Ok(Ended::Done);
    }
    if arguments.engines {
        let output = Destination::tables([], &arguments.tables, &arguments.shown)?;
        let engines = || EngineSpec::all().into_iter().map(|engine| arguments.own.of(engine));
        let foreign = engines().find(|engine| engine.capabilities().is_foreign);
        return apart(foreign.as_ref(), || {
            output.print(engines_report(engines().flat_map(|engine| found(&engine))))?;
            Ok(Ended::Done)
        });
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

/// The libraries of an engine and of its providers.
fn found(engine: &EngineSpec) -> Vec<FoundLibrary> {
    let found = libraries(engine).into_iter().map(|library| FoundLibrary {
        engine: engine.name(),
        version: library.version,
        file: library.file,
        providers: library.providers,
        failure: library.failure.map(|failure| failure.replace('\n', "; ")),
    });
    found.collect()
}
