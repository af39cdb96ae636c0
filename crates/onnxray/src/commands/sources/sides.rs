//! The recordings of commands that take several, each with a name of its own.

use super::input::find;
use super::label::{short_label, stem};
use crate::progress::Progress;
use onnxray_analyzer::comparison::Recording;
use onnxray_analyzer::{Needs, Trace, examine};
use onnxray_failsafe::{Beside, beside};
use onnxray_import::{Launch, Reading, Sources, import_each};
use std::path::{Path, PathBuf};

/// One recording, and what reports call it.
pub(in crate::commands) struct Side {
    pub(in crate::commands) label: String,
    pub(in crate::commands) sources: Sources,
}

/// Finds the files of recordings. `names` are what the user calls the first of them.
pub(in crate::commands) fn sides(
    words: &[&PathBuf],
    names: &[Option<&str>],
) -> anyhow::Result<Vec<Side>> {
    let mut sides = Vec::new();
    for word in words {
        let sources = find(std::slice::from_ref(word))?;
        sides.push(Side { label: short_label(word, &sources), sources });
    }
    let is_unique =
        |side: &Side| sides.iter().filter(|other| other.label == side.label).count() < 2;
    // Once two labels collide all get long ones, so that they read alike.
    if !sides.iter().all(is_unique) {
        for (side, word) in sides.iter_mut().zip(words) {
            side.label = long_label(word, &side.sources);
        }
    }
    for (side, name) in sides.iter_mut().zip(names) {
        if let Some(name) = name {
            side.label = name.to_string();
        }
    }
    Ok(sides)
}

/// Reads recordings. Reading takes all cores, figures take one: the figures of one recording are
/// computed while the next is read.
pub(in crate::commands) fn read(
    sides: Vec<Side>,
    reading: &Reading,
) -> anyhow::Result<Vec<Recording>> {
    let progress = Progress::working("reading".to_string());
    let recordings = std::thread::scope(|scope| {
        let mut examined = Vec::new();
        for Side { label, sources } in sides {
            let launches = sources.read(reading)?;
            crate::commands::say_read(&launches);
            examined.push(beside(scope, move || recording(label, launches)));
        }
        examined.into_iter().map(Beside::join).collect()
    });
    progress.clear();
    recordings
}

/// Reads each recording among the files of the sides, named after its first file.
pub(in crate::commands) fn read_each(
    sides: Vec<Side>,
    reading: &Reading,
) -> anyhow::Result<Vec<Recording>> {
    let progress = Progress::working("reading".to_string());
    let read = || {
        let mut recordings = Vec::new();
        for files in sides.iter().flat_map(|side| side.sources.recordings()) {
            for launches in import_each(files, reading)? {
                let first = launches.first().and_then(|launch| launch.files.first());
                let label = first.map(|file| stem(file)).unwrap_or_default();
                recordings.push(recording(label, launches)?);
            }
        }
        Ok(recordings)
    };
    let recordings = read();
    progress.clear();
    recordings
}

fn recording(label: String, launches: Vec<Launch>) -> anyhow::Result<Recording> {
    let trace = Trace::with_devices_apart(launches);
    let (summary, timeline) = examine(&trace, Needs::Measured)?.into_timeline();
    Ok(Recording { label, summary, timeline })
}

/// A label for recordings whose short ones collide.
fn long_label(word: &Path, sources: &Sources) -> String {
    match &sources.files[..] {
        // The word was a pattern: its first file stands for the others.
        [first, _, ..] if !word.exists() => format!("{} …", first.display()),
        _ => word.display().to_string(),
    }
}
