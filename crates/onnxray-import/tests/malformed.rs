//! Damaged traces: what can be read is read, what cannot is counted by kind with
//! its first place, and nothing panics or grows without bound.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

use onnxray_import::{Launch, Options, Reading, Source, detect, import};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/malformed").join(name)
}

fn read(name: &str) -> Launch {
    let launches = import(&[fixture(name)], &Reading::default());
    launches.unwrap_or_else(|error| panic!("{error}")).remove(0)
}

/// Executions, iterations, and the warnings without the file's name.
fn check(name: &str, executions: usize, iterations: usize, warnings: &[&str]) {
    let launch = read(name);
    let path = fixture(name);
    let said: Vec<String> = launch
        .warnings
        .iter()
        .map(|w| w.to_string().replace(&format!("{}: ", path.display()), ""))
        .collect();
    assert_eq!(said, warnings, "{name}");
    assert_eq!(launch.events.len(), executions, "{name}");
    assert_eq!(launch.iterations.len(), iterations, "{name}");
    // Whatever is lost is an error if the user wants it so.
    let strict = import(&[path], &Reading { strict: true, ..Reading::default() });
    let lost = launch.warnings.iter().any(|warning| warning.loss);
    assert_eq!(strict.is_err(), lost, "{name}");
}

#[test]
fn what_is_damaged_in_one_place_is_read_in_all_others() {
    let repaired = |place: &str, what: &str| {
        format!("{place}: 1 event was malformed and was repaired; the first: {what}")
    };
    let lost = |place: &str, what: &str| {
        format!("{place}: 1 event has no usable time and is left out; the first: {what}")
    };
    check("stray-comma.json", 6, 3, &[&repaired("line 2, byte 108", "a stray comma")]);
    check("missing-comma.json", 6, 3, &[&repaired("line 3, byte 108", "a missing comma")]);
    check("stray-comma-in-shapes.json", 6, 3, &[]);
    let quote = "expected a comma or the end of the object";
    check("unescaped-quotes.json", 6, 3, &[&repaired("line 8, byte 776", quote)]);
    let control = "expected no control character in a string";
    check("control-characters.json", 6, 3, &[&repaired("line 8, byte 774", control)]);
    check("unescaped-backslash.json", 6, 3, &[]);
    let replaced = "line 8, byte 773: 1 text is not UTF-8; its bad bytes are replaced";
    check("bad-utf8.json", 6, 3, &[replaced]);
    let no_time = "a duration that is not a time (`dur`)";
    check("beyond-64-bits.json", 5, 3, &[&lost("line 8, byte 698", no_time)]);
    check("nan.json", 5, 3, &[&lost("line 8, byte 698", no_time)]);
    check("negative-duration.json", 5, 3, &[&lost("line 8, byte 698", "a negative duration")]);
    check("duplicate-keys.json", 6, 3, &[]);
    check("overlapping-events.json", 6, 3, &[]);
    check("nested-100000-deep.json.gz", 6, 3, &[]);
    check("expands-a-thousandfold.json.gz", 6, 3, &[]);
    check(
        "not-an-event.json",
        5,
        3,
        &[
            "line 8, byte 698: 1 event is not a record and is left out; the first: a value that is not an object",
        ],
    );
    let unreadable = "could not be understood and is left out; the first: expected";
    check(
        "unterminated-string.json",
        5,
        3,
        &[&format!("line 8, byte 793: 1 event {unreadable} a comma or the end of the object")],
    );
    check(
        "unclosed-object.json",
        5,
        3,
        &[&format!("line 8, byte 824: 1 event {unreadable} a string")],
    );
}

#[test]
fn what_ends_early_is_read_up_to_there() {
    let early = "the input ends early";
    check(
        "truncated.json",
        5,
        2,
        &[
            &format!(
                "line 13, byte 1391: {early}: an event of which 88 bytes are there is left out"
            ),
            "1 event is in no whole run; the figures are without its 0.050 ms",
        ],
    );
    check(
        "no-closing-bracket.json",
        6,
        3,
        &[&format!("line 16, byte 1649: {early}: the bracket that closes the events is missing")],
    );
    check(
        "truncated.json.gz",
        134,
        67,
        &[&format!("line 272, byte 32397: {early}: incomplete deflate stream")],
    );
}

#[test]
fn what_stands_behind_the_end_is_named() {
    let more = "line 17, byte 1651: there is more after the end of the document; it is left out";
    check("two-formats.json", 6, 3, &[&format!("{more}: 67 bytes")]);
    check("two-documents.json", 6, 3, &[&format!("{more}: 1651 bytes")]);
}

#[test]
fn what_holds_nothing_is_an_error() {
    let error = |name: &str| {
        let error = import(&[fixture(name)], &Reading::default()).unwrap_err().to_string();
        error
            .replace(&format!("{}: ", fixture(name).display()), "")
            .lines()
            .next()
            .unwrap()
            .to_string()
    };
    assert_eq!(error("empty.json"), "the file is empty");
    assert_eq!(error("white-space.json"), "the file is empty");
    assert_eq!(error("empty-array.json"), "no format that onnxray knows; it begins with \"[]\\n\"");
    assert!(
        error("picture.json")
            .starts_with("no format that onnxray knows; it begins with \"\u{fffd}PNG")
    );
}

#[test]
fn values_of_damaged_events_are_right() {
    let launch = read("duplicate-keys.json");
    let duration: u64 = launch.events.chunks.iter().flat_map(|chunk| &chunk.duration).sum();
    assert_eq!(duration, 3 * (50_000 + 20_000), "the last of two values counts");
    let names = |name: &str| -> Vec<String> {
        read(name).operators.into_iter().map(|operator| operator.name).collect()
    };
    assert_eq!(names("unescaped-quotes.json"), ["/MatMul", "/Relu", "/a \"b\" c/MatMul"]);
    assert_eq!(names("unescaped-backslash.json"), ["/MatMul", "/Relu", "/a\\q/MatMul"]);
    assert_eq!(names("control-characters.json"), ["/MatMul", "/Relu", "/a\u{1}\tb/MatMul"]);
    assert_eq!(names("bad-utf8.json"), ["/MatMul", "/Relu", "/\u{fffd}\u{fffd}/MatMul"]);
    let shapes = read("stray-comma-in-shapes.json");
    let input = &shapes.operators[0].inputs;
    assert!(input.is_empty() || input[0].shape == Some(vec![2, 2]), "{input:?}");
}

#[test]
fn a_cut_at_any_byte_gives_a_prefix_and_says_so() {
    let whole = std::fs::read(fixture("two-documents.json")).unwrap();
    let whole = &whole[..whole.len() / 2];
    let read = |bytes: &[u8], slice_bytes: usize| -> Option<Launch> {
        let mut source = Source::from_bytes("cut.json", bytes.to_vec()).unwrap();
        let importer = detect(&mut source).ok()?;
        let options = Options { slice_bytes, workers: 2, ..Options::default() };
        Some(importer.read(vec![source], &options).ok()?.remove(0))
    };
    let times = |launch: &Launch| -> Vec<u64> {
        launch.events.chunks.iter().flat_map(|chunk| chunk.start.clone()).collect()
    };
    let all = times(&read(whole, 1 << 20).unwrap());
    for cut in 0..whole.len() - 1 {
        for slice_bytes in [64, 300, 1 << 20] {
            let Some(launch) = read(&whole[..cut], slice_bytes) else { continue };
            let found = times(&launch);
            assert_eq!(found, all[..found.len()], "{cut} {slice_bytes}");
            let closed = whole[cut..].iter().all(|byte| byte.is_ascii_whitespace());
            assert!(closed || launch.warnings.iter().any(|warning| warning.loss), "{cut}");
        }
    }
}

/// A profile with one string of this many bytes, made while it is read.
struct LongString {
    front: &'static [u8],
    left: u64,
    back: &'static [u8],
}

impl Read for LongString {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.front.is_empty() {
            return self.front.read(buffer);
        }
        if self.left > 0 {
            let length = (buffer.len() as u64).min(self.left) as usize;
            buffer[..length].fill(b'x');
            self.left -= length as u64;
            return Ok(length);
        }
        self.back.read(buffer)
    }
}

#[test]
fn a_string_of_two_gigabytes_is_passed_over_in_little_memory() {
    const NODE: &str = concat!(
        r#"{"cat" : "Node","pid" :7,"tid" :7,"dur" :5,"ts" :10,"ph" : "X","name" :"/a_kernel_time","#,
        r#""args" : {"op_name" : "Add"}}"#
    );
    let front = format!("[\n{NODE},\n{NODE},\n{}", &NODE[..NODE.len() - 12]);
    let back = format!("\"}}}},\n{NODE},\n{NODE}\n]\n");
    let source =
        LongString { front: front.leak().as_bytes(), left: 2 << 30, back: back.leak().as_bytes() };
    let mut source = Source::from_reader("long.json".into(), Box::new(source)).unwrap();
    let before = resident_megabytes();
    let importer = detect(&mut source).unwrap();
    let launch = importer.read(vec![source], &Options::default()).unwrap().remove(0);
    assert_eq!(launch.events.len(), 4);
    let message = launch.warnings[0].to_string();
    assert!(message.contains("1 event is larger than any record may be"), "{message}");
    // An event may have 64 MiB; some buffers of that size live at once.
    assert!(resident_megabytes() - before < 600, "{} MB", resident_megabytes() - before);
}

/// The most memory that this process ever had.
fn resident_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<u64>().unwrap() / 1024
}
