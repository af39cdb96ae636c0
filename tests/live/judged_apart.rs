//! Judgements of builds of ONNX Runtime, which have a process each, and of generations.

use crate::engine_versions::older_versions;
use crate::json_schemas::valid;
use crate::onnx_file::{self, FLOAT, INT64, floats, node, open_value, whole_attribute};
use crate::onnxruntime_package::library;
use crate::program::{Place, model};
use crate::script::Script;
use crate::tune::{assert_ratio, times};
use serde_json::json as object;

#[test]
fn two_builds_of_the_runtime_are_judged_in_processes_of_their_own() {
    let (place, library, path) = (Place::new(), library(), model("cnn"));
    let older = older_versions().pop().unwrap();
    let planted = object!({"memory pattern=off": 0.9});
    let script = Script::with_factors(&place, times("cnn.onnx"), planted, &[]);
    let engine = ["--engine", "onnxruntime", "--engine-library", &library];
    let against = ["--against-library", older.to_str().unwrap(), "--format", "json"];
    let judge = |more: &[&str]| {
        let limit = ["--time-limit", "10m", "--max-loss", "0.1"];
        script.run(&[&["judge", &path][..], &engine, &against, &limit, more].concat())
    };
    let faster = judge(&["--against-options", "--ort memory_pattern=no"]);
    assert_eq!(faster.code, Some(0), "{}", faster.err);
    let report = valid("judge", &faster.out);
    assert_eq!(report["verdict"], "faster", "{report:#}");
    assert_ratio(&report["judge"]["ratio"], 0.9);
    // A's copy has a process of its own as well.
    assert_ratio(&report["judge"]["control_ratio"], 1.0);
    let loss = report["judge"]["loss"].as_f64().unwrap();
    assert!((0.0..1e-3).contains(&loss), "outputs come from the other process: {loss}");
    let version = older.file_name().unwrap().to_str().unwrap();
    assert_eq!(report["judge"]["candidate_engine"], format!("ONNX Runtime {version}"));
    assert_ne!(report["judge"]["engine"], report["judge"]["candidate_engine"]);
    // What differs is recorded by launches, since no process loads both.
    assert!(report["layers"].as_array().is_some_and(|layers| !layers.is_empty()), "{report:#}");
    // A bundle names no library to load: whoever repeats it does.
    let bundled = judge(&["--against-options", "--ort memory_pattern=no", "--bundle", "j.zip"]);
    assert_eq!(bundled.code, Some(0), "{}", bundled.err);
    let repeat = ["judge", "j.zip", "--repeat", "--engine-library", &library];
    let refused = script.run(&repeat);
    assert_eq!(refused.code, Some(1), "{}", refused.out);
    assert!(refused.err.contains("--against-library FILE|FOLDER"), "{}", refused.err);
    let again = script.run(&[&repeat[..], &against].concat());
    assert_eq!(again.code, Some(0), "{}", again.err);
    let again = valid("judge", &again.out);
    assert_eq!(again["judge"]["first_verdict"], "faster");
    assert_eq!(again["judge"]["candidate_engine"], report["judge"]["candidate_engine"]);
    // Of B, nothing says that it can be loaded.
    let nowhere =
        place.run(&[&["judge", &path][..], &engine, &["--against-library", "no"]].concat());
    assert_eq!(nowhere.code, Some(1), "{}", nowhere.out);
    assert!(nowhere.err.contains("no: No such file or directory"), "{}", nowhere.err);
}

/// Sums the cache of all tokens so far, and chooses the next one by this table.
fn decoder(choice: &[f32]) -> Vec<u8> {
    let nodes = vec![
        node("Gather", "embed", &["table", "input_ids"], &["x"]),
        node("Concat", "cache", &["past_key_values.0.key", "x"], &["present.0.key"])
            .message(5, whole_attribute("axis", 1)),
        node("ReduceMean", "mean", &["present.0.key"], &["m"]),
        node("Add", "choose", &["x", "m"], &["chosen"]),
        node("MatMul", "head", &["chosen", "choice"], &["logits"]),
    ];
    let table: Vec<f32> = (0..200).map(|value| ((value * 37) % 101) as f32 / 50.0 - 1.0).collect();
    let inputs = vec![
        open_value("input_ids", INT64, Some(&["batch_size", "sequence_length"])),
        open_value("past_key_values.0.key", FLOAT, Some(&["batch_size", "past_length", "4"])),
    ];
    let present = ["batch_size", "total_length", "4"];
    let outputs =
        vec![open_value("logits", FLOAT, None), open_value("present.0.key", FLOAT, Some(&present))];
    let constants = vec![floats("table", &[50, 4], &table), floats("choice", &[4, 3], choice)];
    onnx_file::model(nodes, constants, inputs, outputs)
}

#[test]
fn a_generation_is_judged_by_all_its_steps_and_tokens() {
    let (place, library) = (Place::new(), library());
    let choice = [1.0, -0.5, 0.25, -0.75, 0.5, 1.0, 0.5, 1.0, -1.0, 0.25, -0.25, 0.75];
    place.write("a.onnx", &decoder(&choice));
    place.write("b.onnx", &decoder(&choice.map(|value| value * 1.001)));
    // The logits of the first and second token change places.
    let swapped: Vec<f32> = choice.chunks(3).flat_map(|row| [row[1], row[0], row[2]]).collect();
    place.write("c.onnx", &decoder(&swapped));
    // Without times, models really run; one launch says what outputs are.
    let script = Script::new(&place, object!({}), &[]);
    let judge = |candidate: &str, more: &[&str]| {
        let engine = ["--engine", "onnxruntime", "--engine-library", &library];
        let words = ["--generate", "5", "--prompt", "4", "--time-limit", "2s", "--format", "json"];
        script.run(&[&["judge", "a.onnx", candidate][..], &engine, &words, more].concat())
    };
    let near = judge("b.onnx", &[]);
    let report = valid("judge", &near.out);
    assert_eq!(report["judge"]["changed_tokens"], 0.0, "{report:#}");
    assert_eq!(report["judge"]["generation"], "prompt of 4 tokens, 5 generated");
    assert!(report["judge"]["loss"].as_f64().is_some_and(|loss| loss < 1e-4), "{report:#}");
    // All inputs of all steps are compared: a prompt and five tokens, of the logits alone.
    let journal = std::fs::read_to_string(place.path("judge/onnxray.judge.jsonl")).unwrap();
    let run: serde_json::Value = serde_json::from_str(journal.lines().next().unwrap()).unwrap();
    let run = &run["run"];
    assert_eq!(
        (&run["generation"]["prompt"], &run["generation"]["tokens"]),
        (&object!(4), &object!(5))
    );
    assert_eq!(run["outputs"][0]["measure"], "kl_logits", "{run:#}");
    assert_eq!(run["outputs"][1]["reason"], "the next step takes it", "{run:#}");
    let other = judge("c.onnx", &["--out", "other"]);
    assert_eq!(other.code, Some(6), "{}", other.err);
    let report = valid("judge", &other.out);
    assert_eq!(report["verdict"], "different");
    assert!(report["judge"]["changed_tokens"].as_f64().is_some_and(|own| own > 0.1), "{report:#}");
    let tract = place.run(&["judge", "a.onnx", "b.onnx", "--generate", "5"]);
    assert_eq!(tract.code, Some(1), "{}", tract.out);
    assert!(tract.err.contains("--engine onnxruntime"), "{}", tract.err);
}
