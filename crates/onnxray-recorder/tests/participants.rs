//! Several models recorded in one process, iteration by iteration.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

use ndarray::Array4;
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::{
    GivenDimensions, InputFiles, LaunchOptions, Length, Model, Participant, Progress, Recorded,
    Schedule, Session, Workload, record,
};
use serde_json::Value;
use std::fs;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

fn load(name: &str) -> (Model, Workload) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models").join(name);
    let sizes = [("frames".to_string(), 4)].into();
    let given = GivenDimensions { sizes, for_several: true, ..GivenDimensions::default() };
    let model = Model::load(&EngineSpec::default(), &path, &given, 1).unwrap();
    let workload = model.workload(&InputFiles::new(), 1).unwrap();
    (model, workload)
}

/// Records both models, and tells what ran in which order.
fn order(schedule: Schedule, stop_after: u32) -> (String, bool) {
    let place = tempfile::tempdir().unwrap();
    let loaded = ["cnn.onnx", "scan.onnx"].map(load);
    let participants: Vec<Participant> = loaded
        .iter()
        .zip(["cnn", "scan"])
        .map(|((model, workload), name)| {
            let folder = place.path().join(name).into();
            let options = LaunchOptions { folder, warmup: schedule.warmup, ..Default::default() };
            Participant { model, workload, options }
        })
        .collect();
    let stop = AtomicBool::new(false);
    let outcome = record(&participants, &schedule, &stop, |progress: Progress| {
        stop.store(progress.measured >= stop_after, Ordering::Relaxed);
    });
    let outcome = outcome.unwrap();
    let mut iterations: Vec<(f64, f64, char)> = Vec::new();
    for (name, recorded) in ["A", "B"].iter().zip(&outcome.recorded) {
        assert!(recorded.csv.exists());
        let trace: Value =
            serde_json::from_str(&fs::read_to_string(&recorded.trace).unwrap()).unwrap();
        for event in trace["traceEvents"].as_array().unwrap() {
            let letter = match event["cat"].as_str().unwrap_or_default() {
                "iteration" => name.to_string(),
                "plain_iteration" => name.to_lowercase(),
                _ => continue,
            };
            let start = event["ts"].as_f64().unwrap();
            let end = start + event["dur"].as_f64().unwrap();
            iterations.push((start, end, letter.chars().next().unwrap()));
        }
    }
    iterations.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(iterations.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{iterations:?}");
    (iterations.iter().map(|iteration| iteration.2).collect(), outcome.interrupted)
}

fn schedule(warmup: u32, iterations: u32, plain: u32, turn: u32) -> Schedule {
    let turn = NonZeroU32::new(turn).unwrap();
    Schedule { warmup, length: Length::Iterations(iterations), unprofiled: plain, turn }
}

#[test]
fn participants_take_turns_and_swap_places() {
    let (found, interrupted) = order(schedule(2, 5, 4, 1), u32::MAX);
    assert_eq!(found, "ABBA ABab BAba abAB baBA AB".replace(' ', ""));
    assert!(!interrupted);
    // Turns of two; the last one of each is cut short.
    let (found, _) = order(schedule(3, 5, 3, 2), u32::MAX);
    assert_eq!(found, "AABBBA AABBaabb BBAAba AB".replace(' ', ""));
}

#[test]
fn plain_iterations_beyond_the_measured_ones_come_behind_them() {
    let (found, _) = order(schedule(0, 1, 3, 1), u32::MAX);
    assert_eq!(found.to_uppercase().matches(['A', 'B']).count(), 8, "{found}");
    assert_eq!(found.matches(['a', 'b']).count(), 6, "{found}");
    let (found, _) = order(schedule(0, 2, onnxray_recorder::AS_MEASURED, 1), u32::MAX);
    assert_eq!(found.matches(['a', 'b']).count(), 4, "{found}");
}

/// Each of the four follows its own model once in four rounds, and the other three times.
#[test]
fn none_finds_warmer_caches_than_the_others() {
    let (found, _) = order(schedule(0, 41, 41, 1), u32::MAX);
    let found = found.as_bytes();
    for letter in b"ABab" {
        let follows_itself =
            |pair: &&[u8]| pair[1] == *letter && pair[0].eq_ignore_ascii_case(letter);
        let warm = found.windows(2).filter(follows_itself).count();
        assert_eq!(warm, 10, "{}", char::from(*letter));
    }
}

#[test]
fn a_request_to_stop_ends_all_after_a_whole_round() {
    let (order, interrupted) = order(schedule(0, 1000, 0, 1), 2);
    assert_eq!(order, "ABBAAB");
    assert!(interrupted);
}

/// Sessions that record at once, as programs that `INST_NUM` announces do.
#[test]
fn sessions_at_once_get_a_numbered_pair_each() {
    let folder = tempfile::tempdir().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models/cnn.onnx");
    let options = LaunchOptions {
        folder: folder.path().into(),
        launches: Some(4),
        instances: 4,
        ..LaunchOptions::default()
    };
    let sizes = GivenDimensions::default();
    let open =
        || Session::open_with(&EngineSpec::default(), &path, &sizes, Some(&options)).unwrap();
    // None ends before all have begun.
    let mut sessions: Vec<Session> = (0..4).map(|_| open()).collect();
    for session in &mut sessions {
        session.run(&[Array4::<f32>::zeros((1, 3, 96, 96)).into()]).unwrap();
    }
    let recorded: Vec<Recorded> =
        sessions.into_iter().map(|session| session.finish().unwrap().unwrap()).collect();
    let stem = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_string();
    let numbered = |path: &Path| {
        let stem = stem(path);
        let (time, number) = stem.rsplit_once('_').unwrap();
        (time.to_string(), number.to_string())
    };
    let (times, numbers): (Vec<String>, Vec<String>) =
        recorded.iter().map(|files| numbered(&files.trace)).unzip();
    assert_eq!(numbers, ["0", "1", "2", "3"]);
    assert!(times.iter().all(|time| *time == times[0]), "one time, four numbers: {times:?}");
    assert!(recorded.iter().all(|files| stem(&files.trace) == stem(&files.csv)));
}
