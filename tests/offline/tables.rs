//! Reports as CSV: one table a file, and missing values that are missing.

use crate::program::{Place, fixture_file, json, model, python};
use std::fs;
use std::process::Command;

fn profile() -> String {
    fixture_file("onnxruntime/1.31.1/loop.json").display().to_string()
}

#[test]
fn names_of_csv_files_are_keys_of_json() {
    let place = Place::new();
    let path = profile();
    let cnn = model("cnn");
    for arguments in
        [&["summary", &path][..], &["flops", &cnn], &["compare", &path, &path], &["project", &path]]
    {
        let all = [arguments, &["--format", "json"]].concat();
        let report = json(&place.run(&all).out);
        let wrote = place.succeed(&[arguments, &["--format", "csv", "-o", "t"]].concat());
        for file in wrote.lines() {
            let key = file.strip_prefix("t/").unwrap().strip_suffix(".csv").unwrap();
            assert!(report.get(key).is_some(), "{key}");
            let rows = csv::Reader::from_path(place.path(file)).unwrap().into_records();
            assert!(
                rows.map(|row| row.unwrap()).all(|row| row.iter().all(|cell| cell != "unknown"))
            );
        }
        fs::remove_dir_all(place.path("t")).unwrap();
    }
}

#[test]
fn a_folder_of_tables_follows_the_rule_of_all_files() {
    let place = Place::new();
    let path = profile();
    let arguments = ["summary", &path, "--format", "csv", "-o", "t"];
    place.succeed(&arguments);
    let before = fs::read(place.path("t/operators.csv")).unwrap();
    let again = place.run(&arguments);
    assert_eq!((again.code, again.out.as_str()), (Some(1), ""));
    assert!(again.err.contains("t/model.csv: already exists; use --force"), "{}", again.err);
    place.succeed(&[&arguments[..], &["--force"]].concat());
    assert_eq!(fs::read(place.path("t/operators.csv")).unwrap(), before);
    // A file cannot be a folder, nor hold one.
    place.write("file", b"mine");
    for (folder, message) in [
        ("file", "file: is a file; expected a folder for the tables"),
        ("file/t", "file: cannot write there: Not a directory"),
        ("t.csv", "t.csv: expected the name of a folder"),
    ] {
        let refused = place.run(&["summary", &path, "--format", "csv", "-o", folder]);
        assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""));
        assert!(refused.err.contains(message), "{}", refused.err);
    }
    assert_eq!(fs::read(place.path("file")).unwrap(), b"mine");
    // An input that has the name of a table.
    fs::create_dir(place.path("in")).unwrap();
    fs::copy(&path, place.path("in/model.csv")).unwrap();
    let over = ["summary", "in/model.csv", "--format", "csv", "-o", "in", "--force"];
    let refused = place.run(&over);
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.contains("in/model.csv: is an input of this command"), "{}", refused.err);
}

#[test]
fn each_recording_has_a_folder_of_tables() {
    let place = Place::new();
    fs::copy(profile(), place.path("a.json")).unwrap();
    fs::copy(fixture_file("onnxruntime/1.31.1/cnn.json"), place.path("b.json")).unwrap();
    let wrote = place.succeed(&["summary", ".", "--per-recording", "--format", "csv", "-o", "t"]);
    for file in ["t/1/operators.csv", "t/2/operators.csv"] {
        assert!(wrote.lines().any(|line| line == file), "{wrote}");
    }
}

/// Missing numbers do not turn a column into text.
#[test]
fn other_tools_read_columns_of_numbers_as_numbers() {
    let place = Place::new();
    let path = profile();
    place.succeed(&["summary", &path, "--all", "--format", "csv", "-o", "t"]);
    let script = "
import json, duckdb, pandas, polars
types = dict((row[0], row[1]) for row in duckdb.sql(\"describe select * from read_csv('t/operators.csv')\").fetchall())
frame = pandas.read_csv('t/operators.csv')
table = polars.read_csv('t/operators.csv')
print(json.dumps({
    'duckdb': {key: types[key] for key in ['bytes', 'time_ms']},
    'missing': int(frame['bytes'].isna().sum()),
    'pandas': str(frame['bytes'].dtype), 'polars': str(table['time_ms'].dtype),
    'sum': duckdb.sql(\"select sum(bytes) from read_csv('t/operators.csv')\").fetchall()[0][0] is not None,
}))
";
    let output =
        Command::new(python()).args(["-c", script]).current_dir(place.path(".")).output().unwrap();
    assert!(
        output.status.success(),
        "this test needs a Python with duckdb, pandas and polars (.ci/test makes one, ONNXRAY_PYTHON \
         names it): {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let said = json(&String::from_utf8(output.stdout).unwrap());
    let is_number = |kind: &str| kind == "BIGINT" || kind == "DOUBLE";
    for key in ["bytes", "time_ms"] {
        assert!(is_number(said["duckdb"][key].as_str().unwrap()), "{said}");
    }
    assert_eq!(said["missing"], 1, "{said}");
    assert_eq!(
        (said["pandas"].as_str(), said["polars"].as_str()),
        (Some("float64"), Some("Float64"))
    );
    assert_eq!(said["sum"], true, "{said}");
}

/// Where operators run side by side, or outlast their iteration, the rows say by how much.
#[test]
fn rows_of_iterations_add_up() {
    let place = Place::new();
    let mut have_concurrent = 0;
    for name in [
        "pytorch/2.5.1/cuda.json",
        "pytorch/2.5.1/steps.json",
        "pytorch/2.5.1/rocm.json",
        "chrome-trace/object/iterations.json",
        "chrome-trace/object/steps.json",
        "onnxruntime/1.31.1/loop.json",
    ] {
        let path = fixture_file(name).display().to_string();
        let arguments = ["summary", &path, "--level", "iteration", "--format", "json"];
        let found = json(&place.succeed(&arguments));
        let rows = found["iterations"].as_array().unwrap();
        let time = |row: &serde_json::Value, key: &str| row[key].as_f64();
        let concurrent = |row| time(row, "concurrent_ms");
        let has_any = rows.iter().any(|row| concurrent(row).is_some_and(|time| time > 0.0));
        let has_column = rows.iter().any(|row| row.get("concurrent_ms").is_some());
        assert_eq!(has_column, has_any, "{name}");
        have_concurrent += usize::from(has_any);
        for row in rows {
            assert_eq!(time(row, "profiling_ms"), None, "what theirs costs is unknown");
            let parts = ["operators_ms", "overhead_ms"].map(|key| time(row, key));
            let [Some(operators), Some(overhead)] = parts else { continue };
            let devices = time(row, "devices_alone_ms").unwrap_or(0.0);
            let sum = operators - concurrent(row).unwrap_or(0.0) + devices + overhead;
            assert!((sum - time(row, "latency_ms").unwrap()).abs() < 1e-9, "{name}: {row}");
        }
    }
    assert!(have_concurrent > 0);
}
