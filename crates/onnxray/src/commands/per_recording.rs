//! `onnxray compare --per-recording`: two folders of recordings, model by model.

use super::compare::{different_models, ended, passed};
use super::sources::sides;
use crate::args::{Arguments, CompareArguments};
use crate::destination::{Destination, is_report};
use crate::exit::Ended;
use anyhow::bail;
use onnxray_analyzer::comparison::{Comparison, Recording, compare};
use onnxray_report::models_report;

pub(crate) fn run(arguments: CompareArguments) -> anyhow::Result<Ended> {
    let (Some(baseline), [version]) = (&arguments.baseline, &arguments.versions[..]) else {
        Arguments::refuse("--per-recording compares the recordings of two folders: A and one B")
    };
    if arguments.output.as_deref().is_some_and(is_report) {
        Arguments::refuse(
            "--per-recording writes no workbook and no page; compare a model alone with -o",
        );
    }
    if arguments.shown.format.is_for_trackers() {
        Arguments::refuse("--per-recording has no format for benchmark trackers");
    }
    let mut sides = sides::sides(
        &[baseline, version],
        &[arguments.name_a.as_deref(), arguments.name_b.first().map(String::as_str)],
    )?;
    let files = sides.iter().flat_map(|side| side.sources.all_files()).cloned();
    let output = Destination::of(files, arguments.force, &arguments.output, &arguments.shown)?;
    let labels = [0, 1].map(|side| sides[side].label.clone());
    let reading = arguments.reading.reading();
    // B first: what `split_off` leaves is A.
    let of_b = sides::read_each(sides.split_off(1), &reading)?;
    let of_a = sides::read_each(sides, &reading)?;
    let mut options = arguments.options();
    options.expected_differences.clone_from(&arguments.expect_different);
    let (pairs, unpaired) = paired(named(of_a, &labels[0])?, named(of_b, &labels[1])?, &labels);
    let compared = pairs.iter().map(|(_, a, b)| Ok(compare(a, b, &options)?));
    let comparisons = compared.collect::<anyhow::Result<Vec<Comparison>>>()?;
    if let Some(other) =
        comparisons.iter().find(|c| !c.is_one_model() && !arguments.allow_model_mismatch)
    {
        bail!(different_models(other));
    }
    if comparisons.is_empty() {
        bail!("no model is in both: {}", unpaired.join("; "));
    }
    let models: Vec<(&str, &Comparison)> =
        pairs.iter().map(|(model, ..)| model.as_str()).zip(&comparisons).collect();
    let written = output.print(models_report(&models, &unpaired));
    ended(written, passed(&comparisons, &[], &arguments))
}

/// Recordings under the names of their models, of which each side has one.
fn named(recordings: Vec<Recording>, side: &str) -> anyhow::Result<Vec<(String, Recording)>> {
    let mut named: Vec<(String, Recording)> = Vec::new();
    for mut recording in recordings {
        let model = match recording.summary.run.model.as_str() {
            // Formats that do not say the model have the name of the file.
            "" => recording.label.clone(),
            model => model.to_string(),
        };
        if named.iter().any(|(other, _)| *other == model) {
            bail!("{side} has several recordings of {model}; name the folder of one of them");
        }
        recording.label = format!("{model} of {side}");
        named.push((model, recording));
    }
    Ok(named)
}

/// Recordings of models that both sides have, and a sentence for each other one.
fn paired(
    of_a: Vec<(String, Recording)>,
    of_b: Vec<(String, Recording)>,
    labels: &[String; 2],
) -> (Vec<(String, Recording, Recording)>, Vec<String>) {
    let (mut pairs, mut unpaired) = (Vec::new(), Vec::new());
    // Taken as they are paired, so that what remains is in B only.
    let mut of_b: Vec<Option<(String, Recording)>> = of_b.into_iter().map(Some).collect();
    for (model, a) in of_a {
        let other = of_b.iter_mut().find(|b| b.as_ref().is_some_and(|(other, _)| *other == model));
        match other.and_then(Option::take) {
            Some((_, b)) => pairs.push((model, a, b)),
            None => unpaired.push(format!("{model} is in {} only", labels[0])),
        }
    }
    let of_b_only = of_b.into_iter().flatten();
    unpaired.extend(of_b_only.map(|(model, _)| format!("{model} is in {} only", labels[1])));
    (pairs, unpaired)
}
