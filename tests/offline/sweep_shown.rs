//! A sweep that was measured, shown again: with other thresholds, and as a workbook.

use crate::listed_profiles::{is_close, number};
use crate::program::{Place, json};
use crate::recordings::recorded;
use serde_json::Value;

fn rows<'a>(report: &'a Value, table: &str) -> Vec<&'a Value> {
    report[table].as_array().into_iter().flatten().collect()
}

#[test]
fn a_sweep_is_shown_with_another_threshold() {
    let place = Place::new();
    recorded(&place, "sweep", "s");
    let shown = |more: &[&str]| {
        let start = ["sweep", "--profiles", "s", "--format", "json"];
        json(&place.succeed(&[&start[..], more].concat()))
    };
    let without = shown(&[]);
    let all = rows(&without, "points");
    for (percentile, key) in
        [("p50", "latency_p50_ms"), ("p90", "latency_p90_ms"), ("p99", "latency_p99_ms")]
    {
        let latencies: Vec<f64> = all.iter().map(|row| number(row, key)).collect();
        let lowest = latencies.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = latencies.iter().copied().fold(0.0, f64::max);
        for threshold in [lowest * 0.99, lowest * 1.0001, highest * 1.0001] {
            let limit = threshold.to_string();
            let report = shown(&["--percentile", percentile, "--latency-threshold", &limit]);
            // The best rate of those within the limit, if there are any. Both sizes are apart.
            assert_eq!(rows(&report, "best_points").len(), 2);
            for of_size in rows(&report, "best_points") {
                let own = all.iter().filter(|row| row["model"] == of_size["model"]);
                let within = own.filter(|row| number(row, key) <= threshold);
                let best = within.max_by(|a, b| {
                    let rate = |row: &Value| number(row, "throughput_per_second");
                    rate(a).total_cmp(&rate(b))
                });
                let spot = &of_size["sweet_spot"];
                match best {
                    Some(best) => assert_eq!(spot, &best["name"], "{percentile} {threshold}"),
                    None => assert!(spot.is_null(), "{percentile} {threshold}: {spot}"),
                }
            }
            for row in rows(&report, "points") {
                assert!(is_close(number(row, "latency_ms"), number(row, key)), "{row}");
            }
        }
    }
    assert!(!place.path("sweep.xlsx").exists());
    place.succeed(&["sweep", "--profiles", "s", "-o", "sweep.xlsx"]);
    assert!(place.path("sweep.xlsx").exists());
    // Its own report is replaced, and nothing that somebody wrote since.
    place.succeed(&["sweep", "--profiles", "s", "-o", "sweep.xlsx"]);
    place.write("sweep.xlsx", b"notes");
    let again = place.run(&["sweep", "--profiles", "s", "-o", "sweep.xlsx"]);
    assert_eq!(again.code, Some(1));
    assert!(again.err.contains("already exists; use --force"), "{}", again.err);
}

#[test]
fn a_sweep_that_was_cut_lists_what_had_no_turn() {
    let place = Place::new();
    recorded(&place, "sweep-cut", "s");
    let report = json(&place.succeed(&["sweep", "--profiles", "s", "--format", "json"]));
    let names: Vec<&str> =
        rows(&report, "points").iter().map(|row| row["name"].as_str().unwrap()).collect();
    let waiting: Vec<(u64, &str)> = rows(&report, "skipped")
        .iter()
        .map(|row| (row["batch_size"].as_u64().unwrap(), row["reason"].as_str().unwrap()))
        .collect();
    assert_eq!(names, ["cnn-b1-t1-i1"]);
    assert_eq!(waiting, [(2, "it had no turn yet"), (3, "it had no turn yet")]);
}
