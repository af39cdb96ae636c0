//! The repository's own rules, as tests: what is only written drifts.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

mod arrows;
mod doors;
mod kinds;
mod modules;
mod pages;
mod platforms;
#[path = "../harness/pruned_encoder.rs"]
mod pruned_encoder;
mod security;
mod supply_chain;
mod words;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// All files below a folder with an extension, relative to the root.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![root().join(folder)];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path.strip_prefix(root()).unwrap().to_path_buf());
            }
        }
    }
    found.sort();
    found
}

fn rust_files() -> Vec<PathBuf> {
    ["crates", "tests", "benches"].iter().flat_map(|folder| files(folder, "rs")).collect()
}

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

#[test]
fn the_top_level_is_what_it_should_be() {
    let expected: BTreeSet<&str> = [
        ".ci",
        ".clippy.toml",
        ".gitignore",
        ".rustfmt.toml",
        "CHANGELOG.md",
        "Cargo.lock",
        "Cargo.toml",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "README.md",
        "SECURITY.md",
        "action",
        "benches",
        "crates",
        "docs",
        "fixtures",
        "pyproject.toml",
        "python",
        "tests",
    ]
    .into();
    let ignored = read(".gitignore");
    let found: BTreeSet<String> = fs::read_dir(root())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !ignored.lines().any(|line| line == format!("/{name}")))
        .filter(|name| ![".xlsx", ".html"].iter().any(|report| name.ends_with(report)))
        // What editors and version control keep for themselves.
        .filter(|name| !name.starts_with('.') || expected.contains(name.as_str()))
        .collect();
    assert_eq!(found.iter().map(String::as_str).collect::<BTreeSet<_>>(), expected);
}

#[test]
fn crates_depend_in_one_direction() {
    let allowed: [(&str, &[&str]); 11] = [
        (
            "onnxray",
            &[
                "onnxray-analyzer",
                "onnxray-failsafe",
                "onnxray-format",
                "onnxray-import",
                "onnxray-recorder",
                "onnxray-report",
                "onnxray-study",
                "onnxray-text",
            ],
        ),
        (
            "onnxray-study",
            &[
                "onnxray-analyzer",
                "onnxray-failsafe",
                "onnxray-format",
                "onnxray-import",
                "onnxray-recorder",
                "onnxray-text",
            ],
        ),
        (
            "onnxray-report",
            &["onnxray-analyzer", "onnxray-failsafe", "onnxray-format", "onnxray-text"],
        ),
        (
            "onnxray-analyzer",
            &["onnxray-failsafe", "onnxray-format", "onnxray-import", "onnxray-text"],
        ),
        ("onnxray-import", &["onnxray-failsafe", "onnxray-format", "onnxray-text"]),
        (
            "onnxray-recorder",
            &[
                "onnxray-failsafe",
                "onnxray-format",
                "onnxray-import",
                "onnxray-native",
                "onnxray-sparse",
                "onnxray-text",
            ],
        ),
        ("onnxray-sparse", &["onnxray-native"]),
        ("onnxray-format", &["onnxray-failsafe", "onnxray-text"]),
        ("onnxray-text", &[]),
        ("onnxray-failsafe", &[]),
        ("onnxray-native", &[]),
    ];
    for (name, allowed) in allowed {
        let manifest = read(format!("crates/{name}/Cargo.toml"));
        // Tests make recordings, which reports do not read.
        let (manifest, _) = manifest.split_once("[dev-dependencies]").unwrap_or((&manifest, ""));
        let own: Vec<&str> = manifest
            .lines()
            .filter_map(|line| line.split_once(['.', ' ', '=']).map(|(name, _)| name))
            .filter(|dependency| dependency.starts_with("onnxray"))
            .collect();
        assert!(own.iter().all(|dependency| allowed.contains(dependency)), "{name}: {own:?}");
        let engine = match name {
            // Results are written into the memory of the engine's tensors, which is unsafe.
            "onnxray-native" => manifest.replace("tract-data", "").contains("tract"),
            _ => manifest.contains("tract"),
        };
        assert_eq!(engine, name == "onnxray-recorder", "{name}: only the recorder knows an engine");
        let frames = manifest.contains("polars");
        assert_eq!(
            frames,
            name == "onnxray-analyzer",
            "{name}: only the analyzer knows data frames"
        );
    }
}

#[test]
fn unsafe_code_is_in_one_crate() {
    const PLACE: &str = "crates/onnxray-native";
    assert!(read("Cargo.toml").contains("[workspace.lints.rust]\nunsafe_code = \"forbid\""));
    for manifest in files("crates", "toml") {
        let apart = manifest.starts_with(PLACE);
        let text = read(&manifest);
        let (lints, other) = ("[lints]\nworkspace = true", "unsafe_code = \"deny\"");
        assert!(text.contains(if apart { other } else { lints }), "{}", manifest.display());
    }
    let here = Path::new("tests/tidy/main.rs");
    for other in rust_files().iter().filter(|path| !path.starts_with(PLACE) && *path != here) {
        assert!(!read(other).contains("unsafe {"), "{}", other.display());
    }
    let code: Vec<String> = files(PLACE, "rs").iter().map(read).collect();
    // Tests come last in a file.
    let code = code.iter().map(|text| text.split("#[cfg(test)]\nmod tests").next().unwrap());
    let count = |of: fn(&str) -> usize| code.clone().map(of).sum::<usize>();
    let blocks = count(|text| text.matches("unsafe {").count());
    assert!(blocks <= 19 && count(|text| text.lines().count()) <= 750, "{blocks}: it is small");
}

#[test]
fn data_frames_are_for_who_queries() {
    for file in files("crates/onnxray-analyzer/src", "rs") {
        let module = file.iter().nth(3).unwrap().to_str().unwrap().trim_end_matches(".rs");
        let text = read(&file);
        // A test may ask polars what a figure should be.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let named =
            code.lines().any(|line| line.starts_with("use polars") || line.contains(" polars::"));
        assert!(!named || module == "frames", "{}", file.display());
    }
}

#[test]
fn files_are_short_and_open_with_what_they_are_for() {
    const MOST_LINES: usize = 500;
    for file in rust_files() {
        let text = read(&file);
        let first = text.lines().next().unwrap_or_default();
        let sentence = first.strip_prefix("//! ").is_some_and(|sentence| sentence.len() > 10);
        assert!(sentence, "{}: opens with a `//!` sentence", file.display());
        let lines = text.lines().count();
        assert!(lines <= MOST_LINES, "{}: {lines} lines probably hold two things", file.display());
        let name = file.file_stem().unwrap().to_str().unwrap();
        assert!(
            !["util", "utils", "common", "helpers", "misc"].contains(&name),
            "{}",
            file.display()
        );
    }
}

#[test]
fn the_architecture_document_names_the_top_level_modules() {
    let document = read("docs/architecture.md");
    let sources = files("crates", "rs").into_iter().map(|path| path.with_extension(""));
    let modules: BTreeSet<String> = sources
        .filter(|path| path.iter().nth(2).unwrap() == "src")
        .map(|path| path.iter().take(4).collect::<PathBuf>().to_str().unwrap().to_string())
        .filter(|module| !module.ends_with("/lib") && !module.ends_with("/main"))
        .collect();
    // A crate is a paragraph, below which each line has its modules and what they are for.
    let mut named = BTreeSet::new();
    for section in document.split("**`crates/").skip(1) {
        let (name, text) = section.split_once('`').unwrap();
        let list = text.lines().filter_map(|line| line.strip_prefix("- `")?.split_once(':'));
        let list = list.flat_map(|(names, _)| names.split(['`', ',', ' ']).collect::<Vec<_>>());
        let list = list.filter(|module| !module.is_empty());
        named.extend(list.map(|module| format!("crates/{name}/src/{module}")));
    }
    let missing: Vec<_> = modules.difference(&named).collect();
    let gone: Vec<_> = named.difference(&modules).collect();
    assert!(missing.is_empty() && gone.is_empty(), "not named: {missing:#?}\ngone: {gone:#?}");
    assert!(document.len() <= 19 << 10, "what everybody reads is short");
    assert!(read("README.md").lines().count() <= 150, "what everybody reads is short");
    assert!(read("CHANGELOG.md").lines().count() <= 40, "what everybody reads is short");
    for short in ["docs/skill/SKILL.md", "docs/ci.md"] {
        assert!(read(short).lines().count() <= 120, "{short} is short");
    }
    // Not counted: studies, which back up single figures; the skill, limited above; what is generated:
    // columns, as many as reports have, and crates, as many as Cargo.lock has.
    let apart = ["studies", "skill", "columns.md", "third-party.md"];
    let counts = |document: &PathBuf| !document.iter().any(|part| apart.iter().any(|a| part == *a));
    let documents = files("docs", "md").into_iter().filter(counts);
    let length: usize = documents.map(|document| read(document).len()).sum();
    assert!(length <= 235 << 10, "{length} bytes of documents");
}

#[test]
fn links_in_documents_lead_somewhere() {
    let mut documents = files("docs", "md");
    documents.extend(["README.md", "CHANGELOG.md"].map(PathBuf::from));
    for document in documents {
        let folder = document.parent().unwrap().to_path_buf();
        for link in read(&document).split("](").skip(1) {
            let target = link.split([')', '#']).next().unwrap();
            let local = !target.is_empty() && !target.contains("://");
            assert!(
                !local || root().join(&folder).join(target).exists(),
                "{}: {target}",
                document.display()
            );
        }
    }
}

#[test]
fn bundled_models_are_small_and_what_the_manifest_says() {
    let manifest: serde_json::Value =
        serde_json::from_str(&read("fixtures/MANIFEST.json")).unwrap();
    let mut total = 0;
    let mut listed = BTreeSet::new();
    let check = |model: &serde_json::Value, path: &Path| {
        let bytes = fs::metadata(path).unwrap().len();
        assert_eq!(model["bytes"].as_u64().unwrap(), bytes, "{}", path.display());
        let output = std::process::Command::new("sha256sum").arg(path).output().unwrap();
        let sum = String::from_utf8(output.stdout).unwrap();
        assert!(sum.starts_with(model["sha256"].as_str().unwrap()), "{}", path.display());
        bytes
    };
    for model in manifest["models"].as_array().unwrap() {
        let name = model["file"].as_str().unwrap();
        let bytes = check(model, &root().join("fixtures/models").join(name));
        assert!(bytes <= 8 << 20, "{name}");
        total += bytes;
        listed.insert(name.to_string());
    }
    assert!(total <= 12 << 20);
    let pruned = pruned_encoder::path();
    assert_eq!(manifest["derived"]["file"], pruned.file_name().unwrap().to_str().unwrap());
    check(&manifest["derived"], &pruned);
    let found: BTreeSet<String> = files("fixtures/models", "onnx")
        .iter()
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_string())
        .collect();
    assert_eq!(found, listed);
}

#[test]
fn fixtures_are_small_and_what_their_manifests_say() {
    let manifests = [("fixtures/MANIFEST.json", "traces", "fixtures")];
    let apart = [
        ("fixtures/malformed/MANIFEST.json", "files", "fixtures/malformed"),
        ("fixtures/alignment/MANIFEST.json", "files", "fixtures/alignment"),
        ("fixtures/guide/MANIFEST.json", "files", "fixtures/guide"),
        ("fixtures/recordings/MANIFEST.json", "files", "fixtures/recordings"),
    ];
    for (manifest, list, folder) in manifests.into_iter().chain(apart) {
        let manifest: serde_json::Value = serde_json::from_str(&read(manifest)).unwrap();
        let mut listed = BTreeSet::new();
        for file in manifest[list].as_array().unwrap() {
            let name = file["file"].as_str().unwrap();
            let path = root().join(folder).join(name);
            let length = fs::metadata(&path).unwrap_or_else(|_| panic!("{name}")).len();
            assert_eq!(file["bytes"].as_u64().unwrap(), length, "{name}");
            assert!(length <= 100 << 10, "{name}");
            assert!(!file["what"].as_str().unwrap().is_empty(), "{name}");
            let output = std::process::Command::new("sha256sum").arg(&path).output().unwrap();
            let sum = String::from_utf8(output.stdout).unwrap();
            assert!(sum.starts_with(file["sha256"].as_str().unwrap()), "{name}");
            listed.insert(path);
        }
        let mut found = BTreeSet::new();
        let mut folders = vec![root().join(folder)];
        while let Some(inner) = folders.pop() {
            for entry in fs::read_dir(inner).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_str().unwrap();
                let top = path.parent() == Some(&root().join("fixtures"));
                let apart = top
                    && ["models", "malformed", "alignment", "guide", "recordings"].contains(&name)
                    || name == "__pycache__";
                let tool =
                    ["MANIFEST.json", "README.md"].contains(&name) || name.starts_with("generate");
                match path.is_dir() {
                    true if !apart => folders.push(path),
                    false if !tool => drop(found.insert(path)),
                    _ => {}
                }
            }
        }
        assert_eq!(found, listed);
    }
}

#[test]
fn fixtures_are_listed_with_what_they_show() {
    let text = read("fixtures/README.md");
    let (folders, recordings) = text.split_once("## Recordings").unwrap();
    for (section, folder) in [(folders, "fixtures"), (recordings, "fixtures/recordings")] {
        let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once(" | "));
        let listed: Vec<String> = rows
            .flat_map(|(names, what)| {
                assert!(what.len() > 10, "{names}: {what}");
                names.split(['`', ',', ' ']).filter(|name| !name.is_empty())
            })
            .map(str::to_string)
            .collect();
        let entries = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap());
        let found =
            entries.filter(|entry| entry.path().is_dir() && entry.file_name() != "__pycache__");
        let found: BTreeSet<String> =
            found.map(|entry| entry.file_name().into_string().unwrap()).collect();
        assert_eq!(BTreeSet::from_iter(listed.iter().cloned()), found, "{folder}");
        assert_eq!(listed.len(), found.len(), "{folder}: one line each");
    }
}
