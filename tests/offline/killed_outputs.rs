//! Commands that are killed while they write: what was there stays, nothing is half
//! written, and the next run cleans up.

use crate::program::{Place, fixture_file};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Times that each command is killed; more by `ONNXRAY_KILLS`, for all of them together.
fn kills(commands: usize) -> usize {
    let all = std::env::var("ONNXRAY_KILLS").ok().and_then(|kills| kills.parse().ok());
    all.map_or(4, |all: usize| all.div_ceil(commands))
}

/// Whole numbers that look like chance (SplitMix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end.max(1)
    }
}

/// A command, and the files that it writes into `out`.
const COMMANDS: [(&str, &[&str]); 8] = [
    ("report t.json -o out/r.xlsx --force", &["r.xlsx"]),
    ("report t.json -o out/r.html --force", &["r.html"]),
    ("convert t.json -o out/t.csv --force", &["t.csv", "t.iterations.csv", "t.operators.csv"]),
    (
        "convert t.json -o out/t.parquet --force",
        &["t.parquet", "t.iterations.parquet", "t.operators.parquet"],
    ),
    ("convert t.json -o out/t.json --force", &["t.json"]),
    ("project t.json -o out/p.xlsx --save-settings out/s.json --force", &["p.xlsx", "s.json"]),
    ("compare t.json t.json -o out/c.xlsx --force", &["c.xlsx"]),
    (
        "summary t.json --format csv -o out --force",
        &["model.csv", "operators.csv", "operator_types.csv"],
    ),
];

/// What a file is without what tells one run from another.
fn content(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    if path.extension().is_none_or(|ending| ending != "xlsx") {
        return bytes;
    }
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    let mut parts = Vec::new();
    for index in 0..archive.len() {
        let mut part = archive.by_index(index).unwrap();
        // That part says when the workbook was made.
        if part.name().unwrap() != "docProps/core.xml" {
            std::io::Read::read_to_end(&mut part, &mut parts).unwrap();
        }
    }
    parts
}

fn hidden(folder: &Path) -> Vec<PathBuf> {
    let is_hidden = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with('.');
    crate::program::files(folder).into_iter().filter(is_hidden).collect()
}

/// A place with the input of the commands, and with what a command wrote into `out`.
fn written(command: &str, files: &[&str]) -> (Place, Vec<Vec<u8>>) {
    let place = Place::new();
    fs::copy(fixture_file("onnxruntime/1.31.1/loop.json"), place.path("t.json")).unwrap();
    fs::create_dir(place.path("out")).unwrap();
    let arguments: Vec<&str> = command.split(' ').collect();
    place.succeed(&arguments);
    let whole = files.iter().map(|file| content(&place.path("out").join(file))).collect();
    (place, whole)
}

/// Has a command killed that would write over other files. What it leaves of them is all of the
/// old one or all of the new one, and the next run cleans up.
fn check(place: &Place, command: &str, (files, whole): (&[&str], &[Vec<u8>]), kill: impl FnOnce()) {
    let out = |file: &str| place.path("out").join(file);
    for file in files {
        fs::write(out(file), "what was there").unwrap();
    }
    kill();
    for (file, whole) in files.iter().zip(whole) {
        let is_old = fs::read(out(file)).unwrap() == b"what was there";
        assert!(is_old || content(&out(file)) == *whole, "{command}: {file}");
    }
}

/// Has each command ended at random moments, whatever it does then or has done, by `end`, and
/// looks at what it left. Both are told which time it is.
fn at_random_moments(
    seed: u64,
    end: impl Fn(usize, &mut Child),
    look: impl Fn(usize, &Place, &str),
) {
    let mut chance = Chance(seed);
    for (command, files) in COMMANDS {
        let (place, whole) = written(command, files);
        let arguments: Vec<&str> = command.split(' ').collect();
        let started = Instant::now();
        place.succeed(&arguments);
        let length = started.elapsed().as_micros() as u64;
        for round in 0..kills(COMMANDS.len()) {
            check(&place, command, (files, &whole), || {
                let mut started = place.command(&arguments);
                started.stdout(Stdio::null()).stderr(Stdio::null());
                let mut child = started.spawn().unwrap();
                sleep(Duration::from_micros(chance.below(length)));
                end(round, &mut child);
            });
            look(round, &place, command);
        }
    }
}

fn leaves_nothing(place: &Place, command: &str) {
    let left = hidden(&place.path("out"));
    assert!(left.is_empty(), "{command}: {left:?}");
}

fn clean_up(place: &Place, command: &str) {
    place.succeed(&command.split(' ').collect::<Vec<&str>>());
    leaves_nothing(place, command);
}

#[test]
fn a_killed_command_leaves_the_old_file_or_the_new_one() {
    let kill = |_, child: &mut Child| {
        child.kill().unwrap();
        child.wait().unwrap();
    };
    at_random_moments(2026, kill, |round, place, command| {
        if round % 10 == 0 {
            clean_up(place, command);
        }
    });
}

#[test]
fn what_a_killed_command_left_is_removed() {
    for (command, files) in COMMANDS {
        let (place, _) = written(command, files);
        place.write("out/.onnxray-0123456789ab.part", b"half");
        clean_up(&place, command);
    }
}

/// Ends it as Ctrl-C or `kill` would.
fn interrupt(signal: &str, process: &mut Child) -> ExitStatus {
    // It may have ended before.
    let _ = Command::new("kill").args([signal, &process.id().to_string()]).status();
    process.wait().unwrap()
}

#[test]
fn an_interrupted_command_leaves_nothing_half_written() {
    let end = |round, child: &mut Child| {
        let ended = interrupt(["-INT", "-TERM"][round % 2], child);
        // It may have ended before, or not have begun.
        assert!(matches!(ended.code(), None | Some(0 | 130)), "{ended}");
    };
    at_random_moments(2027, end, |_, place, command| leaves_nothing(place, command));
}

#[test]
fn an_interrupted_command_ends_with_130() {
    for signal in ["-INT", "-TERM"] {
        let place = Place::new();
        let mut command = place.command(&["summary", "-"]);
        command.stdin(Stdio::piped()).stdout(Stdio::null());
        let mut child = command.spawn().unwrap();
        // More than a pipe holds: it reads, and waits for the rest, which never comes.
        let mut input = child.stdin.take().unwrap();
        input.write_all(&[b' '; 1 << 20]).unwrap();
        assert_eq!(interrupt(signal, &mut child).code(), Some(130));
        drop(input);
    }
}

/// What is written beyond the largest size of a file fails, and does not end the process at once.
#[test]
fn a_file_that_may_not_be_so_large_leaves_the_old_one() {
    for (command, files) in COMMANDS {
        let (place, whole) = written(command, files);
        let sizes = files.iter().map(|file| place.path("out").join(file).metadata().unwrap().len());
        let (largest, quarters) = (sizes.max().unwrap(), 4);
        for quarter in 0..quarters {
            check(&place, command, (files, &whole), || {
                // In blocks of 512 bytes, or of 1024 bytes in some shells.
                let blocks = largest * quarter / quarters / 1024;
                let limits = format!("ulimit -c 0; ulimit -f {blocks}");
                let script = format!("{limits}; exec {} {command}", crate::program::program());
                let mut shell = Command::new("sh");
                shell.args(["-c", &script]).current_dir(place.path(""));
                let status = shell.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
                assert_eq!(status.code(), Some(1), "{command}: {status}");
            });
            leaves_nothing(&place, command);
        }
    }
}

/// Stops a process while there is a file that is half written, and kills it there.
#[test]
fn a_command_that_is_killed_amid_a_file_leaves_the_old_one() {
    for (command, files) in COMMANDS {
        let (place, whole) = written(command, files);
        let arguments: Vec<&str> = command.split(' ').collect();
        let mut was_amid = false;
        while !was_amid {
            check(&place, command, (files, &whole), || {
                let mut started = place.command(&arguments);
                let mut child =
                    started.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
                while hidden(&place.path("out")).is_empty() && child.try_wait().unwrap().is_none() {
                    std::hint::spin_loop();
                }
                // It may have ended just then.
                let _ = child.kill();
                child.wait().unwrap();
                was_amid = !hidden(&place.path("out")).is_empty();
            });
        }
        clean_up(&place, command);
    }
}
