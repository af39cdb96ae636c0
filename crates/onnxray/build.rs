//! Tells the program what it was built from, and for what.

use std::env;
use std::process::Command;

fn main() {
    let target = env::var("TARGET").unwrap_or_default();
    let built = match git(&["rev-parse", "--short=12", "HEAD"]) {
        Some(commit) => format!("{commit} {target}"),
        // Sources without a repository have no commit.
        None => target,
    };
    println!("cargo::rustc-env=ONNXRAY_BUILT={built}");
    println!("cargo::rerun-if-changed=build.rs");
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--path-format=absolute", "--git-path", file]) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_string())
}
