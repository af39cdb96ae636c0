//! From files to launches of one recording, or of each.

use crate::detect::{detect, recognized};
use crate::formats::{chrome_trace, kineto, onnxruntime};
use crate::same_model::by_model;
use crate::source::Source;
use crate::source::archive;
use crate::source::snapshot::Snapshot;
use crate::sources::{Sources, listed, name};
use crate::{ImportError, Importer, Launch, Options, Phases, warmup};
use onnxray_format::{Iteration, IterationKind, Warning};
use onnxray_text::shown;
use std::path::{Path, PathBuf};

const NANOSECONDS_PER_YEAR: u128 = 365 * 24 * 3600 * 1_000_000_000;
/// The most that the times of a launch may add up to: half of what signed numbers of
/// nanoseconds hold.
const MOST_YEARS: u128 = 146;

/// How files are to be read.
#[derive(Clone, Default)]
pub struct Reading {
    /// The format, if the content is not to decide.
    pub format: Option<&'static Importer>,
    /// Whether a loss is an error.
    pub strict: bool,
    /// Which phases of a generation are read.
    pub phases: Phases,
    /// How many of the first iterations of each launch are warm-up, if the producer is not
    /// to decide.
    pub warmup: Option<u32>,
    /// How Chrome traces are cut for the workers.
    pub options: Options,
}

impl Sources {
    /// Reads the files. What cannot be read of a folder's newest recording is left out,
    /// with a warning; if nothing of it can be read, or nothing was measured yet when it
    /// ended, the next one is.
    ///
    /// # Errors
    ///
    /// As [`import`].
    pub fn read(self, reading: &Reading) -> Result<Vec<Launch>, ImportError> {
        let (mut left_out, mut first_error, mut unmeasured) = (Vec::new(), None, None);
        let recordings = self.older.into_iter().map(|recorded| recorded.files);
        let recordings = std::iter::once(self.files).chain(recordings.filter(|_| self.chosen));
        for mut files in recordings {
            loop {
                let error = match import(&files, reading) {
                    Ok(launches) if self.chosen && !reading.strict && is_unmeasured(&launches) => {
                        let reason = "left out: no measured iteration was recorded";
                        left_out.extend(
                            files.iter().map(|file| Warning::note(file, reason.to_string())),
                        );
                        unmeasured.get_or_insert(launches);
                        break;
                    }
                    Ok(mut launches) => {
                        if let Some(launch) = launches.first_mut() {
                            launch.warnings.splice(0..0, left_out);
                        }
                        return Ok(launches);
                    }
                    Err(error) => error,
                };
                let unreadable = error.unreadable().filter(|_| self.chosen && !reading.strict);
                let Some(file) = unreadable.map(Path::to_path_buf) else { return Err(error) };
                left_out.push(Warning::note(&file, format!("left out: {}", error.reason())));
                first_error.get_or_insert(error);
                files.retain(|other| *other != file);
                if files.is_empty() {
                    break;
                }
            }
        }
        match (unmeasured, first_error) {
            (Some(launches), _) => Ok(launches),
            (None, Some(error)) => Err(error),
            (None, None) => Ok(Vec::new()),
        }
    }
}

/// Whether all launches are of a recorder that ended during their warm-up.
fn is_unmeasured(launches: &[Launch]) -> bool {
    let measured = |iteration: &Iteration| iteration.kind == IterationKind::Measured;
    let is_ours =
        |launch: &Launch| launch.format.is_recording() && launch.run.converted_from.is_none();
    !launches.is_empty()
        && launches.iter().all(|launch| is_ours(launch) && !launch.iterations.iter().any(measured))
}

/// Reads the launches in `files`, which are of one recording.
///
/// # Errors
///
/// If a file cannot be read or understood, if the files do not belong together, or,
/// with `strict`, if anything of them is lost.
pub fn import(files: &[PathBuf], reading: &Reading) -> Result<Vec<Launch>, ImportError> {
    let mut opened = open(files, reading)?;
    if opened.len() == 1
        && let Some(opened) = opened.pop()
    {
        let mut recordings = by_model(opened.read(reading)?);
        if recordings.len() < 2 {
            return Ok(recordings.pop().unwrap_or_default());
        }
        let mut recordings = apart(files, recordings, reading)?;
        if let ([file], Some(first)) = (files, recordings.first().map(|first| one(first))) {
            let others = listed(recordings.iter().skip(1).map(|other| one(other)));
            let message = format!(
                "{} models ran in it; shown is one, {first}, and not {others}; `onnxray summary \
                 --per-recording` shows each",
                recordings.len()
            );
            let mut launches = recordings.swap_remove(0);
            let warning = Warning::note(file, message);
            launches.iter_mut().take(1).for_each(|launch| launch.warnings.push(warning.clone()));
            return Ok(launches);
        }
        return Err(ImportError::Mixed { kinds: recordings.iter().map(|r| kind(r)).collect() });
    }
    let kinds = opened.into_iter().flat_map(|opened| kinds(opened, reading));
    let kinds: Vec<String> = kinds.collect();
    match kinds.is_empty() {
        true => Ok(Vec::new()),
        false => Err(ImportError::Mixed { kinds }),
    }
}

/// Reads the launches in `files`, of whatever runtimes and models they are: a list for
/// each recording.
///
/// # Errors
///
/// If a file cannot be read or understood, or, with `strict`, if anything is lost.
pub fn import_each(files: &[PathBuf], reading: &Reading) -> Result<Vec<Vec<Launch>>, ImportError> {
    let mut recordings = Vec::new();
    for opened in open(files, reading)? {
        recordings.extend(read_each(opened, reading)?);
    }
    // Where the producer does not number launches, their place among all files did.
    for launches in &mut recordings {
        let numbered = |launch: &Launch| launch.format.is_recording() || launch.run.rank.is_some();
        if !launches.iter().any(numbered) {
            (0..).zip(launches).for_each(|(number, launch)| launch.run.launch = number);
        }
    }
    Ok(recordings)
}

/// Reads files of one format, of whatever models they are.
fn read_each(opened: Opened, reading: &Reading) -> Result<Vec<Vec<Launch>>, ImportError> {
    let files = opened.files();
    match opened.read(reading) {
        Ok(launches) => apart(&files, by_model(launches), reading),
        Err(ImportError::DifferentRecordings { .. }) => by_name(&files, reading),
        Err(error) => Err(error),
    }
}

/// Takes launches of several models apart once more, by the names of their files: where
/// a launch takes several, one of another model may have come to it.
fn apart(
    files: &[PathBuf],
    recordings: Vec<Vec<Launch>>,
    reading: &Reading,
) -> Result<Vec<Vec<Launch>>, ImportError> {
    // Runs of ONNX Runtime with a file each are told apart by what they ran already.
    let is_one =
        |launch: &Launch| launch.files.len() < 2 || launch.format == onnxruntime::IMPORTER.format;
    let one_each = recordings.iter().flatten().all(is_one);
    match recordings.len() < 2 || one_each {
        true => Ok(recordings),
        false => by_name(files, reading),
    }
}

/// Reads files whose names are alike together. What says nothing without files of other
/// names is left out, with a warning.
fn by_name(files: &[PathBuf], reading: &Reading) -> Result<Vec<Vec<Launch>>, ImportError> {
    let (mut launches, mut rest) = (Vec::new(), files.to_vec());
    let mut errors = Vec::new();
    while let Some(first) = rest.first() {
        let (alike, others): (Vec<PathBuf>, Vec<PathBuf>) =
            rest.iter().cloned().partition(|file| named_alike(file, first));
        for opened in open(&alike, reading)? {
            match opened.read(reading) {
                Ok(read) => launches.extend(read),
                Err(error) => errors.push((alike[0].clone(), error)),
            }
        }
        rest = others;
    }
    match (launches.first_mut(), errors.pop()) {
        (Some(first), Some((file, error))) if !reading.strict => {
            errors.push((file, error));
            first.warnings.extend(
                errors.iter().map(|(file, error)| {
                    Warning::note(file, format!("left out: {}", error.reason()))
                }),
            );
        }
        (_, Some((_, error))) => return Err(error),
        (_, None) => {}
    }
    Ok(by_model(launches))
}

struct Opened {
    importer: &'static Importer,
    sources: Vec<Source>,
    states: Vec<Snapshot>,
}

fn open(files: &[PathBuf], reading: &Reading) -> Result<Vec<Opened>, ImportError> {
    let mut opened: Vec<Opened> = Vec::new();
    for file in files {
        let state = Snapshot::of(file);
        let mut source = Source::open(file)?;
        let importer = match reading.format {
            Some(importer) => {
                let is_one = |found: &Importer| found.format == importer.format;
                archive::enter(&mut source, |member| recognized(member).is_ok_and(is_one))?;
                importer
            }
            None => detect(&mut source)?,
        };
        match opened.iter_mut().find(|known| known.importer.format == importer.format) {
            Some(known) => {
                known.sources.push(source);
                known.states.push(state);
            }
            None => opened.push(Opened { importer, sources: vec![source], states: vec![state] }),
        }
    }
    Ok(opened)
}

impl Opened {
    fn files(&self) -> Vec<PathBuf> {
        self.states.iter().map(|state| state.file.clone()).collect()
    }

    fn read(self, reading: &Reading) -> Result<Vec<Launch>, ImportError> {
        let mut launches = self.importer.read(self.sources, &reading.options)?;
        for launch in &launches {
            // Then no sum of times, of whatever part, is more than 64 bits hold.
            let years = launch.total_time() / NANOSECONDS_PER_YEAR;
            if years > MOST_YEARS {
                let file = launch.files.first().cloned().unwrap_or_default();
                return Err(ImportError::TooLong { file, years: years as u64 });
            }
        }
        // Whose iterations are of another kind.
        if let Some(pattern) = &reading.options.iteration_marks
            && ![kineto::IMPORTER.format, chrome_trace::IMPORTER.format]
                .contains(&self.importer.format)
            && let Some(launch) = launches.first_mut()
        {
            let file = launch.files.first().cloned().unwrap_or_default();
            let message = format!(
                "`--iteration-marks {}` has no effect: {} tells its iterations itself",
                pattern.text(),
                self.importer.format.title
            );
            launch.warnings.insert(0, Warning::note(&file, message));
        }
        for state in self.states.iter().filter(|state| state.changed()) {
            let reads = |launch: &Launch| launch.files.contains(&state.file);
            let position = launches.iter().position(reads).unwrap_or_default();
            if let Some(launch) = launches.get_mut(position) {
                let message = "changed while it was read, so that parts of it may be missing; read \
                               it again when it is complete";
                let warning = Warning::note(&state.file, message);
                launch.warnings.insert(0, Warning { loss: true, ..warning });
            }
        }
        if reading.strict {
            let warnings = launches.iter().flat_map(|launch| &launch.warnings);
            let mut damage = warnings.filter(|warning| warning.loss);
            if let Some(warning) = damage.next() {
                return Err(ImportError::Strict {
                    warning: warning.clone(),
                    others: damage.count(),
                });
            }
        }
        for launch in &mut launches {
            reading.phases.choose(launch);
            if let Some(count) = reading.warmup {
                warmup::flag(launch, count)?;
            }
        }
        Ok(launches)
    }
}

/// Runtimes, models and files, for a message.
fn kinds(opened: Opened, reading: &Reading) -> Vec<String> {
    let format = opened.importer.format.title;
    let files = opened.files();
    match read_each(opened, &Reading { strict: false, warmup: None, ..reading.clone() }) {
        Ok(recordings) => recordings.iter().map(|launches| kind(launches)).collect(),
        Err(_) => vec![format!("{format}: {}", names(&files))],
    }
}

fn kind(launches: &[Launch]) -> String {
    let Some(launch) = launches.first() else { return String::new() };
    let files: Vec<PathBuf> = launches.iter().flat_map(|launch| launch.files.clone()).collect();
    format!("{}, {}: {}", launch.format.title, model(launch), names(&files))
}

/// What messages call the model of launches that are all of one file.
fn one(launches: &[Launch]) -> String {
    launches.first().map(model).unwrap_or_default()
}

fn model(launch: &Launch) -> String {
    match (launch.run.model.as_str(), launch.operators.first()) {
        ("", None) => "a model without operators".to_string(),
        ("", Some(first)) => match launch.operators.len() {
            1 => format!("a model of 1 operator, {}", first.name),
            count => format!("a model of {count} operators that begins with {}", first.name),
        },
        (model, _) => model.to_string(),
    }
}

/// Files by their names, or by their paths where the names are not enough.
fn names(files: &[PathBuf]) -> String {
    let same_folder = files.iter().all(|file| file.parent() == files[0].parent());
    listed(files.iter().map(|file| match same_folder && files.len() > 1 {
        true => name(file),
        false => shown(file),
    }))
}

/// Whether two names differ only in words that say what of a launch a file holds, such
/// as `resnet.profile.json` and `resnet.times.json`.
fn named_alike(a: &Path, b: &Path) -> bool {
    const PARTS: [&str; 16] = [
        "profile",
        "average",
        "detailed",
        "sorted",
        "execution",
        "times",
        "time",
        "timing",
        "layers",
        "layer",
        "info",
        "layerinfo",
        "report",
        "counters",
        "graph",
        "exec",
    ];
    let key = |path: &Path| -> (Option<PathBuf>, Vec<String>) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let words = name.split(['.', '_', '-']).filter(|word| !PARTS.contains(word));
        (path.parent().map(Path::to_path_buf), words.map(str::to_string).collect())
    };
    key(a) == key(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_launch_are_named_alike() {
        let alike = |a: &str, b: &str| named_alike(Path::new(a), Path::new(b));
        assert!(alike("t/resnet.profile.json", "t/resnet_times.json"));
        assert!(!alike("t/resnet.profile.json", "t/bert.profile.json"));
        assert!(!alike("t/resnet.profile.json", "u/resnet.profile.json"));
    }
}
