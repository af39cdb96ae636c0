//! Whether figures say how far they can be trusted, and advice what can still be done.

use crate::office::{Cell, written};
use crate::program::{Place, fixture_file, json};
use crate::recordings::recorded;
use std::fs;

fn findings(place: &Place, recording: &str) -> Vec<[String; 4]> {
    let text = place.succeed(&["check", recording, "--format", "json"]);
    let rows = json(&text)["checks"].as_array().unwrap().clone();
    let cell = |row: &serde_json::Value, key: &str| row[key].as_str().unwrap_or("").to_string();
    let keys = ["subject", "grade", "found", "advice"];
    rows.iter().map(|row| keys.map(|key| cell(row, key))).collect()
}

fn finding(place: &Place, recording: &str, subject: &str) -> [String; 4] {
    let all = findings(place, recording);
    all.into_iter().find(|finding| finding[0] == subject).unwrap()
}

fn fixture(name: &str) -> String {
    fixture_file(name).display().to_string()
}

/// The profiling overhead in percent, and the ends of its interval.
fn overhead_of_recording(place: &Place, recording: &str) -> [Option<f64>; 3] {
    let figures = place.figures(recording);
    ["low_percent", "percent", "high_percent"]
        .map(|key| figures["model"][format!("recording_overhead_{key}")].as_f64())
}

#[test]
fn the_overhead_of_recording_is_judged_by_its_interval() {
    let place = Place::new();
    let advice = "use --launches 10";
    for (recording, grade, text, advice) in [
        (
            "cnn-no-plain",
            "unknown",
            "there are no unprofiled iterations to compare with",
            "record with unprofiled iterations (--unprofiled-iterations)",
        ),
        (
            "cnn",
            "unknown",
            "not measurable: only 3 pairs of iterations, profiled and unprofiled",
            advice,
        ),
        (
            "cnn-pairs",
            "unknown",
            "not measurable (-79.9 to +369.4 %, 6 pairs of iterations)",
            advice,
        ),
        ("cnn-3-launches", "unknown", "not measurable (-1.9 to +12.9 %, 3 launches)", advice),
        ("cnns-in-5-turns/cnn", "good", "-0.8 % (-2.8 to +1.2 %, 5 launches)", ""),
    ] {
        recorded(&place, recording, recording);
        let expected = ["profiling overhead", grade, text, advice];
        assert_eq!(finding(&place, recording, expected[0]), expected, "{recording}");
        let model = &place.figures(recording)["model"];
        if recording != "cnn-no-plain" {
            assert_eq!(model["recording_overhead_interval"], text, "{recording}");
        }
        let [low, measured, high] = overhead_of_recording(&place, recording);
        assert_eq!(measured.is_some(), grade == "good", "{model}");
        assert_eq!(low.is_some(), text.contains(" to +"), "{model}");
        assert!(low.is_none() || low < high, "{model}");
        assert!(measured.is_none() || low <= measured && measured <= high, "{model}");
    }
}

#[test]
fn an_overhead_of_recording_that_is_known_is_found() {
    let place = Place::new();
    recorded(&place, "cnn-20-pairs", "known");
    for (factor, grade, text) in [
        (1.0, "good", "+0.0 % (+0.0 to +0.0 %, 20 pairs of iterations)"),
        (0.98, "good", "+2.0 % (+2.0 to +2.0 %, 20 pairs of iterations)"),
        (0.5, "doubtful", "+100.0 % (+100.0 to +100.0 %, 20 pairs of iterations)"),
        (1.1, "doubtful", "-9.1 % (-9.1 to -9.1 %, 20 pairs of iterations)"),
    ] {
        scale_plain_iterations(&place, "known", factor);
        let [_, found_grade, found, _] = finding(&place, "known", "profiling overhead");
        assert_eq!((found_grade.as_str(), found.as_str()), (grade, text));
        let percent = (1.0 / factor - 1.0) * 100.0;
        for found in overhead_of_recording(&place, "known") {
            assert!((found.unwrap() - percent).abs() < 1e-3, "{found:?} is not {percent}");
        }
    }
}

/// Makes each unprofiled iteration this many times as long as the measured one of its place.
fn scale_plain_iterations(place: &Place, recording: &str, factor: f64) {
    let trace = &place.traces(recording)[0];
    let mut whole = json(&fs::read_to_string(trace).unwrap());
    let events = whole["traceEvents"].as_array_mut().unwrap();
    let measured = events.iter().filter(|event| event["cat"] == "iteration");
    let measured = measured.filter(|event| event["args"]["warmup"] != true);
    let latencies: Vec<f64> = measured.map(|event| event["dur"].as_f64().unwrap()).collect();
    let plain = events.iter_mut().filter(|event| event["cat"] == "plain_iteration");
    for (event, latency) in plain.zip(latencies) {
        event["dur"] = (factor * latency).into();
    }
    fs::write(trace, whole.to_string()).unwrap();
}

#[test]
fn tables_of_times_that_recording_distorts_say_so() {
    let place = Place::new();
    recorded(&place, "cnn-20-pairs", "z");
    let caveat = "times are too long: profiling slows each iteration by ";
    scale_plain_iterations(&place, "z", 1.0);
    assert!(!place.succeed(&["summary", "z", "--all"]).contains(caveat));
    scale_plain_iterations(&place, "z", 0.5);
    let levels = ["--level", "type,operator,kernel", "--wide"];
    let text = place.succeed(&[&["summary", "z"], &levels[..]].concat());
    for title in ["By type", "Operators", "Kernels"] {
        assert!(text.contains(&format!("{title} ({caveat}")), "{text}");
    }
    let markdown = place.succeed(&["summary", "z", "--format", "markdown"]);
    assert!(markdown.contains(&format!("### Operators\n\n{caveat}")), "{markdown}");
    place.succeed(&["report", "z", "-o", "z.xlsx"]);
    let sheets = written(&place.path("z.xlsx"));
    for sheet in ["By type", "Operators"] {
        let first = &sheets[sheet][0][0];
        assert!(
            matches!(first, Cell::Text(text) if text.starts_with(caveat)),
            "{sheet}: {first:?}"
        );
    }
}

#[test]
fn latencies_have_intervals_where_decisions_are_made() {
    let place = Place::new();
    for (recording, over) in [
        ("cnn-3-launches", "(3 launches)"),
        ("cnn-20-pairs", "(10 blocks of iterations)"),
        ("cnns-in-5-turns/cnn", "(5 launches)"),
    ] {
        recorded(&place, recording, recording);
        let model = place.figures(recording)["model"].clone();
        let [low, median, high] =
            ["latency_median_low_ms", "latency_median_ms", "latency_median_high_ms"]
                .map(|key| model[key].as_f64().unwrap());
        assert!(low <= median && median <= high, "{model}");
        let percent = (high / median - 1.0) * 100.0;
        let decimals = usize::from(percent < 9.95);
        let text = format!("± {percent:.decimals$} % {over}");
        assert_eq!(model["latency_median_interval"].as_str(), Some(text.as_str()));
    }
    let model = place.figures(&fixture("onnxray/0.1.0/scan.json"))["model"].clone();
    // A single iteration has no interval, and two have too few.
    assert_eq!(model.get("latency_median_low_ms").or(model.get("latency_median_interval")), None);
    let model = place.figures(&fixture("onnxruntime/1.31.1/loop.json"))["model"].clone();
    assert!(model["latency_median_low_ms"].is_null());
    assert_eq!(model["latency_median_interval"], "unknown: too few iterations");
}

/// TensorRT's layers are timed one by one, apart from the iterations of `--exportTimes`.
#[test]
fn times_of_tensorrt_are_iterations_everywhere() {
    let place = Place::new();
    let [profile, layers] =
        ["profile", "layers"].map(|part| fixture(&format!("tensorrt/8.6/{part}.json")));
    // Iterations that take less than their layers together.
    let iteration = |at: u32| {
        let (start, micros) = (f64::from(at), 72.0 + f64::from(at % 7) / 10.0);
        let (end, took) = (start + micros / 1e3, micros / 1e3);
        format!(r#"{{ "startComputeMs" : {start}, "endComputeMs" : {end}, "computeMs" : {took} }}"#)
    };
    let iterations: Vec<String> = (0..300).map(iteration).collect();
    place.write("times.json", format!("[{}]", iterations.join("\n,")).as_bytes());
    let parts = format!("{profile},times.json,{layers}");
    let [_, grade, found, _] = finding(&place, &parts, "iterations");
    assert_eq!((grade.as_str(), found.as_str()), ("good", "300 after warm-up"));

    let summary = ["summary", &profile, "times.json", &layers, "--format", "json"];
    let report = json(&place.succeed(&summary));
    let model = &report["model"];
    assert_eq!(model["iterations"], 300);
    for unknown in ["overhead_mean_ms", "overhead_share_percent", "concurrent_mean_ms"] {
        assert!(model[unknown].is_null(), "{unknown} of {model}");
    }
    let types = report["operator_types"].as_array().unwrap();
    let shares: f64 = types.iter().map(|row| row["share"].as_f64().unwrap()).sum();
    assert!(shares > 1.1, "{shares}");
    let rest = |row: &serde_json::Value| {
        row["type"] == "framework overhead" || row["type"] == "concurrent"
    };
    assert!(!types.iter().any(rest), "{types:?}");
    let why = format!(
        "TensorRT timed operators one by one, apart from the iterations: their times add up to \
         {:.1} % of the latency, and the overhead is unknown",
        shares * 100.0
    );
    let notes = report["notes"].as_array().unwrap();
    assert!(notes.iter().any(|note| note["text"] == why.as_str()), "{notes:?} without {why}");
}

/// Options are named only to those who have them.
#[test]
fn advice_about_foreign_traces_names_no_option_of_ours() {
    let place = Place::new();
    for name in [
        "onnxruntime/1.31.1/loop.json",
        "pytorch/2.5.1/steps.json",
        "chrome-trace/object/iterations.json",
        "tract/0.23.9/cnn.json",
        "onnxray/0.1.0/converted.json",
    ] {
        let trace = fixture(name);
        let [checked, summed] = ["check", "summary"].map(|command| place.run(&[command, &trace]));
        for said in [checked, summed] {
            assert_eq!(said.code, Some(0), "{name}: {}", said.err);
            let text = format!("{}{}", said.out, said.err);
            for option in
                ["--warmup", "--launches", "--iterations", "--unprofiled-iterations", "--against"]
            {
                assert!(!text.contains(option), "{name}: {option} in\n{text}");
            }
        }
    }
}
