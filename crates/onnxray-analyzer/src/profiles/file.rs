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
use super::unknown::Unknown;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::io::{self, Write};

/// Name of the file in the project's folder.
pub const PROJECT_FILE: &str = "onnxray.project.json";
const FORMAT: &str = "onnxray project";
const VERSION: u64 = 1;
/// Occurs in every entry, and in no line that holds entries together.
const NAME: &str = "\"name\"";
/// Tells a profile from a model.
const RECORDING: &str = "\"recording\"";

/// A line of a project's file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// From 1.
    pub line: usize,
    /// Reason.
    pub reason: String,
}

/// Content of a file, and its unreadable parts.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) models: Vec<ProjectModel>,
    pub(super) profiles: Vec<Profile>,
    pub(super) problems: Vec<Problem>,
    /// Further members of the root.
    pub(super) unknown: Unknown,
}

#[derive(Deserialize)]
struct Root<'a> {
    format: Option<String>,
    version: Option<u64>,
    #[serde(borrow)]
    models: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    profiles: Option<Vec<&'a RawValue>>,
}

/// Known members of the root.
#[derive(Serialize)]
struct KnownRoot {
    format: (),
    version: (),
    models: (),
    profiles: (),
}

/// Reads what it can; the rest is among the problems.
pub(super) fn read_bytes(bytes: &[u8]) -> Contents {
    // One broken byte does not hide the other lines; the problem is reported below.
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
            // Lines that are whole are still shown; `Project::check_whole` keeps the file from
            // being overwritten.
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
        let known = KnownRoot { format: (), version: (), models: (), profiles: () };
        self.unknown = Unknown::of(text, &known);
        for (name, entries) in [("models", &root.models), ("profiles", &root.profiles)] {
            let Some(entries) = entries else {
                self.problem(1, format!("expected a \"{name}\""));
                continue;
            };
            for entry in entries {
                let line = line_of(text, entry.get());
                let taken = match name {
                    "models" => self.take_model(entry.get(), line),
                    _ => self.take_profile(entry.get(), line),
                };
                if let Err(error) = taken {
                    self.problem(line, reason(&error));
                }
            }
        }
    }

    /// Recovers the entries of a file that is not JSON as a whole, line by line.
    fn take_lines(&mut self, text: &str) {
        for (number, line) in (1..).zip(text.lines()) {
            let entry = line.trim().trim_end_matches(',');
            let Err(of_profile) = self.take_profile(entry, number) else { continue };
            let Err(of_model) = self.take_model(entry, number) else { continue };
            let is_known = self.problems.iter().any(|problem| problem.line == number);
            // Other lines are brackets and members of the root.
            if !is_known && entry.contains(NAME) {
                let is_profile = entry.contains(RECORDING);
                self.problem(number, reason(if is_profile { &of_profile } else { &of_model }));
            }
        }
    }

    fn take_model(&mut self, text: &str, line: usize) -> serde_json::Result<()> {
        let mut model: ProjectModel = serde_json::from_str(text)?;
        model.unknown = Unknown::of(text, &model);
        if self.models.iter().any(|known| known.name == model.name) {
            self.problem(line, format!("a second model `{}`", model.name));
        } else if let Err(reason) = model.check() {
            self.problem(line, reason);
        } else {
            self.models.push(model);
        }
        Ok(())
    }

    fn take_profile(&mut self, text: &str, line: usize) -> serde_json::Result<()> {
        let mut profile: Profile = serde_json::from_str(text)?;
        profile.unknown = Unknown::of(text, &profile);
        if self.profiles.iter().any(|known| known.name == profile.name) {
            self.problem(line, format!("a second profile `{}`", profile.name));
        } else if let Err(reason) = profile.check() {
            self.problem(line, reason);
        } else {
            self.profiles.push(profile);
        }
        Ok(())
    }

    fn problem(&mut self, line: usize, reason: String) {
        self.problems.push(Problem { line, reason });
    }

    /// Members that this program does not know, of the file and of all entries.
    pub(super) fn unknown_members(&self) -> Vec<String> {
        let models = self.models.iter().map(|model| (&model.name, &model.unknown));
        let profiles = self.profiles.iter().map(|profile| (&profile.name, &profile.unknown));
        let of_entries = models.chain(profiles).flat_map(|(name, unknown)| {
            unknown.names().into_iter().map(move |member| format!("{member} of {name}"))
        });
        self.unknown.names().into_iter().chain(of_entries).collect()
    }
}

/// The line on which a part of a text begins, from 1.
fn line_of(text: &str, part: &str) -> usize {
    // `part` is a slice of `text`: serde borrows raw values.
    let offset = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let before = text.as_bytes().get(..offset).unwrap_or_default();
    1 + before.iter().filter(|&&byte| byte == b'\n').count()
}

fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    // Without the place that serde adds, within the entry: a problem has its line in the file.
    text.split(" at line ").next().unwrap_or_default().to_string()
}

/// Writes a file that [`read`] reads.
pub(super) fn write(
    mut out: impl Write,
    models: &[ProjectModel],
    profiles: &[Profile],
    unknown: &Unknown,
) -> io::Result<()> {
    writeln!(out, "{{\"format\": \"{FORMAT}\", \"version\": {VERSION},")?;
    entries(&mut out, "models", models, |model| &model.unknown)?;
    writeln!(out, ",")?;
    entries(&mut out, "profiles", profiles, |profile| &profile.unknown)?;
    if let Value::Object(members) = unknown.with(&Map::new())? {
        for (name, value) in members {
            write!(out, ",\n{}: {value}", Value::String(name))?;
        }
    }
    writeln!(out, "}}")
}

fn entries<Entry: Serialize>(
    out: &mut impl Write,
    name: &str,
    entries: &[Entry],
    unknown: impl Fn(&Entry) -> &Unknown,
) -> io::Result<()> {
    write!(out, "\"{name}\": [")?;
    // One entry per line, as `take_lines` needs it to recover entries of a damaged file.
    for (number, entry) in entries.iter().enumerate() {
        writeln!(out, "{}", if number == 0 { "" } else { "," })?;
        match unknown(entry) {
            none if *none == Unknown::default() => serde_json::to_writer(&mut *out, entry)?,
            unknown => serde_json::to_writer(&mut *out, &unknown.with(entry)?)?,
        }
    }
    write!(out, "\n]")
}
