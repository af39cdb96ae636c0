//! Parameters, weights and FLOPs of models whose costs follow from closed forms. Models are made by
//! `cost_models.py`.

use crate::mix_computed::script;
use crate::onnxruntime_package::library;
use crate::program::{Place, json, model};
use serde_json::Value;

/// `flops` of a model on an engine, down to its operators.
fn costs(place: &Place, name: &str, engine: &[&str]) -> Value {
    let file = format!("models/{name}.onnx");
    let fixed = ["flops", &file, "--format", "json", "--all", "--level", "model,operator"];
    json(&place.succeed(&[&fixed, engine].concat()))
}

fn models() -> Place {
    let place = Place::new();
    std::fs::create_dir_all(place.path("models")).unwrap();
    script("cost_models.py", &[&place.path("models")]);
    place
}

/// Share of zeros, of blocks of one element.
fn zeros(row: &Value) -> f64 {
    row["sparse_ratio_1x1"].as_f64().unwrap_or(f64::NAN)
}

/// What the library's own profile says of the run that it began with.
#[test]
fn memory_of_the_engine_is_what_its_profile_says() {
    let (place, library, path) = (Place::new(), library(), model("cnn"));
    let engine = ["--engine", "onnxruntime", "--engine-library", &library];
    let few = ["--iterations", "2", "--warmup", "0", "--engine-profiles", "profiles"];
    place.succeed(&[&["record", &path, "--out", "out"][..], &engine, &few].concat());
    let [profile] = &std::fs::read_dir(place.path("profiles"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect::<Vec<_>>()[..]
    else {
        panic!("one session, one profile")
    };
    let events: Vec<Value> = serde_json::from_slice(&std::fs::read(profile).unwrap()).unwrap();
    let in_use = |event: &Value| event["args"]["mem_bytes_in_use"].as_str()?.parse().ok();
    let first_run = events.iter().take_while(|event| event["name"] != "model_run");
    let own: Vec<u64> = first_run.filter_map(in_use).collect();
    let shown = ["summary", "out", "--format", "json", "--all", "--level", "model,operator"];
    let report = json(&place.succeed(&shown));
    let rows = report["operators"].as_array().unwrap().iter();
    let mut ours: Vec<u64> = rows.filter_map(|row| row["allocated_bytes"].as_u64()).collect();
    assert_eq!(report["model"]["allocated_peak_bytes"].as_u64(), ours.iter().copied().max());
    assert!(report["model"]["allocated_peak_operator"].is_string(), "{report:#}");
    assert_eq!(own.iter().max(), ours.iter().max());
    // An operator of several kernels has the most of them; operators are in no order of time.
    let mut left = own.clone();
    ours.retain(|bytes| match left.iter().position(|own| own == bytes) {
        Some(found) => left.swap_remove(found) != *bytes,
        None => true,
    });
    assert!(ours.is_empty() && left.len() < own.len() / 2, "{own:?}, beside {ours:?}");
}

#[test]
fn weights_of_every_type_are_told() {
    let (place, library) = (models(), library());
    let engine = ["--engine", "onnxruntime", "--engine-library", &library];
    for (name, parameters, shape, sparse) in [
        ("int4", 256 + 8, "8x32", 0.5),
        ("uint4", 256 + 8 + 8, "8x32", 0.5),
        ("int8", 256 + 8, "8x32", 0.5),
        ("int4-blocks", 256 + 32, "8x32", 0.5),
        ("uint4-blocks", 256 + 32 + 32, "8x32", 0.5),
        ("int8-blocks-of-outputs", 256 + 64, "8x32", 0.5),
        ("float8e4m3fn", 256 + 8, "8x32", 0.5),
        ("float8e4m3fnuz", 256 + 8, "8x32", 0.5),
        ("float8e5m2", 256 + 8, "8x32", 0.5),
        ("float8e5m2fnuz", 256 + 8, "8x32", 0.5),
        ("nbits4-64", 2048 + 64, "32x64", 0.5),
        ("nbits4-64-zero-points", 2048 + 64 + 64, "32x64", 0.5),
        ("nbits4-70", 32 * 70 + 96, "32x70", 32.0 / 70.0),
        ("nbits8-64", 2048 + 64, "32x64", 0.5),
        ("nbits2-64", 2048 + 64, "32x64", 0.5),
        ("sparse-initializer", 256, "8x32", 0.75),
        ("sparse-rows", 256, "8x32", 0.75),
        ("sparse-constant", 256, "8x32", 0.75),
        ("external", 256 + 8, "8x32", 0.5),
    ] {
        let report = costs(&place, name, &engine);
        assert_eq!(report["model"]["parameters"], parameters, "{name}: {report:#}");
        let rows = report["operators"].as_array().unwrap();
        let row = rows.iter().find(|row| !row["weight"].is_null()).unwrap();
        assert_eq!(row["weight_shape"], shape, "{name}: {row:#}");
        assert!((zeros(row) - sparse).abs() < 1e-12, "{name}: {row:#}");
    }
    // Of the constants of nodes, lists of floats are parameters.
    assert_eq!(costs(&place, "constants", &engine)["model"]["parameters"], 4);
}

#[test]
fn operators_that_people_deploy_cost_what_their_definitions_say() {
    let (place, library) = (models(), library());
    let runtime = ["--engine", "onnxruntime", "--engine-library", &library];
    let both = [&runtime[..], &["--engine", "tract"]];
    for (name, engines, flops) in [
        ("nbits4-64", 2, 2 * 5 * 64 * 32),
        ("nbits4-70", 2, 2 * 5 * 70 * 32),
        // 2 x 6 keys x (queries + results), and a softmax of two heads of 6 x 6.
        ("attention", 2, 2 * 2 * 2 * 6 * 6 * 8 + 2 * 36 * 5),
        ("attention-causal", 2, 2304 + 360),
        ("attention-mask", 2, 2304 + 360 + 72),
        ("attention-4d", 1, 2 * 5 * (192 + 144) + 5 * 24 * 5),
        ("attention-cache", 1, 2 * 9 * (192 + 144) + 5 * 24 * 9),
        ("own-attention", 1, 12 * 48 * (2 * 16 + 1) + 2 * 6 * 384 + 5 * 48 * 6),
        ("multi-head", 2, 2304 + 360),
        ("multi-head-bias", 1, 2 * 5 * (96 + 144) + 5 * 24 * 5 + 96 + 400),
        ("grouped", 1, 2 * 5 * (64 + 64) + 5 * 8 * 5),
        ("rms", 2, 4 * 96),
        ("simplified", 2, 4 * 96),
        ("skip", 2, 8 * 96),
        ("skip-simplified", 2, 5 * 96),
        ("fused-matmul", 1, 2 * 3 * 16 * 8),
        ("fused-gemm", 1, 2 * 3 * 16 * 8 + 24 + 24),
        ("fused-conv", 1, 288 * (2 * 27 + 1 + 1)),
        ("dynamic-quantize", 1, 2 * 3 * 16 * 8 + 24),
        ("einsum", 2, 2 * 3 * 16 * 8 + 2 * 3 * 8 * 5),
        ("deform", 1, 2 * 27 * 144),
    ] {
        for engine in &both[..engines] {
            let report = costs(&place, name, engine);
            let rows = report["operators"].as_array().unwrap();
            let own: Option<f64> = rows.iter().map(|row| row["flops"].as_f64()).sum();
            assert_eq!(own, Some(f64::from(flops)), "{name} {engine:?}: {report:#}");
        }
    }
}
