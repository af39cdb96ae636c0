//! Runs the program and looks at what it says.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What a finished program left: exit code and both streams.
#[derive(Debug)]
pub(crate) struct Finished {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Finished {
    /// Standard output of a program that must have succeeded.
    pub(crate) fn succeeded(self, arguments: &[&str]) -> String {
        assert_eq!(self.code, Some(0), "{arguments:?}\n{}{}", self.out, self.err);
        self.out
    }

    /// The program must have failed with exactly this error, exit code 1 and nothing on standard
    /// output.
    pub(crate) fn failed(self, error: &str) {
        assert_eq!(self.err, error);
        assert_eq!((self.code, self.out.as_str()), (Some(1), ""));
    }
}

/// Three processes more for each recording, or each point of a sweep, take time, and say nothing where
/// nobody asks.
pub(crate) fn without_starts<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    match arguments {
        ["record", rest @ ..] if !rest.contains(&"--starts") => {
            ["record", "--starts", "0"].into_iter().chain(rest.iter().copied()).collect()
        }
        // Without a model, a sweep is shown.
        ["sweep", model, rest @ ..] if !model.starts_with('-') && !rest.contains(&"--starts") => {
            let before = ["sweep", "--starts", "0", model];
            before.into_iter().chain(rest.iter().copied()).collect()
        }
        _ => arguments.to_vec(),
    }
}

/// Where no library is.
const NO_LIBRARY: &str = "/nowhere/libonnxruntime.so";

/// A folder of its own for one test, in which the program runs.
pub(crate) struct Place {
    folder: tempfile::TempDir,
    /// In which kind of tests it is.
    _turn: crate::Turn,
}

impl Place {
    pub(crate) fn new() -> Place {
        Place { folder: tempfile::tempdir().unwrap(), _turn: crate::turn() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, contents: &[u8]) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, contents).unwrap();
        path
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(program());
        command
            .args(without_starts(arguments))
            .current_dir(self.folder.path())
            .stdin(Stdio::null());
        without_terminal(&mut command);
        // What this machine has installed is no part of what is said.
        command.env("ORT_DYLIB_PATH", NO_LIBRARY);
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Finished {
        finished(self.command(arguments).output().unwrap())
    }

    /// Runs the program, which must succeed, and returns standard output.
    pub(crate) fn succeed(&self, arguments: &[&str]) -> String {
        self.run(arguments).succeeded(arguments)
    }

    /// The model's figures of a recording, under `model`.
    pub(crate) fn figures(&self, recording: &str) -> serde_json::Value {
        json(&self.succeed(&["summary", recording, "--level", "model", "--format", "json"]))
    }

    /// The traces in a recording's folder.
    pub(crate) fn traces(&self, out: &str) -> Vec<PathBuf> {
        files(&self.path(out).join("profiling_trace"))
    }

    pub(crate) fn tables(&self, out: &str) -> Vec<PathBuf> {
        files(&self.path(out).join("profiling_csv"))
    }
}

/// What the tests' own terminal looks like is not a matter of theirs.
pub(crate) fn without_terminal(command: &mut Command) {
    for name in ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command.env("ONNXRAY_PROGRESS", "never");
}

pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

pub(crate) fn finished(output: Output) -> Finished {
    Finished {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

pub(crate) fn program() -> &'static str {
    env!("CARGO_BIN_EXE_onnxray")
}

/// A file of the fixtures.
pub(crate) fn fixture_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}

/// A bundled model, by its name without `.onnx`.
pub(crate) fn model(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models");
    path.join(name).with_extension("onnx").canonicalize().unwrap().display().to_string()
}

pub(crate) fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// The Python that has the packages of the tests, which `ONNXRAY_PYTHON` names.
pub(crate) fn python() -> String {
    std::env::var("ONNXRAY_PYTHON").unwrap_or_else(|_| "python3".to_string())
}
