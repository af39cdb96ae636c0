//! Decoders with an encoder beside them, and decoders that take one token a step.

use crate::onnx_file::{self, FLOAT, INT64, Message, floats, node, open_value, whole_attribute};
use crate::onnxruntime::{engine, summary};
use crate::onnxruntime_package::library;
use crate::program::{Finished, Place};
use serde_json::Value;

/// Sums the cache and the tokens of the step, in one axis.
fn decoder(
    tokens: &str,
    more: Vec<Message>,
    inputs: Vec<Message>,
    outputs: Vec<Message>,
) -> Vec<u8> {
    let mut nodes = vec![
        node("Gather", "embed", &["table", "input_ids"], &["x"]),
        node("Concat", "cache", &["past_key_values.0.key", "x"], &["present.0.key"])
            .message(5, whole_attribute("axis", 1)),
        node("ReduceSum", "sum", &["present.0.key"], &["logits"]),
    ];
    nodes.extend(more);
    let own = vec![
        open_value("input_ids", INT64, Some(&["batch_size", tokens])),
        open_value("past_key_values.0.key", FLOAT, Some(&["batch_size", "past_length", "4"])),
    ];
    let present = ["batch_size", "past_length + 1", "4"];
    let mut all =
        vec![open_value("logits", FLOAT, None), open_value("present.0.key", FLOAT, Some(&present))];
    all.extend(outputs);
    let table = floats("table", &[50, 4], &[0.25; 200]);
    onnx_file::model(nodes, vec![table], own.into_iter().chain(inputs).collect(), all)
}

fn generate(place: &Place, more: &[&str]) -> Finished {
    let library = library();
    let model = place.path("model.onnx").to_str().unwrap().to_string();
    let generation =
        ["--prompt", "3", "--generate", "4", "--iterations", "2", "--warmup", "0", "--out", "out"];
    place.run(&[&["record", &model][..], &engine(&library), &generation, more].concat())
}

fn decode(place: &Place) -> Value {
    summary(place, "out", &["--level", "model,iteration,operator"])
}

/// What each step has in the cache, of the profiled iterations.
fn cached(report: &Value) -> Vec<u64> {
    let rows = report["iterations"].as_array().unwrap().iter();
    let measured = rows.filter(|row| row["kind"] == "measured");
    measured.map(|row| row["cached"].as_u64().unwrap()).collect()
}

#[test]
fn a_decoder_of_one_token_a_step_begins_with_a_cache() {
    let place = Place::new();
    place.write("model.onnx", &decoder("1", vec![], vec![], vec![]));
    let recorded = generate(&place, &[]);
    assert_eq!(recorded.code, Some(0), "{recorded:?}");
    let report = decode(&place);
    assert_eq!(report["model"]["iterations"], 8);
    assert_eq!(cached(&report), [3, 4, 5, 6, 3, 4, 5, 6]);
    assert!(!recorded.err.contains("Prefill"), "{recorded:?}");
}

#[test]
fn what_an_encoder_has_made_does_not_grow() {
    let place = Place::new();
    let nodes = vec![
        node("Abs", "keys", &["past_key_values.0.encoder.key"], &["present.0.encoder.key"]),
        node("Abs", "states", &["encoder_hidden_states"], &["seen"]),
    ];
    let keys = ["batch_size", "encoder_sequence_length_out", "4"];
    let inputs = vec![
        open_value(
            "encoder_hidden_states",
            FLOAT,
            Some(&["batch_size", "encoder_sequence_length / 2", "4"]),
        ),
        open_value("past_key_values.0.encoder.key", FLOAT, Some(&keys)),
    ];
    let outputs = vec![
        open_value("present.0.encoder.key", FLOAT, Some(&keys)),
        open_value("seen", FLOAT, None),
    ];
    let model = decoder("decoder_sequence_length", nodes, inputs, outputs);
    place.write("model.onnx", &model);
    let asked = generate(&place, &[]);
    assert_eq!(asked.code, Some(1));
    for name in ["encoder_sequence_length=SIZE", "encoder_sequence_length_out=SIZE"] {
        assert!(asked.err.contains(&format!("--dim {name}")), "{asked:?}");
    }
    let both = [
        ["--dim", "encoder_sequence_length=20", "--dim", "encoder_sequence_length_out=10"],
        ["--dim", "encoder_sequence_length / 2=10", "--dim", "encoder_sequence_length_out=10"],
    ];
    for sizes in both {
        let recorded = generate(&place, &sizes);
        assert_eq!(recorded.code, Some(0), "{recorded:?}");
        let report = decode(&place);
        assert_eq!(cached(&report), [3, 4, 5, 6, 3, 4, 5, 6]);
        for name in ["keys", "states"] {
            let operators = report["operators"].as_array().unwrap().iter();
            let row = operators.clone().find(|row| row["name"] == name).unwrap();
            assert!(row.to_string().contains("1x10x4"), "{row}");
        }
        std::fs::remove_dir_all(place.path("out")).unwrap();
    }
}
