//! What TensorRT's trtexec writes: `--exportProfile`, `--exportTimes` and
//! `--exportLayerInfo`, each by itself or together, and the table that `--dumpProfile` prints.
//!
//! A profile has averages per layer; times are iterations, their latency the time
//! that the device computed. Copies to and from the device, and the time to
//! enqueue, have no place and are left out. Layer information has names, shapes
//! and kernels, of which one file may go with many profiles. Layers are joined by
//! name, those of one name in their order; names become unique by ` (2)`, ` (3)`.
//!
//! The type of an operator is TensorRT's own word for the layer's implementation;
//! its other properties are attributes under their own names.

mod join;
mod layers;
mod log;
mod names;
mod profile;
mod times;

use super::together::{Document, Part, is_text, share};
use crate::chrome::Options;
use crate::format::Format;
use crate::importer::{Head, Importer, Verdict};
use crate::json::Cursor;
use crate::source::Source;
use crate::{ImportError, Launch};
use onnxray_format::Warning;
use std::path::{Path, PathBuf};

/// How it is recognized and read.
pub static IMPORTER: Importer = Importer {
    format: Format {
        name: "tensorrt",
        title: "TensorRT",
        files: "JSON of trtexec --exportProfile, --exportTimes and --exportLayerInfo, alone or \
            together; logs of --dumpProfile",
        contains: "averages, medians, iterations, shapes, kernels, ONNX nodes",
    },
    detect,
    read,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Profile,
    Times,
    Layers,
    /// Lines of text, among which is the table of a profile.
    Log,
}

fn detect(head: Head<'_>) -> Verdict {
    match kind(head.text()) {
        Some(_) => Verdict::Yes,
        None if is_text(head.text()) => head.otherwise(),
        None => Verdict::No,
    }
}

/// Told by the first keys, or by the title of a table.
fn kind(text: &[u8]) -> Option<Kind> {
    if is_text(text) {
        return log::is_log(text).then_some(Kind::Log);
    }
    let mut cursor = Cursor::new(text);
    let array = cursor.take(b'[');
    while array && cursor.take(b',') {}
    if !cursor.take(b'{') {
        return None;
    }
    let key = cursor.text().ok()?.raw;
    if !cursor.take(b':') {
        return None;
    }
    match (array, key) {
        (false, b"Layers") => (cursor.peek() == Some(b'[')).then_some(Kind::Layers),
        (true, b"count") => {
            cursor.value().ok()?.as_i64()?;
            cursor.take(b'}').then_some(Kind::Profile)
        }
        (true, b"name") => {
            let has = |key: &[u8]| memchr::memmem::find(text, key).is_some();
            (has(b"\"averageMs\"") || has(b"\"timeMs\"")).then_some(Kind::Profile)
        }
        (true, key) => (key.starts_with(b"start") && key.ends_with(b"Ms")).then_some(Kind::Times),
        _ => None,
    }
}

fn read(sources: Vec<Source>, _: &Options) -> Result<Vec<Launch>, ImportError> {
    let (mut profiles, mut times, mut layers) = (Vec::new(), Vec::new(), Vec::new());
    for source in sources {
        let document = Document::read(source)?;
        match kind(document.bytes.trim_ascii_start()) {
            Some(Kind::Profile) => {
                profiles.extend(Part::read(document, "layers", profile::read)?.each());
            }
            Some(Kind::Log) => profiles.extend(Part::read(document, "lines", log::read)?.each()),
            Some(Kind::Times) => times.push(Part::read(document, "iterations", times::read)?),
            Some(Kind::Layers) => layers.push(Part::read(document, "layers", layers::read)?),
            None => {
                let what = "a profile, iteration times or layer information of trtexec";
                return Err(document.unexpected(0, what));
            }
        }
    }
    let launches = [profiles.len(), times.len(), layers.len()].into_iter().find(|&n| n > 0);
    let Some(launches) = launches else { return Ok(Vec::new()) };
    let files = [files(&profiles), files(&times), files(&layers)].concat();
    let first = files.first().map(PathBuf::as_path).unwrap_or(Path::new(""));
    // One file of times is of one launch only.
    if times.len() == 1 && launches > 1 {
        let difference = format!("there is one file of iteration times for {launches} profiles");
        let (first, second) = (first.to_path_buf(), times[0].file.clone());
        return Err(ImportError::DifferentRecordings { first, second, difference });
    }
    let profiles = share(&profiles, launches, first, "profiles")?;
    let times = share(&times, launches, first, "iteration times")?;
    let layers = share(&layers, launches, first, "layer information")?;
    let parts = profiles.into_iter().zip(times).zip(layers).enumerate();
    let launches = parts
        .map(|(number, ((profile, times), layers))| join::join(number, profile, times, layers));
    let mut launches: Vec<Launch> = launches.collect();
    note_several(&mut launches);
    Ok(launches)
}

/// Says of a file that holds several profiles what becomes of them.
fn note_several(launches: &mut [Launch]) {
    let files: Vec<Option<PathBuf>> =
        launches.iter().map(|launch| launch.files.first().cloned()).collect();
    for (at, file) in files.iter().enumerate() {
        let count = files.iter().filter(|other| *other == file).count();
        let is_first = files.iter().position(|other| other == file) == Some(at);
        if let (Some(file), true) = (file, count > 1 && is_first) {
            let message =
                format!("{count} profiles are in it, one after the other: one launch each");
            launches[at].warnings.push(Warning::note(file, message));
        }
    }
}

fn files<T>(parts: &[Part<T>]) -> Vec<PathBuf> {
    parts.iter().map(|part| part.file.clone()).collect()
}
