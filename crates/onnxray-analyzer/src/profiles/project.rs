//! A project: a folder that holds recordings, and a file that names their profiles.

use super::error::ProjectError;
use super::file::{self, PROJECT_FILE, Problem};
use super::model::ProjectModel;
use super::profile::{PlannedSpeed, Profile};
use super::unknown::Unknown;
use onnxray_failsafe::{WholeFile, read_regular};
use onnxray_format::layout::{self, TRACE_FOLDER};
use onnxray_import::Source;
use onnxray_text::printable;
use serde_json::Value;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Name of the profile that needs no measurement.
pub const FLOPS_PROFILE: &str = "FLOPS";
/// In bytes; a larger file is refused.
const LARGEST: u64 = 64 << 20;

/// A folder of profiles.
#[derive(Debug)]
pub struct Project {
    /// Path of the folder.
    pub folder: PathBuf,
    /// Models that were recorded.
    pub models: Vec<ProjectModel>,
    /// In the order in which they were added.
    pub profiles: Vec<Profile>,
    /// Unreadable parts of its file.
    pub problems: Vec<Problem>,
    /// Members of its file that this program does not know, and keeps: `configuration.gpu of a`.
    pub unknown_members: Vec<String>,
    /// Unknown members of the root, which are written back.
    unknown: Unknown,
}

impl Project {
    /// Reads a project; what cannot be read of it is among its problems.
    ///
    /// # Errors
    ///
    /// If the folder has no project, or if the file cannot be read at all.
    pub fn open(folder: &Path) -> Result<Project, ProjectError> {
        let path = folder.join(PROJECT_FILE);
        let project = |contents: file::Contents| Project {
            folder: folder.to_path_buf(),
            unknown_members: contents.unknown_members(),
            unknown: contents.unknown,
            models: contents.models,
            profiles: contents.profiles,
            problems: contents.problems,
        };
        let about = match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(ProjectError::NoProject { folder: folder.to_path_buf() });
            }
            Err(_) if folder.is_file() => {
                let source = io::Error::other("is a file, and a folder is needed here");
                return Err(ProjectError::Io { path: folder.to_path_buf(), source });
            }
            about => about.map_err(|source| ProjectError::Io { path: path.clone(), source })?,
        };
        // A pipe might never end; a larger file was not written by this program.
        if !about.is_file() || about.len() > LARGEST {
            let reason = format!("expected a file of at most {} MiB", LARGEST >> 20);
            return Err(ProjectError::Damaged { path, line: 1, reason });
        }
        match read_regular(&path, LARGEST) {
            Ok(bytes) => Ok(project(file::read_bytes(&bytes))),
            Err(source) => Err(ProjectError::Io { path, source }),
        }
    }

    /// As [`Project::open`]; a folder without a project is empty.
    ///
    /// # Errors
    ///
    /// If the file cannot be read at all.
    pub fn open_or_new(folder: &Path) -> Result<Project, ProjectError> {
        match Project::open(folder) {
            Err(ProjectError::NoProject { folder }) => Ok(Project {
                folder,
                models: Vec::new(),
                profiles: Vec::new(),
                problems: Vec::new(),
                unknown_members: Vec::new(),
                unknown: Unknown::default(),
            }),
            other => other,
        }
    }

    /// Changes the project in `folder`, which must exist, while no other process does.
    ///
    /// # Errors
    ///
    /// If its file is damaged, which is left as it is then, if `change` fails, or if the file
    /// cannot be written.
    pub fn change<T>(
        folder: &Path,
        change: impl FnOnce(&mut Project) -> Result<T, ProjectError>,
    ) -> Result<T, ProjectError> {
        let failed = |source| ProjectError::Io { path: folder.to_path_buf(), source };
        // The folder is locked, not the file: that is replaced by each change, and its lock with
        // it.
        let gate = File::open(folder).map_err(failed)?;
        gate.lock().map_err(failed)?;
        let mut project = Project::open_or_new(folder)?;
        project.check_whole()?;
        let changed = change(&mut project)?;
        let path = folder.join(PROJECT_FILE);
        let written = WholeFile::create(&path, true).and_then(|mut file| {
            let Project { models, profiles, unknown, .. } = &project;
            file::write(&mut file, models, profiles, unknown)?;
            file.finish()
        });
        written.map_err(|source| ProjectError::Io { path, source })?;
        Ok(changed)
    }

    /// Refuses a project of which a part cannot be read, and would be lost.
    ///
    /// # Errors
    ///
    /// The first of its problems.
    pub fn check_whole(&self) -> Result<(), ProjectError> {
        match self.problems.first() {
            None => Ok(()),
            Some(Problem { line, reason }) => Err(ProjectError::Damaged {
                path: self.folder.join(PROJECT_FILE),
                line: *line,
                reason: printable(reason),
            }),
        }
    }

    /// The profile of this name.
    ///
    /// # Errors
    ///
    /// If the folder has none.
    pub fn profile(&self, name: &str) -> Result<&Profile, ProjectError> {
        if name == FLOPS_PROFILE {
            return Err(ProjectError::Flops);
        }
        let found = self.profiles.iter().find(|profile| profile.name == name);
        found.ok_or_else(|| self.no_profile(name))
    }

    /// Old and new name in `OLD=NEW`, of which the old one may hold `=` itself.
    ///
    /// # Errors
    ///
    /// If no profile has the name before any `=`.
    pub fn names_in<'a>(&self, text: &'a str) -> Result<(&'a str, &'a str), ProjectError> {
        let parts = text.match_indices('=').map(|(place, _)| (&text[..place], &text[place + 1..]));
        let known = |(old, _): &(&str, &str)| self.profiles.iter().any(|known| known.name == *old);
        let named = parts.into_iter().find(known);
        named.ok_or_else(|| self.no_profile(text.split('=').next().unwrap_or(text)))
    }

    fn place(&self, name: &str) -> Result<usize, ProjectError> {
        let place = self.profiles.iter().position(|profile| profile.name == name);
        place.ok_or_else(|| self.no_profile(name))
    }

    fn no_profile(&self, name: &str) -> ProjectError {
        let names: Vec<String> =
            self.profiles.iter().map(|profile| printable(&profile.name)).collect();
        let known = match names.as_slice() {
            [] => "none".to_string(),
            names => onnxray_text::first_of(names, ", "),
        };
        ProjectError::NoProfile { folder: self.folder.clone(), name: name.to_string(), known }
    }

    /// All but `other` that could be compared to it, those with the best throughput first: they
    /// are at the same sizes, have their throughput in the same unit, and a recording still.
    /// Those of other model files may be of other models.
    pub fn others_by_throughput(&self, other: &Profile) -> Vec<&Profile> {
        let rate = |profile: &Profile| match other.items_per_second {
            Some(_) => profile.items_per_second.map(|rate| rate.value),
            None => Some(profile.iterations_per_second.value),
        };
        let others = self.profiles.iter().filter(|profile| {
            profile.name != other.name
                && profile.configuration.dimensions == other.configuration.dimensions
                && rate(profile).is_some()
                && self.files(profile).is_ok()
        });
        let mut others: Vec<&Profile> = others.collect();
        others.sort_by(|a, b| rate(b).unwrap_or(0.0).total_cmp(&rate(a).unwrap_or(0.0)));
        others
    }

    /// Checks that a model and a profile of this name may be added.
    ///
    /// # Errors
    ///
    /// If the name is taken, unless it may be replaced, or is not a name, or if another model has
    /// the model's name.
    pub fn check_new(
        &self,
        name: &str,
        model: &str,
        sha256: Option<&str>,
        replaces: bool,
    ) -> Result<(), ProjectError> {
        check_name(name)?;
        if !replaces && self.profiles.iter().any(|profile| profile.name == name) {
            let folder = self.folder.clone();
            return Err(ProjectError::Exists { folder, name: name.to_string() });
        }
        let known = self.models.iter().find(|known| known.name == model);
        let known = known.and_then(|known| known.sha256.as_deref());
        match known.zip(sha256) {
            Some((known, given)) if known != given => Err(ProjectError::OtherModel {
                folder: self.folder.clone(),
                model: model.to_string(),
                known: known.to_string(),
                given: given.to_string(),
            }),
            _ => Ok(()),
        }
    }

    /// Adds a profile and its model, in place of one of the same name.
    ///
    /// # Errors
    ///
    /// As [`Project::check_new`].
    pub fn add(
        &mut self,
        profile: Profile,
        model: ProjectModel,
        replaces: bool,
    ) -> Result<(), ProjectError> {
        self.check_new(&profile.name, &model.name, model.sha256.as_deref(), replaces)?;
        self.add_model(model);
        match self.profiles.iter_mut().find(|known| known.name == profile.name) {
            Some(known) => *known = profile,
            None => self.profiles.push(profile),
        }
        Ok(())
    }

    /// Adds a model, if it is not there, or if more is known of its cost now.
    pub fn add_model(&mut self, model: ProjectModel) {
        let unknown = |model: &ProjectModel| model.flops.operations.unknown;
        match self.models.iter_mut().find(|known| known.name == model.name) {
            None => self.models.push(model),
            Some(known) if unknown(known) > unknown(&model) => *known = model,
            Some(_) => {}
        }
    }

    /// Removes a profile, and its model with the last one. Recordings stay.
    ///
    /// # Errors
    ///
    /// If no profile has the name.
    pub fn remove(&mut self, name: &str) -> Result<Profile, ProjectError> {
        let removed = self.profiles.remove(self.place(name)?);
        if !self.profiles.iter().any(|profile| profile.model == removed.model) {
            self.models.retain(|model| model.name != removed.model);
        }
        Ok(removed)
    }

    /// Keeps what a plan would bring with a profile.
    ///
    /// # Errors
    ///
    /// If no profile has the name.
    pub fn keep_plan(&mut self, name: &str, plan: PlannedSpeed) -> Result<(), ProjectError> {
        let place = self.place(name)?;
        self.profiles[place].plan = Some(plan);
        Ok(())
    }

    /// Gives a profile another name.
    ///
    /// # Errors
    ///
    /// If no profile has the name, or the new one is taken.
    pub fn rename(&mut self, from: &str, to: &str) -> Result<(), ProjectError> {
        let place = self.place(from)?;
        check_name(to)?;
        if from != to && self.profiles.iter().any(|profile| profile.name == to) {
            let folder = self.folder.clone();
            return Err(ProjectError::Taken { folder, name: to.to_string() });
        }
        self.profiles[place].name = to.to_string();
        Ok(())
    }

    /// The traces of a profile, in the order of launches.
    ///
    /// # Errors
    ///
    /// If there is none any more, or if the first is of another model than the profile.
    pub fn files(&self, profile: &Profile) -> Result<Vec<PathBuf>, ProjectError> {
        let place = &profile.recording;
        let folder = self.folder.join(&place.folder);
        let traces = layout::list(&folder.join(TRACE_FOLDER)).unwrap_or_default();
        let ours: Vec<PathBuf> = traces
            .into_iter()
            .filter(|(_, time, _)| *time == place.time)
            .map(|(path, ..)| path)
            .collect();
        let Some(first) = ours.first() else {
            return Err(ProjectError::Gone {
                name: profile.name.clone(),
                time: place.time.clone(),
                folder,
                project: self.folder.clone(),
            });
        };
        match profile.model_sha256.clone().zip(model_of(first)) {
            Some((known, found)) if known != found => Err(ProjectError::OtherRecording {
                file: first.clone(),
                name: profile.name.clone(),
                project: self.folder.clone(),
                known,
                found,
            }),
            _ => Ok(ours),
        }
    }
}

/// SHA-256 of the model that a recording of ours is of, by its first line; `None` if it does not
/// say so.
fn model_of(trace: &Path) -> Option<String> {
    let mut source = Source::open(trace).ok()?;
    // Recordings may be large: no more of one is read than its first line.
    let mut length = FIRST_LOOK;
    while length < HEAD && !source.head(length).ok()?.contains(&b'\n') {
        length *= 4;
    }
    let head =
        str::from_utf8(source.head(length).ok()?.split(|&byte| byte == b'\n').next()?).ok()?;
    // The first line ends where events begin; closed here, it is JSON by itself.
    let about = head.strip_suffix(",\"traceEvents\":[")?;
    let about: Value = serde_json::from_str(&format!("{about}}}")).ok()?;
    about["otherData"]["model_sha256"].as_str().map(str::to_string)
}

/// Metadata of a recording fits into the first most often, and into the second always.
const FIRST_LOOK: usize = 1 << 12;
const HEAD: usize = 1 << 20;

fn check_name(name: &str) -> Result<(), ProjectError> {
    let reason = match name {
        "" => "it is empty",
        _ if name.eq_ignore_ascii_case(FLOPS_PROFILE) => {
            "every profiles folder has that one already"
        }
        _ if name.len() > 1000 => "it has more than 1000 bytes",
        _ => return Ok(()),
    };
    Err(ProjectError::Name { name: name.to_string(), reason })
}

/// A folder's name for a profile: of a name that no file system minds.
pub fn folder_of(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || ['-', '_', '=', '.'].contains(&c);
    let name: String = name.chars().map(|c| if plain(c) { c } else { '_' }).take(100).collect();
    // Hidden files, and names that commands would take for options.
    match name.starts_with(['.', '-']) || name.is_empty() {
        true => format!("_{name}"),
        false => name,
    }
}
