//! Python packages that are installed beside ONNX Runtime's.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Levels of folders of a package that are looked through.
pub(super) const DEEPEST: usize = 3;

/// The folder in which a Python keeps its packages.
pub(super) struct Packages {
    pub(super) folder: PathBuf,
}

impl Packages {
    /// Those that ONNX Runtime's library was installed with; `None` if it is not of a package.
    pub(super) fn of_library(library: &Path) -> Option<Packages> {
        let is_package = |folder: &&Path| folder.file_name() == Some(OsStr::new("onnxruntime"));
        let package = library.ancestors().skip(1).find(is_package)?;
        Some(Packages { folder: package.parent()?.to_path_buf() })
    }

    /// The folder of a package, by its name in a registry or in Python: `onnxruntime-ggml` is
    /// `onnxruntime_ggml`.
    pub(super) fn folder_of(&self, name: &str) -> Option<PathBuf> {
        let names = [module(name), module(name).to_lowercase()];
        let folders = names.map(|name| self.folder.join(name));
        folders.into_iter().find(|folder| folder.is_dir())
    }

    /// Folders of packages that may bring a provider, by what such packages are called.
    pub(super) fn with_providers(&self) -> Vec<PathBuf> {
        let is_meant = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let is_named =
                name.starts_with("onnxruntime_") || name.split('_').any(|part| part == "ep");
            is_named && !name.contains(['.', '-']) && path.is_dir()
        };
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut folders: Vec<PathBuf> =
            entries.map(|entry| entry.path()).filter(is_meant).collect();
        folders.sort();
        folders
    }
}

/// The version of the package that a file is of, by the folder that describes it:
/// `onnxruntime_ggml-0.2.0.dist-info`.
pub(super) fn version_of(file: &Path) -> Option<String> {
    file.ancestors().skip(1).take(DEEPEST + 1).find_map(|folder| {
        let own = file.strip_prefix(folder).ok()?.iter().next()?.to_str()?;
        let entries = fs::read_dir(folder).ok()?.flatten();
        let mut names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        names.find_map(|name| {
            let (package, version) = name.strip_suffix(".dist-info")?.rsplit_once('-')?;
            (module(package).eq_ignore_ascii_case(own)).then(|| version.to_string())
        })
    })
}

/// A package's name as Python writes it.
fn module(name: &str) -> String {
    name.replace(['-', '.'], "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_found_beside_the_one_of_the_library() {
        let place = tempfile::tempdir().unwrap();
        let site = place.path().join("site-packages");
        for name in ["onnxruntime/capi", "onnxruntime_ggml/lib", "nxrt_ep_cpu", "numpy", "sleep"] {
            fs::create_dir_all(site.join(name)).unwrap();
        }
        fs::create_dir(site.join("onnxruntime_ggml-0.2.0.dist-info")).unwrap();
        let library = site.join("onnxruntime/capi/libonnxruntime.so.1.31.1");
        let packages = Packages::of_library(&library).unwrap();
        assert_eq!(packages.folder_of("onnxruntime-ggml"), Some(site.join("onnxruntime_ggml")));
        assert_eq!(packages.folder_of("Onnxruntime_GGML"), Some(site.join("onnxruntime_ggml")));
        assert_eq!(packages.folder_of("onnxruntime-qnn"), None);
        let meant = ["nxrt_ep_cpu", "onnxruntime_ggml"].map(|name| site.join(name));
        assert_eq!(packages.with_providers(), meant);
        let version = |file: &str| version_of(&site.join(file));
        assert_eq!(version("onnxruntime_ggml/lib/lib.so").as_deref(), Some("0.2.0"));
        assert_eq!(version("nxrt_ep_cpu/lib.so"), None);
        assert!(Packages::of_library(Path::new("/opt/lib/libonnxruntime.so")).is_none());
    }
}
