//! Recordings that the program itself makes for a bench.

use onnxray_analyzer::comparison::Recording;
use onnxray_analyzer::{Needs, Trace, examine};
use onnxray_import::{Launch, Reading, Sources, import};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Records two models, whose files have different names, in turns.
pub(crate) fn in_turns(models: [&Path; 2], arguments: &[&str], out: &Path) -> [Vec<Launch>; 2] {
    let folders = models.map(|path| out.join(path.file_stem().expect("a name")));
    let second = models[1].display().to_string();
    record(models[0], &[&["--against", &second], arguments].concat(), folders, out)
}

/// Records a model in turns with itself, with other options.
pub(crate) fn configurations(
    model: &Path,
    own: &str,
    arguments: &[&str],
    out: &Path,
) -> [Vec<Launch>; 2] {
    let name = model.file_stem().expect("a name").to_string_lossy();
    let folders = ["a", "b"].map(|side| out.join(format!("{name}-{side}")));
    record(model, &[&["--against-options", own], arguments].concat(), folders, out)
}

/// Records a model by itself.
pub(crate) fn alone(model: &Path, arguments: &[&str], out: &Path) -> Vec<Launch> {
    let [launches] = record(model, arguments, [out.to_path_buf()], out);
    launches
}

fn record<const SIDES: usize>(
    model: &Path,
    arguments: &[&str],
    folders: [PathBuf; SIDES],
    out: &Path,
) -> [Vec<Launch>; SIDES] {
    let _ = std::fs::remove_dir_all(out);
    let mut command = Command::new(env!("CARGO_BIN_EXE_onnxray"));
    command.arg("record").arg(model).arg("--out").arg(out).args(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    assert!(command.status().expect("the program runs").success());
    folders.map(|folder| {
        let sources = Sources::find(&[folder]).expect("a recording");
        import(&sources.files, &Reading::default()).expect("a recording that reads")
    })
}

/// What comparisons take.
pub(crate) fn recording(label: &str, launches: Vec<Launch>) -> Recording {
    let trace = Trace::new(launches);
    let (summary, timeline) = examine(&trace, Needs::Measured).expect("figures").into_timeline();
    Recording { label: label.to_string(), summary, timeline }
}

/// A bundled model.
pub(crate) fn fixture(model: &str) -> PathBuf {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models");
    models.join(format!("{model}.onnx"))
}
