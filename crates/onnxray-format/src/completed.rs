//! Whether a trace of ours was finished, from its last bytes.

use onnxray_failsafe::open_regular;
use serde::Deserialize;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Bytes at the end of a trace that hold its last member.
const TAIL: u64 = 200;

#[derive(Deserialize)]
struct Completed {
    iterations: u32,
}

/// Iterations of all kinds in a finished trace; `None` for an unfinished one or another file.
///
/// # Errors
///
/// If it cannot be read.
pub fn completed_iterations(trace: &Path) -> io::Result<Option<u32>> {
    let mut file = open_regular(trace)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    file.read_to_end(&mut tail)?;
    // The cut may go through a character, which must not hide what follows it.
    let text = String::from_utf8_lossy(&tail);
    // The last one: a name of the model may hold the same text before it.
    let last = text.rsplit_once(",\"completed\":").and_then(|(_, last)| last.strip_suffix("}\n"));
    let completed = last.and_then(|last| serde_json::from_str::<Completed>(last).ok());
    Ok(completed.map(|completed| completed.iterations))
}
