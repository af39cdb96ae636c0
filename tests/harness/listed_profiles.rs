//! What `onnxray profiles` lists of a project.

use crate::json_schemas::valid;
use crate::program::Place;
use serde_json::Value;

/// The rows of the project's list.
pub(crate) fn listed(place: &Place, project: &str) -> Vec<Value> {
    let report = valid("profiles", &place.succeed(&["profiles", project, "--format", "json"]));
    report["profiles"].as_array().unwrap().clone()
}

pub(crate) fn names(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["profile"].as_str().unwrap()).collect()
}

pub(crate) fn number(row: &Value, key: &str) -> f64 {
    row[key].as_f64().unwrap_or_else(|| panic!("no {key} in {row}"))
}

pub(crate) fn is_close(a: f64, b: f64) -> bool {
    (a / b - 1.0).abs() < 1e-9
}
