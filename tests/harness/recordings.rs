//! Committed recordings, as if they had just been made.

use crate::program::{Place, fixture_file};
use flate2::read::GzDecoder;
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Copies the recording `name` of `fixtures/recordings` into the folder `out` of the place, with
/// its traces unpacked: a recording, a project, or the folder of a sweep.
pub(crate) fn recorded(place: &Place, name: &str, out: &str) {
    copied(&fixture_file("recordings").join(name), &place.path(out));
}

/// Copies a file as it is, or a folder with its traces unpacked.
pub(crate) fn copied(from: &Path, to: &Path) {
    if from.is_file() {
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from, to).unwrap();
        return;
    }
    fs::create_dir_all(to).unwrap();
    let entries = fs::read_dir(from).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
    for path in entries.map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap();
        match path.extension() {
            Some(ending) if ending == "gz" && path.is_file() => {
                let mut unpacked = File::create(to.join(path.file_stem().unwrap())).unwrap();
                io::copy(&mut GzDecoder::new(File::open(&path).unwrap()), &mut unpacked).unwrap();
            }
            _ => copied(&path, &to.join(name)),
        }
    }
}
