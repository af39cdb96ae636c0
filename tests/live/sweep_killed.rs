//! Sweeps that are killed at any moment, and run again.
//!
//! `ONNXRAY_KILLS` adds random moments, which follow from `ONNXRAY_KILLS_SEED`.

use crate::hardware::lacks;
use crate::killed_recordings::number;
use crate::program::{Place, files, json, model};
use crate::script::Script;
use crate::sweep::{done, points, trace};
use serde_json::{Value, json as object};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::SystemTime;

const ROUNDS: u64 = 2;
const ITERATIONS: usize = 12;
/// Runs of a launch: the warm-up, one that leaves no trace, and iterations of both kinds.
const RUNS: u64 = 10 + 1 + 2 * ITERATIONS as u64;

fn has_two_cores() -> bool {
    available_parallelism().is_ok_and(|cores| cores.get() >= 2)
}

/// Names of the points, and processes of each.
fn planned() -> Vec<(&'static str, u64)> {
    let mut planned = vec![("scan-frames=100-t1-i1", 1), ("scan-frames=150-t1-i1", 1)];
    if has_two_cores() {
        planned.insert(1, ("scan-frames=100-t1-i2", 2));
        planned.push(("scan-frames=150-t1-i2", 2));
    }
    planned
}

fn arguments(scan: &str) -> Vec<String> {
    let [rounds, iterations] = [ROUNDS.to_string(), ITERATIONS.to_string()];
    let start = ["sweep", scan, "--dim", "frames=100,150", "--instances", "1,2", "--profiles", "s"];
    let more = ["--rounds", &rounds, "--iterations", &iterations, "--format", "json"];
    start.iter().chain(&more).map(|argument| argument.to_string()).collect()
}

/// Processes measure at the same time, whatever the system does.
fn script<'a>(place: &'a Place, points: &[(&str, &str, u64, &str)]) -> Script<'a> {
    let times = object!({"scan.onnx": {"operator_ns": 1_000, "noise": 0.1}});
    Script::new(place, times, points)
}

/// Runs the sweep until a process is at a point, and kills all of them.
fn killed(place: &Place, scan: &str, at: &str, number: u64) {
    let script = script(place, &[(at, "scan.onnx", number, "wait")]);
    let words = arguments(scan);
    let mut program = script.start(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let _waiting = script.reached(&mut program, &format!("{at} scan.onnx {number}"));
    program.signal_all("-KILL");
    program.ended(); // no launch is left, either
}

/// Whether a trace holds all that was planned and says so.
fn is_whole(path: &Path) -> bool {
    let Ok(trace) = serde_json::from_slice::<Value>(&fs::read(path).unwrap()) else { return false };
    let count = |category: &str| {
        let events = trace["traceEvents"].as_array().unwrap().iter();
        let events = events.filter(|event| event["cat"] == category);
        events.filter(|event| event["args"]["warmup"] != true).count()
    };
    let counts = [count("iteration"), count("plain_iteration")];
    trace["completed"].is_object() && counts == [ITERATIONS; 2]
}

/// The traces of the points, by the point's name and the number of the launch.
fn traces(place: &Place) -> BTreeMap<(&'static str, u64), PathBuf> {
    let mut found = BTreeMap::new();
    for (point, _) in planned() {
        let folder = place.path(&format!("s/{point}/profiling_trace"));
        for path in if folder.is_dir() { files(&folder) } else { Vec::new() } {
            let stem = path.file_stem().unwrap().to_str().unwrap();
            // A hidden file is for the time of a run.
            if let Some((_, number)) = stem.rsplit_once('_').filter(|_| !stem.starts_with('.')) {
                let known = found.insert((point, number.parse().unwrap()), path.clone());
                assert_eq!(known, None, "two traces are launch {number} of {point}");
            }
        }
    }
    found
}

/// What a file is, and what is in it.
type Identity = (u64, SystemTime, Vec<u8>);

fn identity(path: &Path) -> Identity {
    let about = path.metadata().unwrap();
    (about.ino(), about.modified().unwrap(), fs::read(path).unwrap())
}

/// The traces of rounds that are whole, which are nobody's to touch.
fn whole_rounds(place: &Place) -> BTreeMap<PathBuf, Identity> {
    let all = traces(place);
    let mut whole = BTreeMap::new();
    for (point, instances) in planned() {
        for round in 0..ROUNDS {
            let launches = round * instances..(round + 1) * instances;
            let paths: Vec<&PathBuf> =
                launches.filter_map(|number| all.get(&(point, number))).collect();
            if paths.len() as u64 == instances && paths.iter().all(|path| is_whole(path)) {
                whole.extend(paths.into_iter().map(|path| (path.clone(), identity(path))));
            }
        }
    }
    whole
}

/// Runs a sweep that was killed to its end: it is what one is that nobody killed.
fn check(place: &Place, scan: &str, moment: &str) {
    let before = whole_rounds(place);
    let journaled = done(place);
    let words = arguments(scan);
    let script = script(place, &[]);
    let ended = script.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(ended.code, Some(0), "{moment}: {}", ended.err);
    let expected: Vec<(String, u64)> =
        planned().iter().map(|(name, _)| (name.to_string(), ROUNDS)).collect();
    assert_eq!(points(&json(&ended.out)), expected, "{moment}");
    let after = traces(place);
    let numbers: BTreeSet<(&str, u64)> = planned()
        .into_iter()
        .flat_map(|(point, instances)| (0..ROUNDS * instances).map(move |number| (point, number)))
        .collect();
    assert_eq!(after.keys().copied().collect::<BTreeSet<_>>(), numbers, "{moment}");
    for ((point, number), path) in &after {
        assert!(is_whole(path), "{moment}: {}", path.display());
        assert_eq!(trace(path)["otherData"]["launch"], *number, "{moment}: {point}");
    }
    for (path, was) in &before {
        // Not by what is in it: that is long.
        assert!(identity(path) == *was, "{moment}: {} was written again", path.display());
    }
    for (point, _) in planned() {
        let named = |part: &str| files(&place.path(&format!("s/{point}/{part}")));
        let hidden = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with('.');
        for part in ["profiling_trace", "profiling_csv"] {
            let left: Vec<PathBuf> = named(part).into_iter().filter(hidden).collect();
            assert_eq!(left, Vec::<PathBuf>::new(), "{moment}: left by a killed run");
        }
        assert_eq!(named("profiling_csv").len(), named("profiling_trace").len(), "{moment}");
        let figures = place.figures(&format!("s:{point}"));
        assert_eq!(figures["model"]["profile"], point, "{moment}");
    }
    let lines = done(place);
    assert!(lines.starts_with(&journaled), "{moment}: the journal only grows");
    let distinct: BTreeSet<&String> = lines.iter().collect();
    assert_eq!(distinct.len() as u64, planned().len() as u64 * ROUNDS, "{moment}");
    assert_eq!(distinct.len(), lines.len(), "{moment}: no round is there twice");
}

/// Sizes of the model.
const TRIED: u64 = 2;

/// Launches of the whole sweep.
fn launches() -> u64 {
    ROUNDS * planned().iter().map(|(_, instances)| instances).sum::<u64>()
}

#[test]
fn a_killed_sweep_goes_on_where_it_was() {
    let scan = model("scan");
    if !has_two_cores() {
        lacks("a second core", "that killed sweeps of instances go on");
    }
    // Both sizes are tried out, in three runs each, before there is a launch.
    let tried = TRIED;
    let (loads, runs) = (|launch| tried + launch, |launch| 3 * tried + launch * RUNS);
    let mut moments = vec![
        ("load", 1),
        ("load", loads(1)),
        ("load", loads(launches() / 2)),
        ("load", loads(launches())),
        ("run", runs(0) + 1),
        ("run", runs(1)),
        ("run", runs(launches() / 2) + RUNS / 2),
        ("run", runs(launches())),
    ];
    let mut state = number("ONNXRAY_KILLS_SEED", 1);
    for _ in 0..number("ONNXRAY_KILLS", 0) {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        moments.push(("run", 1 + (state >> 33) % runs(launches())));
    }
    for (at, number) in moments {
        let place = Place::new();
        killed(&place, &scan, at, number);
        check(&place, &scan, &format!("killed before {at} {number}"));
    }
}

/// Killed over and over: each run does at least a round more.
#[test]
fn a_sweep_that_is_killed_again_and_again_comes_to_its_end() {
    let (place, scan) = (Place::new(), model("scan"));
    // Whichever round is the first, the next one has begun then.
    let next = planned().iter().map(|(_, instances)| instances).max().unwrap() + 1;
    // What was tried out once is known.
    let mut loads = TRIED;
    for _ in 0..3 {
        let before = done(&place).len();
        killed(&place, &scan, "load", loads + next);
        loads = 0;
        assert!(done(&place).len() > before);
    }
    check(&place, &scan, "killed three times");
}
