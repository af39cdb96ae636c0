//! `onnxray convert`: recordings for other tools, and other traces as ours.

use super::sources::input::Input;
use crate::args::{Arguments, ConvertArguments};
use crate::destination::is_report;
use crate::engine_process::apart;
use crate::exit::Ended;
use crate::message;
use crate::output_files::OutputFiles;
use crate::print;
use onnxray_analyzer::convert;
use onnxray_analyzer::convert::{
    Executions, Target, convert_compact, files, have_averages, profile_csv, stream,
};
use onnxray_import::Launch;
use onnxray_recorder::calibrate;
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::engine::onnxruntime::OnnxRuntimeOptions;
use onnxray_text::shown;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn run(arguments: ConvertArguments) -> anyhow::Result<Ended> {
    let target = Target::of(&arguments.output);
    if arguments.streams() && arguments.table.is_empty() {
        Arguments::refuse("-o - needs --table: which tables go to standard output");
    }
    if target.is_none() && !arguments.streams() {
        let hint = match is_report(&arguments.output) {
            true => "\nhint: onnxray report RECORDING -o FILE writes a page or a workbook",
            false => "",
        };
        anyhow::bail!(
            "{}: expected a name that ends in .json, .csv, .parquet or .arrow{hint}",
            shown(&arguments.output)
        );
    }
    if target == Some(Target::Recording) && !arguments.table.is_empty() {
        Arguments::refuse("--table needs an output that has tables: .csv, .parquet, .arrow, or -");
    }
    if target == Some(Target::Recording) && arguments.kind != Executions::All {
        Arguments::refuse("--kind needs an output that has tables: .csv, .parquet, .arrow, or -");
    }
    if target != Some(Target::Recording) && arguments.compact {
        Arguments::refuse("--compact needs a recording as output, which ends in .json");
    }
    if target != Some(Target::Recording) && arguments.profile_csv.is_some() {
        Arguments::refuse("--profile-csv needs a recording as output, which ends in .json");
    }
    let engine = arguments.calibrate_with.as_ref().map(engine);
    if engine.is_some() && target != Some(Target::Recording) {
        Arguments::refuse("--calibrate-with needs a recording as output, which ends in .json");
    }
    // After the refusals: the process that `apart` begins would only repeat them.
    apart(engine.as_ref(), || write(&arguments, engine.as_ref()))
}

fn write(arguments: &ConvertArguments, engine: Option<&EngineSpec>) -> anyhow::Result<Ended> {
    let input = Input::find(&arguments.input)?;
    if arguments.streams() {
        let launches = input.read()?;
        super::warn_of(&launches);
        print::stream(|out| stream(&launches, &arguments.table, arguments.kind, out))?;
        return Ok(Ended::Done);
    }
    let tables = arguments.tables();
    let outputs = OutputFiles::new(input.files(), arguments.force);
    // How many launches there are is only known when they were read.
    let is_one = input.is_one_file() || arguments.compact;
    let early = files(&arguments.output, &tables, usize::from(is_one));
    early.iter().chain(&arguments.profile_csv).try_for_each(|file| outputs.check(file))?;
    if let Some(csv) = &arguments.profile_csv {
        outputs.check_distinct(&arguments.output, csv)?;
        check_place(csv, &arguments.input.recordings)?;
    }
    check_place(&arguments.output, &arguments.input.recordings)?;
    let mut launches = input.read()?;
    super::warn_of(&launches);
    if let Some(engine) = engine {
        add_calibration(&mut launches, engine)?;
    }
    if arguments.compact {
        convert_compact(launches, &arguments.output, outputs.force)?;
        print::say(arguments.output.display())?;
        return Ok(Ended::Done);
    }
    // Only now all names are known. Checked together, so that a refusal leaves nothing half
    // written.
    let all = files(&arguments.output, &tables, launches.len());
    all.iter().try_for_each(|file| outputs.check(file))?;
    if let Some(csv) = &arguments.profile_csv {
        profile_csv(launches.clone(), csv, outputs.force)?;
        print::say(csv.display())?;
    }
    let are_operators = arguments.table.iter().any(|table| table.key == "operators");
    if are_operators && !have_averages(&launches) {
        message::note(
            "this table says what operators are; times of each: onnxray summary RECORDING \
             --level operator --format csv --all",
        );
    }
    for file in convert(&launches, &tables, arguments.kind, &arguments.output, outputs.force)? {
        print::say(file.display())?;
    }
    Ok(Ended::Done)
}

/// Refuses an output in an input folder: the next reading would include it.
fn check_place(output: &Path, words: &[PathBuf]) -> anyhow::Result<()> {
    let parent = output.parent().filter(|folder| !folder.as_os_str().is_empty());
    // A folder that does not exist yet cannot be one that was read.
    let Ok(place) = fs::canonicalize(parent.unwrap_or(Path::new("."))) else { return Ok(()) };
    for folder in words.iter().filter(|word| word.is_dir()) {
        // Both resolved, so that neither links nor `..` hide that one is in the other.
        if fs::canonicalize(folder).is_ok_and(|folder| place.starts_with(folder)) {
            anyhow::bail!(
                "{}: is inside {}, which is read, and would become part of it\n\
                 hint: choose a name outside of it",
                shown(output),
                shown(folder)
            );
        }
    }
    Ok(())
}

/// ONNX Runtime, from this library.
fn engine(library: &PathBuf) -> EngineSpec {
    let library = Some(library.into());
    EngineSpec::OnnxRuntime(OnnxRuntimeOptions { library, ..OnnxRuntimeOptions::default() })
}

/// Measures the profiling cost of `engine`, for launches that another program profiled in it.
fn add_calibration(launches: &mut [Launch], engine: &EngineSpec) -> anyhow::Result<()> {
    for launch in launches {
        let file = launch.files.first().map(|file| shown(file).to_string()).unwrap_or_default();
        if launch.calibration.is_some() {
            anyhow::bail!("{file}: it was calibrated before");
        }
        if !launch.run.is_of_onnx_runtime() {
            anyhow::bail!("{file}: --calibrate-with is for profiles of ONNX Runtime");
        }
        launch.calibration = Some(calibrate(engine, launch.run.threads.unwrap_or(1))?);
    }
    Ok(())
}
