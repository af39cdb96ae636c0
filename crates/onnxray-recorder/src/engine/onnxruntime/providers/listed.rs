//! The libraries of ONNX Runtime that a machine has, and their providers.

use super::super::library::Library;
use super::super::options::{OnnxRuntimeOptions, short};
use super::package::{Packages, version_of};
use super::plugin::{Plugin, in_folder};
use crate::error::RecordError;
use onnxray_native::onnxruntime::available;
use std::path::PathBuf;

/// An engine, or a library that brings providers for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineLibrary {
    /// The file; `None` if it is part of this program, or missing.
    pub file: Option<PathBuf>,
    /// `None` if it does not tell.
    pub version: Option<String>,
    /// Its execution providers, as `--provider` takes them.
    pub providers: Vec<String>,
    /// Why it cannot be used.
    pub failure: Option<String>,
}

/// ONNX Runtime's library, and the plugins that are given or installed beside it. They are loaded.
pub fn libraries(options: &OnnxRuntimeOptions) -> Vec<EngineLibrary> {
    let library = match Library::load(options, 1) {
        Ok(library) => library,
        Err(error) => return vec![failed(super::super::library::file(options), None, error)],
    };
    let names = available().unwrap_or_default();
    let mut all = vec![EngineLibrary {
        file: Some(library.path.clone()),
        version: Some(library.version.clone()),
        // The processor, which runs what the others cannot, is the last of them.
        providers: names.iter().rev().map(|name| short(name).to_string()).collect(),
        failure: None,
    }];
    let packages = Packages::of_library(&library.path);
    let plugins: Vec<PathBuf> = match (options.provider_library(), &packages) {
        (Some(given), _) => vec![given.to_path_buf()],
        (None, Some(packages)) => {
            packages.with_providers().iter().flat_map(|folder| in_folder(folder)).collect()
        }
        (None, None) => Vec::new(),
    };
    for given in plugins {
        all.push(match Plugin::load(&given, &library) {
            Ok(plugin) => EngineLibrary {
                version: version_of(&plugin.file),
                providers: plugin.providers.iter().map(|name| short(name).to_string()).collect(),
                file: Some(plugin.file),
                failure: None,
            },
            Err(error) => failed(Some(given.clone()), version_of(&given), error),
        });
    }
    all
}

fn failed(file: Option<PathBuf>, version: Option<String>, error: RecordError) -> EngineLibrary {
    EngineLibrary { file, version, providers: Vec::new(), failure: Some(error.to_string()) }
}
