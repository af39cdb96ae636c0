//! Launches of two models in turns, so that what changes on the machine meanwhile
//! falls on both alike.
//!
//! ```text
//! A B  B A  A B  B A …
//! ```
//!
//! The models swap places from pair to pair: neither is always the first, which
//! would meet a colder machine, and a steady drift cancels out.

use super::{Folders, Recording, launch, launches, stop_on_signals, tell};
use crate::args::RecordArguments;
use crate::exit::Ended;
use crate::output;
use crate::progress::Progress;
use anyhow::bail;
use onnxray_analyzer::printable;
use onnxray_format::layout;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Launches of each model from which on a comparison can tell.
const ENOUGH_LAUNCHES: u32 = 5;

pub fn run(arguments: &RecordArguments, against: &Path) -> anyhow::Result<Ended> {
    let recordings = recordings(arguments, against);
    let [first, second] = &recordings;
    let _folders = Folders::prepare(&[first, second])?;
    let stop = stop_on_signals()?;
    check(arguments, &recordings)?;
    if arguments.launches < ENOUGH_LAUNCHES {
        eprintln!(
            "note: with fewer than {ENOUGH_LAUNCHES} launches of each model, a comparison can hardly \
             tell a difference from chance; --launches {ENOUGH_LAUNCHES} does better"
        );
    }
    let times = times(&recordings)?;
    let ended = run_launches(arguments, &recordings, &times, &stop);
    let told = tell_both(arguments.launches, &recordings, &times, &ended);
    let ended = ended?; // outranks what could not be told
    told.map(|()| ended)
}

/// What becomes of the two models: a folder each, named after their files.
pub fn recordings(arguments: &RecordArguments, against: &Path) -> [Recording; 2] {
    let first = arguments.model.model.as_path();
    let same = stem(first) == stem(against);
    let recording = |model: &Path, ending: &str, profile: Option<&String>| {
        let stem = stem(model);
        let mut name = stem.clone();
        if same {
            name.push(ending);
        }
        Recording {
            model: model.to_path_buf(),
            profile: profile.cloned().unwrap_or_else(|| stem.to_string_lossy().into_owned()),
            folder: arguments.out.join(&name),
            label: format!("{}: ", printable(&name.to_string_lossy())),
        }
    };
    [
        recording(first, "-a", Some(&arguments.name)),
        recording(against, "-b", arguments.against_name.as_ref()),
    ]
}

/// Name of a file without its extension.
fn stem(model: &Path) -> OsString {
    model.file_stem().unwrap_or(model.as_os_str()).to_os_string()
}

/// Loads both models and their inputs once, so that what one of them is refused
/// for costs no launch of the other.
fn check(arguments: &RecordArguments, recordings: &[Recording; 2]) -> anyhow::Result<()> {
    let mut known: Vec<(&Path, Vec<String>)> = Vec::new();
    for recording in recordings {
        let progress = Progress::working(format!("{}checking", recording.label));
        let loaded = launch::load(arguments, recording);
        progress.clear();
        let dimensions = loaded?.0.bound.dimensions.into_iter();
        known.push((&recording.model, dimensions.map(|dimension| dimension.name).collect()));
    }
    let given = arguments.model.dimensions.iter().map(|(name, _)| name);
    if let Some(name) = given.into_iter().find(|name| !known.iter().any(|(_, k)| k.contains(name)))
    {
        let lists = known.iter().map(|(model, names)| match names.as_slice() {
            [] => format!("{} has no free dimensions", model.display()),
            names => format!("those of {} are {}", model.display(), names.join(", ")),
        });
        let lists: Vec<String> = lists.collect();
        bail!("neither model has a free dimension `{name}`\nhint: {}", lists.join("; "));
    }
    Ok(())
}

/// Names of the two recordings, which all launches know from the first one on.
///
/// They differ, so that a recording cannot be taken for the one that took turns
/// with it.
fn times(recordings: &[Recording; 2]) -> io::Result<[String; 2]> {
    let first = launches::unused_time(&recordings[0])?;
    loop {
        let second = launches::unused_time(&recordings[1])?;
        if second != first {
            return Ok([first, second]);
        }
        // Times in names are whole seconds.
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A launch among those of both models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Turn {
    position: u32,
    /// Which of the two recordings it belongs to.
    side: usize,
    /// Its number in that recording.
    number: u32,
}

/// All launches in their order.
fn turns(launches: u32) -> impl Iterator<Item = Turn> {
    (0..launches).flat_map(|number| {
        let sides = if number % 2 == 0 { [0, 1] } else { [1, 0] };
        let positions = [2 * number, 2 * number + 1];
        [0, 1].map(|place| Turn { position: positions[place], side: sides[place], number })
    })
}

fn run_launches(
    arguments: &RecordArguments,
    recordings: &[Recording; 2],
    times: &[String; 2],
    stop: &AtomicBool,
) -> anyhow::Result<Ended> {
    for turn in turns(arguments.launches) {
        if stop.load(Ordering::Relaxed) {
            return Ok(Ended::Interrupted);
        }
        let other = &times[1 - turn.side];
        let mut place = launches::place(turn.number, &times[turn.side]);
        let position = turn.position.to_string();
        place.extend(["--launch-position", &position, "--launch-with", other].map(String::from));
        if turn.side == 1 {
            place.push("--launch-against".to_string());
        }
        let status = launches::run_process(&place, stop)?;
        if !status.success() && !stop.load(Ordering::Relaxed) {
            let label = &recordings[turn.side].label;
            bail!("{label}launch {} of {} failed: {status}", turn.number + 1, arguments.launches);
        }
    }
    match stop.load(Ordering::Relaxed) {
        true => Ok(Ended::Interrupted),
        false => Ok(Ended::Done),
    }
}

/// Says what there is now of both recordings, however the launches ended.
fn tell_both(
    launches: u32,
    recordings: &[Recording; 2],
    times: &[String; 2],
    ended: &anyhow::Result<Ended>,
) -> anyhow::Result<()> {
    let files: [Vec<PathBuf>; 2] = [0, 1].map(|side| {
        let paths =
            (0..launches).map(|l| layout::trace_path(&recordings[side].folder, &times[side], l));
        paths.filter(|path| path.exists()).collect()
    });
    for file in files.iter().flatten() {
        output::say(file.display())?;
    }
    if matches!(ended, Ok(Ended::Interrupted)) {
        eprintln!("interrupted; what was recorded until then is kept");
    }
    for (recording, files) in recordings.iter().zip(&files).filter(|(_, files)| !files.is_empty()) {
        match tell(recording, files) {
            // Nothing to tell yet is no failure of its own.
            Err(error) if !matches!(ended, Ok(Ended::Done)) => {
                eprintln!("note: {}{error}", recording.label);
            }
            told => drop(told?),
        }
    }
    let [first, second] = recordings.each_ref().map(|recording| recording.folder.display());
    match files.each_ref().map(|files| files.is_empty()) {
        [false, false] => eprintln!("hint: onnxray compare {first} {second}"),
        [false, true] => eprintln!("hint: onnxray summary {first}"),
        [true, false] => eprintln!("hint: onnxray summary {second}"),
        [true, true] => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_swap_places_from_pair_to_pair() {
        let names = |launches| -> String {
            turns(launches).map(|turn| ["A", "B"][turn.side]).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(1), "A B");
        assert_eq!(names(5), "A B B A A B B A A B");
        let positions: Vec<u32> = turns(3).map(|turn| turn.position).collect();
        assert_eq!(positions, [0, 1, 2, 3, 4, 5]);
        let numbers: Vec<u32> = turns(3).map(|turn| turn.number).collect();
        assert_eq!(numbers, [0, 0, 1, 1, 2, 2]);
    }
}
