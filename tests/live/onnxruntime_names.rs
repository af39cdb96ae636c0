//! What nodes that ONNX Runtime executed are called, against its own profiles of the same runs.

use crate::engine_versions::older_versions;
use crate::mix_computed::script;
use crate::onnxruntime::{engine, summary};
use crate::onnxruntime_package::library;
use crate::program::{Place, fixture_file, json};
use crate::recorder::{MODELS, model};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Models that `names_models.py` makes.
const MADE: [&str; 12] = [
    "relu",
    "relu-default",
    "relu-channels",
    "relu-operators",
    "relu-dynamic",
    "silu",
    "silu-default",
    "silu-channels",
    "silu-operators",
    "silu-dynamic",
    "functions",
    "lstm-dynamic",
];

/// A place with the models.
fn models() -> Place {
    let place = Place::new();
    std::fs::create_dir(place.path("models")).unwrap();
    script("names_models.py", &[&fixture_file("models"), &place.path("models")]);
    place
}

/// What the profiles say: type, node of the model, microseconds.
fn reference(model: &Path, profiles: &Path) -> Vec<(String, Option<String>, u64)> {
    serde_json::from_str(&script("names_reference.py", &[model, profiles])).unwrap()
}

/// Records a model and compares each kernel's node and time; returns how many had a name of the
/// model.
fn compared(place: &Place, path: &str, sizes: &[&str], library: &str, case: &str) -> usize {
    let out = format!("out-{case}");
    let profiles = format!("profiles-{case}");
    let arguments = [
        &["record", path, "--out", &out, "--iterations", "2", "--warmup", "0"][..],
        sizes,
        &engine(library),
        &["--engine-profiles", &profiles],
    ];
    place.succeed(&arguments.concat());
    let report = summary(place, &out, &["--level", "kernel,operator"]);
    let mut kernels: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    // Where each kernel is an operator, there is one table.
    let rows = report["kernels"].as_array().filter(|rows| !rows.is_empty());
    let rows = rows.or(report["operators"].as_array()).unwrap();
    let mut rows: Vec<&Value> = rows.iter().filter(|row| !row["total_ms"].is_null()).collect();
    rows.sort_by_key(|row| row["number"].as_u64().unwrap());
    for row in rows {
        let ran = row["kernel"].as_str().unwrap_or_else(|| row["type"].as_str().unwrap());
        kernels.entry(ran).or_default().push(row);
    }
    let mut named = 0;
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    for (ran, node, microseconds) in reference(&place.path(path), &place.path(&profiles)) {
        let next = taken.entry(ran.clone()).or_default();
        let row = kernels.get(ran.as_str()).and_then(|rows| rows.get(*next));
        let row = row.unwrap_or_else(|| panic!("{case}: {ran} {next} of {kernels:#?}"));
        *next += 1;
        // With what profiling cost in it, in two iterations, neither of which is left out.
        let profiling = row["profiling_us"].as_f64().unwrap_or(0.0) * 2.0;
        let time = row["total_ms"].as_f64().unwrap() * 1e3 + profiling;
        if !["If", "Loop", "Scan"].contains(&ran.as_str()) {
            assert_eq!(time.round() as u64, microseconds, "{case}: {row:#}");
        }
        let Some(node) = node else { continue };
        let nodes = row["nodes"].to_string();
        assert!(nodes.contains(&node), "{case}: the runtime says {node}, we say {row:#}");
        named += 1;
    }
    let counts = taken.iter().map(|(ran, count)| (ran.as_str(), *count));
    let ours = kernels.iter().map(|(ran, rows)| (*ran, rows.len()));
    assert!(counts.eq(ours), "{case}");
    named
}

#[test]
fn every_executed_node_has_the_name_that_the_runtime_gives_it() {
    let place = models();
    let mut libraries: Vec<String> =
        older_versions().iter().map(|folder| folder.to_str().unwrap().to_string()).collect();
    libraries.push(library());
    for (number, library) in libraries.iter().enumerate() {
        for name in MADE {
            let path = format!("models/{name}.onnx");
            let sizes: &[&str] =
                if name == "lstm-dynamic" { &["--dim", "sequence=8"] } else { &[] };
            let named = compared(&place, &path, sizes, library, &format!("{name}-{number}"));
            // The runtime calls what stood in functions otherwise.
            assert!(named > 0 || name == "functions", "{name}");
        }
        for (name, sizes) in MODELS {
            let path = model(name);
            assert!(compared(&place, &path, sizes, library, &format!("{name}-{number}")) > 0);
        }
    }
}

#[test]
fn functions_are_the_nodes_that_run_in_both_engines() {
    let (place, library) = (models(), library());
    let path = "models/functions.onnx";
    // Ours does the activation within the product.
    let runtime = engine(&library);
    let engines = [("runtime", &runtime[..], 2048.0), ("tract", &[], 2112.0)];
    for (out, engine, product) in engines {
        let arguments = ["record", path, "--out", out, "--iterations", "3", "--warmup", "0"];
        place.succeed(&[&arguments, engine].concat());
        let report = summary(&place, out, &["--level", "model,operator"]);
        let rows = report["operators"].as_array().unwrap();
        let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_string();
        let mut products: Vec<(String, f64)> = rows
            .iter()
            .filter(|row| row["type"] == "MatMul")
            .map(|row| (text(row, "name"), row["flops"].as_f64().unwrap()))
            .collect();
        products.sort_by(|a, b| a.0.cmp(&b.0));
        let named =
            ["first/mm", "second/inner/mm", "third/mm"].map(|name| (name.to_string(), product));
        assert_eq!(products, named, "{out}");
        assert_eq!(report["model"]["flops"], 6400.0, "{out}");
    }
    let flops = json(&place.succeed(&["flops", path, "--format", "json", "--all"]));
    assert_eq!(flops["model"]["flops"], 6400.0);
}
