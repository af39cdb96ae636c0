//! Finds and loads the library. A process has one, and one environment.

use super::log::{LEAST, logger};
use super::options::OnnxRuntimeOptions;
use super::package::Package;
use crate::error::RecordError;
use crate::memory::size;
use memchr::memmem;
use onnxray_failsafe::{catch_panic, open_regular};
use onnxray_native::onnxruntime;
use ort::environment::{Environment, GlobalThreadPoolOptions};
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::{env, fs, io};

/// Exported by every version of the library and by nothing else.
const ENTRY_POINT: &[u8] = b"OrtGetApiBase";
/// The library's symbols are of this version, `VERS_1.22.1`.
const SYMBOL_VERSION: &[u8] = b"VERS_1.";
/// Names are looked for in this many bytes first.
const BEGINNING: u64 = 1 << 20;
/// Bytes of a symbol's version, at most.
const LONGEST_VERSION: usize = 64;
/// Several times what the largest release has.
pub(super) const LARGEST: u64 = 4 << 30;
/// The oldest release whose interface serves: version 1 of this number.
const OLDEST_MINOR: u32 = onnxruntime::OLDEST;

/// A loaded library, and the threads that all sessions share.
#[derive(Clone)]
pub(super) struct Library {
    pub(super) path: PathBuf,
    /// `1.22.1`, or `unknown`.
    pub(super) version: String,
    /// The newest version of the interface that it has whole.
    pub(super) interface: u32,
    pub(super) environment: Environment,
    threads: Threads,
}

/// Settings of a thread pool.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Threads {
    intra_op: u32,
    inter_op: Option<u32>,
    spinning: bool,
}

impl Threads {
    fn of(options: &OnnxRuntimeOptions, threads: u32) -> Threads {
        let inter_op = options.inter_op_threads;
        Threads { intra_op: threads, inter_op, spinning: options.spinning }
    }
}

/// What keys of the configuration begin with that say how threads wait and share work.
const OF_THREADS: [&str; 4] = [
    "session.intra_op",
    "session.inter_op",
    "session.force_spinning_stop",
    "session.dynamic_block_base",
];

/// The library of this process, which cannot load a second one.
static LOADED: Mutex<Option<Library>> = Mutex::new(None);

impl Library {
    /// Loads the library that the options name or the machine has, or takes the one that
    /// this process has loaded already.
    pub(super) fn load(options: &OnnxRuntimeOptions, threads: u32) -> Result<Library, RecordError> {
        let path = find(options.library())?;
        // Held until the environment is there, of which a process has one. It is set in the end
        // and as a whole, so that a panic in between leaves nothing to distrust.
        let mut loaded = LOADED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(library) = &*loaded {
            return match library.path == path {
                true => Ok(library.clone()),
                false => Err(broken(
                    &path,
                    format!(
                        "the process runs {} already, and can run one library only",
                        library.path.display()
                    ),
                )),
            };
        }
        let version = version(&path)?;
        let threads = Threads::of(options, threads);
        let begin = || -> Result<(u32, Environment), String> {
            let interface = onnxruntime::load(&path)?.interface;
            let pool = || -> ort::Result<GlobalThreadPoolOptions> {
                let pool = GlobalThreadPoolOptions::default()
                    .with_intra_threads(threads.intra_op as usize)?
                    .with_spin_control(threads.spinning)?;
                match threads.inter_op {
                    Some(threads) => pool.with_inter_threads(threads as usize),
                    None => Ok(pool),
                }
            };
            let environment = ort::init()
                .with_name("onnxray")
                .with_telemetry(false)
                .with_logger(logger())
                .with_global_thread_pool(pool().map_err(|error| error.to_string())?);
            let environment = environment.build().map_err(|error| error.to_string())?;
            environment.set_log_level(LEAST);
            Ok((interface, environment))
        };
        let begun = catch_panic(begin).unwrap_or_else(Err);
        let (interface, environment) = begun.map_err(|reason| broken(&path, reason))?;
        let library = Library { path, version, interface, environment, threads };
        *loaded = Some(library.clone());
        Ok(library)
    }

    /// Whether sessions with these options can share the threads of the environment: a
    /// session's own would spin while another one runs. Entries about threads are of a session's
    /// own: shared ones do not read them.
    pub(super) fn shares_threads(&self, options: &OnnxRuntimeOptions, threads: u32) -> bool {
        let is_of_threads =
            |key: &String| OF_THREADS.iter().any(|beginning| key.starts_with(beginning));
        self.threads == Threads::of(options, threads) && !options.config.keys().any(is_of_threads)
    }
}

/// The version of the library that would be loaded if none were named, if there is one that
/// serves. It is read, and not loaded.
pub fn installed() -> Option<String> {
    version(&find(None).ok()?).ok()
}

/// The file of the library that these options load, if there is one.
pub(in crate::engine) fn file(options: &OnnxRuntimeOptions) -> Option<PathBuf> {
    find(options.library()).ok()
}

fn broken(path: &Path, reason: impl Into<String>) -> RecordError {
    RecordError::EngineLibrary { path: path.to_path_buf(), reason: reason.into() }
}

/// The library's file: what was given, what the environment names, or what Python has.
fn find(given: Option<&Path>) -> Result<PathBuf, RecordError> {
    let named = env::var_os("ORT_DYLIB_PATH").filter(|path| !path.is_empty()).map(PathBuf::from);
    let by_variable = given.is_none() && named.is_some();
    let path = match given.map(Path::to_path_buf).or(named) {
        Some(path) => path,
        None => python_package()?,
    };
    let path = fs::canonicalize(&path).map_err(|source| match by_variable {
        true => broken(&path, format!("ORT_DYLIB_PATH names it, and: {source}")),
        false => RecordError::ReadFile { path: path.clone(), source },
    })?;
    match path.is_dir() {
        true => in_folder(&path).ok_or_else(|| {
            let reason = format!(
                "found no {DLL_PREFIX}onnxruntime{DLL_SUFFIX}* in it, {}; the Python package has \
                 one from version 1.19 on",
                INNER.join(", ")
            );
            broken(&path, reason)
        }),
        false => Ok(path),
    }
}

/// The folder of the installed Python package.
fn python_package() -> Result<PathBuf, RecordError> {
    let package = Package::find().ok_or(RecordError::NoEngineLibrary)?;
    match env::current_dir() {
        Ok(here) if package.is_data_of(&here) => Err(broken(
            &package.folder,
            "it is below the current folder; --engine-library FOLDER uses it anyway",
        )),
        _ => Ok(package.folder),
    }
}

/// Folders of a release or of a Python package that hold the library.
const INNER: [&str; 3] = ["lib", "capi", "onnxruntime/capi"];

/// The library in a folder, of a release or in a Python package.
fn in_folder(folder: &Path) -> Option<PathBuf> {
    let stem = format!("{DLL_PREFIX}onnxruntime");
    // `libonnxruntime.so.1.22.1`, `libonnxruntime.1.22.1.dylib`, `onnxruntime.dll`
    let is_library = |name: &str| {
        let rest = name.strip_prefix(&stem);
        rest.is_some_and(|rest| rest.starts_with('.') && rest.contains(DLL_SUFFIX))
    };
    let inner = INNER.map(|inner| folder.join(inner));
    let folders = [folder.to_path_buf()].into_iter().chain(inner);
    let files = folders.flat_map(fs::read_dir).flatten().flatten();
    let mut libraries: Vec<PathBuf> = files
        .filter(|file| file.file_name().to_str().is_some_and(is_library))
        .map(|file| file.path())
        .collect();
    // The latest, by numbers: 1.9 is older than 1.22. `libonnxruntime.so.1.22.1` comes after the
    // links `.so` and `.so.1`, and names its version.
    libraries.sort_by_cached_key(|path| (numbers(path), path.clone()));
    libraries.pop()
}

/// The numbers in a library's file name: 1, 22, 1.
fn numbers(path: &Path) -> Vec<u64> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').filter_map(|part| part.parse().ok()).collect()
}

/// The version, from the file itself: a library of another kind is not loaded at all.
fn version(path: &Path) -> Result<String, RecordError> {
    let failed = |error: io::Error| broken(path, error.to_string());
    let about = fs::metadata(path).map_err(failed)?;
    if !about.is_file() {
        return Err(broken(path, "it is not a regular file"));
    }
    if about.len() > LARGEST {
        return Err(broken(path, format!("it has {}, which no library has", size(about.len()))));
    }
    let (is_ours, symbols) = names(path).map_err(failed)?;
    if !is_ours {
        return Err(broken(path, "it is not an ONNX Runtime library"));
    }
    let version = symbols.or_else(|| version_in_name(path));
    let minor: Option<u32> =
        version.as_deref().and_then(|version| version.split('.').nth(1)?.parse().ok());
    match (version, minor) {
        (Some(version), Some(minor)) if minor < OLDEST_MINOR => Err(broken(
            path,
            format!("it is version {version}, and 1.{OLDEST_MINOR} or later is needed"),
        )),
        (version, _) => Ok(version.unwrap_or_else(|| "unknown".to_string())),
    }
}

/// Whether the file has the entry point, and the version of its symbols. Both are names, which most
/// systems have at the beginning of a library: only where they are not, all of it is read.
fn names(path: &Path) -> io::Result<(bool, Option<String>)> {
    let mut file = open_regular(path)?;
    let mut bytes = Vec::new();
    (&mut file).take(BEGINNING).read_to_end(&mut bytes)?;
    let place = memmem::find(&bytes, SYMBOL_VERSION);
    // One at the end of this part may go on behind it.
    let is_whole = place.is_some_and(|place| bytes.len() - place > LONGEST_VERSION);
    if !is_whole || memmem::find(&bytes, ENTRY_POINT).is_none() {
        file.take(LARGEST - BEGINNING).read_to_end(&mut bytes)?;
    }
    let is_ours = memmem::find(&bytes, ENTRY_POINT).is_some();
    Ok((is_ours, symbol_version(&bytes)))
}

fn symbol_version(bytes: &[u8]) -> Option<String> {
    let start = memmem::find(bytes, SYMBOL_VERSION)? + "VERS_".len();
    leading_version(&bytes[start..])
}

fn version_in_name(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    leading_version(name.get(name.find(".1.")? + 1..)?.as_bytes())
}

fn leading_version(bytes: &[u8]) -> Option<String> {
    let end = bytes.iter().position(|byte| !byte.is_ascii_digit() && *byte != b'.');
    let text = std::str::from_utf8(&bytes[..end.unwrap_or(bytes.len())]).ok()?;
    let text = text.trim_end_matches('.');
    (text.split('.').count() == 3).then(|| text.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_off_symbols_and_names() {
        assert_eq!(symbol_version(b"\0VERS_1.22.1\0VERS_2").as_deref(), Some("1.22.1"));
        assert_eq!(symbol_version(b"\0VERS_1."), None);
        let of = |name| version_in_name(Path::new(name));
        assert_eq!(of("/x/libonnxruntime.so.1.31.1").as_deref(), Some("1.31.1"));
        assert_eq!(of("/x/libonnxruntime.1.31.1.dylib").as_deref(), Some("1.31.1"));
        assert_eq!(of("/x/libonnxruntime.so.1"), None);
    }

    #[test]
    fn a_library_has_its_names_anywhere() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("library");
        let of = |before: usize, between: usize| {
            let zeros = |count| vec![0; count];
            let parts = [&zeros(before), ENTRY_POINT, &zeros(between), b"VERS_1.22.13\0"];
            fs::write(&file, parts.concat()).unwrap();
            names(&file).unwrap()
        };
        let (beginning, version) = (BEGINNING as usize, Some("1.22.13".to_string()));
        // Whole in the first part, cut at its end, and behind it.
        let cut = beginning - ENTRY_POINT.len() - "VERS_1.22.1".len();
        for (before, between) in [(1, 1), (0, cut), (1, beginning), (beginning, 1)] {
            assert_eq!(of(before, between), (true, version.clone()), "{before}, {between}");
        }
        fs::write(&file, b"VERS_1.22.13\0").unwrap();
        assert_eq!(names(&file).unwrap(), (false, version));
    }

    #[test]
    fn the_latest_library_of_a_folder_is_taken_by_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let name = |version| format!("{DLL_PREFIX}onnxruntime{DLL_SUFFIX}{version}");
        for version in ["", ".1", ".1.9.1", ".1.22.0", ".1.8"] {
            fs::write(folder.path().join(name(version)), b"").unwrap();
        }
        assert_eq!(in_folder(folder.path()), Some(folder.path().join(name(".1.22.0"))));
    }

    #[test]
    fn what_is_no_library_is_refused_before_it_is_loaded() {
        let folder = tempfile::tempdir().unwrap();
        let message = |path: &Path| find(Some(path)).and_then(|path| version(&path)).unwrap_err();
        let places = format!("found no {DLL_PREFIX}onnxruntime{DLL_SUFFIX}* in it, lib, capi, ");
        assert!(message(folder.path()).to_string().contains(&places));
        let file = folder.path().join(format!("{DLL_PREFIX}onnxruntime{DLL_SUFFIX}"));
        fs::write(&file, b"\x7fELF something else").unwrap();
        let expected = "it is not an ONNX Runtime library";
        assert!(message(&file).to_string().contains(expected), "the file");
        assert!(message(folder.path()).to_string().contains(expected), "its folder");
        assert!(message(Path::new("/dev/zero")).to_string().contains("not a regular file"));
        fs::write(&file, b"OrtGetApiBase VERS_1.16.3\0").unwrap();
        let old = format!("version 1.16.3, and 1.{OLDEST_MINOR} or later");
        assert!(message(&file).to_string().contains(&old));
    }
}
