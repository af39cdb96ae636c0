//! Compact recordings say of the latency what the recording says that they were made of, and hold
//! means of operators.

use crate::program::{Place, json};
use crate::recordings::recorded;
use serde_json::Value;

/// Recordings of several launches, of both engines, of pairs, of a generation, without profiler or
/// without unprofiled iterations.
const RECORDINGS: [&str; 7] = [
    "cnn-8-launches",
    "encoder-4-launches",
    "encoder-parallel",
    "cnn-no-plain",
    "cnns-in-turns/cnn",
    "cnns-in-turns-onnxruntime/cnn",
    "decoder",
];

fn compact(place: &Place, recording: &str) -> String {
    let file = "base.json".to_string();
    let made = place.succeed(&["convert", recording, "--compact", "-o", &file, "--force"]);
    assert_eq!(made.trim(), file);
    file
}

fn is_close(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs().max(1.0),
        _ => a == b,
    }
}

#[test]
fn figures_of_the_model_and_means_of_operators_are_those_of_the_recording() {
    for name in RECORDINGS {
        let place = Place::new();
        recorded(&place, name, "whole");
        let base = compact(&place, "whole");
        for more in [&[][..], &["--phase", "prefill"]] {
            if !more.is_empty() && name != "decoder" {
                continue;
            }
            let figures = |recording: &str| {
                let summary =
                    [&["summary", recording, "--format", "json", "--all"][..], more].concat();
                json(&place.succeed(&summary))
            };
            let [whole, kept] = ["whole", &base].map(figures);
            for (key, value) in whole["model"].as_object().unwrap() {
                let own = &kept["model"][key];
                // Of operators with a kernel that does not tell, nothing is in the sum.
                if key == "bytes" && kept["model"]["bytes_unknown"] != 0 {
                    assert!(own.as_f64() <= value.as_f64(), "{name}: {value} {own}");
                    continue;
                }
                let is_latency = key.contains("latency") || key.contains("throughput");
                assert!(is_close(value, own) || own.is_null(), "{name}: {key}: {value} {own}");
                assert!(!own.is_null() || value.is_null() || !is_latency, "{name}: {key}");
            }
            let rows = |report: &Value| report["operators"].as_array().unwrap().clone();
            assert_eq!(rows(&whole).len(), rows(&kept).len(), "{name}");
            for (of_whole, of_kept) in rows(&whole).iter().zip(&rows(&kept)) {
                for key in ["name", "type", "time_ms", "time_median_ms", "time_below_ms", "flops"] {
                    let [a, b] =
                        [of_whole, of_kept].map(|row| row.get(key).unwrap_or(&Value::Null));
                    assert!(is_close(a, b), "{name}: {key}: {a} {b}");
                }
            }
            let said = place.run(&["summary", &base]).err;
            assert_eq!(said.matches("compact recording").count(), 1, "{name}: {said}");
        }
    }
}

#[test]
fn the_latency_is_tested_as_with_the_recording() {
    for (a, b) in [
        ("cnn-8-launches", "cnn-8-short-launches"),
        ("encoder-4-launches", "encoder-int8-4-launches"),
        ("cnns-in-turns/cnn", "cnns-in-turns/cnn-int8"),
        ("cnns-in-turns-onnxruntime/cnn", "cnns-in-turns-onnxruntime/cnn-int8"),
        ("decoder", "decoder-again"),
    ] {
        let place = Place::new();
        recorded(&place, a, "a");
        recorded(&place, b, "b");
        let base = compact(&place, "a");
        let compared = |a: &str, b: &str| {
            json(&place.succeed(&["compare", a, b, "--allow-model-mismatch", "--format", "json"]))
        };
        let [whole, kept] = ["a", &base].map(|a| compared(a, "b"));
        let decisive = |report: &Value| {
            let rows = report["inference"].as_array().unwrap();
            rows.iter().find(|row| row["verdict"].is_string()).unwrap().clone()
        };
        let [whole, of_kept] = [&whole, &kept].map(decisive);
        for key in ["figure", "a", "b", "ratio", "ratio_low", "ratio_high", "p", "verdict"] {
            assert!(is_close(&whole[key], &of_kept[key]), "{a}: {key}: {whole} {of_kept}");
        }
        assert_ne!(whole["verdict"], "not tested");
        let layers = kept["layers"].as_array().unwrap();
        assert!(layers.iter().all(|row| row["p"].is_null()), "{a}");
        // The other way round, and by commands that look at single iterations.
        compared("b", &base);
        place.succeed(&["check", &base]);
        place.succeed(&["report", &base, "-o", "page.html", "--force"]);
        place.succeed(&["project", &base, "-o", "book.xlsx", "--force"]);
        // What was made of it is as compact, and the same.
        place.succeed(&["convert", &base, "--compact", "-o", "again.json", "--force"]);
        let summary = |file: &str| place.succeed(&["summary", file, "--all", "--format", "json"]);
        let [first, again] = [base.as_str(), "again.json"].map(|file| json(&summary(file)));
        assert_eq!(first["model"], again["model"], "{a}");
    }
}

#[test]
fn a_damaged_one_loses_what_is_damaged_and_says_so() {
    let place = Place::new();
    recorded(&place, "cnn-8-launches", "whole");
    let base = compact(&place, "whole");
    let text = std::fs::read_to_string(place.path(&base)).unwrap();
    for part in 1..40 {
        place.write("cut.json", &text.as_bytes()[..text.len() * part / 40]);
        let cut = place.run(&["summary", "cut.json"]);
        let is_said = cut.err.contains("ends early") || cut.err.contains("error: cut.json");
        assert!([Some(0), Some(1)].contains(&cut.code) && is_said, "{part}: {cut:?}");
        assert_eq!(place.run(&["summary", "cut.json", "--strict"]).code, Some(1));
    }
    let [launch, mean] = ["[\"measured\",3,", "\"compact\":[{\"concurrent_ns\":"];
    for (from, to, lost) in [
        (launch, "[\"measured\",3,18446744073709551615,", "launches"),
        (launch, "[\"measured\",-3,", "launches"),
        (launch, "[\"boiled\",3,", "launches"),
        (launch, "[\"measured\",3,{},", "launches"),
        (mean, "\"compact\":[{\"mean_ns\":-1e99,\"concurrent_ns\":", "compact"),
        (mean, "\"compact\":[[],{\"concurrent_ns\":", "compact"),
        ("\"operator\":0}", "\"operator\":4294967295}", "1 average could not"),
    ] {
        assert!(text.contains(from), "{from}");
        place.write("bad.json", text.replacen(from, to, 1).as_bytes());
        let read = place.run(&["summary", "bad.json"]);
        assert!(read.code == Some(0) && read.err.contains(lost), "{to}: {read:?}");
        assert_eq!(place.run(&["summary", "bad.json", "--strict"]).code, Some(1));
    }
}

#[test]
fn what_has_no_iterations_and_other_outputs_are_refused() {
    let place = Place::new();
    recorded(&place, "cnn", "cnn");
    place
        .write("one.json", br#"[{"name":"x","cat":"op","ph":"X","ts":1,"dur":2,"pid":1,"tid":1}]"#);
    place
        .run(&["convert", "one.json", "--compact", "-o", "base.json"])
        .failed("error: one.json: its trace marks no iterations, whose times --compact keeps\n");
    assert_eq!(place.run(&["convert", "cnn", "--compact", "-o", "base.csv"]).code, Some(2));
    let both = ["convert", "cnn", "--compact", "--profile-csv", "x.csv", "-o", "base.json"];
    assert_eq!(place.run(&both).code, Some(2));
}

#[test]
fn a_table_of_operators_has_times_where_there_are_means() {
    let place = Place::new();
    recorded(&place, "cnn-8-launches", "whole");
    let header = |recording: &str| {
        let convert = ["convert", recording, "--table", "operators", "-o", "out.csv", "--force"];
        let converted = place.run(&convert);
        assert_eq!(converted.code, Some(0), "{}", converted.err);
        let text = std::fs::read_to_string(place.path("out.csv")).unwrap();
        let columns = text.lines().next().unwrap().split(',').map(str::to_string);
        (columns.collect::<Vec<String>>(), converted.err)
    };
    let (whole, said) = header("whole");
    let times = ["mean_ns", "median_ns", "min_ns", "max_ns"];
    assert!(times.iter().all(|time| !whole.contains(&time.to_string())), "{whole:?}");
    assert!(said.contains("onnxray summary RECORDING --level operator"), "{said}");
    let (means, said) = header(&compact(&place, "whole"));
    let left: Vec<&String> = means.iter().filter(|name| !times.contains(&name.as_str())).collect();
    assert_eq!(left, whole.iter().collect::<Vec<_>>());
    assert_eq!(means.len(), whole.len() + times.len());
    assert!(!said.contains("summary RECORDING"), "{said}");
}
