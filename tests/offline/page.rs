//! HTML pages in a browser: `tests/page/` asks what their readers would.

use crate::program::{Place, program};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

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

#[test]
fn pages_are_what_their_readers_need() {
    let place = Place::new();
    let pages = place.path("pages");
    println!("{}", node("run.mjs", &[program().as_ref(), pages.as_ref()]));
}

#[test]
fn what_is_in_pages_follows_from_its_sources() {
    node("drift.mjs", &[]);
}
