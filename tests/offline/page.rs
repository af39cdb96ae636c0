//! HTML pages in a browser: `tests/page/` asks what their readers would.

use crate::program::{Place, fixture_file, program};
use onnxray_analyzer::settings::read_loss;
use onnxray_report::{Report, write_json, write_page};
use std::env;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Committed loss profiles by the names of their pages: at several levels, and at one.
const LOSSES: [(&str, &str); 2] = [
    ("loss-encoder", "recordings/loss-encoder/loss.json"),
    ("loss-cnn", "recordings/loss-cnn/loss.json"),
];

fn questions() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/page").canonicalize().unwrap()
}

/// Has Node run a file of the questions, and returns the answers, which must be good.
fn node(file: &str, arguments: &[&OsStr]) -> String {
    let output = Command::new("node").arg(questions().join(file)).args(arguments).output();
    let output =
        output.unwrap_or_else(|error| panic!("this test needs Node 20 or newer (nodejs): {error}"));
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (said(&output.stdout), said(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
    out
}

/// Writes the pages of loss profiles, and beside each what is printed as JSON: no command shows a
/// profile without measuring it anew.
fn write_losses(folder: &Path) {
    for (name, profile) in LOSSES {
        let profile = read_loss(&fixture_file(profile)).unwrap();
        let page = File::create(folder.join(name).with_extension("html")).unwrap();
        write_page(&profile.page(), page).unwrap();
        let printed = File::create(folder.join(name).with_extension("json")).unwrap();
        write_json(&profile.document(&None), printed).unwrap();
    }
}

#[test]
fn pages_are_what_their_readers_need() {
    let place = Place::new();
    let pages = env::var_os("ONNXRAY_PAGES").map_or(place.path("pages"), PathBuf::from);
    fs::create_dir_all(&pages).unwrap();
    write_losses(&pages);
    println!("{}", node("run.mjs", &[program().as_ref(), pages.as_ref()]));
}

#[test]
fn what_is_in_pages_follows_from_its_sources() {
    node("drift.mjs", &[]);
}
