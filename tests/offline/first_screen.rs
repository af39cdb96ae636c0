//! What `summary` shows first: on a screen, with parts that add up, of any recording.

use crate::program::{Place, fixture_file, json};
use crate::recordings::recorded;
use std::fs;
use std::path::{Path, PathBuf};
use unicode_width::UnicodeWidthStr;

/// Recordings of every kind that has a screen of its own, as in `cases/summary`.
const SHOWN: [&str; 6] =
    ["cnn-20-pairs", "encoder-4-launches", "encoder-int8", "decoder", "cnn-no-plain", "lstm"];

/// The first screen of a recording in a terminal of some width.
fn screen(place: &Place, recording: &str, width: usize) -> String {
    let mut command = place.command(&["summary", recording]);
    let output = command.env("COLUMNS", width.to_string()).output().unwrap();
    assert!(output.status.success(), "{recording}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn types_and_overhead_add_up_to_the_mean_that_stands_below() {
    let place = Place::new();
    for name in SHOWN {
        recorded(&place, name, name);
        let shown = screen(&place, name, 100);
        let table = shown.lines().skip_while(|line| !line.starts_with("Where the time goes"));
        let rows: Vec<&str> = table.skip(1).take_while(|line| !line.is_empty()).collect();
        let (whole, parts) = rows.split_last().unwrap();
        assert!(whole.starts_with("mean "), "{shown}");
        let whole: f64 = whole.split_whitespace().last().unwrap().parse().unwrap();
        // The time stands in front of the share.
        let times = parts.iter().map(|row| {
            let words: Vec<&str> = row.split_whitespace().collect();
            let percent = words.iter().position(|word| *word == "%").unwrap();
            words[percent - 2].parse::<f64>().unwrap()
        });
        let times: Vec<f64> = times.collect();
        // Each is rounded to the digits that are shown.
        let digits =
            parts[0].split_whitespace().find_map(|word| Some(word.split_once('.')?.1.len()));
        let rounding = 0.5 * 0.1f64.powi(digits.unwrap_or(0) as i32) * (times.len() + 1) as f64;
        let sum: f64 = times.iter().sum();
        assert!((sum - whole).abs() <= rounding + 1e-9, "{sum} is not {whole}:\n{shown}");
    }
}

#[test]
fn cumulative_shares_are_those_of_the_rows_above() {
    let place = Place::new();
    recorded(&place, "encoder", "encoder");
    let operators =
        json(&place.succeed(&["summary", "encoder", "--level", "operator", "--format", "json"]));
    let shares = operators["operators"].as_array().unwrap().iter();
    let mut sum = 0.0;
    let sums: Vec<String> = shares
        .map(|row| {
            sum += row["share"].as_f64().unwrap();
            format!("{:.1} %", sum * 100.0)
        })
        .collect();
    let shown = screen(&place, "encoder", 100);
    let rows = shown.lines().skip_while(|line| !line.starts_with("Slowest operators")).skip(1);
    let rows: Vec<&str> = rows.take_while(|line| !line.contains(" more (--all)")).collect();
    assert!(rows.len() >= 4, "{shown}");
    for (row, sum) in rows.iter().zip(&sums) {
        assert!(row.contains(&format!(" {sum}")), "{sum} in {row}");
    }
}

/// Every trace below a folder that the program reads.
fn traces(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => traces(&path, found),
            false => found.push(path),
        }
    }
}

#[test]
fn every_recording_and_foreign_trace_fits_on_a_screen() {
    let place = Place::new();
    let mut found = Vec::new();
    let folders = [
        "recordings",
        "onnxruntime",
        "openvino",
        "pytorch",
        "tensorrt",
        "tflite",
        "tract",
        "chrome-trace",
        "neural-engine",
        "onnxray",
        "malformed",
    ];
    folders.iter().for_each(|folder| traces(&fixture_file(folder), &mut found));
    let mut shown = 0;
    for (number, trace) in found.iter().enumerate() {
        // As users name files of theirs.
        let name = format!("{number}-{}", trace.file_name().unwrap().to_string_lossy());
        fs::copy(trace, place.path(&name)).unwrap();
        for width in [80, 100, 200] {
            let mut command = place.command(&["summary", &name]);
            let output = command.env("COLUMNS", width.to_string()).output().unwrap();
            // What is not a trace is refused elsewhere.
            if !output.status.success() {
                continue;
            }
            let text = String::from_utf8(output.stdout).unwrap();
            let (widest, lines) =
                (text.lines().map(|line| line.width()).max(), text.lines().count());
            assert!(lines <= 26, "{}: {lines} lines\n{text}", trace.display());
            assert!(widest <= Some(width.min(100)), "{} at {width}:\n{text}", trace.display());
            shown += 1;
        }
    }
    assert!(shown > 3 * 100, "{shown} screens");
}

#[test]
fn a_single_iteration_has_no_percentiles_and_no_iterations_no_latency() {
    let place = Place::new();
    let trace = |iterations: usize| {
        let event = |category: &str, name: &str, start: usize, duration: usize| {
            format!(
                r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":1,"tid":1,"ts":{start},"dur":{duration}}}"#
            )
        };
        let mut events = vec![event("Conv", "conv", 10, 50)];
        for number in 0..iterations {
            let start = 100 * number;
            events.push(event("iteration", &format!("Iteration{number}"), start, 90));
        }
        format!("[{}]", events.join(","))
    };
    place.write("one.json", trace(1).as_bytes());
    place.write("none.json", trace(0).as_bytes());
    let one = screen(&place, "one.json", 100);
    assert!(one.contains(", a single iteration"), "{one}");
    assert!(!one.contains("p90") && !one.contains("median") && !one.contains("p99"), "{one}");
    let none = screen(&place, "none.json", 100);
    assert!(none.contains("unknown: the trace has no iterations"), "{none}");
    assert!(none.contains("Conv") && !none.contains("framework overhead"), "{none}");
}

/// A trace of iterations with two operators: one that takes 60 µs, and one that takes so many.
fn trace_of(small: &[usize]) -> String {
    let mut events = Vec::new();
    let mut start = 0;
    for (number, &small) in small.iter().enumerate() {
        let mut event = |category: &str, name: &str, from: usize, duration: usize| {
            let from = start + from;
            events.push(format!(
                r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":1,"tid":1,"ts":{from},"dur":{duration}}}"#
            ));
        };
        event("iteration", &format!("Iteration{number}"), 0, 80 + small);
        event("Conv", "large", 10, 60);
        event("Relu", "small", 70, small);
        start += 100 + small;
    }
    format!("[{}]", events.join(","))
}

#[test]
fn an_interrupted_iteration_is_left_out_of_operators_and_named() {
    let place = Place::new();
    let mut times = [10; 20];
    times[7] = 12_000;
    place.write("trace.json", trace_of(&times).as_bytes());
    let shown = screen(&place, "trace.json", 100);
    let left_out = "1 of 20 profiled iterations that took 12080.0 µs, and the fastest";
    assert!(shown.contains(left_out), "{shown}");
    let slowest = shown.lines().skip_while(|line| !line.starts_with("Slowest operators")).nth(1);
    assert!(slowest.unwrap().starts_with("large"), "{shown}");
    let report = place.succeed(&["summary", "trace.json", "--all", "--format", "json"]);
    let report = json(&report);
    let model = &report["model"];
    assert_eq!(model["iterations_left_out"], 2, "{model:#}");
    let mean = model["typical_mean_ms"].as_f64().unwrap();
    assert!((mean - 0.09).abs() < 1e-9, "{model:#}");
    assert_eq!(model["latency_max_ms"], 12.08, "{model:#}");
    let small = &report["operators"][1];
    assert_eq!((&small["time_ms"], &small["calls"]), (&0.01.into(), &18.into()), "{small:#}");
    assert_eq!((&small["time_max_ms"], &small["iterations"]), (&12.0.into(), &20.into()));

    // Nothing is left out where iterations scatter.
    let scattered: Vec<usize> = (0..20).map(|at| 10 + 2 * at).collect();
    place.write("trace.json", trace_of(&scattered).as_bytes());
    assert!(!screen(&place, "trace.json", 100).contains("Left out"));
}

#[test]
fn parts_of_a_runtime_with_small_operators_are_shares_of_their_sum() {
    let place = Place::new();
    recorded(&place, "cnns-in-turns-onnxruntime", "out");
    for model in ["cnn", "cnn-int8"] {
        let shown = screen(&place, &format!("out/{model}"), 100);
        assert!(shown.contains("mean, profiler cost removed"), "{shown}");
        let report =
            place.succeed(&["summary", &format!("out/{model}"), "--all", "--format", "json"]);
        let report = json(&report);
        let rows = report["operator_types"].as_array().unwrap();
        let shares: Vec<f64> = rows.iter().map(|row| row["share"].as_f64().unwrap()).collect();
        assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{shares:?}");
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{shares:?}");
    }
}
