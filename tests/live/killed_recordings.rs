//! Recordings that are killed at any moment, over and over in the same folders.
//!
//! `ONNXRAY_KILLS` says how often; the moments follow from `ONNXRAY_KILLS_SEED`.

use crate::onnxruntime::engine;
use crate::onnxruntime_package::library;
use crate::program::{Place, files, finished, model};
use crate::recorder::start;
use crate::turn;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// One launch, several, two models in turns, instances side by side, and ONNX Runtime.
const WAYS: u64 = 5;
/// Recordings that begin in one second of one folder wait for each other, so they take
/// turns.
const FOLDERS: u64 = 2 * WAYS;

/// A number of the environment.
pub(crate) fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().map_or(otherwise, |text| text.parse().unwrap())
}

fn arguments(models: &[String; 2], library: &str, way: u64, out: &str) -> Vec<String> {
    let [scan, lstm] = models;
    let start = ["record", scan, "--out", out, "--iterations", "15", "--warmup", "2"];
    let engine = engine(library);
    let frames = ["--dim", "frames=4"];
    let more: &[&str] = match way {
        0 => &[],
        1 => &["--launches", "2"],
        2 => &["--against", lstm, "--dim", "sequence=4", "--launches", "1"],
        3 => &["--instances", "2"],
        _ => &engine,
    };
    start.iter().chain(&frames).chain(more).map(|argument| argument.to_string()).collect()
}

/// The folders of recordings in `out`, which may not be there yet.
fn recordings(place: &Place, out: &str) -> Vec<PathBuf> {
    let out = place.path(out);
    let folders = [out.clone(), out.join("scan"), out.join("lstm")];
    folders.into_iter().filter(|folder| folder.join("profiling_trace").is_dir()).collect()
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().unwrap().to_string_lossy().starts_with('.')
}

/// What lies in a recording's folders: traces, tables and what is only for the time of a
/// run.
fn contents(folder: &Path) -> (Vec<PathBuf>, Vec<PathBuf>, Vec<PathBuf>) {
    let read =
        |part| if folder.join(part).is_dir() { files(&folder.join(part)) } else { Vec::new() };
    let (traces, tables) = (read("profiling_trace"), read("profiling_csv"));
    let hidden = traces.iter().chain(&tables).filter(|path| is_hidden(path)).cloned().collect();
    let named = |files: Vec<PathBuf>| files.into_iter().filter(|path| !is_hidden(path)).collect();
    (named(traces), named(tables), hidden)
}

/// Every file reads, or is named by whoever reads it; the folder reads if any file does.
/// `known` are the files that were looked at, and the folders that read.
fn check(place: &Place, folder: &Path, known: &mut BTreeSet<PathBuf>) {
    let (traces, tables, _) = contents(folder);
    let mut readable = known.contains(folder);
    for file in traces.iter().chain(&tables).filter(|file| known.insert((*file).clone())) {
        let name = file.display().to_string();
        let summary = place.run(&["summary", &name, "--level", "model"]);
        let is_table = tables.contains(file);
        match summary.code {
            Some(0) => readable |= !is_table,
            Some(1) if !is_table => {
                let base = file.file_name().unwrap().to_string_lossy();
                assert!(summary.err.contains(&*base), "{}", summary.err);
            }
            _ => panic!("{name}: {summary:?}"),
        }
    }
    let all = place.run(&["summary", &folder.display().to_string(), "--level", "model"]);
    assert!(all.code == Some(0) || !readable, "{}: {}", folder.display(), all.err);
    if readable {
        known.insert(folder.to_path_buf());
    }
}

#[test]
fn nothing_is_lost_or_half_written_wherever_a_recording_is_killed() {
    // What is killed at a random moment takes as long as what was measured for it.
    let _alone = turn::alone();
    let place = Place::new();
    let (models, library) = ([model("scan"), model("lstm")], library());
    let kills = number("ONNXRAY_KILLS", 20);
    let mut state = number("ONNXRAY_KILLS_SEED", 1);
    let mut random = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below.max(1)
    };
    // How long a whole run takes, for moments all along it.
    let times: Vec<Duration> = (0..WAYS)
        .map(|way| {
            let begun = Instant::now();
            let whole = arguments(&models, &library, way, &format!("whole{way}"));
            place.succeed(&whole.iter().map(String::as_str).collect::<Vec<_>>());
            begun.elapsed()
        })
        .collect();
    let mut known = BTreeSet::new();
    let mut ended = 0;
    for kill in 0..kills {
        let (out, way) = (kill % FOLDERS, kill % WAYS);
        let name = format!("out{out}");
        let arguments = arguments(&models, &library, way, &name);
        let mut child = start(&place, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
        sleep(Duration::from_micros(random(times[way as usize].as_micros() as u64)));
        // All processes, or the one that started the launches alone.
        let target = match random(3) {
            0 => child.id().to_string(),
            _ => format!("-{}", child.id()),
        };
        ended += u64::from(child.try_wait().unwrap().is_some());
        let mut command = Command::new("kill");
        command.args(["-KILL", "--", &target]).stderr(Stdio::null()).status().unwrap();
        finished(child.wait_with_output().unwrap()); // no launch is left, either
        for folder in recordings(&place, &name) {
            check(&place, &folder, &mut known);
        }
    }
    println!("{kills} kills, {ended} of them too late, {} files", known.len());
    for out in 0..FOLDERS.min(kills) {
        let name = format!("out{out}");
        let whole = arguments(&models, &library, out % WAYS, &name);
        place.succeed(&whole.iter().map(String::as_str).collect::<Vec<_>>());
        for folder in recordings(&place, &name) {
            let (traces, _, hidden) = contents(&folder);
            assert_eq!(hidden, Vec::<PathBuf>::new(), "left by a killed run");
            let empty = traces.iter().find(|trace| trace.metadata().unwrap().len() == 0);
            assert_eq!(empty, None, "left by a killed run");
            let summary = ["summary", &folder.display().to_string(), "--level", "model"];
            assert_eq!(place.run(&summary).code, Some(0));
        }
    }
}
