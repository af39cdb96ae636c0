//! Other versions of ONNX Runtime than the installed one. `ONNXRAY_ENGINES` names a folder that has
//! each in a folder of its name.

use crate::onnxruntime::{engine, installed_version, summary};
use crate::program::Place;
use crate::recorder::record;
use std::path::{Path, PathBuf};

/// The versions that the tests have beside the installed one, from the oldest that serves to the
/// newest that there is.
pub(crate) fn other_versions() -> Vec<PathBuf> {
    let folder = std::env::var_os("ONNXRAY_ENGINES").unwrap_or_else(|| {
        panic!(
            "this test needs other versions of onnxruntime (.ci/test installs them, \
             ONNXRAY_ENGINES names their folder)"
        )
    });
    let mut versions: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    versions.sort_by_key(|path| numbers(path.file_name().unwrap().to_str().unwrap()));
    versions
}

/// Those of them that are older than the installed one.
pub(crate) fn older_versions() -> Vec<PathBuf> {
    let installed = numbers(&installed_version());
    let mut versions = other_versions();
    versions.retain(|path| numbers(path.file_name().unwrap().to_str().unwrap()) < installed);
    assert!(!versions.is_empty(), "no older versions");
    versions
}

fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map(|number| number.parse().unwrap()).collect()
}

#[test]
fn libraries_of_all_versions_are_found_and_named() {
    let place = Place::new();
    let versions = other_versions();
    let of = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_string();
    assert!(of(&versions[0]).starts_with("1.19."), "{versions:?}");
    assert!(numbers(&of(versions.last().unwrap())) > numbers(&installed_version()), "{versions:?}");
    for folder in versions {
        let version = folder.file_name().unwrap().to_str().unwrap().to_string();
        for name in ["cnn", "encoder-int8", "scan"] {
            let out = format!("{name}-{version}");
            record(&place, name, &out, &engine(folder.to_str().unwrap()));
            let report = summary(&place, &out, &[]);
            assert_eq!(report["model"]["engine"], format!("ONNX Runtime {version}"));
            assert_eq!(report["model"]["flops_unknown"], 0, "{out}");
        }
    }
}
