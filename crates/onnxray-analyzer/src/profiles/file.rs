//! The file of a project: JSON with a line for each entry, so that one damaged line loses
//! one entry.
//!
//! ```json
//! {"format": "onnxray project", "version": 1,
//! "models": [
//! {"name": "encoder.onnx", "sha256": "…", "parameters": 1024, "flops": {…}}
//! ],
//! "profiles": [
//! {"name": "baseline", "model": "encoder.onnx", …},
//! {"name": "batch-8", "model": "encoder.onnx", …}
//! ]}
//! ```

use super::model::ProjectModel;
use super::profile::Profile;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::io::{self, Write};

/// Name of the file in the project's folder.
pub const PROJECT_FILE: &str = "onnxray.project.json";
const FORMAT: &str = "onnxray project";
const VERSION: u64 = 1;

/// A line of a project's file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// From 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// What a file says, and what of it cannot be read.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) models: Vec<ProjectModel>,
    pub(super) profiles: Vec<Profile>,
    pub(super) problems: Vec<Problem>,
}

#[derive(Deserialize)]
struct Root<'a> {
    format: Option<String>,
    version: Option<u64>,
    #[serde(borrow, default)]
    models: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    profiles: Vec<&'a RawValue>,
}

/// Reads what can be read.
pub(super) fn read_bytes(bytes: &[u8]) -> Contents {
    let text = String::from_utf8_lossy(bytes);
    let mut contents = read(&text);
    if let Err(error) = std::str::from_utf8(bytes) {
        let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        contents.problem(line, "it is not UTF-8".to_string());
        contents.problems.sort_by_key(|problem| problem.line);
    }
    contents
}

fn read(text: &str) -> Contents {
    let mut contents = Contents::default();
    match serde_json::from_str::<Root>(text) {
        Ok(root) => contents.take(text, &root),
        Err(error) => {
            contents.problem(error.line(), reason(&error));
            contents.take_lines(text);
        }
    }
    contents.problems.sort_by_key(|problem| problem.line);
    contents
}

impl Contents {
    fn take(&mut self, text: &str, root: &Root) {
        if root.format.as_deref() != Some(FORMAT) {
            self.problem(1, format!("expected \"format\": \"{FORMAT}\""));
        }
        match root.version {
            Some(VERSION) => {}
            Some(version) => self.problem(
                1,
                format!("version {version} of the format; this program knows version {VERSION}"),
            ),
            None => self.problem(1, "expected a \"version\"".to_string()),
        }
        for model in &root.models {
            match serde_json::from_str(model.get()) {
                Ok(read) => self.add_model(read, line_of(text, model.get())),
                Err(error) => self.problem(line_of(text, model.get()), reason(&error)),
            }
        }
        for profile in &root.profiles {
            match serde_json::from_str(profile.get()) {
                Ok(read) => self.add_profile(read, line_of(text, profile.get())),
                Err(error) => self.problem(line_of(text, profile.get()), reason(&error)),
            }
        }
    }

    /// Of a file that is no JSON as a whole: the lines that are.
    fn take_lines(&mut self, text: &str) {
        for (number, line) in (1..).zip(text.lines()) {
            let entry = line.trim().trim_end_matches(',');
            if let Ok(profile) = serde_json::from_str(entry) {
                self.add_profile(profile, number);
            } else if let Ok(model) = serde_json::from_str(entry) {
                self.add_model(model, number);
            }
        }
    }

    fn add_model(&mut self, model: ProjectModel, line: usize) {
        match self.models.iter().any(|known| known.name == model.name) {
            true => self.problem(line, format!("a second model `{}`", model.name)),
            false => self.models.push(model),
        }
    }

    fn add_profile(&mut self, profile: Profile, line: usize) {
        match self.profiles.iter().any(|known| known.name == profile.name) {
            true => self.problem(line, format!("a second profile `{}`", profile.name)),
            false => self.profiles.push(profile),
        }
    }

    fn problem(&mut self, line: usize, reason: String) {
        self.problems.push(Problem { line, reason });
    }
}

/// The line on which a part of a text begins, from 1.
fn line_of(text: &str, part: &str) -> usize {
    let offset = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let before = text.as_bytes().get(..offset).unwrap_or_default();
    1 + before.iter().filter(|&&byte| byte == b'\n').count()
}

fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_string()
}

/// Writes a file that [`read`] reads.
pub(super) fn write(
    mut out: impl Write,
    models: &[ProjectModel],
    profiles: &[Profile],
) -> io::Result<()> {
    writeln!(out, "{{\"format\": \"{FORMAT}\", \"version\": {VERSION},")?;
    entries(&mut out, "models", models)?;
    writeln!(out, ",")?;
    entries(&mut out, "profiles", profiles)?;
    writeln!(out, "}}")
}

fn entries(out: &mut impl Write, name: &str, entries: &[impl Serialize]) -> io::Result<()> {
    write!(out, "\"{name}\": [")?;
    for (number, entry) in entries.iter().enumerate() {
        writeln!(out, "{}", if number == 0 { "" } else { "," })?;
        serde_json::to_writer(&mut *out, entry)?;
    }
    write!(out, "\n]")
}
