//! Whatever people are shown of a comparison can be computed again from what stands beside
//! it: differences, ratios, shares and totals, in every table, of all traces that are here.

use crate::made::{model, noisy_recording, timed_apart};
use onnxray_analyzer::comparison::{Options, Recording, compare};
use onnxray_analyzer::{Needs, Trace, examine};
use onnxray_import::{Reading, import};
use onnxray_report::{
    Cell, ComparisonReport, ComparisonSelection, ComparisonView, Document, Report, Table,
    models_table,
};
use std::path::{Path, PathBuf};

fn near(found: f64, expected: f64, size: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-9 * size.abs().max(1e-6), "{what}: {found}, {expected}");
}

fn number(table: &Table, key: &str, row: usize) -> Option<f64> {
    // What is below a bound counts in sums all the same.
    table.cell(key, row).unwrap_or_else(|| panic!("no {key}")).summand()
}

/// What is not executed, or not known, adds nothing.
fn or_0(table: &Table, key: &str, row: usize) -> f64 {
    number(table, key, row).unwrap_or(0.0)
}

fn is_shown(table: &Table, key: &str) -> bool {
    table.shown().any(|column| column.heading.key == key)
}

fn differences(table: &Table, [a, b]: [&str; 2], key: &str) {
    for row in 0..table.len() {
        let Some(difference) = number(table, key, row) else { continue };
        let (a, b) = (or_0(table, a, row), or_0(table, b, row));
        near(difference, b - a, a + b, &format!("{} {key} {row}", table.key));
    }
}

fn ratios(table: &Table, [a, b]: [&str; 2]) {
    for row in 0..table.len() {
        let Some(ratio) = number(table, "ratio", row) else { continue };
        let (a, b) = (number(table, a, row).unwrap(), number(table, b, row).unwrap());
        near(ratio, b / a, ratio, table.key);
        if let Some(low) = number(table, "ratio_low", row) {
            assert!(low <= ratio, "{low} {ratio}");
            assert!(number(table, "ratio_high", row).is_none_or(|high| ratio <= high));
        }
    }
}

/// The last row is the sum of those above it, and shares are of it.
fn totals(table: &Table, times: &[&str], shares: &[(&str, &str)]) {
    let Some(last) = table.len().checked_sub(1) else { return };
    for key in times {
        // What is unknown may be a part of the difference.
        let is_unknown =
            |row| *key == "difference_ms" && table.cell(key, row) == Some(&Cell::Unknown);
        if number(table, key, last).is_none() || (0..last).any(is_unknown) {
            continue;
        }
        let above: f64 = (0..last).map(|row| or_0(table, key, row)).sum();
        let size: f64 = (0..last).map(|row| or_0(table, key, row).abs()).sum();
        near(or_0(table, key, last), above, size, &format!("{} {key}", table.key));
    }
    for (share, time) in shares {
        for row in 0..table.len() {
            let Some(found) = number(table, share, row) else { continue };
            let expected = or_0(table, time, row) / or_0(table, time, last);
            near(found, expected, found.abs() + 1.0, &format!("{} {share}", table.key));
        }
    }
}

fn check(document: &Document) {
    let table = |key: &str| document.table(key);
    if let Some(layers) = table("layers") {
        differences(layers, ["a_ms", "b_ms"], "difference_ms");
        ratios(layers, ["a_ms", "b_ms"]);
        assert!(!is_shown(layers, "share_of_difference") && !is_shown(layers, "a_mean_ms"));
        let moved = |row| (or_0(layers, "b_ms", row) - or_0(layers, "a_ms", row)).abs();
        let has_difference =
            (0..layers.len()).any(|row| number(layers, "difference_ms", row).is_some());
        let sorted = (1..layers.len()).all(|row| moved(row) <= moved(row - 1));
        assert!(sorted || !has_difference, "layers are not ordered by what they show");
    }
    if let Some(causes) = table("causes") {
        differences(causes, ["a_ms", "b_ms"], "difference_ms");
        totals(
            causes,
            &["a_ms", "b_ms", "difference_ms", "share_of_difference"],
            &[("share_of_difference", "difference_ms")],
        );
    }
    let types = table("compared_types").unwrap();
    differences(types, ["a_ms", "b_ms"], "difference_ms");
    totals(
        types,
        &["a_ms", "b_ms", "difference_ms", "a_share", "b_share"],
        &[("a_share", "a_ms"), ("b_share", "b_ms")],
    );
    // Types and causes are parts of one whole.
    if let Some(causes) = table("causes").filter(|causes| !causes.is_empty()) {
        for side in ["a_ms", "b_ms"] {
            let [of_types, of_causes] =
                [types, causes].map(|table| or_0(table, side, table.len() - 1));
            near(of_types, of_causes, of_causes, "wholes");
        }
    }
    let parts = table("conservation").unwrap();
    for row in 0..parts.len() {
        let of = |key: &str| or_0(parts, key, row);
        let taken_off = of("concurrent_ms") + of("longer_profiled_ms") + of("timed_apart_ms");
        let sum = of("aligned_ms") + of("only_ms") + of("overhead_ms") - taken_off;
        near(of("whole_ms"), sum, of("aligned_ms") + of("whole_ms"), "conservation");
    }
    let whole = table("inference").unwrap();
    differences(whole, ["a", "b"], "difference");
    ratios(whole, ["a", "b"]);
}

fn report(a: &Recording, b: &Recording) -> Option<Document> {
    let comparison = compare(a, b, &Options::default()).ok()?;
    let views = ComparisonView::ALL.to_vec();
    let selection =
        ComparisonSelection { views, rows: Some(5), totals: true, ..Default::default() };
    Some(
        ComparisonReport { baseline: a, versions: &[b], comparisons: &[comparison] }
            .document(&selection),
    )
}

/// Files of a folder and below, in order.
fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for entry in entries {
        match entry.is_dir() {
            true => files(&entry, into),
            false => into.push(entry),
        }
    }
}

fn read(files: &[PathBuf]) -> Option<Recording> {
    let launches = import(files, &Reading::default()).ok()?;
    let trace = Trace::new(launches);
    let (summary, timeline) = examine(&trace, Needs::Measured).ok()?.into_timeline();
    Some(Recording { label: files[0].display().to_string(), summary, timeline })
}

#[test]
fn every_figure_of_every_pair_of_traces_follows_from_those_beside_it() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let mut compared = 0;
    for producer in [
        "chrome-trace",
        "guide",
        "neural-engine",
        "onnxray",
        "onnxruntime",
        "openvino",
        "pytorch",
        "tensorrt",
        "tflite",
        "tract",
    ] {
        let mut all = Vec::new();
        files(&fixtures.join(producer), &mut all);
        let mut recordings: Vec<Recording> =
            all.iter().filter_map(|file| read(std::slice::from_ref(file))).collect();
        for version in ["8.2", "8.6", "10.0"].iter().filter(|_| producer == "tensorrt") {
            let names = ["times.json", "profile.json", "layers.json"];
            let files = names.map(|name| fixtures.join("tensorrt").join(version).join(name));
            recordings.extend(read(&files));
        }
        for a in &recordings {
            for b in &recordings {
                if let Some(document) = report(a, b) {
                    check(&document);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn layers_that_were_timed_apart_next_to_those_that_were_not() {
    let apart = timed_apart(&[100_000.0, 20_000.0, 30_000.0, 200_000.0, 10_000.0], &[500_000; 12]);
    let own = noisy_recording(1, 4, [1.0; 5]);
    assert_eq!(model().len(), 5);
    for [a, b] in [[&apart, &own], [&own, &apart], [&apart, &apart]] {
        check(&report(a, b).unwrap());
    }
}

#[test]
fn models_stand_above_their_geometric_mean() {
    let base = noisy_recording(1, 8, [1.0; 5]);
    let comparisons = [1.2, 0.9].map(|factor| {
        compare(&base, &noisy_recording(2, 8, [factor; 5]), &Options::default()).unwrap()
    });
    let [first, second] = &comparisons;
    let table = models_table(&[("one", first), ("two", second)]);
    assert_eq!(table.cell("model", 2), Some(&Cell::text("geometric mean")));
    let ratio = |row: usize| number(&table, "ratio", row).unwrap();
    near(ratio(2), (ratio(0) * ratio(1)).sqrt(), 1.0, "the mean");
    let width = |row: usize| {
        let end = |key: &str| number(&table, key, row).unwrap().ln();
        end("ratio_high") - end("ratio_low")
    };
    near(width(2), width(0).hypot(width(1)) / 2.0, width(2) * 1e7, "its interval");
    assert_eq!(models_table(&[("one", first)]).len(), 1);
}
