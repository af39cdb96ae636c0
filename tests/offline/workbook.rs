//! Workbook and CSV, opened by LibreOffice: what a user of a spreadsheet sees.

use crate::program::{Place, files, json};
use crate::recordings::recorded;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Rows of text, by sheet.
type Sheets = BTreeMap<String, Vec<Vec<String>>>;

/// Has LibreOffice recalculate a file and write out every sheet's values.
fn recalculated(place: &Place, file: &str) -> Sheets {
    // Comma, quotes, UTF-8; values in full, not as shown; all sheets.
    let filter = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,-1";
    let home = format!("-env:UserInstallation=file://{}", place.path("office").display());
    // The same settings for reading a CSV, formulas evaluated.
    let read = "--infilter=CSV:44,34,76,1,,0,false,true,false,false,false,0,true";
    let mut command = Command::new("soffice");
    // It writes numbers as its user's country does.
    command.env("LC_ALL", "C.UTF-8");
    command.arg(home).args(["--headless", "--convert-to", filter, "--outdir", "sheets"]);
    if file.ends_with(".csv") {
        command.arg(read);
    }
    let output = command.arg(file).current_dir(place.path("")).output();
    let output = output.expect("LibreOffice (soffice) is needed for this test");
    assert!(output.status.success(), "{output:?}");
    let stem = Path::new(file).file_stem().unwrap().to_str().unwrap();
    let sheets = files(&place.path("sheets")).into_iter().map(|path| {
        let name = path.file_stem().unwrap().to_str().unwrap().trim_start_matches(stem);
        let rows =
            csv::ReaderBuilder::new().has_headers(false).flexible(true).from_path(&path).unwrap();
        let rows = rows.into_records().map(|row| row.unwrap().iter().map(str::to_string).collect());
        (name.trim_start_matches('-').to_string(), rows.collect())
    });
    sheets.collect()
}

fn number(text: &str) -> f64 {
    let (digits, unit) = text.strip_suffix('%').map_or((text, 1.0), |digits| (digits, 100.0));
    let number: f64 =
        digits.parse().unwrap_or_else(|_| panic!("expected a number, found {text:?}"));
    number / unit
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-12)
}

#[test]
fn the_workbook_shows_what_the_summary_says() {
    let place = Place::new();
    recorded(&place, "encoder-4-launches", "out");
    place.succeed(&["report", "out", "-o", "report.xlsx"]);
    crate::formulas::no_formula_but_ours(&place.path("report.xlsx"));
    let text = place.succeed(&[
        "summary",
        "out",
        "--all",
        "--sort",
        "execution",
        "--level",
        "model,launch,type,operator,iteration",
        "--format",
        "json",
    ]);
    let summary = json(&text);
    let sheets = recalculated(&place, "report.xlsx");
    assert_eq!(
        sheets.keys().collect::<Vec<_>>(),
        ["By type", "Iterations", "Notes", "Operators", "Patterns", "Summary", "Tensors"]
    );

    let facts = summary["model"].as_object().unwrap();
    let all = sheets["Summary"].iter().position(|row| row[0] == "All figures").unwrap();
    for (name, key) in [
        ("model", "model"),
        ("dimensions", "dimensions"),
        ("model SHA-256", "model_sha256"),
        ("clock resolution (ns)", "clock_resolution_ns"),
        ("load time (ms)", "load_time_ms"),
        ("launches", "launches"),
        ("warm-up iterations, flagged", "warmup_flagged"),
        ("latency median (ms)", "latency_median_ms"),
        ("latency p99 (ms)", "latency_p99_ms"),
        ("throughput (items/s)", "throughput_items_per_second"),
        ("operators, mean (ms)", "operators_mean_ms"),
        ("framework overhead (% of latency)", "overhead_share_percent"),
        ("FLOPs per iteration", "flops"),
        ("operators with unknown bytes", "bytes_unknown"),
        ("GFLOP/s", "gflops_per_second"),
    ] {
        let row = sheets["Summary"][all..].iter().find(|row| row[0] == name);
        check_cell(&row.unwrap_or_else(|| panic!("no {name}"))[1], &facts[key], name);
    }
    let lines = sheets["Summary"].iter().position(|row| row[0] == "Launches").unwrap();
    assert_eq!(lines - all - 2, facts.len(), "a line for each figure, below the title");
    let layers = &sheets["Operators"];
    assert_eq!(layers[0][1], "Total of the rows shown");
    check_table(
        &layers[1..],
        summary["operators"].as_array().unwrap(),
        &[
            ("Operator", "name"),
            ("Type", "type"),
            ("Time ms", "time_ms"),
            ("p99 ms", "time_p99_ms"),
            ("Share", "share"),
            ("FLOPs", "flops"),
            ("GFLOP/s", "gflops_per_second"),
            ("Bytes", "bytes"),
            ("Weight shape", "weight_shape"),
            ("Zero 4x1", "sparse_ratio_4x1"),
            ("ONNX nodes", "nodes"),
        ],
    );
    let time = layers[1].iter().position(|heading| heading == "Time ms").unwrap();
    let total: f64 = summary["operators"]
        .as_array()
        .unwrap()
        .iter()
        .map(|o| o["time_ms"].as_f64().unwrap())
        .sum();
    assert!(close(number(&layers[0][time]), total), "the total, recalculated by LibreOffice");
    // Types come from most to least time in the workbook's chart and here.
    let types = place.succeed(&["summary", "out", "--level", "type", "--format", "json"]);
    check_table(
        &sheets["By type"],
        json(&types)["operator_types"].as_array().unwrap(),
        &[
            ("Type", "type"),
            ("Operators", "operators"),
            ("Time ms", "time_ms"),
            ("Share", "share"),
            ("FLOPs", "flops"),
        ],
    );
    let mut iterations = summary["iterations"].as_array().unwrap().clone();
    iterations.sort_by_key(|row| row["kind"] != "plain");
    check_table(
        &sheets["Iterations"],
        &iterations,
        &[
            ("Launch", "launch"),
            ("Iteration", "iteration"),
            ("Kind", "kind"),
            ("Latency ms", "latency_ms"),
            ("Overhead ms", "overhead_ms"),
        ],
    );
    let notes: Vec<&str> = sheets["Notes"].iter().map(|row| row[0].as_str()).collect();
    for label in ["Model: latency p90 (ms)", "Operators: Share"] {
        assert!(notes.contains(&label), "definitions stand in the notes: {label}");
    }
}

/// Header in the first row; `columns` are headings and keys.
fn check_table(rows: &[Vec<String>], expected: &[Value], columns: &[(&str, &str)]) {
    for (heading, key) in columns {
        let column = rows[0].iter().position(|found| found == heading);
        let column = column.unwrap_or_else(|| panic!("no {heading} in {:?}", rows[0]));
        for (row, expected) in rows[1..].iter().zip(expected) {
            check_cell(&row[column], &expected[key], heading);
        }
    }
    assert!(rows.len() > expected.len(), "{} rows for {}", rows.len(), expected.len());
}

fn check_cell(cell: &str, expected: &Value, what: &str) {
    match expected {
        Value::Null => {
            let is_unknown = cell.is_empty() || cell == "–" || cell.starts_with("< ");
            assert!(is_unknown, "{what}: {cell}");
        }
        Value::Number(value) => {
            assert!(close(number(cell), value.as_f64().unwrap()), "{what}: {cell} is not {value}");
        }
        Value::String(text) => assert_eq!(cell, text, "{what}"),
        other => panic!("{what}: {other}"),
    }
}

#[test]
fn the_profile_csv_recalculates() {
    let place = Place::new();
    recorded(&place, "encoder", "out");
    let profile = place.tables("out").remove(0);
    std::fs::copy(&profile, place.path("profile.csv")).unwrap();
    let sheet = recalculated(&place, "profile.csv").into_values().next().unwrap();
    let header = sheet.iter().position(|row| row[0] == "operator type").unwrap();
    assert_eq!(
        sheet[..header].iter().map(|row| row[0].as_str()).collect::<Vec<_>>(),
        ["weight shape", "256x256", "256x1024", "1024x256"]
    );
    let end = sheet
        .iter()
        .position(|row| row.get(11).is_some_and(|cell| cell == "total latency(ms)"))
        .unwrap();
    let (mut total, mut projected, mut sparse, mut sparse_projected) = (0.0, 0.0, 0.0, 0.0);
    for row in &sheet[header + 1..end] {
        let latency = number(&row[12]);
        let supported = row[11].eq_ignore_ascii_case("true");
        // 90 % is the target everywhere, and 4 the ratio for it.
        let expected = if supported { latency / 4.0 } else { latency };
        assert!(close(number(&row[15]), expected), "{row:?}");
        total += latency;
        projected += expected;
        if supported {
            sparse += latency;
            sparse_projected += expected;
        }
    }
    assert!(sparse > 0.0 && sparse < total);
    let totals = &sheet[end..];
    for (row, column, expected) in [
        (0, 12, total),
        (0, 15, projected),
        (0, 17, total / projected),
        (1, 12, sparse),
        (1, 15, sparse_projected),
        (2, 12, sparse / total),
        (2, 15, sparse_projected / projected),
    ] {
        let found = number(&totals[row][column]);
        assert!(close(found, expected), "row {row}, column {column}: {found} is not {expected}");
    }
}
