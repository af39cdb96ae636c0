//! What is said of a recording in the end.

use super::empty::empty_results;
use crate::args::InputArguments;
use crate::commands::sources::input::Input;
use crate::{message, print};
use onnxray_analyzer::comparison::{Check, Recording};
use onnxray_analyzer::convert::profile_csv_of;
use onnxray_analyzer::{Details, Examined, Needs};
use onnxray_format::layout;
use onnxray_import::literal;
use onnxray_recorder::engine::onnxruntime;
use onnxray_recorder::{FailedInstance, LaunchSpec, ended};
use onnxray_report::{FirstScreenSelection, Rows, first_screen};
use onnxray_text::{printable, shown as shown_path};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

/// Prefix of messages about a recording; empty if there is only one.
pub(super) fn label(spec: &LaunchSpec) -> String {
    let folder = Path::new(&spec.options.folder);
    match folder.file_name().filter(|_| spec.dimensions.for_several) {
        Some(name) => format!("{}: ", printable(&name.to_string_lossy())),
        None => String::new(),
    }
}

/// The model's file, in one line.
pub(super) fn shown(spec: &LaunchSpec) -> String {
    printable(&spec.model.to_string_lossy())
}

/// Reports that a recording was interrupted.
pub(super) fn tell_interrupted(recorded: bool) {
    message::line(match recorded {
        true => "interrupted; what was recorded until then is kept",
        false => "interrupted; nothing was recorded",
    });
}

/// Names the files of launches before the one that failed.
pub(super) fn tell_kept(files: &[PathBuf]) {
    for file in files {
        message::note(format_args!("{} is kept", shown_path(file)));
    }
}

/// Reports an instance that failed.
pub(super) fn tell_failed_instance(failed: &FailedInstance, instances: u32) {
    let FailedInstance { instance, status } = failed;
    message::error(format_args!(
        "instance {} of {instances} failed ({}); what the others recorded is kept",
        instance + 1,
        ended(*status)
    ));
}

/// Reads what was recorded, and reports losses and caveats.
pub(super) fn examine(
    spec: &LaunchSpec,
    files: &[PathBuf],
) -> anyhow::Result<(Recording, Details)> {
    let kept = |examined: Examined| (examined.details(), examined.into_timeline());
    let arguments = InputArguments::files(files);
    let (details, (summary, timeline)) =
        Input::find(&arguments)?.examined(Needs::Measured, kept)?;
    let label = label(spec);
    for loss in summary.warnings.iter().filter(|warning| warning.loss) {
        message::warning(format_args!("{label}{loss}"));
    }
    if let Some(empty) = empty_results(&summary.operators) {
        message::warning(format_args!("{label}{empty}"));
    }
    for caveat in &summary.caveats {
        message::note(format_args!("{label}{caveat}"));
    }
    if let Some(csv) = csv_of_all(files) {
        // Another run of `record` cannot have the same time in its names.
        if let Err(error) = profile_csv_of(&summary, &csv, true) {
            message::warning(format_args!("{label}{error}"));
        }
    }
    // Above, it began messages; in reports, it is a name.
    let label = label.trim_end_matches(": ").to_string();
    Ok((Recording { label, summary, timeline }, details))
}

/// The CSV of all launches of a recording, beside that of each; `None` if there is one launch.
fn csv_of_all(files: &[PathBuf]) -> Option<PathBuf> {
    let [first, _, ..] = files else { return None };
    let (name, _) = first.file_stem()?.to_str()?.rsplit_once('_')?;
    let folder = first.parent()?.parent()?;
    Some(folder.join(layout::CSV_FOLDER).join(format!("{name}.csv")))
}

/// Shows the first screen of a recording, and leaves this many lines for text below.
pub(super) fn show(recording: &Recording, check: Option<&Check>, files: &[PathBuf], below: usize) {
    let words = Some(word(files));
    let rows = Rows::above(below);
    let selection = FirstScreenSelection { rows, words, ..FirstScreenSelection::default() };
    print::show_report(&first_screen(&recording.summary, check, &selection));
}

/// Prints the place of a recording.
pub(super) fn tell_place(name: &str, files: &[PathBuf]) {
    let launches = match files.len() {
        0 | 1 => String::new(),
        count => format!(" ({count} launches)"),
    };
    message::line(format_args!("{name}{}{launches}", word(files)));
}

/// Prints the name of a recording to standard output, unless a terminal has shown it already.
pub(super) fn say_files(files: &[PathBuf]) -> anyhow::Result<()> {
    match pattern(files) {
        Some(pattern) if !(message::is_watched() && io::stdout().is_terminal()) => {
            print::say(pattern.display())
        }
        _ => Ok(()),
    }
}

/// One word of a shell for all launches of a recording, and for no later recording.
pub(super) fn word(files: &[PathBuf]) -> String {
    pattern(files).map_or(String::new(), |pattern| message::quoted(&pattern))
}

/// The file of a single launch, or a pattern for all launches, which every command accepts.
fn pattern(files: &[PathBuf]) -> Option<PathBuf> {
    let (first, others) = files.split_first()?;
    let of_all = |time| {
        let folder = first.parent().map(literal).unwrap_or_default();
        folder.join(format!("profiling_{time}_*.json"))
    };
    // A single launch is named by its file: a pattern could not be shorter.
    let all = layout::time_of(first).filter(|_| !others.is_empty()).map(of_all);
    Some(all.unwrap_or_else(|| first.clone()))
}

/// Suggests an engine that is installed and was not chosen.
pub(super) fn hint_of_engine(was_chosen: bool) {
    if was_chosen || message::is_quiet() {
        return;
    }
    if let Some(version) = onnxruntime::installed() {
        message::hint(format_args!(
            "ONNX Runtime {version} is installed: --engine onnxruntime records with it"
        ));
    }
}
