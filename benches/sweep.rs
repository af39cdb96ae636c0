//! What rounds are good for: how far the points of a sweep are off under a load that comes and
//! goes, next to points that are recorded one after the other.
//!
//! ```text
//! cargo bench --bench sweep
//! cargo bench --bench sweep -- long
//! ```
//!
//! Both measure the same eight configurations with as many launches. The truth is a sweep
//! without load. The error of a point is the logarithm of what was measured by the truth; the
//! spread of the errors, their standard deviation over points, is what could make one
//! configuration look better than another. The load takes all cores again and again, at random
//! times from a seed that both share: for stretches that are shorter than what all launches of
//! a configuration take, or as long. Sweep and recordings take turns.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a bench that fails panics

use serde_json::Value;
use std::hint::spin_loop;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const REPEATS: u64 = 5;
const LAUNCHES: &str = "10";
const ITERATIONS: &str = "40";
const SEQUENCES: [&str; 2] = ["16", "32"];
const BATCHES: [&str; 4] = ["1", "2", "4", "8"];
/// A load that comes and goes.
#[derive(Clone, Copy)]
struct Load {
    name: &'static str,
    /// Milliseconds of a stretch with load, and without.
    loaded: (u64, u64),
    quiet: (u64, u64),
}

const LOADS: [Load; 2] = [
    Load { name: "short", loaded: (1_000, 4_000), quiet: (2_000, 8_000) },
    Load { name: "long", loaded: (4_000, 10_000), quiet: (8_000, 20_000) },
];

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).collect();
    let is_chosen = |load: &&Load| {
        chosen.iter().any(|name| name == load.name)
            || !LOADS.iter().any(|load| chosen.iter().any(|name| name == load.name))
    };
    let place = tempfile::tempdir().expect("a temporary folder");
    let truth = sweep(&place.path().join("truth"));
    for load in LOADS.iter().filter(is_chosen) {
        compare(*load, &truth);
    }
}

fn compare(load: Load, truth: &Points) {
    let place = tempfile::tempdir().expect("a temporary folder");
    println!("{} stretches of load", load.name);
    println!("spread of errors (%)   latency            throughput");
    println!("                       rounds   in a row  rounds   in a row");
    let mut spreads: [Vec<[f64; 2]>; 2] = Default::default();
    for repeat in 0..REPEATS {
        let folder = |kind: &str| place.path().join(format!("{kind}-{repeat}"));
        let rounds = || under_load(load, repeat, || sweep(&folder("rounds")));
        let in_a_row = || under_load(load, repeat, || one_by_one(&folder("row")));
        let (rounds, in_a_row) = match repeat % 2 {
            0 => {
                let rounds = rounds();
                (rounds, in_a_row())
            }
            _ => {
                let in_a_row = in_a_row();
                (rounds(), in_a_row)
            }
        };
        let of = |figure: usize| [&rounds, &in_a_row].map(|found| spread(found, truth, figure));
        let [latency, throughput] = [of(0), of(1)];
        println!(
            "{:>22} {:8.2} {:10.2} {:8.2} {:10.2}",
            format!("repeat {}", repeat + 1),
            latency[0],
            latency[1],
            throughput[0],
            throughput[1]
        );
        spreads[0].push(latency);
        spreads[1].push(throughput);
    }
    for (name, spreads) in ["latency", "throughput"].iter().zip(&spreads) {
        let mut ratios: Vec<f64> = spreads.iter().map(|[rounds, row]| rounds / row).collect();
        ratios.sort_by(f64::total_cmp);
        let (least, most) = (ratios[0], ratios[ratios.len() - 1]);
        println!(
            "{name}: rounds have {:.2} of the spread [{least:.2}, {most:.2}]",
            ratios[ratios.len() / 2]
        );
    }
}

/// Median latency and items per second of each configuration, in the same order.
type Points = Vec<[f64; 2]>;

fn model() -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/models/encoder.onnx").to_string()
}

fn sweep(project: &Path) -> Points {
    let mut command = Command::new(env!("CARGO_BIN_EXE_onnxray"));
    command.arg("sweep").arg(model()).arg("--profiles").arg(project);
    command.args(["--dim", &format!("sequence={}", SEQUENCES.join(","))]);
    command.args(["--batch-sizes", &BATCHES.join(",")]);
    command.args(["--rounds", LAUNCHES, "--iterations", ITERATIONS]);
    command.args(["--precision", "0.001%", "--time-limit", "1h"]);
    run(&mut command);
    points(project)
}

fn one_by_one(project: &Path) -> Points {
    for sequence in SEQUENCES {
        for batch in BATCHES {
            let mut command = Command::new(env!("CARGO_BIN_EXE_onnxray"));
            command.arg("record").arg(model()).arg("--profiles").arg(project);
            command.args(["--name", &format!("{sequence}-{batch}"), "--pin"]);
            command.args(["--dim", &format!("sequence={sequence}"), "--batch-size", batch]);
            command.args(["--launches", LAUNCHES, "--iterations", ITERATIONS]);
            run(&mut command);
        }
    }
    points(project)
}

fn run(command: &mut Command) {
    let output = command.output().expect("the program");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn points(project: &Path) -> Points {
    let mut command = Command::new(env!("CARGO_BIN_EXE_onnxray"));
    command.arg("profiles").arg(project).args(["--format", "json"]);
    let output = command.output().expect("the program");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let profiles = report["profiles"].as_array().expect("profiles");
    let measured = profiles.iter().filter(|row| row["profile"] != "FLOPS");
    let mut points: Vec<(String, u64, [f64; 2])> = measured
        .map(|row| {
            let figure = |key: &str| row[key].as_f64().expect("a figure");
            let sizes = row["dimensions"].as_str().expect("sizes");
            let sequence = sizes.split(' ').find(|size| size.starts_with("sequence=")).unwrap();
            let batch = row["batch_size"].as_u64().expect("a batch size");
            (sequence.to_string(), batch, [figure("latency_p50_ms"), figure("items_per_second")])
        })
        .collect();
    points.sort_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
    assert_eq!(points.len(), SEQUENCES.len() * BATCHES.len());
    points.into_iter().map(|(_, _, figures)| figures).collect()
}

/// Standard deviation of the errors of a figure, in percent.
fn spread(found: &Points, truth: &Points, figure: usize) -> f64 {
    let errors: Vec<f64> = found
        .iter()
        .zip(truth)
        .map(|(found, truth)| (found[figure] / truth[figure]).ln())
        .collect();
    let count = errors.len() as f64;
    let mean = errors.iter().sum::<f64>() / count;
    let squares = errors.iter().map(|error| (error - mean).powi(2)).sum::<f64>();
    (squares / (count - 1.0)).sqrt() * 100.0
}

/// Runs something while all cores are busy now and then.
fn under_load<T>(load: Load, seed: u64, run: impl FnOnce() -> T) -> T {
    let (busy, over) = (AtomicBool::new(false), AtomicBool::new(false));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    match busy.load(Ordering::Relaxed) {
                        true => (0..1000).for_each(|_| spin_loop()),
                        false => thread::sleep(Duration::from_millis(1)),
                    }
                }
            });
        }
        scope.spawn(|| {
            let mut state = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            for loaded in [false, true].into_iter().cycle() {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let (least, most) = if loaded { load.loaded } else { load.quiet };
                let time = Duration::from_millis(least + (state >> 33) % (most - least));
                busy.store(loaded, Ordering::Relaxed);
                let begun = Instant::now();
                while begun.elapsed() < time && !over.load(Ordering::Relaxed) {
                    thread::sleep(Duration::from_millis(5));
                }
                if over.load(Ordering::Relaxed) {
                    return;
                }
            }
        });
        let result = run();
        over.store(true, Ordering::Relaxed);
        result
    })
}
