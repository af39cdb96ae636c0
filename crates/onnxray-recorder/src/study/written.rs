//! A model that a study makes, as a file.

use crate::model::file::OnnxFile;
use crate::model::mix::inlined;
use std::path::Path;

/// Largest size of a protobuf message.
const LARGEST: usize = i32::MAX as usize;

/// A model that refers to the external data of `source`, for a file in this folder: in the folder of
/// `source` it is as it is; elsewhere it holds the data.
///
/// # Errors
///
/// Why there is no such file, in words.
pub(super) fn for_folder(
    bytes: Vec<u8>,
    source: &OnnxFile,
    folder: &Path,
) -> Result<Vec<u8>, String> {
    let own = source.path.parent().unwrap_or(Path::new(""));
    let is_apart = !source.protobuf.external_data().is_empty() && !is_same_folder(own, folder);
    let bytes = match is_apart {
        true => inlined(&bytes, own).ok_or("its external data cannot be read")?,
        false => bytes,
    };
    match bytes.len() {
        // Checked in the end: only inlined data makes it larger than what it is made of.
        ..=LARGEST => Ok(bytes),
        _ => Err("with its external data the file is larger than 2 GB\n\
                  hint: write it into the folder of the model"
            .to_string()),
    }
}

/// True only if both exist: compares canonical paths.
pub(super) fn is_same_folder(one: &Path, other: &Path) -> bool {
    // The parent of a bare file name is the empty path, which cannot be canonicalized.
    let real = |folder: &Path| match folder.as_os_str().is_empty() {
        true => Path::new(".").canonicalize(),
        false => folder.canonicalize(),
    };
    real(one).is_ok_and(|one| real(other).is_ok_and(|other| one == other))
}
