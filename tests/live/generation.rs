//! Decoders that generate, with a cache that grows.

use crate::json_schemas::valid;
use crate::onnxruntime_package::{library, python};
use crate::program::{Finished, Place, model};
use serde_json::Value;

/// Records the bundled decoder: two generations of six tokens behind a prompt of ten.
fn generate(place: &Place, out: &str, more: &[&str]) -> Finished {
    let (decoder, library) = (model("decoder"), library());
    let engine = ["--engine", "onnxruntime", "--engine-library", &library];
    let generation = ["--prompt", "10", "--generate", "6", "--iterations", "2", "--out", out];
    place.run(&[&["record", &decoder], &engine[..], &generation[..], more].concat())
}

fn summary(place: &Place, recording: &str, more: &[&str]) -> Value {
    let arguments = ["summary", recording, "--strict", "--format", "json", "--all"];
    valid("summary", &place.succeed(&[&arguments, more].concat()))
}

fn steps(table: &Value) -> Vec<(String, String, u64)> {
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_string();
    let rows = table.as_array().unwrap().iter();
    rows.map(|row| (text(row, "kind"), text(row, "phase"), row["cached"].as_u64().unwrap()))
        .collect()
}

#[test]
fn a_prompt_and_each_token_behind_it_are_iterations() {
    let place = Place::new();
    let recorded = generate(&place, "out", &[]);
    assert_eq!(recorded.code, Some(0), "{}", recorded.err);
    assert!(recorded.err.contains("\nPrefill ") && recorded.err.contains("\nDecode "));
    let decode = summary(&place, "out", &["--level", "model,iteration,operator"]);
    assert_eq!(decode["model"]["generation"], "prompt of 10 tokens, 6 generated");
    assert_eq!(decode["model"]["dimensions"], "batch_size=1");
    assert_eq!(decode["model"]["iterations"], 12);
    let phases = decode["phases"].as_array().unwrap();
    let stated = ["iterations", "tokens", "cached_from", "cached_to"];
    let figures: Vec<Vec<f64>> = phases
        .iter()
        .map(|phase| stated.map(|key| phase[key].as_f64().unwrap()).to_vec())
        .collect();
    assert_eq!(figures, [[2.0, 10.0, 0.0, 0.0], [12.0, 1.0, 10.0, 15.0]]);
    // Tokens by the time of the unprofiled iterations, once more.
    let plain: Vec<f64> = decode["iterations"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["kind"] == "plain")
        .map(|row| row["latency_ms"].as_f64().unwrap())
        .collect();
    let again = 12.0 / (plain.iter().sum::<f64>() / 1e3);
    let stated = phases[1]["tokens_per_second"].as_f64().unwrap();
    assert!((stated / again - 1.0).abs() < 1e-3, "{stated} {again}");
    let growth: Vec<u64> = steps(&decode["iterations"])
        .into_iter()
        .filter(|(kind, _, _)| kind == "measured")
        .map(|(_, phase, cached)| {
            assert_eq!(phase, "decode");
            cached
        })
        .collect();
    assert_eq!(growth, [10, 11, 12, 13, 14, 15, 10, 11, 12, 13, 14, 15]);

    let prefill =
        summary(&place, "out", &["--phase", "prefill", "--level", "model,iteration,operator"]);
    assert_eq!(prefill["model"]["iterations"], 2);
    assert_eq!(prefill["phases"], decode["phases"]);
    let of_measured =
        steps(&prefill["iterations"]).into_iter().filter(|(kind, _, _)| kind == "measured");
    let of_measured: Vec<(String, String, u64)> = of_measured.collect();
    let step = ("measured".to_string(), "prefill".to_string(), 0);
    assert_eq!(of_measured, [step.clone(), step]);
    // All matrix products, per token: 4 of 128 x 128 and 2 of 128 x 256 in each of two layers,
    // 128 x 512 in the end; attention reads the whole cache twice, in each layer.
    let weights = 2.0 * 2.0 * (4.0 * 128.0 * 128.0 + 2.0 * 128.0 * 256.0) + 2.0 * 128.0 * 512.0;
    let attention = |total: f64| 2.0 * 2.0 * 2.0 * 128.0 * total;
    let products = |report: &Value| -> f64 {
        let rows = report["operators"].as_array().unwrap().iter();
        let products = rows.filter(|row| {
            let kernel = row["type"].as_str().unwrap();
            kernel.ends_with("MatMul") || kernel == "Gemm"
        });
        products.map(|row| row["flops"].as_f64().unwrap()).sum()
    };
    // Each of four heads divides its scores by a scale, which is fused.
    let scale = |total: f64| 2.0 * 4.0 * total;
    // The step in the middle has 12 tokens in the cache, and its own.
    assert_eq!(products(&decode), weights + attention(13.0) + scale(13.0));
    assert_eq!(products(&prefill), 10.0 * (weights + attention(10.0) + scale(10.0)));
}

#[test]
fn tokens_in_the_cache_are_those_that_were_fed() {
    let place = Place::new();
    assert_eq!(generate(&place, "out", &["--engine-profiles", "kept"]).code, Some(0));
    // What the engine says of the shapes of the first layer's keys, run by run.
    let script = "import glob, json, sys\n\
        lengths = []\n\
        for name in sorted(glob.glob(sys.argv[1] + '/*')):\n\
        \x20   for event in json.load(open(name)):\n\
        \x20       args = event.get('args', {})\n\
        \x20       if args.get('op_name') == 'Concat' and '/layers.0/' in event['name']:\n\
        \x20           shapes = [list(shape.values())[0] for shape in args['output_type_shape']]\n\
        \x20           lengths += [shape[2] for shape in shapes if len(shape) == 4]\n\
        print(lengths)";
    let kept = place.path("kept");
    let lengths = python(script, &[&kept]);
    let lengths: Vec<u64> = serde_json::from_str(&lengths).unwrap();
    // Keys and values, of a warm-up and two measured generations.
    let each: Vec<u64> = (10..=16).flat_map(|length| [length, length]).collect();
    assert!(lengths.len() >= 3 * each.len(), "{lengths:?}");
    assert!(lengths.windows(each.len()).any(|run| run == each), "{lengths:?}");
}

#[test]
fn what_cannot_generate_is_refused_by_name() {
    let place = Place::new();
    let (decoder, cnn, library) = (model("decoder"), model("cnn"), library());
    let engine = ["--engine", "onnxruntime", "--engine-library", &library];
    let refused = |arguments: &[&str]| {
        let refused = place.run(&[&["record"], arguments].concat());
        assert!(refused.code != Some(0) && refused.out.is_empty(), "{arguments:?}: {refused:?}");
        refused.err
    };
    let tract = refused(&[&decoder, "--generate", "3"]);
    assert!(tract.starts_with("error: tract runs a model at one shape"), "{tract}");
    let no_cache = refused(&[&[cnn.as_str(), "--generate", "3"], &engine[..]].concat());
    assert!(no_cache.starts_with("error: no output of the model is known to become"), "{no_cache}");
    let generate = [&[decoder.as_str(), "--generate", "3"], &engine[..]].concat();
    let unknown = refused(&[&generate[..], &["--feed", "x=input_ids"]].concat());
    let expected = "error: the model has no output `x` to feed\nhint: the outputs are `";
    assert!(unknown.starts_with(expected), "{unknown}");
    let misfit = refused(&[&generate[..], &["--feed", "logits=past_key_values.0.key"]].concat());
    assert!(misfit.starts_with("error: the model accepts the prompt, and fails at"), "{misfit}");
    assert!(misfit.contains("past_key_values.0.key"), "{misfit}");
    assert!(refused(&[&decoder, "--prompt", "3"]).contains("--generate"));
    assert!(refused(&[&decoder, "--generate", "3", "--feed", "x"]).contains("OUTPUT=INPUT"));
    assert!(!place.path("engine_profiling").exists());
}
