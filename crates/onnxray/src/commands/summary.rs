//! `onnxray summary`: where the time of a recording goes.

use super::first_screen::{self, words};
use super::sources::input::{Input, examined, named};
use super::sources::unknown_names;
use crate::args::SummaryArguments;
use crate::destination::{Destination, ONE_LEVEL};
use crate::exit::Ended;
use crate::message;
use crate::print::{self, NotWritten};
use onnxray_analyzer::comparison::Recording;
use onnxray_analyzer::{Needs, Summary, Timeline};
use onnxray_import::Launch;
use onnxray_report::{Document, FirstScreenSelection, Selection, summary_report, with_profile};
use std::path::PathBuf;

pub(crate) fn run(arguments: SummaryArguments) -> anyhow::Result<Ended> {
    let named = named(&arguments.input.recordings)?;
    let input = Input::find(&arguments.input)?;
    let output = Destination::tables(input.files(), &arguments.tables, &arguments.view.shown)?;
    let output = output.hinting(ONE_LEVEL);
    if arguments.is_at_a_glance() {
        return at_a_glance(&arguments, input);
    }
    if !arguments.per_recording {
        let summary = input.examined(Needs::AnyLatency, |examined| examined.summary)?;
        unknown_names::check_modules(&arguments.group, &summary)?;
        let mut report = report(&summary, &arguments);
        if let Some(named) = named.filter(|_| arguments.view.level.is_empty()) {
            report = with_profile(report, &named);
        }
        output.print(report)?;
        return Ok(Ended::Done);
    }
    let recordings = input.read_each()?;
    let count = recordings.len();
    let mut not_written = None;
    for (number, launches) in recordings.into_iter().enumerate() {
        let title = format!("recording {} of {count}: {}", number + 1, names(&launches));
        let summary = examined(launches, Needs::AnyLatency, |examined| examined.summary)?;
        let mut report = report(&summary, &arguments);
        report.headline.insert(0, title);
        match output.print_part(number + 1, count, report) {
            Ok(()) => {}
            // The tables of the others are written all the same.
            Err(error) if error.is::<NotWritten>() => not_written = Some(error),
            Err(error) => return Err(error),
        }
    }
    not_written.map_or(Ok(Ended::Done), Err)
}

/// Shows the first screen; warnings and caveats go to standard error.
fn at_a_glance(arguments: &SummaryArguments, input: Input) -> anyhow::Result<Ended> {
    let words = words(&arguments.input.recordings);
    if !arguments.per_recording {
        let examined = input.examined(Needs::AnyLatency, |examined| examined.into_timeline())?;
        let recording = recording(String::new(), examined);
        unknown_names::check_modules(&arguments.group, &recording.summary)?;
        show(arguments, &recording, words)?;
        return Ok(Ended::Done);
    }
    let recordings = input.read_each()?;
    let count = recordings.len();
    for (number, launches) in recordings.into_iter().enumerate() {
        let title = format!("recording {} of {count}: {}", number + 1, names(&launches));
        let files: Vec<PathBuf> =
            launches.iter().flat_map(|launch| launch.files.iter().cloned()).collect();
        let examined = examined(launches, Needs::AnyLatency, |examined| examined.into_timeline())?;
        let recording = recording(title.clone(), examined);
        if number > 0 {
            print::say("")?;
        }
        print::say(title)?;
        show(arguments, &recording, first_screen::words(&files))?;
    }
    Ok(Ended::Done)
}

fn recording(label: String, (summary, timeline): (Summary, Option<Timeline>)) -> Recording {
    Recording { label, summary, timeline }
}

fn show(
    arguments: &SummaryArguments,
    recording: &Recording,
    words: Option<String>,
) -> anyhow::Result<()> {
    super::warn(&recording.summary);
    recording.summary.caveats.iter().for_each(message::note);
    let selection = FirstScreenSelection {
        fold: arguments.fold.is_wanted(),
        modules: arguments.group.clone(),
        ..arguments.view.first_screen(words)
    };
    let check = first_screen::checked(recording);
    let screen = onnxray_report::first_screen(&recording.summary, check.as_ref(), &selection);
    print::print_first_screen(&screen, &arguments.view.shown)
}

fn report(summary: &Summary, arguments: &SummaryArguments) -> Document {
    let modules = arguments.group.clone();
    let repeats = arguments.fold.repeats(arguments.view.shown.format);
    let selection = Selection { modules, repeats, ..arguments.view.selection() };
    let mut report = summary_report(summary, &selection);
    if !arguments.view.level.is_empty() {
        // Who names levels wants these alone.
        print::print_notes(&mut report);
    }
    report
}

fn names(launches: &[Launch]) -> String {
    let files = launches.iter().flat_map(|launch| &launch.files);
    let names: Vec<String> = files.map(|file| file.display().to_string()).collect();
    match &names[..] {
        [first, _, _, _, ..] => format!("{first} and {} more files", names.len() - 1),
        names => names.join(", "),
    }
}
