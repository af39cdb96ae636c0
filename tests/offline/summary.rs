//! `onnxray summary` and `onnxray flops`: views, orders, formats.

use crate::program::{Place, json, model};
use crate::recordings::recorded;
use calamine::{Reader, Xlsx, open_workbook};

#[test]
fn operators_are_in_the_order_that_is_asked_for() {
    let place = Place::new();
    recorded(&place, "encoder", "out");
    let csv = place.succeed(&[
        "summary",
        "out",
        "--level",
        "operator",
        "--all",
        "--sort",
        "execution",
        "--format",
        "csv",
    ]);
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(
        rows.headers().unwrap().iter().take(3).collect::<Vec<_>>(),
        ["number", "name", "type"]
    );
    let numbers: Vec<usize> = rows.records().map(|row| row.unwrap()[0].parse().unwrap()).collect();
    assert_eq!(numbers, (0..numbers.len()).collect::<Vec<_>>());
    assert!(numbers.len() > 30);

    let view = |sort: &str, key: &str| -> Vec<f64> {
        let text = place.succeed(&[
            "summary", "out", "--level", "operator", "--all", "--sort", sort, "--format", "json",
        ]);
        let rows = json(&text)["operators"].as_array().unwrap().clone();
        rows.iter().filter_map(|row| row[key].as_f64()).collect()
    };
    for (sort, key) in [("time", "time_ms"), ("flops", "flops"), ("bytes", "bytes")] {
        assert!(view(sort, key).windows(2).all(|pair| pair[0] >= pair[1]), "{sort}");
    }
}

#[test]
fn iterations_are_conserved_to_the_nanosecond() {
    let place = Place::new();
    recorded(&place, "scan", "out");
    let text = place.succeed(&["summary", "out", "--level", "iteration", "--format", "json"]);
    for row in json(&text)["iterations"].as_array().unwrap() {
        if row["kind"] == "plain" {
            assert!(
                row["operators_ms"].is_null(),
                "unprofiled iterations have no operators to know of"
            );
            continue;
        }
        let nanoseconds = |key: &str| (row[key].as_f64().unwrap() * 1e6).round() as u64;
        assert_eq!(
            nanoseconds("operators_ms") + nanoseconds("overhead_ms"),
            nanoseconds("latency_ms")
        );
    }
}

#[test]
fn flops_need_no_run() {
    let place = Place::new();
    let encoder = model("encoder");
    let text =
        place.succeed(&["flops", &encoder, "--dim", "sequence=32", "--all", "--format", "json"]);
    let profile = json(&text);
    assert_eq!((&profile["report"], &profile["schema_version"]), (&"flops".into(), &1.into()));
    let operators = profile["operators"].as_array().unwrap();
    let sum: f64 = operators.iter().map(|o| o["flops"].as_f64().unwrap()).sum();
    assert_eq!(profile["model"]["flops"].as_f64().unwrap(), sum);
    assert!(operators[0]["time_ms"].is_null(), "nothing was measured");
    // The same table as a recording's, without times.
    recorded(&place, "encoder", "out");
    let recorded = place.figures("out");
    assert_eq!(recorded["model"]["flops"], profile["model"]["flops"]);
    assert!(!place.path("engine_profiling").exists());
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let place = Place::new();
    recorded(&place, "encoder", "out");
    let program = crate::program::program();
    let views = ["summary out --all", "summary out --all --level iteration --format csv"];
    let commands = views.map(|view| format!("{program} {view} | head -n 1 &&"));
    let command =
        format!("set -o pipefail; {} {program} report out -o r.xlsx | true", commands.concat());
    let output = std::process::Command::new("bash")
        .args(["-c", &command])
        // A shell complains of a locale that is not there.
        .env("LC_ALL", "C")
        .current_dir(place.path(""))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.lines().all(|line| line.starts_with("note: ")), "{err}");
}

#[test]
fn a_budget_is_spread_by_flops_alone() {
    let place = Place::new();
    let cnn = model("cnn");
    let arguments = ["flops", &cnn, "--budget", "0.5", "--format", "json"];
    let found = json(&place.succeed(&arguments));
    let figure = |name: &str, key: &str| {
        let rows = found["plan"].as_array().unwrap();
        let row = rows.iter().find(|row| row["figure"] == name).unwrap();
        row[key].as_f64().unwrap()
    };
    let layers = found["planned_layers"].as_array().unwrap();
    let sum = |key: &str| layers.iter().map(|row| row[key].as_f64().unwrap()).sum::<f64>();
    let pruned: f64 = layers
        .iter()
        .map(|row| row["parameters"].as_f64().unwrap() * row["level"].as_f64().unwrap())
        .sum();
    let prunable = figure("prunable_parameters", "before");
    assert!(prunable > 0.0 && pruned >= 0.5 * prunable, "{pruned} of {prunable}");
    assert!((figure("prunable_parameters", "planned") - (prunable - pruned)).abs() < 1e-6);
    let saved = figure("flops", "before") - figure("flops", "planned");
    assert!((saved - (sum("flops") - sum("planned_flops"))).abs() < 1e-3, "{saved}");
    assert!(saved > 0.0);
}

#[test]
fn a_flops_profile_has_a_page_and_a_workbook() {
    let place = Place::new();
    let cnn = model("cnn");
    for name in ["profile.html", "profile.xlsx"] {
        place.succeed(&["flops", &cnn, "-o", name]);
    }
    let page = std::fs::read_to_string(place.path("profile.html")).unwrap();
    for title in ["Model", "By type", "Operators", "Plan", "Planned layers"] {
        assert!(page.contains(&format!("<h2>{title}</h2>")), "{title}");
    }
    let mut workbook: Xlsx<_> = open_workbook(place.path("profile.xlsx")).unwrap();
    let sheets = ["Summary", "By type", "Operators", "Tensors", "Planned layers", "Notes"];
    assert_eq!(workbook.sheet_names(), sheets);
    let rows =
        |name: &str, workbook: &mut Xlsx<_>| workbook.worksheet_range(name).unwrap().height();
    let operators = json(&place.succeed(&["flops", &cnn, "--format", "json"]));
    // The headings, and the totals above them.
    let expected = operators["operators"].as_array().unwrap().len() + 2;
    assert_eq!(rows("Operators", &mut workbook), expected);
}
