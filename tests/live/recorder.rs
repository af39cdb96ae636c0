//! Records bundled models quickly.

use crate::program::Place;
use crate::{program, pruned_encoder};
use std::os::unix::process::CommandExt;
use std::process::{Child, Stdio};

/// Every bundled model that tract runs, and the sizes that it needs.
pub(crate) const MODELS: [(&str, &[&str]); 7] = [
    ("encoder", &["--dim", "sequence=32"]),
    ("encoder-pruned-4x1", &["--dim", "sequence=16"]),
    ("encoder-int8", &["--dim", "sequence=16"]),
    ("cnn", &[]),
    ("cnn-int8", &[]),
    ("lstm", &["--dim", "sequence=8"]),
    ("scan", &["--dim", "frames=8"]),
];

/// A bundled model, or the one that is made of a bundled one, by its name without `.onnx`.
pub(crate) fn model(name: &str) -> String {
    match name {
        pruned_encoder::NAME => pruned_encoder::path().display().to_string(),
        _ => program::model(name),
    }
}

/// Records a bundled model into `out`: 6 iterations, 2 of warm-up, 3 plain ones.
pub(crate) fn record(place: &Place, name: &str, out: &str, more: &[&str]) -> String {
    let model = model(name);
    let (_, sizes) = MODELS.iter().find(|(known, _)| *known == name).unwrap();
    let mut arguments = vec!["record", model.as_str(), "--out", out];
    arguments.extend(["--iterations", "6", "--warmup", "2", "--unprofiled-iterations", "3"]);
    arguments.extend(*sizes);
    arguments.extend(more);
    place.succeed(&arguments)
}

/// Starts the program in a process group of its own, which a signal reaches as a whole.
pub(crate) fn start(place: &Place, arguments: &[&str]) -> Child {
    let mut command = place.command(arguments);
    command.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}
