//! What becomes part of the program, and from where: written down, and held to it.

use crate::{files, read, root};
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::process::Command;

/// What the program is made of is stated for this platform, for which it is written.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// The list of what is in the program.
const LIST: &str = "docs/third-party.md";

const HEAD: &str = "\
# Third-party software

The crates that are compiled into `onnxray` on Linux (x86-64), with the licences that they
are under; of alternatives, onnxray takes those that `.ci/deny.toml` lists. Crates that only
take part in compiling or testing are not in the program and not here. Of what a crate has
within it, `zstd-sys` has the Zstandard library (BSD-3-Clause). The texts of the licences
come with the source of each crate.

Pages hold parts of Apache ECharts (Apache-2.0), zrender (BSD-3-Clause), tslib (0BSD) and
@tanstack/virtual-core (MIT), in the versions of
`crates/onnxray-report/web/package-lock.json`. Their licences are in `web/dist/LICENSES.txt`
there, and in every page, under *About*.

This file follows from `Cargo.lock`; a test compares them and, with `ONNXRAY_UPDATE` set,
writes it again:

```sh
ONNXRAY_UPDATE=1 cargo test --locked --release --workspace --test tidy third_party
```

| crate | version | licence |
| --- | --- | --- |
";

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--offline", "--format-version", "1"])
        .args(["--filter-platform", PLATFORM])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Name, version and licence of every crate in the program that is not our own.
fn third_party() -> BTreeSet<(String, String, String)> {
    let metadata = metadata();
    let of_packages = list(&metadata, "packages").iter();
    let packages: HashMap<&str, &Value> =
        of_packages.map(|package| (text(package, "id"), package)).collect();
    let nodes = list(&metadata["resolve"], "nodes").iter();
    let nodes: HashMap<&str, &Value> = nodes.map(|node| (text(node, "id"), node)).collect();
    let is_macro = |id: &str| {
        let targets = list(packages[id], "targets").iter();
        targets.flat_map(|target| list(target, "kind")).any(|kind| kind == "proc-macro")
    };
    let program = packages.iter().find(|(_, package)| text(package, "name") == "onnxray");
    let mut pending = vec![*program.unwrap().0];
    let mut reached: BTreeSet<&str> = BTreeSet::new();
    while let Some(id) = pending.pop() {
        if is_macro(id) || !reached.insert(id) {
            continue;
        }
        for dependency in list(nodes[id], "deps") {
            let kinds = list(dependency, "dep_kinds").iter();
            if kinds.into_iter().any(|kind| kind["kind"].is_null()) {
                pending.push(text(dependency, "pkg"));
            }
        }
    }
    let foreign = reached.into_iter().map(|id| packages[id]).filter(|p| !p["source"].is_null());
    let part = |package: &Value, key| text(package, key).to_string();
    foreign.map(|p| (part(p, "name"), part(p, "version"), part(p, "license"))).collect()
}

#[test]
fn third_party_software_is_listed() {
    let crates = third_party();
    assert!(crates.len() > 100, "{}", crates.len());
    let line = |(name, version, licence): &(String, String, String)| {
        assert!(!licence.is_empty(), "{name} does not say its licence");
        format!(
            "| {name} | {version} | {} |\n",
            licence.split('/').map(str::trim).collect::<Vec<_>>().join(" OR ")
        )
    };
    let expected = HEAD.to_string() + &crates.iter().map(line).collect::<String>();
    let path = root().join(LIST);
    if std::env::var_os("ONNXRAY_UPDATE").is_some() {
        fs::write(&path, &expected).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == expected, "{LIST} is not current; it says how it is written");
}

#[test]
fn packages_for_node_are_known_by_their_hashes() {
    for lock in ["crates/onnxray-report/web/package-lock.json", ".ci/node/package-lock.json"] {
        let lock: Value = serde_json::from_str(&read(lock)).unwrap();
        let packages = lock["packages"].as_object().unwrap();
        let foreign: Vec<_> = packages.iter().filter(|(place, _)| !place.is_empty()).collect();
        assert!(foreign.len() > 4);
        for (place, package) in foreign {
            let hash = package["integrity"].as_str().unwrap_or_default();
            assert!(hash.starts_with("sha512-"), "{place} has no hash");
            assert!(package["resolved"].is_null(), "{place}: where it came from is named");
        }
    }
}

#[test]
fn every_crate_comes_from_the_registry_and_is_known_by_its_hash() {
    for lock in ["Cargo.lock", "tests/fuzz/Cargo.lock"] {
        for package in read(lock).split("[[package]]").skip(1) {
            let ours = package.trim_start().starts_with("name = \"onnxray");
            let line = |start: &str| package.lines().any(|line| line.starts_with(start));
            let is_foreign =
                line("source = \"registry+https://github.com/rust-lang/crates.io-index\"")
                    && line("checksum = \"");
            assert!(is_foreign || ours && !line("source"), "{lock}: {package}");
        }
    }
}

#[test]
fn commands_take_the_versions_of_the_lock_file() {
    let documents = files("docs", "md").into_iter().map(|file| file.display().to_string());
    let others =
        ["README.md", ".ci/run", ".ci/test", ".ci/tools", "tests/fuzz/run.sh"].map(str::to_string);
    for file in documents.chain(others) {
        for line in read(&file).lines() {
            let builds = ["build", "run", "test", "bench", "clippy", "install", "metadata"]
                .map(|command| format!("cargo {command} "));
            if builds.iter().any(|command| line.contains(command.as_str())) {
                assert!(line.contains("--locked"), "{file}: {line}");
            }
        }
    }
}

#[test]
fn what_the_tests_install_is_known_by_its_hash() {
    let pinned = read("tests/requirements.txt");
    let lists = [".ci/requirements.txt", "python/tests/requirements.txt"].map(read);
    for list in lists.iter().chain([&pinned]) {
        for entry in
            list.replace("\\\n", " ").lines().filter(|line| !line.trim_start().starts_with('#'))
        {
            assert!(entry.contains("==") && entry.contains("--hash=sha256:"), "{entry}");
        }
    }
    for line in read("tests/requirements.in").lines().filter(|line| !line.starts_with('#')) {
        let (name, version) = line.split_once("==").expect(line);
        assert!(pinned.contains(&format!("{}=={version} ", name.to_lowercase())), "{line}");
    }
    let scripts = [".ci/run", ".ci/tools", ".ci/package", ".ci/release"].map(read);
    for script in &scripts {
        let count = |text: &str| script.matches(text).count();
        // What comes from no index was made here.
        assert_eq!(count("pip\" install"), count("--require-hashes") + count("--no-index"));
    }
    assert!(scripts[0].contains("cargo-fuzz --version \"$fuzz\""));
}
