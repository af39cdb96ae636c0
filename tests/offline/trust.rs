//! Whether figures say how far they can be trusted, and advice what can still be done.

use crate::office::{Cell, written};
use crate::program::{Finished, Place, fixture_file, json, model, record};
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

#[test]
fn the_overhead_of_recording_is_judged_by_its_interval() {
    let place = Place::new();
    record(&place, "cnn", "none", &["--plain-iterations", "0"]);
    record(&place, "cnn", "few", &["--launches", "1"]);
    record(&place, "cnn", "pairs", &["--iterations", "8", "--plain-iterations", "6"]);
    record(&place, "cnn", "launches", &["--launches", "3"]);
    let model = |recording: &str| place.figures(recording)["model"].clone();

    assert!(model("none")["recording_overhead_percent"].is_null());
    let few = model("few");
    assert!(few["recording_overhead_percent"].is_null(), "three pairs tell nothing: {few}");
    let text = few["recording_overhead_interval"].as_str().unwrap();
    assert_eq!(text, "not measurable: only 3 pairs of iterations, instrumented and plain");
    let [_, grade, found, advice] = finding(&place, "few", "overhead of recording");
    assert_eq!((grade.as_str(), found.as_str()), ("unknown", text));
    assert_eq!(advice, "record with --launches 8");

    for (recording, over) in [("pairs", ", 6 pairs of iterations)"), ("launches", ", 3 launches)")]
    {
        let model = model(recording);
        let [low, high] = ["low", "high"]
            .map(|end| model[format!("recording_overhead_{end}_percent")].as_f64().unwrap());
        assert!(low < high, "{model}");
        let text = model["recording_overhead_interval"].as_str().unwrap();
        assert!(text.ends_with(over), "{text}");
        let measured = &model["recording_overhead_percent"];
        let small = low >= -5.0 && high <= 5.0;
        let nothing = !small && low <= 0.0 && high >= -5.0;
        assert_eq!(measured.is_null(), nothing, "{model}");
        assert_eq!(text.starts_with("not measurable"), nothing, "{text}");
        if let Some(measured) = measured.as_f64() {
            assert!(low <= measured && measured <= high, "{model}");
        }
        let [_, grade, found, _] = finding(&place, recording, "overhead of recording");
        assert_eq!(found, text);
        let expected = match () {
            () if small => "good",
            () if low > 5.0 || high < -5.0 => "doubtful",
            () => "unknown",
        };
        assert_eq!(grade, expected, "{text}");
    }
}

/// Makes each plain iteration so many times as long as the measured one of its place.
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
    record(&place, "cnn", "z", &["--iterations", "20", "--plain-iterations", "20"]);
    let caveat = "times are too long: recording makes an iteration ";
    scale_plain_iterations(&place, "z", 1.0);
    assert!(!place.succeed(&["summary", "z", "--all"]).contains(caveat));
    scale_plain_iterations(&place, "z", 0.5);
    let levels = ["--level", "type,operator,kernel", "--wide"];
    let text = place.succeed(&[&["summary", "z"], &levels[..]].concat());
    for title in ["Operator types", "Operators", "Kernels"] {
        assert!(text.contains(&format!("{title} ({caveat}")), "{text}");
    }
    let markdown = place.succeed(&["summary", "z", "--format", "markdown"]);
    assert!(markdown.contains(&format!("### Operators\n\n{caveat}")), "{markdown}");
    place.succeed(&["report", "z", "-o", "z.xlsx"]);
    let sheets = written(&place.path("z.xlsx"));
    for sheet in ["Layer types", "Layers"] {
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
    let cnn = model("cnn");
    let last = |launches: &str, iterations: &str| -> (Finished, serde_json::Value) {
        let out = format!("out-{launches}-{iterations}");
        let length = ["--launches", launches, "--iterations", iterations, "--warmup", "1"];
        let mut arguments = vec!["record", cnn.as_str(), "--out", out.as_str()];
        arguments.extend(length);
        let done = place.run(&arguments);
        assert_eq!(done.code, Some(0), "{}", done.err);
        (done, place.figures(&out)["model"].clone())
    };
    for (launches, iterations, over) in [
        ("3", "4", "(3 launches)"),
        ("1", "20", "(10 blocks of iterations)"),
        ("2", "10", "(10 blocks of iterations)"),
    ] {
        let (done, model) = last(launches, iterations);
        let said = done.err.lines().find(|line| line.contains(" iterations in ")).unwrap();
        let [low, median, high] =
            ["latency_median_low_ms", "latency_median_ms", "latency_median_high_ms"]
                .map(|key| model[key].as_f64().unwrap());
        assert!(low <= median && median <= high, "{model}");
        let text = format!("± {:.1} % {over}", (high / median - 1.0) * 100.0);
        assert_eq!(model["latency_median_interval"].as_str(), Some(text.as_str()));
        // What is said in the end is of iterations without instrumentation.
        let plain = model["plain_latency_median_ms"].as_f64().unwrap();
        let text = model["plain_latency_median_interval"].as_str().unwrap();
        assert!(text.ends_with(over), "{text}");
        assert!(
            said.contains(&format!("median {plain:.3} ms {text}, p90 ")),
            "{said} has no {text}"
        );
    }
    let (done, model) = last("1", "4");
    assert!(done.err.contains("ms ± unknown (too few iterations), p90"), "{}", done.err);
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
        let start = f64::from(at);
        format!(
            r#"{{ "startComputeMs" : {start}, "endComputeMs" : {start}, "computeMs" : 0.0{} }}"#,
            720 + at % 7
        )
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
    let rest = |row: &serde_json::Value| row["type"] == "overhead" || row["type"] == "concurrent";
    assert!(!types.iter().any(rest), "{types:?}");
    let why = format!(
        "TensorRT timed operators one by one, apart from the iterations: their times add up to \
         {:.1} % of the latency, and the overhead is unknown",
        shares * 100.0
    );
    let notes = report["notes"].as_array().unwrap();
    assert!(notes.iter().any(|note| note["text"] == why.as_str()), "{notes:?} without {why}");
}

/// A recording of five launches that took turns with another, as `record` makes it.
#[test]
fn check_does_not_advise_what_was_done() {
    let place = Place::new();
    let (cnn, int8) = (model("cnn"), model("cnn-int8"));
    let length = ["--launches", "5", "--iterations", "12", "--warmup", "3"];
    let mut arguments = vec!["record", cnn.as_str(), "--against", int8.as_str(), "--out", "out"];
    arguments.extend(length.iter().chain(&["--turns", "launches"]));
    let done = place.run(&arguments);
    assert_eq!(done.code, Some(0), "{}", done.err);
    assert!(done.err.contains("note: with fewer than 8 launches of each model"), "{}", done.err);
    for [subject, _, found, advice] in findings(&place, "out/cnn") {
        assert!(!advice.contains("--against"), "{subject}: {advice}");
        if subject == "launches" {
            // What `compare` says of as many launches.
            assert!(
                found.starts_with("5; a layer that alone changes is detected only if"),
                "{found}"
            );
            assert_eq!(advice, "record with --launches 8");
            let share = found.split("takes ").nth(1).unwrap();
            let compared = place.run(&["compare", "out/cnn", "out/cnn-int8"]);
            assert!(
                compared.out.contains(&format!("takes {share}; record 8 or more")),
                "{}",
                compared.out
            );
        }
    }
    let enough =
        ["--launches", "8", "--iterations", "3", "--warmup", "0", "--plain-iterations", "0"];
    let mut arguments = vec!["record", cnn.as_str(), "--out", "enough"];
    arguments.extend(enough);
    place.succeed(&arguments);
    let [_, grade, found, advice] = finding(&place, "enough", "launches");
    assert_eq!((grade.as_str(), found.as_str(), advice.as_str()), ("good", "8", ""));
}

/// Options are named only to those who have them.
#[test]
fn advice_about_foreign_traces_names_no_option_of_ours() {
    let place = Place::new();
    let mut looked_at = 0;
    for name in [
        "onnxruntime/1.31.1/loop.json",
        "pytorch/2.5.1/steps.json",
        "chrome-trace/object/iterations.json",
        "tract/0.23.9/cnn.json",
        "onnxray/0.1.0/converted.json",
    ] {
        let path = fixture_file(name);
        if !path.exists() {
            continue;
        }
        looked_at += 1;
        let trace = path.display().to_string();
        let [checked, summed] = ["check", "summary"].map(|command| place.run(&[command, &trace]));
        for said in [checked, summed] {
            assert_eq!(said.code, Some(0), "{name}: {}", said.err);
            let text = format!("{}{}", said.out, said.err);
            for option in
                ["--warmup", "--launches", "--iterations", "--plain-iterations", "--against"]
            {
                assert!(!text.contains(option), "{name}: {option} in\n{text}");
            }
        }
    }
    assert!(looked_at >= 3, "{looked_at}");
}
