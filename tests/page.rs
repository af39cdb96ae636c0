//! HTML pages in a browser: `tests/page/` asks what their readers would.

use crate::program::{Place, program};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn questions() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/page").canonicalize().unwrap()
}

/// Without Node there are no answers.
fn node() -> Command {
    let mut node = Command::new("node");
    let version = node.arg("--version").stdout(Stdio::null()).status();
    assert!(version.is_ok(), "install Node 20 or newer (nodejs, npm); {version:?}");
    Command::new("node")
}

#[test]
fn pages_are_what_their_readers_need() {
    let place = Place::new();
    let output = node()
        .arg(questions().join("run.mjs"))
        .args([Path::new(program()), &place.path("pages")])
        .output()
        .unwrap();
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (said(&output.stdout), said(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
    println!("{out}");
}

#[test]
fn what_is_in_pages_follows_from_its_sources() {
    let output = node().arg(questions().join("drift.mjs")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
