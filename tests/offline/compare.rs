//! `onnxray compare` and `onnxray check`, as their users run them.

use crate::program::{Place, fixture_file, json};
use crate::recordings::recorded;
use serde_json::Value;

fn rows<'a>(report: &'a Value, table: &str) -> &'a Vec<Value> {
    report[table].as_array().unwrap_or_else(|| panic!("no {table}"))
}

fn number(row: &Value, key: &str) -> f64 {
    row[key].as_f64().unwrap_or_else(|| panic!("{key}: {row}"))
}

/// What users of quantized models ask: the product gets faster, and what
/// has to be quantized for it costs more than that.
#[test]
fn fp32_against_int8_says_what_costs_the_time() {
    let place = Place::new();
    recorded(&place, "encoder-4-launches", "fp32");
    recorded(&place, "encoder-int8-4-launches", "int8");
    let report = json(&place.succeed(&["compare", "fp32", "int8", "--format", "json"]));
    let layers = rows(&report, "layers");
    assert!(layers.iter().all(|layer| layer["a_operators"].is_string()), "only B has a layer");
    assert!(layers.iter().all(|layer| layer["b_operators"].is_string()), "only A has a layer");
    for side in rows(&report, "conservation") {
        assert!(number(side, "aligned_by_more_than_place") >= 0.95, "{side}");
        let parts =
            number(side, "aligned_ms") + number(side, "only_ms") + number(side, "overhead_ms");
        assert!((parts - number(side, "concurrent_ms") - number(side, "whole_ms")).abs() < 1e-9);
    }
    let causes = rows(&report, "causes");
    let slowest = causes
        .iter()
        .max_by(|a, b| number(a, "difference_ms").total_cmp(&number(b, "difference_ms")));
    assert_eq!(slowest.unwrap()["cause"], "DynamicQuantizeLinear, only in B");
    let fields: Vec<&str> = rows(&report, "configuration_differences")
        .iter()
        .map(|row| {
            assert_eq!(row["meaning"], "what is compared");
            row["field"].as_str().unwrap()
        })
        .collect();
    assert_eq!(fields, ["model", "precision"]);
    let details = rows(&report, "details");
    let precision = details.iter().find(|row| row["parameter"] == "precision").unwrap();
    assert_eq!((&precision["a"], &precision["b"]), (&"fp32".into(), &"s8".into()));
}

/// A type of one layer takes that layer's time.
fn types_are_of_layers(report: &Value) {
    let (types, layers) = (rows(report, "compared_types"), rows(report, "layers"));
    for side in ["a", "b"] {
        let time = |row: &Value| row[format!("{side}_ms")].as_f64().unwrap_or(0.0);
        for of_type in types.iter().filter(|row| row[format!("{side}_layers")] == 1) {
            let of_layer = |row: &&Value| row[format!("{side}_type")] == of_type["type"];
            let Some(layer) = layers.iter().find(of_layer) else { continue };
            assert!((time(of_type) - time(layer)).abs() < 1e-9, "{of_type}, {layer}");
        }
    }
}

/// Where iterations are not pairs, what a summary says of a side is what its comparison says.
#[test]
fn a_side_has_the_times_of_its_summary() {
    let place = Place::new();
    recorded(&place, "cnns-in-5-turns", "turns");
    let guide = ["encoder", "encoder-int8"].map(|name| fixture_file("guide").join(name));
    let [a, b] = guide.each_ref().map(|path| path.to_str().unwrap());
    for [a, b] in [[a, a], [b, b], ["turns/cnn", "turns/cnn"]] {
        let summary = json(&place.succeed(&["summary", a, "--format", "json"]));
        let report = json(&place.succeed(&["compare", a, b, "--format", "json"]));
        let near = |found: f64, expected: f64, what: &str| {
            assert!((found - expected).abs() < 1e-12, "{what}: {found}, {expected}");
        };
        types_are_of_layers(&report);
        let operators = figure(&report, "operators_mean_ms");
        near(operators, number(&summary["model"], "operators_mean_ms"), "operators");
        let left_out = figure(&report, "iterations_left_out");
        near(left_out, number(&summary["model"], "iterations_left_out"), "left out");
        let [rate, median] = ["throughput_iterations_per_second", "latency_median_ms"];
        near(figure(&report, rate), number(&summary["model"], rate), "throughput");
        near(figure(&report, rate), 1e3 / number(&summary["model"], median), "throughput");
        // Where the profiling cost is known, parts add up to the latency without it: what is left
        // is of other iterations than the summary's overhead, and has another name.
        let figures = rows(&report, "inference").iter().map(|row| row["figure"].as_str().unwrap());
        let figures: Vec<&str> = figures.collect();
        let is_calibrated = a != "turns/cnn";
        assert_eq!(figures.contains(&"outside_operators_mean_ms"), is_calibrated, "{figures:?}");
        assert_eq!(figures.contains(&"overhead_mean_ms"), !is_calibrated, "{figures:?}");
        if !is_calibrated {
            let whole = &rows(&report, "conservation")[0];
            near(number(whole, "whole_ms"), number(&summary["model"], "typical_mean_ms"), "whole");
            near(
                number(whole, "overhead_ms"),
                number(&summary["model"], "overhead_mean_ms"),
                "rest",
            );
        }
    }
}

/// What causes leave of the latency is not what types leave of it.
#[test]
fn each_rest_says_what_it_is_the_rest_of() {
    let place = Place::new();
    let guide = ["encoder", "encoder-int8"].map(|name| fixture_file("guide").join(name));
    let [a, b] = guide.each_ref().map(|path| path.to_str().unwrap());
    let rests = |view: &str| {
        let table = place.succeed(&["compare", a, b, "--view", view]);
        let lines = table.lines().filter(|line| line.starts_with("unattributed"));
        lines.map(|line| line.split("  ").next().unwrap().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(rests("causes"), ["unattributed to causes"]);
    assert_eq!(rests("types"), ["unattributed to types"]);
}

/// Of A.
fn figure(report: &Value, key: &str) -> f64 {
    let row = rows(report, "inference").iter().find(|row| row["figure"] == key);
    number(row.unwrap_or_else(|| panic!("no {key}")), "a")
}

/// Quantization, another runtime, or both: next to no time is without counterpart.
#[test]
fn versions_and_runtimes_align_nearly_all_of_their_time() {
    let place = Place::new();
    recorded(&place, "cnn", "cnn");
    recorded(&place, "cnn-int8", "cnn-int8");
    let profile = |name: &str| {
        let path = fixture_file(&format!("onnxruntime/1.31.1/{name}"));
        path.display().to_string()
    };
    let fp32 = [profile("encoder.json.gz"), profile("cnn.json")];
    let int8 = [profile("encoder-int8.json.gz"), profile("cnn-int8.json.gz")];
    for [a, b] in [
        ["cnn", "cnn-int8"],
        [&fp32[0], &int8[0]],
        [&fp32[1], &int8[1]],
        ["cnn", &fp32[1]],
        ["cnn", &int8[1]],
    ] {
        let report = json(&place.succeed(&["compare", a, b, "--format", "json"]));
        for side in rows(&report, "conservation") {
            let operators = number(side, "aligned_ms") + number(side, "only_ms");
            let aligned = number(side, "aligned_ms") / operators;
            assert!(aligned >= 0.95, "{a} and {b}: {aligned}");
        }
        let layers = rows(&report, "layers").iter();
        let mut lone = layers.filter(|layer| layer["b_operators"].is_null());
        assert_eq!(lone.next(), None, "{a} and {b}: all layers of A are in a group");
    }
}

#[test]
fn an_int8_cnn_is_slower_because_it_quantizes() {
    let place = Place::new();
    recorded(&place, "cnn-8-launches", "fp32");
    recorded(&place, "cnn-int8-2-launches", "int8");
    let report = json(&place.succeed(&["compare", "fp32", "int8", "--format", "json"]));
    let causes = rows(&report, "causes");
    let slowest = causes
        .iter()
        .filter(|cause| cause["cause"] != "unattributed to causes")
        .max_by(|a, b| number(a, "difference_ms").total_cmp(&number(b, "difference_ms")));
    assert_eq!(slowest.unwrap()["cause"], "QuantizeLinear, only in B");
}

#[test]
fn three_versions_have_their_own_rows() {
    let place = Place::new();
    for (name, out) in [("cnn", "a"), ("cnn-pairs", "b"), ("cnn-int8", "c")] {
        recorded(&place, name, out);
    }
    let table = place.succeed(&["compare", "a", "b", "c", "--view", "inference,causes"]);
    assert!(table.lines().any(|line| line.starts_with("Version")), "{table}");
    let report = json(&place.succeed(&["compare", "a", "b", "c", "--format", "json"]));
    let versions = rows(&report, "inference").iter().map(|row| row["version"].as_str().unwrap());
    let mut versions: Vec<&str> = versions.collect();
    versions.dedup();
    assert_eq!(versions, ["b", "c"]);
    let csv = place.succeed(&["compare", "a", "c", "--view", "layers", "--format", "csv"]);
    let lines = csv::Reader::from_reader(csv.as_bytes()).records().count();
    let layers = rows(&report, "layers").iter().filter(|row| row["version"] == "c").count();
    assert_eq!(lines, layers);
}

#[test]
fn a_check_grades_a_recording() {
    let place = Place::new();
    recorded(&place, "cnn-8-launches", "cnn");
    let report = json(&place.succeed(&["check", "cnn", "--format", "json"]));
    let subjects: Vec<&str> =
        rows(&report, "checks").iter().map(|row| row["subject"].as_str().unwrap()).collect();
    assert_eq!(subjects.len(), 20, "{subjects:?}");
    let conservation = rows(&report, "checks").iter().find(|row| row["subject"] == "conservation");
    assert_eq!(conservation.unwrap()["grade"], "good");
    // Stretches and random halves of launches, operators and the whole.
    assert_eq!(rows(&report, "false_alarms").len(), 4);
    let table = place.succeed(&["check", "cnn"]);
    assert!(table.starts_with("Trust in cnn: not to be compared."), "{table}");
}

/// The newest two are what was just recorded: a model, and what was changed about it.
#[test]
fn without_names_the_two_newest_recordings_are_compared() {
    let place = Place::new();
    recorded(&place, "encoder-4-launches", "engine_profiling/fp32");
    let alone = place.run(&["compare"]).err;
    assert!(alone.contains("compare needs two recordings, and here is one"), "{alone}");
    assert!(alone.contains("onnxray compare engine_profiling/fp32 B"), "{alone}");
    recorded(&place, "encoder-int8-4-launches", "engine_profiling/int8");
    recorded(&place, "encoder-int8-4-launches", "elsewhere");
    for words in [&["compare"][..], &["compare", "engine_profiling"]] {
        let found = place.run(&[words, &["--view", "inference"]].concat());
        let [a, b] = match found.err.contains("compared are engine_profiling/fp32 and") {
            true => ["fp32", "int8"],
            false => ["int8", "fp32"],
        };
        let [a, b] = [a, b].map(|name| format!("engine_profiling/{name}"));
        assert!(found.err.contains(&format!("compared are {a} and {b}")), "{}", found.err);
        assert_eq!(found.out, place.succeed(&["compare", &a, &b, "--view", "inference"]));
    }
    // A folder of one, beside others that are here.
    let one = place.run(&["compare", "elsewhere"]).err;
    assert!(one.contains("onnxray compare elsewhere engine_profiling/"), "{one}");
    let level = place.run(&["compare", "--level", "kernel"]).err;
    assert!(level.contains("onnxray summary RECORDING --level kernel"), "{level}");
}
