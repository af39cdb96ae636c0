//! `onnxray compare`: versions of a model next to a baseline.

use super::sources::sides::{self, Side};
use super::sources::unknown_names;
use super::sources::usual::recordings_in;
use crate::args::{Arguments, CompareArguments, Format};
use crate::destination::Destination;
use crate::exit::Ended;
use crate::message;
use anyhow::bail;
use onnxray_analyzer::comparison::{
    Compared, ComparedCost, Comparison, Cost, Difference, Failure, Field, Finding, Gate, Grade,
    Options, Recording, Verdict, check, compare, gate,
};
use onnxray_analyzer::profiles::Named;
use onnxray_analyzer::quantity::percent;
use onnxray_format::Run;
use onnxray_report::{
    ComparisonReport, ComparisonSelection, ComparisonView, Folding, Report, write_ratios_for_graph,
};
use onnxray_text::{printable, shown};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::PathBuf;

pub(crate) fn run(mut arguments: CompareArguments) -> anyhow::Result<Ended> {
    let is_model = |word: &PathBuf| {
        word.extension().is_some_and(|end| end.eq_ignore_ascii_case("onnx")) && word.is_file()
    };
    if let (Some(a), [b]) = (&arguments.baseline, &arguments.versions[..])
        && [a, b].into_iter().all(is_model)
    {
        bail!(
            "compare takes recordings, and these are models
\
             hint: onnxray record {} --against {} records both and compares them",
            message::quoted(a),
            message::quoted(b)
        );
    }
    // First: both may decide what B is.
    let is_found = take_newest(&mut arguments);
    take_profiles(&mut arguments)?;
    let sides = sides(&arguments)?;
    let files = sides.iter().flat_map(|side| side.sources.all_files()).cloned();
    let output = Destination::of(files, arguments.force, &arguments.output, &arguments.shown)?;
    let output = output.hinting("--view VIEW shows one");
    // Refused here, before recordings are read: that may take minutes.
    if let Some(graph) = &arguments.graph {
        if arguments.versions.len() > 1 {
            Arguments::refuse("--graph has room for one version: onnxray compare A B");
        }
        output.files.check_json(graph)?;
    }
    let mut recordings = sides::read(sides, &arguments.reading.reading())?;
    if is_found {
        older_first(&mut recordings);
    }
    output.check_rows(&recordings.iter().map(|known| &known.summary).collect::<Vec<_>>())?;
    let mut options = arguments.options();
    options.expected_differences.clone_from(&arguments.expect_different);
    let [baseline, versions @ ..] = &recordings[..] else { bail!("nothing to compare") };
    let comparisons = versions
        .iter()
        .map(|version| Ok(compare(baseline, version, &options)?))
        .collect::<anyhow::Result<Vec<Comparison>>>()?;
    // Figures of different models would mislead: nothing is written.
    if let Some(other) =
        comparisons.iter().find(|c| !c.is_one_model() && !arguments.allow_model_mismatch)
    {
        if is_found {
            refuse_newest(&arguments);
        }
        let why = different_models(other);
        // A job that gates is told apart what is slower, and what cannot be known.
        if arguments.gate.gate().is_empty() {
            bail!(why);
        }
        message::failed(format_args!("{} is not comparable: {why}", printable(&other.labels[1])));
        return Ok(Ended::NotComparable);
    }
    warn_of_one_recording(&comparisons);
    if let Some(layer) = &arguments.layer {
        unknown_names::check_layer(layer, &recordings)?;
    }
    let versions: Vec<&Recording> = versions.iter().collect();
    let report = ComparisonReport { baseline, versions: &versions, comparisons: &comparisons };
    output.write(&report)?;
    if let (Some(graph), [version], [comparison]) =
        (&arguments.graph, &versions[..], &comparisons[..])
    {
        let sides = [&baseline.summary, &version.summary];
        output.files.write(graph, |file| write_ratios_for_graph(sides, comparison, file))?;
        output.files.written(graph);
    }
    // Last, so that a closed pipe costs neither the report nor the node data.
    let mut document = report.document(&selection(&arguments));
    if let Some(answer) = &mut document.answer {
        answer.passed = is_passed(&comparisons, &arguments.gate.gate());
    }
    let printed = output.print(document);
    let recordings: Vec<&Recording> = recordings.iter().collect();
    ended(printed, passed(&comparisons, &recordings, &arguments))
}

/// Where B is left out, and a folder is named or none: its two newest recordings. True if these are
/// taken.
fn take_newest(arguments: &mut CompareArguments) -> bool {
    if !arguments.versions.is_empty() || arguments.baseline_file.is_some() {
        return false;
    }
    let named = arguments.baseline.as_deref();
    if named.is_some_and(|word| !word.is_dir() || Named::of(word).is_some()) {
        return false;
    }
    match &recordings_in(named)[..] {
        [newest, older, ..] => {
            message::note(format_args!("compared are {} and {}", shown(older), shown(newest)));
            arguments.baseline = Some(older.clone());
            arguments.versions.push(newest.clone());
            true
        }
        _ => false,
    }
}

/// Recordings of one `record A --against B` begin in the same second: A is the one whose first
/// launch came first.
fn older_first(recordings: &mut [Recording]) {
    let position = |recording: &Recording| {
        recording.summary.run.interleaved.as_ref().map(|interleaved| interleaved.position)
    };
    if let [first, second] = recordings {
        let [a, b] = [&*first, &*second].map(|side| &side.summary.run);
        let with = |run: &Run| run.interleaved.as_ref().map(|interleaved| interleaved.with.clone());
        let is_pair =
            with(a).as_ref() == Some(&b.recording) && with(b).as_ref() == Some(&a.recording);
        if is_pair && position(first) > position(second) {
            std::mem::swap(first, second);
        }
    }
}

/// The newest two are of different models: which other ones there are.
fn refuse_newest(arguments: &CompareArguments) -> ! {
    let taken: Vec<&PathBuf> = arguments.baseline.iter().chain(&arguments.versions).collect();
    let folder = taken.first().and_then(|word| word.parent());
    let all = recordings_in(folder);
    let names = |words: &mut dyn Iterator<Item = &PathBuf>| -> Vec<String> {
        words.map(|word| shown(word).to_string()).collect()
    };
    let newest = names(&mut taken.iter().copied()).join(" and ");
    let others = names(&mut all.iter().filter(|word| !taken.contains(word)));
    let others = match others.is_empty() {
        true => String::new(),
        false => format!("; here are also {}", onnxray_text::first_of(&others, ", ")),
    };
    Arguments::refuse(&format!(
        "compare needs two recordings of one model, and the newest two, {newest}, seem to be of \
         different ones{others}: onnxray compare A B"
    ))
}

/// What a comparison of too few recordings may have meant.
fn refuse_one(arguments: &CompareArguments) -> ! {
    let here = recordings_in(None);
    let is_named = |word: &&PathBuf| Some(*word) != arguments.baseline.as_ref();
    let others: Vec<&PathBuf> = here.iter().filter(is_named).collect();
    let first = arguments.baseline.as_deref().map_or("A".to_string(), message::quoted);
    let text = match (others.first(), &arguments.baseline) {
        (Some(other), Some(_)) => {
            let names: Vec<String> = others.iter().map(|word| shown(word).to_string()).collect();
            format!(
                "compare needs two recordings; here are also {}: onnxray compare {first} {}",
                onnxray_text::first_of(&names, ", "),
                message::quoted(other)
            )
        }
        (Some(other), None) => format!(
            "compare needs two recordings, and here is one: onnxray compare {} B",
            message::quoted(other)
        ),
        (None, _) => {
            "compare needs two recordings: onnxray compare A B (only where A is a profile, \
                      DIR:PROFILE, B can be left out: then it is the one with the best throughput)"
                .to_string()
        }
    };
    Arguments::refuse(&text)
}

/// Applies what profiles of a project imply: a default for B, and expected differences.
fn take_profiles(arguments: &mut CompareArguments) -> anyhow::Result<()> {
    let named = arguments.baseline.as_deref().and_then(Named::of).transpose()?;
    let is_without_b = arguments.versions.is_empty() && arguments.baseline_file.is_none();
    if arguments.baseline.is_none() || is_without_b {
        let (Some(named), Some(baseline)) = (&named, &arguments.baseline) else {
            refuse_one(arguments)
        };
        let best = best_version(named, baseline, arguments)?;
        arguments.versions.push(best);
    }
    let CompareArguments { versions, expect_different, .. } = arguments;
    let are_profiles = versions.iter().all(|word| matches!(Named::of(word), Some(Ok(_))));
    if named.is_some() && are_profiles {
        // Who names two configurations knows that they are two.
        expect_different.extend(Field::CONFIGURATION);
    }
    Ok(())
}

/// The best of the other profiles that are of a version of the same model.
fn best_version(
    named: &Named,
    baseline: &PathBuf,
    arguments: &CompareArguments,
) -> anyhow::Result<PathBuf> {
    let Named { project, profile } = named;
    // Another file may be the same model, quantized, or something else: each is looked at once.
    let mut is_version = HashMap::from([(&profile.model, true)]);
    for other in project.others_by_throughput(profile) {
        let word = PathBuf::from(format!("{}:{}", project.folder.display(), other.name));
        let is_version = match is_version.entry(&other.model) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => *new.insert(are_versions(baseline, &word, arguments)?),
        };
        if is_version {
            message::note(format_args!(
                "{} is compared to {}, which has the best throughput of the others",
                printable(&profile.name),
                printable(&other.name)
            ));
            return Ok(word);
        }
    }
    bail!(
        "{} has no other profile of {}, or of a version of it, with a known throughput",
        shown(&project.folder),
        printable(&profile.model)
    )
}

/// True if two recordings look like versions of one model.
fn are_versions(a: &PathBuf, b: &PathBuf, arguments: &CompareArguments) -> anyhow::Result<bool> {
    let recordings = sides::read(sides::sides(&[a, b], &[])?, &arguments.reading.reading())?;
    match &recordings[..] {
        [a, b] => Ok(compare(a, b, &arguments.options())?.is_one_model()),
        _ => Ok(false),
    }
}

/// Merges how the command and its gate ended: a failed gate outranks a failed write.
pub(super) fn ended(written: anyhow::Result<()>, ended: Ended) -> anyhow::Result<Ended> {
    match (written, ended) {
        (written, Ended::Done) => written.map(|()| Ended::Done),
        (Ok(()), ended) => Ok(ended),
        (Err(error), ended) => {
            message::error(error);
            Ok(ended)
        }
    }
}

/// The recordings to read, by the names that the user gives them: the baseline, and what is
/// compared to it.
fn sides(arguments: &CompareArguments) -> anyhow::Result<Vec<Side>> {
    let named = arguments.baseline.iter().chain(&arguments.versions);
    let words: Vec<&PathBuf> = arguments.baseline_file.iter().chain(named).collect();
    if arguments.name_b.len() > words.len() - 1 {
        Arguments::refuse("more names of --name-b than recordings that are compared to A");
    }
    let of_versions = arguments.name_b.iter().map(|name| Some(name.as_str()));
    let names: Vec<Option<&str>> =
        std::iter::once(arguments.name_a.as_deref()).chain(of_versions).collect();
    sides::sides(&words, &names)
}

fn warn_of_one_recording(comparisons: &[Comparison]) {
    if comparisons.iter().any(|comparison| comparison.is_one_recording) {
        message::warning(
            "A and B are the same recording: there is nothing to compare; `onnxray check` tells how \
             much one recording differs in itself",
        );
    }
}

pub(super) fn different_models(comparison: &Comparison) -> String {
    format!("{}; use --allow-model-mismatch to compare them", of_other_models(comparison))
}

/// That both seem to be of different models.
pub(super) fn of_other_models(comparison: &Comparison) -> String {
    let share = |side: usize| match comparison.aligned[side] {
        Some(share) => format!("{:.0} %", share.0 * 100.0),
        None => "an unknown share".to_string(),
    };
    let [a, b] = &comparison.labels;
    format!(
        "{a} and {b} seem to be of different models: by names, tensors and shapes, {} of the time \
         of {a} and {} of that of {b} align",
        share(0),
        share(1)
    )
}

fn selection(arguments: &CompareArguments) -> ComparisonSelection {
    let format = arguments.shown.format;
    let everything = format.is_for_programs() || arguments.rows.all;
    let mut views = arguments.view.clone();
    if views.is_empty() {
        // Details are long; who names a layer wants to see inside it.
        let with_details = everything || arguments.layer.is_some();
        let is_wanted = |view: &ComparisonView| with_details || *view != ComparisonView::Details;
        views = ComparisonView::ALL.into_iter().filter(is_wanted).collect();
    }
    ComparisonSelection {
        views,
        rows: arguments.rows.most(format),
        layer: arguments.layer.clone(),
        folding: folding(arguments),
        totals: !format.is_for_programs(),
        sure_causes: !format.is_for_programs() && arguments.view.is_empty(),
    }
}

/// JSON has both tables, as programs that read layers know nothing of patterns. CSV has room for one.
fn folding(arguments: &CompareArguments) -> Folding {
    match (arguments.shown.format, arguments.fold.wanted()) {
        (_, Some(false)) => Folding::Layers,
        (Format::Json, _) => Folding::Both,
        (_, Some(true)) => Folding::Patterns,
        // Who names a layer wants to see that one.
        (format, None) if format.is_for_programs() || arguments.layer.is_some() => Folding::Layers,
        (_, None) => Folding::Patterns,
    }
}

/// Whether all versions pass the gate; `None` without one.
fn is_passed(comparisons: &[Comparison], wanted: &Gate) -> Option<bool> {
    let passes = |comparison: &Comparison| {
        !comparison.is_one_recording
            && comparison.comparability.not_comparable().next().is_none()
            && gate(comparison, wanted).failures.is_empty()
    };
    (!wanted.is_empty()).then(|| comparisons.iter().all(passes))
}

/// Prints what the gate says of each version; the first that cannot be compared ends it. `recordings` are
/// the baseline and the versions, or none, if nothing is to be said of how far they are to be trusted.
pub(super) fn passed(
    comparisons: &[Comparison],
    recordings: &[&Recording],
    arguments: &CompareArguments,
) -> Ended {
    let wanted = arguments.gate.gate();
    if wanted.is_empty() {
        return Ended::Done;
    }
    let mut ended = Ended::Done;
    for (number, comparison) in comparisons.iter().enumerate() {
        if let Some(apart) = apart(comparison) {
            let fields = comparison.comparability.not_comparable();
            let keys: Vec<&str> = fields.map(|difference| difference.field.key()).collect();
            let hint = match keys.is_empty() {
                true => String::new(),
                false => format!("; if that is the point, --expect-different {}", keys.join(",")),
            };
            let label = printable(&comparison.labels[1]);
            message::failed(format_args!("{label} is not comparable: {apart}{hint}"));
            return Ended::NotComparable;
        }
        let gated = gate(comparison, &wanted);
        for failure in &gated.failures {
            message::failed(named(failure));
            ended = Ended::Failed;
        }
        if !gated.failures.is_empty() {
            let sides = recordings.first().into_iter().chain(recordings.get(number + 1));
            doubt(comparison, sides.copied());
        }
        if let Some(passed) = gated.passed {
            let verdict = comparison.decisive().change.verdict;
            // Decided and within the limit, or not gated: no other `--fail-on` is worth a hint.
            let is_within = matches!(verdict, Some(Verdict::Inconclusive | Verdict::Slower))
                && !gated.is_undecided;
            let hint = match is_within || !wanted.is_of_latency() {
                true => "",
                false => hint_of_undecided(comparison, &wanted),
            };
            let of_cpu = hint_of_cpu(comparison, &wanted).filter(|_| gated.is_undecided);
            let text = printable(&(passed + hint + &of_cpu.unwrap_or_default()));
            match gated.is_undecided {
                true => message::undecided(text),
                false => message::passed(text),
            }
        }
    }
    ended
}

/// Says that other programs may be why sides differ that did not take turns: one is not to be compared.
pub(super) fn doubt<'a>(comparison: &Comparison, sides: impl Iterator<Item = &'a Recording>) {
    if comparison.decisive().basis.is_in_turns() {
        return;
    }
    let untrusted = |side: &Recording| {
        let check = check(side, &Options::default());
        let finding = check.findings.into_iter().find(|finding| finding.grade == Grade::Bad)?;
        let Finding { subject, found, .. } = finding;
        Some(format!("{} is not to be compared ({subject}: {found})", side.label))
    };
    let doubts: Vec<String> = sides.filter_map(untrusted).collect();
    if !doubts.is_empty() {
        message::warning(format_args!(
            "{}: the machine may be the cause; record A --against B decides",
            printable(&doubts.join("; "))
        ));
    }
}

/// Why times of both sides do not tell which is faster.
pub(super) fn apart(comparison: &Comparison) -> Option<String> {
    // One recording against itself would always pass, and hide a mistake in a CI job.
    if comparison.is_one_recording {
        return Some("A and B are the same recording".to_string());
    }
    let differing: Vec<&Difference> = comparison.comparability.not_comparable().collect();
    let fields: Vec<String> = differing.iter().map(|difference| difference.named()).collect();
    let hint = hint_of_spinning(&differing);
    (!fields.is_empty()).then(|| format!("{} differ{hint}", printable(&fields.join(", "))))
}

/// The engine's option that says whether they do.
const SPINNING: &str = "spinning";

/// Threads that are idle spin in a recording of one model, and not beside another one.
fn hint_of_spinning(differing: &[&Difference]) -> &'static str {
    let mut options = differing.iter().flat_map(|difference| difference.options());
    match options.any(|(option, _)| option == SPINNING) {
        true => {
            " (`record --against` switches spinning off: record both with it, or both with --ort \
             spinning=no)"
        }
        false => "",
    }
}

/// A failure, and the layers that it names.
fn named(failure: &Failure) -> String {
    let worst = failure.worst.iter().map(|layer| format!("\n  {}", printable(layer)));
    printable(&failure.text) + &worst.collect::<String>()
}

/// The gate that is decided where the latency is not: other programs make an inference wait, and
/// hardly take more of its CPU time. `None` if CPU times are unknown, or have a limit.
fn hint_of_cpu(comparison: &Comparison, wanted: &Gate) -> Option<String> {
    let limit = wanted.whole.above?;
    let is_limited = wanted.costs.iter().any(|(cost, _)| *cost == Cost::CpuTime);
    let is_known = |own: &ComparedCost| {
        own.cost == Cost::CpuTime && own.change.ratio.is_some() && !own.depends_on_load
    };
    let is_known = comparison.costs.iter().any(is_known);
    (is_known && !is_limited).then(|| {
        format!(
            "; --fail-cpu-above {}% limits the CPU time, which other programs change less",
            percent(limit.0)
        )
    })
}

/// Names the option that would fail what passed for lack of evidence; empty if it is in use.
fn hint_of_undecided(comparison: &Comparison, wanted: &Gate) -> &'static str {
    let Compared { change, basis, .. } = comparison.decisive();
    let (verdict, hint) = match change.verdict {
        Some(Verdict::NotTested) | None => {
            (Verdict::NotTested, "; --fail-on slower,not-tested would fail it")
        }
        // Already interleaved: `record --against` would tell no more.
        Some(Verdict::Inconclusive) if basis.is_in_turns() => {
            (Verdict::Inconclusive, "; --fail-undecided would fail it")
        }
        Some(Verdict::Inconclusive) => (
            Verdict::Inconclusive,
            "; --fail-undecided would fail it; record A --against B tells more",
        ),
        Some(Verdict::Slower) => {
            (Verdict::Slower, "; --fail-on slower would fail it; more --launches tell more")
        }
        _ => return "",
    };
    if wanted.whole.verdicts.contains(&verdict) { "" } else { hint }
}
