//! Which files a user's words stand for: a file, a folder, a pattern, or several of
//! these with commas between them.

use crate::ImportError;
use crate::detect::detect;
use crate::source::{STANDARD_INPUT, Source};
use onnxray_format::layout::{self, TRACE_FOLDER};
use onnxray_text::{printable, shown};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Names that a message lists before it counts the rest.
const NAMED: usize = 5;

/// The files of one recording, and what was passed over to choose them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// In the order in which they are read.
    pub files: Vec<PathBuf>,
    /// Other recordings in the same folders, the newest first.
    pub older: Vec<Recorded>,
    /// What of a folder is read and what is not, for the user.
    pub notes: Vec<String>,
    /// Whether a folder was asked for its newest recording, so that one that cannot
    /// be read may give way to the next.
    pub(crate) chosen: bool,
}

/// A recording in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The folder that holds it.
    pub folder: PathBuf,
    /// The time in the names of its files.
    pub time: String,
    /// The traces of its launches, in their order.
    pub files: Vec<PathBuf>,
}

/// A path as a part of a pattern that stands for it alone: its own `*`, `?` and `[` match
/// themselves.
pub fn literal(path: &Path) -> PathBuf {
    path.to_str().map_or_else(|| path.to_path_buf(), |text| glob::Pattern::escape(text).into())
}

impl Sources {
    /// Files stand for themselves. A folder stands for the newest of our recordings in
    /// it and its folders; if it has none, for the profiles of other runtimes in it. A
    /// pattern stands for what matches it.
    ///
    /// # Errors
    ///
    /// If a folder cannot be read, or holds no recording, or if nothing matches a
    /// pattern.
    pub fn find(paths: &[PathBuf]) -> Result<Sources, ImportError> {
        let chosen = matches!(paths, [only] if only.is_dir());
        let mut sources = Sources { chosen, ..Sources::default() };
        for path in paths {
            sources.add(path)?;
        }
        // A launch that is named twice ran once.
        let mut seen = HashSet::new();
        sources.files.retain(|file| seen.insert(file.canonicalize().unwrap_or(file.clone())));
        Ok(sources)
    }

    /// Every file that may be read.
    pub fn all_files(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.iter().chain(self.older.iter().flat_map(|recorded| &recorded.files))
    }

    /// The files of each recording, where folders hold several.
    pub fn recordings(&self) -> impl Iterator<Item = &[PathBuf]> {
        let others = self.older.iter().map(|recorded| recorded.files.as_slice());
        std::iter::once(self.files.as_slice()).chain(others)
    }

    fn add(&mut self, path: &Path) -> Result<(), ImportError> {
        if path.as_os_str() == STANDARD_INPUT {
            self.files.push(path.to_path_buf());
            return Ok(());
        }
        if path.is_dir() {
            return self.add_folder(path);
        }
        // A name may hold commas and brackets itself.
        let text = path.to_str().filter(|_| !path.exists()).unwrap_or_default();
        let parts: Vec<&str> = text.split(',').filter(|part| !part.is_empty()).collect();
        if text.contains(',') && !parts.is_empty() {
            return parts.into_iter().try_for_each(|part| self.add(Path::new(part)));
        }
        if text.contains(['*', '?', '[']) {
            return self.add_matches(text);
        }
        self.files.push(path.to_path_buf());
        Ok(())
    }

    fn add_matches(&mut self, pattern: &str) -> Result<(), ImportError> {
        // As a shell does it.
        let options = glob::MatchOptions {
            case_sensitive: true,
            require_literal_separator: true,
            require_literal_leading_dot: true,
        };
        let matches = glob::glob_with(pattern, options);
        let found: Vec<PathBuf> =
            matches.map(|paths| paths.flatten().collect()).unwrap_or_default();
        if found.is_empty() {
            let path = PathBuf::from(pattern);
            let is_unprofiled =
                |folder: &&Path| !folder.to_string_lossy().contains(['*', '?', '[']);
            let mut folders = path.ancestors().skip(1).filter(is_unprofiled);
            let folder = folders.next().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).to_path_buf();
            let holds = holds(&folder);
            return Err(ImportError::NoMatch { pattern: path, folder, holds });
        }
        found.iter().try_for_each(|path| match path.is_dir() {
            true => self.add_folder(path),
            false => {
                self.files.push(path.clone());
                Ok(())
            }
        })
    }

    fn add_folder(&mut self, folder: &Path) -> Result<(), ImportError> {
        let mut recorded = recorded(folder)?;
        recorded.sort_by(|a, b| {
            (layout::time_in(&a.time), &a.time).cmp(&(layout::time_in(&b.time), &b.time))
        });
        let Some(newest) = recorded.pop() else {
            return self.add_profiles(folder);
        };
        recorded.reverse();
        if !recorded.is_empty() {
            let others = recorded.iter().map(|other| other.name(folder));
            self.notes.push(format!(
                "{} holds {} recordings; the newest is read, {}; the others are {}: name the \
                 folder or the files of one to see it",
                shown(folder),
                recorded.len() + 1,
                newest.name(folder),
                listed(others)
            ));
        }
        self.files.extend(newest.files);
        self.older.extend(recorded);
        Ok(())
    }

    /// Adds what other runtimes wrote into a folder, or we with `convert`.
    fn add_profiles(&mut self, folder: &Path) -> Result<(), ImportError> {
        let failed = |source| ImportError::Io { file: folder.to_path_buf(), source };
        let mut files = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.is_file() && !is_hidden(&path) {
                files.push(path);
            }
        }
        files.sort();
        let is_profile =
            |file: &PathBuf| Source::open(file).and_then(|mut source| detect(&mut source)).is_ok();
        let (profiles, others): (Vec<PathBuf>, Vec<PathBuf>) =
            files.into_iter().partition(is_profile);
        if profiles.is_empty() {
            let holds = holds(folder);
            return Err(ImportError::NoRecordings { path: folder.to_path_buf(), holds });
        }
        if !others.is_empty() {
            self.notes.push(format!(
                "{}: {} of its files are read; these are not traces: {}",
                shown(folder),
                profiles.len(),
                listed(others.iter().map(|file| name(file)))
            ));
        }
        self.files.extend(profiles);
        Ok(())
    }
}

impl Recorded {
    fn name(&self, asked: &Path) -> String {
        match self.folder == asked {
            true => self.time.clone(),
            false => format!("{} {}", name(&self.folder), self.time),
        }
    }
}

/// Our recordings in a folder, and in the folders in it: `record --against` makes one
/// for each model.
fn recorded(folder: &Path) -> Result<Vec<Recorded>, ImportError> {
    let inner = folder.join(TRACE_FOLDER);
    let mut places =
        vec![(folder.to_path_buf(), if inner.is_dir() { inner } else { folder.into() })];
    let failed = |source| ImportError::Io { file: folder.to_path_buf(), source };
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let below = entry.map_err(failed)?.path();
        let traces = below.join(TRACE_FOLDER);
        if traces.is_dir() {
            places.push((below, traces));
        }
    }
    let mut recorded: Vec<Recorded> = Vec::new();
    for (folder, traces) in places {
        let launches = layout::list(&traces)
            .map_err(|source| ImportError::Io { file: traces.clone(), source })?;
        for (file, time, _) in launches {
            match recorded.last_mut().filter(|last| last.folder == folder && last.time == time) {
                Some(last) => last.files.push(file),
                None => recorded.push(Recorded { folder: folder.clone(), time, files: vec![file] }),
            }
        }
    }
    Ok(recorded)
}

/// What lies in a folder, for a message.
fn holds(folder: &Path) -> String {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return "it cannot be read".to_string();
    };
    let paths = entries.flatten().map(|entry| entry.path());
    let mut names: Vec<String> =
        paths.filter(|path| !is_hidden(path)).map(|path| name(&path)).collect();
    names.sort();
    match names.is_empty() {
        true => "it is empty".to_string(),
        false => format!("it holds {}", listed(names)),
    }
}

/// Some names, and how many there are beside.
pub(crate) fn listed(names: impl IntoIterator<Item = String>) -> String {
    let names: Vec<String> = names.into_iter().collect();
    match names.len().saturating_sub(NAMED) {
        0 => names.join(", "),
        others => format!("{} and {others} more", names[..NAMED].join(", ")),
    }
}

/// The last part of a path, for people.
pub(crate) fn name(path: &Path) -> String {
    printable(&path.file_name().unwrap_or(path.as_os_str()).to_string_lossy())
}

fn is_hidden(path: &Path) -> bool {
    name(path).starts_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const PROFILE: &str =
        "[{\"name\":\"model_run\",\"ph\":\"X\",\"ts\":0,\"dur\":1,\"pid\":1,\"tid\":1}]";

    fn place(files: &[&str]) -> tempfile::TempDir {
        let place = tempfile::tempdir().unwrap();
        for file in files {
            let path = place.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, PROFILE).unwrap();
        }
        place
    }

    fn found(place: &tempfile::TempDir, words: &str) -> Vec<String> {
        let sources = Sources::find(&[place.path().join(words)]).unwrap();
        let root = place.path().canonicalize().unwrap();
        let short = |file: &PathBuf| {
            let file = file.canonicalize().unwrap();
            file.strip_prefix(&root).unwrap().display().to_string()
        };
        sources.files.iter().map(short).collect()
    }

    #[test]
    fn a_folder_in_a_pattern_stands_for_itself() {
        let place = place(&["a[b]*?c/x_0.json", "a[b]*?c/x_1.json", "abc/x_0.json"]);
        let folder = literal(&place.path().join("a[b]*?c"));
        let sources = Sources::find(&[folder.join("x_*.json")]).unwrap();
        let expected = ["x_0.json", "x_1.json"].map(|name| place.path().join("a[b]*?c").join(name));
        assert_eq!(sources.files, expected);
    }

    #[test]
    fn a_folder_is_its_newest_recording_wherever_it_lies() {
        let place = place(&[
            "profiling_trace/profiling_2026-01-01_00-00-01_0.json",
            "a/profiling_trace/profiling_2026-01-01_00-00-03_0.json",
            "a/profiling_trace/profiling_2026-01-01_00-00-03_1.json",
            "b/profiling_trace/profiling_2026-01-01_00-00-02_0.json",
        ]);
        let newest = ["0", "1"]
            .map(|launch| format!("a/profiling_trace/profiling_2026-01-01_00-00-03_{launch}.json"));
        assert_eq!(found(&place, ""), newest);
        let sources = Sources::find(&[place.path().to_path_buf()]).unwrap();
        assert_eq!(sources.older.len(), 2);
        assert!(sources.notes[0].contains("holds 3 recordings"), "{:?}", sources.notes);
        assert!(sources.notes[0].contains("b 2026-01-01_00-00-02"), "{:?}", sources.notes);
    }

    #[test]
    fn patterns_and_commas_stand_for_files() {
        let place = place(&["a_0.json", "a_1.json", "b.json", "odd,name.json", "[x].json"]);
        assert_eq!(found(&place, "a_*.json"), ["a_0.json", "a_1.json"]);
        assert_eq!(found(&place, "odd,name.json"), ["odd,name.json"]);
        assert_eq!(found(&place, "[x].json"), ["[x].json"]);
        let both = format!("a_*.json,{}", place.path().join("b.json").display());
        assert_eq!(found(&place, &both), ["a_0.json", "a_1.json", "b.json"]);
        assert_eq!(found(&place, "").len(), 5);
        let error = Sources::find(&[place.path().join("z*")]).unwrap_err().to_string();
        assert!(error.contains("nothing matches") && error.contains("a_0.json"), "{error}");
    }

    #[test]
    fn what_is_no_trace_is_passed_over_and_named() {
        let place = place(&["a.json"]);
        fs::write(place.path().join("notes.txt"), "hello").unwrap();
        let sources = Sources::find(&[place.path().to_path_buf()]).unwrap();
        assert_eq!(sources.files.len(), 1);
        assert!(
            sources.notes[0].ends_with("these are not traces: notes.txt"),
            "{:?}",
            sources.notes
        );
    }
}
