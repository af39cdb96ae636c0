//! What the system does not give: files of that size, threads, a reader that listens to the end.

use crate::program::{Place, finished, fixture_file, program};
use std::io::Read;
use std::process::{Command, Stdio};

/// The program within a limit that a shell sets.
fn limited(place: &Place, limit: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit {limit} && exec \"$@\""), "sh", program()]);
    command.args(arguments).current_dir(place.path("")).stdin(Stdio::null());
    command
}

fn recording() -> String {
    fixture_file("guide/encoder").display().to_string()
}

#[test]
fn a_file_may_be_too_large() {
    let place = Place::new();
    let convert = ["convert", &recording(), "-o", "events.csv", "--table", "events"];
    let refused = finished(limited(&place, "-f 8", &convert).output().unwrap());
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.err.contains("File too large"), "{}", refused.err);
    let left = std::fs::read_dir(place.path("")).unwrap().count();
    assert_eq!(left, 0, "half a file goes");
}

#[test]
fn no_thread_is_needed_beside_the_first() {
    let place = Place::new();
    let trace = fixture_file("onnxruntime/1.31.1/cnn.json").display().to_string();
    let compare = ["compare", &trace, &trace];
    let whole = place.succeed(&compare);
    // In how much of an address space how many threads fit is the system's: somewhere here, fewer
    // than there are cores do.
    for kibibytes in (90_000..420_000).step_by(5_000) {
        let ended = limited(&place, &format!("-v {kibibytes}"), &compare).output().unwrap();
        assert_ne!(ended.status.code(), Some(101), "{kibibytes}: {ended:?}");
        if ended.status.success() {
            assert_eq!(String::from_utf8(ended.stdout).unwrap(), whole, "{kibibytes}");
        }
    }
}

#[test]
fn a_reader_of_a_stream_may_have_seen_enough() {
    let place = Place::new();
    let convert = ["convert", &recording(), "-o", "-", "--table", "events"];
    let mut command = place.command(&convert);
    let mut process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 10];
    process.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let ended = finished(process.wait_with_output().unwrap());
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
}
