//! Files that the system reads from the disk anew, as after a start of the machine.

use crate::error::RecordError;
use onnxray_failsafe::open_regular;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Whether a program may ask the system to drop a file from memory.
pub const CAN_DROP: bool = cfg!(target_os = "linux");

/// Asks the system to drop these files from memory.
pub(super) fn drop_from_memory(files: &[OsString]) -> Result<(), RecordError> {
    files.iter().try_for_each(|file| {
        let path = Path::new(file);
        let dropped = open_regular(path).and_then(|file| {
            // What is not written yet stays in memory.
            file.sync_data()?;
            advise(&file)
        });
        dropped.map_err(|source| RecordError::ReadFile { path: path.to_path_buf(), source })
    })
}

/// Bytes that the system has read from the disk for this process; `None` where it does not say.
pub(super) fn read_bytes() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/io").ok()?;
    text.lines().find_map(|line| line.strip_prefix("read_bytes:"))?.trim().parse().ok()
}

/// Refuses a start of files that were in memory all the same: `before` bytes had been read when the
/// model was loaded.
pub(super) fn check(files: &[OsString], before: Option<u64>) -> Result<(), RecordError> {
    let Some(file) = files.last().filter(|_| before.is_some() && before == read_bytes()) else {
        return Ok(());
    };
    match open_regular(Path::new(file)).is_ok_and(|file| is_uncounted(&file)) {
        true => Ok(()),
        false => {
            let source = io::Error::other("the system keeps it in memory");
            Err(RecordError::ReadFile { path: file.into(), source })
        }
    }
}

#[cfg(target_os = "linux")]
fn advise(file: &File) -> io::Result<()> {
    Ok(rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::DontNeed)?)
}

#[cfg(not(target_os = "linux"))]
fn advise(_file: &File) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Another process reads the file for the system, which counts it for that one.
#[cfg(target_os = "linux")]
fn is_uncounted(file: &File) -> bool {
    const FUSE: u64 = 0x6573_5546;
    rustix::fs::fstatfs(file).is_ok_and(|about| about.f_type as u64 == FUSE)
}

#[cfg(not(target_os = "linux"))]
fn is_uncounted(_file: &File) -> bool {
    false
}
