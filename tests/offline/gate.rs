//! What `onnxray compare` makes of recordings that cannot be tested, or need not be compared.

use crate::made_launches::{launches, trace};
use crate::program::{Place, fixture_file, json};
use serde_json::Value;

fn rows<'a>(report: &'a Value, table: &str) -> &'a Vec<Value> {
    report[table].as_array().unwrap_or_else(|| panic!("no {table}"))
}

#[test]
fn one_recording_under_two_names_is_noticed() {
    let place = Place::new();
    launches(&place, "a", 2, &["1000"; 3]);
    launches(&place, "b", 2, &["1001"; 3]);
    let is_one = |b: &str| {
        let report = json(&place.succeed(&["compare", "a", b, "--format", "json"]));
        report["notes"].to_string().contains("A and B are one recording")
    };
    std::fs::create_dir(place.path("copies")).unwrap();
    std::fs::create_dir(place.path("links")).unwrap();
    for name in ["0.json", "1.json", "2.json"] {
        let file = place.path("a").join(name);
        std::fs::copy(&file, place.path("copies").join(name)).unwrap();
        std::os::unix::fs::symlink(&file, place.path("links").join(name)).unwrap();
    }
    assert!(is_one("a"), "the same path");
    assert!(is_one(place.path("a").to_str().unwrap()), "another path");
    assert!(is_one("copies") && is_one("links"));
    assert!(!is_one("b"));
    let shared = place.succeed(&["compare", "a", "a/2.json"]);
    assert!(shared.contains("1 launch is in both A and B"), "{shared}");
    // Averages have no iterations that would tell.
    let profile = fixture_file("tensorrt/8.6/profile.json").display().to_string();
    assert!(place.succeed(&["compare", &profile, &profile]).contains("A and B are one recording"));
}

/// A job tells by the code whether it is slower, or nothing is known.
#[test]
fn other_models_are_not_comparable_for_a_gate() {
    let place = Place::new();
    let [a, b] = ["recordings/cnn", "recordings/encoder"]
        .map(|name| fixture_file(name).display().to_string());
    for (gate, code, what) in
        [(&[][..], 1, "error: "), (&["--fail-above", "3%"], 4, "encoder is not comparable: ")]
    {
        let ended = place.run(&[&["compare", &a, &b][..], gate].concat());
        assert_eq!((ended.code, ended.out.as_str()), (Some(code), ""), "{}", ended.err);
        let said = ended.err.contains(what) && ended.err.contains("of different models");
        assert!(said && ended.err.contains("--allow-model-mismatch"), "{}", ended.err);
    }
}

/// Two iterations of A take 18 ms longer in each operator: they are in no mean, and what they are
/// with them stands beside it.
#[test]
fn iterations_that_took_far_longer_are_in_no_mean_and_in_no_cause() {
    let place = Place::new();
    let slow = |iteration: usize| if [20, 31].contains(&iteration) { 18_000 } else { 0 };
    trace(&place, "a.json", 3, |iteration, node| 1000 + (iteration + node) % 5 + slow(iteration));
    trace(&place, "b.json", 3, |iteration, node| 1000 + (iteration * 3 + node) % 5);
    let table = place.succeed(&["compare", "a.json", "b.json", "--view", "inference,causes"]);
    let note = "note: A: means leave out 4 of 40 profiled iterations: those far slower than the rest \
                of their launch, and as many of the fastest; with them, the mean is ";
    let (_, with) = table.split_once(note).unwrap_or_else(|| panic!("{table}"));
    let times: Vec<f64> = with.split(' ').filter_map(|word| word.parse().ok()).take(2).collect();
    assert!((times[0] - times[1] - 2.7).abs() < 0.01, "{with}");
    let report = json(&place.succeed(&["compare", "a.json", "b.json", "--format", "json"]));
    let left_out = rows(&report, "inference").iter();
    let left_out: Vec<&Value> =
        left_out.filter(|row| row["figure"] == "iterations_left_out").collect();
    assert_eq!((&left_out[0]["a"], &left_out[0]["b"]), (&4.0.into(), &0.0.into()));
    for cause in rows(&report, "causes") {
        assert!(cause["difference_ms"].as_f64().unwrap().abs() < 0.005, "{cause}");
    }
    // A summary says the same.
    let summary = json(&place.succeed(&["summary", "a.json", "--format", "json"]));
    assert_eq!(summary["model"]["iterations_left_out"], 4);
    let compared = rows(&report, "compared_types")[0]["a_ms"].as_f64().unwrap();
    let summarized = rows(&summary, "operator_types")[0]["time_ms"].as_f64().unwrap();
    // Typical beside mean: neither has what was left out.
    assert!((compared / summarized - 1.0).abs() < 0.01, "{compared} {summarized}");
}

/// Two iterations of A take a fifth longer: no layer shows that, and no cause does.
#[test]
fn a_cause_shows_no_more_than_its_layers() {
    let place = Place::new();
    let slow = |iteration: usize| if [20, 31].contains(&iteration) { 200 } else { 0 };
    trace(&place, "a.json", 3, |iteration, node| 1000 + (iteration + node) % 5 + slow(iteration));
    trace(&place, "b.json", 3, |iteration, node| 1000 + (iteration * 3 + node) % 5);
    let listed = place.succeed(&["compare", "a.json", "b.json"]);
    assert!(listed.contains("\nCauses are not listed: "), "{listed}");
    assert!(!listed.contains("Where the difference comes from"), "{listed}");
    let report = json(&place.succeed(&["compare", "a.json", "b.json", "--format", "json"]));
    let difference = |row: &Value| row["difference_ms"].as_f64().unwrap();
    let layers: Vec<f64> = rows(&report, "layers").iter().map(difference).collect();
    assert!(layers.iter().all(|layer| layer.abs() < 0.015), "{layers:?}");
    let causes = rows(&report, "causes");
    let product = causes.iter().find(|cause| cause["cause"] == "MatMul").unwrap();
    // Its operators together: a median of sums, not the sum of medians.
    let apart = difference(product) - layers.iter().sum::<f64>();
    assert!(apart.abs() < 0.015, "{product}: {layers:?}");
    let whole = rows(&report, "inference")[0]["difference"].as_f64().unwrap();
    let sum: f64 = causes.iter().map(difference).sum();
    // Less than a billionth of the whole is rounding, and has no row.
    assert!((sum - whole).abs() < 1e-8, "{sum}, {whole}");
}

#[test]
fn the_latency_of_tensorrt_is_tested_and_its_layers_are_not() {
    let place = Place::new();
    let engine = |version: &str| {
        let files = ["times", "profile", "layers"].map(|name| {
            fixture_file(&format!("tensorrt/{version}/{name}.json")).display().to_string()
        });
        files.join(",")
    };
    let (a, b) = (engine("8.6"), engine("10.0"));
    let table = place.succeed(&["compare", &a, &b]);
    assert!(!table.contains("averages only; no test"), "{table}");
    assert!(table.contains("Layers, mean times"), "{table}");
    let report = json(&place.succeed(&["compare", &a, &b, "--format", "json"]));
    assert!(rows(&report, "inference")[0]["p"].is_number());
    assert!(rows(&report, "layers").iter().all(|layer| layer["verdict"] == "not tested"));
    for side in rows(&report, "conservation") {
        assert!(side["overhead_ms"].is_null() && side["concurrent_ms"].is_null(), "{side}");
        let number = |key: &str| side[key].as_f64().unwrap();
        let parts = number("aligned_ms") + number("only_ms") - number("timed_apart_ms");
        assert!((parts - number("whole_ms")).abs() < 1e-9, "{side}");
    }
    let causes: Vec<&str> =
        rows(&report, "causes").iter().map(|cause| cause["cause"].as_str().unwrap()).collect();
    assert!(
        causes.contains(&"latency less layers (timed one by one, in another run)"),
        "{causes:?}"
    );
    assert!(
        !causes.contains(&"framework overhead") && !causes.contains(&"side by side"),
        "{causes:?}"
    );
    let notes = report["notes"].to_string();
    assert!(notes.contains("the latency is tested, layers are not"), "{notes}");
}
