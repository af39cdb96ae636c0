//! The workbook of `onnxray compare`: what it says, what LibreOffice computes in
//! it, and what becomes of it when its reader sets and filters.

use crate::office::edits::find;
use crate::office::tables::{assert_same, differences};
use crate::office::{Cell, Job, Rows, address, letters, libreoffice, written};
use crate::program::{Place, json};
use crate::recordings::recorded;
use crate::synthetic;
use serde_json::{Value, json as object};

const SHEETS: [&str; 8] = [
    "By type",
    "Causes",
    "Details",
    "Inference time",
    "Layer patterns",
    "Layers",
    "Notes",
    "Summary",
];

/// Columns of the sheet *Layers*, by their names in JSON.
const LAYERS: [&str; 35] = [
    "number",
    "layer",
    "a_type",
    "b_type",
    "a_precision",
    "b_precision",
    "a_ms",
    "b_ms",
    "difference_ms",
    "difference_low_ms",
    "difference_high_ms",
    "ratio",
    "ratio_low",
    "ratio_high",
    "p",
    "p_adjusted",
    "minimum_detectable_effect_share",
    "verdict",
    "reason",
    "launches_needed_low",
    "launches_needed_high",
    "a_mean_ms",
    "b_mean_ms",
    "mean_difference_ms",
    "share_of_difference",
    "a_share",
    "b_share",
    "a_below_ms",
    "b_below_ms",
    "a_outliers",
    "b_outliers",
    "matched_by",
    "certainty",
    "a_operators",
    "b_operators",
];

/// The encoder and its 8-bit version, which took turns.
fn encoders(place: &Place) {
    recorded(place, "encoders-in-turns", "out");
}

/// Writes the workbook, and returns what is printed.
fn compare(place: &Place, recordings: &[&str], workbook: &str) -> Value {
    let more = ["--allow-model-mismatch", "-o", workbook, "--format", "json"];
    json(&place.succeed(&[&["compare"], recordings, &more].concat()))
}

const ENCODERS: [&str; 2] = ["out/encoder", "out/encoder-int8"];

fn agrees(cell: &Cell, expected: &Value) -> bool {
    match expected {
        // What is not known has no number.
        Value::Null => cell.number().is_none(),
        Value::Number(number) => cell.agrees(&Cell::Number(number.as_f64().unwrap())),
        Value::String(text) => cell.text() == text,
        other => panic!("{other}"),
    }
}

/// Checks rows below a heading, or below the nth cell of that text.
fn check(rows: &Rows, header: usize, expected: &Value, columns: &[(usize, &str)]) {
    let expected = expected.as_array().unwrap();
    assert!(!expected.is_empty());
    for (row, expected) in rows[header + 1..].iter().zip(expected) {
        for &(column, key) in columns {
            let cell = row.get(column).cloned().unwrap_or_default();
            assert!(agrees(&cell, &expected[key]), "{key}: {cell:?} is not {expected}");
        }
    }
    assert!(rows.len() > header + expected.len());
}

/// Columns by their headings.
fn columns(
    rows: &Rows,
    header: usize,
    names: &[(&str, &'static str)],
) -> Vec<(usize, &'static str)> {
    let place = |name: &str| rows[header].iter().position(|cell| cell.text() == name);
    names
        .iter()
        .map(|(name, key)| (place(name).unwrap_or_else(|| panic!("no {name}")), *key))
        .collect()
}

#[test]
fn the_workbook_says_what_is_printed() {
    let place = Place::new();
    encoders(&place);
    let printed = compare(&place, &ENCODERS, "c.xlsx");
    let sheets = written(&place.path("c.xlsx"));
    assert_eq!(sheets.keys().collect::<Vec<_>>(), SHEETS);

    let summary = &sheets["Summary"];
    let (header, _) = find(summary, "Figure");
    let keys = [
        "a",
        "b",
        "difference",
        "ratio",
        "ratio_low",
        "ratio_high",
        "p",
        "minimum_detectable_effect_share",
        "verdict",
    ];
    let numbered: Vec<(usize, &str)> = (1..).zip(keys).collect();
    check(summary, header, &printed["inference"], &numbered);
    // Programs read identifiers, people words.
    assert_eq!(printed["inference"][0]["figure"], "latency_typical_ms");
    assert_eq!(summary[header + 1][0].text(), "latency, typical (ms)");
    assert!(summary[1][0].text().contains("encoder-int8"), "the headline: {:?}", summary[1]);
    let (header, _) = find(summary, "Side");
    let keys = ["side", "aligned_ms", "only_ms", "overhead_ms", "concurrent_ms", "whole_ms"];
    let numbered: Vec<(usize, &str)> = keys.into_iter().enumerate().collect();
    check(summary, header, &printed["conservation"], &numbered);

    let layers = &sheets["Layers"];
    let numbered: Vec<(usize, &str)> = LAYERS.into_iter().enumerate().collect();
    check(layers, find(layers, "Layer").0, &printed["layers"], &numbered);
    let types = &sheets["By type"];
    let (header, _) = find(types, "Type");
    let named = [
        ("Type", "type"),
        ("A ms", "a_ms"),
        ("A share", "a_share"),
        ("B ms", "b_ms"),
        ("B share", "b_share"),
        ("B - A ms", "difference_ms"),
        ("A bar", "a_ms"),
        ("B bar", "b_ms"),
    ];
    check(types, header, &printed["compared_types"], &columns(types, header, &named));
    precisions(types, header, &printed["compared_types"]);
    let causes = &sheets["Causes"];
    let numbered = ["cause", "groups", "a_ms", "b_ms", "difference_ms", "share_of_difference"];
    let numbered: Vec<(usize, &str)> = numbered.into_iter().enumerate().collect();
    check(causes, find(causes, "Cause").0, &printed["causes"], &numbered);
    let (sum, _) = find(causes, "sum of the causes");
    for column in 2..5 {
        let listed: f64 = (find(causes, "Cause").0 + 1..sum)
            .map(|row| causes[row][column].number().unwrap())
            .sum();
        assert!(causes[sum][column].agrees(&Cell::Number(listed)), "{:?}", causes[sum]);
    }
    let details = &sheets["Details"];
    let numbered: Vec<(usize, &str)> =
        ["number", "layer", "parameter", "a", "b"].into_iter().enumerate().collect();
    check(details, find(details, "Parameter").0, &printed["details"], &numbered);
    find(&sheets["Notes"], "Layers, typical times: Certainty");
}

/// Each count stands under its element type.
fn precisions(rows: &Rows, header: usize, types: &Value) {
    let mut seen = 0;
    for (row, known) in rows[header + 1..].iter().zip(types.as_array().unwrap()) {
        for (side, key) in [("A", "a_precisions"), ("B", "b_precisions")] {
            for part in known[key].as_str().unwrap_or_default().split(", ") {
                let Some((name, count)) = part.split_once(' ') else { continue };
                let heading = format!("{side} {name}");
                let column = rows[header].iter().position(|cell| cell.text() == heading).unwrap();
                assert_eq!(row[column], Cell::Number(count.parse().unwrap()), "{heading}: {known}");
                seen += 1;
            }
        }
    }
    assert!(seen > 10, "{seen}");
}

#[test]
fn each_version_has_its_sheets_and_names_stay_texts() {
    let place = Place::new();
    for (name, operators) in [("a.json", 300), ("b.json", 290), ("=1+1!A1.json", 310)] {
        synthetic::recording(&place.path(name), operators).unwrap();
    }
    compare(&place, &["a.json", "b.json", "=1+1!A1.json"], "three.xlsx");
    let sheets = written(&place.path("three.xlsx"));
    // Nothing repeats in these.
    let own = SHEETS.iter().filter(|name| **name != "Layer patterns");
    let expected = own.flat_map(|name| ["B", "C"].map(|version| format!("{name} {version}")));
    assert!(sheets.keys().cloned().eq(expected), "{:?}", sheets.keys());
    assert!(sheets.keys().all(|name| name.len() <= 31));
    find(&sheets["Layers C"], "C - A ms");
    find(&sheets["Layers C"], "not executed in A");
    find(&sheets["By type B"], "=1+1");

    let file = std::fs::File::open(place.path("three.xlsx")).unwrap();
    let mut archive = zip::ZipArchive::new(file).unwrap();
    let mut formulas = 0;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).unwrap();
        let mut xml = String::new();
        std::io::Read::read_to_string(&mut entry, &mut xml).unwrap();
        let charts = xml.split("<c:f>").skip(1).map(|formula| (formula, "</c:f>"));
        let cells = xml.split("<f>").skip(1).map(|formula| (formula, "</f>"));
        for (formula, end) in cells.chain(charts) {
            let formula = formula.split(end).next().unwrap();
            for name in ["1+1", "SUM(A1)", "layer.", "kernel", "http"] {
                assert!(!formula.contains(name), "{formula}");
            }
            formulas += 1;
        }
        assert!(!xml.contains("<hyperlink"), "names are not links");
    }
    assert!(formulas > 3000, "{formulas}");
}

#[test]
fn libreoffice_computes_what_stands_in_a_comparison() {
    let place = Place::new();
    encoders(&place);
    recorded(&place, "cnn", "cnn");
    for (name, operators) in [("a.json", 300), ("b.json", 290)] {
        synthetic::recording(&place.path(name), operators).unwrap();
    }
    compare(&place, &ENCODERS, "encoders.xlsx");
    compare(&place, &["a.json", "b.json"], "synthetic.xlsx");
    // No layer in common, and three versions.
    compare(&place, &["cnn", "a.json", "out/encoder", "out/encoder-int8"], "several.xlsx");
    let mut names = vec!["encoders.xlsx", "synthetic.xlsx", "several.xlsx"];
    // Averages, sums over traces without iterations, and both next to each other.
    let fixtures = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let path = |name: &str| fixtures.join(name).canonicalize().unwrap().display().to_string();
    for (workbook, a, b) in [
        ("averages.xlsx", "tract/0.23.9/cnn.json", "tract/0.23.9/scan.json"),
        ("sums.xlsx", "chrome-trace/array/compact.json", "chrome-trace/array/open.json"),
        ("unlike.xlsx", "pytorch/2.5.1/whole.json", "pytorch/2.5.1/steps.json"),
    ] {
        compare(&place, &[&path(a), &path(b)], workbook);
        names.push(workbook);
    }
    let jobs: Vec<Job> = names
        .into_iter()
        .map(|open| Job::new(open, Vec::new(), &format!("saved-{open}")))
        .collect();
    for (job, computed) in jobs.iter().zip(libreoffice(&place, &jobs)) {
        assert_same(&written(&place.path(&job.open)), &computed, &job.open);
    }
}

#[test]
fn a_comparison_follows_its_reader() {
    let place = Place::new();
    encoders(&place);
    compare(&place, &ENCODERS, "c.xlsx");
    let sheets = written(&place.path("c.xlsx"));
    let types = &sheets["By type"];
    let (header, include) = find(types, "Include in chart");
    let set = |cell: String, value: &str| object!({"do": "set", "sheet": "By type", "cell": cell, "value": value});
    let without = set(address(header + 1, include), "no");
    let shares = set("B2".to_string(), "share");
    let layers = &sheets["Layers"];
    let (top, kind) = find(layers, "A type");
    let kept = layers[top + 1][kind].text();
    let range = format!("A{}:{}", top + 1, address(layers.len() - 1, LAYERS.len() - 1));
    let filter = object!({"do": "filter", "sheet": "Layers", "range": range,
        "column": letters(kind), "equals": kept});
    let jobs = [
        Job::new("c.xlsx", vec![without], "without.xlsx"),
        Job::new("c.xlsx", vec![shares], "shares.xlsx"),
        Job::new("c.xlsx", vec![filter], "filtered.xlsx"),
    ];
    let computed = libreoffice(&place, &jobs);

    // The bars of the first type are gone, and nothing else has changed.
    let changed = differences(&sheets, &computed[0]);
    let row = header + 1;
    let mut expected = vec![include];
    let bars = [include + 1, include + 2];
    expected.extend(bars.into_iter().filter(|&bar| types[row][bar] != Cell::Empty));
    assert_eq!(changed.len(), expected.len(), "{changed:?}");
    for column in expected {
        let place = format!("'By type'!{}:", address(row, column));
        assert!(changed.iter().any(|change| change.starts_with(&place)), "{changed:?}");
    }
    assert!(bars.iter().all(|&bar| computed[0]["By type"][row][bar] == Cell::Empty));

    // Bars are shares, where there are any.
    let rows = &computed[1]["By type"];
    for (bar, heading) in bars.into_iter().zip(["A share", "B share"]) {
        let (_, share) = find(rows, heading);
        for row in &rows[header + 1..] {
            let share = row[share].number().map_or(Cell::Empty, Cell::Number);
            assert_eq!(row.get(bar).cloned().unwrap_or_default(), share);
        }
    }

    // Totals are of the rows that are left.
    let changed = differences(&sheets, &computed[2]);
    assert!(changed.iter().all(|change| change.starts_with("'Layers'!")), "{changed:?}");
    let rows = &computed[2]["Layers"];
    let mut smaller = 0;
    for key in ["a_mean_ms", "b_mean_ms", "mean_difference_ms", "share_of_difference"] {
        let column = LAYERS.iter().position(|known| *known == key).unwrap();
        let left = rows[top + 1..].iter().filter(|row| row[kind].text() == kept);
        let sum: f64 = left.filter_map(|row| row[column].number()).sum();
        assert!(rows[0][column].agrees(&Cell::Number(sum)), "{key}: {:?} is not {sum}", rows[0]);
        smaller += usize::from(!rows[0][column].agrees(&layers[0][column]));
    }
    assert!(smaller > 0, "the filter left everything");
}

#[test]
fn a_large_comparison_is_computed_alike() {
    let place = Place::new();
    for (name, operators) in [("a.json", 5000), ("b.json", 4990)] {
        synthetic::recording(&place.path(name), operators).unwrap();
    }
    place.succeed(&["compare", "a.json", "b.json", "--allow-model-mismatch", "-o", "c.xlsx"]);
    let sheets = written(&place.path("c.xlsx"));
    let rows = sheets["Layers"].len();
    assert!((5000..12000).contains(&rows), "{rows}");
    let computed = libreoffice(&place, &[Job::new("c.xlsx", Vec::new(), "saved.xlsx")]);
    assert_same(&sheets, &computed[0], "5000 layers");
}
