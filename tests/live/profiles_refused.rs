//! What a project does not take: names, other models, and anything if its file is of another
//! version.

use crate::listed_profiles::{listed, names};
use crate::profiles::{add, added};
use crate::program::{Place, files, json, model};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

const FILE: &str = "p/onnxray.project.json";

/// All files below a folder, and when they were written.
fn tree(folder: &Path) -> Vec<(PathBuf, SystemTime)> {
    let (mut found, mut pending) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = pending.pop() {
        for path in files(&folder) {
            let about = path.symlink_metadata().unwrap();
            match about.is_dir() {
                true => pending.push(path),
                false => found.push((path, about.modified().unwrap())),
            }
        }
    }
    found.sort();
    found
}

#[test]
fn names_that_are_none_are_refused_before_anything_is_recorded() {
    let place = Place::new();
    let cnn = model("cnn");
    let long = "n".repeat(1001);
    for (name, said) in [
        ("FLOPS", "every profiles folder has that one"),
        ("flops", "every profiles folder has that one"),
        (long.as_str(), "more than 1000 bytes"),
    ] {
        let refused = add(&place, &cnn, name, &[]);
        assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""), "{name}");
        assert!(refused.err.contains("a profile cannot be called"), "{}", refused.err);
        assert!(refused.err.contains(said), "{name}: {}", refused.err);
        assert!(!place.path("p").exists(), "{name}");
    }
    added(&place, &cnn, "a", &[]);
    let before = tree(&place.path("p"));
    // An hour of measuring would be lost.
    let taken =
        place.run(&["record", &cnn, "--profiles", "p", "--name", "a", "--duration", "3600"]);
    assert_eq!((taken.code, taken.out.as_str()), (Some(1), ""));
    assert!(taken.err.starts_with("error: p has a profile `a` already\n"), "{}", taken.err);
    assert!(taken.err.contains("--force"), "{}", taken.err);
    assert_eq!(tree(&place.path("p")), before);
    for more in [["--out", "x"], ["--against", &cnn]] {
        assert_eq!(add(&place, &cnn, "b", &more).code, Some(2), "{more:?}");
    }
}

#[test]
fn any_other_name_stays_inside_the_project() {
    let place = Place::new();
    let scan = model("scan");
    let odd = [
        "=1+1",
        "a/b",
        "a_b",
        "../x",
        "..",
        "/etc/x",
        "--x",
        "x:y",
        "a b",
        "ünï\u{202e}",
        "\u{1b}[31m\nerror: forged",
    ];
    for name in odd {
        added(&place, &scan, name, &["--dim", "frames=4"]);
    }
    assert_eq!(files(&place.path("")), [place.path("p")], "nothing beside it");
    let rows = listed(&place, "p");
    assert_eq!(names(&rows), [&odd[..], &["FLOPS"]].concat());
    for row in &rows[..odd.len()] {
        let name = row["profile"].as_str().unwrap();
        let recording = row["recording"].as_str().unwrap();
        let (folder, time) = recording.rsplit_once('/').unwrap();
        assert!(!folder.contains('/') && !folder.starts_with('.'), "{name}: {recording}");
        // Two may share a folder, and no recording.
        let ours = place.traces(&format!("p/{folder}")).into_iter();
        let ours = ours.filter(|path| path.to_string_lossy().contains(time)).count();
        assert_eq!(ours, 1, "{name}: {recording}");
        assert_eq!(place.figures(&format!("p:{name}"))["model"]["profile"], name);
    }
    for format in ["table", "markdown"] {
        let text = place.succeed(&["profiles", "p", "--wide", "--format", format]);
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
        assert!(!text.lines().any(|line| line.starts_with("error")), "{text}");
    }
    let refused = place.run(&["summary", "p:nowhere"]).err;
    assert!(!refused.contains('\u{1b}') && refused.lines().count() == 1, "{refused:?}");
    let csv = place.succeed(&["profiles", "p", "--format", "csv"]);
    assert!(csv.contains("\n'=1+1,") && csv.contains("\n'--x,"), "{csv}");
    for name in odd {
        place.succeed(&["profiles", "p", &format!("--remove={name}")]);
    }
    assert_eq!(listed(&place, "p").len(), 0);
}

#[test]
fn another_model_of_the_same_name_is_refused() {
    let place = Place::new();
    added(&place, &model("cnn"), "a", &[]);
    fs::create_dir(place.path("other")).unwrap();
    fs::copy(model("scan"), place.path("other/cnn.onnx")).unwrap();
    let hash = |arguments: &[&str]| {
        let flops = json(&place.succeed(&[arguments, &["--format", "json"]].concat()));
        flops["model"]["model_sha256"].as_str().unwrap()[..12].to_string()
    };
    let known = hash(&["flops", &model("cnn")]);
    let given = hash(&["flops", "other/cnn.onnx", "--dim", "frames=4"]);
    assert_ne!(known, given);
    let before = tree(&place.path("p"));
    for more in [&["--dim", "frames=4"][..], &["--dim", "frames=4", "--force"]] {
        let refused = add(&place, "other/cnn.onnx", "b", more);
        assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""), "{more:?}");
        assert!(refused.err.contains("another model of the name `cnn.onnx`"), "{}", refused.err);
        assert!(refused.err.contains(&known) && refused.err.contains(&given), "{}", refused.err);
    }
    assert_eq!(tree(&place.path("p")), before, "nothing was recorded");
    // Another path to the same model is the same model.
    fs::copy(model("cnn"), place.path("other/cnn.onnx")).unwrap();
    added(&place, "other/cnn.onnx", "b", &[]);
    assert_eq!(names(&listed(&place, "p")), ["a", "b", "FLOPS"]);
}

#[test]
fn a_model_that_cannot_be_run_leaves_its_flops_profile() {
    let place = Place::new();
    let lone = add(&place, "nowhere.onnx", "a", &[]);
    assert_eq!((lone.code, place.path(FILE).exists()), (Some(1), false), "{}", lone.err);
    let encoder = model("encoder");
    let refused = add(&place, &encoder, "a", &[]);
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    assert!(refused.err.contains("dimension `sequence`"), "{}", refused.err);
    assert_eq!(names(&listed(&place, "p")), ["FLOPS"]);
    // What could not be known without sizes is known with them.
    let sizes = ["--dim", "sequence=8"];
    added(&place, &encoder, "a", &sizes);
    let rows = listed(&place, "p");
    assert_eq!(names(&rows), ["a", "FLOPS"]);
    let flops = [&["flops", &encoder, "--format", "json"], &sizes[..]].concat();
    assert_eq!(rows[1]["flops"], json(&place.succeed(&flops))["model"]["flops"]);
}

#[test]
fn a_project_of_a_newer_version_takes_nothing() {
    let place = Place::new();
    let cnn = model("cnn");
    added(&place, &cnn, "a", &[]);
    let text = fs::read_to_string(place.path(FILE)).unwrap();
    let newer = text.replace("\"version\": 1,", "\"version\": 2,");
    assert_ne!(newer, text);
    place.write(FILE, newer.as_bytes());
    let before = tree(&place.path("p"));
    let refused =
        place.run(&["record", &cnn, "--profiles", "p", "--name", "c", "--duration", "3600"]);
    assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""));
    assert!(refused.err.contains("version 2 of the format"), "{}", refused.err);
    assert_eq!(tree(&place.path("p")), before, "refused before anything was recorded");
    place.write(FILE, text.as_bytes());
    added(&place, &cnn, "c", &[]);
    assert_eq!(names(&listed(&place, "p")), ["a", "c", "FLOPS"]);
}
