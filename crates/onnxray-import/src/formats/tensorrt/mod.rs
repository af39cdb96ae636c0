//! What TensorRT's trtexec writes: `--exportProfile`, `--exportTimes` and
//! `--exportLayerInfo`, each by itself or together.
//!
//! A profile has averages per layer; times are iterations, their latency the time
//! that the device computed. Copies to and from the device, and the time to
//! enqueue, have no place and are left out. Layer information has names, shapes
//! and kernels, of which one file may go with many profiles. Layers are joined by
//! name, those of one name in their order; names become unique by ` (2)`, ` (3)`.
//!
//! The type of an operator is TensorRT's own word for the layer's implementation;
//! its other properties are attributes under their own names.

mod layers;
mod names;
mod profile;
mod times;

use super::together::{Document, Finder, LONGEST, Part, number_and_name, share};
use super::{Format, Importer};
use crate::chrome::Options;
use crate::detect::{Head, Verdict};
use crate::json::{Broken, Cursor, Value};
use crate::loss::LossKind;
use crate::source::Source;
use crate::{Average, ImportError, Launch};
use layers::Layers;
use onnxray_format::{Operator, Run, Warning};
use profile::Profile;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use times::Times;

pub static IMPORTER: Importer = Importer {
    name: "tensorrt",
    title: "TensorRT",
    files: "JSON of trtexec --exportProfile, --exportTimes and --exportLayerInfo, alone or together",
    tells: "averages, medians, iterations, shapes, kernels, ONNX nodes",
    detect,
    read,
};

/// What a file holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Profile,
    Times,
    Layers,
}

fn detect(head: Head<'_>) -> Verdict {
    match kind(head.text()) {
        Some(_) => Verdict::Yes,
        None => Verdict::No,
    }
}

/// Told by the first keys.
fn kind(text: &[u8]) -> Option<Kind> {
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
            Some(Kind::Profile) => profiles.push(part(document, "layers", profile::read)?),
            Some(Kind::Times) => times.push(part(document, "iterations", times::read)?),
            Some(Kind::Layers) => layers.push(part(document, "layers", layers::read)?),
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
    Ok(parts
        .map(|(number, ((profile, times), layers))| join(number, profile, times, layers))
        .collect())
}

/// Reads a document of one kind, and says what was wrong with it.
fn part<T>(
    mut document: Document,
    records: &str,
    read: impl Fn(&mut Document) -> Result<T, ImportError>,
) -> Result<Part<T>, ImportError> {
    let content = read(&mut document)?;
    let warnings = document.losses.warnings(&document.file, records);
    Ok(Part { file: document.file, content, warnings })
}

fn files<T>(parts: &[Part<T>]) -> Vec<PathBuf> {
    parts.iter().map(|part| part.file.clone()).collect()
}

/// Counts what kept an array or object from being read to its end.
fn end(document: &mut Document, ended: Result<(), Broken>, at: usize) {
    let Document { bytes, losses, .. } = document;
    match ended {
        Err(Broken::Cut) => losses.add_at(LossKind::EndsEarly, bytes, at, "within the records"),
        Err(Broken::Expected(what)) => {
            losses.add_at(LossKind::Unreadable, bytes, at, format!("expected {what}"));
        }
        Ok(()) => {
            let behind = bytes[at..].iter().position(|byte| !byte.is_ascii_whitespace());
            if let Some(step) = behind {
                losses.add_at(LossKind::BehindTheEnd, bytes, at + step, "");
            }
        }
    }
}

/// Milliseconds as nanoseconds; `None` for what is no time.
fn nanoseconds(milliseconds: Value<'_>) -> Option<f64> {
    let nanoseconds = milliseconds.as_f64()? * 1e6;
    (0.0..=LONGEST).contains(&nanoseconds).then_some(nanoseconds)
}

fn join(
    number: usize,
    profile: Option<&Part<Profile>>,
    times: Option<&Part<Times>>,
    layers: Option<&Part<Layers>>,
) -> Launch {
    let mut launch = Launch {
        format: Format::TensorRt,
        run: Run {
            engine: "TensorRT".to_string(),
            producer: "trtexec".to_string(),
            launch: number as u32,
            ..Run::default()
        },
        ..Launch::default()
    };
    if let Some(layers) = layers {
        add(&mut launch, layers);
        launch.operators = layers.content.operators.clone();
    }
    if let Some(profile) = profile {
        add(&mut launch, profile);
        if let Some(layers) = layers {
            keep_shape_profile(&mut launch, &profile.content, &layers.file);
        }
        let unknown = add_times(&mut launch, &profile.content);
        if unknown > 0 && layers.is_some() {
            let message =
                format!("{unknown} layers have no layer information; it may be of another engine");
            note(&mut launch, &profile.file, message);
        }
    }
    number_and_name(&mut launch.operators);
    if let Some(times) = times {
        add(&mut launch, times);
        launch.iterations = times.content.iterations.clone();
        if times.content.with_warmup {
            note(
                &mut launch,
                &times.file,
                "the warm-up of this version of trtexec is among the iterations".to_string(),
            );
        }
    }
    launch
}

fn add<T>(launch: &mut Launch, part: &Part<T>) {
    launch.files.push(part.file.clone());
    launch.warnings.extend(part.warnings.iter().cloned());
}

fn note(launch: &mut Launch, file: &Path, message: String) {
    let file = file.to_path_buf();
    launch.warnings.push(Warning { file, position: None, message, loss: false });
}

/// Layer information lists the layers for every profile of shapes that the engine
/// was built for; one of these ran.
fn keep_shape_profile(launch: &mut Launch, profile: &Profile, file: &Path) {
    let ran: HashSet<Option<&str>> =
        profile.layers.iter().map(|layer| names::shape_profile(&layer.name)).collect();
    let before = launch.operators.len();
    launch.operators.retain(|operator| ran.contains(&names::shape_profile(&operator.name)));
    let left_out = before - launch.operators.len();
    if left_out > 0 {
        let message =
            format!("{left_out} layers are of profiles of shapes that did not run, and left out");
        note(launch, file, message);
    }
}

/// Adds averages, and operators that only the profile knows: how many.
fn add_times(launch: &mut Launch, profile: &Profile) -> usize {
    let known = launch.operators.len();
    let mut finder = Finder::new(&launch.operators);
    for layer in &profile.layers {
        let operator = finder.take(&layer.name).unwrap_or_else(|| {
            launch.operators.push(Operator {
                name: layer.name.clone(),
                nodes: names::nodes(&layer.name),
                ..Operator::default()
            });
            launch.operators.len() as u32 - 1
        });
        launch.averages.push(Average {
            operator,
            mean_ns: layer.mean_ns,
            median_ns: layer.median_ns,
            iterations: profile.count,
            ..Average::default()
        });
    }
    launch.operators.len() - known
}
