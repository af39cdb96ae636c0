//! `onnxray compare`: versions of a model next to a baseline.

use crate::args::{CompareArguments, RecordingArgument};
use crate::exit::Ended;
use crate::output::{self, Format};
use crate::progress::Progress;
use anyhow::bail;
use onnxray_analyzer::Share;
use onnxray_analyzer::comparison::{
    Comparison, Gate, Recording, Verdict, compare, exceeds, gate, stored_summary,
};
use onnxray_analyzer::printable;
use onnxray_analyzer::report::{
    ComparisonSelection, ComparisonView, comparison_report, write_comparison,
};
use onnxray_analyzer::{Trace, examine};
use onnxray_import::Reading;
use std::path::Path;

pub(crate) fn run(arguments: CompareArguments) -> anyhow::Result<Ended> {
    if let Some(path) = &arguments.output {
        output::check_workbook(path)?;
    }
    let (stored, baseline_file) = baseline(&arguments)?;
    let named = baseline_file.iter().chain(std::iter::once(&arguments.baseline));
    let all: Vec<&RecordingArgument> = named.chain(&arguments.versions).collect();
    let read = recordings(&all, &arguments.reading.reading())?;
    let recordings: Vec<Recording> = stored.into_iter().chain(read).collect();
    let mut options = arguments.test.options();
    options.expected_differences.clone_from(&arguments.expect_different);
    let [baseline, versions @ ..] = &recordings[..] else { bail!("nothing to compare") };
    let comparisons = versions
        .iter()
        .map(|version| Ok(compare(baseline, version, &options)?))
        .collect::<anyhow::Result<Vec<Comparison>>>()?;
    if let Some(other) = comparisons.iter().find(|c| !c.is_one_model() && !arguments.anyway) {
        bail!(different_models(other));
    }
    let versions: Vec<&Recording> = versions.iter().collect();
    let report = comparison_report(baseline, &versions, &comparisons, &selection(&arguments));
    if let Some(path) = &arguments.output {
        write_comparison(baseline, &versions, &comparisons, path)?;
    }
    output::print(report, arguments.format)?;
    if let Some(path) = &arguments.output {
        eprintln!("wrote {}", path.display());
    }
    Ok(passed(&comparisons, &arguments))
}

/// The baseline that an option names: a stored summary, or a recording to be read as the
/// others are.
fn baseline(
    arguments: &CompareArguments,
) -> anyhow::Result<(Option<Recording>, Option<RecordingArgument>)> {
    let Some(file) = &arguments.baseline_file else { return Ok((None, None)) };
    let argument =
        RecordingArgument { text: file.display().to_string(), files: vec![file.clone()] };
    let stored = stored_summary(file, &short_label(&argument))?;
    let recording = stored.is_none().then_some(argument);
    Ok((stored, recording))
}

/// Reads recordings, each with a name of its own. Reading takes all cores, figures
/// take one: those of one are computed while the next is read.
pub(crate) fn recordings(
    arguments: &[&RecordingArgument],
    reading: &Reading,
) -> anyhow::Result<Vec<Recording>> {
    let progress = Progress::working("reading".to_string());
    let recordings = std::thread::scope(|scope| {
        let mut examined = Vec::new();
        for (argument, label) in arguments.iter().zip(labels(arguments)) {
            let launches = super::read_files(&argument.files, reading)?;
            examined.push(scope.spawn(move || -> anyhow::Result<Recording> {
                let (summary, timeline) = examine(&Trace::new(launches)?)?;
                Ok(Recording { label, summary, timeline })
            }));
        }
        let joined = examined.into_iter().map(|thread| match thread.join() {
            Ok(recording) => recording,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.collect()
    });
    progress.clear();
    recordings
}

/// The last part of each path, or the whole where that does not tell them apart.
fn labels(arguments: &[&RecordingArgument]) -> Vec<String> {
    let short: Vec<String> = arguments.iter().map(|argument| short_label(argument)).collect();
    let is_unique = |label: &String| short.iter().filter(|other| *other == label).count() == 1;
    match short.iter().all(is_unique) {
        true => short,
        false => arguments.iter().map(|argument| long_label(argument)).collect(),
    }
}

fn short_label(argument: &RecordingArgument) -> String {
    let path = argument.files.first().map(|file| file.as_path()).unwrap_or(Path::new(""));
    let name = if path.is_dir() { path.file_name() } else { path.file_stem() };
    let name = name.map(|name| name.to_string_lossy().into_owned());
    // Of `profile.json.gz`, only the last part is off.
    let name = name.map(|name| name.strip_suffix(".json").map(str::to_string).unwrap_or(name));
    name.unwrap_or_else(|| argument.text.clone())
}

fn long_label(argument: &RecordingArgument) -> String {
    match &argument.files[..] {
        [first, _, ..] => format!("{} …", first.display()),
        _ => argument.text.clone(),
    }
}

fn different_models(comparison: &Comparison) -> String {
    let share = |side: usize| match comparison.aligned[side] {
        Some(share) => format!("{:.0} %", share.0 * 100.0),
        None => "an unknown share".to_string(),
    };
    let [a, b] = &comparison.labels;
    format!(
        "{a} and {b} seem to be of different models: by names, tensors and shapes, {} of the time \
         of {a} and {} of that of {b} align; use --anyway to compare them",
        share(0),
        share(1)
    )
}

fn selection(arguments: &CompareArguments) -> ComparisonSelection {
    let programs = matches!(arguments.format, Format::Json | Format::Csv);
    let everything = programs || arguments.all;
    let mut views = arguments.view.clone();
    if views.is_empty() {
        let with_details = everything || arguments.layer.is_some();
        let is_wanted = |view: &ComparisonView| with_details || *view != ComparisonView::Details;
        views = ComparisonView::ALL.into_iter().filter(is_wanted).collect();
    }
    ComparisonSelection {
        views,
        rows: (!everything).then_some(arguments.top),
        layer: arguments.layer.clone(),
        totals: !programs,
    }
}

/// Whether what was asked for not to be is not.
fn passed(comparisons: &[Comparison], arguments: &CompareArguments) -> Ended {
    if arguments.fail_on.is_empty() && arguments.fail_above.is_none() {
        return Ended::Done;
    }
    let wanted = Gate {
        verdicts: arguments.fail_on.clone(),
        above: arguments.fail_above.map(Share),
        alpha: arguments.test.alpha,
        share: arguments.min_share,
    };
    let mut ended = Ended::Done;
    for comparison in comparisons {
        let fields: Vec<&str> =
            comparison.guard.disturbing().map(|difference| difference.field.name()).collect();
        if !fields.is_empty() {
            eprintln!(
                "failed: {} is not comparable: {} differ",
                printable(&comparison.labels[1]),
                fields.join(", ")
            );
            return Ended::NotComparable;
        }
        warn_if_undecided(comparison, &wanted);
        for failure in gate(comparison, &wanted) {
            eprintln!("failed: {}", printable(&failure.text));
            failure.worst.iter().for_each(|layer| eprintln!("  {}", printable(layer)));
            ended = Ended::Failed;
        }
    }
    ended
}

/// What passes only because nothing could be found.
fn warn_if_undecided(comparison: &Comparison, wanted: &Gate) {
    let change = &comparison.total.change;
    let (verdict, verdict_is, key) = match change.verdict {
        Some(Verdict::NotTested) | None => (Verdict::NotTested, "was not tested", "not-tested"),
        Some(Verdict::Inconclusive) => (Verdict::Inconclusive, "is inconclusive", "inconclusive"),
        _ => return,
    };
    let fails = wanted.above.is_some_and(|limit| exceeds(change, limit, wanted.alpha));
    if fails || wanted.verdicts.contains(&verdict) {
        return;
    }
    eprintln!(
        "warning: {} {verdict_is}, which passes; --fail-on slower,{key} would fail",
        printable(&comparison.labels[1])
    );
}
