//! Why a project could not be read or changed.

use super::file::PROJECT_FILE;
use onnxray_text::{printable, shell_word, shown};
use std::path::PathBuf;

/// Reasons that a project is not read or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant's message says it")]
pub enum ProjectError {
    #[error("{}: {source}", shown(path))]
    Io { path: PathBuf, source: std::io::Error },

    #[error(
        "{} line {line}: {reason}\n\
         hint: nothing is changed in a profiles folder of which a part cannot be read; fix the line, or \
         move the file away",
        shown(path)
    )]
    Damaged { path: PathBuf, line: usize, reason: String },

    #[error(
        "{} is not a profiles folder: it has no {}\n\
         hint: `onnxray record MODEL.onnx --profiles {}` makes one",
        shown(folder),
        PROJECT_FILE,
        shell_word(folder.as_os_str().as_encoded_bytes())
    )]
    NoProject { folder: PathBuf },

    #[error("{} has no profile `{}`; it has {known}", shown(folder), printable(name))]
    NoProfile { folder: PathBuf, name: String, known: String },

    #[error(
        "{} has a profile `{}` already\n\
         hint: `onnxray profiles --remove` removes it; record --force and sweep --restart replace it",
        shown(folder),
        printable(name)
    )]
    Exists { folder: PathBuf, name: String },

    #[error("{} has a profile `{}` already", shown(folder), printable(name))]
    Taken { folder: PathBuf, name: String },

    #[error("a profile cannot be called `{}`: {reason}", printable(name))]
    Name { name: String, reason: &'static str },

    #[error(
        "{} has another model of the name `{}` (SHA-256 {}, and this one {})\n\
         hint: rename one of the files, or use another profiles folder",
        shown(folder),
        printable(model),
        short(known),
        short(given)
    )]
    OtherModel { folder: PathBuf, model: String, known: String, given: String },

    #[error(
        "the FLOPS profile is not a recording: nothing was measured\n\
         hint: `onnxray flops MODEL` shows it"
    )]
    Flops,

    #[error(
        "profile `{}`: its recording {time} is gone from {}\n\
         hint: onnxray profiles {} --remove={}",
        printable(name),
        shown(folder),
        shell_word(project.as_os_str().as_encoded_bytes()),
        shell_word(name)
    )]
    Gone { name: String, time: String, folder: PathBuf, project: PathBuf },

    #[error(
        "{}: is a recording of another model ({}) than profile {} of {} is of ({})",
        shown(file),
        short(found),
        printable(name),
        shown(project),
        short(known)
    )]
    OtherRecording { file: PathBuf, name: String, project: PathBuf, known: String, found: String },
}

/// As much of a hash as tells two files apart.
fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}
