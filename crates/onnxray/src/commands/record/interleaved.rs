//! Two models in turns, launch by launch.

use super::launch;
use super::messages::{label, shown, tell, tell_interrupted};
use super::processes::start;
use super::signals::Stop;
use crate::exit::Ended;
use crate::message;
use crate::output;
use crate::progress::Progress;
use anyhow::bail;
use onnxray_analyzer::comparison::Options;
use onnxray_analyzer::printable;
use onnxray_recorder::{LaunchSpec, Launches};
use std::path::{Path, PathBuf};

pub(super) fn run(specs: [&LaunchSpec; 2], stop: &Stop) -> anyhow::Result<Ended> {
    stop.set_loading(true);
    let checked = check(specs);
    stop.set_loading(false);
    checked?;
    let launches = specs[0].options.launches as usize;
    let (fewest, enough) =
        (Options::default().fewest_launches(), Options::default().enough_launches());
    let missed = match launches {
        few if few < fewest => Some((fewest, "cannot tell any difference from chance")),
        few if few < enough => Some((enough, "misses what changes in small layers alone")),
        _ => None,
    };
    if let Some((limit, missed)) = missed {
        message::note(format_args!(
            "with fewer than {limit} launches of each model, a comparison {missed}; \
             --launches {enough} does better"
        ));
    }
    let launches = Launches::plan(specs.map(LaunchSpec::clone).to_vec())?;
    let ended = start(&launches, stop.asked());
    let summarized = tell_both(specs, &launches.traces(), &ended);
    let ended = ended?; // outranks a failed summary
    summarized.map(|()| ended)
}

/// Loads both models and their inputs once, so that what one of them is refused
/// for costs no launch of the other.
fn check(specs: [&LaunchSpec; 2]) -> anyhow::Result<()> {
    let mut models: Vec<(&LaunchSpec, Vec<String>)> = Vec::new();
    for spec in specs {
        let progress = Progress::working(format!("{}checking", label(spec)));
        let loaded = spec.load();
        progress.clear();
        let (model, _) = loaded.map_err(|error| launch::name_model(spec, error))?;
        let dimensions = model.bound.dimensions.into_iter();
        models.push((spec, dimensions.map(|dimension| dimension.name).collect()));
    }
    let mut given = specs[0].dimensions.sizes.keys();
    if let Some(name) = given.find(|name| !models.iter().any(|(_, names)| names.contains(name))) {
        let lists = models.iter().map(|(spec, names)| match names.as_slice() {
            [] => format!("{} has no free dimensions", shown(spec)),
            names => format!("those of {} are {}", shown(spec), printable(&names.join(", "))),
        });
        let lists: Vec<String> = lists.collect();
        let name = printable(name);
        bail!("neither model has a free dimension `{name}`\nhint: {}", lists.join("; "));
    }
    Ok(())
}

/// Says what there is now of both recordings, however the launches ended.
fn tell_both(
    specs: [&LaunchSpec; 2],
    files: &[Vec<PathBuf>],
    ended: &anyhow::Result<Ended>,
) -> anyhow::Result<()> {
    for file in files.iter().flatten() {
        output::say(file.display())?;
    }
    if matches!(ended, Ok(Ended::Interrupted)) {
        tell_interrupted(files.iter().any(|files| !files.is_empty()));
    }
    for (spec, files) in specs.into_iter().zip(files).filter(|(_, files)| !files.is_empty()) {
        match tell(spec, files) {
            // Nothing to tell yet is no failure of its own.
            Err(error) if !matches!(ended, Ok(Ended::Done)) => {
                message::note(format_args!("{}{error}", label(spec)));
            }
            summary => drop(summary?),
        }
    }
    let recorded = specs.iter().zip(files).filter(|(_, files)| !files.is_empty());
    let folders: Vec<String> =
        recorded.map(|(spec, _)| message::quoted(Path::new(&spec.options.folder))).collect();
    match folders.as_slice() {
        [] => {}
        [only] => message::hint(format_args!("onnxray summary {only}")),
        both => message::hint(format_args!("onnxray compare {}", both.join(" "))),
    }
    Ok(())
}
