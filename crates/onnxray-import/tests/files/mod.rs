//! How tests of formats that are read whole open their fixtures.

#![allow(dead_code)] // each test uses a part of it

use onnxray_import::{ImportError, Importer, Launch, Options, Source, detect};
use std::fs;
use std::path::Path;

/// The files of one format.
pub(crate) struct Files {
    pub(crate) importer: &'static Importer,
    /// Below `fixtures`.
    pub(crate) folder: &'static str,
}

impl Files {
    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
        fs::read(fixtures.join(self.folder).join(name)).unwrap()
    }

    /// Reads files, each with its name, together.
    pub(crate) fn read_all(&self, files: &[(&str, Vec<u8>)]) -> Result<Vec<Launch>, ImportError> {
        let sources = files.iter().map(|(name, bytes)| Source::from_bytes(*name, bytes.clone()));
        self.importer.read(sources.collect::<Result<_, _>>()?, &Options::default())
    }

    /// Reads one file; `None` if it is refused.
    pub(crate) fn read_bytes(&self, bytes: Vec<u8>) -> Option<Launch> {
        self.read_all(&[("file", bytes)]).ok().map(|mut launches| launches.remove(0))
    }

    /// Reads fixtures, each of which is recognized, as one launch.
    pub(crate) fn launch(&self, names: &[&str]) -> Launch {
        let files: Vec<_> = names.iter().map(|&name| (name, self.bytes(name))).collect();
        for (name, bytes) in &files {
            let mut source = Source::from_bytes(*name, bytes.clone()).unwrap();
            assert_eq!(detect(&mut source).unwrap().format, self.importer.format, "{name}");
        }
        let mut launches = self.read_all(&files).unwrap();
        assert_eq!(launches.len(), 1);
        launches.remove(0)
    }

    pub(crate) fn read(&self, name: &str) -> Launch {
        self.launch(&[name])
    }
}

/// Warnings with their places.
pub(crate) fn text(launch: &Launch) -> Vec<String> {
    launch.warnings.iter().map(|warning| warning.to_string()).collect()
}

/// Warnings without their places.
pub(crate) fn warnings(launch: &Launch) -> Vec<&str> {
    launch.warnings.iter().map(|warning| warning.message.as_str()).collect()
}
