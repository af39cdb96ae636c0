//! Libraries that bring execution providers: plugins of ONNX Runtime, from version 1.22 on.

use super::super::library::{LARGEST, Library};
use super::package::{DEEPEST, Packages};
use crate::error::RecordError;
use memchr::memmem;
use onnxray_failsafe::{catch_panic, read_regular};
use onnxray_text::{first_of, printable, shell_word, shown};
use ort::AsPointer;
use std::collections::BTreeMap;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// What every such library exports, and what a library that loads them looks for.
const ENTRY_POINT: &[u8] = b"CreateEpFactories";
/// The first version of the interface that has them.
const FIRST: u32 = 22;

/// A plugin that the process has loaded.
#[derive(Clone)]
pub(super) struct Plugin {
    pub(super) file: PathBuf,
    /// Its providers that have a device on this machine.
    pub(super) providers: Vec<String>,
}

/// Those that the process has loaded, by their files: a library takes each once.
static LOADED: Mutex<BTreeMap<PathBuf, Plugin>> = Mutex::new(BTreeMap::new());

impl Plugin {
    /// Loads the plugin into ONNX Runtime's library, unless it is there already.
    pub(super) fn load(given: &Path, library: &Library) -> Result<Plugin, RecordError> {
        if library.interface < FIRST {
            return Err(RecordError::Provider {
                reason: format!(
                    "ONNX Runtime {} has no plugin providers: 1.{FIRST} has",
                    library.version
                ),
            });
        }
        let file = find(given, &library.path)?;
        let refused = |reason: String| {
            let reason = printable(&reason);
            broken(&file, format!("ONNX Runtime {} refuses it: {reason}", library.version))
        };
        let mut loaded = LOADED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(plugin) = loaded.get(&file) {
            return Ok(plugin.clone());
        }
        let environment = &library.environment;
        let there: Vec<_> = environment.devices().map(|device| device.ptr()).collect();
        // Some plugins call their provider as they are registered.
        let name = match loaded.keys().any(|other| stem(other) == stem(&file)) {
            true => format!("{}_{}", stem(&file), loaded.len()),
            false => stem(&file),
        };
        let work = || environment.register_ep_library(name, &file).map_err(|e| e.to_string());
        catch_panic(work).unwrap_or_else(Err).map_err(refused)?;
        let mut providers = Vec::new();
        for device in environment.devices().filter(|device| !there.contains(&device.ptr())) {
            let name = device.ep().map_err(|error| refused(error.to_string()))?.to_string();
            if !providers.contains(&name) {
                providers.push(name);
            }
        }
        let plugin = Plugin { file: file.clone(), providers };
        loaded.insert(file, plugin.clone());
        Ok(plugin)
    }
}

/// The plugin's file: what was given, or what a folder or a Python package holds.
fn find(given: &Path, library: &Path) -> Result<PathBuf, RecordError> {
    let path = match given.to_str().filter(|name| is_package(name)) {
        Some(name) => package(name, library)?,
        None => fs::canonicalize(given)
            .map_err(|source| RecordError::ReadFile { path: given.to_path_buf(), source })?,
    };
    if !path.is_dir() {
        return match is_plugin(&path)? {
            true => Ok(path),
            false => Err(broken(&path, "it has no execution providers (CreateEpFactories)")),
        };
    }
    let mut plugins = in_folder(&path);
    match (plugins.pop(), plugins.as_slice()) {
        (Some(only), []) => Ok(only),
        (None, _) => Err(broken(&path, "found no library with execution providers in it")),
        (Some(last), others) => {
            let all = others.iter().chain([&last]).map(|path| shown(path));
            Err(broken(&path, format!("it holds several, name one: {}", first_of(all, ", "))))
        }
    }
}

/// Whether it names a package: a path has a separator, and a library the end of its kind.
fn is_package(name: &str) -> bool {
    let is_library = name.ends_with(DLL_SUFFIX) || name.contains(&format!("{DLL_SUFFIX}."));
    !name.contains(std::path::is_separator) && !name.starts_with('.') && !is_library
}

/// The folder of a Python package. A folder of the current one that has this name is not meant: it
/// is data.
fn package(name: &str, library: &Path) -> Result<PathBuf, RecordError> {
    let reason = match Packages::of_library(library) {
        Some(packages) => match packages.folder_of(name) {
            Some(folder) => return Ok(folder),
            None => format!(
                "no such Python package in {}, where ONNX Runtime's is\n\
                 hint: install it there with `pip install {}`, or name the file or folder with \
                 its path, such as {}",
                shown(&packages.folder),
                shell_word(name),
                shell_word(format!("./{name}"))
            ),
        },
        None => format!(
            "no such package: {} is not of a Python package\n\
             hint: name the file or folder of the provider library with its path, such as {}",
            shown(library),
            shell_word(format!("./{name}"))
        ),
    };
    Err(broken(Path::new(name), reason))
}

/// The plugins in a folder, of a Python package or as somebody built them.
pub(super) fn in_folder(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    look_through(folder, DEEPEST, &mut found);
    found.sort();
    found
}

fn look_through(folder: &Path, levels: usize, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        // No link is followed: it may lead anywhere, or in a circle.
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && levels > 1 => look_through(&path, levels - 1, found),
            Ok(kind) if kind.is_file() => {
                let is_runtime = name.starts_with(&format!("{DLL_PREFIX}onnxruntime."));
                let is_library = name.ends_with(DLL_SUFFIX) && !is_runtime;
                if is_library && is_plugin(&path).unwrap_or(false) {
                    found.push(path);
                }
            }
            _ => {}
        }
    }
}

/// Whether a library brings providers. It is read, and not loaded.
fn is_plugin(path: &Path) -> Result<bool, RecordError> {
    let bytes = read_regular(path, LARGEST).map_err(|error| broken(path, error.to_string()))?;
    Ok(memmem::find(&bytes, ENTRY_POINT).is_some())
}

/// What a plugin is registered as: its file's name without what such files have in common.
fn stem(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let name = name.split('.').next().unwrap_or_default();
    let mut stem = name.strip_prefix(DLL_PREFIX).unwrap_or(name);
    for common in ["onnxruntime_", "providers_", "ep_"] {
        stem = stem.strip_prefix(common).filter(|rest| !rest.is_empty()).unwrap_or(stem);
    }
    stem.to_string()
}

fn broken(path: &Path, reason: impl Into<String>) -> RecordError {
    let reason =
        format!("{}: cannot be used as a provider library: {}", shown(path), reason.into());
    RecordError::Provider { reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plugins_are_registered_by_the_name_that_tells_them_apart() {
        let of = |name: &str| stem(Path::new(&format!("/x/{DLL_PREFIX}{name}{DLL_SUFFIX}")));
        assert_eq!(of("onnxruntime_ggml"), "ggml");
        assert_eq!(of("onnxruntime_providers_openvino"), "openvino");
        assert_eq!(of("onnx_runtime_ep_cpu_plugin"), "onnx_runtime_ep_cpu_plugin");
        assert_eq!(of("onnxruntime_"), "onnxruntime_");
    }

    #[test]
    fn what_brings_no_providers_is_refused_before_it_is_loaded() {
        let place = tempfile::tempdir().unwrap();
        let site = place.path().join("site");
        let library = site.join("onnxruntime/capi/libonnxruntime.so.1.31.1");
        let folder = site.join("onnxruntime_two/lib");
        fs::create_dir_all(library.parent().unwrap()).unwrap();
        fs::create_dir_all(&folder).unwrap();
        let name = |name: &str| folder.join(format!("{DLL_PREFIX}{name}{DLL_SUFFIX}"));
        let message = |given: &Path| find(given, &library).unwrap_err().to_string();
        let two = Path::new("onnxruntime-two");
        assert!(message(two).contains("found no library with execution providers"));
        fs::write(name("onnxruntime"), ENTRY_POINT).unwrap();
        fs::write(name("other"), "\x7fELF").unwrap();
        assert!(message(two).contains("found no library"), "those are others");
        assert!(message(&name("other")).contains("it has no execution providers"));
        fs::write(name("onnxruntime_a"), ENTRY_POINT).unwrap();
        assert_eq!(find(two, &library).unwrap(), name("onnxruntime_a"));
        assert_eq!(find(&name("onnxruntime_a"), &library).unwrap(), name("onnxruntime_a"));
        fs::write(name("onnxruntime_b"), ENTRY_POINT).unwrap();
        assert!(message(&site.join("onnxruntime_two")).contains("it holds several, name one"));
        let missing = message(Path::new("onnxruntime-three"));
        assert!(missing.contains("no such Python package in "), "{missing}");
        assert!(missing.ends_with("such as ./onnxruntime-three"), "{missing}");
        let apart = find(two, Path::new("/opt/libonnxruntime.so")).unwrap_err().to_string();
        assert!(apart.contains("is not of a Python package"), "{apart}");
        assert!(message(Path::new("./nowhere")).contains("nowhere"), "a path");
    }
}
